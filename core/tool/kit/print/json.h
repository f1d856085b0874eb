/* Values of JSON (RFC 8259), written directly to a stream.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_JSON_H
#define XTA_TOOL_KIT_JSON_H

#include <stddef.h>
#include <stdio.h>

#include <xta/box.h>

/* A string with its quotes: text that ends with a zero byte, or `n` bytes. */
void cli_json_text(FILE *out, const char *text);
void cli_json_bytes(FILE *out, const char *text, size_t n);

/* A box as [[lo, hi], ...]. */
void cli_json_box(FILE *out, const xta_box *box);

#endif
