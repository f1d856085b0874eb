/* What is text: UTF-8 without characters that command a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/text.h"

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
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
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
