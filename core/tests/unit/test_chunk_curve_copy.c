/* Boxes between chunks along a curve and memory: the same bytes as cell by cell, nothing else
 * touched, and exactly the box reported as changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/copies.h"
#include "support/random.h"

enum { MOST_CELLS = 1 << 15, MOST_CELL_BYTES = 40, MEMORY = 4 << 20, FREE_BYTE = 0xA5 };

static uint64_t seed;

/* One copy with its buffers. */
typedef struct copy_test {
    xta__curve curve;
    xta__coding coding;
    uint8_t mask[MOST_CELL_BYTES];
    size_t count[XTA_MAX_NDIM];
    int64_t first[XTA_MAX_NDIM], step[XTA_MAX_NDIM];
    ptrdiff_t stride[XTA_MAX_NDIM];
    size_t n_cells, memory_first, memory_bytes, chunk_bytes;
    xta__curve_box box;
    uint8_t *chunk, *memory, *expected, *told, *written;
} copy_test;

static void random_curve(test_random *random, copy_test *t)
{
    int ndim = (int)test_random_in(random, 1, 5), bits = 15;
    int64_t lengths[XTA_MAX_NDIM];
    xta__grid grid;

    for (int axis = 0; axis < ndim; axis++) {
        int log = (int)test_random_in(random, 0, bits < 8 ? bits : 8);
        lengths[axis] = (int64_t)1 << log;
        bits -= log;
    }
    xta_order order = test_random_chance(random, 50) ? XTA_MORTON : XTA_HILBERT;
    assert_int_equal(xta__grid_init(&grid, order, ndim, lengths), XTA_OK);
    assert_int_equal(xta__curve_init(&t->curve, &grid), XTA_OK);
}

static void random_box(test_random *random, copy_test *t)
{
    bool whole = test_random_chance(random, 25), steps = test_random_chance(random, 30);

    t->n_cells = 1;
    for (int axis = 0; axis < t->curve.grid.ndim; axis++) {
        int64_t length = t->curve.grid.length[axis];
        t->first[axis] = whole ? 0 : test_random_in(random, 0, length - 1);
        t->step[axis] = steps ? test_random_in(random, 1, length + 2) : 1;
        int64_t most = (length - 1 - t->first[axis]) / t->step[axis] + 1;
        t->count[axis] = (size_t)(whole ? most : test_random_in(random, 1, most));
        t->n_cells *= t->count[axis];
    }
}

/* Memory in any order of axes, some of them backwards or with gaps. */
static void random_memory(test_random *random, copy_test *t, size_t cell_bytes)
{
    int ndim = t->curve.grid.ndim, order[XTA_MAX_NDIM];
    size_t span = cell_bytes;
    int kind = (int)test_random_in(random, 0, 2); // row-major, column-major, any

    t->memory_first = 0;
    for (int k = 0; k < ndim; k++) {
        int j = kind == 2 ? (int)test_random_in(random, 0, k) : k;
        order[k] = order[j];
        order[j] = k;
    }
    for (int k = 0; k < ndim; k++) {
        int axis = order[kind == 0 ? ndim - 1 - k : k];
        size_t stride = span + (kind == 2 ? (size_t)test_random_in(random, 0, 9) : 0);
        bool backwards = kind == 2 && test_random_chance(random, 30);
        t->stride[axis] = backwards ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        t->memory_first += backwards ? stride * (t->count[axis] - 1) : 0;
        span += stride * (t->count[axis] - 1);
    }
    t->memory_bytes = span;
    assert_true(span <= MEMORY);
}

static void random_coding(test_random *random, copy_test *t, bool storing)
{
    t->coding =
        (xta__coding){.unit = (size_t)1 << test_random_in(random, 0, 3), .storing = storing};
    size_t most = t->coding.unit > 1 ? 2 : test_random_chance(random, 20) ? MOST_CELL_BYTES : 16;
    t->coding.cell_bytes = t->coding.unit * (size_t)test_random_in(random, 1, (int64_t)most);
    for (size_t k = 0; k < sizeof t->mask; k++) {
        t->mask[k] = (uint8_t)test_random_in(random, 0, 255);
    }
    t->coding.mask = test_random_chance(random, 50) ? t->mask : NULL;
}

