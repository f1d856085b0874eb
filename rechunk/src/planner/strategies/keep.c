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
 * these combinations that fit, the one with the fewest seeks is used.
 *
 * @par Source
 * [KEEP] 3.3, Algorithms 1 and 2, as docs/REPARTITION.md corrects them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/keep.h"

#include <stdlib.h>
#include <string.h>

/* If there are more combinations than this, only those of the form 1, ..., 1, C, r̂, ..., r̂ are
 * compared. */
#define MOST_COMBINATIONS 4096
#define MOST_READS        ((int64_t)1 << 17)

/* One length of reads on one axis. */
typedef struct choice {
    int64_t length;
    const xta__axis_schedule *schedule;
    xta__tally tally[2];
} choice;

typedef struct axis_choices {
    int n;
    choice *choice; /* r̂ first, then descending lengths */
} axis_choices;

/* ---- choices of one axis ---- */

static int64_t longest_of(const xta__span *span, int side)
{
    int64_t longest = 0;

    for (int64_t k = 0; k < span->n[side]; k++) {
        int64_t length = span->edge[side][k + 1] - span->edge[side][k];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* The ends of reads of r̂: whole input blocks, the fewest that are as long as the longest output
 * block. */
static int64_t long_ends(const xta__span *span, int64_t want, int64_t ends[])
{
    int64_t n = 0, begin = 0;

    for (int64_t k = 1; k <= span->n[XTA__FROM]; k++) {
        int64_t end = span->edge[XTA__FROM][k];
        if (end - begin >= want || k == span->n[XTA__FROM]) {
            ends[++n] = begin = end;
        }
    }
    return n;
}

/* The ends of reads of r̂ if blocks are regular: every r̂_d / I_d input cuts. */
static int64_t counted_ends(const xta__span *span, int64_t blocks, int64_t ends[])
{
    int64_t n = 0;

    for (int64_t k = 1; k <= span->n[XTA__FROM]; k++) {
        if (k % blocks == 0 || k == span->n[XTA__FROM]) {
            ends[++n] = span->edge[XTA__FROM][k];
        }
    }
    return n;
}

/* For each read, the position up to which outputs are written at its end. */
static void write_ends(const xta__span *span, const int64_t ends[], int64_t n, int64_t out[])
{
    int64_t k = 0;

    for (int64_t e = 1; e <= n; e++) {
        int64_t last = 0;
        while (k < span->n[XTA__TO] && span->edge[XTA__TO][k + 1] <= ends[e]) {
            last = span->edge[XTA__TO][++k];
        }
        out[e] = last > ends[e - 1] ? last : ends[e];
    }
}

/* The schedule that reads up to `ends`; ends[0] is 0. */
static xta_status reading_schedule(xta__search *search, int axis, const int64_t ends[], int64_t n,
                                   choice *made)
{
    xta_status status = XTA_OK;
    const xta__span *span = search->span[axis];
    xta__schedule_spec spec = {.event = ends + 1, .n_events = n};
    int64_t *writes = xta__calloc((size_t)n + 1, sizeof *writes);
    int64_t *edge[2] = {NULL, NULL};
    const int64_t *cut[2] = {ends, writes};

    for (int side = 0; side < 2; side++) {
        edge[side] = xta__calloc((size_t)(n + span->n[side] + 2), sizeof(int64_t));
    }
    if (writes == NULL || edge[0] == NULL || edge[1] == NULL) {
        status = XTA_ENOMEM;
        goto done;
    }
    write_ends(span, ends, n, writes);
    for (int side = 0; side < 2; side++) {
        spec.n[side] =
            xta__merge_edges(span->edge[side], span->n[side] + 1, cut[side], n + 1, edge[side]) - 1;
        spec.edge[side] = edge[side];
    }
    XTA_TRY(xta__schedule_pool_add(&search->pool, span, &spec, &made->schedule));
    for (int side = 0; side < 2; side++) {
        made->tally[side] = xta__tally_axis(search->problem, span, made->schedule, axis, side);
    }

done:
    free(writes);
    free(edge[0]);
    free(edge[1]);
    return status;
}

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x < y) - (x > y);
}

/* The divisors of the axis length, descending; at most `capacity`. */
static int divisors(int64_t length, int64_t out[], int capacity)
{
    int n = 0;

    for (int64_t k = 1; k <= length / k && k <= MOST_READS && n + 2 <= capacity; k++) {
        if (length % k == 0) {
            out[n++] = k;
            if (k != length / k) {
                out[n++] = length / k;
            }
        }
    }
    qsort(out, (size_t)n, sizeof out[0], descending);
    return n;
}

#define MOST_DIVISORS 1024

/* On an axis with many blocks only some of the divisors are used, so that all their schedules
 * together have no more pieces than this. */
#define MOST_PIECES ((int64_t)1 << 20)

static int thin_divisors(const xta__span *span, int64_t divisor[], int n)
{
    int64_t blocks = span->n[XTA__FROM] + span->n[XTA__TO];
    int step = (int)((blocks * n - 1) / MOST_PIECES) + 1;
    int kept = 0;

    if (step == 1) {
        return n;
    }
    for (int k = (n - 1) % step; k < n; k += step) {
        divisor[kept++] = divisor[k];
    }
    return kept;
}

