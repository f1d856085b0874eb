/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Outside trouble for an array shared by ranks: files that are missing, too short or cannot be
 * opened by one rank, a full disk, foreign programs that grow the array and compact its journal all
 * the time, ranks that each grow it independently; and requests at the limits of what is allowed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE // MNT_DETACH
#include "parallel/mpi_test.h"

#include <pthread.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/parallel.h>

static xta_error err;
static xta_parallel_io io;
static bool last; /* of the ranks */

static bool sync_fails; /* the next one of this rank */

int MPI_File_sync(MPI_File file)
{
    int code = PMPI_File_sync(file);

    if (sync_fails) {
        sync_fails = false;
        return MPI_ERR_IO;
    }
    return code;
}

static const char *named(const char *name)
{
    static char text[64];
    snprintf(text, sizeof text, "%s%d", name, (int)io);
    return text;
}

/* 8 x 8 cells in chunks of 4 x 8. */
static xta_parallel *create_at(const char *path, uint64_t buffer_bytes)
{
    static const int64_t bounds[2] = {8, 8}, chunk[2] = {4, 8};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;

    create.chunk = chunk;
    options.io = io;
    options.buffer_bytes = buffer_bytes;
    XTA_CHECK_OK(
        xta_parallel_create(MPI_COMM_WORLD, path, XTA_I32, 2, bounds, &create, &options, &p, &err),
        err);
    return p;
}

static xta_status open_at(const char *path, bool writable, xta_parallel **p)
{
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    options.io = io;
    options.writable = writable;
    return xta_parallel_open(MPI_COMM_WORLD, path, &options, p, &err);
}

static int32_t value_at(int64_t i, int64_t j)
{
    return (int32_t)(1000 * i + j + 1);
}

/* Every rank writes its rows of the first 8 x 8 cells. */
static void write_square(xta_parallel *p)
{
    int32_t cells[64], *cell = cells;
    xta_box mine = {.ndim = 2, .hi = {8, 8}};

    mine.lo[0] = 8 * xta_test_rank / xta_test_ranks;
    mine.hi[0] = 8 * (xta_test_rank + 1) / xta_test_ranks;
    for (int64_t i = mine.lo[0]; i < mine.hi[0]; i++) {
        for (int64_t j = 0; j < 8; j++) {
            *cell++ = value_at(i, j);
        }
    }
    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
}

/* The written cells are still there, and all others within the bounds are zero. */
static void check_square(xta_parallel *p, const char *when)
{
    xta_box bounds = xta_parallel_bounds(p);
    int64_t columns = bounds.hi[1] - bounds.lo[1];
    size_t n = (size_t)((bounds.hi[0] - bounds.lo[0]) * columns), wrong = 0;
    int32_t *cells = malloc((n + 1) * sizeof *cells);

    XTA_CHECK_OK(xta_parallel_read_all(p, &bounds, NULL, cells, &err), err);
    for (size_t k = 0; k < n; k++) {
        int64_t i = bounds.lo[0] + (int64_t)k / columns, j = bounds.lo[1] + (int64_t)k % columns;
        bool inside = i >= 0 && i < 8 && j >= 0 && j < 8;
        wrong += cells[k] != (inside ? value_at(i, j) : 0);
    }
    XTA_CHECK(wrong == 0, "%s: %zu of %zu cells are wrong", when, wrong, n);
    free(cells);
}

/* ---- files ---- */

static void suffixed(char *text, size_t n, const char *path, const char *suffix)
{
    snprintf(text, n, "%s%s", path, suffix);
}

