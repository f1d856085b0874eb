/* nprocs: 1 2 3 4 5; mpich: 1 2 3 */
/* Split collective transfers: the cells are right, they move while the caller computes, and no
 * other call may come in between.
 *
 * MPI is started with support for several threads; test_split_single.c runs the same tests without.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "parallel/mpi_test.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <xta/parallel.h>

#include "support/random.h"

#ifndef SPLIT_LEVEL
#define SPLIT_LEVEL MPI_THREAD_MULTIPLE
#endif

enum { ROWS = 12, COLUMNS = 96, CHUNK_ROWS = 8, CHUNK_COLUMNS = 32, ROUNDS = 40 };

static xta_error err;
static xta_parallel_io io;

/* ---- writes that can be delayed, and fail ---- */

static _Atomic int held, let_go, gave_up, n_written, n_failing;

static void pause_ms(long ms)
{
    struct timespec rest = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&rest, NULL);
}

/* While `held` is set no cells are written, for 20 seconds at most. */
static void wait_to_write(void)
{
    for (int k = 0; k < 2000 && atomic_load(&held) && !atomic_load(&let_go); k++) {
        pause_ms(10);
    }
    if (atomic_load(&held)) {
        atomic_fetch_or(&gave_up, !atomic_load(&let_go));
        atomic_fetch_add(&n_written, 1);
    }
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
    wait_to_write();
    if (n >= CHUNK_COLUMNS && atomic_load(&n_failing) > 0) {
        atomic_fetch_sub(&n_failing, 1);
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_pwrite64, fd, bytes, n, offset);
}

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *bytes, int n, MPI_Datatype type,
                      MPI_Status *status)
{
    wait_to_write();
    if (atomic_load(&n_failing) > 0) {
        atomic_fetch_sub(&n_failing, 1);
        return MPI_ERR_NO_SPACE;
    }
    return PMPI_File_write_at(file, at, bytes, n, type, status);
}

/* ---- arrays ---- */

static xta_parallel *make(void)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    const int64_t bounds[] = {ROWS * xta_test_ranks, COLUMNS};
    const int64_t chunk[] = {CHUNK_ROWS, CHUNK_COLUMNS};
    xta_parallel *p = NULL;

    create.chunk = chunk;
    options.io = io;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("split"), XTA_I64, 2, bounds,
                                     &create, &options, &p, &err),
                 err);
    return p;
}

static void end_array(xta_parallel *p)
{
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_delete(xta_test_path("split"), &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static xta_box rows_of(int rank)
{
    return xta_box_make(2, (const int64_t[]){(int64_t)ROWS * rank, 0},
                        (const int64_t[]){(int64_t)ROWS * (rank + 1), COLUMNS});
}

static xta_status end_it(xta_parallel *p)
{
    return xta_parallel_all_end(p, &err);
}

/* ---- the cells ---- */

/* A box within the rows of `rank`; the same on all ranks, which draw the same numbers. */
static xta_box random_box(test_random *r, int rank)
{
    xta_box box = rows_of(rank);

    for (int axis = 0; axis < 2; axis++) {
        int64_t lo = box.lo[axis], hi = box.hi[axis];
        box.lo[axis] = test_random_in(r, lo, hi - 1);
        box.hi[axis] = test_random_in(r, box.lo[axis] + 1, hi);
    }
    return box;
}

static void put_in_model(int64_t *model, const xta_box *box, int64_t step, int64_t value)
{
    for (int64_t i = box->lo[0]; i < box->hi[0]; i += step) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j += step) {
            model[i * COLUMNS + j] = value + 1000 * i + j;
        }
    }
}

static size_t pack(const int64_t *model, const xta_box *box, int64_t step, int64_t *cells)
{
    size_t n = 0;

    for (int64_t i = box->lo[0]; i < box->hi[0]; i += step) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j += step) {
            cells[n++] = model[i * COLUMNS + j];
        }
    }
    return n;
}

