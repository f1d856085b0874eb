/* The cells of a box within one chunk, as runs of positions in the order of the chunk.
 *
 * The naive version visits cell by cell. In a strided order whose last axis is the fastest, the
 * cells of the last axes are often contiguous: these are visited as one run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/chunk_runs.h"

/* The first of the trailing axes whose cells in the slice form one contiguous run; *n: its length
 * in cells. If the cells have no such order: ndim, and a length of 1. */
static int first_axis_of_run(const xta__structure *s, const xta_box *cells, const xta_box *slice,
                             uint64_t *n)
{
    int axis = s->ndim - 1;

    *n = 1;
    if (!xta__grid_is_strided(&s->grid) || xta__grid_stride(&s->grid, axis) != 1) {
        return s->ndim;
    }
    for (;; axis--) {
        int64_t length = slice->hi[axis] - slice->lo[axis], all = cells->hi[axis] - cells->lo[axis];
        *n *= (uint64_t)length;
        if (axis == 0 || length < all ||
            xta__grid_stride(&s->grid, axis - 1) != xta__grid_stride(&s->grid, axis) * all) {
            return axis;
        }
    }
}

void xta__each_run(const xta__structure *s, const xta_box *cells, const xta_box *slice,
                   xta__run_visitor *visit, void *user)
{
    int64_t coord[XTA_MAX_NDIM];
    uint64_t n = 1;
    int first = first_axis_of_run(s, cells, slice, &n);

    for (int axis = 0; axis < s->ndim; axis++) {
        coord[axis] = slice->lo[axis] - cells->lo[axis];
    }
    for (;;) {
        visit(user, xta__grid_position(&s->grid, coord), n);
        int axis = first - 1;
        while (axis >= 0 && ++coord[axis] >= slice->hi[axis] - cells->lo[axis]) {
            coord[axis] = slice->lo[axis] - cells->lo[axis];
            axis--;
        }
        if (axis < 0) {
            return;
        }
    }
}
