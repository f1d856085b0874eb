/* Boxes, planes and the whole of a float64 cube with 64^3 chunks: ours, HDF5, and the plain calls
 * that move the same bytes from a flat file.
 *
 * "anywhere" is a box at a random place of the whole cube, which is sixteen times HDF5's chunk
 * cache. "in the cache" keeps to a corner of 192^3 cells (54 MiB) that the cache holds. Each
 * repetition has its own random places, the same for both sides. Neither side syncs anything inside
 * a timed part.
 *
 * "cached" is an XTA handle with a chunk cache as large as HDF5's: its dirty chunks are lost with
 * the process, as with HDF5. Writes of the other rows survive a kill, so they are compared with
 * HDF5 with a flush after each box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"
#include "peer_hdf5.h"

#define CHUNK         64
#define CORNER        192
#define MAX_BOXES     1000
#define PLANES        4
#define FLUSHED_BOXES 24
#define REPETITIONS   5
#define READ_BYTES    ((size_t)2 << 20)

typedef struct cube {
    int64_t side;
    size_t bytes;
    double *cells; // large enough for all of them
    xta_array *ours;
    peer_hdf5 theirs;
    int plain;    // a flat file of the same size
    double *flat; // the same, mapped
    // The current request:
    xta_box boxes[MAX_BOXES];
    int n_boxes;
    int made_for; // the repetition that `boxes` was made for
    int64_t length[3];
    int64_t region; // boxes lie in [0, region)^3
    bool aligned;
    bool write;
    bool cached; // the XTA handle has a chunk cache of the size of HDF5's
    bool flush;  // HDF5 flushes its file after each box, to be as safe from a kill as XTA's mapping
} cube;

static size_t cells_of(const xta_box *box)
{
    uint64_t n = 0;
    if (xta_box_cells(box, &n) != XTA_OK) {
        bench_die("a box overflows");
    }
    return (size_t)n;
}

/* The same places for both sides of a repetition. Aligned boxes shorter than a chunk lie at a
 * multiple of their length, so inside one chunk; the others at a chunk's corner. */
static void make_boxes(cube *test, int repetition)
{
    uint64_t random = 1000 + (uint64_t)repetition;

    if (test->made_for == repetition) {
        return;
    }
    for (int i = 0; i < test->n_boxes; i++) {
        int64_t lo[3];
        for (int axis = 0; axis < 3; axis++) {
            int64_t step = test->length[axis] < CHUNK ? test->length[axis] : CHUNK;
            int64_t slack = test->region - test->length[axis];
            lo[axis] = bench_below(&random, slack + 1);
            if (test->aligned) {
                lo[axis] -= lo[axis] % step;
            }
        }
        test->boxes[i] = bench_box(3, lo, test->length);
    }
    test->made_for = repetition;
}

static void verify_boxes(const cube *test, const char *who)
{
    const double *cells = test->cells;
    for (int i = 0; i < test->n_boxes; i++) {
        bench_verify(&test->boxes[i], cells, who);
        cells += cells_of(&test->boxes[i]);
    }
}

/* Boxes are read one after another into one buffer. The values written are the ones the cells
 * already hold, so that every later read can be checked. */
static void prepare_cells(cube *test)
{
    double *cells = test->cells;
    for (int i = 0; i < test->n_boxes; i++) {
        if (test->write) {
            bench_fill(&test->boxes[i], cells);
        } else {
            memset(cells, 0, cells_of(&test->boxes[i]) * sizeof(double));
        }
        cells += cells_of(&test->boxes[i]);
    }
}

static double run_ours(void *state, int repetition)
{
    cube *test = state;
    double *cells = test->cells;

    make_boxes(test, repetition);
    prepare_cells(test);
    double start = bench_now();
    for (int i = 0; i < test->n_boxes; i++) {
        const xta_box *box = &test->boxes[i];
        if (test->write) {
            BENCH_XTA(xta_array_write(test->ours, box, NULL, cells, &bench_error));
        } else {
            BENCH_XTA(xta_array_read(test->ours, box, NULL, cells, &bench_error));
        }
        cells += cells_of(box);
    }
    double taken = bench_now() - start;
    verify_boxes(test, "xta");
    return taken;
}

static double run_hdf5(void *state, int repetition)
{
    cube *test = state;
    double *cells = test->cells;

    make_boxes(test, repetition);
    prepare_cells(test);
    double start = bench_now();
    for (int i = 0; i < test->n_boxes; i++) {
        if (test->write) {
            peer_write(&test->theirs, &test->boxes[i], cells);
            if (test->flush) {
                peer_flush(&test->theirs);
            }
        } else {
            peer_read(&test->theirs, &test->boxes[i], cells);
        }
        cells += cells_of(&test->boxes[i]);
    }
    double taken = bench_now() - start;
    verify_boxes(test, "HDF5");
    return taken;
}

