/* Single cells. First [CXA] Fig. 6.4.3: an array of 2, 3 or 4 axes grows on its axes in turn, one
 * chunk at a time; after each growth the new slab is written and 1,000 random cells of the array
 * are read. Then single cells of an array that fits into the caches of both sides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "peer_hdf5.h"

#define READS       1000
#define PASSES      100 // over the same cells, so that they lie in the processor's cache
#define REPETITIONS 3

typedef struct growing {
    int ndim;
    int64_t chunk[4];
    int growths;
    double *slab;
    bool peer;     // the axis that grows next
    double grow_s; // of the latest run: extending, and writing the slabs
    double read_s; // reading single cells
} growing;

/* An XTA or an HDF5 array, so that one loop serves both. */
typedef struct both {
    xta_array *ours;
    peer_hdf5 theirs;
} both;

static int64_t product(int n, const int64_t values[])
{
    int64_t all = 1;
    for (int i = 0; i < n; i++) {
        all *= values[i];
    }
    return all;
}

/* Extend by one chunk on `axis` and write the new slab; its cells are made before the clock starts.
 */
static double grow_once(growing *test, both *array, int64_t bounds[], int axis)
{
    int64_t zero[4] = {0};
    xta_box slab = bench_box(test->ndim, zero, bounds);

    slab.lo[axis] = bounds[axis];
    slab.hi[axis] = bounds[axis] += test->chunk[axis];
    bench_fill(&slab, test->slab);
    double start = bench_now();
    if (test->peer) {
        peer_set_extent(&array->theirs, bounds);
        peer_see_bounds(&array->theirs);
        peer_write(&array->theirs, &slab, test->slab);
    } else {
        xta_growth growth = {axis, XTA_BACK, test->chunk[axis]};
        BENCH_XTA(xta_array_extend(array->ours, &growth, 1, NULL, &bench_error));
        BENCH_XTA(xta_array_write(array->ours, &slab, NULL, test->slab, &bench_error));
    }
    return bench_now() - start;
}

static double read_cells(growing *test, both *array, const int64_t bounds[], uint64_t *random)
{
    static int64_t coords[READS][4];
    static double cells[READS];
    static const int64_t one[4] = {1, 1, 1, 1};

    for (int i = 0; i < READS; i++) {
        for (int axis = 0; axis < test->ndim; axis++) {
            coords[i][axis] = bench_below(random, bounds[axis]);
        }
    }
    double start = bench_now();
    for (int i = 0; i < READS; i++) {
        if (test->peer) {
            xta_box box = bench_box(test->ndim, coords[i], one);
            peer_read(&array->theirs, &box, &cells[i]);
        } else {
            BENCH_XTA(xta_array_get(array->ours, coords[i], &cells[i], &bench_error));
        }
    }
    double taken = bench_now() - start;
    for (int i = 0; i < READS; i++) {
        xta_box box = bench_box(test->ndim, coords[i], one);
        bench_verify(&box, &cells[i], test->peer ? "HDF5" : "xta");
    }
    return taken;
}

/* One whole history. */
static void run_growing(growing *test)
{
    const char *path = bench_path(test->peer ? "cells.h5" : "cells");
    uint64_t random = 7;
    int64_t bounds[4];
    both array = {0};

    memcpy(bounds, test->chunk, sizeof bounds);
    bounds[0] = 0; // The first growth then allocates the first chunk.
    if (test->peer) {
        peer_create(&array.theirs, path, H5T_NATIVE_DOUBLE, test->ndim, bounds, test->chunk);
    } else {
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        options.chunk = test->chunk;
        bench_remove_array(path);
        BENCH_XTA(xta_array_create(path, XTA_F64, test->ndim, bounds, &options, &array.ours,
                                   &bench_error));
    }
    test->grow_s = 0;
    test->read_s = 0;
    for (int growth = 0; growth <= test->growths; growth++) {
        test->grow_s += grow_once(test, &array, bounds, growth == 0 ? 0 : growth % test->ndim);
        test->read_s += read_cells(test, &array, bounds, &random);
    }
    if (test->peer) {
        peer_close(&array.theirs);
        bench_remove(path);
    } else {
        BENCH_XTA(xta_array_close(array.ours, &bench_error));
        bench_remove_array(path);
    }
}

