/* Spread attributes: one item for each cell along some axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_SPREAD_ATTRIBUTES_H
#define XTA_FORMATS_DESCRIPTION_SPREAD_ATTRIBUTES_H

#include "description/description.h"

/* The items of the box [lo, hi) (ndim of both), dense row-major, from `over` where it has them,
 * else from `a`; a number that neither has is NaN or zero, a line is empty. `over` may be NULL,
 * otherwise it has the type of `a`. For texts `*count` is in bytes. NULL: out of memory. The caller
 * frees the result. */
void *xta__spread_cut(const bridge_attribute *a, const bridge_attribute *over, const int64_t lo[],
                      const int64_t hi[], size_t *count);
/* Number of items in a box; 0 also if it is absurdly large. */
size_t xta__spread_items(int ndim, const int64_t lo[], const int64_t hi[]);
/* Number of lines of a text. */
size_t xta__text_n_lines(const char *text, size_t n_bytes);
/* Find item `k` in a text with one line for each item. The item does not end with a zero: it has
 * `*length` bytes. */
const char *xta__text_line(const char *text, size_t k, size_t *length);

/* The number of the first line that is `name`; that of all lines if none is. NULL: no lines. */
size_t xta__text_find_line(const char *lines, const char *name);

#endif
