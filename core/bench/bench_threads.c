/* Boxes moved by two threads: the gain of the second thread, compared with its gain for plain
 * copies.
 *
 * A cube of float64 in chunks of 64^3 and a flat file of as many bytes, both in the page cache. A
 * box is read and written by one thread and by two; as many bytes of the flat file are copied by
 * memcpy from and to a mapping, and moved by pread and pwrite, by one thread and by two that are
 * created for the call as the library's are. All six take turns, repetition by repetition, so that
 * other load on the machine affects them all. A gain is the time of one thread over the time of
 * two; what counts is XTA's gain relative to the better of the plain gains.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

enum { CHUNK = 64, REPETITIONS = 11, SIDES = 3 };

#define PIECE ((size_t)2 << 20)

static const char *const side_names[SIDES] = {"xta", "memcpy", "calls"};

typedef struct cube {
    int64_t side;
    size_t bytes;
    double *cells; // large enough for all of them
    xta_array *array;
    int flat;
    char *mapping; // of the flat file
} cube;

/* ---- the plain sides ---- */

typedef struct copying {
    const cube *test;
    bool write, calls;
    size_t bytes;
    atomic_size_t next;
} copying;

static void move_piece(const copying *c, size_t at, size_t n)
{
    const cube *test = c->test;
    char *memory = (char *)test->cells + at;
    ssize_t done = (ssize_t)n;

    if (c->calls) {
        done = c->write ? pwrite(test->flat, memory, n, (off_t)at)
                        : pread(test->flat, memory, n, (off_t)at);
    } else if (c->write) {
        memcpy(test->mapping + at, memory, n);
    } else {
        memcpy(memory, test->mapping + at, n);
    }
    if (done != (ssize_t)n) {
        bench_die("the flat file: %zu bytes at %zu cannot be moved", n, at);
    }
}

static void *copy_pieces(void *user)
{
    copying *c = user;

    for (size_t at = atomic_fetch_add(&c->next, PIECE); at < c->bytes;
         at = atomic_fetch_add(&c->next, PIECE)) {
        move_piece(c, at, c->bytes - at < PIECE ? c->bytes - at : PIECE);
    }
    return NULL;
}

static void move_plain(const cube *test, size_t bytes, bool write, bool calls, int threads)
{
    copying c = {.test = test, .write = write, .calls = calls, .bytes = bytes};
    pthread_t other;

    if (threads == 2 && pthread_create(&other, NULL, copy_pieces, &c) != 0) {
        bench_die("no thread can be made");
    }
    copy_pieces(&c);
    if (threads == 2) {
        pthread_join(other, NULL);
    }
}

/* ---- ours ---- */

static void move_ours(const cube *test, const xta_box *box, bool write, int threads)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;

    io.threads = threads;
    if (write) {
        BENCH_XTA(xta_array_write(test->array, box, &io, test->cells, &bench_error));
    } else {
        BENCH_XTA(xta_array_read(test->array, box, &io, test->cells, &bench_error));
    }
}

static double seconds_of(const cube *test, const xta_box *box, bool write, int side, int threads)
{
    uint64_t n = 0;

    if (xta_box_cells(box, &n) != XTA_OK) {
        bench_die("a box overflows");
    }
    double start = bench_now();
    if (side == 0) {
        move_ours(test, box, write, threads);
    } else {
        move_plain(test, (size_t)n * sizeof(double), write, side == 2, threads);
    }
    return bench_now() - start;
}

/* ---- the table ---- */

