/* Access order against storage order: a square array whose chunks hold their cells by rows, by
 * columns or along a Hilbert curve, read by rows, by columns and by squares ([CXA]
 * Fig. 5.4.2, 6.4.5, 6.4.6); and the whole array into row-major and column-major memory, where
 * HDF5, which supports row-major memory only, is followed by a blocked transposition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "peer_hdf5.h"

#define CHUNK       256
#define BOXES       64
#define REPETITIONS 5
#define BLOCK       32

typedef struct order_test {
    int64_t side;
    xta_array *arrays[4]; // by xta_order
    peer_hdf5 theirs;
    double *cells;
    double *other;
    // The current request:
    int64_t length[2];
    bool column_memory;
} order_test;

/* One array of a test, as one side of a comparison. */
typedef struct order_side {
    order_test *test;
    xta_array *array; // NULL: HDF5
} order_side;

static const char *const NAMES[4] = {"row-major", "column-major", "Morton", "Hilbert"};

static double read_boxes(void *state, int repetition)
{
    order_side *side = state;
    order_test *test = side->test;
    uint64_t random = 50 + (uint64_t)repetition;
    size_t n = (size_t)(test->length[0] * test->length[1]);
    xta_box boxes[BOXES];

    for (int i = 0; i < BOXES; i++) {
        int64_t lo[2];
        for (int axis = 0; axis < 2; axis++) {
            lo[axis] = bench_below(&random, test->side - test->length[axis] + 1);
        }
        boxes[i] = bench_box(2, lo, test->length);
    }
    memset(test->cells, 0, BOXES * n * sizeof(double));
    double start = bench_now();
    for (int i = 0; i < BOXES; i++) {
        double *cells = test->cells + (size_t)i * n;
        if (side->array == NULL) {
            peer_read(&test->theirs, &boxes[i], cells);
        } else {
            BENCH_XTA(xta_array_read(side->array, &boxes[i], NULL, cells, &bench_error));
        }
    }
    double taken = bench_now() - start;
    for (int i = 0; i < BOXES; i++) {
        bench_verify(&boxes[i], test->cells + (size_t)i * n, "a box");
    }
    return taken;
}

static void compare_boxes(order_test *test, const char *shape, int64_t rows, int64_t columns)
{
    order_side sides[4];
    bench_side runs[4];
    double seconds[4];
    double cells = (double)(BOXES * rows * columns);

    test->length[0] = rows;
    test->length[1] = columns;
    static const int shown[3] = {XTA_ROW, XTA_COLUMN, XTA_HILBERT};
    for (int i = 0; i < 4; i++) {
        sides[i] = (order_side){test, i < 3 ? test->arrays[shown[i]] : NULL};
        runs[i] = (bench_side){read_boxes, &sides[i]};
    }
    bench_alternate(runs, 4, REPETITIONS, seconds);
    for (int i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s chunks; %s of %lldx%lld", NAMES[shown[i]], shape,
                 (long long)rows, (long long)columns);
        if (i > 0) {
            bench_print(&(bench_row){name, "read; each cell", seconds[i] / cells * 1e9,
                                     "row-major chunks", seconds[0] / cells * 1e9, "ns", BENCH_TIME,
                                     0});
        }
        bench_print(&(bench_row){name, "read; each cell", seconds[i] / cells * 1e9, "HDF5",
                                 seconds[3] / cells * 1e9, "ns", BENCH_TIME, 0});
    }
}

static void transpose_block(int64_t side, const double *from, double *to)
{
    for (int64_t i = 0; i < BLOCK; i++) {
        for (int64_t j = 0; j < BLOCK; j++) {
            to[j * side + i] = from[i * side + j];
        }
    }
}

/* By blocks, so that both sides of the copy stay in the cache. */
static void transpose(int64_t side, const double *from, double *to)
{
    for (int64_t i = 0; i < side; i += BLOCK) {
        for (int64_t j = 0; j < side; j += BLOCK) {
            transpose_block(side, from + i * side + j, to + j * side + i);
        }
    }
}

static double read_whole(void *state, int repetition)
{
    order_side *side = state;
    order_test *test = side->test;
    int64_t zero[2] = {0, 0};
    int64_t length[2] = {test->side, test->side};
    xta_box all = bench_box(2, zero, length);
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    size_t bytes = (size_t)(test->side * test->side) * sizeof(double);
    (void)repetition;

    memset(test->cells, 0, bytes);
    options.order = test->column_memory ? XTA_COLUMN : XTA_ROW;
    double start = bench_now();
    if (side->array != NULL) {
        BENCH_XTA(xta_array_read(side->array, &all, &options, test->cells, &bench_error));
    } else if (test->column_memory) {
        peer_read(&test->theirs, &all, test->other);
        transpose(test->side, test->other, test->cells);
    } else {
        peer_read(&test->theirs, &all, test->cells);
    }
    double taken = bench_now() - start;
    if (test->column_memory) {
        transpose(test->side, test->cells, test->other);
    }
    bench_verify(&all, test->column_memory ? test->other : test->cells, "the whole array");
    return taken;
}

