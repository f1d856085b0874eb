/* The order of events that holds the fewest cells, if no block is cut.
 *
 * The schedule of an axis has one event for each output block (the inputs that begin in it are read
 * first) or one for each input block (the outputs that end in it are written immediately). Given
 * the order of events, nothing is read earlier, or held longer, than necessary. So the order
 * decides what is held: the nesting of the axes, and on each axis *groups* of events that are
 * completed, with the groups of the other axes, before the next group begins. Good places to end a
 * group are those across which little is held: the *thickness* of a place is the length of the part
 * before it of the output block that crosses it, plus the part after it of the input block that
 * crosses it. The groups of an axis end where the thickness is at most t, and t is searched for.
 *
 * Naive: try each combination of nesting, schedules and thresholds. There are too many, so the
 * search descends along one axis at a time, from several starts; a tour of all events, or the hull
 * of the order (peak_memory.c), gives the memory held.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/sweep_search.h"

#include <stdlib.h>
#include <string.h>

/* The number of different thicknesses that are tried as thresholds; only one on an axis with many
 * places. */
#define MOST_THRESHOLDS 10
#define MANY_POSITIONS  4096

/* ---- places ---- */

int64_t xta__span_ends(const xta__span *span, int64_t ends[])
{
    return xta__merge_edges(span->edge[XTA__FROM], span->n[XTA__FROM] + 1, span->edge[XTA__TO],
                            span->n[XTA__TO] + 1, ends) -
           1;
}