/* Plain access to a box: a flat row-major file, mapped, and a memcpy for each row of the box. */
static void copy_rows(const cube *test, const xta_box *box, double *cells)
{
    size_t row = (size_t)(box->hi[2] - box->lo[2]);

    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            double *there = test->flat + (i * test->side + j) * test->side + box->lo[2];
            if (test->write) {
                memcpy(there, cells, row * sizeof(double));
            } else {
                memcpy(cells, there, row * sizeof(double));
            }
            cells += row;
        }
    }
}

static double run_memcpy(void *state, int repetition)
{
    cube *test = state;
    double *cells = test->cells;

    make_boxes(test, repetition);
    prepare_cells(test);
    double start = bench_now();
    for (int i = 0; i < test->n_boxes; i++) {
        copy_rows(test, &test->boxes[i], cells);
        cells += cells_of(&test->boxes[i]);
    }
    double taken = bench_now() - start;
    verify_boxes(test, "memcpy");
    return taken;
}

static void compare(cube *test, const char *name, double target)
{
    bench_side sides[] = {{run_ours, test}, {run_hdf5, test}, {run_memcpy, test}};
    double seconds[3];
    double scale = 1e6 / test->n_boxes;

    test->made_for = -1;
    bench_settle();
    bench_alternate(sides, 3, REPETITIONS, seconds);
    bench_print(&(bench_row){name, test->write ? "write" : "read", seconds[0] * scale, "HDF5",
                             seconds[1] * scale, "us", BENCH_TIME,
                             test->write && !test->cached ? 0 : target});
    bench_print(&(bench_row){name, test->write ? "write" : "read", seconds[0] * scale,
                             "memcpy of rows (flat file; mapped)", seconds[2] * scale, "us",
                             BENCH_TIME, 0});
}

/* Reopen the XTA handle, with a chunk cache or without. */
static void reopen(cube *test)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    options.access = test->cached ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
    options.cache_bytes = BENCH_CACHE_BYTES;
    BENCH_XTA(xta_array_close(test->ours, &bench_error));
    BENCH_XTA(xta_array_open(bench_path("boxes"), &options, &test->ours, &bench_error));
}

static void compare_flushed(cube *test, const char *name)
{
    bench_side sides[] = {{run_ours, test}, {run_hdf5, test}};
    double seconds[2];
    int n_boxes = test->n_boxes;
    double scale = 1e6 / FLUSHED_BOXES;

    test->made_for = -1;
    test->flush = true;
    test->n_boxes = FLUSHED_BOXES;
    bench_settle();
    bench_alternate(sides, 2, REPETITIONS, seconds);
    bench_print(&(bench_row){name, "write", seconds[0] * scale, "HDF5 + H5Fflush",
                             seconds[1] * scale, "us", BENCH_TIME, 1});
    test->flush = false;
    test->n_boxes = n_boxes;
}

static void compare_boxes(cube *test, int64_t length, int n_boxes, int64_t region, double target)
{
    char name[80];

    int64_t fit = (int64_t)(test->bytes / sizeof(double)) / (length * length * length);
    test->n_boxes = fit < n_boxes ? (int)fit : n_boxes;
    test->region = region;
    for (int axis = 0; axis < 3; axis++) {
        test->length[axis] = length;
    }
    for (int kind = 0; kind < 4; kind++) {
        test->aligned = kind % 2 == 0;
        test->write = kind >= 2;
        snprintf(name, sizeof name, "box %lld^3 %s %s%s", (long long)length,
                 test->aligned ? "aligned" : "unaligned",
                 region == CORNER ? "in the cache" : "anywhere", test->cached ? "; cached" : "");
        compare(test, name, length == 64 && test->aligned && !test->cached ? 0 : target);
        if (region == CORNER && test->write && !test->cached) {
            compare_flushed(test, name);
        }
    }
}

/* A handle with a chunk cache against HDF5, and writes that survive a kill against HDF5 with a
 * flush. */
static void compare_in_cache(cube *test, int64_t length, int n_boxes, double target)
{
    test->cached = true;
    reopen(test);
    compare_boxes(test, length, n_boxes, CORNER, 1);
    test->cached = false;
    reopen(test);
    compare_boxes(test, length, n_boxes, CORNER, target);
}

static void compare_planes(cube *test)
{
    char name[80];

    test->n_boxes = PLANES;
    test->region = test->side;
    test->aligned = false;
    for (int across = 0; across < 3; across++) {
        for (int write = 0; write < 2; write++) {
            for (int axis = 0; axis < 3; axis++) {
                test->length[axis] = axis == across ? 1 : test->side;
            }
            test->write = write == 1;
            snprintf(name, sizeof name, "plane across axis %d", across);
            compare(test, name, 0);
        }
    }
}

