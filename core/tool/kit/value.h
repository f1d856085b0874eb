/* Cells as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_VALUE_H
#define XTA_TOOL_KIT_VALUE_H

#include "kit/command.h"

/* Bytes that the text of one cell needs, with its terminating zero. */
size_t cli_value_capacity(xta_type type, size_t cell_bytes);

/* Write a cell as text, numbers with the fewest digits that read back as the same value. Returns
 * the length. */
size_t cli_value_text(xta_type type, size_t cell_bytes, const void *cell, char *text);

/* Read a cell of a type from text. `what` names the option in errors. */
xta_status cli_value_parse(const char *text, const char *what, xta_type type, size_t cell_bytes,
                           void *cell, cli_error *err);

#endif
