/* Chunk shapes: the promises of the public header, over random arrays, and a few known shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "geometry/grid/chunk_shape.h"
#include "support/random.h"

static uint64_t seed;

typedef struct problem {
    size_t cell_bytes;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    uint64_t chunk_bytes;
    bool powers_of_two;
} problem;

static problem random_problem(test_random *random)
{
    problem p = {
        .cell_bytes = (size_t)1 << test_random_in(random, 0, 4),
        .ndim = (int)test_random_in(random, 1, test_random_chance(random, 10) ? XTA_MAX_NDIM : 6),
        .chunk_bytes = (uint64_t)1 << test_random_in(random, 0, 28),
        .powers_of_two = test_random_chance(random, 50),
    };

    if (test_random_chance(random, 20)) {
        p.cell_bytes = (size_t)test_random_in(random, 1, 65535);
    }
    if (test_random_chance(random, 30)) {
        p.chunk_bytes = (uint64_t)test_random_in(random, 1, 1 << 28);
    }
    for (int axis = 0; axis < p.ndim; axis++) {
        int bits = (int)test_random_in(random, 0, test_random_chance(random, 5) ? 62 : 16);
        p.bounds[axis] = test_random_in(random, 0, (int64_t)1 << bits);
    }
    return p;
}

/* The length beyond which the axis need not grow: the bound, rounded up to a power of two if
 * required; 0: none. */
static int64_t whole_length(const problem *p, int axis)
{
    int64_t whole = p->bounds[axis];

    while (p->powers_of_two && (whole & (whole - 1)) != 0) {
        whole += whole & -whole;
    }
    return whole;
}

static void check(const problem *p, const int64_t chunk[])
{
    double bytes = (double)p->cell_bytes;
    int64_t shortest = INT64_MAX;
    int64_t longest = 0;
    bool all_whole = true;

    for (int axis = 0; axis < p->ndim; axis++) {
        int64_t whole = whole_length(p, axis);
        assert_true(chunk[axis] >= 1);
        assert_true(!p->powers_of_two || (chunk[axis] & (chunk[axis] - 1)) == 0);
        bytes *= (double)chunk[axis];
        longest = chunk[axis] > longest ? chunk[axis] : longest;
        if (whole == 0 || chunk[axis] < whole) {
            all_whole = false;
            shortest = chunk[axis] < shortest ? chunk[axis] : shortest;
        }
    }
    if (p->chunk_bytes >= p->cell_bytes) {
        assert_true(bytes <= (double)p->chunk_bytes);
        // At least half full, unless the array has no more cells.
        assert_true(all_whole || 2 * bytes > (double)p->chunk_bytes ||
                    2 * bytes > (double)XTA__CHUNK_BYTES_FLOOR);
    } else {
        assert_true(longest == 1);
    }
    if (bytes > (double)XTA__CHUNK_BYTES_FLOOR) {
        // No axis beyond its length, and no axis much shorter than another without need.
        for (int axis = 0; axis < p->ndim; axis++) {
            int64_t whole = whole_length(p, axis);
            assert_true(whole == 0 || chunk[axis] <= whole);
        }
        // Dividing evenly takes up to half of a length.
        assert_true(all_whole || longest / (p->powers_of_two ? 4 : 8) <= shortest);
    }
    for (int axis = 0; axis + 1 < p->ndim; axis++) {
        assert_true(p->bounds[axis] != p->bounds[p->ndim - 1] || chunk[axis] <= chunk[p->ndim - 1]);
    }
}

static void random_arrays(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(200000); trial++) {
        problem p = random_problem(&random);
        int64_t chunk[XTA_MAX_NDIM + 1];
        chunk[p.ndim] = -77;
        assert_int_equal(
            xta__chunk_shape(p.cell_bytes, p.ndim, p.bounds, p.chunk_bytes, p.powers_of_two, chunk),
            XTA_OK);
        assert_true(chunk[p.ndim] == -77);
        check(&p, chunk);
    }
}

