/* Boxes: plain values, pure functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

xta_box xta_box_make(int ndim, const int64_t lo[], const int64_t hi[])
{
    xta_box box = {.ndim = ndim};

    for (int axis = 0; axis < ndim && axis < XTA_MAX_NDIM; axis++) {
        box.lo[axis] = lo[axis];
        box.hi[axis] = hi[axis];
    }
    return box;
}

bool xta_box_empty(const xta_box *box)
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] >= box->hi[axis]) {
            return true;
        }
    }
    return false;
}

xta_status xta_box_cells(const xta_box *box, uint64_t *n)
{
    uint64_t product = 1;

    if (xta_box_empty(box)) {
        *n = 0;
        return XTA_OK;
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        // Lengths are taken modulo 2^64, so that the widest interval cannot overflow.
        uint64_t length = (uint64_t)box->hi[axis] - (uint64_t)box->lo[axis];
        if (!xta__mul_u64(product, length, &product) || product > INT64_MAX) {
            return XTA_EOVERFLOW;
        }
    }
    *n = product;
    return XTA_OK;
}

bool xta_box_contains(const xta_box *outer, const xta_box *inner)
{
    if (outer->ndim != inner->ndim) {
        return false;
    }
    if (xta_box_empty(inner)) {
        return true;
    }
    for (int axis = 0; axis < outer->ndim; axis++) {
        if (inner->lo[axis] < outer->lo[axis] || inner->hi[axis] > outer->hi[axis]) {
            return false;
        }
    }
    return true;
}

xta_box xta_box_intersect(const xta_box *a, const xta_box *b)
{
    xta_box common = {.ndim = a->ndim < b->ndim ? a->ndim : b->ndim};

    for (int axis = 0; axis < common.ndim; axis++) {
        common.lo[axis] = a->lo[axis] > b->lo[axis] ? a->lo[axis] : b->lo[axis];
        common.hi[axis] = a->hi[axis] < b->hi[axis] ? a->hi[axis] : b->hi[axis];
        if (common.hi[axis] < common.lo[axis]) {
            common.hi[axis] = common.lo[axis];
        }
    }
    return common;
}

bool xta_box_equal(const xta_box *a, const xta_box *b)
{
    if (a->ndim != b->ndim) {
        return false;
    }
    for (int axis = 0; axis < a->ndim; axis++) {
        if (a->lo[axis] != b->lo[axis] || a->hi[axis] != b->hi[axis]) {
            return false;
        }
    }
    return true;
}
