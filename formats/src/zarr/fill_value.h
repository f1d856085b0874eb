/* Fill values in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_FILL_VALUE_H
#define XTA_FORMATS_ZARR_FILL_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <xta/type.h>

/* One cell, native-endian. Numbers, "NaN", "Infinity", "-Infinity", bits as "0x7fc00000", pairs of
 * these, base64 for bytes (version 2), lists of bytes (3). False if it is none of the type. */
bool xta__zarr_read_fill(const json_t *json, xta_type type, size_t bytes, unsigned char *cell);

/* At most `bytes` bytes; the rest of the cell stays as it is. */
bool xta__zarr_read_base64(const char *text, size_t bytes, unsigned char *cell);

#endif
