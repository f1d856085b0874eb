/* Names of block files, from a pattern with a placeholder for each axis. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_NAME_PATTERN_H
#define XTA_FORMATS_GRIDS_COMMON_NAME_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/status.h>

#define PATTERN_PIECES (XTA_MAX_NDIM + 1)

typedef struct blocks_placeholder {
    int axis;
    bool coordinate; /* false: the number of the block */
    int width;
    bool zeros;
} blocks_placeholder;

typedef struct blocks_pattern {
    char *text;                          /* the literals, each ended by a zero */
    const char *literal[PATTERN_PIECES]; /* before each placeholder, and after the last one */
    blocks_placeholder placeholder[XTA_MAX_NDIM]; /* in text order */
    int ndim;
} blocks_pattern;

bool xta__blocks_is_pattern(const char *path);
xta_status xta__blocks_pattern_parse(const char *path, blocks_pattern *pattern, xta_error *err);
void xta__blocks_pattern_clear(blocks_pattern *pattern);
/* The name of a block, from its number or its coordinate on each axis, as the placeholders
 * require. */
char *xta__blocks_pattern_name(const blocks_pattern *pattern, const int64_t block[],
                               const int64_t begin[]);
/* Whether `name` (a whole path) matches the pattern; if so, the numbers in it, by axis. */
bool xta__blocks_pattern_match(const blocks_pattern *pattern, const char *name, int64_t values[]);

#endif
