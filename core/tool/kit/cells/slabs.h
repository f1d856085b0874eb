/* A box cut into slabs, in the order in which its cells stand in a file. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_SLABS_H
#define XTA_CLI_SLABS_H

#include <xta/array.h>

/* A walk over a box. `count` is how many cells are taken on each axis. */
typedef struct cli_slabs {
    xta_box box;
    int64_t step[XTA_MAX_NDIM];
    int64_t count[XTA_MAX_NDIM];
    xta_order order;
    uint64_t n_cells; // of the whole box
    int split;        // how many axes, slowest first, lie outside a slab but the last of them
    int64_t piece;    // cells of a slab on the axis that is cut
    int64_t at[XTA_MAX_NDIM]; // where the next slab begins, in taken cells
    bool ended;
} cli_slabs;

/* Begin a walk in XTA_ROW or XTA_COLUMN order. `step` may be NULL. Slabs hold at most
 * `limit_bytes`, but at least one cell.
 * @retval XTA_EOVERFLOW  more cells than 64 bits count */
xta_status cli_slabs_begin(cli_slabs *slabs, const xta_box *box, const int64_t *step,
                           xta_order order, size_t cell_bytes, uint64_t limit_bytes);

/* The next slab, and how many cells are taken from it. False at the end. */
bool cli_slabs_next(cli_slabs *slabs, xta_box *slab, uint64_t *n_cells);

/* The number of cells that the largest slab takes. */
uint64_t cli_slabs_largest(const cli_slabs *slabs);

#endif
