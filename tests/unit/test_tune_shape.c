/* Chunk shapes: what the door promises, over random arrays, and a few shapes by name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "tune/tune.h"

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

/* The length beyond which the axis need not go: the bound, or that power of two; 0 for none. */
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
        // Full at least by half, unless there was nothing more to take in.
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
        assert_true(all_whole || longest / 4 <= shortest);
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
        // Unknown lengths are long.
        {8, 1, {0}, 1 << 20, false, {131072}},
        {4, 3, {0, 180, 360}, 1 << 20, false, {64, 64, 64}},
        // One picture of a series is one chunk; a short axis is taken whole.
        {4, 3, {1, 180, 360}, 1 << 20, false, {1, 180, 360}},
        {4, 3, {1, 180, 360}, 1 << 20, true, {1, 256, 512}},
        {2, 3, {10, 5000, 5000}, 1 << 20, false, {10, 128, 256}},
        {2, 3, {10, 5000, 5000}, 1 << 20, true, {16, 128, 256}},
        // Arrays that have hardly begun.
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
        cmocka_unit_test(random_arrays),
        cmocka_unit_test(shapes_by_name),
        cmocka_unit_test(wrong_arguments),
    };

    seed = test_seed("tune_shape", 20240506);
    return cmocka_run_group_tests_name("tune_shape", tests, NULL, NULL);
}