/* The plain loops: the same bytes, from a flat file into the same memory, 2 MiB per call. */
static double run_pread(void *state, int repetition)
{
    cube *test = state;
    char *bytes = (char *)test->cells;
    (void)repetition;

    memset(bytes, 0, test->bytes);
    double start = bench_now();
    for (size_t at = 0; at < test->bytes; at += READ_BYTES) {
        if (pread(test->plain, bytes + at, READ_BYTES, (off_t)at) != (ssize_t)READ_BYTES) {
            bench_die("pread of the flat file failed");
        }
    }
    double taken = bench_now() - start;
    bench_verify(&test->boxes[0], test->cells, "pread");
    return taken;
}

static double run_pwrite(void *state, int repetition)
{
    cube *test = state;
    const char *bytes = (const char *)test->cells;
    (void)repetition;

    bench_fill(&test->boxes[0], test->cells);
    double start = bench_now();
    for (size_t at = 0; at < test->bytes; at += READ_BYTES) {
        if (pwrite(test->plain, bytes + at, READ_BYTES, (off_t)at) != (ssize_t)READ_BYTES) {
            bench_die("pwrite to the flat file failed");
        }
    }
    return bench_now() - start;
}

static void compare_whole(cube *test, const char *name, bool write)
{
    bench_side sides[] = {
        {run_ours, test}, {run_hdf5, test}, {write ? run_pwrite : run_pread, test}};
    double rate = (double)test->bytes / 1e9;
    const char *metric = write ? "write" : "read";
    double seconds[3];

    test->n_boxes = 1;
    test->aligned = true;
    test->write = write;
    test->region = test->side;
    test->made_for = -1;
    for (int axis = 0; axis < 3; axis++) {
        test->length[axis] = test->side;
    }
    make_boxes(test, 0);
    bench_settle();
    bench_alternate(sides, 3, 3, seconds);
    bench_print(&(bench_row){name, metric, rate / seconds[0], "HDF5", rate / seconds[1], "GB/s",
                             BENCH_RATE, 0});
    bench_print(
        &(bench_row){name, metric, rate / seconds[0],
                     write ? "pwrite loop (2 MiB; flat file)" : "pread loop (2 MiB; flat file)",
                     rate / seconds[2], "GB/s", BENCH_RATE, write ? 0 : 0.85});
}

static void create(cube *test)
{
    int64_t bounds[3] = {test->side, test->side, test->side};
    int64_t chunk[3] = {CHUNK, CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    bench_remove_array(bench_path("boxes"));
    BENCH_XTA(xta_array_create(bench_path("boxes"), XTA_F64, 3, bounds, &options, &test->ours,
                               &bench_error));
    peer_create(&test->theirs, bench_path("boxes.h5"), H5T_NATIVE_DOUBLE, 3, bounds, chunk);
    test->plain = open(bench_path("boxes.raw"), O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (test->plain < 0) {
        bench_die("cannot create %s", bench_path("boxes.raw"));
    }
}

/* After the flat file has been written. */
static void map_flat(cube *test)
{
    void *flat = mmap(NULL, test->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, test->plain, 0);
    if (flat == MAP_FAILED) {
        bench_die("cannot map %s", bench_path("boxes.raw"));
    }
    test->flat = flat;
}

int main(void)
{
    static cube test;

    bench_begin("boxes");
    test.side = bench_small() ? 256 : 512;
    test.bytes = (size_t)(test.side * test.side * test.side) * sizeof(double);
    test.cells = bench_memory(test.bytes);
    create(&test);

    compare_whole(&test, "whole array", true);
    compare_whole(&test, "whole array", false);
    map_flat(&test);
    compare_boxes(&test, 1, 200, test.side, 0);
    compare_boxes(&test, 4, 200, test.side, 0);
    compare_boxes(&test, 16, 200, test.side, 10);
    compare_boxes(&test, 64, 24, test.side, 4);
    compare_boxes(&test, 128, 8, test.side, 0);
    compare_boxes(&test, 256, 2, test.side, 0);
    compare_in_cache(&test, 1, MAX_BOXES, 0);
    compare_in_cache(&test, 4, MAX_BOXES, 0);
    compare_in_cache(&test, 16, 500, 10);
    compare_in_cache(&test, 64, 24, 4);
    compare_planes(&test);

    BENCH_XTA(xta_array_close(test.ours, &bench_error));
    bench_remove_array(bench_path("boxes"));
    peer_close(&test.theirs);
    bench_remove(bench_path("boxes.h5"));
    munmap(test.flat, test.bytes);
    close(test.plain);
    bench_remove(bench_path("boxes.raw"));
    free(test.cells);
    return 0;
}
