/* XTA: xta_parallel with its defaults, and by MPI-IO, as on ranks of several machines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sides.h"

#include <xta/parallel.h>

static xta_parallel *array;

static void create_by(const task *t, xta_parallel_io io)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    create.chunk = t->chunk;
    options.io = io;
    BENCH_XTA(xta_parallel_create(MPI_COMM_WORLD, bench_path("ours"), XTA_F64, AXES, t->bounds,
                                  &create, &options, &array, &bench_error));
}

static void open_by(xta_parallel_io io)
{
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    options.writable = true;
    options.io = io;
    BENCH_XTA(
        xta_parallel_open(MPI_COMM_WORLD, bench_path("ours"), &options, &array, &bench_error));
}

static void ours_create(const task *t)
{
    create_by(t, XTA_IO_AUTO);
}

static void ours_open(const task *t)
{
    (void)t;
    open_by(XTA_IO_AUTO);
}

static void ours_create_mpi(const task *t)
{
    create_by(t, XTA_IO_MPI);
}

static void ours_open_mpi(const task *t)
{
    (void)t;
    open_by(XTA_IO_MPI);
}

static void ours_close(const task *t)
{
    (void)t;
    BENCH_XTA(xta_parallel_close(array, &bench_error));
}

static void ours_remove(const task *t)
{
    if (t->rank == 0) {
        bench_remove_array(bench_path("ours"));
    }
}

static void ours_write(const task *t)
{
    xta_box mine = task_mine(t);

    if (t->collective) {
        BENCH_XTA(xta_parallel_write_all(array, &mine, NULL, t->cells, &bench_error));
    } else {
        BENCH_XTA(xta_parallel_write(array, &mine, NULL, t->cells, &bench_error));
    }
}

static void ours_read(const task *t)
{
    xta_box mine = task_mine(t);

    if (t->collective) {
        BENCH_XTA(xta_parallel_read_all(array, &mine, NULL, t->cells, &bench_error));
    } else {
        BENCH_XTA(xta_parallel_read(array, &mine, NULL, t->cells, &bench_error));
    }
}

static void ours_grow(const task *t, const int64_t old[], int axis)
{
    xta_growth growth = {axis, XTA_BACK, t->bounds[axis] - old[axis]};

    BENCH_XTA(xta_parallel_extend(array, &growth, 1, NULL, &bench_error));
    ours_write(t);
}

const side side_ours = {
    .name = "XTA",
    .create = ours_create,
    .write = ours_write,
    .close = ours_close,
    .open = ours_open,
    .read = ours_read,
    .remove = ours_remove,
    .grow = ours_grow,
};

const side side_ours_mpi = {
    .name = "XTA by MPI-IO",
    .create = ours_create_mpi,
    .write = ours_write,
    .close = ours_close,
    .open = ours_open_mpi,
    .read = ours_read,
    .remove = ours_remove,
    .grow = ours_grow,
};
