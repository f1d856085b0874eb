/* Codecs in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_PARSE_CODECS_H
#define XTA_FORMATS_ZARR_PARSE_CODECS_H

#include <jansson.h>

#include "zarr/codecs.h"

/* NULL, or why the array cannot be decoded: text in `text`. Byte order and permutation of version 2
 * are set by the caller. */
const char *xta__zarr_codecs_v2(const json_t *filters, const json_t *compressor, zarr_chain *chain,
                                char text[160]);
/* `number_bytes`: of the numbers in a cell that have a byte order, 1: none have. */
const char *xta__zarr_codecs_v3(const json_t *codecs, int ndim, const int64_t shape[],
                                size_t number_bytes, zarr_chain *chain, char text[160]);

/* The name of an extension of version 3: one without a configuration may be its name alone. */
const char *xta__zarr_name_of(const json_t *json);

#endif
