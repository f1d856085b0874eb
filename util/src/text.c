/* What counts as text, and growing texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

size_t xta__utf8_length(const unsigned char *text, size_t n)
{
    size_t length = text[0] < 0x80                       ? 1
                    : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                    : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                    : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                         : 0;

    if (length == 0 || length > n) {
        return 0;
    }
    for (size_t k = 1; k < length; k++) {
        if ((text[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    // Overlong forms, surrogates, and characters beyond U+10FFFF.
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    return length;
}

bool xta__is_control(unsigned char byte, bool lines)
{
    bool allowed = lines && (byte == '\t' || byte == '\n' || byte == '\r');

    return (byte < 0x20 || byte == 0x7f) && !allowed;
}

size_t xta__clean_bytes(const char *text, size_t n, bool lines)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t k = 0;

    while (k < n) {
        size_t length = xta__utf8_length(bytes + k, n - k);
        if (length == 0 || xta__is_control(bytes[k], lines)) {
            break;
        }
        k += length;
    }
    return k;
}

bool xta__ends_with(const char *text, const char *suffix)
{
    size_t n = strlen(text), n_suffix = strlen(suffix);

    return n >= n_suffix && memcmp(text + n - n_suffix, suffix, n_suffix) == 0;
}

/* ---- texts that grow ---- */

/* Reserve capacity for `more` bytes after the text. */
static bool reserve_more(xta__text *text, size_t more)
{
    text->failed = text->failed || more > SIZE_MAX - text->n ||
                   !XTA__RESERVE(text->bytes, text->capacity, text->n + more);
    return !text->failed;
}

void xta__text_add(xta__text *text, const void *bytes, size_t n)
{
    if (n > 0 && reserve_more(text, n)) {
        memcpy(text->bytes + text->n, bytes, n);
        text->n += n;
    }
}

void xta__text_add_string(xta__text *text, const char *string)
{
    xta__text_add(text, string, strlen(string));
}

void xta__text_vprintf(xta__text *text, const char *format, va_list values)
{
    va_list again;

    va_copy(again, values);
    int n = vsnprintf(NULL, 0, format, values);
    text->failed = text->failed || n < 0;
    // And one byte for the zero that vsnprintf adds.
    if (!text->failed && reserve_more(text, (size_t)n + 1)) {
        vsnprintf(text->bytes + text->n, (size_t)n + 1, format, again);
        text->n += (size_t)n;
    }
    va_end(again);
}

void xta__text_printf(xta__text *text, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    xta__text_vprintf(text, format, values);
    va_end(values);
}

char *xta__text_detach(xta__text *text)
{
    char *string = NULL;

    if (reserve_more(text, 1)) {
        string = text->bytes;
        string[text->n] = '\0';
        text->bytes = NULL;
    }
    xta__text_clear(text);
    return string;
}

void xta__text_clear(xta__text *text)
{
    free(text->bytes);
    *text = (xta__text){0};
}

char *xta__string(const char *format, ...)
{
    xta__text text = {0};
    va_list values;

    va_start(values, format);
    xta__text_vprintf(&text, format, values);
    va_end(values);
    return xta__text_detach(&text);
}
