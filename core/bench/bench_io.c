/* Page faults: what a box costs the first time that a handle touches its pages, and the second
 * time.
 *
 * A cube of float64 in chunks of 64^3 (2 MiB, which a processor can map with one entry), written by
 * one call and synced, is compared with a flat file written 2 MiB at a time. For each box and
 * repetition both are reopened, so that nothing is mapped yet while all pages are in the page cache
 * and clean; then the box is moved twice. The plain side copies rows from and to a mapping of the
 * flat file. The sides take turns going first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"

enum { CHUNK = 64, REPETITIONS = 11, SIDES = 3 };

static const char *const side_names[SIDES] = {"mapped", "cached", "plain mmap"};

typedef struct cube {
    int64_t side;
    size_t bytes;
    double *cells; // large enough for all of them
    const char *path, *flat_path;
} cube;

/* The boxes moved, at the same place in each repetition. */
typedef struct shape {
    const char *name;
    int64_t lo[3], length[3]; // a length of 0 is the whole side
} shape;

/* One side in one repetition: the first and the second time. */
typedef struct cost {
    double seconds[2];
    double faults[2];
} cost;

static double faults_now(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_minflt + usage.ru_majflt);
}

static xta_box box_of(const cube *test, const shape *s)
{
    int64_t length[3];

    for (int axis = 0; axis < 3; axis++) {
        length[axis] = s->length[axis] > 0 ? s->length[axis] : test->side;
    }
    return bench_box(3, s->lo, length);
}

static double chunks_in(const xta_box *box)
{
    double n = 1;

    for (int axis = 0; axis < 3; axis++) {
        n *= (double)((box->hi[axis] - 1) / CHUNK - box->lo[axis] / CHUNK + 1);
    }
    return n;
}

