/* The peak memory of a recipe.
 *
 * Definition: the cells held at an event are those that have been read, including by that event,
 * minus those that have been freed. What an event of a component reads is a product over its axes,
 * and so is what is freed after it.
 *
 * Naive: go through all events and count. That is what *tours* do; it is exact, and quick enough
 * for a million events.
 *
 * Better, where axes are nested without groups: let read(k) be the cells read up to and including
 * event k, and left(k) those not freed before it; then held = read + left - all. Both are sums over
 * the slowest axis alone, plus a multiple of the same for the other axes, and read grows as left
 * falls. So of the other axes only those events matter that maximise left * a + read * b for some a
 * and b: the corners of a convex hull, few however many events there are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/peak_memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

/* With fewer events than this a tour is faster than hulls. */
#define FEW_EVENTS 4096

/* ---- hulls ---- */

void xta__hull_clear(xta__hull *hull)
{
    free(hull->point);
    *hull = (xta__hull){0};
}

uint64_t xta__hull_max(const xta__hull *hull, uint64_t a, uint64_t b)
{
    uint64_t most = 0;

    for (size_t k = 0; k < hull->n; k++) {
        uint64_t value = a * hull->point[k].left + b * hull->point[k].read;
        most = value > most ? value : most;
    }
    return most;
}

/* Whether q lies below the line from p to r, so that it is never the maximum of a linear
 * combination. */
static bool below(const xta__point *p, const xta__point *q, const xta__point *r)
{
    xta__u128 a = (xta__u128)(p->left - q->left) * (r->read - q->read);
    xta__u128 b = (xta__u128)(q->left - r->left) * (q->read - p->read);

    return a >= b;
}

/* Add a point. Points come in the order of events: `left` does not increase, `read` does not
 * decrease. */
static xta_status hull_add(xta__hull *hull, xta__point point)
{
    while (hull->n > 0 && hull->point[hull->n - 1].left == point.left) {
        hull->n--;
    }
    if (hull->n > 0 && hull->point[hull->n - 1].read == point.read) {
        return XTA_OK;
    }
    while (hull->n > 1 && below(&hull->point[hull->n - 2], &hull->point[hull->n - 1], &point)) {
        hull->n--;
    }
    if (!XTA__RESERVE(hull->point, hull->capacity, hull->n + 1)) {
        return XTA_ENOMEM;
    }
    hull->point[hull->n++] = point;
    return XTA_OK;
}

/* The hull of a schedule, given that of the axes inside it. If the schedule has groups of several
 * events, a group counts as one event, which overestimates the memory held. `counts`: count
 * fragments, not cells. */
static xta_status hull_nest(xta__hull *out, const xta__axis_schedule *schedule,
                            const xta__hull *inner, xta__measure measure, bool counts)
{
    xta_status status = XTA_OK;
    const int64_t *come = counts ? schedule->fragment_first : schedule->come;
    const int64_t *gone = counts ? schedule->fragment_last : schedule->gone[measure];
    bool grouped = schedule->n_groups > 1;
    int64_t n = grouped ? schedule->n_groups : schedule->n_events;
    uint64_t all = (uint64_t)(counts ? schedule->n_fragments : schedule->length);

    out->cells = all * inner->cells;
    for (int64_t k = 0; k < n; k++) {
        int64_t begin = grouped ? schedule->group[k] : k;
        int64_t end = grouped ? schedule->group[k + 1] : k + 1;
        uint64_t rest = all - (uint64_t)gone[end];
        uint64_t now_gone = (uint64_t)(gone[end] - gone[begin]);
        uint64_t now_come = (uint64_t)(come[end] - come[begin]);
        for (size_t p = 0; p < inner->n; p++) {
            xta__point point = {
                .left = rest * inner->cells + now_gone * inner->point[p].left,
                .read = (uint64_t)come[begin] * inner->cells + now_come * inner->point[p].read,
            };
            XTA_TRY(hull_add(out, point));
        }
    }

done:
    return status;
}

static xta_status hull_of_order(xta__hull *hull, const xta__recipe *recipe, int without,
                                xta__measure measure, bool counts)
{
    xta_status status = XTA_OK;
    xta__hull inner = {.cells = 1};
    xta__hull outer = {0};

    *hull = (xta__hull){0};
    XTA_TRY(hull_add(&inner, (xta__point){1, 1}));
    for (int i = recipe->ndim - 1; i >= 0; i--) {
        int axis = recipe->group_order[i];
        if (axis == without) {
            continue;
        }
        XTA_TRY(hull_nest(&outer, recipe->schedule[axis], &inner, measure, counts));
        xta__hull_clear(&inner);
        inner = outer;
        outer = (xta__hull){0};
    }
    *hull = inner;
    inner = (xta__hull){0};

done:
    xta__hull_clear(&inner);
    xta__hull_clear(&outer);
    return status;
}

