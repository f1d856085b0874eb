/* Slabs: a component that cannot be moved uncut is moved in slabs of one axis.
 *
 * A cut on the first axis costs least: a piece of a row-major block that is cut there alone is
 * still one run. So axis 0 becomes the slowest, its slabs end at chosen *positions*, and in each
 * slab the other axes are swept uncut. A block that crosses a position is either cut there, or part
 * of it is held until the next slab (an output waits, an input is read ahead).
 *
 * Definition: a choice of positions, and of what is held or cut at each of them; the best choice
 * adds the fewest runs within the memory budget. Naive: try them all. Better: it is a shortest path
 * (slab_path.c). A node is (s, h, p): everything before h is written, everything before p is read,
 * h <= s <= p. The edge to s' leads to h' and p'; of the cells of the axis, those in [p, p') come
 * and those in [h, h') go, so that
 *
 *     T  are held through,  P  only go,  Q  only come,  C  come and go,
 *
 * and while the other axes (V cells, of which some are `left`, some `read`) are swept, the cells
 * held are at most T V + max((P + C) left + (Q + C) read) - C V: the hull of that sweep gives the
 * maximum. An edge costs the runs that its cuts add. In the true plan cells come later and go
 * earlier than the edge assumes, so the path is first searched with more memory than is available,
 * and the memory of the resulting plan is measured.
 *
 * If the blocks of one side are one cell long on the first axis, a cut on the second axis costs no
 * more; then steps of the first axis with slabs of the second (tiles) are tried as well.
 *
 * If not even slabs of one cell fit, the first axis is traversed cell by cell and the next one is
 * cut into slabs, and so on, finally one cell at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/slabs.h"

#include <stdlib.h>
#include <string.h>

#include "planner/strategies/slab_path.h"
#include "planner/strategies/slab_plan.h"

/* ---- axes worked through cell by cell ---- */

static xta_status single_schedule(xta__search *search, int axis,
                                  const xta__axis_schedule **schedule)
{
    xta_status status = XTA_OK;
    const xta__span *span = search->span[axis];
    int64_t *edge = xta__calloc((size_t)span->length + 1, sizeof *edge);

    if (edge == NULL) {
        return XTA_ENOMEM;
    }
    for (int64_t k = 0; k <= span->length; k++) {
        edge[k] = k;
    }
    xta__schedule_spec spec = {
        .edge = {edge, edge},
        .n = {span->length, span->length},
        .event = edge + 1,
        .n_events = span->length,
        .group = edge + 1,
        .n_groups = span->length,
    };
    XTA_TRY(xta__schedule_pool_add(&search->pool, span, &spec, schedule));

done:
    free(edge);
    return status;
}

/* A schedule of one step, which stands for any step of such an axis while the others are swept. */
static xta_status dot_schedule(xta__search *search, int64_t length,
                               const xta__axis_schedule **schedule)
{
    int64_t edge[2] = {0, length};
    xta__span dot = {.length = length, .n = {1, 1}, .edge = {edge, edge}};
    xta__schedule_spec spec = {.edge = {edge, edge}, .n = {1, 1}, .event = edge + 1, .n_events = 1};

    return xta__schedule_pool_add(&search->pool, &dot, &spec, schedule);
}

/* ---- sweeping the other axes ---- */

static bool same_inner(const xta__recipe *a, const xta__recipe *b, int without)
{
    for (int d = 0; d < a->ndim; d++) {
        if (a->group_order[d] != b->group_order[d] ||
            (d != without && a->schedule[d] != b->schedule[d])) {
            return false;
        }
    }
    return true;
}

/* Some good ways to sweep the other axes: those for which few cells are held; few held and left;
 * few held and read. */
