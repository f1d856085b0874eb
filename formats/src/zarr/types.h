/* Types of cells in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_TYPES_H
#define XTA_FORMATS_ZARR_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/type.h>

/* `<f4`, `>i2`, `|b1`, `|S8`: false if it is none that an array can have. */
bool xta__zarr_type_v2(const char *text, xta_type *type, size_t *bytes, bool *big_endian);
/* `float32`, `bool`, `r64`. */
bool xta__zarr_type_v3(const char *text, xta_type *type, size_t *bytes);

#endif
