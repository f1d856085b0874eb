/* Cells as text: the fewest digits that read back as the same value, and parsing.
 *
 *   integers, bool   decimal (0x... is read as well); bool also reads true and false
 *   floats           decimal, nan, inf, -inf
 *   complex          a+bi (also read: a, bi, a-bj, (a+bj))
 *   bytes            0x and two digits for each byte; other text is read as its own bytes, filled
 * up
 *                    with zero bytes
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/value.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/errors.h"
#include "util/json.h"

/* The longest number is a complex128: twice 24 characters, sign and unit. */
#define NUMBER_CAPACITY 80

size_t cli_value_capacity(xta_type type, size_t cell_bytes)
{
    return type == XTA_BYTES ? 2 * cell_bytes + 3 : NUMBER_CAPACITY;
}

/* Whether `text` reads back as `value` in a type of less than 64 bits. */
static bool reads_back(xta_type type, const char *text, double value)
{
    uint16_t half[2];
    double parsed;

    if (type == XTA_F32) {
        return strtof(text, NULL) == (float)value;
    }
    parsed = strtod(text, NULL);
    return xta_type_convert(XTA_F64, &parsed, XTA_F16, &half[0], 1, NULL) == XTA_OK &&
           xta_type_convert(XTA_F64, &value, XTA_F16, &half[1], 1, NULL) == XTA_OK &&
           half[0] == half[1];
}

/* Decimal digits that every value keeps (DIG of the type), digits that distinguish any two values,
 * the smallest value of full precision, and the limit below which whole numbers are written out. */
typedef struct real_facts {
    int least_digits;
    int most_digits;
    double smallest;
    double whole_below;
} real_facts;

static const real_facts half_facts = {3, 5, 6.103515625e-05, 65536};
static const real_facts single_facts = {FLT_DIG, FLT_DECIMAL_DIG, FLT_MIN, 16777216};

/* As xta__real_text for doubles. */
static size_t short_real_text(xta_type type, double value, char *text)
{
    const real_facts *facts = type == XTA_F32 ? &single_facts : &half_facts;
    int precision = fabs(value) < facts->smallest ? 1 : facts->least_digits;
    int length = 0;

    if (fabs(value) < facts->whole_below && value == trunc(value)) {
        return (size_t)snprintf(text, NUMBER_CAPACITY / 2, "%.0f", value);
    }
    for (; precision <= facts->most_digits; precision++) {
        length = snprintf(text, NUMBER_CAPACITY / 2, "%.*g", precision, value);
        if (reads_back(type, text, value)) {
            break;
        }
    }
    return (size_t)length;
}

static size_t real_text(xta_type type, double value, char *text)
{
    if (isnan(value)) {
        return (size_t)snprintf(text, NUMBER_CAPACITY / 2, "nan");
    }
    if (isinf(value)) {
        return (size_t)snprintf(text, NUMBER_CAPACITY / 2, value < 0 ? "-inf" : "inf");
    }
    return type == XTA_F64 ? xta__real_text(value, text) : short_real_text(type, value, text);
}

static size_t bytes_text(size_t cell_bytes, const uint8_t *cell, char *text)
{
    static const char digits[] = "0123456789abcdef";

    text[0] = '0';
    text[1] = 'x';
    for (size_t k = 0; k < cell_bytes; k++) {
        text[2 + 2 * k] = digits[cell[k] >> 4];
        text[3 + 2 * k] = digits[cell[k] & 15];
    }
    text[2 + 2 * cell_bytes] = '\0';
    return 2 + 2 * cell_bytes;
}

static size_t complex_text(xta_type part, double real, double imaginary, char *text)
{
    size_t length = real_text(part, real, text);

    if (!(imaginary < 0) && !(imaginary == 0 && signbit(imaginary))) {
        text[length++] = '+';
    }
    length += real_text(part, imaginary, text + length);
    text[length++] = 'i';
    text[length] = '\0';
    return length;
}

size_t cli_value_text(xta_type type, size_t cell_bytes, const void *cell, char *text)
{
    double real[2] = {0, 0};
    float single[2];
    int64_t whole = 0;
    uint64_t natural = 0;

    switch (type) {
    case XTA_BYTES:
        return bytes_text(cell_bytes, cell, text);
    case XTA_F16:
    case XTA_F32:
    case XTA_F64:
        (void)!xta_type_convert(type, cell, XTA_F64, real, 1, NULL);
        return real_text(type, real[0], text);
    case XTA_C64:
        memcpy(single, cell, sizeof single);
        return complex_text(XTA_F32, single[0], single[1], text);
    case XTA_C128:
        memcpy(real, cell, sizeof real);
        return complex_text(XTA_F64, real[0], real[1], text);
    case XTA_U64:
        memcpy(&natural, cell, sizeof natural);
        return (size_t)snprintf(text, NUMBER_CAPACITY, "%" PRIu64, natural);
    default:
        (void)!xta_type_convert(type, cell, XTA_I64, &whole, 1, NULL);
        return (size_t)snprintf(text, NUMBER_CAPACITY, "%" PRId64, whole);
    }
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);

    return found == NULL ? -1 : (int)(found - digits);
}