static xta_status inner_recipes(xta__slabs *s, xta__recipe inner[], int *n)
{
    static const uint64_t mixture[XTA__MOST_INNER][2] = {{1, 1}, {2, 1}, {1, 2}};
    xta_status status = XTA_OK;
    xta__sweep sweep = *s->sweep;

    *n = 0;
    sweep.measure = s->search->measure == XTA__FRAGMENTS ? XTA__LIVE : s->search->measure;
    sweep.without = s->axis;
    sweep.enough = 0;
    for (int d = 0; d < s->n_single; d++) {
        sweep.options[d] = (xta__options){.n = 1, .schedule = {s->dot[d]}};
    }
    for (int k = 0; k < XTA__MOST_INNER; k++) {
        uint64_t least;
        bool old = false;
        sweep.of_left = mixture[k][0];
        sweep.of_read = mixture[k][1];
        XTA_TRY(xta__sweep_search(&sweep, &inner[*n], &least));
        for (int i = 0; i < *n; i++) {
            old |= same_inner(&inner[i], &inner[*n], s->axis);
        }
        *n += !old;
    }

done:
    return status;
}

static xta_status slabs_measure(xta__slabs *s, const xta__recipe *inner)
{
    xta__measure measure = s->search->measure == XTA__FRAGMENTS ? XTA__LIVE : s->search->measure;

    s->inner = *inner;
    s->holds_pieces = measure == XTA__PIECES;
    xta__hull_clear(&s->hull);
    return xta__hull_init(&s->hull, inner, s->axis, measure);
}

/* ---- slabs of any thickness ---- */

#define MOST_SLABS ((int64_t)1 << 19)

/* Cut both sides at the end of slabs with thickness `most`, or less if that saves a cut. */
static int64_t thick_slabs(const int64_t ends[], int64_t n, int64_t most, int64_t out[])
{
    int64_t at = 0, n_out = 0;

    out[0] = 0;
    for (int64_t k = 1; k <= n;) {
        int64_t last = k;
        while (last <= n && ends[last] <= at + most) {
            last++;
        }
        at = last > k ? ends[last - 1] : at + most;
        k = last;
        out[++n_out] = at;
    }
    return n_out;
}

/* Nothing is held from one slab to the next, and slabs get thinner until they fit. The slabs tried
 * do not depend on the available memory, so that the memory reported as enough is enough. */
static xta_status try_thick_slabs(xta__slabs *s, bool *fits)
{
    xta_status status = XTA_OK;
    const xta__span *span = s->search->span[s->axis];
    int64_t *ends = xta__calloc((size_t)(span->n[0] + span->n[1] + 2), sizeof *ends);
    int64_t *out = NULL;

    *fits = false;
    if (ends == NULL) {
        return XTA_ENOMEM;
    }
    int64_t n = xta__span_ends(span, ends);
    for (int64_t most = span->length; most > 0 && !*fits; most /= 2) {
        int64_t capacity = span->length / most + n + 2;
        if (capacity > MOST_SLABS) {
            break;
        }
        free(out);
        out = xta__calloc((size_t)capacity, sizeof *out);
        if (out == NULL) {
            status = XTA_ENOMEM;
            goto done;
        }
        xta__cutting cutting = {.end = out, .n = thick_slabs(ends, n, most, out)};
        for (int side = 0; side < 2; side++) {
            cutting.cut[side] = out + 1;
            cutting.n_cuts[side] = cutting.n;
        }
        if (s->search->problem->to_home == XTA_BLOCKS_WHOLE) {
            cutting.n_cuts[XTA__TO] = 0;
        }
        XTA_TRY(xta__slabs_try(s, &cutting, XTA_RECHUNK_BY_THIN_SLABS, fits));
    }

done:
    free(ends);
    free(out);
    return status;
}

/* ---- all of it ---- */

/* Longer axes than this are not traversed cell by cell. */
#define MOST_SINGLE ((int64_t)1 << 17)

/* Try slabs of `axis`, with the axes before it whole, or traversed cell by cell. */
static xta_status try_axis(xta__slabs *s, int axis, int n_single, bool last_resort, bool *fits)
{
    xta_status status = XTA_OK;
    xta__recipe inner[XTA__MOST_INNER];
    int n_inner;

    *fits = false;
    s->axis = axis;
    s->n_single = n_single;
    XTA_TRY(inner_recipes(s, inner, &n_inner));
    for (int k = 0; k < n_inner; k++) {
        bool fit = false;
        XTA_TRY(slabs_measure(s, &inner[k]));
        if (last_resort) {
            XTA_TRY(try_thick_slabs(s, &fit));
        } else {
            XTA_TRY(xta__slabs_path(s, &fit));
        }
        *fits |= fit;
    }

done:
    return status;
}

