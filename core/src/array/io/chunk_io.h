/* Chunks of the data file as they lie there: raw bytes at computed offsets.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CHUNK_IO_H
#define XTA_ARRAY_IO_CHUNK_IO_H

#include "array/state/open_array.h"

/* The data file of an array as raw chunks: for operations that move all cells once. Cells are as
 * they are stored, in the order of the chunk, and ghost cells are zeros. */
typedef struct xta__chunk_io {
    xta_array *array;
    const xta__file *file;
    uint64_t file_bytes; /* when it began */
} xta__chunk_io;

/* False: there are no such chunks (the array is in memory, or a replica), or *status says what went
 * wrong. Until the end nobody else may change cells. */
bool xta__chunk_io_begin(xta_array *array, xta__chunk_io *io, xta_status *status, xta_error *err);
xta_status xta__chunk_io_end(xta__chunk_io *io, xta_error *err);
xta_status xta__chunk_io_read(const xta__chunk_io *io, uint64_t offset, void *bytes, size_t n,
                              xta_error *err);
xta_status xta__chunk_io_write(const xta__chunk_io *io, uint64_t offset, const void *bytes,
                               size_t n, xta_error *err);

#endif
