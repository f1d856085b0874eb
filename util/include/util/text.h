/* What counts as text (UTF-8 without terminal control characters), suffixes, and growing texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_TEXT_H
#define XTA_UTIL_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

/* The length of the UTF-8 character at the start of `text`, which has `n` > 0 bytes; 0 if it is
 * invalid. */
size_t xta__utf8_length(const unsigned char *text, size_t n);

/* A control character that is not allowed; `lines`: tabs and ends of lines are. */
bool xta__is_control(unsigned char byte, bool lines);

/* How many bytes precede the first one that is not UTF-8 or is a control character; `n` if there is
 * none. */
size_t xta__clean_bytes(const char *text, size_t n, bool lines);

/* Whether `text` ends with `suffix`, or equals it. */
bool xta__ends_with(const char *text, const char *suffix);

/* A text that grows at its end. Starts as all zeros; freed by xta__text_clear. After a failure (out
 * of memory, or a format that printf refuses) `failed` is set and nothing more is added: one test
 * at the end suffices. */
typedef struct xta__text {
    char *bytes; /* not zero-terminated; NULL while nothing was added */
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

/* A new string, formatted as by printf; the caller frees it. NULL: out of memory. */
char *xta__string(const char *format, ...) XTA_PRINTF(1, 2);

#endif
