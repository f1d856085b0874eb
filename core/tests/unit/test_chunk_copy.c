/* Cells copied between memory and chunks: in chunks they are little-endian and XORed with the fill
 * value. The oracle places each byte by itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chunk/chunk.h"
#include "oracle/copies.h"
#include "support/random.h"

#define MOST_CELLS 24
#define MOST_BYTES (MOST_CELLS * 16)

static uint64_t seed;

static void random_bytes(test_random *random, uint8_t *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        bytes[k] = (uint8_t)test_random_in(random, 0, 255);
    }
}

/* Types of numbers: a cell has one or two of them, or is bytes. */
static xta__coding random_coding(test_random *random, const uint8_t *mask)
{
    xta__coding coding = {.unit = (size_t)1 << test_random_in(random, 0, 3)};

    coding.cell_bytes = coding.unit * (size_t)test_random_in(random, 1, coding.unit > 1 ? 2 : 13);
    coding.mask = test_random_in(random, 0, 2) > 0 ? mask : NULL;
    coding.storing = test_random_in(random, 0, 1) > 0;
    return coding;
}

static void test_bytes(void **state)
{
    uint8_t mask[16], from[MOST_BYTES], to[MOST_BYTES], back[MOST_BYTES], expected[MOST_BYTES];

    (void)state;
    for (uint64_t k = 0; k < test_scale(20000); k++) {
        test_random random = test_random_make(seed, k);
        random_bytes(&random, mask, sizeof mask);
        xta__coding coding = random_coding(&random, mask);
        size_t n = coding.cell_bytes * (size_t)test_random_in(&random, 0, MOST_CELLS);
        xta__coding other = coding;
        other.storing = !coding.storing;
        random_bytes(&random, from, sizeof from);
        if (coding.unit > 1) {
            oracle_copy_bytes(expected, from, n, &coding, coding.unit);
            xta__copy_reversed(to, from, n, &coding);
            assert_memory_equal(to, expected, n);
            xta__copy_reversed(back, to, n, &other);
            assert_memory_equal(back, from, n);
        }
        // Without mask and with nothing to reverse there is no coding.
        const xta__coding *given =
            coding.mask == NULL && oracle_own_unit(&coding) == 1 ? NULL : &coding;
        oracle_copy_bytes(expected, from, n, &coding, oracle_own_unit(&coding));
        xta__copy_bytes(to, from, n, given);
        assert_memory_equal(to, expected, n);
        xta__copy_bytes(back, to, n, given != NULL ? &other : NULL);
        assert_memory_equal(back, from, n);
    }
}

/* A cell with the fill value is stored as zeros, and zeros are read as the fill value: a hole is
 * fill. */
static void test_holes(void **state)
{
    static const uint8_t zeros[16];
    uint8_t mask[16], cell[16];

    (void)state;
    for (uint64_t k = 0; k < test_scale(2000); k++) {
        test_random random = test_random_make(seed + 1, k);
        random_bytes(&random, mask, sizeof mask);
        xta__coding coding = random_coding(&random, mask);
        coding.mask = mask;
        coding.storing = true;
        xta__copy_bytes(cell, mask, coding.cell_bytes, &coding);
        assert_memory_equal(cell, zeros, coding.cell_bytes);
        coding.storing = false;
        xta__copy_bytes(cell, zeros, coding.cell_bytes, &coding);
        assert_memory_equal(cell, mask, coding.cell_bytes);
    }
}

/* A box of cells between strides of two kinds, with and without coding. */
static void test_boxes(void **state)
{
    enum { A = 3, B = 4, C = 2 };
    const size_t count[3] = {A, B, C};
    uint8_t mask[16], from[MOST_BYTES], to[MOST_BYTES], expected[16];

    (void)state;
    for (uint64_t k = 0; k < test_scale(2000); k++) {
        test_random random = test_random_make(seed + 2, k);
        random_bytes(&random, mask, sizeof mask);
        random_bytes(&random, from, sizeof from);
        xta__coding coding = random_coding(&random, mask);
        ptrdiff_t cell = (ptrdiff_t)coding.cell_bytes;
        const ptrdiff_t rows[3] = {B * C * cell, C * cell, cell};
        const ptrdiff_t columns[3] = {cell, A * cell, A * B * cell};
        bool plain = coding.mask == NULL && oracle_own_unit(&coding) == 1;
        bool turned = test_random_in(&random, 0, 1) > 0;
        xta__copy_plan plan;
        xta__copy_plan_init(&plan, 3, coding.cell_bytes, count, rows, turned ? columns : rows,
                            plain ? NULL : &coding, test_random_in(&random, 0, 1) > 0);
        xta__copy_run(&plan, to, from);
        for (int at = 0; at < A * B * C; at++) {
            const int index[3] = {at / (B * C), at / C % B, at % C};
            ptrdiff_t source = 0;
            for (int axis = 0; axis < 3; axis++) {
                source += index[axis] * (turned ? columns : rows)[axis];
            }
            oracle_copy_bytes(expected, from + source, coding.cell_bytes, &coding,
                              oracle_own_unit(&coding));
            assert_memory_equal(to + at * cell, expected, coding.cell_bytes);
        }
    }
}

