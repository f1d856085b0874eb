/* The codecs of Zarr: how the bytes of a chunk become cells.
 *
 * A chain lists what an encoder did, first to last: the axes are permuted, the cells become bytes
 * of one byte order, or chunks of a shard, and filters change these bytes. Decoding goes the other
 * way. Formats: Zarr storage specifications 2 and 3, and the codecs that numcodecs defines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_CODECS_H
#define XTA_FORMATS_ZARR_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/type.h>

#include "zarr/filters.h"
#include "zarr/texts.h"

/* No chunk that is larger, decoded, is read: a hostile file cannot use more memory. */
#define ZARR_MOST_CHUNK_BYTES ((uint64_t)1 << 30)

enum { ZARR_MOST_FILTERS = 8, ZARR_MOST_SHARD_DEPTH = 4 };

typedef struct zarr_shard zarr_shard;
typedef struct zarr_chain {
    bool permuted;
    int axis[XTA_MAX_NDIM]; /* encoded axis k is this axis of the array */
    bool big_endian;
    zarr_texts texts;  /* what the cells are, if they are texts */
    zarr_shard *shard; /* NULL: the chunk's cells follow each other */
    zarr_filter filters[ZARR_MOST_FILTERS];
    int n_filters;
} zarr_chain;

/* A chunk that consists of smaller ones, which an index locates. */
struct zarr_shard {
    int64_t chunk[XTA_MAX_NDIM]; /* on the encoded axes */
    zarr_chain inner;
    zarr_chain index;
    bool index_first;
};

/* What the cells are. */
typedef struct zarr_cells {
    xta_type type;
    size_t bytes;
    const unsigned char *fill; /* one cell */
    size_t code_points;        /* of ZARR_UTF32 */
    size_t *longest;           /* only measure texts, see zarr/texts.h; NULL: decode */
} zarr_cells;

void xta__zarr_chain_clear(zarr_chain *chain);

/* The most bytes that the encoded form of `cells` bytes of cells can have: what does not compress
 * grows a little. */
uint64_t xta__zarr_most_encoded(const zarr_chain *chain, uint64_t cells);

/* Decode a chunk into cells in row order and the byte order of this machine. NULL, or what is wrong
 * with the bytes. */
const char *xta__zarr_decode(const zarr_chain *chain, const zarr_cells *cells, int ndim,
                             const int64_t shape[], const uint8_t *bytes, size_t n, uint8_t *out);

#endif