/* Try each axis in turn until something fits, with the axes before it traversed cell by cell. */
static xta_status try_axes(xta__slabs *s, bool last_resort, bool *fits)
{
    xta_status status = XTA_OK;
    int ndim = s->search->problem->bounds.ndim;

    *fits = false;
    for (int axis = 0; axis < ndim && !*fits; axis++) {
        bool enough = s->search->span[axis]->length <= MOST_SINGLE;
        XTA_TRY(try_axis(s, axis, axis, last_resort, fits));
        if (!enough) {
            break;
        }
        if (s->single[axis] == NULL) {
            XTA_TRY(single_schedule(s->search, axis, &s->single[axis]));
            XTA_TRY(dot_schedule(s->search, 1, &s->dot[axis]));
        }
    }

done:
    return status;
}

/* Steps of the first axis, no longer than `most`, combined with slabs of the second. */
static xta_status try_steps(xta__slabs *s, const int64_t ends[], int64_t n, int64_t most,
                            int64_t step[])
{
    xta_status status = XTA_OK;
    xta__slabs steps = {.search = s->search, .sweep = s->sweep};
    xta__cutting cutting = {.end = step, .n = thick_slabs(ends, n, most, step)};
    int64_t longest = 0;
    bool fits;

    for (int side = 0; side < 2; side++) {
        cutting.cut[side] = step + 1;
        cutting.n_cuts[side] = cutting.n;
    }
    for (int64_t k = 1; k <= cutting.n; k++) {
        longest = step[k] - step[k - 1] > longest ? step[k] - step[k - 1] : longest;
    }
    XTA_TRY(xta__slab_schedule(&steps, 0, &cutting, false, &steps.single[0]));
    XTA_TRY(dot_schedule(s->search, longest, &steps.dot[0]));
    XTA_TRY(try_axis(&steps, 1, 1, false, &fits));

done:
    xta__hull_clear(&steps.hull);
    return status;
}

#define MOST_STEPS 8

/* If one side's blocks are one cell long on the first axis, like the images of a series, a cut on
 * the second axis costs only one run each as well: both axes are cut. */
static xta_status try_tiles(xta__slabs *s)
{
    xta_status status = XTA_OK;
    const xta__span *span = s->search->span[0];
    int64_t *ends, *step;
    bool thin = span->blocks[XTA__FROM] == span->length || span->blocks[XTA__TO] == span->length;

    if (!thin || s->search->problem->bounds.ndim < 2 || span->length > MOST_SINGLE) {
        return XTA_OK;
    }
    ends = xta__calloc((size_t)(span->n[0] + span->n[1] + 2), sizeof *ends);
    step = xta__calloc((size_t)(span->length + 2), sizeof *step);
    if (ends == NULL || step == NULL) {
        status = XTA_ENOMEM;
        goto done;
    }
    int64_t n = xta__span_ends(span, ends);
    for (int64_t k = 2; k <= MOST_STEPS && k <= span->length; k++) {
        XTA_TRY(try_steps(s, ends, n, (span->length - 1) / k + 1, step));
    }

done:
    free(ends);
    free(step);
    return status;
}

xta_status xta__plan_slabs(xta__search *search, xta__sweep *sweep)
{
    xta_status status = XTA_OK;
    xta__slabs s = {.search = search, .sweep = sweep};
    int ndim = search->problem->bounds.ndim;
    bool fits;

    XTA_TRY(try_axes(&s, false, &fits));
    for (int axis = 1; axis < ndim && axis < 4; axis++) {
        XTA_TRY(try_axis(&s, axis, 0, false, &fits));
    }
    XTA_TRY(try_tiles(&s));
    if (!search->found) {
        search->least_peak = UINT64_MAX;
        XTA_TRY(try_axes(&s, true, &fits));
    }

done:
    xta__hull_clear(&s.hull);
    return status;
}
