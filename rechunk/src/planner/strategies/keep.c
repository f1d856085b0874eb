/* Keep: blocks of a chosen shape are read one after the other, in row-major order; from each, the
 * cells that complete output blocks are written, and the rest is kept until it can be written
 * together with later cells.
 *
 *     [KEEP]                            here
 *     R  shape of a read block          the events of the schedules
 *     W_d  ends of write blocks         ends where outputs are complete, or cut
 *     F0  ... F7                        the product of what is written and kept on each axis
 *     r̂                                 the longest reads
 *
 * On each axis, a read block is written up to the last end of an output block that it contains; the
 * rest is kept. If it contains none, because it is shorter than an output block, all of it is
 * written and the output is cut. If its own end lies inside an input block, that block is cut.
 *
 * With reads of r̂_d = I_d * ceil(O_d / I_d) on all axes nothing is cut. If that takes too much
 * memory, the first axes are read in lengths that divide the whole, the last one in r̂; of all
 * these combinations that fit, the one with the fewest seeks is used. The variants (4.1) add more
 * choices to each axis (keep_choices.c), and other orders of axes to each combination.
 *
 * @par Source
 * [KEEP] 3.3, Algorithms 1 and 2, as docs/REPARTITION.md corrects them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/keep.h"

#include <stdlib.h>
#include <string.h>

#include "planner/strategies/keep_choices.h"

/* If there are more combinations than this, only those of the form 1, ..., 1, C, r̂, ..., r̂ are
 * compared. */
#define MOST_COMBINATIONS 4096
/* Combinations with the variants, if those of [KEEP] are all compared. */
#define MOST_WITH_VARIANTS ((uint64_t)1 << 16)

/* With more axes than this only some orders of axes are tried. */
#define MOST_ALL_ORDERS 4

/* ---- combinations ---- */

typedef struct combination {
    xta__cost cost;
    uint64_t number; /* a digit for each axis, the first axis fastest */
} combination;

