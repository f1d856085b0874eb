/* Keys of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_ZARR_CHUNK_KEY_H
#define XTA_VIEWS_ZARR_CHUNK_KEY_H

#include <stdbool.h>

#include <xta/zarr.h>

/* The array and the chunk of its grid that a key names: `0.3.1` behind the array's path in version
 * 2, `c/0/3/1` in version 3, or in both, as references have it, `n` and the number of
 * the chunk, row by row of the grid, in twelve digits. NULL: none, or the grid has no such chunk.
 * Pure. */
const xta_zarr_node *xta__chunk_key_parse(const xta_zarr *zarr, int version, const char *key,
                                          int64_t chunk[]);

/* The bytes of a whole chunk of an array; 0: more than memory can address. Pure. */
size_t xta__chunk_bytes(const xta_zarr_node *node);

#endif
