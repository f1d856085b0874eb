/* Tests of the oracles: addresses against the figures of the papers and against hand-made cases,
 * cells against a small history worked out by hand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/address.h"
#include "oracle/cells.h"

static const int64_t ones[XTA_MAX_NDIM] = {1, 1, 1, 1, 1, 1};

static void grow(oracle_address *oracle, int axis, xta_side side, int64_t by)
{
    oracle_address_extend(oracle, &(xta_growth){axis, side, by});
}

static void assert_address(const oracle_address *oracle, const int64_t coord[], uint64_t expected)
{
    uint64_t address = UINT64_MAX;
    assert_true(oracle_address_find(oracle, coord, &address));
    assert_int_equal(address, expected);
    assert_memory_equal(oracle_address_at(oracle, address), coord,
                        (size_t)oracle->ndim * sizeof(int64_t));
}

static void figures(void **state)
{
    (void)state;
    oracle_address oracle;

    oracle_address_init(&oracle, 2, ones, (int64_t[]){1, 1}, XTA_EXACT, 0);
    static const int drx1[] = {1, 0, 0, 1, 0, 1, 0};
    for (size_t i = 0; i < sizeof(drx1) / sizeof(drx1[0]); i++) {
        grow(&oracle, drx1[i], XTA_BACK, 1);
    }
    assert_address(&oracle, (int64_t[]){4, 2}, 18);
    assert_int_equal(oracle.n_chunks, 20);
    oracle_address_clear(&oracle);

    oracle_address_init(&oracle, 3, ones, (int64_t[]){4, 3, 1}, XTA_EXACT, 0);
    grow(&oracle, 2, XTA_BACK, 1);
    grow(&oracle, 2, XTA_BACK, 1);
    grow(&oracle, 1, XTA_BACK, 1);
    grow(&oracle, 0, XTA_BACK, 2);
    grow(&oracle, 2, XTA_BACK, 1);
    assert_address(&oracle, (int64_t[]){2, 1, 0}, 7);
    assert_address(&oracle, (int64_t[]){3, 1, 2}, 34);
    assert_address(&oracle, (int64_t[]){4, 2, 2}, 56);
    assert_int_equal(oracle.n_chunks, 96);
    oracle_address_clear(&oracle);

    oracle_address_init(&oracle, 3, ones, (int64_t[]){3, 3, 2}, XTA_EXACT, 0);
    grow(&oracle, 1, XTA_BACK, 2);
    grow(&oracle, 0, XTA_BACK, 2);
    grow(&oracle, 2, XTA_BACK, 1);
    assert_address(&oracle, (int64_t[]){1, 4, 0}, 26);
    assert_address(&oracle, (int64_t[]){2, 4, 1}, 29);
    assert_address(&oracle, (int64_t[]){3, 3, 1}, 37);
    oracle_address_clear(&oracle);
}

static void front_rank_and_empty(void **state)
{
    (void)state;
    oracle_address oracle;

    // Front: chunk -1 gets its slab first, then -2.
    oracle_address_init(&oracle, 2, ones, (int64_t[]){1, 2}, XTA_EXACT, 0);
    grow(&oracle, 0, XTA_FRONT, 2);
    assert_address(&oracle, (int64_t[]){0, 1}, 1);
    assert_address(&oracle, (int64_t[]){-1, 0}, 2);
    assert_address(&oracle, (int64_t[]){-1, 1}, 3);
    assert_address(&oracle, (int64_t[]){-2, 1}, 5);
    oracle_address_add_axis(&oracle, 1);
    assert_address(&oracle, (int64_t[]){-2, 0, 1}, 5);
    grow(&oracle, 1, XTA_FRONT, 1);
    assert_address(&oracle, (int64_t[]){-2, -1, 0}, 6);
    assert_address(&oracle, (int64_t[]){0, -1, 1}, 11);
    oracle_address_clear(&oracle);

    // (3, 0): the slab that makes the box non-empty has its own axis slowest.
    oracle_address_init(&oracle, 2, ones, (int64_t[]){2, 0}, XTA_EXACT, 0);
    grow(&oracle, 0, XTA_BACK, 1);
    assert_int_equal(oracle.n_chunks, 0);
    grow(&oracle, 1, XTA_BACK, 2);
    assert_address(&oracle, (int64_t[]){2, 0}, 2);
    assert_address(&oracle, (int64_t[]){0, 1}, 3);
    oracle_address_clear(&oracle);

    // Chunks of 3 cells: cells -1 .. -3 are chunk -1; growth inside it costs nothing.
    oracle_address_init(&oracle, 1, (int64_t[]){3}, (int64_t[]){4}, XTA_EXACT, 0);
    assert_int_equal(oracle.n_chunks, 2);
    grow(&oracle, 0, XTA_FRONT, 1);
    assert_int_equal(oracle.n_chunks, 3);
    grow(&oracle, 0, XTA_FRONT, 2);
    grow(&oracle, 0, XTA_BACK, 2);
    assert_int_equal(oracle.n_chunks, 3);
    oracle_address_shrink(&oracle, &(xta_growth){0, XTA_BACK, 9});
    grow(&oracle, 0, XTA_BACK, 9);
    assert_int_equal(oracle.n_chunks, 3);
    oracle_address_clear(&oracle);
}

static void policies(void **state)
{
    (void)state;
    oracle_address oracle;

    oracle_address_init(&oracle, 1, ones, (int64_t[]){2}, XTA_LINEAR, 5);
    grow(&oracle, 0, XTA_FRONT, 6);
    assert_int_equal(oracle.n_chunks, 12);
    oracle_address_clear(&oracle);

    oracle_address_init(&oracle, 1, ones, (int64_t[]){3}, XTA_EXPONENTIAL, 2);
    grow(&oracle, 0, XTA_BACK, 4);
    assert_int_equal(oracle.n_chunks, 12);
    oracle_address_clear(&oracle);

    oracle_address_init(&oracle, 3, ones, (int64_t[]){2, 1, 3}, XTA_CUBICAL, 0);
    grow(&oracle, 0, XTA_FRONT, 1);
    assert_int_equal(oracle.n_chunks, 27);
    assert_address(&oracle, (int64_t[]){-1, 0, 0}, 6);
    assert_address(&oracle, (int64_t[]){-1, 1, 0}, 9);
    oracle_address_clear(&oracle);

    oracle_address_init(&oracle, 2, ones, (int64_t[]){3, 2}, XTA_SHELL, 0);
    assert_address(&oracle, (int64_t[]){0, 0}, 0);
    assert_address(&oracle, (int64_t[]){1, 0}, 1);
    assert_address(&oracle, (int64_t[]){0, 1}, 2);
    assert_address(&oracle, (int64_t[]){1, 1}, 3);
    assert_address(&oracle, (int64_t[]){2, 1}, 5);
    oracle_address_clear(&oracle);
}

static void cells(void **state)
{
    (void)state;
    oracle_cells model;

    oracle_cells_init(&model, 2, (int64_t[]){2, 2}, 9);
    *oracle_cells_at(&model, (int64_t[]){1, 1}) = 5;
    oracle_cells_extend(&model, &(xta_growth){1, XTA_FRONT, 2});
    assert_int_equal(*oracle_cells_at(&model, (int64_t[]){1, 1}), 5);
    assert_int_equal(*oracle_cells_at(&model, (int64_t[]){1, -2}), 9);
    assert_null(oracle_cells_at(&model, (int64_t[]){1, -3}));
    oracle_cells_shrink(&model, &(xta_growth){1, XTA_BACK, 1});
    oracle_cells_extend(&model, &(xta_growth){1, XTA_BACK, 1});
    assert_int_equal(*oracle_cells_at(&model, (int64_t[]){1, 1}), 9);
    *oracle_cells_at(&model, (int64_t[]){0, -1}) = 7;
    oracle_cells_add_axis(&model, 1);
    assert_int_equal(*oracle_cells_at(&model, (int64_t[]){0, 0, -1}), 7);
    oracle_cells_clear(&model);

    uint16_t half;
    oracle_encode(XTA_F16, 2, 1, &half);
    assert_int_equal(half, 0x3c00);
    oracle_encode(XTA_F16, 2, 2047, &half);
    assert_int_equal(half, 0x67ff);
    oracle_encode(XTA_F16, 2, 2048, &half);
    assert_int_equal(half, 0x6800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures),
        cmocka_unit_test(front_rank_and_empty),
        cmocka_unit_test(policies),
        cmocka_unit_test(cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
