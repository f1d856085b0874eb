/* Filters of Zarr: bytes into bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_FILTERS_H
#define XTA_FORMATS_ZARR_FILTERS_H

#include <stddef.h>
#include <stdint.h>

typedef enum zarr_filter_kind {
    ZARR_DEFLATE, /* zlib or gzip: the stream says which */
    ZARR_ZSTD,
    ZARR_BLOSC,
    ZARR_LZ4,
    ZARR_CRC32C,
    ZARR_SHUFFLE,
} zarr_filter_kind;

typedef struct zarr_filter {
    zarr_filter_kind kind;
    size_t element_bytes; /* of ZARR_SHUFFLE */
} zarr_filter;

/* What decoders answer if there is not enough memory; anything else is wrong with the bytes. */
extern const char xta__zarr_no_memory[];

/* Undo a filter. *out is a new buffer of *n_out bytes, at most `limit`. NULL, or what is wrong. */
const char *xta__zarr_unfilter(const zarr_filter *filter, const uint8_t *bytes, size_t n,
                               size_t limit, uint8_t **out, size_t *n_out);

#endif
