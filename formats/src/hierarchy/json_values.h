/* Values of cells and attributes as JSON for Zarr's metadata, and the names of types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HIERARCHY_JSON_VALUES_H
#define XTA_FORMATS_HIERARCHY_JSON_VALUES_H

#include <xta/attribute.h>
#include <xta/type.h>

#include "util/text.h"

/* A string with its quotes, in ASCII alone: zarr-python 2 reads no other bytes. */
void xta__hierarchy_add_string(xta__text *out, const char *string);

/* "<f4", "|S8"; "float32", "r64". */
void xta__hierarchy_add_type(xta__text *out, int version, xta_type type, size_t cell_bytes,
                             bool text);

/* A fill value: one cell, native-endian. In version 3 a NaN with other bits than the usual ones is
 * written as its bits; version 2 has one NaN only. */
void xta__hierarchy_add_fill(xta__text *out, int version, xta_type type, size_t cell_bytes,
                             const unsigned char *cell);

/* The value of an attribute: a text, a number, or a list of them. */
void xta__hierarchy_add_attribute_value(xta__text *out, int version, const xta_attribute *a);
/* Whether JSON can have such values. */
bool xta__hierarchy_has_value(const xta_attribute *a);

void xta__hierarchy_add_base64(xta__text *out, const unsigned char *bytes, size_t n);

/* Native-endian cells to the order of bytes in files, or back, in place. */
void xta__hierarchy_to_little(void *cells, size_t n_bytes, xta_type type, size_t cell_bytes);

#endif
