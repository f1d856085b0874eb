/* Values of JSON (RFC 8259). In text that is not UTF-8, U+FFFD replaces each invalid byte.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_JSON_H
#define XTA_UTIL_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "util/text.h"

/* Bytes of the longest escaped character, and of the longest number. */
#define XTA__JSON_CHARACTER_BYTES 6
#define XTA__JSON_REAL_BYTES      32

/* Write the character that begins at `text`, of which `n` > 0 bytes are there, as it stands within
 * a string of JSON, and its length to *n_out. Returns how many bytes of the text it has. */
size_t xta__json_character(const char *text, size_t n, char out[XTA__JSON_CHARACTER_BYTES],
                           size_t *n_out);

/* Write a finite number with the fewest digits that read back as the same value, ended by a zero.
 * Returns the length. */
size_t xta__real_text(double value, char text[XTA__JSON_REAL_BYTES]);

/* The same; null for NaN and infinities, which JSON does not have. */
size_t xta__json_real(double value, char text[XTA__JSON_REAL_BYTES]);

/* Add a string with its quotes; NULL: null. */
void xta__json_add_string(xta__text *out, const char *string);
void xta__json_add_real(xta__text *out, double value);
void xta__json_add_bool(xta__text *out, bool value);

#endif
