/* Types of cells in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_TYPES_H
#define XTA_FORMATS_ZARR_TYPES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <xta/type.h>

#include "zarr/texts.h"

/* `<f4`, `>i2`, `|b1`, `|S8`: false if it is none that an array can have. */
bool xta__zarr_type_v2(const char *text, xta_type *type, size_t *bytes, bool *big_endian);
/* `float32`, `bool`, `r64`. */
bool xta__zarr_type_v3(const char *text, xta_type *type, size_t *bytes);

/* Texts: `<U8`, `|O`. */
zarr_texts xta__zarr_texts_v2(const char *text, size_t *code_points, bool *big_endian);
/* `string`, `fixed_length_utf32`. */
zarr_texts xta__zarr_texts_v3(const char *name, const json_t *options, size_t *code_points);

#endif
