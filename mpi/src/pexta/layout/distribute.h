/* Which process moves which cells, and in which pieces. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_LAYOUT_DISTRIBUTE_H
#define XTA_PEXTA_LAYOUT_DISTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/box.h>

/* The cells of `section` in the chunks whose first cell inside the section lies in `block`. For
 * blocks that cover the section without overlap these boxes do so as well, along chunk borders. */
xta_box xta__begun_in(const xta_box *section, const int64_t chunk[], const xta_box *block);

/* Part `part` of `section` cut along chunk borders into `n_parts` (>= 1) boxes, as equal as that
 * allows; some may be empty. */
xta_box xta__even_share(const xta_box *section, const int64_t chunk[], int part, int n_shares);

/* The pieces in which a box is moved, in row-major order, each of at most `max_cells` cells; they
 * end at chunk borders unless a chunk alone is larger. */
typedef struct xta__pieces {
    xta_box box;
    bool done;
    int64_t at[XTA_MAX_NDIM];  /* first cell of the next piece */
    int64_t end[XTA_MAX_NDIM]; /* behind its last cell */
    int64_t chunk[XTA_MAX_NDIM];
    int64_t n_cells[XTA_MAX_NDIM]; /* cells of a piece on each axis: whole chunks, or part of one */
} xta__pieces;

void xta__pieces_begin(xta__pieces *p, const xta_box *box, const int64_t chunk[],
                       uint64_t max_cells);
bool xta__pieces_next(xta__pieces *p, xta_box *piece);

/* Cells of a box whose number is known to fit. */
uint64_t xta__cells_of(const xta_box *box);

#endif
