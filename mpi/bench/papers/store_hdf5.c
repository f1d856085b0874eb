/* Parallel HDF5, each process moving its block of the global array collectively: the latest
 * format, collective metadata, page-aligned objects. `store_hdf5` is chunked with all axes
 * unlimited, and a serial program extends it while the session has it closed (a file that a
 * parallel program has open must not be changed by another). `store_hdf5_copied` is contiguous, as
 * in [CXA] 8.5, where only a copy can be larger.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <ga-mpi.h>
#include <hdf5.h>

#include "store.h"

#define PAGE_BYTES 4096

static double buffer; // bytes of a collective buffer; not above 0: MPI's choice

static int64_t checked(int64_t value, const char *call)
{
    if (value < 0) {
        bench_die("HDF5 failed in %s", call);
    }
    return value;
}
#define H5(call) checked((int64_t)(call), #call)

static void hdf5_begin(double buffer_bytes)
{
    buffer = buffer_bytes;
}

static void hdf5_end(void)
{
}

static char *path_of(const disk_array *a, char path[1100])
{
    char name[100];

    snprintf(name, sizeof name, "%s%d.h5", a->name, a->generation);
    snprintf(path, 1100, "%s", bench_path(name));
    return path;
}

static hid_t file_access(void)
{
    hid_t access = H5(H5Pcreate(H5P_FILE_ACCESS));
    MPI_Info hints;
    char bytes[32];

    MPI_Info_create(&hints);
    if (buffer > 0) {
        snprintf(bytes, sizeof bytes, "%.0f", buffer);
        MPI_Info_set(hints, "cb_buffer_size", bytes);
    }
    H5(H5Pset_fapl_mpio(access, GA_MPI_Comm(), hints));
    MPI_Info_free(&hints);
    H5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    H5(H5Pset_all_coll_metadata_ops(access, true));
    H5(H5Pset_coll_metadata_write(access, true));
    H5(H5Pset_alignment(access, PAGE_BYTES, PAGE_BYTES));
    return access;
}

static void create_as(disk_array *a, bool chunked)
{
    hsize_t dims[STORE_AXES], limits[STORE_AXES], chunk[STORE_AXES];
    hid_t access = file_access(), creation = H5(H5Pcreate(H5P_DATASET_CREATE));
    char path[1100];

    for (int axis = 0; axis < a->ndim; axis++) {
        dims[axis] = (hsize_t)a->dims[axis];
        limits[axis] = chunked && a->growing ? H5S_UNLIMITED : dims[axis];
        chunk[axis] = (hsize_t)a->typical[axis];
    }
    if (chunked) {
        H5(H5Pset_chunk(creation, a->ndim, chunk));
    }
    H5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
    hid_t space = H5(H5Screate_simple(a->ndim, dims, limits));
    a->file = H5(H5Fcreate(path_of(a, path), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    a->dataset = H5(
        H5Dcreate2(a->file, "cells", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5(H5Sclose(space));
    H5(H5Pclose(creation));
    H5(H5Pclose(access));
}

static void hdf5_create(disk_array *a)
{
    create_as(a, true);
}

static void copied_create(disk_array *a)
{
    create_as(a, false);
}

static void hdf5_open(disk_array *a)
{
    hid_t access = file_access();
    hsize_t dims[STORE_AXES];
    char path[1100];

    a->file = H5(H5Fopen(path_of(a, path), H5F_ACC_RDWR, access));
    a->dataset = H5(H5Dopen2(a->file, "cells", H5P_DEFAULT));
    hid_t space = H5(H5Dget_space(a->dataset));
    H5(H5Sget_simple_extent_dims(space, dims, NULL));
    for (int axis = 0; axis < a->ndim; axis++) {
        a->dims[axis] = (int64_t)dims[axis];
    }
    H5(H5Sclose(space));
    H5(H5Pclose(access));
}

static void hdf5_close(disk_array *a)
{
    H5(H5Dclose(a->dataset));
    H5(H5Fclose(a->file));
}

static void hdf5_remove(disk_array *a)
{
    char path[1100];

    hdf5_close(a);
    GA_Sync();
    if (GA_Nodeid() == 0) {
        bench_remove(path_of(a, path));
    }
}

static void transfer(disk_array *a, int g, const int64_t first[], bool writing)
{
    int64_t lo[STORE_AXES], hi[STORE_AXES];
    hsize_t at[STORE_AXES], lengths[STORE_AXES], one[STORE_AXES] = {1, 1, 1};
    double *cells = global_access(g, lo, hi);
    hid_t how = H5(H5Pcreate(H5P_DATASET_XFER)), in_file = H5(H5Dget_space(a->dataset));

    for (int axis = 0; axis < a->ndim; axis++) {
        at[axis] = (hsize_t)(first[axis] + lo[axis]);
        lengths[axis] = (hsize_t)(hi[axis] - lo[axis]);
    }
    H5(H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE));
    hid_t in_memory = H5(H5Screate_simple(a->ndim, cells != NULL ? lengths : one, NULL));
    if (cells == NULL) {
        H5(H5Sselect_none(in_file));
        H5(H5Sselect_none(in_memory));
    } else {
        H5(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, at, NULL, lengths, NULL));
    }
    if (writing) {
        H5(H5Dwrite(a->dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, how, cells));
    } else {
        H5(H5Dread(a->dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, how, cells));
    }
    H5(H5Sclose(in_memory));
    H5(H5Sclose(in_file));
    H5(H5Pclose(how));
    global_release(g);
}

static void hdf5_write(disk_array *a, int g, const int64_t lo[], const int64_t hi[])
{
    (void)hi;
    transfer(a, g, lo, true);
}

static void hdf5_read(disk_array *a, int g, const int64_t lo[], const int64_t hi[])
{
    (void)hi;
    transfer(a, g, lo, false);
}

static void no_growth_yet(disk_array *a)
{
    (void)a;
}

static void hdf5_end_growth(disk_array *a)
{
    char path[1100];

    hdf5_close(a);
    GA_Sync();
    store_begin_outsider(a, "hdf5", path_of(a, path));
    store_end_outsider(a);
    hdf5_open(a);
}

static void copied_end_growth(disk_array *a)
{
    static const int64_t zero[STORE_AXES] = {0};
    disk_array former = *a;
    int carrier = global_new(a->ndim, a->dims);

    for (int axis = 0; axis < a->ndim; axis++) {
        a->dims[axis] += a->by[axis];
    }
    a->generation++;
    copied_create(a);
    hdf5_read(&former, carrier, zero, former.dims);
    hdf5_write(a, carrier, zero, former.dims);
    GA_Destroy(carrier);
    store_write_new(a, former.dims);
    hdf5_remove(&former);
}

const store store_hdf5 = {
    .name = "HDF5 chunked",
    .begin = hdf5_begin,
    .end = hdf5_end,
    .create = hdf5_create,
    .open = hdf5_open,
    .close = hdf5_close,
    .remove = hdf5_remove,
    .write = hdf5_write,
    .read = hdf5_read,
    .begin_growth = no_growth_yet,
    .end_growth = hdf5_end_growth,
};

const store store_hdf5_copied = {
    .name = "HDF5 copied",
    .begin = hdf5_begin,
    .end = hdf5_end,
    .create = copied_create,
    .open = hdf5_open,
    .close = hdf5_close,
    .remove = hdf5_remove,
    .write = hdf5_write,
    .read = hdf5_read,
    .begin_growth = no_growth_yet,
    .end_growth = copied_end_growth,
};
