/* What a Zarr array is: `.zarray` of version 2, `zarr.json` of version 3.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_METADATA_H
#define XTA_FORMATS_ZARR_METADATA_H

#include <jansson.h>

#include "zarr/codecs.h"

typedef struct zarr_array {
    int ndim; /* 0: one cell */
    int64_t shape[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM];
    xta_type type;
    size_t cell_bytes;
    bool has_fill;
    unsigned char *fill; /* one cell, zeros if it has none */
    char *fill_text;     /* of texts, whose cell_bytes are not known yet; NULL: none */
    size_t code_points;  /* of texts in UTF-32 */
    zarr_chain chain;
    bool keys_of_v3; /* `c/0/1`, not `0.1` */
    char separator;
} zarr_array;

/* Parse the metadata of an array. NULL, or why it cannot be read: text in `text`. */
const char *xta__zarr_parse_v2(const json_t *json, zarr_array *out, char text[160]);
const char *xta__zarr_parse_v3(const json_t *json, zarr_array *out, char text[160]);
void xta__zarr_array_clear(zarr_array *array);

#endif
