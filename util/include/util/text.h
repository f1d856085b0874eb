/* What is text: UTF-8 without characters that command a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_TEXT_H
#define XTA_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the UTF-8 character that begins at `text`, of which `n` > 0 are there; 0 if it is
 * none. */
size_t xta__utf8_length(const unsigned char *text, size_t n);

/* A control character that is not allowed; `lines`: tabs and ends of lines are. */
bool xta__is_control(unsigned char byte, bool lines);

/* How many bytes there are before the first that is not UTF-8 or is a control character; `n` if
 * there is none. */
size_t xta__clean_bytes(const char *text, size_t n, bool lines);

#endif
