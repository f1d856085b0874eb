/* Reductions of random arrays are what the definition says, bit by bit where it is about bits, and
 * they are the same for 1 to 4 threads and members, another shape and order of chunks, another
 * history of growth at both ends, and little memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/reduce.h>

#include "reduce_rig.h"
#include "support/thread_communicator.h"

#define MOST_CHECKED 48 // results of a trial

static reduce_trial trial;
static xta_reduce_statistic wanted[XTA_REDUCE_STATISTICS];
static int n_wanted;

/* The results of one run, as bytes. */
typedef struct outcome {
    xta_status status;
    xta_error err;
    uint64_t n_cells_read;
    uint8_t *cells[XTA_REDUCE_STATISTICS];
} outcome;

static void clear_outcome(outcome *o)
{
    for (int s = 0; s < XTA_REDUCE_STATISTICS; s++) {
        free(o->cells[s]);
        o->cells[s] = NULL;
    }
}

/* ---- running ---- */

static void run_once(xta_array *array, const xta_reduce_options *options, outcome *o)
{
    xta_array *results[XTA_REDUCE_STATISTICS] = {NULL};
    xta_reduce_facts facts;
    xta_error err;

    memset(o, 0, sizeof *o);
    for (int s = 0; s < n_wanted; s++) {
        STORY_OK(&trial.story,
                 xta_reduce_create(array, options, wanted[s], NULL, &results[s], &err), err);
    }
    o->status = xta_reduce(array, options, wanted, n_wanted, results, &facts, &o->err);
    o->n_cells_read = facts.n_cells_read;
    for (int s = 0; s < n_wanted; s++) {
        xta_box bounds = xta_array_bounds(results[s]);
        o->cells[s] = calloc(trial.n_results + 1, 8);
        if (o->status == XTA_OK) {
            STORY_CHECK(&trial.story, xta_box_equal(&bounds, &trial.result), "other bounds");
            STORY_OK(&trial.story,
                     xta_array_read(results[s], &trial.result, NULL, o->cells[s], &err), err);
        }
        STORY_OK(&trial.story, xta_array_close(results[s], &err), err);
    }
}

typedef struct members {
    xta_array *array;
    xta_reduce_options options;
    outcome outcome[TEST_MEMBERS_MAX];
} members;

static void run_member(void *user, const xta_communicator *common)
{
    members *m = user;
    xta_reduce_options options = m->options;

    options.communicator = common;
    options.threads = 1 + common->rank % 2;
    run_once(m->array, &options, &m->outcome[common->rank]);
}

/* ---- comparing ---- */

static void same_bytes(const outcome *a, const outcome *b, const char *what)
{
    STORY_CHECK(&trial.story, a->status == b->status, "%s: %s, not %s: %s", what,
                xta_status_name(b->status), xta_status_name(a->status), b->err.text);
    for (int s = 0; a->status == XTA_OK && s < n_wanted; s++) {
        size_t n = trial.n_results * xta_type_bytes(xta_reduce_result_type(wanted[s], trial.type));
        STORY_CHECK(&trial.story, memcmp(a->cells[s], b->cells[s], n) == 0, "%s: another %s", what,
                    xta_reduce_statistic_name(wanted[s]));
    }
}

static bool real_type(void)
{
    return trial.type == XTA_F16 || trial.type == XTA_F32 || trial.type == XTA_F64;
}

static double as_double(xta_type type, const uint8_t *cell)
{
    double v = 0;
    size_t bad;

    (void)!xta_type_convert(type, cell, XTA_F64, &v, 1, &bad);
    return v;
}

static const uint8_t *as_bytes(const double *v, uint8_t bits[8])
{
    memcpy(bits, v, sizeof *v);
    return bits;
}