static bool parse_bytes_cell(const char *text, size_t cell_bytes, uint8_t *cell)
{
    size_t length = strlen(text);

    memset(cell, 0, cell_bytes);
    if (strncmp(text, "0x", 2) != 0) {
        memcpy(cell, text, length <= cell_bytes ? length : cell_bytes);
        return length <= cell_bytes;
    }
    if (length != 2 + 2 * cell_bytes) {
        return false;
    }
    for (size_t k = 0; k < cell_bytes; k++) {
        int high = hex_digit(text[2 + 2 * k]);
        int low = hex_digit(text[3 + 2 * k]);
        if (high < 0 || low < 0) {
            return false;
        }
        cell[k] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* Parse a float in the type's own precision, so that nothing is rounded twice. */
static bool parse_real_part(xta_type type, const char *text, const char **end, double *value)
{
    char *after;

    errno = 0;
    *value = type == XTA_F32 ? (double)strtof(text, &after) : strtod(text, &after);
    *end = after;
    return after != text && strchr(" \t\n\v\f\r", text[0]) == NULL &&
           !(errno == ERANGE && isinf(*value));
}

static bool is_imaginary_unit(char c)
{
    return c == 'i' || c == 'j';
}

/* a, bi, a+bi, (a+bi); "i" alone is 1i. */
static bool parse_complex(xta_type part, const char *text, double value[2])
{
    bool parenthesis = text[0] == '(';
    const char *at = text + parenthesis;
    const char *close = parenthesis ? ")" : "";
    double number = 0;

    value[0] = value[1] = 0;
    bool has_sign = at[0] == '+' || at[0] == '-';
    if (is_imaginary_unit(at[has_sign]) && strcmp(at + has_sign + 1, close) == 0) {
        value[1] = at[0] == '-' ? -1 : 1;
        return true;
    }
    if (!parse_real_part(part, at, &at, &number)) {
        return false;
    }
    if (is_imaginary_unit(at[0])) {
        value[1] = number;
        return strcmp(at + 1, close) == 0;
    }
    value[0] = number;
    if (strcmp(at, close) == 0) {
        return true;
    }
    if (at[0] != '+' && at[0] != '-') {
        return false;
    }
    if (is_imaginary_unit(at[1])) {
        value[1] = at[0] == '-' ? -1 : 1;
        return strcmp(at + 2, close) == 0;
    }
    return parse_real_part(part, at, &at, &value[1]) && is_imaginary_unit(at[0]) &&
           strcmp(at + 1, close) == 0;
}

/* Parse an integer into a type that holds it. u64 has its own branch beyond 2^63. */
static bool parse_whole(xta_type type, const char *text, void *cell)
{
    const char *digits = text + (text[0] == '-' || text[0] == '+');
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;

    if (type == XTA_BOOL && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        *(uint8_t *)cell = text[0] == 't';
        return true;
    }
    if (digits[0] < '0' || digits[0] > '9') {
        return false;
    }
    errno = 0;
    if (text[0] == '-') {
        int64_t value = strtoll(text, &end, hexadecimal ? 16 : 10);
        return *end == '\0' && errno == 0 &&
               xta_type_convert(XTA_I64, &value, type, cell, 1, NULL) == XTA_OK;
    }
    uint64_t value = strtoull(text, &end, hexadecimal ? 16 : 10);
    return *end == '\0' && errno == 0 &&
           xta_type_convert(XTA_U64, &value, type, cell, 1, NULL) == XTA_OK;
}

static bool parse_cell(const char *text, xta_type type, size_t cell_bytes, void *cell)
{
    const char *end = text;
    double value[2] = {0, 0};

    switch (type) {
    case XTA_BYTES:
        return parse_bytes_cell(text, cell_bytes, cell);
    case XTA_F16:
    case XTA_F32:
    case XTA_F64:
        return parse_real_part(type, text, &end, value) && *end == '\0' &&
               xta_type_convert(XTA_F64, value, type, cell, 1, NULL) == XTA_OK;
    case XTA_C64:
    case XTA_C128:
        return parse_complex(type == XTA_C64 ? XTA_F32 : XTA_F64, text, value) &&
               xta_type_convert(XTA_C128, value, type, cell, 1, NULL) == XTA_OK;
    default:
        return parse_whole(type, text, cell);
    }
}

xta_status cli_value_parse(const char *text, const char *what, xta_type type, size_t cell_bytes,
                           void *cell, cli_error *err)
{
    if (parse_cell(text, type, cell_bytes, cell)) {
        return XTA_OK;
    }
    if (type == XTA_BYTES) {
        return cli_usage(err,
                         "%s: \"%.100s\" is no value of bytes:%zu; want 0x and %zu digits, or text "
                         "of at most %zu bytes",
                         what, text, cell_bytes, 2 * cell_bytes, cell_bytes);
    }
    return cli_usage(err, "%s: \"%.100s\" is no value that the type %s holds", what, text,
                     xta_type_name(type));
}