/* Each rank writes a box of its own rows and reads one anywhere; all keep the same model. */
static void test_random_boxes(void)
{
    size_t n_cells = (size_t)(ROWS * xta_test_ranks * COLUMNS);
    int64_t *model = calloc(n_cells, sizeof model[0]), *cells = calloc(n_cells, sizeof cells[0]);
    int64_t *want = calloc(n_cells, sizeof want[0]);
    test_random r = test_random_make(20261123, (uint64_t)io);
    xta_parallel *p = make();

    for (int k = 0; k < ROUNDS; k++) {
        xta_io_options options = XTA_IO_OPTIONS_INIT;
        int64_t step[2];
        int64_t stride = test_random_in(&r, 1, 3);
        bool nothing = test_random_chance(&r, 10) && xta_test_rank == k % xta_test_ranks;
        xta_box mine = {.ndim = 2};
        for (int rank = 0; rank < xta_test_ranks; rank++) {
            xta_box box = random_box(&r, rank);
            if (!nothing || rank != xta_test_rank) {
                put_in_model(model, &box, stride, 1000000 * (k + 1));
            }
            mine = rank == xta_test_rank ? box : mine;
        }
        step[0] = step[1] = stride;
        options.step = step;
        (void)pack(model, &mine, stride, cells);
        XTA_CHECK_OK(xta_parallel_write_all_begin(p, nothing ? NULL : &mine, &options, cells, &err),
                     err);
        step[0] = step[1] = -7; // the caller's copy may change
        XTA_CHECK_OK(end_it(p), err);
        // Each rank sends the values of its own rows, since it may have written nothing.
        for (int rank = 0; rank < xta_test_ranks; rank++) {
            xta_box rows = rows_of(rank);
            MPI_Bcast(model + rows.lo[0] * COLUMNS, ROWS * COLUMNS, MPI_INT64_T, rank,
                      MPI_COMM_WORLD);
        }
        xta_box any = random_box(&r, (int)test_random_in(&r, 0, xta_test_ranks - 1));
        size_t n = pack(model, &any, 1, want);
        memset(cells, 0, n * sizeof cells[0]);
        XTA_CHECK_OK(xta_parallel_read_all_begin(p, &any, NULL, cells, &err), err);
        XTA_CHECK_OK(end_it(p), err);
        XTA_CHECK(memcmp(cells, want, n * sizeof cells[0]) == 0, "other cells in round %d", k);
    }
    free(model);
    free(cells);
    free(want);
    end_array(p);
}

/* _begin returns while no cell can be written, and the cells move before _all_end is called; if no
 * thread can be used, they move in _all_end. */
static void test_overlap(void)
{
    static int64_t cells[ROWS * COLUMNS];
    bool threads = io == XTA_IO_AUTO || SPLIT_LEVEL == MPI_THREAD_MULTIPLE;
    xta_box mine = rows_of(xta_test_rank);
    xta_parallel *p = make();

    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = (int64_t)k + 1;
    }
    atomic_store(&let_go, false);
    atomic_store(&gave_up, false);
    atomic_store(&n_written, 0);
    atomic_store(&held, true);
    XTA_CHECK_OK(xta_parallel_write_all_begin(p, &mine, NULL, cells, &err), err);
    atomic_store(&let_go, true);
    for (int k = 0; k < 2000 && threads && atomic_load(&n_written) == 0; k++) {
        pause_ms(10);
    }
    XTA_CHECK((atomic_load(&n_written) > 0) == threads, "%d writes before _all_end",
              atomic_load(&n_written));
    XTA_CHECK_OK(end_it(p), err);
    XTA_CHECK(!atomic_load(&gave_up) && atomic_load(&n_written) > 0, "_begin waited for cells");
    atomic_store(&held, false);
    memset(cells, 0, sizeof cells);
    XTA_CHECK_OK(xta_parallel_read_all(p, &mine, NULL, cells, &err), err);
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        XTA_CHECK(cells[k] == (int64_t)k + 1, "cell %zu is %lld", k, (long long)cells[k]);
    }
    end_array(p);
}

/* ---- calls that must not come in between ---- */

static void check_refused(xta_status status, const char *what)
{
    XTA_CHECK(status == XTA_ESTATE, "%s: status %d", what, (int)status);
    XTA_CHECK(strstr(err.text, "xta_parallel_all_end") != NULL, "%s: %s", what, err.text);
}