enum { MOST_AXES = 4, BUFFER = 1 << 20, FREE_BYTE = 0xA5 };

/* Strides of count cells in a random order of the axes, with random gaps and directions; the bytes
 * they span, and the offset of the first cell in them. */
static size_t random_strides(test_random *random, int ndim, size_t cell_bytes, const size_t count[],
                             ptrdiff_t strides[], size_t *first)
{
    int order[MOST_AXES];
    size_t span = cell_bytes;
    bool plain = test_random_chance(random, 50);

    *first = 0;
    for (int k = 0; k < ndim; k++) {
        int j = (int)test_random_in(random, 0, k);
        order[k] = order[j];
        order[j] = k;
    }
    for (int k = 0; k < ndim; k++) {
        int axis = order[k];
        size_t stride = span;
        stride += !plain && test_random_chance(random, 30)
                      ? (size_t)test_random_in(random, 1, 40) * (k == 0 ? cell_bytes : 1)
                      : 0;
        bool backwards = !plain && test_random_chance(random, 20);
        strides[axis] = backwards ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        *first += backwards ? stride * (count[axis] - 1) : 0;
        span = stride * (count[axis] - 1) + span;
    }
    return span;
}

/* Shapes from one cell to many tiles, so that square tiles, intermediate tiles and rows are all
 * used. Bytes between the cells stay unchanged. */
static void test_strides(void **state)
{
    uint8_t *from = malloc(BUFFER), *to = malloc(BUFFER), *expected = malloc(BUFFER);
    uint8_t mask[16];
    uint64_t n_done = 0;

    (void)state;
    assert_true(from != NULL && to != NULL && expected != NULL);
    for (uint64_t k = 0; k < test_scale(3000); k++) {
        test_random random = test_random_make(seed + 3, k);
        int ndim = (int)test_random_in(&random, 1, MOST_AXES);
        size_t count[MOST_AXES], to_first, from_first;
        ptrdiff_t to_stride[MOST_AXES], from_stride[MOST_AXES];
        random_bytes(&random, mask, sizeof mask);
        xta__coding coding = random_coding(&random, mask);
        bool plain = coding.mask == NULL && oracle_own_unit(&coding) == 1;
        for (int axis = 0; axis < ndim; axis++) {
            int64_t most = test_random_chance(&random, 30)   ? 260
                           : test_random_chance(&random, 50) ? 40
                                                             : 5;
            count[axis] = (size_t)test_random_in(&random, 1, most);
        }
        size_t cell = coding.cell_bytes;
        size_t to_span = random_strides(&random, ndim, cell, count, to_stride, &to_first);
        size_t from_span = random_strides(&random, ndim, cell, count, from_stride, &from_first);
        if (to_span > BUFFER || from_span > BUFFER) {
            continue;
        }
        for (size_t i = 0; i < from_span; i++) {
            from[i] = (uint8_t)(i * 167 + i / 251);
        }
        memset(to, FREE_BYTE, to_span);
        memset(expected, FREE_BYTE, to_span);
        xta__copy_plan plan;
        xta__copy_plan_init(&plan, ndim, cell, count, to_stride, from_stride,
                            plain ? NULL : &coding, test_random_in(&random, 0, 1) > 0);
        xta__copy_run(&plan, to + to_first, from + from_first);
        oracle_copy(ndim, cell, count, to_stride, from_stride, plain ? NULL : &coding,
                    expected + to_first, from + from_first);
        assert_memory_equal(to, expected, to_span);
        n_done++;
    }
    assert_true(n_done > 0);
    free(from);
    free(to);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_holes),
                                       cmocka_unit_test(test_boxes),
                                       cmocka_unit_test(test_strides)};

    seed = test_seed("chunk_copy", 20);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