static void make_files(cube *test)
{
    const int64_t bounds[3] = {test->side, test->side, test->side};
    const int64_t chunk[3] = {CHUNK, CHUNK, CHUNK}, zero[3] = {0, 0, 0};
    const size_t piece = (size_t)2 << 20;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_box all = bench_box(3, zero, bounds);

    bench_fill(&all, test->cells);
    options.chunk = chunk;
    bench_remove_array(test->path);
    BENCH_XTA(xta_array_create(test->path, XTA_F64, 3, bounds, &options, &array, &bench_error));
    BENCH_XTA(xta_array_write(array, &all, NULL, test->cells, &bench_error));
    BENCH_XTA(xta_array_sync(array, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));

    int flat = open(test->flat_path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (size_t at = 0; at < test->bytes; at += piece) {
        if (pwrite(flat, (const char *)test->cells + at, piece, (off_t)at) != (ssize_t)piece) {
            bench_die("%s: cannot be written", test->flat_path);
        }
    }
    if (fdatasync(flat) != 0) {
        bench_die("%s: cannot be synced", test->flat_path);
    }
    close(flat);
}

static void move_rows(double *file, const cube *test, const xta_box *box, bool write)
{
    double *memory = test->cells;
    size_t row = (size_t)(box->hi[2] - box->lo[2]);

    for (int64_t x = box->lo[0]; x < box->hi[0]; x++) {
        for (int64_t y = box->lo[1]; y < box->hi[1]; y++) {
            double *at = file + (x * test->side + y) * test->side + box->lo[2];
            if (write) {
                memcpy(at, memory, row * sizeof *at);
            } else {
                memcpy(memory, at, row * sizeof *at);
            }
            memory += row;
        }
    }
}

static cost move_plain(const cube *test, const xta_box *box, bool write)
{
    cost c;
    int flat = open(test->flat_path, O_RDWR);
    double *file = mmap(NULL, test->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, flat, 0);

    if (file == MAP_FAILED) {
        bench_die("%s: cannot be mapped", test->flat_path);
    }
    for (int k = 0; k < 2; k++) {
        double faults = faults_now(), start = bench_now();
        move_rows(file, test, box, write);
        c.seconds[k] = bench_now() - start;
        c.faults[k] = faults_now() - faults;
    }
    munmap(file, test->bytes);
    if (write && fdatasync(flat) != 0) {
        bench_die("%s: cannot be synced", test->flat_path);
    }
    close(flat);
    return c;
}

static cost move_ours(const cube *test, const xta_box *box, bool write, xta_access access)
{
    cost c;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = access;
    BENCH_XTA(xta_array_open(test->path, &options, &array, &bench_error));
    for (int k = 0; k < 2; k++) {
        double faults = faults_now(), start = bench_now();
        if (write) {
            BENCH_XTA(xta_array_write(array, box, NULL, test->cells, &bench_error));
        } else {
            BENCH_XTA(xta_array_read(array, box, NULL, test->cells, &bench_error));
        }
        c.seconds[k] = bench_now() - start;
        c.faults[k] = faults_now() - faults;
    }
    if (write) {
        BENCH_XTA(xta_array_sync(array, &bench_error));
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    return c;
}

static cost move_by(int side, const cube *test, const xta_box *box, bool write)
{
    cost c = side == 2
                 ? move_plain(test, box, write)
                 : move_ours(test, box, write, side == 0 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED);

    if (!write) {
        bench_verify(box, test->cells, side_names[side]);
    }
    return c;
}

static void compare(const cube *test, const shape *s, bool write)
{
    xta_box box = box_of(test, s);
    double seconds[SIDES][2][REPETITIONS], faults[SIDES][2][REPETITIONS];
    char name[80], metric[80];

    bench_fill(&box, test->cells);
    for (int r = 0; r < REPETITIONS; r++) {
        for (int turn = 0; turn < SIDES; turn++) {
            int side = (r + turn) % SIDES;
            cost c = move_by(side, test, &box, write);
            for (int k = 0; k < 2; k++) {
                seconds[side][k][r] = c.seconds[k];
                faults[side][k][r] = c.faults[k];
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        double plain = bench_median(seconds[2][k], REPETITIONS);
        double plain_faults = bench_median(faults[2][k], REPETITIONS);
        snprintf(metric, sizeof metric, "%s%s", write ? "write" : "read", k ? " again" : "");
        for (int side = 0; side < 2; side++) {
            double n = bench_median(faults[side][k], REPETITIONS);
            snprintf(name, sizeof name, "%s; %s", s->name, side_names[side]);
            bench_print(&(bench_row){
                name, metric, bench_median(seconds[side][k], REPETITIONS) * 1e6, side_names[2],
                plain * 1e6, "us", BENCH_COST, side == 0 ? k ? 2 : 1.3 : 0});
            if (k == 0) {
                bench_print(&(bench_row){name, metric, n, side_names[2], plain_faults, "faults",
                                         BENCH_COST, 0});
            }
            if (k == 0 && side == 0) {
                bench_print(&(bench_row){name, metric, n, "two for each 2 MiB", 2 * chunks_in(&box),
                                         "faults", BENCH_COST, 1});
            }
        }
    }
}

int main(void)
{
    static const shape shapes[] = {
        {"4^3 unaligned", {100, 101, 102}, {4, 4, 4}},
        {"16^3 unaligned", {33, 34, 35}, {16, 16, 16}},
        {"64^3 unaligned", {70, 80, 90}, {64, 64, 64}},
        {"128^3 unaligned", {70, 80, 90}, {128, 128, 128}},
        {"plane of axis 1", {0, 77, 0}, {0, 1, 0}},
        {"plane of axis 2", {0, 0, 77}, {0, 0, 1}},
    };
    cube test = {.side = bench_small() ? 256 : 512};

    bench_begin("io");
    test.bytes = (size_t)(test.side * test.side * test.side) * sizeof(double);
    test.cells = bench_memory(test.bytes);
    test.path = bench_path("cube");
    test.flat_path = bench_path("flat");
    make_files(&test);
    bench_settle();
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        compare(&test, &shapes[k], false);
        compare(&test, &shapes[k], true);
    }
    bench_remove_array(test.path);
    bench_remove(test.flat_path);
    free(test.cells);
    return 0;
}
