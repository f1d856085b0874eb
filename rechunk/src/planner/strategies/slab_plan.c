/* Making a recipe from the ends and cuts of slabs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/slab_plan.h"

#include <stdlib.h>

/* ---- the slabs' schedule ---- */

/* The edges of folded blocks next to the ends of slabs. Splitting a fold there costs nothing, and
 * gives each slab blocks of its own. */
static int64_t fold_edges(const xta__span *span, int side, const xta__cutting *cutting,
                          int64_t out[])
{
    int64_t k = 0, n = 0;

    for (int64_t i = 1; i < cutting->n && span->count[side] != NULL; i++) {
        while (span->edge[side][k + 1] <= cutting->end[i]) {
            k++;
        }
        int64_t block = xta__fold_block(span, side, k);
        int64_t below = cutting->end[i] - (cutting->end[i] - span->edge[side][k]) % block;
        if (n == 0 || out[n - 1] < below) {
            out[n++] = below;
        }
        if (below < cutting->end[i] && out[n - 1] < below + block) {
            out[n++] = below + block;
        }
    }
    return n;
}

/* The edges of a side's pieces, including its cuts and the ends of slabs; `out` has capacity for
 * all. */
static xta_status slab_edges(const xta__span *span, int side, const xta__cutting *cutting,
                             int64_t **out, int64_t *n)
{
    size_t capacity = (size_t)(span->n[side] + cutting->n_cuts[side] + 2 * cutting->n + 2);
    int64_t *edge = xta__calloc(capacity, sizeof *edge);
    int64_t *more = xta__calloc((size_t)(2 * cutting->n + 1), sizeof *more);
    int64_t *both = xta__calloc((size_t)(2 * cutting->n + cutting->n_cuts[side] + 1), sizeof *both);
    xta_status status = edge == NULL || more == NULL || both == NULL ? XTA_ENOMEM : XTA_OK;

    if (status == XTA_OK) {
        int64_t n_more = fold_edges(span, side, cutting, more);
        int64_t n_both =
            xta__merge_edges(more, n_more, cutting->cut[side], cutting->n_cuts[side], both);
        *n = xta__merge_edges(span->edge[side], span->n[side] + 1, both, n_both, edge) - 1;
        *out = edge;
        edge = NULL;
    }
    free(edge);
    free(more);
    free(both);
    return status;
}

xta_status xta__slab_schedule(xta__slabs *s, int axis, const xta__cutting *cutting, bool by_input,
                              const xta__axis_schedule **schedule)
{
    xta_status status = XTA_OK;
    const xta__span *span = s->search->span[axis];
    xta__schedule_spec spec = {
        .group = cutting->end + 1, .n_groups = cutting->n, .by_begin = by_input};
    int64_t *edge[2] = {NULL, NULL};

    for (int side = 0; side < 2; side++) {
        XTA_TRY(slab_edges(span, side, cutting, &edge[side], &spec.n[side]));
        spec.edge[side] = edge[side];
    }
    int side = by_input ? XTA__FROM : XTA__TO;
    spec.event = edge[side] + 1;
    spec.n_events = spec.n[side];
    XTA_TRY(xta__schedule_pool_add(&s->search->pool, span, &spec, schedule));

done:
    free(edge[0]);
    free(edge[1]);
    return status;
}

/* The order of groups: axes traversed in steps, then the slabs, then the other axes in the order of
 * their sweep. Events have the same order, except that those of the slabs come last, followed by
 * those of axes with several events in a step. */
static void slab_order(const xta__slabs *s, xta__recipe *recipe)
{
    int n = 0, m = 0;

    for (int d = 0; d < s->n_single; d++) {
        recipe->group_order[n++] = d;
        if (s->single[d]->n_groups == s->single[d]->n_events) {
            recipe->event_order[m++] = d;
        }
    }
    recipe->group_order[n++] = s->axis;
    for (int i = 0; i < recipe->ndim; i++) {
        int d = s->inner.group_order[i];
        if (d >= s->n_single && d != s->axis) {
            recipe->group_order[n++] = recipe->event_order[m++] = d;
        }
    }
    recipe->event_order[m++] = s->axis;
    for (int d = 0; d < s->n_single; d++) {
        if (s->single[d]->n_groups < s->single[d]->n_events) {
            recipe->event_order[m++] = d;
        }
    }
}

xta_status xta__slabs_try(xta__slabs *s, const xta__cutting *cutting, xta_rechunk_method method,
                          bool *fits)
{
    xta_status status = XTA_OK;
    xta__recipe recipe = s->inner;

    *fits = false;
    for (int by_input = 0; by_input < 2 && !*fits; by_input++) {
        for (int d = 0; d < s->n_single; d++) {
            recipe.schedule[d] = s->single[d];
        }
        XTA_TRY(xta__slab_schedule(s, s->axis, cutting, by_input == 1, &recipe.schedule[s->axis]));
        slab_order(s, &recipe);
        XTA_TRY(xta__search_try(s->search, &recipe, method, fits));
        if (s->search->best.schedule[s->axis] != recipe.schedule[s->axis]) {
            xta__schedule_pool_drop(&s->search->pool);
        }
    }

done:
    return status;
}
