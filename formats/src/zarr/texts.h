/* Cells that are texts: UTF-32 of a fixed length, or UTF-8 of any. Here they become UTF-8 of a
 * fixed length, padded with zeros; that of the longest is found by decoding all chunks once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_TEXTS_H
#define XTA_FORMATS_ZARR_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum zarr_texts {
    ZARR_NO_TEXTS,
    ZARR_UTF32,
    ZARR_ANY_LENGTH,
} zarr_texts;

typedef struct zarr_text_form {
    zarr_texts kind;
    bool big_endian;    /* of ZARR_UTF32 */
    size_t code_points; /* likewise: of a cell */
} zarr_text_form;

/* Where texts go. */
typedef struct zarr_text_cells {
    uint8_t *out; /* NULL: nowhere, they are only measured */
    size_t cell_bytes;
    size_t *longest; /* with out NULL: becomes the bytes of the longest text, if that is more */
} zarr_text_cells;

/* Decode n texts. NULL, or what is wrong with the bytes. */
const char *xta__zarr_decode_texts(const zarr_text_form *form, uint64_t n, const uint8_t *bytes,
                                   size_t n_bytes, const zarr_text_cells *cells);

#endif
