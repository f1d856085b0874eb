/* The chunks of HDF5 datasets, in a build without HDF5: NetCDF has to read them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/raw/raw_chunks.h"

raw_chunks *xta__raw_chunks_open(int64_t file, const char *path, int ndim, size_t cell_bytes)
{
    (void)file;
    (void)path;
    (void)ndim;
    (void)cell_bytes;
    return NULL;
}

void xta__raw_chunks_close(raw_chunks *raw)
{
    (void)raw;
}

const int64_t *xta__raw_chunks_shape(const raw_chunks *raw)
{
    (void)raw;
    return NULL;
}

bool xta__raw_chunks_read(const raw_chunks *raw, chunk_scratch *scratch, const xta_box *box,
                          unsigned char *cells)
{
    (void)raw;
    (void)scratch;
    (void)box;
    (void)cells;
    return false;
}

bool xta__raw_chunks_read_by_threads(const raw_chunks *raw, const xta_box *box,
                                     unsigned char *cells)
{
    (void)raw;
    (void)box;
    (void)cells;
    return false;
}

int64_t xta__raw_chunks_open_file(const char *path)
{
    (void)path;
    return -1;
}

void xta__raw_chunks_close_file(int64_t file)
{
    (void)file;
}

void xta__chunk_scratch_free(chunk_scratch *scratch)
{
    (void)scratch;
}
