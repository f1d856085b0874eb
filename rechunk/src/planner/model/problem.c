/* The problem of a plan: checked, copied with its edges, and its axes reversed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/problem.h"

#include <string.h>

/* Bytes of all cells, and of all slots, stay below this, so that sums of runs, cells and overhead
 * of fragments fit in 64 bits. */
#define MOST_BYTES ((uint64_t)1 << 56)

static xta_status check_cuts(const xta_cuts *cuts, const char *side, int axis, int64_t lo,
                             int64_t hi, xta_error *err)
{
    if (cuts->length > 0) {
        return cuts->length < XTA__COORD_LIMIT && cuts->origin > -XTA__COORD_LIMIT &&
                       cuts->origin < XTA__COORD_LIMIT
                   ? XTA_OK
                   : xta__fail(err, XTA_EARG, 0,
                               "axis %d: %s blocks of %lld cells from %lld on leave the range of "
                               "coordinates",
                               axis, side, (long long)cuts->length, (long long)cuts->origin);
    }
    if (cuts->length < 0 || cuts->n_edges < 2 || cuts->edges == NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %d: %s blocks have length %lld: give 1 or more, or at least two "
                         "edges",
                         axis, side, (long long)cuts->length);
    }
    if (cuts->edges[0] != lo || cuts->edges[cuts->n_edges - 1] != hi) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %d: %s edges go from %lld to %lld, the cells from %lld to %lld",
                         axis, side, (long long)cuts->edges[0],
                         (long long)cuts->edges[cuts->n_edges - 1], (long long)lo, (long long)hi);
    }
    for (int64_t k = 1; k < cuts->n_edges; k++) {
        if (cuts->edges[k] <= cuts->edges[k - 1]) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: %s edge %lld (%lld) is not after the one before it", axis,
                             side, (long long)k, (long long)cuts->edges[k]);
        }
    }
    return XTA_OK;
}

/* Check the size of the slots that a side's blocks occupy within the bounds. */
static bool slots_fit(const xta_rechunk_problem *problem, const xta_partition *partition)
{
    uint64_t bytes = problem->cell_bytes;

    for (int d = 0; d < problem->bounds.ndim; d++) {
        uint64_t length = (uint64_t)(problem->bounds.hi[d] - problem->bounds.lo[d]);
        uint64_t more = partition->axis[d].length > 0 ? 2 * (uint64_t)partition->axis[d].length : 0;
        if (!xta__mul_u64(bytes, length + more, &bytes)) {
            return false;
        }
    }
    return bytes < MOST_BYTES << 6;
}

/* Check what is for keep alone, and its buffers. */
static xta_status check_keep(const xta_rechunk_problem *problem, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box *bounds = &problem->bounds;
    unsigned known =
        XTA_VARIANT_ANY_ORDER | XTA_VARIANT_UNEVEN | XTA_VARIANT_MIRRORED | XTA_VARIANT_WHOLE_READS;
    bool own = problem->buffer.ndim != 0 || problem->pass_axes != 0 ||
               (problem->variants & XTA_VARIANT_WHOLE_READS) != 0;

    if ((problem->variants & ~known) != 0 || (uint64_t)problem->pass_axes >> bounds->ndim != 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "variants %#x or axes to pass on %#x are not among those there are",
                         problem->variants, problem->pass_axes);
    }
    if (own && problem->strategy != XTA_RECHUNK_KEEP) {
        return xta__fail(err, XTA_EARG, 0,
                         "buffers, axes to pass on and whole reads are for the strategy keep");
    }
    if (problem->buffer.ndim != 0 && problem->buffer.ndim != bounds->ndim) {
        return xta__fail(err, XTA_EARG, 0, "bounds and buffer have %d and %d axes", bounds->ndim,
                         problem->buffer.ndim);
    }
    for (int d = 0; d < problem->buffer.ndim && !xta_box_empty(bounds); d++) {
        XTA_TRY(
            check_cuts(&problem->buffer.axis[d], "buffer", d, bounds->lo[d], bounds->hi[d], err));
    }

done:
    return status;
}

