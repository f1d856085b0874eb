/* Ranges of cells in row-major order as boxes. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_LAYOUT_CELL_RANGES_H
#define XTA_VIEWS_FLAT_LAYOUT_CELL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/box.h>

/* Cells that are still to be visited: the positions [at, end) in the row-major order of `whole`. */
typedef struct xta__cell_range {
    const xta_box *whole;
    uint64_t at, end;
} xta__cell_range;

/* The next box of the range, in order, and how many cells it has. The range must lie within a box
 * of less than 2^63 cells. False: there are no more. */
bool xta__cell_range_next(xta__cell_range *range, xta_box *box, uint64_t *n_cells);

#endif
