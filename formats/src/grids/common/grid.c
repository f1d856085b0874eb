/* What all block grids share: the first member of their state, and the arithmetic of their blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/grid.h"

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "util/checked.h"

xta_status xta__blocks_close(void *self, bool complete, xta_error *err)
{
    blocks_grid *grid = self;
    return grid->close(self, complete, err);
}

void *xta__blocks_grid_new(size_t bytes, const char *path,
                           xta_status (*close)(void *self, bool complete, xta_error *err),
                           xta_error *err)
{
    blocks_grid *grid = calloc(1, bytes);

    if (grid != NULL) {
        grid->close = close;
        grid->path = xta__bridge_copy(path);
        xta__description_init(&grid->what);
        if (grid->path != NULL) {
            return grid;
        }
    }
    free(grid);
    xta_status ignored = xta__bridge_no_memory(path, err);
    (void)ignored;
    return NULL;
}

void xta__blocks_abandon(void *self)
{
    blocks_grid *grid = self;

    if (grid != NULL) {
        xta_status ignored = grid->close(grid, false, NULL);
        (void)ignored;
    }
}

void xta__blocks_grid_clear(blocks_grid *grid)
{
    xta__description_clear(&grid->what);
    free(grid->path);
    free(grid->edges);
    free(grid->unfinished);
    xta__blocks_mover_clear(&grid->mover);
}

void xta__blocks_grid_free(blocks_grid *grid)
{
    xta__blocks_grid_clear(grid);
    free(grid);
}

xta_status xta__blocks_keep_partition(blocks_grid *grid, const xta_partition *from,
                                      xta_partition *to, xta_error *err)
{
    size_t n = 0;
    for (int axis = 0; axis < from->ndim; axis++) {
        n += from->axis[axis].length == 0 ? (size_t)from->axis[axis].n_edges : 0;
    }
    *to = *from;
    if (n == 0) {
        return XTA_OK;
    }
    int64_t *edges = calloc(n, sizeof *edges);
    if (edges == NULL) {
        return xta__bridge_no_memory(grid->path, err);
    }
    size_t at = 0;
    for (int axis = 0; axis < from->ndim; axis++) {
        xta_cuts *cuts = &to->axis[axis];
        if (cuts->length == 0) {
            memcpy(edges + at, cuts->edges, (size_t)cuts->n_edges * sizeof *edges);
            cuts->edges = edges + at;
            at += (size_t)cuts->n_edges;
        }
    }
    free(grid->edges);
    grid->edges = edges;
    return XTA_OK;
}

int64_t xta__blocks_count(const xta_box *bounds, const xta_cuts *cuts, int axis)
{
    int64_t lo = bounds->lo[axis];
    int64_t hi = bounds->hi[axis];
    if (hi <= lo) {
        return 0;
    }
    return cuts->length > 0 ? xta__floor_div(hi - 1 - cuts->origin, cuts->length) -
                                  xta__floor_div(lo - cuts->origin, cuts->length) + 1
                            : cuts->n_edges - 1;
}

xta_box xta__blocks_box(const xta_box *bounds, const xta_partition *partition,
                        const int64_t block[])
{
    xta_box box = *bounds;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        const xta_cuts *cuts = &partition->axis[axis];
        if (cuts->length == 0) {
            box.lo[axis] = cuts->edges[block[axis]];
            box.hi[axis] = cuts->edges[block[axis] + 1];
            continue;
        }
        int64_t first = xta__floor_div(bounds->lo[axis] - cuts->origin, cuts->length);
        int64_t lo = cuts->origin + (first + block[axis]) * cuts->length;
        int64_t hi = lo + cuts->length;
        box.lo[axis] = lo > bounds->lo[axis] ? lo : bounds->lo[axis];
        box.hi[axis] = hi < bounds->hi[axis] ? hi : bounds->hi[axis];
    }
    return box;
}

uint64_t xta__blocks_largest(const xta_box *bounds, const xta_partition *partition,
                             size_t cell_bytes)
{
    uint64_t bytes = cell_bytes;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        const xta_cuts *cuts = &partition->axis[axis];
        int64_t longest = bounds->hi[axis] - bounds->lo[axis];
        if (cuts->length > 0) {
            longest = cuts->length < longest ? cuts->length : longest;
        } else {
            longest = 0;
            for (int64_t k = 0; k + 1 < cuts->n_edges; k++) {
                int64_t n = cuts->edges[k + 1] - cuts->edges[k];
                longest = n > longest ? n : longest;
            }
        }
        bytes *= (uint64_t)longest;
    }
    return bytes;
}

xta_box xta__blocks_from_zero(int ndim, const int64_t bounds[])
{
    int64_t zero[XTA_MAX_NDIM] = {0};
    return xta_box_make(ndim, zero, bounds);
}
