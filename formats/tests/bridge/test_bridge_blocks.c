/* The pure functions of block grids: names of block files, runs of a dense file, copying between
 * layouts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grids/common/copy_cells.h"
#include "grids/common/dense_grid.h"
#include "grids/common/name_pattern.h"
#include "grids/match_cuts.h"

static void names_go_there_and_back(void **state)
{
    static const struct {
        const char *pattern;
        const char *name;
        int64_t block[3];
        int64_t begin[3];
    } table[] = {
        {"b/{0}_{1}_{2}.npy", "b/1_0_12.npy", {1, 0, 12}, {9, 9, 9}},
        {"b/x{c2:05}y{0}z{c1:3}.raw", "b/x00700y4z -2.raw", {4, 0, 0}, {0, -2, 700}},
        {"{0:03}-{1:02}-{2}", "-07--3-123456789", {-7, -3, 123456789}, {0, 0, 0}},
        {"{c1:04}+{c0}a{2}.7", "-012+5a6.7", {0, 0, 6}, {5, -12, 0}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        blocks_pattern pattern;
        int64_t values[XTA_MAX_NDIM];
        assert_true(xta__blocks_is_pattern(table[k].pattern));
        assert_int_equal(xta__blocks_pattern_parse(table[k].pattern, &pattern, NULL), XTA_OK);
        assert_int_equal(pattern.ndim, 3);
        char *name = xta__blocks_pattern_name(&pattern, table[k].block, table[k].begin);
        assert_string_equal(name, table[k].name);
        assert_true(xta__blocks_pattern_match(&pattern, name, values));
        for (int d = 0; d < 3; d++) {
            const blocks_placeholder *p = &pattern.placeholder[d];
            assert_int_equal(values[p->axis],
                             p->coordinate ? table[k].begin[p->axis] : table[k].block[p->axis]);
        }
        free(name);
        xta__blocks_pattern_clear(&pattern);
    }
}

static void other_names_do_not_match(void **state)
{
    static const char *const names[] = {"b/1_2.np",   "b/1_02.npy", "b/ 1_2.npy", "b/+1_2.npy",
                                        "b/1_2.npyx", "b/1_.npy",   "c/1_2.npy",  "b/1-2.npy"};
    int64_t values[XTA_MAX_NDIM];
    blocks_pattern pattern;
    (void)state;
    assert_int_equal(xta__blocks_pattern_parse("b/{0}_{1}.npy", &pattern, NULL), XTA_OK);
    assert_true(xta__blocks_pattern_match(&pattern, "b/1_2.npy", values));
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        assert_false(xta__blocks_pattern_match(&pattern, names[k], values));
    }
    xta__blocks_pattern_clear(&pattern);
}

static void senseless_patterns_are_refused(void **state)
{
    static const char *const bad[] = {"b/{1}.npy",     "b/{0}_{0}.npy", "b/{0}_{2}.npy",
                                      "b/{0}{1}.npy",  "b/{0}7{1}.npy", "{0}/{1}.npy",
                                      "b/{0}_{1}7.npy"};
    static const char *const none[] = {"b/{}.npy", "b/{x}.npy", "b/{0",   "b/{c}",
                                       "b/{0:}",   "b/{99}",    "b/{0:x}"};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        blocks_pattern pattern;
        xta_error err;
        assert_true(xta__blocks_is_pattern(bad[k]));
        assert_int_equal(xta__blocks_pattern_parse(bad[k], &pattern, &err), XTA_EARG);
        assert_non_null(strstr(err.text, bad[k]));
        xta__blocks_pattern_clear(&pattern);
    }
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        assert_false(xta__blocks_is_pattern(none[k]));
    }
}

/* For all inputs, runs are contiguous, divide the other side's blocks, and are no longer than an
 * eighth of the memory if a single cell on the cut axis allows it. */
