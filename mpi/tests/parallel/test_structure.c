/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Structure and discipline: growth seen after refresh and not before, ranks that disagree, ranks
 * that call alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/mpi_test.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <xta/parallel.h>

static xta_error err;
static xta_parallel_io io; // both kinds of file access are tested

static void sleep_ms(long ms)
{
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

/* A name that differs between the two kinds of access. */
static const char *named(const char *name)
{
    static char text[64];
    snprintf(text, sizeof text, "%s%d", name, (int)io);
    return text;
}

static xta_parallel *create(const char *name, const int64_t bounds[2], double timeout_s)
{
    static const int64_t chunk[2] = {4, 8};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options parallel = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;

    options.chunk = chunk;
    parallel.timeout_s = timeout_s;
    parallel.io = io;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(named(name)), XTA_I32, 2, bounds,
                                     &options, &parallel, &p, &err),
                 err);
    return p;
}

static int32_t value_at(int64_t i, int64_t j)
{
    return (int32_t)(1000 * i + j);
}

/* The rows of this rank: an equal share of the bounds. */
static xta_box my_rows(const xta_box *bounds)
{
    xta_box box = *bounds;
    int64_t n = bounds->hi[0] - bounds->lo[0];

    box.lo[0] = bounds->lo[0] + n * xta_test_rank / xta_test_ranks;
    box.hi[0] = bounds->lo[0] + n * (xta_test_rank + 1) / xta_test_ranks;
    return box;
}

static int32_t *fill_cells(const xta_box *box)
{
    int32_t *cells =
        malloc(sizeof *cells * (size_t)(1 + (box->hi[0] - box->lo[0]) * (box->hi[1] - box->lo[1])));
    int32_t *cell = cells;

    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            *cell++ = value_at(i, j);
        }
    }
    return cells;
}

/* Every rank reads all cells; those outside `written` are fill. */
static void check_all(xta_parallel *p, const xta_box *written)
{
    xta_box bounds = xta_parallel_bounds(p);
    int64_t columns = bounds.hi[1] - bounds.lo[1], wrong = 0;
    size_t n = (size_t)((bounds.hi[0] - bounds.lo[0]) * columns);
    int32_t *cells = calloc(n + 1, sizeof *cells);

    XTA_CHECK_OK(xta_parallel_read_all(p, &bounds, NULL, cells, &err), err);
    for (int64_t i = bounds.lo[0]; i < bounds.hi[0]; i++) {
        for (int64_t j = bounds.lo[1]; j < bounds.hi[1]; j++) {
            bool inside = i >= written->lo[0] && i < written->hi[0] && j >= written->lo[1] &&
                          j < written->hi[1];
            int32_t got = cells[(i - bounds.lo[0]) * columns + j - bounds.lo[1]];
            wrong += got != (inside ? value_at(i, j) : 0);
        }
    }
    XTA_CHECK(wrong == 0, "%lld of %zu cells are wrong", (long long)wrong, n);
    free(cells);
}

static void write_all(xta_parallel *p)
{
    xta_box bounds = xta_parallel_bounds(p);
    xta_box mine = my_rows(&bounds);
    int32_t *cells = fill_cells(&mine);

    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
    free(cells);
}