/* ---- tours ---- */

typedef struct tour {
    const xta__recipe *recipe;
    xta__measure measure;
    int n_group, n_event; /* axes with more than one group, event */
    int group[XTA_MAX_NDIM], event[XTA_MAX_NDIM];
    int64_t at[XTA_MAX_NDIM];                     /* the current event */
    int64_t from[XTA_MAX_NDIM], to[XTA_MAX_NDIM]; /* events of the current group */
    uint64_t cell_bytes;
    bool rounded;            /* FRAGMENTS: compute the bytes of each fragment */
    bool only_cells;         /* neither fragments nor hull points are needed */
    uint64_t unit, per_part; /* bytes for each cell, and in addition for each fragment */
    uint64_t held, peak;     /* bytes */
    uint64_t stop;           /* from this peak on, the result need not be exact */
    uint64_t all, come, gone;
    xta__hull *hull; /* receives the points, if needed */
    xta_status status;
} tour;

/* The bytes of the fragments in a product of ranges: each is rounded up and has a header. */
static uint64_t fragment_bytes(const tour *t, const int64_t *const ends[], int axis, uint64_t cells)
{
    const xta__axis_schedule *schedule;
    uint64_t sum = 0;

    if (axis == t->recipe->ndim) {
        return (cells * t->cell_bytes + 63) / 64 * 64 + 64;
    }
    schedule = t->recipe->schedule[axis];
    for (int64_t k = ends[axis][t->at[axis]]; k < ends[axis][t->at[axis] + 1]; k++) {
        sum += fragment_bytes(t, ends, axis + 1,
                              cells * (uint64_t)(schedule->part[k + 1] - schedule->part[k]));
    }
    return sum;
}

static void visit_rounded(tour *t)
{
    const int64_t *come[XTA_MAX_NDIM], *gone[XTA_MAX_NDIM];

    for (int d = 0; d < t->recipe->ndim; d++) {
        come[d] = t->recipe->schedule[d]->fragment_first;
        gone[d] = t->recipe->schedule[d]->fragment_last;
    }
    t->held += fragment_bytes(t, come, 0, 1);
    t->peak = t->held > t->peak ? t->held : t->peak;
    t->held -= fragment_bytes(t, gone, 0, 1);
}

/* The change by an event: cells and, if counted, fragments. */
typedef struct change {
    uint64_t come, gone, parts_come, parts_gone;
} change;

static change change_by(const tour *t, const xta__axis_schedule *schedule, int64_t e, change c)
{
    const int64_t *gone = schedule->gone[t->measure];

    c.come *= (uint64_t)(schedule->come[e + 1] - schedule->come[e]);
    c.gone *= (uint64_t)(gone[e + 1] - gone[e]);
    if (t->per_part > 0) {
        c.parts_come *= (uint64_t)(schedule->fragment_first[e + 1] - schedule->fragment_first[e]);
        c.parts_gone *= (uint64_t)(schedule->fragment_last[e + 1] - schedule->fragment_last[e]);
    }
    return c;
}

static void visit(tour *t, const change *c)
{
    if (t->hull != NULL) {
        t->come += c->come;
        if (t->status == XTA_OK) {
            t->status = hull_add(t->hull, (xta__point){t->all - t->gone, t->come});
        }
        t->gone += c->gone;
        return;
    }
    t->held += c->come * t->unit + c->parts_come * t->per_part;
    t->peak = t->held > t->peak ? t->held : t->peak;
    t->held -= c->gone * t->unit + c->parts_gone * t->per_part;
}

/* Tour the innermost axis when only cells count: nearly all the time is spent here. */
static void tour_cells(tour *t, const change *outer)
{
    int axis = t->event[t->n_event - 1];
    const int64_t *come = t->recipe->schedule[axis]->come;
    const int64_t *gone = t->recipe->schedule[axis]->gone[t->measure];
    uint64_t held = t->held, peak = t->peak;
    uint64_t in = outer->come * t->unit, out = outer->gone * t->unit;

    for (int64_t e = t->from[axis]; e < t->to[axis]; e++) {
        held += in * (uint64_t)(come[e + 1] - come[e]);
        peak = held > peak ? held : peak;
        held -= out * (uint64_t)(gone[e + 1] - gone[e]);
    }
    t->held = held;
    t->peak = peak;
}