static int cheaper_first(const void *a, const void *b)
{
    const combination *x = a, *y = b;

    if (xta__cheaper(x->cost, y->cost) || xta__cheaper(y->cost, x->cost)) {
        return xta__cheaper(x->cost, y->cost) ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

typedef struct keep_search {
    xta__search *search;
    int ndim;
    xta__axis_choices axis[XTA_MAX_NDIM];
    uint64_t n;
    combination *combination;
} keep_search;

static void chosen(const keep_search *k, uint64_t number, const xta__choice *of[])
{
    for (int d = 0; d < k->ndim; d++) {
        of[d] = &k->axis[d].choice[number % (uint64_t)k->axis[d].n];
        number /= (uint64_t)k->axis[d].n;
    }
}

/* The cost, or the seeks as in [KEEP]. */
static xta__cost cost_of(const keep_search *k, uint64_t number, bool by_cost)
{
    const xta__choice *of[XTA_MAX_NDIM];
    xta__cost cost = {0, 0};

    chosen(k, number, of);
    for (int side = 0; side < 2; side++) {
        xta__tally tally[XTA_MAX_NDIM];
        for (int d = 0; d < k->ndim; d++) {
            tally[d] = of[d]->tally[side];
        }
        xta__seeks seeks = xta__seeks_sum(k->search->problem, tally, side);
        cost.runs += by_cost ? seeks.runs : seeks.seeks;
        cost.cells += by_cost ? seeks.cells : 0;
    }
    return cost;
}

/* The number of the combination of the shortest buffers, choice c, r̂, ..., r̂ with c on `axis`. */
static uint64_t stepped(const keep_search *k, int axis, int c)
{
    uint64_t number = 0;

    for (int d = k->ndim - 1; d >= 0; d--) {
        int digit = d < axis ? k->axis[d].shortest : d == axis ? c : 0;
        number = number * (uint64_t)k->axis[d].n + (uint64_t)digit;
    }
    return number;
}

/* How many combinations there are, of those of [KEEP] or of all; at most about `most`. */
static uint64_t count_combinations(const keep_search *k, bool plain, uint64_t most)
{
    uint64_t all = 1;

    for (int d = 0; d < k->ndim && all <= most; d++) {
        all *= (uint64_t)(plain ? k->axis[d].n_plain : k->axis[d].n);
    }
    return all;
}

/* Leave out choices of the variants, from the axis that has most of them, until all combinations
 * can be compared. */
static void thin_variants(keep_search *k)
{
    while (count_combinations(k, false, MOST_WITH_VARIANTS) > MOST_WITH_VARIANTS) {
        xta__axis_choices *most = &k->axis[0];
        for (int d = 1; d < k->ndim; d++) {
            if (k->axis[d].n - k->axis[d].n_plain > most->n - most->n_plain) {
                most = &k->axis[d];
            }
        }
        most->n--;
        most->shortest = most->shortest < most->n ? most->shortest : most->n_plain - 1;
    }
}

static xta_status list_combinations(keep_search *k, bool by_cost)
{
    uint64_t steps = 0;
    bool all = count_combinations(k, true, MOST_COMBINATIONS) <= MOST_COMBINATIONS;

    if (all) {
        thin_variants(k);
    }
    for (int d = 0; d < k->ndim; d++) {
        steps += (uint64_t)k->axis[d].n;
    }
    uint64_t n = all ? count_combinations(k, false, MOST_WITH_VARIANTS) : steps;
    k->combination = xta__calloc(n, sizeof k->combination[0]);
    if (k->combination == NULL) {
        return XTA_ENOMEM;
    }
    if (all) {
        for (k->n = 0; k->n < n; k->n++) {
            k->combination[k->n].number = k->n;
        }
    } else {
        for (int d = 0; d < k->ndim; d++) {
            for (int c = 0; c < k->axis[d].n; c++) {
                k->combination[k->n++].number = stepped(k, d, c);
            }
        }
    }
    for (uint64_t i = 0; i < k->n; i++) {
        k->combination[i].cost = cost_of(k, k->combination[i].number, by_cost);
    }
    qsort(k->combination, k->n, sizeof k->combination[0], cheaper_first);
    return XTA_OK;
}

/* The next order of axes: all of them for up to four axes, else those that rotate the first one.
 * False after the last. */
static bool next_order(int ndim, int order[])
{
    int at = ndim - 2, with = ndim - 1;

    if (ndim > MOST_ALL_ORDERS) {
        for (int d = 0; d < ndim; d++) {
            order[d] = (order[d] + 1) % ndim;
        }
        return order[0] != 0;
    }
    while (at >= 0 && order[at] > order[at + 1]) {
        at--;
    }
    if (at < 0) {
        return false;
    }
    while (order[with] < order[at]) {
        with--;
    }
    int axis = order[at];
    order[at] = order[with];
    order[with] = axis;
    for (int d = at + 1, e = ndim - 1; d < e; d++, e--) {
        axis = order[d];
        order[d] = order[e];
        order[e] = axis;
    }
    return true;
}

/* Whether a single read is already too large. */
static bool surely_too_large(const keep_search *k, const xta__choice *const of[])
{
    uint64_t bytes = k->search->problem->cell_bytes;

    for (int d = 0; d < k->ndim; d++) {
        bytes *= (uint64_t)of[d]->schedule->come[1];
    }
    return bytes > k->search->budget;
}

/* Record the buffers of the combination that fits. */
static void note_buffers(keep_search *k, const xta__choice *const of[], bool plain_order)
{
    xta__search *search = k->search;

    search->uneven = search->mirrored = 0;
    for (int d = 0; d < k->ndim; d++) {
        search->shape[d] = of[d]->length;
        search->uneven |= (unsigned)of[d]->uneven << d;
        search->mirrored |= (unsigned)of[d]->mirrored << d;
    }
    if (!plain_order || search->uneven != 0 || search->mirrored != 0) {
        search->method = XTA_RECHUNK_BY_BUFFERS;
    }
}

static xta_status try_combination(keep_search *k, uint64_t number, bool always, bool *fits)
{
    xta_status status = XTA_OK;
    int ndim = k->ndim;
    const xta__choice *of[XTA_MAX_NDIM];
    xta__recipe recipe = {.ndim = ndim};
    bool any_order = (k->search->problem->variants & XTA_VARIANT_ANY_ORDER) != 0;
    bool more = true, plain_order = true;
    int order[XTA_MAX_NDIM] = {0};

    *fits = false;
    chosen(k, number, of);
    if (!always && surely_too_large(k, of)) {
        goto done;
    }
    for (int d = 0; d < ndim; d++) {
        recipe.schedule[d] = of[d]->schedule;
        order[d] = d;
    }
    while (more && !*fits) {
        xta__recipe_order(&recipe, order);
        XTA_TRY(xta__search_try(k->search, &recipe, XTA_RECHUNK_BY_READ_SHAPE, fits));
        if (*fits) {
            note_buffers(k, of, plain_order);
        }
        more = any_order && next_order(ndim, order);
        plain_order = false;
    }

done:
    return status;
}

xta_status xta__plan_keep(xta__search *search, bool by_cost)
{
    xta_status status = XTA_OK;
    int ndim = search->problem->bounds.ndim;
    keep_search k = {.search = search, .ndim = ndim};
    bool fits = false, useless = false;

    for (int d = 0; d < ndim; d++) {
        XTA_TRY(xta__axis_choices_init(&k.axis[d], search, d, d == ndim - 1));
    }
    XTA_TRY(list_combinations(&k, by_cost));
    for (uint64_t i = 0; i < k.n && !fits && !useless; i++) {
        useless = by_cost && !xta__cheaper(k.combination[i].cost, search->limit);
        if (!useless) {
            XTA_TRY(try_combination(&k, k.combination[i].number, false, &fits));
        }
    }
    if (!fits && !useless) {
        // Nothing fits: the memory for the shortest reads would be enough.
        search->least_peak = UINT64_MAX;
        XTA_TRY(try_combination(&k, stepped(&k, ndim - 1, 0), true, &fits));
    }

done:
    for (int d = 0; d < ndim; d++) {
        xta__axis_choices_clear(&k.axis[d]);
    }
    free(k.combination);
    return status;
}