/* One file of the pair is missing, or the data file is too short: an error on all ranks. */
static void test_files(void)
{
    const char *path = xta_test_path(named("files"));
    char data[1100], away[1100];
    xta_parallel *p = create_at(path, 0);

    suffixed(data, sizeof data, path, ".xta");
    suffixed(away, sizeof away, path, ".away");
    write_square(p);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    for (int writable = 0; writable < 2; writable++) {
        if (xta_test_rank == 0) {
            XTA_CHECK(rename(data, away) == 0, "rename%s", "");
        }
        MPI_Barrier(MPI_COMM_WORLD);
        XTA_CHECK_STATUS(open_at(path, writable != 0, &p), XTA_ENOENT, err);
        XTA_CHECK(p == NULL, "a handle came back%s", "");
        if (xta_test_rank == 0) {
            XTA_CHECK(rename(away, data) == 0, "rename%s", "");
        }
        MPI_Barrier(MPI_COMM_WORLD);
        XTA_CHECK_OK(open_at(path, writable != 0, &p), err);
        check_square(p, "after the file came back");
        XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    }
    if (xta_test_rank == 0) {
        XTA_CHECK(truncate(data, 100) == 0, "truncate%s", "");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_STATUS(open_at(path, false, &p), XTA_ECORRUPT, err);
    XTA_CHECK_STATUS(open_at(path, true, &p), XTA_ECORRUPT, err);
}

/* Power was lost after a growth: the record exists, but the file does not have its new length yet.
 * Opened read-only by all ranks, the cells beyond the end are fill. */
static void test_short_file(void)
{
    const char *path = xta_test_path(named("short"));
    char data[1100];
    xta_parallel *p = create_at(path, 0);
    xta_growth growth = {0, XTA_BACK, 24};
    struct stat facts;

    suffixed(data, sizeof data, path, ".xta");
    write_square(p);
    XTA_CHECK_OK(xta_parallel_sync(p, &err), err);
    MPI_Barrier(MPI_COMM_WORLD);
    // The growth is by a program that is killed before it makes it durable.
    if (xta_test_rank == 0) {
        XTA_CHECK(stat(data, &facts) == 0, "stat%s", "");
    }
    XTA_CHECK_OK(xta_parallel_extend(p, &growth, 1, NULL, &err), err);
    XTA_CHECK_OK(xta_parallel_refresh(p, NULL, &err), err);
    if (xta_test_rank == 0) {
        XTA_CHECK(truncate(data, facts.st_size) == 0, "truncate%s", "");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    xta_parallel *reader = NULL;
    XTA_CHECK_OK(open_at(path, false, &reader), err);
    check_square(reader, "a short file");
    XTA_CHECK_OK(xta_parallel_close(reader, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* A name without a folder, in the current one. */
static void test_plain_name(void)
{
    char folder[1024];
    xta_parallel *p = NULL;

    XTA_CHECK(getcwd(folder, sizeof folder) != NULL, "getcwd%s", "");
    XTA_CHECK(chdir(xta_test_path(".")) == 0, "chdir%s", "");
    p = create_at(named("plain"), 0);
    write_square(p);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    XTA_CHECK_OK(open_at(named("plain"), false, &p), err);
    check_square(p, "a plain name");
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    XTA_CHECK(chdir(folder) == 0, "chdir%s", "");
}

/* One rank has no file descriptors left; how many are too few depends on the implementation of MPI,
 * and on the sockets that it opens at that moment. */
static void test_descriptors(void)
{
    enum { MOST_SPARE = 24 };
    const char *path = xta_test_path(named("descriptors"));
    xta_parallel *p = create_at(path, 0);
    struct rlimit before, fewer;
    int refused = 0;

    write_square(p);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    getrlimit(RLIMIT_NOFILE, &before);
    for (int spare = 0; spare < MOST_SPARE; spare++) {
        int next = dup(0);
        close(next);
        fewer = before;
        fewer.rlim_cur = (rlim_t)(next + spare);
        if (last) {
            setrlimit(RLIMIT_NOFILE, &fewer);
        }
        xta_status status = open_at(path, true, &p);
        setrlimit(RLIMIT_NOFILE, &before);
        if (status == XTA_OK) {
            check_square(p, "few descriptors");
            XTA_CHECK_OK(xta_parallel_close(p, &err), err);
        } else {
            refused++;
            XTA_CHECK_STATUS(status, XTA_EIO, err);
        }
    }
    XTA_CHECK(refused > 0 && refused < MOST_SPARE, "%d of %d were refused", refused,
              (int)MOST_SPARE);
}

/* The files belong to another user, for one rank and then for all: root becomes the user nobody. */
static void test_rights(void)
{
    const char *path = xta_test_path(named("rights"));
    char name[1100];
    xta_parallel *p = create_at(path, 0);

    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    if (geteuid() != 0) {
        return;
    }
    if (xta_test_rank == 0) {
        chmod(xta_test_path("."), 0755);
        suffixed(name, sizeof name, path, ".xta");
        chmod(name, 0600);
        suffixed(name, sizeof name, path, ".xmd");
        chmod(name, 0600);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int all = 0; all < 2; all++) {
        XTA_CHECK(!(last || all) || seteuid(65534) == 0, "seteuid%s", "");
        XTA_CHECK_STATUS(open_at(path, true, &p), XTA_EACCESS, err);
        XTA_CHECK_STATUS(open_at(path, false, &p), XTA_EACCESS, err);
        XTA_CHECK(seteuid(0) == 0, "seteuid%s", "");
    }
    if (xta_test_rank == 0) {
        chmod(name, 0644);
        suffixed(name, sizeof name, path, ".xta");
        chmod(name, 0644);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    // All users may read, none may write.
    XTA_CHECK(seteuid(65534) == 0, "seteuid%s", "");
    XTA_CHECK_STATUS(open_at(path, true, &p), XTA_EACCESS, err);
    if (io == XTA_IO_AUTO) { // Open MPI needs files of its own, as the user who started it.
        XTA_CHECK_OK(open_at(path, false, &p), err);
        XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    }
    XTA_CHECK(seteuid(0) == 0, "seteuid%s", "");
}

/* ---- a full disk ---- */

/* A small disk, under a path that all ranks can use: it is rank 0's working folder, and disappears
 * when rank 0 ends, whatever happens. */
static bool make_disk(char *path, size_t n)
{
    const char *folder = xta_test_path(named("disk"));
    long facts[2] = {(long)getpid(), 0};

    if (xta_test_rank == 0) {
        facts[1] = mkdir(folder, 0700) == 0 && mount("none", folder, "tmpfs", 0, "size=512k") == 0;
        if (facts[1] != 0) {
            XTA_CHECK(chdir(folder) == 0 && umount2(folder, MNT_DETACH) == 0, "detach%s", "");
        }
    }
    MPI_Bcast(facts, 2, MPI_LONG, 0, MPI_COMM_WORLD);
    snprintf(path, n, "/proc/%ld/cwd/full", facts[0]);
    return facts[1] != 0;
}

/* `side`: of the square chunks; long runs and short pieces are written by different code. */
static void fill_disk(const char *path, int64_t side)
{
    enum { LENGTH = 512 };
    static const int64_t bounds[2] = {LENGTH, LENGTH};
    static int32_t cells[LENGTH * LENGTH];
    const int64_t chunk[2] = {side, side};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;
    xta_box mine = {.ndim = 2, .hi = {LENGTH, LENGTH}}, few = {.ndim = 2, .hi = {8, 8}};

    create.chunk = chunk;
    options.io = io;
    XTA_CHECK_OK(
        xta_parallel_create(MPI_COMM_WORLD, path, XTA_I32, 2, bounds, &create, &options, &p, &err),
        err);
    write_square(p);
    mine.lo[0] = 8 + LENGTH * xta_test_rank / xta_test_ranks;
    mine.hi[0] = LENGTH * (xta_test_rank + 1) / xta_test_ranks;
    memset(cells, 1, sizeof cells);
    XTA_CHECK_STATUS(xta_parallel_write_all(p, &mine, NULL, cells, &err), XTA_ENOSPC, err);
    mine.lo[0] = 8;
    mine.hi[0] = LENGTH;
    XTA_CHECK_STATUS(xta_parallel_write_all(p, last ? &mine : NULL, NULL, cells, &err), XTA_ENOSPC,
                     err);
    XTA_CHECK_STATUS(xta_parallel_write(p, &mine, NULL, cells, &err), XTA_ENOSPC, err);
    // Earlier cells are still there, and can be overwritten.
    write_square(p);
    int32_t square[64];
    XTA_CHECK_OK(xta_parallel_read_all(p, &few, NULL, square, &err), err);
    int wrong = 0;
    for (int k = 0; k < 64; k++) {
        wrong += square[k] != value_at(k / 8, k % 8);
    }
    XTA_CHECK(wrong == 0, "%d cells are wrong on the full disk", wrong);
    XTA_CHECK_OK(xta_parallel_sync(p, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_delete(path, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_full_disk(void)
{
    char path[64], folder[1024];

    XTA_CHECK(getcwd(folder, sizeof folder) != NULL, "getcwd%s", "");
    if (!make_disk(path, sizeof path)) {
        if (xta_test_rank == 0) {
            printf("SKIPPED: a full disk (cannot mount a small file system: needs root)\n");
        }
        return;
    }
    fill_disk(path, 8);
    fill_disk(path, 256);
    XTA_CHECK(xta_test_rank != 0 || chdir(folder) == 0, "chdir%s", "");
}

/* ---- other programs that change the array ---- */

typedef struct foreigner {
    const char *path;
    int steps;
    bool failed;
    xta_error err;
} foreigner;

/* Grows and shrinks in turn, and compacts the journal. Serial library only, no MPI. */
static void *interfere(void *user)
{
    foreigner *f = user;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {1, XTA_BACK, 3}, less = {1, XTA_BACK, 2};

    options.writable = true;
    for (int k = 0; k < f->steps && !f->failed; k++) {
        xta_array *array = NULL;
        f->failed = xta_array_open(f->path, &options, &array, &f->err) != XTA_OK ||
                    xta_array_extend(array, &growth, 1, NULL, &f->err) != XTA_OK ||
                    xta_array_shrink(array, &less, 1, NULL, &f->err) != XTA_OK ||
                    xta_compact(f->path, NULL, NULL, &f->err) != XTA_OK ||
                    xta_array_extend(array, &less, 1, NULL, &f->err) != XTA_OK ||
                    xta_array_shrink(array, &less, 1, NULL, &f->err) != XTA_OK ||
                    xta_array_close(array, &f->err) != XTA_OK;
    }
    return NULL;
}

/* Meanwhile all ranks always see the same array. */
static void test_foreigners(void)
{
    enum { STEPS = 12, ROUNDS = 25 };
    const char *path = xta_test_path(named("foreign"));
    xta_parallel *p = create_at(path, 0);
    foreigner f = {.path = path, .steps = STEPS};
    pthread_t thread;
    xta_growth growth = {0, XTA_FRONT, 1};

    write_square(p);
    if (last) {
        XTA_CHECK(pthread_create(&thread, NULL, interfere, &f) == 0, "no thread%s", "");
    }
    for (int k = 0; k < ROUNDS; k++) {
        if (k % 5 == 4) {
            XTA_CHECK_OK(xta_parallel_extend(p, &growth, 1, NULL, &err), err);
        } else {
            XTA_CHECK_OK(xta_parallel_refresh(p, NULL, &err), err);
        }
        xta_box bounds = xta_parallel_bounds(p);
        int64_t all[2] = {bounds.hi[1], -bounds.hi[1]};
        MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        XTA_CHECK(all[0] == -all[1], "round %d: %d columns here, %d and %d elsewhere", k,
                  (int)bounds.hi[1], (int)all[0], (int)-all[1]);
        check_square(p, "while others grow the array");
    }
    if (last) {
        pthread_join(thread, NULL);
        XTA_CHECK(!f.failed, "the other program: %s", f.err.text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_OK(xta_parallel_refresh(p, NULL, &err), err);
    xta_box bounds = xta_parallel_bounds(p);
    XTA_CHECK(bounds.hi[1] == 8 + STEPS && bounds.lo[0] == -ROUNDS / 5, "%d columns, first row %d",
              (int)bounds.hi[1], (int)bounds.lo[0]);
    check_square(p, "at the end");
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Every rank grows the array by itself, all at once. */
static void test_all_alone(void)
{
    enum { TIMES = 6 };
    xta_parallel *p = create_at(xta_test_path(named("alone")), 0);
    xta_growth growth = {xta_test_rank % 2, xta_test_rank % 3 == 0 ? XTA_FRONT : XTA_BACK,
                         xta_test_rank + 1};
    int64_t cells = 0;
    bool changed = false;

    write_square(p);
    for (int k = 0; k < TIMES; k++) {
        XTA_CHECK_OK(xta_parallel_extend_alone(p, &growth, 1, NULL, &err), err);
        cells += growth.by;
    }
    check_square(p, "before refresh");
    XTA_CHECK_OK(xta_parallel_refresh(p, &changed, &err), err);
    xta_box bounds = xta_parallel_bounds(p);
    MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    int64_t grown = bounds.hi[0] - bounds.lo[0] + bounds.hi[1] - bounds.lo[1] - 16;
    XTA_CHECK(changed && grown == cells, "grown by %d, wanted %d", (int)grown, (int)cells);
    check_square(p, "after refresh");
    XTA_CHECK_OK(xta_parallel_sync(p, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Notices after each growth must not accumulate: many growths with a record each. */
static void test_memory(void)
{
    enum { GROWTHS = 1000 };
    static const int64_t bounds[2] = {1, 1}, chunk[2] = {1, 1};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;
    struct rusage begin, end;

    create.chunk = chunk;
    options.io = io;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(named("memory")), XTA_I32, 2,
                                     bounds, &create, &options, &p, &err),
                 err);
    getrusage(RUSAGE_SELF, &begin);
    for (int k = 0; k < GROWTHS; k++) {
        xta_growth growth = {k % 2, k / 2 % 2 == 0 ? XTA_BACK : XTA_FRONT, 1};
        XTA_CHECK_OK(xta_parallel_extend(p, &growth, 1, NULL, &err), err);
    }
    getrusage(RUSAGE_SELF, &end);
    XTA_CHECK(end.ru_maxrss - begin.ru_maxrss < 32 << 10, "%ld KiB more than before",
              end.ru_maxrss - begin.ru_maxrss);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* ---- limits of what is allowed ---- */

/* Arrays and boxes of no cells; ranks with no box. */
static void test_nothing(void)
{
    static const int64_t none[3] = {0, 5, 0};
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;
    xta_growth growths[2] = {{0, XTA_FRONT, 2}, {2, XTA_BACK, 3}};
    int32_t cells[30], sum = 0;

    options.io = io;
    options.buffer_bytes = UINT64_MAX;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(named("nothing")), XTA_I32, 3,
                                     none, NULL, &options, &p, &err),
                 err);
    xta_box all = xta_parallel_bounds(p);
    XTA_CHECK_OK(xta_parallel_write_all(p, &all, NULL, NULL, &err), err);
    XTA_CHECK_OK(xta_parallel_read_all(p, NULL, NULL, NULL, &err), err);
    XTA_CHECK_OK(xta_parallel_sync(p, &err), err);
    XTA_CHECK_OK(xta_parallel_extend(p, growths, 2, &all, &err), err);
    for (int k = 0; k < 30; k++) {
        cells[k] = k + 1;
    }
    XTA_CHECK_OK(xta_parallel_write_all(p, last ? &all : NULL, NULL, last ? cells : NULL, &err),
                 err);
    memset(cells, 0, sizeof cells);
    XTA_CHECK_OK(xta_parallel_read_all(p, last ? NULL : &all, NULL, cells, &err), err);
    for (int k = 0; k < 30; k++) {
        sum += cells[k];
    }
    XTA_CHECK(sum == (last ? 0 : 465), "the sum is %d", (int)sum);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Memory with negative strides, steps that skip chunks or all cells, and a buffer that is smaller
 * than a chunk. */
static void test_strides(void)
{
    xta_parallel *p = create_at(xta_test_path(named("strides")), 1);
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_box all = xta_parallel_bounds(p);
    int32_t cells[64], got[64];
    int64_t backwards[2] = {-(int64_t)sizeof cells[0] * 8, -(int64_t)sizeof cells[0]};
    int64_t step[2] = {5, INT64_MAX};

    for (int k = 0; k < 64; k++) {
        cells[63 - k] = value_at(k / 8, k % 8);
    }
    options.strides = backwards;
    // All ranks write the same values.
    XTA_CHECK_OK(xta_parallel_write_all(p, &all, &options, &cells[63], &err), err);
    check_square(p, "strides backwards");
    XTA_CHECK_OK(xta_parallel_read_all(p, &all, &options, &got[63], &err), err);
    XTA_CHECK(memcmp(cells, got, sizeof cells) == 0, "read backwards%s", "");
    options = (xta_io_options)XTA_IO_OPTIONS_INIT;
    options.step = step;
    memset(got, 0, sizeof got);
    XTA_CHECK_OK(xta_parallel_read_all(p, &all, &options, got, &err), err);
    XTA_CHECK(got[0] == value_at(0, 0) && got[1] == value_at(5, 0) && got[2] == 0,
              "steps: %d %d %d", (int)got[0], (int)got[1], (int)got[2]);
    got[0] = got[1] = 7;
    XTA_CHECK_OK(xta_parallel_write_all(p, last ? &all : NULL, &options, got, &err), err);
    XTA_CHECK_OK(xta_parallel_read_all(p, &all, NULL, got, &err), err);
    for (int k = 0; k < 64; k++) {
        int32_t want = k % 40 == 0 ? 7 : value_at(k / 8, k % 8);
        XTA_CHECK(got[k] == want, "cell %d holds %d", k, (int)got[k]);
    }
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Ranks that write the same cells leave one of their values in each. */
static void test_overlap(void)
{
    xta_parallel *p = create_at(xta_test_path(named("overlap")), 0);
    xta_box all = xta_parallel_bounds(p), inner = {.ndim = 2, .lo = {1, 1}, .hi = {7, 6}};
    int32_t cells[64];

    for (int round = 0; round < 8; round++) {
        const xta_box *box = round % 2 == 0 ? &all : &inner;
        for (int k = 0; k < 64; k++) {
            cells[k] = 100 * round + xta_test_rank + 1;
        }
        XTA_CHECK_OK(xta_parallel_write_all(p, box, NULL, cells, &err), err);
        XTA_CHECK_OK(xta_parallel_read_all(p, box, NULL, cells, &err), err);
        for (int k = 0; k < (round % 2 == 0 ? 64 : 30); k++) {
            XTA_CHECK(cells[k] > 100 * round && cells[k] <= 100 * round + xta_test_ranks,
                      "round %d: %d", round, (int)cells[k]);
        }
        // The next round starts when all have read.
        MPI_Barrier(MPI_COMM_WORLD);
    }
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Handles free their communicators: MPICH has about 2000 in all, and each call to open creates
 * two. */
static void test_many_handles(void)
{
    char path[1024];
    xta_parallel *p = NULL, *none = NULL;

    snprintf(path, sizeof path, "%s", xta_test_path(named("many")));
    p = create_at(path, 0);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    for (int k = 0; k < 350; k++) {
        XTA_CHECK_STATUS(open_at(xta_test_path("nowhere"), true, &none), XTA_ENOENT, err);
        XTA_CHECK_OK(open_at(path, k % 2 == 0, &p), err);
        XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    }
}

/* A subset of the ranks, in another order, while the others do something else. */
static void test_part(void)
{
    MPI_Comm part;
    xta_parallel *p = NULL;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    static const int64_t bounds[1] = {100};
    char name[64];
    int rank = 0, n = 1;
    int32_t cells[100];

    MPI_Comm_split(MPI_COMM_WORLD, xta_test_rank % 2, -xta_test_rank, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &n);
    snprintf(name, sizeof name, "part%d.%d", xta_test_rank % 2, (int)io);
    options.io = io;
    options.timeout_s = 20;
    XTA_CHECK_OK(xta_parallel_create(part, xta_test_path(name), XTA_I32, 1, bounds, NULL, &options,
                                     &p, &err),
                 err);
    xta_box mine = {.ndim = 1, .lo = {100 * rank / n}, .hi = {100 * (rank + 1) / n}};
    for (int64_t k = mine.lo[0]; k < mine.hi[0]; k++) {
        cells[k - mine.lo[0]] = (int32_t)(k + 1000 * (xta_test_rank % 2));
    }
    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
    xta_box all = xta_parallel_bounds(p);
    XTA_CHECK_OK(xta_parallel_read_all(p, &all, NULL, cells, &err), err);
    for (int k = 0; k < 100; k++) {
        XTA_CHECK(cells[k] == k + 1000 * (xta_test_rank % 2), "cell %d: %d", k, (int)cells[k]);
    }
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    MPI_Comm_free(&part);
}

/* MPI reports once, on one rank, that cells did not reach the disk: no later sync succeeds on any
 * rank. */
static void test_failing_sync(void)
{
    xta_parallel *p = create_at(xta_test_path(named("sync")), 0);
    xta_status status = XTA_OK;

    if (io == XTA_IO_MPI) {
        XTA_CHECK_OK(xta_parallel_sync(p, &err), err);
        sync_fails = last;
        for (int k = 0; k < 2; k++) {
            status = xta_parallel_sync(p, &err);
            XTA_CHECK(status == XTA_EIO, "status %d", (int)status);
            XTA_CHECK(strstr(err.text, ".xta: cannot make cells durable") != NULL, "%s", err.text);
        }
        XTA_CHECK_STATUS(xta_parallel_close(p, &err), XTA_EIO, err);
        XTA_CHECK_OK(open_at(xta_test_path(named("sync")), true, &p), err);
        XTA_CHECK_OK(xta_parallel_sync(p, &err), err);
    }
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    last = xta_test_rank == xta_test_ranks - 1;
    for (io = XTA_IO_AUTO; io <= XTA_IO_MPI; io++) {
        test_nothing();
        test_strides();
        test_overlap();
        test_part();
        test_files();
        test_short_file();
        test_plain_name();
        test_descriptors();
        test_rights();
        test_full_disk();
        test_failing_sync();
        test_foreigners();
        test_all_alone();
        if (xta_test_ranks <= 2) { // These take long if the ranks outnumber the processors.
            test_memory();
            test_many_handles();
        }
    }
    return xta_test_end();
}