static void shapes_by_name(void **state)
{
    static const struct {
        size_t cell_bytes;
        int ndim;
        int64_t bounds[4];
        uint64_t chunk_bytes;
        bool powers_of_two;
        int64_t chunk[4];
    } cases[] = {
        // A cube, exactly; the last axis is the longest where sides cannot be equal.
        {4, 3, {512, 512, 512}, 0, false, {64, 64, 64}},
        {8, 3, {512, 512, 512}, 1 << 20, false, {32, 64, 64}},
        {8, 2, {100000, 100000}, 1 << 20, false, {256, 512}},
        // Unknown lengths count as long.
        {8, 1, {0}, 1 << 20, false, {131072}},
        {4, 3, {0, 180, 360}, 1 << 20, false, {64, 60, 60}},
        {4, 3, {0, 192, 360}, 1 << 20, false, {64, 64, 60}},
        {4, 3, {0, 250, 510}, 1 << 20, false, {64, 64, 64}},
        // Divided evenly: powers of two would waste a third.
        {4, 3, {300, 400, 400}, 1 << 20, false, {60, 58, 67}},
        {4, 3, {300, 400, 400}, 1 << 20, true, {64, 64, 64}},
        {4, 3, {257, 257, 257}, 1 << 20, false, {52, 65, 65}},
        // One image of a series is one chunk; a short axis stays uncut.
        {4, 3, {1, 180, 360}, 1 << 20, false, {1, 180, 360}},
        {4, 3, {1, 180, 360}, 1 << 20, true, {1, 256, 512}},
        {2, 3, {10, 5000, 5000}, 1 << 20, false, {10, 128, 256}},
        {2, 3, {10, 5000, 5000}, 1 << 20, true, {16, 128, 256}},
        // Arrays with few cells so far.
        {8, 3, {1, 1, 1}, 1 << 20, false, {8, 8, 8}},
        {8, 3, {4, 3, 1}, 1 << 20, false, {8, 6, 8}},
        {1, 2, {1, 1}, 100, false, {8, 8}},
        // A cell larger than a chunk.
        {65535, 2, {9, 9}, 4096, false, {1, 1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t chunk[4] = {0};
        assert_int_equal(xta__chunk_shape(cases[i].cell_bytes, cases[i].ndim, cases[i].bounds,
                                          cases[i].chunk_bytes, cases[i].powers_of_two, chunk),
                         XTA_OK);
        assert_memory_equal(chunk, cases[i].chunk, (size_t)cases[i].ndim * sizeof chunk[0]);
    }
}

/* ---- what is wasted ---- */

static uint64_t slot_of(size_t cell_bytes, int ndim, const int64_t chunk[])
{
    uint64_t bytes = cell_bytes;

    for (int axis = 0; axis < ndim; axis++) {
        bytes *= (uint64_t)chunk[axis];
    }
    return (bytes + 4095) / 4096 * 4096;
}

/* The shape without dividing evenly: the shortest axis is doubled, up to its whole length, as long
 * as the chunk stays within 1 MiB. */
static void shape_of_powers(size_t cell_bytes, int ndim, const int64_t bounds[], int64_t chunk[])
{
    uint64_t cells = 1, most = ((uint64_t)1 << 20) / cell_bytes;
    bool done[4] = {false};

    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = 1;
    }
    for (;;) {
        int shortest = -1;
        for (int axis = 0; axis < ndim; axis++) {
            bool shorter = !done[axis] && (shortest < 0 || chunk[axis] <= chunk[shortest]);
            shortest = shorter ? axis : shortest;
        }
        if (shortest < 0) {
            return;
        }
        int64_t length =
            chunk[shortest] > bounds[shortest] / 2 ? bounds[shortest] : 2 * chunk[shortest];
        uint64_t longer = cells / (uint64_t)chunk[shortest] * (uint64_t)length;
        done[shortest] = length == chunk[shortest] || longer > most;
        if (!done[shortest]) {
            chunk[shortest] = length;
            cells = longer;
        }
    }
}

/* Bytes of all slots over bytes of all cells. */
static double waste_of(size_t cell_bytes, int ndim, const int64_t bounds[], const int64_t chunk[])
{
    double slots = (double)slot_of(cell_bytes, ndim, chunk), cells = (double)cell_bytes;

    for (int axis = 0; axis < ndim; axis++) {
        int64_t n = (bounds[axis] + chunk[axis] - 1) / chunk[axis];
        slots *= (double)n;
        cells *= (double)bounds[axis];
    }
    return slots / cells - 1;
}

/* Dividing evenly wastes less than one cell in each chunk of an axis, and less than a page of each
 * slot: the waste is at most that, or the sixteenth allowed for powers of two. */
static double most_waste(size_t cell_bytes, int ndim, const int64_t bounds[], const int64_t chunk[])
{
    double bytes = (double)cell_bytes, most = 1;

    for (int axis = 0; axis < ndim; axis++) {
        bytes *= (double)chunk[axis];
        int64_t cuts = (bounds[axis] - 1) / chunk[axis];
        most *= 1 + (double)cuts / (double)bounds[axis];
    }
    most = most * (1 + 4095 / bytes) - 1;
    return most > 1.0 / 16 ? most : 1.0 / 16;
}

/* Of the fixed lengths of arrays of 8 MiB and more. `powers`: the shape chosen by the earlier
 * rule. */
static void little_waste(void **state)
{
    test_random random = test_random_make(seed, 2);
    double most = 0, most_before = 0, sum = 0, sum_before = 0;
    uint64_t n = 0;

    (void)state;
    while (n < test_scale(50000)) {
        int ndim = (int)test_random_in(&random, 1, 4);
        size_t cell_bytes = (size_t)1 << test_random_in(&random, 0, 3);
        int64_t bounds[4], chunk[4], powers[4];
        double bytes = (double)cell_bytes;
        for (int axis = 0; axis < ndim; axis++) {
            int bits = (int)test_random_in(&random, 3, ndim == 1 ? 26 : 12);
            bounds[axis] = test_random_in(&random, 1, (int64_t)1 << bits);
            bytes *= (double)bounds[axis];
        }
        if (bytes < 8 << 20) {
            continue;
        }
        assert_int_equal(xta__chunk_shape(cell_bytes, ndim, bounds, 0, false, chunk), XTA_OK);
        shape_of_powers(cell_bytes, ndim, bounds, powers);
        double waste = waste_of(cell_bytes, ndim, bounds, chunk);
        double before = waste_of(cell_bytes, ndim, bounds, powers);
        assert_true(waste <= before);
        assert_true(waste <= most_waste(cell_bytes, ndim, bounds, chunk));
        most = waste > most ? waste : most;
        most_before = before > most_before ? before : most_before;
        sum += waste;
        sum_before += before;
        n++;
    }
    print_message(
        "waste of %llu arrays: at most %.1f %% (powers of two: %.1f %%), on average %.1f %% "
        "(%.1f %%)\n",
        (unsigned long long)n, 100 * most, 100 * most_before, 100 * sum / (double)n,
        100 * sum_before / (double)n);
}

static void waste_by_name(void **state)
{
    const int64_t bounds[2][3] = {{300, 400, 400}, {257, 257, 257}};

    (void)state;
    for (int k = 0; k < 2; k++) {
        int64_t chunk[3], powers[3];
        assert_int_equal(xta__chunk_shape(4, 3, bounds[k], 0, false, chunk), XTA_OK);
        shape_of_powers(4, 3, bounds[k], powers);
        double waste = waste_of(4, 3, bounds[k], chunk);
        double cells = 4.0 * (double)(bounds[k][0] * bounds[k][1] * bounds[k][2]);
        double before = waste_of(4, 3, bounds[k], powers);
        print_message("%lldx%lldx%lld float32, %.1f MB of cells: chunks of %lldx%lldx%lld take "
                      "%.1f MB (%.1f %% more), of %lldx%lldx%lld %.1f MB (%.1f %%)\n",
                      (long long)bounds[k][0], (long long)bounds[k][1], (long long)bounds[k][2],
                      cells / 1e6, (long long)chunk[0], (long long)chunk[1], (long long)chunk[2],
                      cells * (1 + waste) / 1e6, 100 * waste, (long long)powers[0],
                      (long long)powers[1], (long long)powers[2], cells * (1 + before) / 1e6,
                      100 * before);
        assert_true(waste < 0.05);
    }
}

static void wrong_arguments(void **state)
{
    const int64_t bounds[2] = {5, -1};
    int64_t many[XTA_MAX_NDIM + 1] = {0};
    int64_t chunk[2] = {-7, -7};

    (void)state;
    assert_int_equal(xta__chunk_shape(8, 2, bounds, 0, false, chunk), XTA_EARG);
    assert_int_equal(xta__chunk_shape(0, 1, bounds, 0, false, chunk), XTA_EARG);
    assert_int_equal(xta__chunk_shape(8, 0, bounds, 0, false, chunk), XTA_EARG);
    assert_int_equal(xta__chunk_shape(8, XTA_MAX_NDIM + 1, many, 0, false, chunk), XTA_EARG);
    assert_true(chunk[0] == -7 && chunk[1] == -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_arrays),   cmocka_unit_test(shapes_by_name),
        cmocka_unit_test(little_waste),    cmocka_unit_test(waste_by_name),
        cmocka_unit_test(wrong_arguments),
    };

    seed = test_seed("tune_shape", 20240506);
    return cmocka_run_group_tests_name("tune_shape", tests, NULL, NULL);
}