static void compare_growing(int ndim, int64_t chunk, int growths)
{
    growing test = {.ndim = ndim, .growths = growths};
    double grow[2][REPETITIONS];
    double read[2][REPETITIONS];
    int64_t largest[4];
    char name[64];

    for (int axis = 0; axis < ndim; axis++) {
        test.chunk[axis] = chunk;
        largest[axis] = chunk * (growths / ndim + 2);
    }
    largest[0] = chunk;
    test.slab = bench_memory((size_t)product(ndim, largest) * sizeof(double));
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        for (int turn = 0; turn < 2; turn++) {
            int side = (turn + repetition) % 2;
            test.peer = side == 1;
            bench_settle();
            run_growing(&test);
            grow[side][repetition] = test.grow_s;
            read[side][repetition] = test.read_s;
        }
    }
    free(test.slab);

    snprintf(name, sizeof name, "%d axes; chunk %lld a side; %d growths", ndim, (long long)chunk,
             growths);
    double scale = 1e9 / ((double)READS * (growths + 1));
    bench_print(&(bench_row){name, "random cell read between growths",
                             bench_median(read[0], REPETITIONS) * scale, "HDF5",
                             bench_median(read[1], REPETITIONS) * scale, "ns", BENCH_TIME, 0});
    scale = 1e6 / (growths + 1);
    bench_print(&(bench_row){name, "growth by a slab with its cells",
                             bench_median(grow[0], REPETITIONS) * scale, "HDF5",
                             bench_median(grow[1], REPETITIONS) * scale, "us", BENCH_TIME, 0});
}

/* Cells of an array that fits into the caches of both sides; times are processor times. */
typedef struct cached {
    xta_array *ours;
    peer_hdf5 theirs;
    int64_t coords[READS][3];
    double cells[READS];
    hid_t spaces[READS]; // one selection for each cell, made before the clock starts
    hid_t all_cells;     // all of them in one selection
    hid_t one_cell;
    hid_t many_cells;
} cached;

static const int64_t CACHED_BOUNDS[3] = {128, 128, 128};
static const int64_t CACHED_CHUNK[3] = {32, 32, 32};

static void verify_cells(const cached *test, const char *who)
{
    static const int64_t one[3] = {1, 1, 1};
    for (int i = 0; i < READS; i++) {
        xta_box box = bench_box(3, test->coords[i], one);
        bench_verify(&box, &test->cells[i], who);
    }
}

static double run_get(void *state, int repetition)
{
    cached *test = state;
    (void)repetition;
    memset(test->cells, 0, sizeof test->cells);
    double start = bench_cpu_now();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < READS; i++) {
            BENCH_XTA(xta_array_get(test->ours, test->coords[i], &test->cells[i], &bench_error));
        }
    }
    double taken = bench_cpu_now() - start;
    verify_cells(test, "xta_array_get");
    return taken;
}

/* The cells are set to zero before the clock starts, so that a write that does nothing is
 * detected. */
static double run_put(void *state, int repetition)
{
    static const double zero;
    cached *test = state;
    (void)repetition;
    for (int i = 0; i < READS; i++) {
        BENCH_XTA(xta_array_put(test->ours, test->coords[i], &zero, &bench_error));
    }
    double start = bench_cpu_now();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < READS; i++) {
            BENCH_XTA(xta_array_put(test->ours, test->coords[i], &test->cells[i], &bench_error));
        }
    }
    return bench_cpu_now() - start;
}

static double run_dread(void *state, int repetition)
{
    cached *test = state;
    (void)repetition;
    memset(test->cells, 0, sizeof test->cells);
    double start = bench_cpu_now();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < READS; i++) {
            BENCH_H5(H5Dread(test->theirs.dataset, H5T_NATIVE_DOUBLE, test->one_cell,
                             test->spaces[i], H5P_DEFAULT, &test->cells[i]));
        }
    }
    double taken = bench_cpu_now() - start;
    verify_cells(test, "H5Dread");
    return taken;
}

static double run_dwrite(void *state, int repetition)
{
    static const double zero;
    cached *test = state;
    (void)repetition;
    for (int i = 0; i < READS; i++) {
        BENCH_H5(H5Dwrite(test->theirs.dataset, H5T_NATIVE_DOUBLE, test->one_cell, test->spaces[i],
                          H5P_DEFAULT, &zero));
    }
    double start = bench_cpu_now();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < READS; i++) {
            BENCH_H5(H5Dwrite(test->theirs.dataset, H5T_NATIVE_DOUBLE, test->one_cell,
                              test->spaces[i], H5P_DEFAULT, &test->cells[i]));
        }
    }
    return bench_cpu_now() - start;
}

static double run_select_and_dread(void *state, int repetition)
{
    static const int64_t one[3] = {1, 1, 1};
    cached *test = state;
    (void)repetition;
    double start = bench_cpu_now();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < READS; i++) {
            xta_box box = bench_box(3, test->coords[i], one);
            peer_read(&test->theirs, &box, &test->cells[i]);
        }
    }
    return bench_cpu_now() - start;
}

