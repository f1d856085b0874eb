/* Cells on their way between memory and chunks: XOR the fill value, and little-endian there. The
 * judge puts each byte where it belongs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chunk/copy.h"
#include "support/random.h"

#define MOST_CELLS 24
#define MOST_BYTES (MOST_CELLS * 16)

static uint64_t seed;

/* Cells of memory as a chunk keeps them, or the other way. `unit` bytes are reversed: 1, none. */
static void naive(uint8_t *to, const uint8_t *from, size_t n, const xta__coding *c, size_t unit)
{
    for (size_t i = 0; i < n; i++) {
        size_t number = i / unit * unit, mirrored = number + unit - 1 - (i - number);
        size_t in_memory = (c->storing ? mirrored : i) % c->cell_bytes;
        to[i] = from[mirrored] ^ (c->mask != NULL ? c->mask[in_memory] : 0);
    }
}

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

/* What this machine has to reverse. */
static size_t own_unit(const xta__coding *coding)
{
    return XTA__BIG_ENDIAN ? coding->unit : 1;
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
            naive(expected, from, n, &coding, coding.unit);
            xta__copy_reversed(to, from, n, &coding);
            assert_memory_equal(to, expected, n);
            xta__copy_reversed(back, to, n, &other);
            assert_memory_equal(back, from, n);
        }
        // Without mask and with nothing to reverse there is no coding.
        const xta__coding *given = coding.mask == NULL && own_unit(&coding) == 1 ? NULL : &coding;
        naive(expected, from, n, &coding, own_unit(&coding));
        xta__copy_bytes(to, from, n, given);
        assert_memory_equal(to, expected, n);
        xta__copy_bytes(back, to, n, given != NULL ? &other : NULL);
        assert_memory_equal(back, from, n);
    }
}

/* A cell that holds the fill value is kept as zeros, and zeros are read as it: a hole is fill. */
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
        bool plain = coding.mask == NULL && own_unit(&coding) == 1;
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
            naive(expected, from + source, coding.cell_bytes, &coding, own_unit(&coding));
            assert_memory_equal(to + at * cell, expected, coding.cell_bytes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_holes),
                                       cmocka_unit_test(test_boxes)};

    seed = test_seed("chunk_copy", 20);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
