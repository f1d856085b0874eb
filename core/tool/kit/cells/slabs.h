/* A box cut into slabs, in the order of its cells in a file. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_SLABS_H
#define XTA_CLI_SLABS_H

#include <xta/array.h>

/* An iterator over a box. `count` is the number of selected cells on each axis. */
typedef struct cli_slabs {
    xta_box box;
    int64_t step[XTA_MAX_NDIM];
    int64_t count[XTA_MAX_NDIM];
    xta_order order;
    uint64_t n_cells; // of the whole box
    // number of axes, slowest first, that lie outside a slab, except for the last of them
    int split;
    int64_t piece;            // cells of a slab on the axis that is cut
    int64_t at[XTA_MAX_NDIM]; // where the next slab begins, in selected cells
    bool ended;
} cli_slabs;

/* Begin iterating in XTA_ROW or XTA_COLUMN order. `step` may be NULL. Slabs hold at most
 * `limit_bytes`, but at least one cell.
 * @retval XTA_EOVERFLOW  more cells than 64 bits count */
xta_status cli_slabs_begin(cli_slabs *slabs, const xta_box *box, const int64_t *step,
                           xta_order order, size_t cell_bytes, uint64_t limit_bytes);

/* The next slab, and the number of cells selected from it. False at the end. */
bool cli_slabs_next(cli_slabs *slabs, xta_box *slab, uint64_t *n_cells);

/* The number of cells selected from the largest slab. */
uint64_t cli_slabs_largest(const cli_slabs *slabs);

#endif
