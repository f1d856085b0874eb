/* Cells, coordinates and attributes as JSON.
 *
 * JSON has no NaN, no infinities and no complex numbers: the first two are the strings "nan",
 * "inf" and "-inf", a complex number is a pair [real, imaginary], bytes are a string of 0x and
 * digits. In text that is not UTF-8, U+FFFD replaces each invalid byte.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_JSON_CELLS_H
#define XTA_TOOL_KIT_JSON_CELLS_H

#include "kit/cli.h"

/* One cell. XTA_ENOMEM: no memory for the text of bytes. */
xta_status cli_json_cell(FILE *out, xta_type type, size_t cell_bytes, const void *cell,
                         cli_error *err);

/* Coordinates as [a, b, c]. */
void cli_json_coords(FILE *out, const int64_t coord[], int n);

/* An attribute without its name: {"type": ..., "value": ...} of text, else "values". */
xta_status cli_json_attribute(FILE *out, const xta_attribute *attribute, cli_error *err);

/* All attributes of an axis (or XTA_ON_ARRAY) as {name: attribute, ...}. */
xta_status cli_json_attributes(FILE *out, xta_array *array, int axis, cli_error *err);

#endif
