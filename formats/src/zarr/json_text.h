/* JSON as Zarr's writers make it: with the numbers NaN, Infinity and -Infinity, which RFC 8259 does
 * not have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_JSON_TEXT_H
#define XTA_FORMATS_ZARR_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parse a document. Such a number becomes an object that xta__zarr_json_number knows. NULL: it is
 * wrong, or there is no memory: wrong->text is empty then. */
json_t *xta__zarr_json_read(const char *text, size_t n, json_error_t *wrong);

/* Whether a value is a number, which is then *value. */
bool xta__zarr_json_number(const json_t *json, double *value);
/* Whether it is a whole number from 0 to 2^64 - 1. */
bool xta__zarr_json_u64(const json_t *json, uint64_t *value);
/* Whether it is a whole number beyond those of int64. */
bool xta__zarr_json_is_large(const json_t *json);
/* The text of a value, compact; for free. NULL: out of memory. */
char *xta__zarr_json_write(const json_t *json);

#endif
