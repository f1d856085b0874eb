/* Plain MPI-IO: a flat file in which the boxes of the ranks lie one after another, each moved by
 * one call. It is not an array format: it shows the cost of moving the same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sides.h"

static MPI_File file;

static void open_file(int mode)
{
    check_mpi(MPI_File_open(MPI_COMM_WORLD, bench_path("plain"), mode, MPI_INFO_NULL, &file),
              "MPI_File_open");
}

static void plain_create(const task *t)
{
    (void)t;
    open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
}

static void plain_open(const task *t)
{
    (void)t;
    open_file(MPI_MODE_RDWR);
}

static void plain_close(const task *t)
{
    (void)t;
    check_mpi(MPI_File_close(&file), "MPI_File_close");
}

static void plain_remove(const task *t)
{
    if (t->rank == 0) {
        bench_remove(bench_path("plain"));
    }
}

/* The offset of this rank's bytes. */
static MPI_Offset my_offset(const task *t)
{
    task other = *t;
    MPI_Offset offset = 0;

    for (other.rank = 0; other.rank < t->rank; other.rank++) {
        offset += (MPI_Offset)task_bytes(&other);
    }
    return offset;
}

static void plain_write(const task *t)
{
    int n = (int)(task_bytes(t) / sizeof(double));
    MPI_Status status;

    if (t->collective) {
        check_mpi(MPI_File_write_at_all(file, my_offset(t), t->cells, n, MPI_DOUBLE, &status),
                  "MPI_File_write_at_all");
    } else {
        check_mpi(MPI_File_write_at(file, my_offset(t), t->cells, n, MPI_DOUBLE, &status),
                  "MPI_File_write_at");
    }
}

static void plain_read(const task *t)
{
    int n = (int)(task_bytes(t) / sizeof(double));
    MPI_Status status;

    if (t->collective) {
        check_mpi(MPI_File_read_at_all(file, my_offset(t), t->cells, n, MPI_DOUBLE, &status),
                  "MPI_File_read_at_all");
    } else {
        check_mpi(MPI_File_read_at(file, my_offset(t), t->cells, n, MPI_DOUBLE, &status),
                  "MPI_File_read_at");
    }
}

const side side_plain = {
    .name = "plain MPI-IO",
    .create = plain_create,
    .write = plain_write,
    .close = plain_close,
    .open = plain_open,
    .read = plain_read,
    .remove = plain_remove,
};
