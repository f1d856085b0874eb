/* The chosen process grid, against all factorizations of the number of ranks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include <xta/zones.h>

#include "geometry/grid/process_grid.h"
#include "support/random.h"

static uint64_t seed;

/* Step to the next coordinate of a box, row-major; false after the last. */
static bool next_in(const xta_box *box, int64_t c[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++c[axis] < box->hi[axis]) {
            return true;
        }
        c[axis] = box->lo[axis];
    }
    return false;
}

/* All factorizations, and the best of them by the rule of process_grid.c. */
typedef struct best_grid {
    int n_ranks;
    xta_box chunks;
    int now[XTA_MAX_NDIM], best[XTA_MAX_NDIM];
    uint64_t sum, zone;
} best_grid;

static void try_grid(best_grid *b)
{
    uint64_t sum = 0, zone = 1, product = 1;

    for (int axis = 0; axis < b->chunks.ndim; axis++) {
        uint64_t rows = (uint64_t)b->now[axis];
        uint64_t length =
            xta_box_empty(&b->chunks) ? 1 : (uint64_t)(b->chunks.hi[axis] - b->chunks.lo[axis]);
        product *= rows;
        sum += (length + rows - 1) / rows;
        zone *= (length + rows - 1) / rows;
    }
    if (product != (uint64_t)b->n_ranks || sum > b->sum || (sum == b->sum && zone > b->zone)) {
        return;
    }
    // Tried in ascending order: the last of equals has the most rows on the first axes.
    b->sum = sum;
    b->zone = zone;
    memcpy(b->best, b->now, sizeof b->best);
}

static void try_all_grids(best_grid *b)
{
    xta_box rows = {.ndim = b->chunks.ndim};
    int64_t now[XTA_MAX_NDIM];

    b->sum = b->zone = UINT64_MAX;
    for (int axis = 0; axis < rows.ndim; axis++) {
        rows.lo[axis] = now[axis] = 1;
        rows.hi[axis] = b->n_ranks + 1;
    }
    do {
        for (int axis = 0; axis < rows.ndim; axis++) {
            b->now[axis] = (int)now[axis];
        }
        try_grid(b);
    } while (next_in(&rows, now));
}

static void chosen_grids(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(2000); trial++) {
        best_grid b = {.n_ranks = (int)test_random_in(&random, 1, 30)};
        int64_t chunk[4] = {1, 2, 3, 4};
        xta_zones *zones = NULL;
        b.chunks.ndim = (int)test_random_in(&random, 1, b.n_ranks > 12 ? 3 : 4);
        for (int axis = 0; axis < b.chunks.ndim; axis++) {
            int64_t longest = test_random_chance(&random, 30) ? 2 : 30;
            b.chunks.lo[axis] = test_random_in(&random, -9, 9);
            b.chunks.hi[axis] =
                b.chunks.lo[axis] +
                (test_random_chance(&random, 2) ? 0 : test_random_in(&random, 1, longest));
        }
        try_all_grids(&b);
        assert_int_equal(xta_zones_new(&b.chunks, chunk, b.n_ranks, NULL, &zones, NULL), XTA_OK);
        assert_memory_equal(xta_zones_grid(zones), b.best,
                            (size_t)b.chunks.ndim * sizeof b.best[0]);
        xta_zones_free(zones);
    }
}

static void grids_by_name(void **state)
{
    static const struct {
        int ndim;
        int64_t length[4];
        int n_ranks;
        int grid[4];
    } cases[] = {
        {2, {5, 4}, 4, {2, 2}},           {2, {100, 100}, 6, {3, 2}},
        {2, {100, 100}, 7, {7, 1}},       {2, {1, 100}, 4, {1, 4}},
        {2, {4, 100}, 4, {1, 4}},         {3, {64, 64, 64}, 8, {2, 2, 2}},
        {3, {64, 64, 64}, 12, {3, 2, 2}}, {3, {1000, 10, 10}, 8, {8, 1, 1}},
        {3, {1, 64, 64}, 16, {1, 4, 4}},  {4, {1, 1, 1, 1}, 5, {5, 1, 1, 1}},
        {2, {0, 100}, 4, {4, 1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const int64_t zero[4] = {0}, one[4] = {1, 1, 1, 1};
        xta_box chunks = xta_box_make(cases[i].ndim, zero, cases[i].length);
        xta_zones *zones = NULL;
        assert_int_equal(xta_zones_new(&chunks, one, cases[i].n_ranks, NULL, &zones, NULL), XTA_OK);
        assert_memory_equal(xta_zones_grid(zones), cases[i].grid,
                            (size_t)cases[i].ndim * sizeof cases[i].grid[0]);
        xta_zones_free(zones);
    }
}

/* Many axes and many ranks, for which the naive version would take forever. */
static void large_grids(void **state)
{
    static const int n_ranks[] = {720720, 524288, 999983, 1000000, 2095133040, INT32_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof n_ranks / sizeof n_ranks[0]; i++) {
        xta_box chunks = {.ndim = XTA_MAX_NDIM};
        int64_t chunk[XTA_MAX_NDIM], product = 1;
        xta_zones *zones = NULL;
        for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
            chunks.lo[axis] = -axis;
            chunks.hi[axis] = chunks.lo[axis] + (axis == 7 ? 1 << 30 : 2);
            chunk[axis] = 3;
        }
        assert_int_equal(xta_zones_new(&chunks, chunk, n_ranks[i], NULL, &zones, NULL), XTA_OK);
        for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
            product *= xta_zones_grid(zones)[axis];
        }
        assert_int_equal(product, n_ranks[i]);
        // Squareness: a long axis is cut first, the short ones stay uncut.
        if (n_ranks[i] <= 1000000) {
            assert_int_equal(xta_zones_grid(zones)[7], n_ranks[i]);
        }
        assert_int_equal(xta_zones_rank_of_chunk(zones, chunks.lo), 0);
        xta_zones_free(zones);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_grids),
        cmocka_unit_test(grids_by_name),
        cmocka_unit_test(large_grids),
    };

    seed = test_seed("plan_process_grid", 20240702);
    return cmocka_run_group_tests_name("plan_process_grid", tests, NULL, NULL);
}
