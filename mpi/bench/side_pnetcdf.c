/* PnetCDF: one variable of fixed bounds, row-major in a file of the 64-bit data format. Its numbers
 * are big-endian, so on most machines it swaps the bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sides.h"

#include <pnetcdf.h>

static int file;
static int variable;

static void checked(int code, const char *call)
{
    if (code != NC_NOERR) {
        bench_die("PnetCDF failed in %s: %s", call, ncmpi_strerror(code));
    }
}
#define NC(call) checked((call), #call)

static void pnetcdf_create(const task *t)
{
    static const char *const names[AXES] = {"x", "y", "z"};
    int dimensions[AXES];

    NC(ncmpi_create(MPI_COMM_WORLD, bench_path("pnetcdf.nc"), NC_CLOBBER | NC_64BIT_DATA,
                    MPI_INFO_NULL, &file));
    for (int axis = 0; axis < AXES; axis++) {
        NC(ncmpi_def_dim(file, names[axis], t->bounds[axis], &dimensions[axis]));
    }
    NC(ncmpi_def_var(file, "cells", NC_DOUBLE, AXES, dimensions, &variable));
    NC(ncmpi_enddef(file));
}

static void pnetcdf_open(const task *t)
{
    (void)t;
    NC(ncmpi_open(MPI_COMM_WORLD, bench_path("pnetcdf.nc"), NC_WRITE, MPI_INFO_NULL, &file));
    NC(ncmpi_inq_varid(file, "cells", &variable));
}

static void pnetcdf_close(const task *t)
{
    (void)t;
    NC(ncmpi_close(file));
}

static void pnetcdf_remove(const task *t)
{
    if (t->rank == 0) {
        bench_remove(bench_path("pnetcdf.nc"));
    }
}

/* The corner of this rank's box and its lengths. */
static void place(const task *t, MPI_Offset first[], MPI_Offset lengths[])
{
    xta_box mine = task_mine(t);

    for (int axis = 0; axis < AXES; axis++) {
        first[axis] = (MPI_Offset)mine.lo[axis];
        lengths[axis] = (MPI_Offset)(mine.hi[axis] - mine.lo[axis]);
    }
}

static void pnetcdf_write(const task *t)
{
    MPI_Offset first[AXES], lengths[AXES];

    place(t, first, lengths);
    if (t->collective) {
        NC(ncmpi_put_vara_double_all(file, variable, first, lengths, t->cells));
        return;
    }
    NC(ncmpi_begin_indep_data(file));
    NC(ncmpi_put_vara_double(file, variable, first, lengths, t->cells));
    NC(ncmpi_end_indep_data(file));
}

static void pnetcdf_read(const task *t)
{
    MPI_Offset first[AXES], lengths[AXES];

    place(t, first, lengths);
    if (t->collective) {
        NC(ncmpi_get_vara_double_all(file, variable, first, lengths, t->cells));
        return;
    }
    NC(ncmpi_begin_indep_data(file));
    NC(ncmpi_get_vara_double(file, variable, first, lengths, t->cells));
    NC(ncmpi_end_indep_data(file));
}

const side side_pnetcdf = {
    .name = "PnetCDF",
    .create = pnetcdf_create,
    .write = pnetcdf_write,
    .close = pnetcdf_close,
    .open = pnetcdf_open,
    .read = pnetcdf_read,
    .remove = pnetcdf_remove,
};
