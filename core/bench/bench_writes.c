/* The time of a write into the page cache against `pwrite` of the same bytes: a whole cube into a
 * new file and again over it, boxes into slots that nobody has written, growth with its cells, and
 * planes that are appended one by one. Chunks of 64^3 float64.
 *
 * The peer writes as many bytes from the same memory to a plain file, which is new or already
 * written just as XTA's is, sequentially: a cube and a slab by calls of 2 MiB, a box or a plane by
 * one call. It does not lay them out as an array, which would need a call for each row.
 *
 * The sides take turns going first. Each row is given without and with the sync at the end, as the
 * median and both quartiles of the rounds; page faults are those without the sync.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"

enum { CHUNK = 64, ROUNDS = 11, SIDES = 3, SMALL_ROUNDS = 3 };

typedef enum writer { MAPPED, CACHED, PWRITE } writer;

static const char *const side_names[SIDES] = {"mapped", "cached", "pwrite"};

/* One case: `n` boxes of `length` cells from `first` on, `pitch` apart, written in turn into an
 * array of `bounds`, which grows along `axis` before each of them (-1: not at all). */
typedef struct sequence {
    const char *name;
    int64_t bounds[3], first[3], length[3];
    int64_t pitch[3], n[3];
    int axis;
    bool again;      // over what was written before
    bool with_cache; // a side of its own for a handle that has a chunk cache
    double target;
} sequence;

typedef struct cost {
    double seconds, synced, faults;
} cost;

static double *cells;

static double faults_now(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_minflt + usage.ru_majflt);
}

static size_t bytes_of(const sequence *s)
{
    return (size_t)(s->length[0] * s->length[1] * s->length[2]) * sizeof(double);
}

static int64_t count_of(const sequence *s)
{
    return s->n[0] * s->n[1] * s->n[2];
}

static xta_box box_of(const sequence *s, int64_t k)
{
    int64_t lo[3];

    for (int axis = 2; axis >= 0; axis--) {
        lo[axis] = s->first[axis] + k % s->n[axis] * s->pitch[axis];
        k /= s->n[axis];
    }
    return bench_box(3, lo, s->length);
}

/* ---- the sides ---- */

static xta_array *open_ours(const sequence *s, writer who, bool create)
{
    static const int64_t chunk[3] = {CHUNK, CHUNK, CHUNK};
    const char *path = bench_path("array");
    xta_open_options open_as = XTA_OPEN_OPTIONS_INIT;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    if (create) {
        options.chunk = chunk;
        bench_remove_array(path);
        BENCH_XTA(xta_array_create(path, XTA_F64, 3, s->bounds, &options, &array, &bench_error));
        BENCH_XTA(xta_array_close(array, &bench_error));
    }
    open_as.writable = true;
    open_as.access = who == CACHED ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    // Large enough for the chunks that a plane touches, and a few more.
    open_as.cache_bytes =
        (uint64_t)(CHUNK * sizeof(double)) * (uint64_t)(s->bounds[1] * s->bounds[2]) * 5 / 4;
    BENCH_XTA(xta_array_open(path, &open_as, &array, &bench_error));
    return array;
}

static void write_ours(xta_array *array, const sequence *s)
{
    for (int64_t k = 0; k < count_of(s); k++) {
        xta_box box = box_of(s, k);
        if (s->axis >= 0) {
            xta_growth growth = {s->axis, XTA_BACK, s->length[s->axis]};
            BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
        }
        BENCH_XTA(xta_array_write(array, &box, NULL, cells, &bench_error));
    }
}

/* The array must hold what was written: the same cells in each box. */
static void verify_ours(xta_array *array, const sequence *s)
{
    double *found = bench_memory(bytes_of(s));

    for (int64_t k = 0; k<count_of(s); k += count_of(s)> 8 ? 7 : 1) {
        xta_box box = box_of(s, k);
        BENCH_XTA(xta_array_read(array, &box, NULL, found, &bench_error));
        if (memcmp(found, cells, bytes_of(s)) != 0) {
            bench_die("wrong data from xta: %s, box %lld", s->name, (long long)k);
        }
    }
    free(found);
}