static void tour_events(tour *t, int level, const change *so_far)
{
    if (level + 1 == t->n_event && t->only_cells) {
        tour_cells(t, so_far);
        return;
    }
    if (level == t->n_event) {
        if (t->rounded) {
            visit_rounded(t);
        } else {
            visit(t, so_far);
        }
        return;
    }
    int axis = t->event[level];
    for (int64_t e = t->from[axis]; e < t->to[axis] && t->peak < t->stop; e++) {
        change c = change_by(t, t->recipe->schedule[axis], e, *so_far);
        t->at[axis] = e;
        tour_events(t, level + 1, &c);
    }
}

static void tour_groups(tour *t, int level, const change *fixed)
{
    if (level == t->n_group) {
        tour_events(t, 0, fixed);
        return;
    }
    int axis = t->group[level];
    const xta__axis_schedule *schedule = t->recipe->schedule[axis];
    for (int64_t g = 0; g < schedule->n_groups && t->peak < t->stop; g++) {
        t->from[axis] = schedule->group[g];
        t->to[axis] = schedule->group[g + 1];
        tour_groups(t, level + 1, fixed);
    }
}

/* Visit all events, except those of the axis `without`. */
static void tour_all(tour *t, int without)
{
    change fixed = {1, 1, 1, 1};

    t->all = 1;
    for (int i = 0; i < t->recipe->ndim; i++) {
        int of_groups = t->recipe->group_order[i];
        int of_events = t->recipe->event_order[i];
        const xta__axis_schedule *schedule = t->recipe->schedule[of_groups];
        if (of_groups != without && schedule->n_groups > 1) {
            t->group[t->n_group++] = of_groups;
        } else {
            t->from[of_groups] = 0;
            t->to[of_groups] = schedule->n_events;
        }
        schedule = t->recipe->schedule[of_events];
        if (of_events != without) {
            t->all *= (uint64_t)schedule->length;
            if (schedule->n_events > 1) {
                t->event[t->n_event++] = of_events;
            } else {
                fixed = change_by(t, schedule, 0, fixed);
            }
        }
    }
    tour_groups(t, 0, &fixed);
}

xta_status xta__hull_init(xta__hull *hull, const xta__recipe *recipe, int without,
                          xta__measure measure)
{
    uint64_t events = xta__recipe_events(recipe);

    if (without >= 0) {
        events /= (uint64_t)recipe->schedule[without]->n_events;
    }
    if (events > XTA__MOST_TOURED) {
        return hull_of_order(hull, recipe, without, measure, false);
    }
    *hull = (xta__hull){0};
    tour t = {.recipe = recipe, .measure = measure, .stop = UINT64_MAX, .hull = hull};
    tour_all(&t, without);
    hull->cells = t.all;
    return t.status;
}

/* ---- peaks ---- */

uint64_t xta__recipe_events(const xta__recipe *recipe)
{
    uint64_t events = 1;

    for (int d = 0; d < recipe->ndim; d++) {
        if (!xta__mul_u64(events, (uint64_t)recipe->schedule[d]->n_events, &events)) {
            return UINT64_MAX;
        }
    }
    return events;
}

static uint64_t recipe_parts(const xta__recipe *recipe)
{
    uint64_t parts = 1;

    for (int d = 0; d < recipe->ndim; d++) {
        if (!xta__mul_u64(parts, (uint64_t)recipe->schedule[d]->n_fragments, &parts)) {
            return UINT64_MAX;
        }
    }
    return parts;
}

/* Whether only the number of some fragments is known. */
static bool has_folds(const xta__recipe *recipe)
{
    bool folds = false;

    for (int d = 0; d < recipe->ndim; d++) {
        folds |= recipe->schedule[d]->n_fragments != recipe->schedule[d]->n_stretches;
    }
    return folds;
}

/* Whether the events have the order of nested axes. */
static bool is_nested(const xta__recipe *recipe)
{
    for (int i = 0; i < recipe->ndim; i++) {
        const xta__axis_schedule *schedule = recipe->schedule[i];
        if (recipe->group_order[i] != recipe->event_order[i] ||
            (schedule->n_groups > 1 && schedule->n_groups < schedule->n_events)) {
            return false;
        }
    }
    return true;
}

