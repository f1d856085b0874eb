/* Chunks of the data file as they lie there: raw bytes at computed offsets, past mapping and cache.
 *
 * For operations that move all cells of an array once: large reads and writes instead of page
 * faults, and nothing stays in the chunk cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/chunk_io.h"

#include <inttypes.h>
#include <string.h>

bool xta__chunk_io_begin(xta_array *array, xta__chunk_io *io, xta_status *status, xta_error *err)
{
    uint64_t bytes = 0;

    *status = XTA_OK;
    if (array->in_memory || array->replica) {
        return false;
    }
    io->array = array;
    io->file = xta__chunks_file(array->chunk_store);
    // What the cache has not written yet is written, and its copies are dropped.
    if (array->chunk_store->ops->refresh != NULL) {
        *status = array->chunk_store->ops->refresh(array->chunk_store, err);
    }
    if (*status == XTA_OK) {
        *status = xta__file_sizes(io->file, &bytes, NULL, err);
    }
    io->file_bytes = bytes;
    return true;
}

xta_status xta__chunk_io_end(xta__chunk_io *io, xta_error *err)
{
    xta__chunk_store *chunk_store = io->array->chunk_store;

    return chunk_store->ops->refresh != NULL ? chunk_store->ops->refresh(chunk_store, err) : XTA_OK;
}

xta_status xta__chunk_io_read(const xta__chunk_io *io, uint64_t offset, void *bytes, size_t n,
                              xta_error *err)
{
    size_t got = 0;
    xta_status status = xta__file_read_at(io->file, offset, bytes, n, &got, err);

    if (status != XTA_OK || got == n) {
        return status;
    }
    if (offset + n <= io->file_bytes) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %" PRIu64 ": the file ends, but had %" PRIu64
                         " bytes before; somebody has cut it: restore it from a copy",
                         io->file->path, io->file->origin + offset + got,
                         io->file->origin + io->file_bytes);
    }
    // A file opened for reading may be shorter than its slots after a loss of power: they are
    // holes.
    memset((uint8_t *)bytes + got, 0, n - got);
    return XTA_OK;
}

xta_status xta__chunk_io_write(const xta__chunk_io *io, uint64_t offset, const void *bytes,
                               size_t n, xta_error *err)
{
    return xta__file_write_at(io->file, offset, bytes, n, err);
}