static void random_copy(test_random *random, copy_test *t, bool storing)
{
    do {
        xta__curve_clear(&t->curve);
        random_curve(random, t);
        random_box(random, t);
        random_coding(random, t, storing);
    } while (t->n_cells * (t->coding.cell_bytes + 40) > MEMORY / 4);
    size_t cell = t->coding.cell_bytes;
    bool plain = t->coding.mask == NULL && oracle_own_unit(&t->coding) == 1;
    random_memory(random, t, cell);
    t->chunk_bytes = (size_t)t->curve.grid.n_cells * cell;
    t->box = (xta__curve_box){.curve = &t->curve,
                              .cell_bytes = cell,
                              .count = t->count,
                              .first = t->first,
                              .step = t->step,
                              .stride = t->stride,
                              .coding = plain ? NULL : &t->coding,
                              .stream = !storing && plain && test_random_chance(random, 40)};
    t->box.tile_bytes = xta__curve_tile_bytes(&t->curve, cell, t->n_cells);
    // Of exactly the requested length, so that a sanitizer detects accesses beyond it.
    t->box.tile = malloc(t->box.tile_bytes);
    assert_non_null(t->box.tile);
}

static void fill(uint8_t *bytes, size_t n, unsigned salt)
{
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (uint8_t)(i * 167 + i / 251 + salt);
    }
}

static void setup(copy_test *t)
{
    t->curve = (xta__curve){0};
    t->chunk = malloc(MOST_CELLS * MOST_CELL_BYTES);
    t->memory = malloc(MEMORY);
    t->expected = malloc(MEMORY);
    t->told = malloc(MOST_CELLS);
    t->written = malloc(MOST_CELLS);
    assert_true(t->chunk != NULL && t->memory != NULL && t->expected != NULL && t->told != NULL &&
                t->written != NULL);
}

static void teardown(copy_test *t)
{
    xta__curve_clear(&t->curve);
    free(t->chunk);
    free(t->memory);
    free(t->expected);
    free(t->told);
    free(t->written);
}

static void reads_are_cell_by_cell(void **state)
{
    copy_test t;

    (void)state;
    setup(&t);
    for (uint64_t k = 0; k < test_scale(2000); k++) {
        test_random random = test_random_make(seed, k);
        random_copy(&random, &t, false);
        fill(t.chunk, t.chunk_bytes, (unsigned)k);
        memset(t.memory, FREE_BYTE, t.memory_bytes);
        memset(t.expected, FREE_BYTE, t.memory_bytes);
        xta__curve_read(&t.box, t.memory + t.memory_first, t.chunk);
        oracle_curve_copy(&t.box, 0, t.chunk, t.expected + t.memory_first, NULL);
        assert_memory_equal(t.memory, t.expected, t.memory_bytes);
        free(t.box.tile);
    }
    teardown(&t);
}

static void note_changed(void *user, size_t offset, size_t n)
{
    copy_test *t = user;
    size_t cell = t->box.cell_bytes;

    assert_int_equal(offset % cell, 0);
    assert_int_equal(n % cell, 0);
    for (size_t k = 0; k < n / cell; k++) {
        t->told[offset / cell + k]++;
    }
}

static void writes_touch_and_report_the_box(void **state)
{
    copy_test t;

    (void)state;
    setup(&t);
    for (uint64_t k = 0; k < test_scale(2000); k++) {
        test_random random = test_random_make(seed + 1, k);
        random_copy(&random, &t, true);
        size_t n_cells = (size_t)t.curve.grid.n_cells;
        fill(t.memory, t.memory_bytes, (unsigned)k);
        memset(t.chunk, FREE_BYTE, t.chunk_bytes);
        memset(t.expected, FREE_BYTE, t.chunk_bytes);
        memset(t.told, 0, n_cells);
        memset(t.written, 0, n_cells);
        bool notify = test_random_chance(&random, 70);
        xta__curve_write(&t.box, t.chunk, t.memory + t.memory_first, notify ? note_changed : NULL,
                         &t);
        oracle_curve_copy(&t.box, 1, t.expected, t.memory + t.memory_first, t.written);
        assert_memory_equal(t.chunk, t.expected, t.chunk_bytes);
        if (notify) {
            assert_memory_equal(t.told, t.written, n_cells);
        }
        free(t.box.tile);
    }
    teardown(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_are_cell_by_cell),
        cmocka_unit_test(writes_touch_and_report_the_box),
    };

    seed = test_seed("chunk_curve_copy", 77);
    return cmocka_run_group_tests_name("chunk_curve_copy", tests, NULL, NULL);
}
