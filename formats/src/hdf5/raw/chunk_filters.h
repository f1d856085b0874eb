/* The filters of HDF5's chunks that several threads can undo at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_RAW_CHUNK_FILTERS_H
#define XTA_FORMATS_HDF5_RAW_CHUNK_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

/* What a chunk went through on its way to the file: shuffled first, then compressed; at least one
 * of them. */
typedef struct chunk_filters {
    bool shuffled, deflated;
} chunk_filters;

/* Memory of one thread. Begins as zeros; freed with xta__chunk_scratch_free. */
typedef struct chunk_scratch {
    unsigned char *stored, *inflated, *chunk;
    size_t stored_bytes, inflated_bytes, chunk_bytes; /* allocated */
    void *inflater;
} chunk_scratch;

/* Lengthen *bytes to at least `wanted`; what was there is lost. */
bool xta__chunk_scratch_reserve(unsigned char **bytes, size_t *allocated, size_t wanted);
void xta__chunk_scratch_free(chunk_scratch *scratch);

/* Undo the filters of the `stored_bytes` in scratch->stored into the `n` cells of `cell_bytes` at
 * `cells`. False: the bytes are damaged, or not as many as expected, or it is out of memory. */
bool xta__chunk_unfilter(const chunk_filters *filters, chunk_scratch *scratch, size_t stored_bytes,
                         unsigned char *cells, size_t n, size_t cell_bytes);

#endif
