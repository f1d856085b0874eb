/* Parallel HDF5: a chunked dataset with the MPI-IO driver, used as well as we know how: the latest
 * file format, no fill values written, collective metadata, chunks on page borders, and no axis
 * unlimited unless the array will grow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sides.h"

#include <hdf5.h>

#define PAGE_BYTES 4096

static hid_t file;
static hid_t dataset;

static int64_t checked(int64_t value, const char *call)
{
    if (value < 0) {
        bench_die("HDF5 failed in %s", call);
    }
    return value;
}
#define H5(call) checked((int64_t)(call), #call)

static hid_t file_access(void)
{
    hid_t access = H5(H5Pcreate(H5P_FILE_ACCESS));

    H5(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
    H5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    H5(H5Pset_all_coll_metadata_ops(access, true));
    H5(H5Pset_coll_metadata_write(access, true));
    H5(H5Pset_alignment(access, PAGE_BYTES, PAGE_BYTES));
    return access;
}

static void hdf5_create(const task *t)
{
    hsize_t lengths[AXES], limits[AXES], chunk[AXES];
    hid_t access = file_access();
    hid_t creation = H5(H5Pcreate(H5P_DATASET_CREATE));

    for (int axis = 0; axis < AXES; axis++) {
        lengths[axis] = (hsize_t)t->bounds[axis];
        limits[axis] = t->growing ? H5S_UNLIMITED : lengths[axis];
        chunk[axis] = (hsize_t)t->chunk[axis];
    }
    H5(H5Pset_chunk(creation, AXES, chunk));
    H5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
    hid_t space = H5(H5Screate_simple(AXES, lengths, limits));
    file = H5(H5Fcreate(bench_path("hdf5.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    dataset =
        H5(H5Dcreate2(file, "cells", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5(H5Sclose(space));
    H5(H5Pclose(creation));
    H5(H5Pclose(access));
}

static void hdf5_open(const task *t)
{
    hid_t access = file_access();
    (void)t;

    file = H5(H5Fopen(bench_path("hdf5.h5"), H5F_ACC_RDWR, access));
    dataset = H5(H5Dopen2(file, "cells", H5P_DEFAULT));
    H5(H5Pclose(access));
}

static void hdf5_close(const task *t)
{
    (void)t;
    H5(H5Dclose(dataset));
    H5(H5Fclose(file));
}

static void hdf5_remove(const task *t)
{
    if (t->rank == 0) {
        bench_remove(bench_path("hdf5.h5"));
    }
}

/* Move this rank's box. */
static void transfer(const task *t, bool writing)
{
    xta_box mine = task_mine(t);
    hsize_t first[AXES], lengths[AXES];
    hid_t how = H5(H5Pcreate(H5P_DATASET_XFER));
    hid_t in_file = H5(H5Dget_space(dataset));

    for (int axis = 0; axis < AXES; axis++) {
        first[axis] = (hsize_t)mine.lo[axis];
        lengths[axis] = (hsize_t)(mine.hi[axis] - mine.lo[axis]);
    }
    H5(H5Pset_dxpl_mpio(how, t->collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT));
    H5(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, first, NULL, lengths, NULL));
    hid_t in_memory = H5(H5Screate_simple(AXES, lengths, NULL));
    if (task_bytes(t) == 0) {
        H5(H5Sselect_none(in_file));
        H5(H5Sselect_none(in_memory));
    }
    if (writing) {
        H5(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, how, t->cells));
    } else {
        H5(H5Dread(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, how, t->cells));
    }
    H5(H5Sclose(in_memory));
    H5(H5Sclose(in_file));
    H5(H5Pclose(how));
}

static void hdf5_write(const task *t)
{
    transfer(t, true);
}

static void hdf5_read(const task *t)
{
    transfer(t, false);
}

static void hdf5_grow(const task *t, const int64_t old[], int axis)
{
    hsize_t lengths[AXES];
    (void)old;
    (void)axis;

    for (int k = 0; k < AXES; k++) {
        lengths[k] = (hsize_t)t->bounds[k];
    }
    H5(H5Dset_extent(dataset, lengths));
    transfer(t, true);
}

const side side_hdf5 = {
    .name = "parallel HDF5",
    .create = hdf5_create,
    .write = hdf5_write,
    .close = hdf5_close,
    .open = hdf5_open,
    .read = hdf5_read,
    .remove = hdf5_remove,
    .grow = hdf5_grow,
};