/* The thickness of each of the n + 1 places. */
static void thicknesses(const xta__span *span, const int64_t ends[], int64_t n, int64_t thick[])
{
    const int64_t *in = span->edge[XTA__FROM], *out = span->edge[XTA__TO];
    int64_t i = 0, o = 0;

    for (int64_t k = 0; k <= n; k++) {
        while (in[i] < ends[k]) {
            i++;
        }
        while (o < span->n[XTA__TO] && out[o + 1] <= ends[k]) {
            o++;
        }
        thick[k] = in[i] - ends[k] + ends[k] - out[o];
    }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Choose the thresholds to try: the distinct thicknesses, or some of them. Sorts `thick`. */
static int thresholds(int64_t thick[], int64_t n, int64_t out[])
{
    int64_t different = 0;
    int n_out = 0;

    qsort(thick, (size_t)n, sizeof thick[0], ascending);
    for (int64_t k = 0; k < n; k++) {
        if (k == 0 || thick[k] != thick[k - 1]) {
            thick[different++] = thick[k];
        }
    }
    int64_t step = (different - 1) / MOST_THRESHOLDS + 1;
    for (int64_t k = 0; k < different && n_out < MOST_THRESHOLDS; k += step) {
        out[n_out++] = thick[k];
    }
    return n_out;
}

/* ---- options of one axis ---- */

static bool same_groups(const xta__axis_schedule *a, const xta__axis_schedule *b)
{
    return a->n_events == b->n_events && a->n_groups == b->n_groups &&
           memcmp(a->first[0], b->first[0], (size_t)(a->n_events + 1) * sizeof(int64_t)) == 0 &&
           memcmp(a->first[1], b->first[1], (size_t)(a->n_events + 1) * sizeof(int64_t)) == 0 &&
           memcmp(a->group, b->group, (size_t)(a->n_groups + 1) * sizeof(int64_t)) == 0;
}

/* Add a schedule, unless there is an equal one or one with the same order. */
static xta_status add_option(xta__search *search, int axis, const xta__schedule_spec *spec,
                             xta__options *options)
{
    const xta__axis_schedule *schedule;
    xta_status status = xta__schedule_pool_add(&search->pool, search->span[axis], spec, &schedule);

    if (status != XTA_OK) {
        return status;
    }
    for (int k = 0; k < options->n; k++) {
        if (same_groups(options->schedule[k], schedule)) {
            return XTA_OK;
        }
    }
    if (schedule->n_groups == 1 || schedule->n_groups < schedule->n_events) {
        options->schedule[options->n++] = schedule;
    }
    return XTA_OK;
}

/* The places of an axis where either side has a cut, and the thickness of each. */
typedef struct places {
    int64_t n; /* number of places after 0 */
    int64_t *end, *thick, *group;
    int n_limits;
    int64_t limit[MOST_THRESHOLDS];
} places;

static xta_status places_init(places *p, const xta__span *span)
{
    int64_t capacity = span->n[0] + span->n[1] + 2;

    *p = (places){.end = xta__calloc((size_t)(3 * capacity), sizeof *p->end)};
    if (p->end == NULL) {
        return XTA_ENOMEM;
    }
    p->thick = p->end + capacity;
    p->group = p->end + 2 * capacity;
    p->n = xta__span_ends(span, p->end);
    thicknesses(span, p->end, p->n, p->thick);
    p->n_limits = p->n > 1 ? thresholds(p->thick + 1, p->n - 1, p->limit) : 0;
    if (p->n > MANY_POSITIONS && p->n_limits > 1) {
        p->n_limits = 1;
    }
    thicknesses(span, p->end, p->n, p->thick);
    return XTA_OK;
}

/* End groups where the thickness is at most `limit`. */
static int64_t set_groups(places *p, int64_t limit)
{
    int64_t n = 0;

    for (int64_t k = 1; k <= p->n; k++) {
        if (k == p->n || p->thick[k] <= limit) {
            p->group[n++] = p->end[k];
        }
    }
    return n;
}

xta_status xta__axis_options(xta__search *search, int axis, xta__options *options)
{
    xta_status status = XTA_OK;
    const xta__span *span = search->span[axis];
    places p = {0};

    *options = (xta__options){.n = 0};
    XTA_TRY(places_init(&p, span));
    for (int side = XTA__TO; side >= XTA__FROM; side--) {
        xta__schedule_spec spec = {
            .edge = {span->edge[XTA__FROM], span->edge[XTA__TO]},
            .n = {span->n[XTA__FROM], span->n[XTA__TO]},
            .event = span->edge[side] + 1,
            .n_events = span->n[side],
            .group = p.group,
            .by_begin = side == XTA__FROM,
        };
        XTA_TRY(add_option(search, axis, &spec, options));
        for (int t = 0; t < p.n_limits; t++) {
            spec.n_groups = set_groups(&p, p.limit[t]);
            XTA_TRY(add_option(search, axis, &spec, options));
        }
    }

done:
    free(p.end);
    return status;
}

/* ---- orders ---- */

static bool next_permutation(int order[], int n)
{
    int i = n - 2, j = n - 1;

    while (i >= 0 && order[i] > order[i + 1]) {
        i--;
    }
    if (i < 0) {
        return false;
    }
    while (order[j] < order[i]) {
        j--;
    }
    int swap = order[i];
    order[i] = order[j];
    order[j] = swap;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    return true;
}

/* The next order of the axes that have more than one event; if there are many, only orders in which
 * one axis is moved to the front are tried. */
static bool next_order(const xta__sweep *sweep, int order[], int *turn)
{
    if (sweep->n_long <= 4) {
        return next_permutation(order, sweep->n_long);
    }
    if (++*turn >= sweep->n_long) {
        return false;
    }
    memcpy(order + 1, sweep->axis, (size_t)*turn * sizeof order[0]);
    order[0] = sweep->axis[*turn];
    return true;
}

/* An order of all axes: the long ones as given, then the others. */
static void full_order(const xta__sweep *sweep, const int order[], int full[])
{
    int n = 0;

    for (int i = 0; i < sweep->n_long; i++) {
        full[n++] = order[i];
    }
    for (int d = 0; d < sweep->search->problem->bounds.ndim; d++) {
        if (sweep->is_short[d]) {
            full[n++] = d;
        }
    }
}

/* ---- search ---- */

/* The value of an order: its peak or, if the sweep leaves out an axis, the maximum of a combination
 * of cells left and cells read. It need not be exact unless it is below `least`. */
static xta_status value_of(xta__sweep *sweep, const xta__recipe *recipe, uint64_t least,
                           uint64_t *value)
{
    xta_status status = XTA_OK;
    xta__hull hull = {0};

    sweep->toured += xta__recipe_events(recipe);
    if (sweep->without < 0) {
        return xta__peak(recipe, sweep->measure, sweep->search->problem->cell_bytes, 0, least,
                         value);
    }
    XTA_TRY(xta__hull_init(&hull, recipe, sweep->without, sweep->measure));
    *value = xta__hull_max(&hull, sweep->of_left, sweep->of_read);

done:
    xta__hull_clear(&hull);
    return status;
}

/* Improve one axis. */
static xta_status descend_axis(xta__sweep *sweep, int axis, xta__recipe *recipe, uint64_t *value,
                               bool *better)
{
    xta_status status = XTA_OK;
    const xta__options *options = &sweep->options[axis];
    const xta__axis_schedule *best = recipe->schedule[axis];

    for (int k = 0; k < options->n && sweep->toured < sweep->search->effort; k++) {
        uint64_t now;
        if (options->schedule[k] == best) {
            continue;
        }
        recipe->schedule[axis] = options->schedule[k];
        XTA_TRY(value_of(sweep, recipe, *value, &now));
        if (now < *value) {
            *value = now;
            best = options->schedule[k];
            *better = true;
        }
    }
    recipe->schedule[axis] = best;

done:
    return status;
}

/* Improve the order of events within groups. */
static xta_status descend_order(xta__sweep *sweep, xta__recipe *recipe, uint64_t *value,
                                bool *better)
{
    xta_status status = XTA_OK;
    int order[XTA_MAX_NDIM];
    int turn = 0;
    xta__recipe best = *recipe;

    memcpy(order, sweep->axis, sizeof order);
    do {
        uint64_t now;
        full_order(sweep, order, recipe->event_order);
        XTA_TRY(value_of(sweep, recipe, *value, &now));
        if (now < *value) {
            *value = now;
            best = *recipe;
            *better = true;
        }
    } while (*value > sweep->enough && sweep->toured < sweep->search->effort &&
             next_order(sweep, order, &turn));
    *recipe = best;

done:
    return status;
}

/* Descend from one start, axis by axis, until no axis improves. */
static xta_status descend(xta__sweep *sweep, xta__recipe *recipe, uint64_t *value)
{
    xta_status status = XTA_OK;
    bool better = true;

    XTA_TRY(value_of(sweep, recipe, UINT64_MAX, value));
    for (int round = 0; round < 4 && better && *value > sweep->enough; round++) {
        better = false;
        for (int i = 0; i<sweep->n_long && * value> sweep->enough; i++) {
            XTA_TRY(descend_axis(sweep, sweep->order[i], recipe, value, &better));
        }
        XTA_TRY(descend_order(sweep, recipe, value, &better));
    }

done:
    return status;
}

/* The axes that matter: those with more than one event. */
static void begin_orders(xta__sweep *sweep, int ndim)
{
    sweep->n_long = 0;
    for (int d = 0; d < ndim; d++) {
        bool events = false;
        for (int k = 0; k < sweep->options[d].n; k++) {
            events |= sweep->options[d].schedule[k]->n_events > 1;
        }
        sweep->is_short[d] = !events || d == sweep->without;
        if (!sweep->is_short[d]) {
            sweep->axis[sweep->n_long] = sweep->order[sweep->n_long] = d;
            sweep->n_long++;
        }
    }
}

xta_status xta__sweep_search(xta__sweep *sweep, xta__recipe *best, uint64_t *least)
{
    xta_status status = XTA_OK;
    int ndim = sweep->search->problem->bounds.ndim;

    *least = UINT64_MAX;
    sweep->toured = 0;
    begin_orders(sweep, ndim);
    int turn = 0;
    do {
        for (int start = 0; start < 4; start++) {
            xta__recipe recipe = {.ndim = ndim};
            uint64_t value;
            for (int d = 0; d < ndim; d++) {
                const xta__options *options = &sweep->options[d];
                recipe.schedule[d] = options->schedule[start * options->n / 4];
            }
            int order[XTA_MAX_NDIM];
            full_order(sweep, sweep->order, order);
            xta__recipe_order(&recipe, order);
            XTA_TRY(descend(sweep, &recipe, &value));
            if (value < *least) {
                *least = value;
                *best = recipe;
            }
            if (*least <= sweep->enough || sweep->toured >= sweep->search->effort) {
                goto done;
            }
        }
    } while (next_order(sweep, sweep->order, &turn));

done:
    return status;
}