/* What a statistic must be; for integers that need all their digits, in `cell`. */
static void check_cell(xta_reduce_statistic statistic, const reduce_answer *a, const uint8_t *cell,
                       uint64_t number)
{
    xta_type type = xta_reduce_result_type(statistic, trial.type);
    uint64_t ddof = trial.options.ddof;
    bool few = a->count < trial.options.min_count;
    bool is_nan = trial.options.propagate_nan && a->has_nan;
    bool none = few || is_nan || (a->count == 0 && statistic != XTA_REDUCE_SUM) ||
                (statistic == XTA_REDUCE_VAR && a->count <= ddof);
    double got = as_double(type, cell), want = NAN;
    uint8_t bits[8];
    bool good = false;

    if (statistic == XTA_REDUCE_COUNT) {
        good = memcmp(cell, &a->count, 8) == 0;
    } else if (none) {
        const uint64_t u = UINT64_MAX; // the largest of each unsigned type has all its bits
        double least = type == XTA_I8    ? INT8_MIN
                       : type == XTA_I16 ? INT16_MIN
                       : type == XTA_I32 ? INT32_MIN
                                         : (double)INT64_MIN;
        bool sign = type == XTA_I8 || type == XTA_I16 || type == XTA_I32 || type == XTA_I64;
        good = type == XTA_F64 || real_type() ? isnan(got)
               : sign                         ? got == least
                                              : memcmp(cell, &u, xta_type_bytes(type)) == 0;
    } else if (statistic == XTA_REDUCE_VAR) {
        want = (double)(a->m2 / (long double)(a->count - ddof));
        // The mean of large cells has no more digits than they have.
        double noise = (double)(a->scale / (long double)a->count) * 1e-13;
        good = isnan(want) || isinf(want) ? !isfinite(got)
                                          : fabs(got - want) <= 1e-9 * want + noise * noise * 1e3;
    } else if (statistic == XTA_REDUCE_MIN || statistic == XTA_REDUCE_MAX) {
        bool least = statistic == XTA_REDUCE_MIN;
        int64_t i = least ? a->least_i : a->most_i;
        uint64_t u = least ? a->least_u : a->most_u;
        want = least ? a->least : a->most;
        good = type == XTA_I64   ? memcmp(cell, &i, 8) == 0
               : type == XTA_U64 ? memcmp(cell, &u, 8) == 0
               : real_type()     ? got == want && (got != 0 || !signbit(got))
               : type == XTA_I8 || type == XTA_I16 || type == XTA_I32 ? got == (double)i
                                                                      : got == (double)u;
    } else if (statistic == XTA_REDUCE_SUM && !real_type()) {
        int64_t i = (int64_t)a->exact;
        good = memcmp(cell, &i, 8) == 0;
    } else {
        want = real_type() ? a->sum : (double)a->exact;
        want = statistic == XTA_REDUCE_MEAN ? want / (double)a->count : want;
        good = isnan(want) ? isnan(got) : memcmp(cell, as_bytes(&want, bits), 8) == 0;
        long double naive = a->mean * (statistic == XTA_REDUCE_MEAN ? 1 : (long double)a->count);
        good = good &&
               (!isfinite(want) || fabsl(naive - (long double)want) <= 1e-12L * a->scale + 1e-300L);
    }
    STORY_CHECK(&trial.story, good, "%s of result %lu is %.17g, not %.17g (%lu cells)",
                xta_reduce_statistic_name(statistic), (unsigned long)number, got, want,
                (unsigned long)a->count);
}

/* Compare with the naive answers: all results, or every so many. */
static void check_outcome(const outcome *o)
{
    uint64_t step = trial.n_results / MOST_CHECKED + 1, number = 0;
    int64_t at[XTA_MAX_NDIM];
    reduce_answer a;

    if (trial.n_results == 0) {
        return;
    }
    memcpy(at, trial.result.lo, sizeof at);
    do {
        if (number % step == 0) {
            rig_answer(&trial, at, &a);
            for (int s = 0; s < n_wanted; s++) {
                xta_type type = xta_reduce_result_type(wanted[s], trial.type);
                check_cell(wanted[s], &a, o->cells[s] + number * xta_type_bytes(type), number);
            }
        }
        number++;
    } while (rig_next(&trial.result, at));
}

/* Whether some sum of integers does not fit 64 bits. */
static bool sum_overflows(void)
{
    bool sign = trial.type == XTA_I64;
    int64_t at[XTA_MAX_NDIM];
    reduce_answer a;

    memcpy(at, trial.result.lo, sizeof at);
    do {
        rig_answer(&trial, at, &a);
        bool few = a.count < trial.options.min_count;
        rig_exact most = sign ? (rig_exact)INT64_MAX : (rig_exact)UINT64_MAX;
        rig_exact least = sign ? (rig_exact)INT64_MIN : 0;
        if (!few && (a.exact > most || a.exact < least)) {
            return true;
        }
    } while (rig_next(&trial.result, at));
    return false;
}

