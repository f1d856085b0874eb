/* Mappings with one thing wrong: the check of mappings names the invariant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/mapping/check.h"
#include "geometry/mapping/mapping.h"
#include "geometry/tree/check.h"

static xta__mapping mapping;

static void grow(int axis, xta_side side, uint64_t n)
{
    const int64_t limit[2] = {XTA__COORD_LIMIT, XTA__COORD_LIMIT};
    const xta__chunk_growth growth = {.axis = axis, .side = side, .n = n};

    assert_int_equal(xta__mapping_reserve(&mapping, &growth, 1, limit, XTA__OFFSET_LIMIT), XTA_OK);
    xta__mapping_grow(&mapping, &growth);
}

/* Two axes that have grown alternately at both ends: five segments. */
static void make(uint64_t table_limit)
{
    const int64_t lo[2] = {0, 0}, hi[2] = {2, 3};

    assert_int_equal(xta__mapping_init(&mapping, 2, lo, hi, table_limit), XTA_OK);
    grow(0, XTA_BACK, 2);
    grow(1, XTA_FRONT, 3);
    grow(0, XTA_FRONT, 1);
    grow(1, XTA_BACK, 4);
    assert_int_equal(mapping.n_records, 5);
}

static int make_by_tables(void **state)
{
    (void)state;
    make(XTA__TABLE_LIMIT);
    return 0;
}

static int make_by_trees(void **state)
{
    (void)state;
    make(4);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    xta__mapping_clear(&mapping);
    return 0;
}

static uint64_t *row_of(uint32_t r)
{
    return atomic_load(&mapping.rows) + r * xta__row_words(mapping.ndim);
}

static void assert_breaks(char number)
{
    const char *flaw = xta__check_mapping(&mapping);

    assert_non_null(flaw);
    assert_int_equal(flaw[0], 'M');
    assert_int_equal(flaw[1], number);
}

/* The check of the last segment finds it as well. */
static void assert_last_breaks(char number)
{
    const char *flaw = xta__check_last_segment(&mapping);

    assert_breaks(number);
    assert_non_null(flaw);
    assert_int_equal(flaw[1], number);
}

static void sound_mappings(void **state)
{
    (void)state;
    make(XTA__TABLE_LIMIT);
    assert_null(xta__check_mapping(&mapping));
    assert_null(xta__check_last_segment(&mapping));
    // Runs, and the tables into which they were entered.
    grow(0, XTA_BACK, 2 * XTA__LONG_RUN);
    grow(1, XTA_FRONT, 3 * XTA__LONG_RUN);
    assert_int_equal(mapping.search_by, XTA__BY_RUNS);
    assert_null(xta__check_mapping(&mapping));
    const int64_t coord[2] = {0, 0};
    while (mapping.search_by == XTA__BY_RUNS) {
        xta__mapping_address(&mapping, coord);
    }
    assert_null(xta__check_mapping(&mapping));
    xta__mapping_clear(&mapping);
    make(4);
    assert_int_equal(mapping.search_by, XTA__BY_TREES);
    assert_null(xta__check_mapping(&mapping));
    xta__mapping_clear(&mapping);
}

/* An array without chunks at first, on one axis or on both. */
static void mappings_that_begin_empty(void **state)
{
    const int64_t lo[2] = {0, 0}, hi[2] = {0, 0};

    (void)state;
    assert_int_equal(xta__mapping_init(&mapping, 2, lo, hi, XTA__TABLE_LIMIT), XTA_OK);
    assert_null(xta__check_mapping(&mapping));
    grow(0, XTA_BACK, 3);
    assert_null(xta__check_mapping(&mapping));
    grow(1, XTA_FRONT, 2);
    assert_int_equal(mapping.n_records, 1);
    assert_null(xta__check_mapping(&mapping));
    grow(0, XTA_FRONT, 2);
    assert_null(xta__check_mapping(&mapping));
    xta__mapping_clear(&mapping);
}

static void bases(void **state)
{
    (void)state;
    uint64_t base = mapping.records[4].base;
    mapping.records[4].base = mapping.records[3].base;
    assert_breaks('1');
    mapping.records[4].base = base;

    uint64_t n_chunks = mapping.n_chunks;
    mapping.n_chunks = base;
    assert_last_breaks('1');
    mapping.n_chunks = n_chunks;
}

static void strides(void **state)
{
    uint64_t *row = row_of(4);

    (void)state;
    row[1]++;
    assert_last_breaks('2');
    row[1]--;
    // A larger slab is a wider box, whose chunks have other addresses.
    row[2] *= 2;
    assert_last_breaks('3');
    row[2] /= 2;
    // Only the full check covers earlier segments.
    row_of(2)[1]++;
    assert_null(xta__check_last_segment(&mapping));
    assert_breaks('2');
    row_of(2)[1]--;
}

static void addresses(void **state)
{
    uint64_t *row = row_of(4);

    (void)state;
    row[0]++;
    assert_last_breaks('3');
    row[0]--;
}

static void boxes(void **state)
{
    (void)state;
    mapping.hi[1]++;
    assert_last_breaks('4');
    mapping.hi[1]--;
    assert_null(xta__check_mapping(&mapping));

    // The last segment moved by one chunk away from the box, in its table row only.
    uint64_t *row = row_of(4);
    row[4]++;
    row[0] -= row[2];
    assert_breaks('4');
    row[4]--;
    row[0] += row[2];
}

static void searches(void **state)
{
    (void)state;
    uint32_t *entry = &mapping.search[1].block[5 - mapping.search[1].block_lo];
    assert_int_equal(*entry, 4);
    *entry = 3;
    assert_breaks('5');
    *entry = 4;

    // A table whose entry 0 is not coordinate 0.
    const uint32_t *table = atomic_load(&mapping.table[1]);
    atomic_store(&mapping.table[1], table - 1);
    assert_breaks('5');
    atomic_store(&mapping.table[1], table);
}

static void tree_searches(void **state)
{
    struct xta__o2tree *tree = mapping.search[1].back;

    (void)state;
    tree->first->values[0]++;
    assert_breaks('5');
    tree->first->values[0]--;
    tree->n_records++;
    assert_breaks('5');
    tree->n_records--;
}

static void search_methods(void **state)
{
    (void)state;
    unsigned search_by = atomic_load(&mapping.search_by);
    atomic_store(&mapping.search_by, XTA__BY_TABLES);
    assert_last_breaks('6');
    atomic_store(&mapping.search_by, XTA__ONE_SEGMENT);
    assert_last_breaks('6');
    atomic_store(&mapping.search_by, search_by);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_mappings),
        cmocka_unit_test(mappings_that_begin_empty),
        cmocka_unit_test_setup_teardown(bases, make_by_tables, clear),
        cmocka_unit_test_setup_teardown(strides, make_by_tables, clear),
        cmocka_unit_test_setup_teardown(addresses, make_by_tables, clear),
        cmocka_unit_test_setup_teardown(boxes, make_by_tables, clear),
        cmocka_unit_test_setup_teardown(searches, make_by_tables, clear),
        cmocka_unit_test_setup_teardown(tree_searches, make_by_trees, clear),
        cmocka_unit_test_setup_teardown(search_methods, make_by_trees, clear),
    };

    return cmocka_run_group_tests_name("mapping_check", tests, NULL, NULL);
}
