/* Which cells of the base a cube has, and whether they are still the cells that it had read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_COVERED_H
#define XTA_CUBE_COVERED_H

#include "cube/state.h"

/* The record: the bounds, the steps of the base's history, and a number of the times of each axis
 * whose levels are of a calendar. */
typedef struct xta__covered {
    size_t n; // 0: there is none
    int64_t numbers[3 * XTA_MAX_NDIM + 1];
} xta__covered;

/* Read the record of a cube; before the bounds of the base are read, which have at least grown
 * since. */
xta_status xta__covered_read(const xta_cube *cube, xta__covered *covered, xta_error *err);

/* Make it the cube's, if the base still has these cells with the same times and has not been
 * without them since. XTA_ESTATE */
xta_status xta__covered_accept(xta_cube *cube, const xta__covered *covered, xta_error *err);

/* Record that the cube has all cells of the bounds. */
xta_status xta__covered_record(xta_cube *cube, xta_error *err);

#endif