/* ---- one trial ---- */

static void choose_statistics(void)
{
    n_wanted = 0;
    for (int s = 0; s < XTA_REDUCE_STATISTICS; s++) {
        if (test_random_chance(&trial.random, 60) || (s == XTA_REDUCE_VAR && n_wanted == 0)) {
            wanted[n_wanted++] = (xta_reduce_statistic)s;
        }
    }
}

/* A sum that overflows is refused, and then left out. */
static void settle_overflow(xta_array *array, outcome *first)
{
    bool has_sum = false;

    for (int s = 0; s < n_wanted; s++) {
        has_sum = has_sum || wanted[s] == XTA_REDUCE_SUM;
    }
    if (first->status != XTA_ERANGE) {
        STORY_OK(&trial.story, first->status, first->err);
        return;
    }
    STORY_CHECK(&trial.story,
                has_sum && (trial.type == XTA_I64 || trial.type == XTA_U64) && sum_overflows(),
                "refused without a reason: %s", first->err.text);
    for (int s = 0; s < n_wanted; s++) {
        wanted[s] = wanted[s] == XTA_REDUCE_SUM ? XTA_REDUCE_COUNT : wanted[s];
    }
    clear_outcome(first);
    run_once(array, &trial.options, first);
    STORY_OK(&trial.story, first->status, first->err);
}

static void vary(xta_array *array, const outcome *first, const char *what)
{
    xta_reduce_options options = trial.options;
    static members m;
    outcome other;

    for (int threads = 1; threads <= 4; threads++) {
        options.threads = threads;
        options.memory_bytes = threads % 2 == 0 ? 24000 : 0;
        run_once(array, &options, &other);
        if (other.status == XTA_ENOMEM && options.memory_bytes > 0) {
            clear_outcome(&other);
            continue;
        }
        same_bytes(first, &other, what);
        clear_outcome(&other);
    }
    int size = (int)test_random_in(&trial.random, 1, 4);
    m = (members){.array = array, .options = trial.options};
    test_members_run(size, run_member, &m);
    uint64_t read = 0;
    for (int rank = 0; rank < size; rank++) {
        same_bytes(first, &m.outcome[rank], "members");
        read += m.outcome[rank].n_cells_read;
        clear_outcome(&m.outcome[rank]);
    }
    STORY_CHECK(&trial.story, trial.n_results == 0 || read == trial.n_cells,
                "%lu cells were read, not %lu", (unsigned long)read, (unsigned long)trial.n_cells);
}

static void run_trial(uint64_t seed, uint64_t part)
{
    outcome first, other;
    xta_array *array[3];
    xta_error err;

    test_story_begin(&trial.story, "test_reduce", seed, part);
    trial.random = test_random_make(seed, part);
    rig_make(&trial);
    choose_statistics();
    for (int k = 0; k < 3; k++) {
        array[k] = rig_array(&trial, k);
    }
    trial.options.threads = 1;
    run_once(array[0], &trial.options, &first);
    settle_overflow(array[0], &first);
    check_outcome(&first);
    vary(array[0], &first, "threads");
    for (int k = 1; k < 3; k++) {
        run_once(array[k], &trial.options, &other);
        same_bytes(&first, &other, "another history");
        clear_outcome(&other);
    }
    vary(array[2], &first, "threads and history");
    clear_outcome(&first);
    for (int k = 0; k < 3; k++) {
        char name[8];
        STORY_OK(&trial.story, xta_array_close(array[k], &err), err);
        snprintf(name, sizeof name, "a%d", k);
        test_pair_remove(test_folder_path(&trial.folder, name));
    }
}

int main(void)
{
    uint64_t seed = test_seed("test_reduce", 20260014);
    uint64_t n = test_scale(2000);
    const char *part = getenv("XTA_PART");

    test_folder_make_fast(&trial.folder);
    for (uint64_t k = 0; k < n; k++) {
        if (part == NULL || strtoull(part, NULL, 10) == k) {
            run_trial(seed, k);
        }
    }
    test_folder_remove(&trial.folder);
    printf("test_reduce: %lu arrays, each by 1 to 4 threads, by members, and in three histories\n",
           (unsigned long)n);
    return 0;
}