static double run_dread_all(void *state, int repetition)
{
    cached *test = state;
    (void)repetition;
    memset(test->cells, 0, sizeof test->cells);
    double start = bench_cpu_now();
    for (int pass = 0; pass < PASSES; pass++) {
        BENCH_H5(H5Dread(test->theirs.dataset, H5T_NATIVE_DOUBLE, test->many_cells, test->all_cells,
                         H5P_DEFAULT, test->cells));
    }
    double taken = bench_cpu_now() - start;
    verify_cells(test, "H5Dread of a selection");
    return taken;
}

static void make_cached(cached *test)
{
    int64_t zero[3] = {0};
    xta_box all = bench_box(3, zero, CACHED_BOUNDS);
    double *cells = bench_memory((size_t)product(3, CACHED_BOUNDS) * sizeof(double));
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    hsize_t points[READS][3];
    hsize_t one = 1;
    hsize_t many = READS;
    uint64_t random = 3;

    bench_fill(&all, cells);
    options.chunk = CACHED_CHUNK;
    bench_remove_array(bench_path("cells"));
    BENCH_XTA(xta_array_create(bench_path("cells"), XTA_F64, 3, CACHED_BOUNDS, &options,
                               &test->ours, &bench_error));
    BENCH_XTA(xta_array_write(test->ours, &all, NULL, cells, &bench_error));
    peer_create(&test->theirs, bench_path("cells.h5"), H5T_NATIVE_DOUBLE, 3, CACHED_BOUNDS,
                CACHED_CHUNK);
    peer_write(&test->theirs, &all, cells);
    free(cells);
    for (int i = 0; i < READS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            test->coords[i][axis] = bench_below(&random, CACHED_BOUNDS[axis]);
            points[i][axis] = (hsize_t)test->coords[i][axis];
        }
        test->spaces[i] = peer_cell_space(&test->theirs, test->coords[i]);
    }
    test->one_cell = BENCH_H5(H5Screate_simple(1, &one, NULL));
    test->many_cells = BENCH_H5(H5Screate_simple(1, &many, NULL));
    test->all_cells = BENCH_H5(H5Scopy(test->theirs.file_space));
    BENCH_H5(H5Sselect_elements(test->all_cells, H5S_SELECT_SET, READS, &points[0][0]));
}

static void free_cached(cached *test)
{
    for (int i = 0; i < READS; i++) {
        BENCH_H5(H5Sclose(test->spaces[i]));
    }
    BENCH_H5(H5Sclose(test->one_cell));
    BENCH_H5(H5Sclose(test->many_cells));
    BENCH_H5(H5Sclose(test->all_cells));
    peer_close(&test->theirs);
    bench_remove(bench_path("cells.h5"));
    BENCH_XTA(xta_array_close(test->ours, &bench_error));
    bench_remove_array(bench_path("cells"));
}

static void compare_cached(void)
{
    static cached test;
    const char *name = "128^3 f64 in the cache; chunk 32 a side";
    double seconds[4];
    double scale = 1e9 / (READS * PASSES);

    make_cached(&test);
    bench_side reads[] = {{run_get, &test},
                          {run_dread, &test},
                          {run_select_and_dread, &test},
                          {run_dread_all, &test}};
    bench_alternate(reads, 4, 15, seconds);
    bench_print(&(bench_row){name, "random cell read", seconds[0] * scale,
                             "HDF5 (selections made before)", seconds[1] * scale, "ns", BENCH_TIME,
                             100});
    bench_print(&(bench_row){name, "random cell read", seconds[0] * scale,
                             "HDF5 (selection made for each cell)", seconds[2] * scale, "ns",
                             BENCH_TIME, 0});
    bench_print(&(bench_row){name, "random cell read", seconds[0] * scale,
                             "HDF5 (1000 cells in one call)", seconds[3] * scale, "ns", BENCH_TIME,
                             0});
    bench_side writes[] = {{run_put, &test}, {run_dwrite, &test}};
    bench_alternate(writes, 2, 15, seconds);
    run_get(&test, 0);
    run_dread(&test, 0);
    bench_print(&(bench_row){name, "random cell write", seconds[0] * scale,
                             "HDF5 (selections made before)", seconds[1] * scale, "ns", BENCH_TIME,
                             0});
    free_cached(&test);
}

int main(void)
{
    bench_begin("cells");
    compare_cached();
    compare_growing(2, 32, bench_small() ? 32 : 64);
    compare_growing(3, 32, bench_small() ? 12 : 24);
    compare_growing(4, 16, bench_small() ? 8 : 16);
    return 0;
}