/* The peak by hulls; it may be a little more than the true peak. */
static xta_status peak_by_hull(const xta__recipe *recipe, xta__measure measure, uint64_t cell_bytes,
                               uint64_t *peak)
{
    xta_status status = XTA_OK;
    xta__hull hull = {0};

    XTA_TRY(hull_of_order(&hull, recipe, -1, measure, false));
    *peak = (xta__hull_max(&hull, 1, 1) - hull.cells) * cell_bytes;
    if (measure == XTA__FRAGMENTS) {
        xta__hull_clear(&hull);
        XTA_TRY(hull_of_order(&hull, recipe, -1, measure, true));
        *peak += (xta__hull_max(&hull, 1, 1) - hull.cells) * 127;
    }

done:
    xta__hull_clear(&hull);
    return status;
}

/* An axis that is traversed in independent steps, and is slower than all others: its longest step
 * stands for all of them. */
typedef struct step_schedule {
    xta__axis_schedule schedule;
    int64_t cells[2], one[2];
} step_schedule;

static bool is_stepped(const xta__axis_schedule *schedule)
{
    if (schedule->n_groups != schedule->n_events || schedule->n_fragments != schedule->n_events) {
        return false;
    }
    for (int64_t e = 0; e <= schedule->n_events; e++) {
        if (schedule->come[e] != schedule->gone[XTA__FRAGMENTS][e] ||
            schedule->come[e] != schedule->gone[XTA__PIECES][e]) {
            return false;
        }
    }
    return true;
}

static void longest_step(const xta__axis_schedule *schedule, step_schedule *step)
{
    int64_t longest = 0;

    for (int64_t e = 0; e < schedule->n_events; e++) {
        int64_t length = schedule->come[e + 1] - schedule->come[e];
        longest = length > longest ? length : longest;
    }
    *step = (step_schedule){.cells = {0, longest}, .one = {0, 1}};
    step->schedule = (xta__axis_schedule){
        .length = longest,
        .n_events = 1,
        .n_groups = 1,
        .group = step->one,
        .n_fragments = 1,
        .n_stretches = 1,
        .part = step->cells,
        .fragment_first = step->one,
        .fragment_last = step->one,
        .come = step->cells,
        .gone = {step->cells, step->cells, step->cells},
    };
}

/* Replace the slowest axes by their longest steps; `step` has capacity for all axes. */
static void shorten(xta__recipe *recipe, step_schedule step[])
{
    for (int i = 0; i < recipe->ndim; i++) {
        int axis = recipe->group_order[i];
        if (axis != recipe->event_order[i] || !is_stepped(recipe->schedule[axis])) {
            return;
        }
        longest_step(recipe->schedule[axis], &step[i]);
        recipe->schedule[axis] = &step[i].schedule;
    }
}

/* The bytes that count of the tables of pieces held at once. There are never more pieces than
 * fragments. */
static xta_status table_bytes(const xta__recipe *recipe, xta__measure measure, uint64_t *bytes)
{
    xta_status status = XTA_OK;
    uint64_t each = XTA_RECHUNK_TABLE_BYTES(recipe->ndim);
    uint64_t free_parts = XTA_RECHUNK_FREE_TABLES / each;
    xta__hull hull = {0};

    *bytes = 0;
    if (measure != XTA__LIVE && recipe_parts(recipe) > free_parts) {
        XTA_TRY(hull_of_order(&hull, recipe, -1, measure, true));
        uint64_t held = xta__hull_max(&hull, 1, 1) - hull.cells;
        *bytes = held > free_parts ? (held - free_parts) * each : 0;
    }

done:
    xta__hull_clear(&hull);
    return status;
}

xta_status xta__peak(const xta__recipe *recipe, xta__measure measure, uint64_t cell_bytes,
                     uint64_t most_fragments, uint64_t stop, uint64_t *peak)
{
    xta_status status = XTA_OK;
    step_schedule step[XTA_MAX_NDIM];
    xta__recipe shorter = *recipe;
    uint64_t tables;

    XTA_TRY(table_bytes(recipe, measure, &tables));
    shorten(&shorter, step);
    uint64_t events = xta__recipe_events(&shorter);

    bool exact = measure == XTA__FRAGMENTS && recipe_parts(&shorter) <= most_fragments &&
                 !has_folds(&shorter);
    if (events > XTA__MOST_TOURED || (events > FEW_EVENTS && is_nested(&shorter) && !exact)) {
        XTA_TRY(peak_by_hull(&shorter, measure, cell_bytes, peak));
        *peak += tables;
        goto done;
    }
    tour t = {
        .recipe = &shorter,
        .measure = measure,
        .cell_bytes = cell_bytes,
        .rounded = exact,
        .only_cells = measure != XTA__FRAGMENTS,
        .stop = stop,
        .unit = cell_bytes,
        .per_part = measure == XTA__FRAGMENTS ? 127 : 0,
    };
    tour_all(&t, -1);
    *peak = t.peak + tables;

done:
    return status;
}