xta_status xta__problem_check(const xta_rechunk_problem *problem, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box *bounds = &problem->bounds;
    uint64_t cells, bytes;

    if (bounds->ndim < 1 || bounds->ndim > XTA_MAX_NDIM || problem->from.ndim != bounds->ndim ||
        problem->to.ndim != bounds->ndim) {
        return xta__fail(err, XTA_EARG, 0,
                         "bounds, from and to have %d, %d and %d axes: they need the same, 1 to %d",
                         bounds->ndim, problem->from.ndim, problem->to.ndim, XTA_MAX_NDIM);
    }
    if ((unsigned)problem->strategy > XTA_RECHUNK_MERGE ||
        (unsigned)problem->account > XTA_ACCOUNT_ALLOCATED ||
        (unsigned)problem->from_home > XTA_BLOCKS_WHOLE ||
        (unsigned)problem->to_home > XTA_BLOCKS_WHOLE || problem->cell_bytes == 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "strategy, account or home is not one of those there are, or cells have "
                         "no bytes");
    }
    for (int d = 0; d < bounds->ndim; d++) {
        if (bounds->lo[d] <= -XTA__COORD_LIMIT || bounds->hi[d] >= XTA__COORD_LIMIT ||
            bounds->lo[d] > bounds->hi[d]) {
            return xta__fail(err, XTA_EARG, 0, "axis %d: bounds from %lld to %lld make no sense", d,
                             (long long)bounds->lo[d], (long long)bounds->hi[d]);
        }
    }
    XTA_TRY(check_keep(problem, err));
    if (xta_box_empty(bounds)) {
        return XTA_OK;
    }
    for (int d = 0; d < bounds->ndim; d++) {
        XTA_TRY(check_cuts(&problem->from.axis[d], "source", d, bounds->lo[d], bounds->hi[d], err));
        XTA_TRY(check_cuts(&problem->to.axis[d], "target", d, bounds->lo[d], bounds->hi[d], err));
    }
    if (xta_box_cells(bounds, &cells) != XTA_OK ||
        !xta__mul_u64(cells, problem->cell_bytes, &bytes) || bytes >= MOST_BYTES ||
        (problem->from_home != XTA_BLOCKS_FILES && !slots_fit(problem, &problem->from)) ||
        (problem->to_home != XTA_BLOCKS_FILES && !slots_fit(problem, &problem->to))) {
        status = xta__fail(err, XTA_EARG, 0, "more than 2^56 bytes cannot be planned");
    }

done:
    return status;
}

xta_status xta__problem_copy(const xta_rechunk_problem *problem, xta_rechunk_problem *copy,
                             int64_t **edges)
{
    xta_partition *cut[3] = {&copy->from, &copy->to, &copy->buffer};
    size_t n = 0;
    int64_t *at;

    *copy = *problem;
    for (int k = 0; k < 3; k++) {
        for (int d = 0; d < cut[k]->ndim; d++) {
            n += cut[k]->axis[d].length == 0 ? (size_t)cut[k]->axis[d].n_edges : 0;
        }
    }
    at = *edges = xta__calloc(n + 1, sizeof *at);
    if (at == NULL) {
        return XTA_ENOMEM;
    }
    for (int k = 0; k < 3; k++) {
        for (int d = 0; d < cut[k]->ndim; d++) {
            xta_cuts *cuts = &cut[k]->axis[d];
            if (cuts->length == 0) {
                memcpy(at, cuts->edges, (size_t)cuts->n_edges * sizeof *at);
                cuts->edges = at;
                at += cuts->n_edges;
            }
        }
    }
    return XTA_OK;
}

unsigned xta__reverse_axes(unsigned axes, int ndim)
{
    unsigned out = 0;

    for (int d = 0; d < ndim; d++) {
        out |= (axes >> d & 1U) << (ndim - 1 - d);
    }
    return out;
}

static void swap_cuts(xta_cuts *a, xta_cuts *b)
{
    xta_cuts cuts = *a;

    *a = *b;
    *b = cuts;
}

void xta__problem_reverse(xta_rechunk_problem *problem)
{
    xta_box *bounds = &problem->bounds;

    for (int d = 0, e = bounds->ndim - 1; d < e; d++, e--) {
        int64_t lo = bounds->lo[d], hi = bounds->hi[d];
        bounds->lo[d] = bounds->lo[e];
        bounds->hi[d] = bounds->hi[e];
        bounds->lo[e] = lo;
        bounds->hi[e] = hi;
        swap_cuts(&problem->from.axis[d], &problem->from.axis[e]);
        swap_cuts(&problem->to.axis[d], &problem->to.axis[e]);
        swap_cuts(&problem->buffer.axis[d], &problem->buffer.axis[e]);
    }
    problem->pass_axes = xta__reverse_axes(problem->pass_axes, bounds->ndim);
    problem->from_column = !problem->from_column;
    problem->to_column = !problem->to_column;
}
