/* Reading cells of a Zarr array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_CHUNKS_H
#define XTA_FORMATS_ZARR_CHUNKS_H

#include "zarr/metadata.h"
#include "zarr/store.h"

/* The chunk that was decoded last, since slabs may end within chunks. */
typedef struct zarr_chunk_cache {
    const zarr_array *array; /* NULL: none */
    int64_t at[XTA_MAX_NDIM];
    bool missing;
    uint8_t *cells;
} zarr_chunk_cache;

/* Read a box, counted from cell 0; chunks that are missing hold the fill value. `node` is the path
 * of the array in the store. */
xta_status xta__zarr_read_box(const zarr_store *store, const char *node, const zarr_array *array,
                              zarr_chunk_cache *cache, const xta_box *box, uint8_t *cells,
                              xta_error *err);

/* Whether all chunks of a box are missing; false if that cannot be known. */
bool xta__zarr_is_empty(const zarr_store *store, const char *node, const zarr_array *array,
                        const xta_box *box);

/* The bytes of the longest text of an array of texts, at least 1: all its chunks are decoded. */
xta_status xta__zarr_measure_texts(const zarr_store *store, const char *node,
                                   const zarr_array *array, size_t *longest, xta_error *err);

/* The name of a chunk in the array's folder; the caller frees it. NULL: out of memory. */
char *xta__zarr_chunk_key(const zarr_array *array, const int64_t at[]);

#endif
