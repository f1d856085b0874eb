/* HDF5 used as well as it can be; see peer_hdf5.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "peer_hdf5.h"

#include <string.h>
#include <unistd.h>

#include "bench.h"

int64_t peer_checked(int64_t value, const char *call)
{
    if (value < 0) {
        bench_die("HDF5 failed in %s", call);
    }
    return value;
}

static bool is_prime(uint64_t n)
{
    for (uint64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n > 1;
}

/* A prime of about a hundred times the number of chunks that the cache can hold. */
static size_t slots_for(uint64_t chunk_bytes)
{
    uint64_t slots = 100 * (BENCH_CACHE_BYTES / chunk_bytes + 1) + 1;
    while (!is_prime(slots)) {
        slots++;
    }
    return (size_t)slots;
}

static hid_t file_properties(void)
{
    hid_t properties = BENCH_H5(H5Pcreate(H5P_FILE_ACCESS));
    BENCH_H5(H5Pset_libver_bounds(properties, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    return properties;
}

static bool default_cache;

void peer_use_default_cache(bool use)
{
    default_cache = use;
}

static hid_t dataset_properties(hid_t type, int ndim, const int64_t chunk[])
{
    uint64_t chunk_bytes = H5Tget_size(type);
    hid_t properties = BENCH_H5(H5Pcreate(H5P_DATASET_ACCESS));

    for (int axis = 0; axis < ndim; axis++) {
        chunk_bytes *= (uint64_t)chunk[axis];
    }
    if (!default_cache) {
        BENCH_H5(H5Pset_chunk_cache(properties, slots_for(chunk_bytes), BENCH_CACHE_BYTES, 0.75));
    }
    return properties;
}

static void lengths_of(int ndim, const int64_t from[], hsize_t to[])
{
    for (int axis = 0; axis < ndim; axis++) {
        to[axis] = (hsize_t)from[axis];
    }
}

static void start(peer_hdf5 *peer, hid_t type, int ndim)
{
    memset(peer, 0, sizeof *peer);
    peer->file_space = -1;
    peer->memory_space = -1;
    peer->type = type;
    peer->ndim = ndim;
}

void peer_create(peer_hdf5 *peer, const char *path, hid_t type, int ndim, const int64_t bounds[],
                 const int64_t chunk[])
{
    hsize_t lengths[XTA_MAX_NDIM];
    hsize_t limits[XTA_MAX_NDIM];
    hsize_t chunk_lengths[XTA_MAX_NDIM];
    hid_t access = file_properties();
    hid_t dataset_access = dataset_properties(type, ndim, chunk);
    hid_t creation = BENCH_H5(H5Pcreate(H5P_DATASET_CREATE));

    start(peer, type, ndim);
    lengths_of(ndim, bounds, lengths);
    lengths_of(ndim, chunk, chunk_lengths);
    for (int axis = 0; axis < ndim; axis++) {
        limits[axis] = H5S_UNLIMITED;
    }
    BENCH_H5(H5Pset_chunk(creation, ndim, chunk_lengths));
    hid_t space = BENCH_H5(H5Screate_simple(ndim, lengths, limits));
    peer->file = BENCH_H5(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    peer->dataset = BENCH_H5(
        H5Dcreate2(peer->file, "cells", type, space, H5P_DEFAULT, creation, dataset_access));
    peer_see_bounds(peer);
    BENCH_H5(H5Sclose(space));
    BENCH_H5(H5Pclose(creation));
    BENCH_H5(H5Pclose(dataset_access));
    BENCH_H5(H5Pclose(access));
}

void peer_open(peer_hdf5 *peer, const char *path, hid_t type, int ndim, const int64_t chunk[])
{
    hid_t access = file_properties();
    hid_t dataset_access = dataset_properties(type, ndim, chunk);

    start(peer, type, ndim);
    peer->file = BENCH_H5(H5Fopen(path, H5F_ACC_RDWR, access));
    peer->dataset = BENCH_H5(H5Dopen2(peer->file, "cells", dataset_access));
    peer_see_bounds(peer);
    BENCH_H5(H5Pclose(dataset_access));
    BENCH_H5(H5Pclose(access));
}

void peer_close(peer_hdf5 *peer)
{
    if (peer->memory_space >= 0) {
        BENCH_H5(H5Sclose(peer->memory_space));
    }
    BENCH_H5(H5Sclose(peer->file_space));
    BENCH_H5(H5Dclose(peer->dataset));
    BENCH_H5(H5Fclose(peer->file));
}

void peer_set_extent(peer_hdf5 *peer, const int64_t bounds[])
{
    hsize_t lengths[XTA_MAX_NDIM];

    lengths_of(peer->ndim, bounds, lengths);
    BENCH_H5(H5Dset_extent(peer->dataset, lengths));
}

void peer_see_bounds(peer_hdf5 *peer)
{
    if (peer->file_space >= 0) {
        BENCH_H5(H5Sclose(peer->file_space));
    }
    peer->file_space = BENCH_H5(H5Dget_space(peer->dataset));
}

void peer_flush(peer_hdf5 *peer)
{
    BENCH_H5(H5Fflush(peer->file, H5F_SCOPE_GLOBAL));
}

void peer_sync(peer_hdf5 *peer)
{
    int *descriptor = NULL;

    peer_flush(peer);
    BENCH_H5(H5Fget_vfd_handle(peer->file, H5P_DEFAULT, (void **)&descriptor));
    if (fsync(*descriptor) != 0) {
        bench_die("cannot sync the HDF5 file");
    }
}

/* Select the box in the file space and make the memory space fit, unless it does already. */
static void select_box(peer_hdf5 *peer, const xta_box *box)
{
    hsize_t first[XTA_MAX_NDIM];
    hsize_t lengths[XTA_MAX_NDIM] = {0};

    for (int axis = 0; axis < peer->ndim; axis++) {
        first[axis] = (hsize_t)box->lo[axis];
        lengths[axis] = (hsize_t)(box->hi[axis] - box->lo[axis]);
    }
    BENCH_H5(H5Sselect_hyperslab(peer->file_space, H5S_SELECT_SET, first, NULL, lengths, NULL));
    if (memcmp(lengths, peer->memory_lengths, sizeof lengths) != 0) {
        if (peer->memory_space >= 0) {
            BENCH_H5(H5Sclose(peer->memory_space));
        }
        peer->memory_space = BENCH_H5(H5Screate_simple(peer->ndim, lengths, NULL));
        memcpy(peer->memory_lengths, lengths, sizeof lengths);
    }
}

void peer_read(peer_hdf5 *peer, const xta_box *box, void *cells)
{
    select_box(peer, box);
    BENCH_H5(H5Dread(peer->dataset, peer->type, peer->memory_space, peer->file_space, H5P_DEFAULT,
                     cells));
}

void peer_write(peer_hdf5 *peer, const xta_box *box, const void *cells)
{
    select_box(peer, box);
    BENCH_H5(H5Dwrite(peer->dataset, peer->type, peer->memory_space, peer->file_space, H5P_DEFAULT,
                      cells));
}

hid_t peer_cell_space(const peer_hdf5 *peer, const int64_t coord[])
{
    hsize_t point[XTA_MAX_NDIM];
    hid_t space = BENCH_H5(H5Scopy(peer->file_space));

    lengths_of(peer->ndim, coord, point);
    BENCH_H5(H5Sselect_elements(space, H5S_SELECT_SET, 1, point));
    return space;
}
