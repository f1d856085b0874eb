/* Printing text from files and folders on a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_ESCAPE_H
#define XTA_TOOL_KIT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* Print text with control characters as \n, \t or \xNN and a backslash doubled, so that it stays
 * on its line. */
void cli_print_escaped(FILE *out, const char *text, size_t n);

/* Print a text that may come from a file or a folder: a name, a unit, a message. Control characters
 * and bytes that are not UTF-8 are shown as \xNN, so that no terminal interprets them; backslashes
 * stay. */
void cli_print_name(FILE *out, const char *text);

/* Print a text as a field of CSV (RFC 4180): in quotes, and its own doubled, if it needs them. */
void cli_print_csv(FILE *out, const char *text);

#endif
