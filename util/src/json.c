/* Values of JSON: strings and numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers below this have at most DBL_DIG digits, and are written without an exponent. */
#define WHOLE_BELOW 1e15

size_t xta__json_character(const char *text, size_t n, char out[XTA__JSON_CHARACTER_BYTES],
                           size_t *n_out)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)text;
    size_t length = xta__utf8_length(at, n);

    if (length == 0) {
        memcpy(out, "\\ufffd", 6);
        *n_out = 6;
        return 1;
    }
    if (*at == '"' || *at == '\\') {
        out[0] = '\\';
        out[1] = *text;
        *n_out = 2;
    } else if (*at < 0x20 || *at == 0x7f) {
        memcpy(out, "\\u00", 4);
        out[4] = digits[*at >> 4];
        out[5] = digits[*at & 15];
        *n_out = 6;
    } else {
        memcpy(out, text, length);
        *n_out = length;
    }
    return length;
}

/* %g drops trailing zeros, so that DBL_DIG digits already give the shortest text of a "round"
 * value, and DBL_DECIMAL_DIG always read back. Values below DBL_MIN have fewer significant
 * digits. */
size_t xta__real_text(double value, char text[XTA__JSON_REAL_BYTES])
{
    int precision = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
    int length = 0;

    if (fabs(value) < WHOLE_BELOW && value == trunc(value)) {
        return (size_t)snprintf(text, XTA__JSON_REAL_BYTES, "%.0f", value);
    }
    for (; precision <= DBL_DECIMAL_DIG; precision++) {
        length = snprintf(text, XTA__JSON_REAL_BYTES, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return (size_t)length;
}

size_t xta__json_real(double value, char text[XTA__JSON_REAL_BYTES])
{
    if (!isfinite(value)) {
        return (size_t)snprintf(text, XTA__JSON_REAL_BYTES, "null");
    }
    return xta__real_text(value, text);
}

void xta__json_add_string(xta__text *out, const char *string)
{
    size_t left = string != NULL ? strlen(string) : 0;

    if (string == NULL) {
        xta__text_add_string(out, "null");
        return;
    }
    xta__text_add_string(out, "\"");
    while (left > 0) {
        char character[XTA__JSON_CHARACTER_BYTES];
        size_t n = 0;
        size_t used = xta__json_character(string, left, character, &n);
        xta__text_add(out, character, n);
        string += used;
        left -= used;
    }
    xta__text_add_string(out, "\"");
}

void xta__json_add_real(xta__text *out, double value)
{
    char text[XTA__JSON_REAL_BYTES];

    xta__text_add(out, text, xta__json_real(value, text));
}

void xta__json_add_bool(xta__text *out, bool value)
{
    xta__text_add_string(out, value ? "true" : "false");
}
