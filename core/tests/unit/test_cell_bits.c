/* One bit for each cell of a chunk, against one byte for each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/chunks/cell_bits.h"
#include "support/random.h"

enum { CELLS = 1000, MOST_BYTES = 24 };

static uint64_t seed;

/* Random runs of whole cells, or of the first bytes of cells, within CELLS cells. */
static xta__byte_runs some_runs(test_random *random, size_t cell_bytes, size_t count[],
                                size_t stride[])
{
    size_t span = (size_t)test_random_in(random, 1, 20), length = span;
    xta__byte_runs runs = {
        .ndim = (int)test_random_in(random, 0, 3), .count = count, .stride = stride};

    for (int k = 0; k < runs.ndim; k++) {
        size_t step = span + (size_t)test_random_in(random, 0, 3);
        count[k] = (size_t)test_random_in(
            random, 1, (int64_t)((CELLS - span) / step < 4 ? (CELLS - span) / step + 1 : 4));
        stride[k] = step * cell_bytes;
        span += (count[k] - 1) * step;
    }
    runs.offset = (size_t)test_random_in(random, 0, (int64_t)(CELLS - span)) * cell_bytes;
    runs.bytes = length * cell_bytes - (size_t)test_random_in(random, 0, (int64_t)cell_bytes - 1);
    return runs;
}

/* The same by definition: each byte of each run marks its cell. */
static void mark_bytes(uint8_t *marked, size_t cell_bytes, const xta__byte_runs *runs)
{
    size_t index[XTA_MAX_NDIM] = {0}, at = runs->offset;

    do {
        for (size_t k = 0; k < runs->bytes; k++) {
            marked[(at + k) / cell_bytes] = 1;
        }
    } while (xta__next_run(runs, index, &at));
}

static void assert_same(const uint8_t *bits, const uint8_t *marked)
{
    uint64_t n = 0;

    for (size_t i = 0; i < CELLS; i++) {
        assert_int_equal(bits[i / 8] >> i % 8 & 1, marked[i]);
        n += marked[i];
    }
    assert_int_equal(xta__count_bits(bits, CELLS), n);
    for (int set = 0; set < 2; set++) {
        size_t expected = CELLS;
        for (size_t i = CELLS; i-- > 0;) {
            expected = marked[i] == set ? i : expected;
            assert_int_equal(xta__next_bit(bits, CELLS, i, set), expected);
        }
    }
}

static void runs_mark_their_cells(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t k = 0, n = test_scale(500); k < n; k++) {
        uint8_t bits[CELLS / 8 + 1] = {0}, marked[CELLS] = {0};
        size_t cell_bytes = (size_t)test_random_in(&random, 1, MOST_BYTES);
        for (int64_t m = test_random_in(&random, 0, 8); m > 0; m--) {
            size_t count[XTA_MAX_NDIM], stride[XTA_MAX_NDIM];
            xta__byte_runs runs = some_runs(&random, cell_bytes, count, stride);
            xta__mark_runs(bits, cell_bytes, &runs);
            mark_bytes(marked, cell_bytes, &runs);
        }
        assert_same(bits, marked);
        assert_int_equal(bits[CELLS / 8], 0); // none beyond the chunk
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_mark_their_cells),
    };
    seed = test_seed("test_cell_bits", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
