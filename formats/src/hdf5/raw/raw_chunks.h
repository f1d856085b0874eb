/* The chunks of an HDF5 dataset as they are stored, with their filters undone here.
 *
 * HDF5 decompresses chunk after chunk under its one lock. Here the lock is held while the stored
 * bytes of a chunk are read, and any number of threads undo filters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_RAW_RAW_CHUNKS_H
#define XTA_FORMATS_HDF5_RAW_RAW_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

#include "hdf5/raw/chunk_filters.h"

typedef struct raw_chunks raw_chunks;

/* The dataset of this path in an open HDF5 file, or "." for an open dataset, whose axes and cells
 * have these numbers of axes and bytes. NULL: its chunks cannot be read like this (there are none,
 * cells are of another type in memory, filters other than shuffle and deflate), so HDF5 has to read
 * them. */
raw_chunks *xta__raw_chunks_open(int64_t file, const char *path, int ndim, size_t cell_bytes);
void xta__raw_chunks_close(raw_chunks *raw);

/* Lengths of a chunk, in cells. */
const int64_t *xta__raw_chunks_shape(const raw_chunks *raw);

/* Read a box into cells in row order. Several threads may, each with a scratch of its own. False:
 * HDF5 has to read it, or to say what is wrong: a chunk was never written, or cannot be decoded. */
bool xta__raw_chunks_read(const raw_chunks *raw, chunk_scratch *scratch, const xta_box *box,
                          unsigned char *cells);

/* The same by as many threads as there are processors. Each needs twice a chunk, all of them at
 * most half of what the box takes. */
bool xta__raw_chunks_read_by_threads(const raw_chunks *raw, const xta_box *box,
                                     unsigned char *cells);

/* A NetCDF-4 file as an HDF5 file, which is opened besides; negative: it is none.
 * Closed with xta__raw_chunks_close_file. */
int64_t xta__raw_chunks_open_file(const char *path);
void xta__raw_chunks_close_file(int64_t file);

#endif