/* Growth by all, at both ends; written cells stay. */
static void test_growth(void)
{
    static const int64_t bounds[2] = {10, 12};
    xta_parallel *p = create("growth", bounds, 0);
    xta_growth growths[2] = {{0, XTA_FRONT, 7}, {1, XTA_BACK, 9}};
    xta_box after = {.ndim = 0}, before = xta_parallel_bounds(p);

    write_all(p);
    check_all(p, &before);
    XTA_CHECK_OK(xta_parallel_extend(p, growths, 2, &after, &err), err);
    XTA_CHECK(after.lo[0] == -7 && after.hi[1] == 21, "bounds %lld %lld", (long long)after.lo[0],
              (long long)after.hi[1]);
    check_all(p, &before);
    write_all(p);
    check_all(p, &after);

    xta_growth shrink = {1, XTA_BACK, 5};
    XTA_CHECK_OK(xta_parallel_shrink(p, &shrink, 1, &before, &err), err);
    check_all(p, &before);
    XTA_CHECK_OK(xta_parallel_extend(p, &shrink, 1, &after, &err), err);
    check_all(p, &before);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* One rank, and another program, grow the array while the ranks continue: visible after refresh. */
static void test_alone(void)
{
    static const int64_t bounds[2] = {8, 8};
    xta_parallel *p = create("alone", bounds, 0);
    xta_box old = xta_parallel_bounds(p), now;
    xta_growth one = {0, XTA_BACK, 3}, other = {1, XTA_FRONT, 2};
    bool changed = true;

    write_all(p);
    XTA_CHECK_OK(xta_parallel_refresh(p, &changed, &err), err);
    XTA_CHECK(!changed, "nothing has changed, but refresh says so (%d)", (int)changed);
    if (xta_test_rank == xta_test_ranks - 1) {
        XTA_CHECK_OK(xta_parallel_extend_alone(p, &one, 1, NULL, &err), err);
    }
    if (xta_test_rank == 0) {
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        xta_array *foreign = NULL;
        options.writable = true;
        XTA_CHECK_OK(xta_array_open(xta_test_path(named("alone")), &options, &foreign, &err), err);
        XTA_CHECK_OK(xta_array_extend(foreign, &other, 1, NULL, &err), err);
        XTA_CHECK_OK(xta_array_close(foreign, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    now = xta_parallel_bounds(p);
    XTA_CHECK(xta_box_equal(&old, &now), "bounds changed before refresh: %lld",
              (long long)now.hi[0]);
    check_all(p, &old);
    XTA_CHECK_OK(xta_parallel_refresh(p, &changed, &err), err);
    now = xta_parallel_bounds(p);
    XTA_CHECK(changed && now.hi[0] == 11 && now.lo[1] == -2, "after refresh: %d, %lld, %lld",
              (int)changed, (long long)now.hi[0], (long long)now.lo[1]);
    check_all(p, &old);
    write_all(p);
    XTA_CHECK_OK(xta_parallel_add_axis(p, 1, "band", &err), err);
    XTA_CHECK(xta_array_ndim(xta_parallel_array(p)) == 3, "%d axes",
              xta_array_ndim(xta_parallel_array(p)));
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* An array that was created with a lock file is changed with one by every rank, whatever its
 * environment says: a lock file of another machine excludes all of them. */
static void test_lock_file(void)
{
    static const int64_t bounds[2] = {8, 8};
    static const char lock[] =
        "XTA lock 1\nhost node2\nmachine other\nboot other\nspace 1\nclock 1\npid 2\nstart 3\n"
        "keeps 0\nnonce 00112233445566778899aabbccddeeff\n";
    const xta_growth one = {0, XTA_BACK, 1};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options parallel = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;
    char path[4096];

    snprintf(path, sizeof path, "%s.xmd.lock", xta_test_path(named("lock")));
    options.lock = XTA_LOCK_FILE;
    parallel.io = io;
    setenv("XTA_LOCK_WAIT", "0", 1);
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(named("lock")), XTA_I32, 2,
                                     bounds, &options, &parallel, &p, &err),
                 err);
    for (int rank = 0; rank < xta_test_ranks; rank++) {
        if (rank == xta_test_rank) {
            // The tests made by a first lock are complete after it.
            XTA_CHECK_OK(xta_parallel_extend_alone(p, &one, 1, NULL, &err), err);
            FILE *file = fopen(path, "w");
            bool written = file != NULL && fputs(lock, file) >= 0 && fclose(file) == 0;
            XTA_CHECK(written, "%s", path);
            XTA_CHECK_STATUS(xta_parallel_extend_alone(p, &one, 1, NULL, &err), XTA_EBUSY, err);
            XTA_CHECK(strstr(err.text, "node2") != NULL, "%s", err.text);
            XTA_CHECK(remove(path) == 0, "%s", path);
            XTA_CHECK_OK(xta_parallel_extend_alone(p, &one, 1, NULL, &err), err);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    XTA_CHECK_OK(xta_parallel_refresh(p, NULL, &err), err);
    XTA_CHECK(xta_parallel_bounds(p).hi[0] == 8 + 2 * xta_test_ranks, "%lld rows",
              (long long)xta_parallel_bounds(p).hi[0]);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    unsetenv("XTA_LOCK_WAIT");
}

/* Ranks that disagree: an error on all of them, nothing changed, and the handle stays usable. */
static void test_disagreement(void)
{
    static const int64_t bounds[2] = {8, 8};
    xta_parallel *p = create("quarrel", bounds, 0);
    bool last = xta_test_rank == xta_test_ranks - 1;
    xta_status want = xta_test_ranks > 1 ? XTA_EARG : XTA_OK;
    xta_growth growth = {last ? 1 : 0, XTA_BACK, 4};
    xta_box all = xta_parallel_bounds(p);
    int32_t cells[64] = {0};

    if (xta_test_ranks > 1) {
        XTA_CHECK_STATUS(xta_parallel_extend(p, &growth, 1, NULL, &err), want, err);
        XTA_CHECK(strstr(err.text, "axis") != NULL, "%s", err.text);
        growth = (xta_growth){0, XTA_BACK, last ? 5 : 4};
        XTA_CHECK_STATUS(xta_parallel_extend(p, &growth, 1, NULL, &err), want, err);
        XTA_CHECK(strstr(err.text, "least 4, greatest 5") != NULL, "%s", err.text);
        // Different calls.
        xta_status status = last ? xta_parallel_refresh(p, NULL, &err)
                                 : xta_parallel_read_all(p, &all, NULL, cells, &err);
        XTA_CHECK_STATUS(status, XTA_EARG, err);
    }
    // One rank's box leaves the bounds: all get its error, no rank writes.
    xta_box wrong = all;
    wrong.hi[0] += last;
    memset(cells, 1, sizeof cells);
    XTA_CHECK_STATUS(xta_parallel_write_all(p, &wrong, NULL, cells, &err), XTA_EBOX, err);
    XTA_CHECK(strstr(err.text, "leaves the bounds") != NULL, "%s", err.text);
    xta_box none = {.ndim = 2};
    check_all(p, &none);
    xta_box now = xta_parallel_bounds(p);
    XTA_CHECK(xta_box_equal(&all, &now), "the bounds changed: %lld", (long long)now.hi[0]);
    // Ranks without cells.
    XTA_CHECK_OK(xta_parallel_write_all(p, last ? &all : NULL, NULL, cells, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Some ranks do not call, or call too late: an error on all that wait, then all calls succeed
 * again. */
static void test_patience(void)
{
    static const int64_t bounds[2] = {8, 8};
    xta_parallel *p = create("patience", bounds, 0.2);
    bool last = xta_test_rank == xta_test_ranks - 1, first = xta_test_rank == 0;
    xta_growth growth = {0, XTA_BACK, 4};
    xta_box all = xta_parallel_bounds(p), now;

    if (xta_test_ranks > 1) {
        for (int round = 0; round < 2; round++) {
            // First the last rank is missing, then rank 0 is.
            bool missing = round == 0 ? last : first;
            if (!missing) {
                XTA_CHECK_STATUS(xta_parallel_extend(p, &growth, 1, NULL, &err), XTA_ETIMEDOUT,
                                 err);
            }
            MPI_Barrier(MPI_COMM_WORLD);
            now = xta_parallel_bounds(p);
            XTA_CHECK(xta_box_equal(&all, &now), "the bounds changed: %lld", (long long)now.hi[0]);
        }
        // Some give up before the others come; no rank may be left waiting.
        if (last) {
            sleep_ms(400);
        }
        XTA_CHECK_STATUS(xta_parallel_extend(p, &growth, 1, NULL, &err), XTA_ETIMEDOUT, err);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    XTA_CHECK_OK(xta_parallel_extend(p, &growth, 1, &now, &err), err);
    XTA_CHECK(now.hi[0] == 12, "%lld rows", (long long)now.hi[0]);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);

    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *none = NULL;
    options.timeout_s = 0.2;
    if (xta_test_ranks > 1 && first) {
        XTA_CHECK_STATUS(xta_parallel_open(MPI_COMM_WORLD, xta_test_path(named("patience")),
                                           &options, &none, &err),
                         XTA_ETIMEDOUT, err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_errors(void)
{
    static const int64_t bounds[2] = {8, 8};
    xta_parallel *p = NULL, *again = NULL;
    xta_growth growth = {0, XTA_BACK, 4};
    int32_t cell = 1;

    XTA_CHECK_STATUS(xta_parallel_open(MPI_COMM_WORLD, xta_test_path("nowhere"), NULL, &p, &err),
                     XTA_ENOENT, err);
    XTA_CHECK(p == NULL, "a handle came back%s", "");
    p = create("errors", bounds, 0);
    XTA_CHECK_STATUS(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(named("errors")), XTA_I32, 2,
                                         bounds, NULL, NULL, &again, &err),
                     XTA_EEXIST, err);
    xta_array *view = xta_parallel_array(p);
    const int64_t corner[2] = {0, 0};
    XTA_CHECK_STATUS(xta_array_extend(view, &growth, 1, NULL, &err), XTA_EACCESS, err);
    XTA_CHECK_STATUS(xta_array_put(view, corner, &cell, &err), XTA_EACCESS, err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    XTA_CHECK_OK(xta_parallel_open(MPI_COMM_WORLD, xta_test_path(named("errors")), NULL, &p, &err),
                 err);
    XTA_CHECK_STATUS(xta_parallel_extend(p, &growth, 1, NULL, &err), XTA_EACCESS, err);
    xta_box one = xta_box_make(2, corner, (const int64_t[]){1, 1});
    XTA_CHECK_STATUS(xta_parallel_write(p, &one, NULL, &cell, &err), XTA_EACCESS, err);
    XTA_CHECK_OK(xta_parallel_read(p, &one, NULL, &cell, &err), err);
    XTA_CHECK(cell == 0, "an unwritten cell holds %d", (int)cell);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    for (io = XTA_IO_AUTO; io <= XTA_IO_MPI; io++) {
        test_growth();
        test_alone();
        test_lock_file();
        test_disagreement();
        test_patience();
        test_errors();
    }
    return xta_test_end();
}
