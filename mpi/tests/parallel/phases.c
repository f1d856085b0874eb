/* One array used by several programs on different numbers of ranks: the two programs of phases.sh.
 *
 * `phases write PATH`: the ranks create the array and write their zones.
 *
 * `phases look PATH MARKER`: the ranks open it and check every cell, each rank the box of its share
 * and all ranks the whole array. Rank 0 makes the file MARKER; the script then grows the array and
 * removes the file. The ranks see the old bounds until they refresh. New cells read as fill, and
 * the ranks write them for the next program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/mpi_test.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <xta/parallel.h>

#define NDIM 3
#define FILL (-5)

static xta_error err;

static int32_t value_at(const int64_t at[NDIM])
{
    return (int32_t)(at[0] * 10007 + at[1] * 101 + at[2]);
}

/* An equal share of the first axis for each rank. */
static xta_box share_of(const xta_box *bounds)
{
    xta_box box = *bounds;
    int64_t n = bounds->hi[0] - bounds->lo[0];

    box.lo[0] = bounds->lo[0] + n * xta_test_rank / xta_test_ranks;
    box.hi[0] = bounds->lo[0] + n * (xta_test_rank + 1) / xta_test_ranks;
    return box;
}

static size_t cells_of(const xta_box *box)
{
    uint64_t n = 0;

    return xta_box_cells(box, &n) == XTA_OK ? (size_t)n : 0;
}

/* Call `visit` with each cell of a box, row-major, and its number. */
static void visit(const xta_box *box, int32_t *cells, void (*each)(const int64_t[], int32_t *))
{
    int64_t at[NDIM];
    size_t k = 0;

    for (at[0] = box->lo[0]; at[0] < box->hi[0]; at[0]++) {
        for (at[1] = box->lo[1]; at[1] < box->hi[1]; at[1]++) {
            for (at[2] = box->lo[2]; at[2] < box->hi[2]; at[2]++) {
                each(at, &cells[k++]);
            }
        }
    }
}

static void set(const int64_t at[], int32_t *cell)
{
    *cell = value_at(at);
}

static xta_box written; /* cells outside it are fill */

static void check(const int64_t at[], int32_t *cell)
{
    bool inside = true;

    for (int axis = 0; axis < NDIM; axis++) {
        inside = inside && written.lo[axis] <= at[axis] && at[axis] < written.hi[axis];
    }
    int32_t wanted = inside ? value_at(at) : FILL;
    XTA_CHECK(*cell == wanted, "cell %lld,%lld,%lld holds %d, not %d", (long long)at[0],
              (long long)at[1], (long long)at[2], *cell, wanted);
}

static void write_share(xta_parallel *p)
{
    xta_box bounds = xta_parallel_bounds(p), mine = share_of(&bounds);
    int32_t *cells = malloc((cells_of(&mine) + 1) * sizeof *cells);

    visit(&mine, cells, set);
    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
    free(cells);
}

/* The share of this rank collectively, the whole array independently. */
static void check_all(xta_parallel *p)
{
    xta_box bounds = xta_parallel_bounds(p), mine = share_of(&bounds);
    int32_t *cells = malloc((cells_of(&bounds) + 1) * sizeof *cells);

    XTA_CHECK_OK(xta_parallel_read_all(p, &mine, NULL, cells, &err), err);
    visit(&mine, cells, check);
    XTA_CHECK_OK(xta_parallel_read(p, &bounds, NULL, cells, &err), err);
    visit(&bounds, cells, check);
    free(cells);
}

static void write_first(const char *path)
{
    static const int64_t bounds[NDIM] = {9, 11, 13}, chunk[NDIM] = {2, 4, 5};
    static const int32_t fill = FILL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_parallel *p = NULL;

    options.chunk = chunk;
    options.fill = &fill;
    XTA_CHECK_OK(
        xta_parallel_create(MPI_COMM_WORLD, path, XTA_I32, NDIM, bounds, &options, NULL, &p, &err),
        err);
    write_share(p);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* Let the script grow the array, and wait until it has. */
static void let_it_grow(const char *marker)
{
    const struct timespec pause = {0, 20 * 1000 * 1000};

    MPI_Barrier(MPI_COMM_WORLD);
    if (xta_test_rank == 0) {
        FILE *file = fopen(marker, "w");
        XTA_CHECK(file != NULL && fclose(file) == 0, "no marker %s", marker);
        while (access(marker, F_OK) == 0) {
            nanosleep(&pause, NULL);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void inspect(const char *path, const char *marker, xta_parallel_io io)
{
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;
    bool changed = false;

    options.writable = true;
    options.io = io;
    XTA_CHECK_OK(xta_parallel_open(MPI_COMM_WORLD, path, &options, &p, &err), err);
    xta_box before = xta_parallel_bounds(p);
    written = before;
    check_all(p);
    let_it_grow(marker);
    xta_box still = xta_parallel_bounds(p);
    XTA_CHECK(xta_box_equal(&before, &still), "a growth was seen before refresh");
    check_all(p);
    XTA_CHECK_OK(xta_parallel_refresh(p, &changed, &err), err);
    xta_box after = xta_parallel_bounds(p);
    XTA_CHECK(changed && !xta_box_equal(&before, &after) && xta_box_contains(&after, &before),
              "refresh did not see the growth");
    check_all(p);
    write_share(p);
    written = after;
    check_all(p);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    if (argc > 2 && strcmp(argv[1], "write") == 0) {
        write_first(argv[2]);
    } else if (argc > 4 && strcmp(argv[1], "look") == 0) {
        inspect(argv[2], argv[3], strcmp(argv[4], "mpi") == 0 ? XTA_IO_MPI : XTA_IO_AUTO);
    } else {
        XTA_CHECK(false, "phases write PATH | phases look PATH MARKER auto|mpi");
    }
    return xta_test_end();
}
