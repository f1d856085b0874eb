/* The filters of HDF5's chunks that several threads can undo at once.
 *
 * Deflate is what zlib writes: libdeflate inflates it, and checks its sum. Shuffling puts the first
 * bytes of all cells before their second bytes, and so on: byte b of cell k lies at b * n + k.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/raw/chunk_filters.h"

#include <libdeflate.h>
#include <stdlib.h>

bool xta__chunk_scratch_reserve(unsigned char **bytes, size_t *allocated, size_t wanted)
{
    if (*allocated >= wanted) {
        return true;
    }
    free(*bytes);
    *bytes = malloc(wanted);
    *allocated = *bytes != NULL ? wanted : 0;
    return *bytes != NULL;
}

void xta__chunk_scratch_free(chunk_scratch *scratch)
{
    free(scratch->stored);
    free(scratch->inflated);
    free(scratch->chunk);
    if (scratch->inflater != NULL) {
        libdeflate_free_decompressor(scratch->inflater);
    }
    *scratch = (chunk_scratch){0};
}

static bool inflate_chunk(chunk_scratch *scratch, size_t stored_bytes, unsigned char *out,
                          size_t bytes)
{
    size_t got = 0;

    if (scratch->inflater == NULL) {
        scratch->inflater = libdeflate_alloc_decompressor();
    }
    return scratch->inflater != NULL &&
           libdeflate_zlib_decompress(scratch->inflater, scratch->stored, stored_bytes, out, bytes,
                                      &got) == LIBDEFLATE_SUCCESS &&
           got == bytes;
}

/* Inlined for each length of cells, which makes the loops fast. */
static inline void gather_bytes(const unsigned char *in, unsigned char *cells, size_t n,
                                size_t cell_bytes)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t b = 0; b < cell_bytes; b++) {
            cells[k * cell_bytes + b] = in[b * n + k];
        }
    }
}

static void unshuffle(const unsigned char *in, unsigned char *cells, size_t n, size_t cell_bytes)
{
    switch (cell_bytes) {
    case 2:
        gather_bytes(in, cells, n, 2);
        break;
    case 4:
        gather_bytes(in, cells, n, 4);
        break;
    case 8:
        gather_bytes(in, cells, n, 8);
        break;
    default:
        gather_bytes(in, cells, n, cell_bytes);
        break;
    }
}

bool xta__chunk_unfilter(const chunk_filters *filters, chunk_scratch *scratch, size_t stored_bytes,
                         unsigned char *cells, size_t n, size_t cell_bytes)
{
    size_t bytes = n * cell_bytes;
    const unsigned char *shuffled = scratch->stored;

    if (filters->deflated && !filters->shuffled) {
        return inflate_chunk(scratch, stored_bytes, cells, bytes);
    }
    if (filters->deflated) {
        if (!xta__chunk_scratch_reserve(&scratch->inflated, &scratch->inflated_bytes, bytes) ||
            !inflate_chunk(scratch, stored_bytes, scratch->inflated, bytes)) {
            return false;
        }
        shuffled = scratch->inflated;
    } else if (stored_bytes != bytes) {
        return false;
    }
    unshuffle(shuffled, cells, n, cell_bytes);
    return true;
}
