/* JSON as Zarr's writers make it: with the numbers NaN, Infinity and -Infinity, which RFC 8259 does
 * not have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_JSON_TEXT_H
#define XTA_FORMATS_ZARR_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Parse a document. Such a number becomes an object that xta__zarr_json_number knows. NULL: it is
 * wrong, or out of memory. */
json_t *xta__zarr_json_read(const char *text, size_t n, json_error_t *wrong);

/* Whether a value is a number, which is then *value. */
bool xta__zarr_json_number(const json_t *json, double *value);

#endif
