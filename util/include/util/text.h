/* What is text (UTF-8 without characters that command a terminal), how it ends, and texts that
 * grow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_TEXT_H
#define XTA_UTIL_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

/* The bytes of the UTF-8 character that begins at `text`, of which `n` > 0 are there; 0 if it is
 * none. */
size_t xta__utf8_length(const unsigned char *text, size_t n);

/* A control character that is not allowed; `lines`: tabs and ends of lines are. */
bool xta__is_control(unsigned char byte, bool lines);

/* How many bytes there are before the first that is not UTF-8 or is a control character; `n` if
 * there is none. */
size_t xta__clean_bytes(const char *text, size_t n, bool lines);

/* Whether `text` ends with `suffix`, or is the suffix and nothing else. */
bool xta__ends_with(const char *text, const char *suffix);

/* A text that grows at its end. Begins as zeros; ends with xta__text_clear. After a failure, which
 * is a lack of memory or a format that printf refuses, `failed` is set and nothing is added any
 * more: it is enough to look once, at the end. */
typedef struct xta__text {
    char *bytes; /* not ended by a zero; NULL while nothing was added */
    size_t n, capacity;
    bool failed;
} xta__text;

void xta__text_add(xta__text *text, const void *bytes, size_t n);
void xta__text_add_string(xta__text *text, const char *string);
void xta__text_vprintf(xta__text *text, const char *format, va_list values) XTA_PRINTF(2, 0);
void xta__text_printf(xta__text *text, const char *format, ...) XTA_PRINTF(2, 3);

/* The text as a string that the caller frees; NULL if it has failed. `text` is empty then. */
char *xta__text_detach(xta__text *text);
void xta__text_clear(xta__text *text);

/* A new string, as printf would print it, that the caller frees; NULL if there is no memory. */
char *xta__string(const char *format, ...) XTA_PRINTF(1, 2);

#endif
