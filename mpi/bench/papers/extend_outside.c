/* A program that knows nothing of Global Arrays or MPI and extends an array of doubles at the back
 * of its axes:
 *
 *     extend_outside xta|hdf5 PATH values|zeros BY...
 *
 *
 * and writes the new cells (bench_value, or 0). At its end the array is durable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "bench.h"

enum { MOST_AXES = 3 };

typedef struct extension {
    const char *path;
    bool valued;
    int ndim;
    int64_t by[MOST_AXES];
} extension;

static int64_t checked(int64_t value, const char *call)
{
    if (value < 0) {
        bench_die("HDF5 failed in %s", call);
    }
    return value;
}
#define H5(call) checked((int64_t)(call), #call)

/* The new cells beyond `old` on `axis`, of those that are within `old` on the axes before it;
 * false if none. */
static bool slab(const extension *e, const int64_t old[], int axis, xta_box *box)
{
    int64_t lo[MOST_AXES] = {0}, hi[MOST_AXES];

    for (int k = 0; k < e->ndim; k++) {
        hi[k] = k < axis ? old[k] : old[k] + e->by[k];
        lo[k] = k == axis ? old[k] : 0;
    }
    *box = xta_box_make(e->ndim, lo, hi);
    return e->by[axis] > 0;
}

/* The cells of the box, in memory that the caller frees. */
static double *cells_of(const extension *e, const xta_box *box)
{
    size_t n = 1;

    for (int axis = 0; axis < e->ndim; axis++) {
        n *= (size_t)(box->hi[axis] - box->lo[axis]);
    }
    double *cells = calloc(n, sizeof *cells);
    if (cells == NULL) {
        bench_die("no memory");
    }
    if (e->valued) {
        bench_fill(box, cells);
    }
    return cells;
}

static void extend_xta(const extension *e)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growths[MOST_AXES];
    xta_array *array = NULL;
    xta_box before, box;
    int n = 0;

    options.writable = true;
    BENCH_XTA(xta_array_open(e->path, &options, &array, &bench_error));
    before = xta_array_bounds(array);
    for (int axis = 0; axis < e->ndim; axis++) {
        if (e->by[axis] > 0) {
            growths[n++] = (xta_growth){axis, XTA_BACK, e->by[axis]};
        }
    }
    BENCH_XTA(xta_array_extend(array, growths, n, NULL, &bench_error));
    // New cells are 0 already.
    for (int axis = 0; axis < e->ndim && e->valued; axis++) {
        if (slab(e, before.hi, axis, &box)) {
            double *cells = cells_of(e, &box);
            BENCH_XTA(xta_array_write(array, &box, NULL, cells, &bench_error));
            free(cells);
        }
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
}

static void write_hdf5(const extension *e, hid_t dataset, const int64_t old[])
{
    xta_box box;

    for (int axis = 0; axis < e->ndim; axis++) {
        hsize_t first[MOST_AXES], lengths[MOST_AXES];
        if (!slab(e, old, axis, &box)) {
            continue;
        }
        for (int k = 0; k < e->ndim; k++) {
            first[k] = (hsize_t)box.lo[k];
            lengths[k] = (hsize_t)(box.hi[k] - box.lo[k]);
        }
        double *cells = cells_of(e, &box);
        hid_t in_file = H5(H5Dget_space(dataset)),
              in_memory = H5(H5Screate_simple(e->ndim, lengths, NULL));
        H5(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, first, NULL, lengths, NULL));
        H5(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, cells));
        H5(H5Sclose(in_memory));
        H5(H5Sclose(in_file));
        free(cells);
    }
}

/* HDF5 leaves it to the system when a file reaches the disk; closing an array of ours does not. */
static void make_durable(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);

    if (fd < 0 || fdatasync(fd) != 0 || close(fd) != 0) {
        bench_die("cannot sync %s", path);
    }
}

static void extend_hdf5(const extension *e)
{
    hsize_t dims[MOST_AXES];
    int64_t old[MOST_AXES];
    hid_t access = H5(H5Pcreate(H5P_FILE_ACCESS));

    H5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    H5(H5Pset_alignment(access, 4096, 4096));
    // Enough for a layer of chunks, so that none is written in parts.
    H5(H5Pset_cache(access, 0, 12007, BENCH_CACHE_BYTES, 1));
    hid_t file = H5(H5Fopen(e->path, H5F_ACC_RDWR, access));
    hid_t dataset = H5(H5Dopen2(file, "cells", H5P_DEFAULT)), space = H5(H5Dget_space(dataset));
    H5(H5Sget_simple_extent_dims(space, dims, NULL));
    for (int axis = 0; axis < e->ndim; axis++) {
        old[axis] = (int64_t)dims[axis];
        dims[axis] += (hsize_t)e->by[axis];
    }
    H5(H5Dset_extent(dataset, dims));
    write_hdf5(e, dataset, old);
    H5(H5Sclose(space));
    H5(H5Dclose(dataset));
    H5(H5Fclose(file));
    H5(H5Pclose(access));
    make_durable(e->path);
}

int main(int argc, char **argv)
{
    extension e = {.path = argc > 2 ? argv[2] : ""};

    if (argc < 5 || argc > 4 + MOST_AXES) {
        bench_die("usage: extend_outside xta|hdf5 PATH values|zeros BY...");
    }
    e.valued = strcmp(argv[3], "values") == 0;
    for (e.ndim = 0; e.ndim < argc - 4; e.ndim++) {
        e.by[e.ndim] = strtoll(argv[4 + e.ndim], NULL, 10);
    }
    if (strcmp(argv[1], "xta") == 0) {
        extend_xta(&e);
    } else {
        extend_hdf5(&e);
    }
    return 0;
}
