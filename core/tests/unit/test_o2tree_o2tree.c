/* The O2-tree against a sorted array, its invariants after every kind of history, and the check of
 * trees against trees that are broken on purpose.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/tree/check.h"
#include "geometry/tree/node.h"
#include "geometry/tree/o2tree.h"
#include "support/random.h"

#define N_KEYS 100000

static uint64_t seed;

/* ---- the naive version ---- */

typedef struct record {
    int64_t key;
    uint32_t value;
} record;

static int by_key(const void *a, const void *b)
{
    int64_t ka = ((const record *)a)->key;
    int64_t kb = ((const record *)b)->key;

    return (ka > kb) - (ka < kb);
}

/* The last record with a key <= key, or NULL. */
static const record *naive_floor(const record *sorted, size_t n, int64_t key)
{
    size_t from = 0;
    size_t to = n;

    while (from < to) {
        size_t middle = (from + to) / 2;
        if (sorted[middle].key <= key) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from > 0 ? &sorted[from - 1] : NULL;
}

/* ---- tests ---- */

static void check_floor(const xta__o2tree *tree, const record *sorted, size_t n, int64_t key)
{
    const record *expected = naive_floor(sorted, n, key);
    uint32_t value = 123456789;
    int64_t found = -5;

    if (expected == NULL) {
        assert_false(xta__o2tree_floor(tree, key, &value, &found));
        assert_int_equal(value, 123456789);
        assert_true(found == -5);
        return;
    }
    assert_true(xta__o2tree_floor(tree, key, &value, &found));
    assert_true(found == expected->key);
    assert_int_equal(value, expected->value);
    assert_true(xta__o2tree_floor(tree, key, NULL, NULL));
}

/* The tree holds exactly the records, in order, and finds each, its neighbours, and random keys. */
static void check_against(const xta__o2tree *tree, record *records, size_t n, test_random *random)
{
    xta__o2tree_cursor cursor = xta__o2tree_begin(tree);
    int64_t key;
    uint32_t value;

    qsort(records, n, sizeof records[0], by_key);
    assert_null(xta__check_tree(tree));
    assert_int_equal(xta__o2tree_count(tree), n);
    for (size_t i = 0; i < n; i++) {
        assert_true(xta__o2tree_next(&cursor, &key, &value));
        assert_true(key == records[i].key);
        assert_int_equal(value, records[i].value);
        check_floor(tree, records, n, key);
        if (key > INT64_MIN) {
            check_floor(tree, records, n, key - 1);
        }
        if (key < INT64_MAX) {
            check_floor(tree, records, n, key + 1);
        }
        check_floor(tree, records, n, (int64_t)test_random_u64(random));
    }
    assert_false(xta__o2tree_next(&cursor, &key, &value));
    assert_false(xta__o2tree_next(&cursor, NULL, NULL));
    check_floor(tree, records, n, INT64_MIN);
    check_floor(tree, records, n, INT64_MAX);
}

typedef int64_t key_function(test_random *random, int64_t i);

static int64_t ascending(test_random *random, int64_t i)
{
    (void)random;
    return 7 * i;
}

static int64_t descending(test_random *random, int64_t i)
{
    (void)random;
    return -3 * i;
}

static int64_t scattered(test_random *random, int64_t i)
{
    (void)i;
    return (int64_t)test_random_u64(random);
}

/* Few keys, so that most exist already. */
static int64_t crowded(test_random *random, int64_t i)
{
    (void)i;
    return test_random_in(random, -20000, 20000);
}

/* Ascending runs from random starts, as growth of several axes makes them. */
static int64_t in_runs(test_random *random, int64_t i)
{
    static int64_t begin;

    if (i % 300 == 0) {
        begin = test_random_in(random, INT32_MIN, INT32_MAX) * 1000;
    }
    return begin + i % 300;
}

/* Alternately outwards at both ends. */
static int64_t outwards(test_random *random, int64_t i)
{
    (void)random;
    return i % 2 == 0 ? i : -i;
}

static void histories_against_a_sorted_array(void **state)
{
    static key_function *const histories[] = {ascending, descending, scattered,
                                              crowded,   in_runs,    outwards};

    (void)state;
    for (size_t h = 0; h < sizeof histories / sizeof histories[0]; h++) {
        test_random random = test_random_make(seed, h);
        record *records = malloc(N_KEYS * sizeof records[0]);
        xta__o2tree *tree = xta__o2tree_new();
        size_t n = 0;

        assert_true(records != NULL && tree != NULL);
        for (int64_t i = 0; i < N_KEYS; i++) {
            int64_t key = histories[h](&random, i);
            int64_t found = 0;
            bool there = xta__o2tree_floor(tree, key, NULL, &found) && found == key;
            xta_status status = xta__o2tree_insert(tree, key, (uint32_t)i);
            assert_int_equal(status, there ? XTA_EEXIST : XTA_OK);
            if (!there) {
                records[n++] = (record){key, (uint32_t)i};
            }
            // Often while the tree is small, later at every power of two.
            if (i < 300 || (i & (i + 1)) == 0) {
                assert_null(xta__check_tree(tree));
            }
        }
        check_against(tree, records, n, &random);
        xta__o2tree_free(tree);
        free(records);
    }
}

static void an_empty_tree(void **state)
{
    xta__o2tree *tree = xta__o2tree_new();
    xta__o2tree_cursor cursor;
    uint32_t value = 9;

    (void)state;
    assert_non_null(tree);
    assert_null(xta__check_tree(tree));
    assert_int_equal(xta__o2tree_count(tree), 0);
    assert_false(xta__o2tree_floor(tree, 0, &value, NULL));
    assert_false(xta__o2tree_floor(tree, INT64_MAX, &value, NULL));
    cursor = xta__o2tree_begin(tree);
    assert_false(xta__o2tree_next(&cursor, NULL, &value));
    assert_int_equal(value, 9);
    xta__o2tree_free(tree);
    xta__o2tree_free(NULL);
}

static void the_ends_of_the_keys(void **state)
{
    xta__o2tree *tree = xta__o2tree_new();
    int64_t found = 0;

    (void)state;
    assert_non_null(tree);
    assert_int_equal(xta__o2tree_insert(tree, INT64_MAX, 1), XTA_OK);
    assert_false(xta__o2tree_floor(tree, INT64_MAX - 1, NULL, NULL));
    assert_int_equal(xta__o2tree_insert(tree, INT64_MIN, UINT32_MAX), XTA_OK);
    assert_true(xta__o2tree_floor(tree, INT64_MIN, NULL, &found));
    assert_true(found == INT64_MIN);
    assert_int_equal(xta__o2tree_insert(tree, INT64_MIN, 3), XTA_EEXIST);
    assert_int_equal(xta__o2tree_insert(tree, INT64_MAX, 3), XTA_EEXIST);
    assert_int_equal(xta__o2tree_count(tree), 2);
    assert_null(xta__check_tree(tree));
    xta__o2tree_free(tree);
}

/* Ascending insertions leave buckets full; the worst history leaves them half full. */
static void memory_in_use(void **state)
{
    xta__o2tree *tree = xta__o2tree_new();

    (void)state;
    assert_non_null(tree);
    for (int64_t i = 0; i < N_KEYS; i++) {
        assert_int_equal(xta__o2tree_insert(tree, i, 0), XTA_OK);
    }
    assert_int_equal(tree->n_leaves, (N_KEYS + LEAF_CAPACITY - 1) / LEAF_CAPACITY);
    assert_true(xta__o2tree_bytes(tree) < (size_t)N_KEYS * 14);
    xta__o2tree_free(tree);
}

/* After a reservation no insertion allocates, whatever the keys: a reserved node is left whenever a
 * leaf must be split. */
static void a_reservation_suffices(void **state)
{
    test_random random = test_random_make(seed, 100);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(40); trial++) {
        xta__o2tree *tree = xta__o2tree_new();
        size_t before = (size_t)test_random_in(&random, 0, 3000);
        size_t n = (size_t)test_random_in(&random, 1, 3000);
        bool dense = test_random_chance(&random, 50);
        assert_non_null(tree);
        for (size_t i = 0; i < before; i++) {
            assert_int_equal(xta__o2tree_insert(tree, (int64_t)i * 1000000, 0), XTA_OK);
        }
        assert_int_equal(xta__o2tree_reserve(tree, n), XTA_OK);
        size_t bytes = xta__o2tree_bytes(tree);
        for (size_t i = 0; i < n; i++) {
            int64_t key = dense ? (int64_t)i * 999 + 1 : test_random_in(&random, 0, 2999999999);
            xta_status status = xta__o2tree_insert(tree, key, 1);
            assert_true(status == XTA_OK || status == XTA_EEXIST);
        }
        assert_int_equal(xta__o2tree_bytes(tree), bytes);
        assert_null(xta__check_tree(tree));
        xta__o2tree_free(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_tree),
        cmocka_unit_test(the_ends_of_the_keys),
        cmocka_unit_test(histories_against_a_sorted_array),
        cmocka_unit_test(memory_in_use),
        cmocka_unit_test(a_reservation_suffices),
    };

    seed = test_seed("o2tree", 20240505);
    return cmocka_run_group_tests_name("o2tree", tests, NULL, NULL);
}