static void runs_are_contiguous(void **state)
{
    (void)state;
    srand(4);
    for (int turn = 0; turn < 2000; turn++) {
        int64_t zero[4] = {0};
        int64_t hi[4];
        int64_t suit[4];
        int64_t block[4];
        int slow[4];
        int ndim = 1 + rand() % 4;
        bool column = rand() % 2 != 0;
        uint64_t memory = (uint64_t)1 << (6 + rand() % 20);
        for (int d = 0; d < ndim; d++) {
            hi[d] = 1 + rand() % 40;
            suit[d] = 1 + rand() % 45;
            slow[d] = column ? ndim - 1 - d : d;
        }
        xta_box bounds = xta_box_make(ndim, zero, hi);
        xta__blocks_runs(&bounds, slow, 4, suit, memory, block);
        int k = 0;
        while (k < ndim - 1 && block[slow[k]] == 1) {
            k++;
        }
        int64_t length = block[slow[k]];
        int64_t n = hi[slow[k]];
        double bytes = 4 * (double)length;
        assert_in_range(length, 1, n);
        assert_true(length == n || suit[slow[k]] >= n || suit[slow[k]] % length == 0);
        for (k++; k < ndim; k++) {
            assert_int_equal(block[slow[k]], hi[slow[k]]);
            bytes *= (double)hi[slow[k]];
        }
        assert_true(length == 1 || bytes <= (double)memory / 8);
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Runs of two files of opposite orders: each is contiguous in its own file, a piece of both fits in
 * half of the memory, and runs are no shorter than a square split of that memory. */
static void tiles_suit_both_orders(void **state)
{
    (void)state;
    srand(6);
    for (int turn = 0; turn < 2000; turn++) {
        int64_t zero[4] = {0};
        int64_t n[4];
        int64_t one[4];
        int64_t other[4];
        int slow[4];
        int ndim = 1 + rand() % 4;
        uint64_t memory = (uint64_t)1 << (8 + rand() % 16);
        double part = 4;
        for (int d = 0; d < ndim; d++) {
            n[d] = 1 + rand() % 50;
            slow[d] = ndim - 1 - d; // the first file is in column order
        }
        xta_box bounds = xta_box_make(ndim, zero, n);
        xta__blocks_tiles(&bounds, slow, 4, memory, one, other);
        for (int d = 0; d < ndim; d++) {
            assert_in_range(one[d], 1, n[d]);
            assert_in_range(other[d], 1, n[d]);
            part *= (double)(one[d] > other[d] ? one[d] : other[d]);
            /* Whole on the axes before the cut one, one cell on those after it; the other file in
             * reverse. */
            assert_true(d == 0 || one[d] == 1 || one[d - 1] == n[d - 1]);
            assert_true(d == 0 || other[d - 1] == 1 || other[d] == n[d]);
        }
        assert_true(part <= (double)memory / 2);
        /* If both were cut only on their fastest axes, a run would have this many cells. */
        double cells = 1;
        double other_cells = 1;
        for (int d = 0; d < ndim; d++) {
            cells *= (double)one[d];
            other_cells *= (double)other[d];
        }
        int64_t side = 1;
        while ((double)((side + 1) * (side + 1) * 4) <= (double)memory / 2) {
            side++;
        }
        side = least(side, (int64_t)(memory / 8 / 4));
        double plain = 1 / (double)least(side, n[0]) + 1 / (double)least(side, n[ndim - 1]);
        assert_true(1 / cells + 1 / other_cells <= plain * 1.0001 || ndim == 1);
    }
}

/* The naive copy. */
static void copy_cells(const int64_t n[3], size_t bytes, const unsigned char *from,
                       const int64_t from_strides[3], unsigned char *to,
                       const int64_t to_strides[3])
{
    for (int64_t at = 0; at < n[0] * n[1] * n[2]; at++) {
        const int64_t coord[3] = {at / (n[1] * n[2]), at / n[2] % n[1], at % n[2]};
        int64_t source = 0;
        int64_t target = 0;
        for (int d = 0; d < 3; d++) {
            source += coord[d] * from_strides[d];
            target += coord[d] * to_strides[d];
        }
        memcpy(to + target, from + source, bytes);
    }
}

/* Copy a box of cells to a layout with gaps and another order; the bytes in the gaps do not
 * change. */
static void copies_reach_every_layout(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 8, 16};
    (void)state;
    srand(5);
    for (int turn = 0; turn < 600; turn++) {
        int64_t zero[3] = {0};
        int64_t n[3] = {1 + rand() % 40, 1 + rand() % 9, 1 + rand() % 40};
        int64_t from_strides[3];
        int64_t to_strides[3];
        size_t bytes = sizes[rand() % 6];
        int64_t stride = (int64_t)bytes * (1 + rand() % 2);
        int order[3] = {0, 1, 2};
        int other = rand() % 3;
        order[0] = other;
        order[other] = 0;
        xta_box box = xta_box_make(3, zero, n);
        xta__blocks_strides(&box, bytes, turn % 2 != 0 ? XTA_COLUMN : XTA_ROW, from_strides);
        for (int k = 0; k < 3; k++) {
            to_strides[order[k]] = stride;
            stride *= n[order[k]] + rand() % 2;
        }
        size_t total = (size_t)(n[0] * n[1] * n[2]) * bytes;
        unsigned char *from = malloc(total);
        unsigned char *to = malloc((size_t)stride);
        unsigned char *want = malloc((size_t)stride);
        for (size_t k = 0; k < total; k++) {
            from[k] = (unsigned char)rand();
        }
        memset(to, 7, (size_t)stride);
        memset(want, 7, (size_t)stride);
        copy_cells(n, bytes, from, from_strides, want, to_strides);
        xta__blocks_copy(3, n, bytes, (char *)from, from_strides, (char *)to, to_strides);
        assert_memory_equal(to, want, (size_t)stride);
        free(from);
        free(to);
        free(want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_go_there_and_back),
        cmocka_unit_test(other_names_do_not_match),
        cmocka_unit_test(senseless_patterns_are_refused),
        cmocka_unit_test(runs_are_contiguous),
        cmocka_unit_test(tiles_suit_both_orders),
        cmocka_unit_test(copies_reach_every_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