static void compare_whole(order_test *test)
{
    double rate = (double)(test->side * test->side) * sizeof(double) / 1e9;

    for (int memory = 0; memory < 2; memory++) {
        static const int shown[3] = {XTA_ROW, XTA_COLUMN, XTA_HILBERT};
        order_side sides[4];
        bench_side runs[4];
        double seconds[4];
        test->column_memory = memory == 1;
        for (int i = 0; i < 4; i++) {
            sides[i] = (order_side){test, i < 3 ? test->arrays[shown[i]] : NULL};
            runs[i] = (bench_side){read_whole, &sides[i]};
        }
        bench_alternate(runs, 4, 3, seconds);
        for (int i = 0; i < 3; i++) {
            char name[80];
            snprintf(name, sizeof name, "%s chunks; whole array into %s memory", NAMES[shown[i]],
                     NAMES[memory]);
            bench_print(&(bench_row){name, "read", rate / seconds[i],
                                     memory == 1 ? "HDF5 and a transposition" : "HDF5",
                                     rate / seconds[3], "GB/s", BENCH_RATE, 0});
        }
    }
}

/* Single cells along a random walk from neighbour to neighbour, the use case of a curve that keeps
 * neighbours together. */
typedef struct walk {
    order_test *test;
    xta_array *array;
    int64_t coords[4096][2];
} walk;

static double take_walk(void *state, int repetition)
{
    walk *way = state;
    double sum = 0;
    double expected = 0;
    (void)repetition;

    double start = bench_cpu_now();
    for (int i = 0; i < 4096; i++) {
        double cell;
        BENCH_XTA(xta_array_get(way->array, way->coords[i], &cell, &bench_error));
        sum += cell;
    }
    double taken = bench_cpu_now() - start;
    for (int i = 0; i < 4096; i++) {
        expected += bench_value(2, way->coords[i]);
    }
    if (sum != expected) {
        bench_die("wrong data on a walk");
    }
    return taken;
}

static void compare_walks(order_test *test)
{
    static walk walks[2];
    bench_side runs[2];
    double seconds[2];

    for (int i = 0; i < 2; i++) {
        uint64_t random = 9;
        int64_t at[2] = {test->side / 2, test->side / 2};
        walks[i].test = test;
        walks[i].array = test->arrays[i == 0 ? XTA_HILBERT : XTA_ROW];
        for (int step = 0; step < 4096; step++) {
            at[bench_below(&random, 2)] += bench_below(&random, 3) - 1;
            memcpy(walks[i].coords[step], at, sizeof at);
        }
        runs[i] = (bench_side){take_walk, &walks[i]};
    }
    bench_alternate(runs, 2, 9, seconds);
    bench_print(&(bench_row){"Hilbert chunks; walk to random neighbours", "xta_array_get",
                             seconds[0] / 4096 * 1e9, "row-major chunks", seconds[1] / 4096 * 1e9,
                             "ns", BENCH_TIME, 0});
}

int main(void)
{
    static order_test test;
    static const char *const files[4] = {"order_row", "order_column", "order_morton",
                                         "order_hilbert"};
    static const int64_t chunk[2] = {CHUNK, CHUNK};
    static const int64_t zero[2] = {0, 0};

    bench_begin("order");
    test.side = bench_small() ? 1024 : 4096;
    int64_t bounds[2] = {test.side, test.side};
    xta_box all = bench_box(2, zero, bounds);
    size_t bytes = (size_t)(test.side * test.side) * sizeof(double);
    test.cells = bench_memory(bytes);
    test.other = bench_memory(bytes);
    bench_fill(&all, test.other);
    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        options.chunk = chunk;
        options.order = (xta_order)order;
        bench_remove_array(bench_path(files[order]));
        BENCH_XTA(xta_array_create(bench_path(files[order]), XTA_F64, 2, bounds, &options,
                                   &test.arrays[order], &bench_error));
        BENCH_XTA(xta_array_write(test.arrays[order], &all, NULL, test.other, &bench_error));
    }
    peer_create(&test.theirs, bench_path("order.h5"), H5T_NATIVE_DOUBLE, 2, bounds, chunk);
    peer_write(&test.theirs, &all, test.other);

    compare_whole(&test);
    compare_boxes(&test, "rows", 1, test.side);
    compare_boxes(&test, "columns", test.side, 1);
    compare_boxes(&test, "squares", 16, 16);
    compare_boxes(&test, "squares", 128, 128);
    compare_walks(&test);

    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        BENCH_XTA(xta_array_close(test.arrays[order], &bench_error));
        bench_remove_array(bench_path(files[order]));
    }
    peer_close(&test.theirs);
    bench_remove(bench_path("order.h5"));
    free(test.cells);
    free(test.other);
    return 0;
}