static void test_between(void)
{
    static int64_t cells[ROWS * COLUMNS], other[ROWS * COLUMNS];
    const xta_growth one = {0, XTA_BACK, 1};
    xta_box mine = rows_of(xta_test_rank);
    xta_parallel *p = make();

    check_refused(end_it(p), "_all_end without _begin");
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = 7 * (int64_t)k;
    }
    XTA_CHECK_OK(xta_parallel_write_all_begin(p, &mine, NULL, cells, &err), err);
    check_refused(xta_parallel_write_all_begin(p, &mine, NULL, cells, &err), "a second _begin");
    check_refused(xta_parallel_read_all_begin(p, &mine, NULL, other, &err), "another _begin");
    check_refused(xta_parallel_read_all(p, &mine, NULL, other, &err), "read_all");
    check_refused(xta_parallel_read(p, &mine, NULL, other, &err), "read");
    check_refused(xta_parallel_write(p, &mine, NULL, other, &err), "write");
    check_refused(xta_parallel_extend(p, &one, 1, NULL, &err), "extend");
    check_refused(xta_parallel_refresh(p, NULL, &err), "refresh");
    check_refused(xta_parallel_sync(p, &err), "sync");
    check_refused(xta_parallel_close(p, &err), "close");
    XTA_CHECK_OK(end_it(p), err);
    check_refused(end_it(p), "a second _all_end");
    XTA_CHECK_OK(xta_parallel_read(p, &mine, NULL, other, &err), err);
    XTA_CHECK(memcmp(cells, other, sizeof cells) == 0, "other cells");
    end_array(p);
}

/* One rank's arguments are refused: no rank starts a transfer. */
static void test_refused(void)
{
    static int64_t cells[ROWS * COLUMNS], none[ROWS * COLUMNS];
    xta_box mine = rows_of(xta_test_rank), outside = mine;
    xta_parallel *p = make();

    outside.hi[1]++;
    memset(cells, 0x55, sizeof cells);
    XTA_CHECK_STATUS(
        xta_parallel_write_all_begin(p, xta_test_rank == 0 ? &outside : &mine, NULL, cells, &err),
        XTA_EBOX, err);
    check_refused(end_it(p), "_all_end after a _begin that was refused");
    XTA_CHECK_OK(xta_parallel_read_all(p, &mine, NULL, cells, &err), err);
    XTA_CHECK(memcmp(cells, none, sizeof cells) == 0, "cells were written");
    end_array(p);
}

/* The disk is full for one rank in the middle: _all_end fails on all ranks, and the handle stays
 * usable. */
static void test_failure(void)
{
    static int64_t cells[ROWS * COLUMNS];
    xta_box mine = rows_of(xta_test_rank);
    xta_parallel *p = make();

    mine.lo[1] += 3; // no whole chunks at that side
    atomic_store(&n_failing, xta_test_rank == xta_test_ranks - 1);
    XTA_CHECK_OK(xta_parallel_write_all_begin(p, &mine, NULL, cells, &err), err);
    xta_status status = end_it(p);
    XTA_CHECK(status == XTA_ENOSPC, "status %d: %s", (int)status, err.text);
    atomic_store(&n_failing, 0);
    XTA_CHECK_OK(xta_parallel_write_all_begin(p, &mine, NULL, cells, &err), err);
    XTA_CHECK_OK(end_it(p), err);
    end_array(p);
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE;

    // Leaks of MPI's start are ignored, as in xta_test_begin.
    if (__lsan_disable != NULL) {
        __lsan_disable();
    }
    MPI_Init_thread(&argc, &argv, SPLIT_LEVEL, &level);
    if (__lsan_enable != NULL) {
        __lsan_enable();
    }
    xta_test_begin(&argc, &argv);
    XTA_CHECK(level == SPLIT_LEVEL, "MPI has level %d of threads, not %d", level, SPLIT_LEVEL);
    for (io = XTA_IO_AUTO; io <= XTA_IO_MPI; io++) {
        test_random_boxes();
        test_overlap();
        test_between();
        test_refused();
        test_failure();
    }
    return xta_test_end();
}
