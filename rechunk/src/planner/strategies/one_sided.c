/* Plans that hold nothing in memory from one step to the next.
 *
 * baseline: each input block is read whole, and written to all output blocks at once; every output
 * block that intersects more than one input block is written in pieces.
 *
 * split and merge: the unit is not one block but a slab of as many as fit, whole rows of blocks
 * where possible, extended from the last axis on, as files are read. For split it is a slab of
 * input blocks, so that outputs are cut only where the slab ends; for merge, of output blocks, so
 * that these stay whole and inputs are cut.
 *
 * @par Source
 * [KEEP] 2.5 for baseline; split and merge are the one-sided problems of the work it builds on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/one_sided.h"

#include <stdlib.h>

/* The schedule that moves `n` blocks of one side at each event, and cuts the other side there. */
static xta_status slab_schedule(xta__search *search, int axis, int side, int64_t n,
                                const xta__axis_schedule **schedule)
{
    xta_status status = XTA_OK;
    const xta__span *span = search->span[axis];
    int64_t n_events = (span->n[side] - 1) / n + 1;
    int64_t *ends = xta__calloc((size_t)n_events + 1, sizeof *ends);
    int64_t *cut = xta__calloc((size_t)(n_events + span->n[!side] + 2), sizeof *cut);
    xta__schedule_spec spec = {.event = ends == NULL ? NULL : ends + 1, .n_events = n_events};

    if (ends == NULL || cut == NULL) {
        status = XTA_ENOMEM;
        goto done;
    }
    for (int64_t e = 1; e <= n_events; e++) {
        int64_t block = e * n < span->n[side] ? e * n : span->n[side];
        ends[e] = span->edge[side][block];
    }
    spec.n[side] = span->n[side];
    spec.edge[side] = span->edge[side];
    spec.n[!side] =
        xta__merge_edges(span->edge[!side], span->n[!side] + 1, ends, n_events + 1, cut) - 1;
    spec.edge[!side] = cut;
    XTA_TRY(xta__schedule_pool_add(&search->pool, span, &spec, schedule));

done:
    free(ends);
    free(cut);
    return status;
}

/* Try slabs with n[axis] blocks on each axis. */
static xta_status try_slab(xta__search *search, int side, const int64_t n[],
                           xta_rechunk_method method, bool *fits)
{
    xta_status status = XTA_OK;
    xta__recipe recipe = {.ndim = search->problem->bounds.ndim};
    int order[XTA_MAX_NDIM] = {0};

    for (int d = 0; d < recipe.ndim; d++) {
        order[d] = d;
        XTA_TRY(slab_schedule(search, d, side, n[d], &recipe.schedule[d]));
    }
    xta__recipe_order(&recipe, order);
    XTA_TRY(xta__search_try(search, &recipe, method, fits));

done:
    return status;
}

/* Record the shape of the first slab, which is the longest if blocks are regular. */
static void note_shape(xta__search *search, int side, const int64_t n[])
{
    for (int d = 0; d < search->problem->bounds.ndim; d++) {
        const xta__span *span = search->span[d];
        for (int64_t k = 0; k < span->n[side]; k += n[d]) {
            int64_t end = k + n[d] < span->n[side] ? k + n[d] : span->n[side];
            int64_t length = span->edge[side][end] - span->edge[side][k];
            search->shape[d] = length > search->shape[d] ? length : search->shape[d];
        }
    }
}

xta_status xta__plan_baseline(xta__search *search)
{
    int64_t n[XTA_MAX_NDIM];
    bool fits;

    for (int d = 0; d < XTA_MAX_NDIM; d++) {
        n[d] = 1;
    }
    note_shape(search, XTA__FROM, n);
    return try_slab(search, XTA__FROM, n, XTA_RECHUNK_BY_SINGLE_BLOCKS, &fits);
}

xta_status xta__try_one_sided(xta__search *search, int side, int64_t n[])
{
    xta_status status = XTA_OK;
    xta_rechunk_method method =
        side == XTA__FROM ? XTA_RECHUNK_BY_INPUT_SLABS : XTA_RECHUNK_BY_OUTPUT_SLABS;
    int ndim = search->problem->bounds.ndim;
    bool fits;

    for (int d = 0; d < XTA_MAX_NDIM; d++) {
        n[d] = 1;
    }
    XTA_TRY(try_slab(search, side, n, method, &fits));
    for (int d = ndim - 1; d >= 0 && fits; d--) {
        // Find the longest row on this axis, by bisection; the first axis that is not whole is the
        // last.
        int64_t fit = 1, most = search->span[d]->n[side];
        int64_t too_many = most + 1;
        for (n[d] = most; fits && too_many - fit > 1; n[d] = fit + (too_many - fit) / 2) {
            bool more;
            XTA_TRY(try_slab(search, side, n, method, &more));
            if (more) {
                fit = n[d];
            } else {
                too_many = n[d];
            }
        }
        n[d] = fit;
        fits = fit == most;
    }

done:
    return status;
}

xta_status xta__plan_one_sided(xta__search *search, int side)
{
    xta_status status = XTA_OK;
    int64_t n[XTA_MAX_NDIM];

    XTA_TRY(xta__try_one_sided(search, side, n));
    note_shape(search, side, n);

done:
    return status;
}
