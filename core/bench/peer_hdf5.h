/* The peer: HDF5 used as well as it can be. Chunked, latest file format, all axes unlimited, a
 * chunk cache of 64 MiB with a prime number of slots, about a hundred times the chunks that fit (as
 * its manual advises), data spaces kept between calls. An extension visits all chunks of the cache,
 * so rows of extensions are measured with its default cache of 1 MiB as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_PEER_HDF5_H
#define XTA_BENCH_PEER_HDF5_H

#include <stdbool.h>

#include <hdf5.h>

#include <xta/box.h>

typedef struct peer_hdf5 {
    hid_t file;
    hid_t dataset;
    hid_t file_space;   // of the current bounds
    hid_t memory_space; // of the box read or written last
    hid_t type;
    int ndim;
    hsize_t memory_lengths[XTA_MAX_NDIM];
} peer_hdf5;

/* Whether files opened from now on have HDF5's default chunk cache instead of the one of 64 MiB. */
void peer_use_default_cache(bool use);

/* Every function ends the program if HDF5 fails. */
void peer_create(peer_hdf5 *peer, const char *path, hid_t type, int ndim, const int64_t bounds[],
                 const int64_t chunk[]);
void peer_open(peer_hdf5 *peer, const char *path, hid_t type, int ndim, const int64_t chunk[]);
void peer_close(peer_hdf5 *peer);

/* H5Dset_extent and nothing else; peer_see_bounds must follow before the next read or write. */
void peer_set_extent(peer_hdf5 *peer, const int64_t bounds[]);
void peer_see_bounds(peer_hdf5 *peer);

/* Write everything to the file, and then to the disk. */
void peer_flush(peer_hdf5 *peer);
void peer_sync(peer_hdf5 *peer);

void peer_read(peer_hdf5 *peer, const xta_box *box, void *cells);
void peer_write(peer_hdf5 *peer, const xta_box *box, const void *cells);

/* A data space of the bounds with one cell selected, for the caller to close. */
hid_t peer_cell_space(const peer_hdf5 *peer, const int64_t coord[]);

/* The value that a call of HDF5 returned; ends the program if the call failed. */
int64_t peer_checked(int64_t value, const char *call);
#define BENCH_H5(call) peer_checked((int64_t)(call), #call)

#endif