static void print_case(const char *name, bool write, double seconds[SIDES][2])
{
    const char *what = write ? "write" : "read";
    char metric[80];
    double gain[SIDES];

    for (int side = 0; side < SIDES; side++) {
        gain[side] = seconds[side][0] / seconds[side][1];
    }
    for (int side = 1; side < SIDES; side++) {
        for (int k = 0; k < 2; k++) {
            snprintf(metric, sizeof metric, "%s by %d thread%s", what, k + 1, k > 0 ? "s" : "");
            bench_print(&(bench_row){name, metric, seconds[0][k], side_names[side],
                                     seconds[side][k], "s", BENCH_TIME, 0});
        }
        snprintf(metric, sizeof metric, "%s gain of 2 threads", what);
        bench_print(&(bench_row){name, metric, gain[0], side_names[side], gain[side], "times",
                                 BENCH_RATE, 0.85});
    }
}

static void compare(const cube *test, const char *name, const xta_box *box, bool write)
{
    double times[SIDES][2][REPETITIONS], seconds[SIDES][2];

    bench_fill(box, test->cells);
    for (int r = -1; r < REPETITIONS; r++) {
        for (int turn = 0; turn < 2 * SIDES; turn++) {
            int k = (r + 1 + turn) % (2 * SIDES);
            double took = seconds_of(test, box, write, k / 2, k % 2 + 1);
            if (k / 2 == 0 && !write) {
                bench_verify(box, test->cells, "xta");
            }
            if (r >= 0) {
                times[k / 2][k % 2][r] = took;
            }
        }
    }
    for (int side = 0; side < SIDES; side++) {
        for (int k = 0; k < 2; k++) {
            seconds[side][k] = bench_median(times[side][k], REPETITIONS);
        }
    }
    print_case(name, write, seconds);
    if (write) {
        memset(test->cells, 0, test->bytes);
        move_ours(test, box, false, 2);
        bench_verify(box, test->cells, "xta");
        bench_settle();
    }
}

static void make_files(cube *test, const char *path, const char *flat_path)
{
    const int64_t bounds[3] = {test->side, test->side, test->side};
    const int64_t chunk[3] = {CHUNK, CHUNK, CHUNK}, zero[3] = {0, 0, 0};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_box all = bench_box(3, zero, bounds);

    bench_fill(&all, test->cells);
    options.chunk = chunk;
    options.access = XTA_ACCESS_MAPPED;
    bench_remove_array(path);
    BENCH_XTA(xta_array_create(path, XTA_F64, 3, bounds, &options, &test->array, &bench_error));
    BENCH_XTA(xta_array_write(test->array, &all, NULL, test->cells, &bench_error));
    test->flat = open(flat_path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    move_plain(test, test->bytes, true, true, 1);
    test->mapping = mmap(NULL, test->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, test->flat, 0);
    if (test->mapping == MAP_FAILED) {
        bench_die("%s: cannot be mapped", flat_path);
    }
    bench_settle();
}

int main(void)
{
    static const struct {
        const char *name;
        int64_t lo, length; // on each axis; a length of 0 is the whole side
    } boxes[] = {
        {"64 MiB unaligned", 13, 203},
        {"128 MiB", 64, 256},
        {"250 MiB unaligned", 7, 320},
        {"whole array", 0, 0},
    };
    cube test = {.side = bench_small() ? 256 : 512};
    const char *path = bench_path("threads"), *flat_path = bench_path("threads.flat");

    bench_begin("threads");
    test.bytes = (size_t)(test.side * test.side * test.side) * sizeof(double);
    test.cells = bench_memory(test.bytes);
    make_files(&test, path, flat_path);
    for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
        int64_t length = boxes[k].length > 0 ? boxes[k].length : test.side;
        const int64_t lo[3] = {boxes[k].lo, boxes[k].lo, boxes[k].lo};
        const int64_t lengths[3] = {length, length, length};
        if (lo[0] + length > test.side) {
            continue;
        }
        xta_box box = bench_box(3, lo, lengths);
        compare(&test, boxes[k].name, &box, false);
        compare(&test, boxes[k].name, &box, true);
    }
    munmap(test.mapping, test.bytes);
    close(test.flat);
    BENCH_XTA(xta_array_close(test.array, &bench_error));
    bench_remove_array(path);
    bench_remove(flat_path);
    free(test.cells);
    return 0;
}
