/* A slab covers the fast axes completely, a piece of one axis, and a single cell of each slower
 * axis. The slabs in the odometer order of the slow axes, one after the other, make up the box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/cells/slabs.h"

/* The axis that is `rank`-th from the slowest. */
static int axis_at(const cli_slabs *slabs, int rank)
{
    return slabs->order == XTA_COLUMN ? slabs->box.ndim - 1 - rank : rank;
}

xta_status cli_slabs_begin(cli_slabs *slabs, const xta_box *box, const int64_t *step,
                           xta_order order, size_t cell_bytes, uint64_t limit_bytes)
{
    xta_box counted = *box;
    xta_status status;

    *slabs = (cli_slabs){.box = *box, .order = order};
    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t length = box->hi[axis] - box->lo[axis];
        slabs->step[axis] = step != NULL ? step[axis] : 1;
        slabs->count[axis] =
            length / slabs->step[axis] + (length % slabs->step[axis] != 0); // rounded up
        counted.lo[axis] = 0;
        counted.hi[axis] = slabs->count[axis];
    }
    status = xta_box_cells(&counted, &slabs->n_cells);
    if (status != XTA_OK) {
        return status;
    }
    slabs->ended = slabs->n_cells == 0;

    uint64_t most_cells = limit_bytes / cell_bytes;
    uint64_t cells = 1;
    slabs->piece = 1;
    for (int rank = box->ndim - 1; rank >= 0; rank--) {
        uint64_t count = (uint64_t)slabs->count[axis_at(slabs, rank)];
        slabs->split = rank;
        if (count > most_cells / cells) {
            slabs->piece = most_cells / cells > 1 ? (int64_t)(most_cells / cells) : 1;
            break;
        }
        slabs->piece = (int64_t)count;
        cells *= count > 0 ? count : 1;
    }
    return XTA_OK;
}

uint64_t cli_slabs_largest(const cli_slabs *slabs)
{
    uint64_t cells = (uint64_t)slabs->piece;

    for (int rank = slabs->split + 1; rank < slabs->box.ndim; rank++) {
        cells *= (uint64_t)slabs->count[axis_at(slabs, rank)];
    }
    return cells;
}

/* Advance by one slab, first along the axis that is cut. */
static void advance(cli_slabs *slabs)
{
    for (int rank = slabs->split; rank >= 0; rank--) {
        int axis = axis_at(slabs, rank);
        slabs->at[axis] += rank == slabs->split ? slabs->piece : 1;
        if (slabs->at[axis] < slabs->count[axis]) {
            return;
        }
        slabs->at[axis] = 0;
    }
    slabs->ended = true;
}

bool cli_slabs_next(cli_slabs *slabs, xta_box *slab, uint64_t *n_cells)
{
    if (slabs->ended) {
        return false;
    }
    *slab = slabs->box;
    *n_cells = 1;
    for (int rank = 0; rank < slabs->box.ndim; rank++) {
        int axis = axis_at(slabs, rank);
        int64_t taken = rank < slabs->split ? 1 : slabs->count[axis];
        if (rank == slabs->split) {
            int64_t left = slabs->count[axis] - slabs->at[axis];
            taken = left < slabs->piece ? left : slabs->piece;
        }
        slab->lo[axis] = slabs->box.lo[axis] + slabs->at[axis] * slabs->step[axis];
        slab->hi[axis] = slab->lo[axis] + (taken - 1) * slabs->step[axis] + 1;
        *n_cells *= (uint64_t)taken;
    }
    advance(slabs);
    return true;
}
