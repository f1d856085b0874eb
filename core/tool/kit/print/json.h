/* Values of JSON (RFC 8259), written directly to a stream.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_JSON_H
#define XTA_TOOL_KIT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <xta/box.h>

/* A string with its quotes: text that ends with a zero byte, or `n` bytes. */
void cli_json_text(FILE *out, const char *text);
void cli_json_bytes(FILE *out, const char *text, size_t n);

/* A box as [[lo, hi], ...]. */
void cli_json_box(FILE *out, const xta_box *box);

/* An object with one list, {"NAME": [a, b, ...]}, whose items are printed as they come. Without
 * `out` nothing is printed. If nothing follows the first items, because the command failed, the
 * object has no end. */
typedef struct cli_json_list {
    FILE *out;
    const char *name;
    bool begun;
} cli_json_list;

/* What precedes an item; false: no list is wanted. */
bool cli_json_list_next(cli_json_list *list);
void cli_json_list_end(cli_json_list *list);

#endif
