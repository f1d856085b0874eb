/* A scene for tests that grows at both ends: the value of a cell depends on its coordinates alone,
 * not on the extension that brought it.
 *
 * Cells are whole or real numbers, with no-data values, NaN (real ones), a constant band, pixels
 * that are zero, similar neighbours (so that there is less noise than signal), and one band that is
 * no-data in line 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_GROWN_SCENE_H
#define XTA_TESTS_GROWN_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>

enum { GROWN_LAYOUTS = 4, GROWN_NODATA = -999 };

typedef struct grown_scene {
    xta_type type; // XTA_I16, XTA_F32 or XTA_F64
    int layout;    // 0: line, sample, band; 1: band, line, sample; 2: sample, line, band in odd
                   // chunks; 3: as 1 with one chunk for each line
    int64_t n_samples, n_bands;
    uint64_t seed;
    bool holes; // no-data, NaN and zero pixels, and the empty band (the last but one)
} grown_scene;

double grown_cell(const grown_scene *g, int64_t line, int64_t sample, int64_t band);

/* An array with lines [0, n_lines); in memory if path is NULL. Ends the program if anything fails,
 * as do all functions here. */
xta_array *grown_make(const grown_scene *g, const char *path, int64_t n_lines);
/* `by` more lines, with their cells. */
void grown_extend(const grown_scene *g, xta_array *array, xta_side side, int64_t by);

/* `n` numbers of lines, odd where possible, that add up to `total`. */
void grown_swaths(int64_t total, int n, int64_t *lines);

#endif