static cost run_ours(const sequence *s, writer who, bool verify)
{
    cost c = {0};
    xta_array *array = open_ours(s, who, !s->again);
    double faults = faults_now(), start = bench_now();

    write_ours(array, s);
    c.seconds = bench_now() - start;
    c.faults = faults_now() - faults;
    BENCH_XTA(xta_array_sync(array, &bench_error));
    c.synced = bench_now() - start;
    if (verify) {
        verify_ours(array, s);
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    return c;
}

static void write_plain(int file, const sequence *s)
{
    const size_t piece = (size_t)2 << 20, bytes = bytes_of(s);
    // A box is written by one call, unless it is the whole cube or a slab.
    size_t most = count_of(s) == 1 ? piece : bytes;
    off_t at = 0;

    for (int64_t k = 0; k < count_of(s); k++) {
        for (size_t done = 0; done < bytes; done += most) {
            size_t n = bytes - done < most ? bytes - done : most;
            if (pwrite(file, (const char *)cells + done, n, at) != (ssize_t)n) {
                bench_die("%s: pwrite has failed", s->name);
            }
            at += (off_t)n;
        }
    }
}

static cost run_plain(const sequence *s)
{
    cost c = {0};
    const char *path = bench_path("plain");

    if (!s->again) {
        bench_remove(path);
    }
    int file = open(path, O_RDWR | O_CREAT, 0644);
    if (file < 0) {
        bench_die("%s: cannot be opened", path);
    }
    double faults = faults_now(), start = bench_now();
    write_plain(file, s);
    c.seconds = bench_now() - start;
    c.faults = faults_now() - faults;
    if (fdatasync(file) != 0) {
        bench_die("%s: cannot be synced", path);
    }
    c.synced = bench_now() - start;
    close(file);
    return c;
}

/* ---- one case ---- */

static void print_row(const sequence *s, writer who, const char *metric, double ours[],
                      double plain[], int rounds, double target)
{
    static const char *const parts[3] = {" (first quartile)", "", " (third quartile)"};
    const double gigabytes = (double)bytes_of(s) * (double)count_of(s) / 1e9;
    char name[96], what[64];

    (void)bench_median(ours, rounds); // sorts
    (void)bench_median(plain, rounds);
    snprintf(name, sizeof name, "%s; %s", s->name, side_names[who]);
    for (int quarter = 1; quarter <= 3; quarter++) {
        int k = quarter * (rounds - 1) / 4;
        snprintf(what, sizeof what, "%s%s", metric, parts[quarter - 1]);
        bench_print(&(bench_row){name, what, gigabytes / ours[k], side_names[PWRITE],
                                 gigabytes / plain[k], "GB/s", BENCH_RATE,
                                 quarter == 2 ? target : 0});
    }
}

static void compare(const sequence *s)
{
    const int rounds = bench_small() ? SMALL_ROUNDS : ROUNDS;
    double seconds[SIDES][ROUNDS], synced[SIDES][ROUNDS], faults[SIDES][ROUNDS];
    char name[96];

    for (int round = -1; round < rounds; round++) {
        for (int turn = 0; turn < SIDES; turn++) {
            writer who = (writer)((round + 1 + turn) % SIDES);
            if (who == CACHED && !s->with_cache) {
                continue;
            }
            bench_settle();
            cost c = who == PWRITE ? run_plain(s) : run_ours(s, who, round < 0);
            if (round >= 0) {
                seconds[who][round] = c.seconds;
                synced[who][round] = c.synced;
                faults[who][round] = c.faults;
            }
        }
    }
    for (writer who = MAPPED; who <= (s->with_cache ? CACHED : MAPPED); who++) {
        // Dirty chunks of a chunk cache are not in the file yet.
        if (who == MAPPED) {
            print_row(s, who, "written", seconds[who], seconds[PWRITE], rounds, s->target);
        }
        print_row(s, who, "written and synced", synced[who], synced[PWRITE], rounds, 0);
        snprintf(name, sizeof name, "%s; %s", s->name, side_names[who]);
        double units = (double)bytes_of(s) * (double)count_of(s) / (double)(2 << 20);
        bench_print(&(bench_row){name, "written", bench_median(faults[who], rounds),
                                 "two for each 2 MiB", 2 * units, "faults", BENCH_COST,
                                 who == MAPPED ? 1 : 0});
    }
}

/* The whole array; `again`: over the files that the previous case left. */
static void compare_whole(int64_t side)
{
    sequence s = {.bounds = {side, side, side},
                  .length = {side, side, side},
                  .n = {1, 1, 1},
                  .axis = -1,
                  .target = 0.85};

    s.name = "whole array; new file";
    compare(&s);
    s.name = "whole array; again";
    s.again = true;
    compare(&s);
}

static void compare_boxes(int64_t side, int64_t length)
{
    char name[64];
    const int64_t pitch = length + CHUNK, n = side / pitch - (length == CHUNK);
    const sequence s = {.name = name,
                        .bounds = {side, side, side},
                        .first = {37, 37, 37},
                        .length = {length, length, length},
                        .pitch = {pitch, pitch, pitch},
                        .n = {n, n, n},
                        .axis = -1,
                        .target = 0.5};

    snprintf(name, sizeof name, "boxes of %lld^3; unaligned; new slots", (long long)length);
    compare(&s);
}

static void compare_growth(int64_t side, int axis)
{
    char name[64];
    sequence s = {.name = name,
                  .bounds = {side, side, side},
                  .length = {side, side, side},
                  .n = {1, 1, 1},
                  .axis = axis,
                  .target = 0.9};

    s.first[axis] = side;
    s.length[axis] = CHUNK;
    snprintf(name, sizeof name, "growth of axis %d by %d; with cells", axis, CHUNK);
    compare(&s);
}

static void compare_planes(int64_t side)
{
    const sequence s = {.name = "planes appended one by one",
                        .bounds = {0, side, side},
                        .length = {1, side, side},
                        .pitch = {1, 0, 0},
                        .n = {side / 4, 1, 1},
                        .with_cache = true,
                        .target = 0.9};

    compare(&s);
}

int main(void)
{
    const int64_t side = bench_small() ? 256 : 512;
    const int64_t zero[3] = {0, 0, 0}, length[3] = {side, side, side};
    xta_box all = bench_box(3, zero, length);

    bench_begin("writes");
    cells = bench_memory((size_t)(side * side * side) * sizeof *cells);
    bench_fill(&all, cells);
    compare_whole(side);
    compare_boxes(side, CHUNK);
    compare_boxes(side, (int64_t)2 * CHUNK);
    for (int axis = 0; axis < 3; axis++) {
        compare_growth(side, axis);
    }
    compare_planes(side);
    bench_remove_array(bench_path("array"));
    bench_remove(bench_path("plain"));
    free(cells);
    return 0;
}