static xta_status add_choices(xta__search *search, int axis, bool last, axis_choices *choices)
{
    xta_status status = XTA_OK;
    const xta__span *span = search->span[axis];
    int64_t input = search->problem->from.axis[axis].length;
    int64_t output = search->problem->to.axis[axis].length;
    bool regular = input > 0 && output > 0 && span->count[XTA__FROM] == NULL;
    int64_t divisor[MOST_DIVISORS];
    int n_divisors =
        last ? 0 : thin_divisors(span, divisor, divisors(span->length, divisor, MOST_DIVISORS));
    int64_t capacity = span->n[XTA__FROM] + (span->length < MOST_READS ? span->length : MOST_READS);
    int64_t *ends = xta__calloc((size_t)capacity + 2, sizeof *ends);
    int64_t n;

    choices->choice = xta__calloc((size_t)n_divisors + 1, sizeof choices->choice[0]);
    if (ends == NULL || choices->choice == NULL) {
        status = XTA_ENOMEM;
        goto done;
    }
    if (regular) {
        n = counted_ends(span, (output - 1) / input + 1, ends);
        choices->choice[0].length = ((output - 1) / input + 1) * input;
    } else {
        n = long_ends(span, longest_of(span, XTA__TO), ends);
        choices->choice[0].length = 0;
    }
    XTA_TRY(reading_schedule(search, axis, ends, n, &choices->choice[0]));
    for (int64_t e = 1; e <= n && choices->choice[0].length == 0; e++) {
        choices->choice[0].length = ends[e] - ends[e - 1];
    }
    choices->n = 1;
    for (int k = 0; k < n_divisors; k++) {
        choice *made = &choices->choice[choices->n];
        n = span->length / divisor[k];
        if (n > MOST_READS || divisor[k] > choices->choice[0].length ||
            (divisor[k] == choices->choice[0].length && regular)) {
            continue;
        }
        for (int64_t e = 1; e <= n; e++) {
            ends[e] = e * divisor[k];
        }
        made->length = divisor[k];
        XTA_TRY(reading_schedule(search, axis, ends, n, made));
        choices->n++;
    }

done:
    free(ends);
    return status;
}

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
    axis_choices axis[XTA_MAX_NDIM];
    uint64_t n;
    combination *combination;
} keep_search;

static void chosen(const keep_search *k, uint64_t number, const choice *of[])
{
    for (int d = 0; d < k->ndim; d++) {
        of[d] = &k->axis[d].choice[number % (uint64_t)k->axis[d].n];
        number /= (uint64_t)k->axis[d].n;
    }
}

/* The cost, or the seeks as in [KEEP]. */
static xta__cost cost_of(const keep_search *k, uint64_t number, bool by_cost)
{
    const choice *of[XTA_MAX_NDIM];
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

/* The number of the combination 1, ..., 1, choice c, r̂, ..., r̂ with c on `axis`. */
static uint64_t stepped(const keep_search *k, int axis, int c)
{
    uint64_t number = 0;

    for (int d = k->ndim - 1; d >= 0; d--) {
        int digit = d < axis ? k->axis[d].n - 1 : d == axis ? c : 0;
        number = number * (uint64_t)k->axis[d].n + (uint64_t)digit;
    }
    return number;
}

static xta_status list_combinations(keep_search *k, bool by_cost)
{
    int ndim = k->ndim;
    uint64_t all = 1, steps = 0;

    for (int d = 0; d < ndim; d++) {
        all = all > MOST_COMBINATIONS ? all : all * (uint64_t)k->axis[d].n;
        steps += (uint64_t)k->axis[d].n;
    }
    k->combination = xta__calloc(all > MOST_COMBINATIONS ? steps : all, sizeof k->combination[0]);
    if (k->combination == NULL) {
        return XTA_ENOMEM;
    }
    if (all <= MOST_COMBINATIONS) {
        for (k->n = 0; k->n < all; k->n++) {
            k->combination[k->n].number = k->n;
        }
    } else {
        for (int d = 0; d < ndim; d++) {
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

/* Whether a single read is already too large. */
static bool surely_too_large(const keep_search *k, const choice *const of[])
{
    uint64_t bytes = k->search->problem->cell_bytes;

    for (int d = 0; d < k->ndim; d++) {
        bytes *= (uint64_t)of[d]->schedule->come[1];
    }
    return bytes > k->search->budget;
}

static xta_status try_combination(keep_search *k, uint64_t number, bool always, bool *fits)
{
    xta_status status = XTA_OK;
    int ndim = k->ndim;
    const choice *of[XTA_MAX_NDIM];
    xta__recipe recipe = {.ndim = ndim};
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
    xta__recipe_order(&recipe, order);
    XTA_TRY(xta__search_try(k->search, &recipe, XTA_RECHUNK_BY_READ_SHAPE, fits));
    for (int d = 0; d < ndim && *fits; d++) {
        k->search->shape[d] = of[d]->length;
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
        XTA_TRY(add_choices(search, d, d == ndim - 1, &k.axis[d]));
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
        free(k.axis[d].choice);
    }
    free(k.combination);
    return status;
}
