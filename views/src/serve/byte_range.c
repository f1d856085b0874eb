/* The header Range.
 *
 * A server may ignore the header (RFC 9110, 14.2), and does so here for several ranges, which would
 * need an answer of several parts, and for other units.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "serve/byte_range.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Digits; NULL: there are none. A number beyond 2^64 - 1 is that. */
static const char *read_number(const char *text, uint64_t *value)
{
    const char *at = text;

    *value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        *value = *value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *value * 10 + digit;
    }
    return at > text ? at : NULL;
}

/* -N: the last N bytes. */
static byte_range read_suffix(const char *text, uint64_t size, uint64_t *from, uint64_t *n)
{
    uint64_t last = 0;
    const char *end = read_number(text, &last);

    if (end == NULL || *end != '\0') {
        return BYTES_ALL;
    }
    if (last == 0 || size == 0) {
        return BYTES_NONE;
    }
    *n = last < size ? last : size;
    *from = size - *n;
    return BYTES_PART;
}

byte_range xta__byte_range(const char *header, uint64_t size, uint64_t *from, uint64_t *n)
{
    static const char unit[] = "bytes=";
    uint64_t first = 0, last = UINT64_MAX;

    if (header == NULL || strncmp(header, unit, sizeof unit - 1) != 0) {
        return BYTES_ALL;
    }
    const char *at = header + sizeof unit - 1;
    if (*at == '-') {
        return read_suffix(at + 1, size, from, n);
    }
    at = read_number(at, &first);
    if (at == NULL || *at != '-') {
        return BYTES_ALL;
    }
    bool open = at[1] == '\0';
    at = open ? at + 1 : read_number(at + 1, &last);
    if (at == NULL || *at != '\0' || last < first) {
        return BYTES_ALL;
    }
    if (first >= size) {
        return BYTES_NONE;
    }
    *from = first;
    *n = (last < size - 1 ? last : size - 1) - first + 1;
    return BYTES_PART;
}
