/* Values of cells and attributes as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy/json_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/json.h"

static const struct {
    xta_type type;
    const char *v2, *v3;
} names[] = {
    {XTA_BOOL, "|b1", "bool"},     {XTA_I8, "|i1", "int8"},          {XTA_U8, "|u1", "uint8"},
    {XTA_I16, "<i2", "int16"},     {XTA_U16, "<u2", "uint16"},       {XTA_I32, "<i4", "int32"},
    {XTA_U32, "<u4", "uint32"},    {XTA_I64, "<i8", "int64"},        {XTA_U64, "<u8", "uint64"},
    {XTA_F16, "<f2", "float16"},   {XTA_F32, "<f4", "float32"},      {XTA_F64, "<f8", "float64"},
    {XTA_C64, "<c8", "complex64"}, {XTA_C128, "<c16", "complex128"},
};

void xta__hierarchy_add_type(xta__text *out, int version, xta_type type, size_t cell_bytes,
                             bool text)
{
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (names[k].type == type) {
            xta__text_printf(out, "\"%s\"", version == 2 ? names[k].v2 : names[k].v3);
            return;
        }
    }
    if (version == 2) {
        xta__text_printf(out, "\"|%c%zu\"", text ? 'S' : 'V', cell_bytes);
    } else {
        xta__text_printf(out, "\"r%zu\"", 8 * cell_bytes);
    }
}

/* ---- strings ---- */

/* The code point of a character of UTF-8 of `n` > 1 bytes, which is valid. */
static uint32_t code_point_of(const char *character, size_t n)
{
    uint32_t point = (unsigned char)character[0] & (0xffU >> (n + 1));

    for (size_t k = 1; k < n; k++) {
        point = point << 6 | ((unsigned char)character[k] & 0x3f);
    }
    return point;
}

void xta__hierarchy_add_string(xta__text *out, const char *string)
{
    size_t left = strlen(string);

    xta__text_add_string(out, "\"");
    while (left > 0) {
        char character[XTA__JSON_CHARACTER_BYTES];
        size_t n = 0;
        size_t used = xta__json_character(string, left, character, &n);
        uint32_t point = (unsigned char)character[0] < 0x80 ? 0 : code_point_of(character, n);
        if (point == 0) {
            xta__text_add(out, character, n);
        } else if (point < 0x10000) {
            xta__text_printf(out, "\\u%04" PRIx32, point);
        } else {
            xta__text_printf(out, "\\u%04" PRIx32 "\\u%04" PRIx32,
                             0xd800 + ((point - 0x10000) >> 10),
                             0xdc00 + ((point - 0x10000) & 0x3ff));
        }
        string += used;
        left -= used;
    }
    xta__text_add_string(out, "\"");
}

/* ---- numbers ---- */

static void add_real(xta__text *out, double value, bool as_text)
{
    char text[XTA__JSON_REAL_BYTES];
    const char *quote = as_text ? "\"" : "";

    if (isfinite(value)) {
        xta__text_add(out, text, xta__real_text(value, text));
        // Python's readers keep a number without a point as an integer.
        if (value == trunc(value) && memchr(text, 'e', strlen(text)) == NULL) {
            xta__text_add_string(out, ".0");
        }
        return;
    }
    const char *name = isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    xta__text_printf(out, "%s%s%s", quote, name, quote);
}

/* The value of a real cell as a double, which holds each of them exactly. */
static double real_of(xta_type type, const unsigned char *cell)
{
    double value = 0;

    return xta_type_convert(type, cell, XTA_F64, &value, 1, NULL) == XTA_OK ? value : 0;
}

/* The bits of a NaN, where these are not those that "NaN" stands for. */
static bool add_nan_bits(xta__text *out, xta_type type, const unsigned char *cell)
{
    uint16_t u16 = 0;
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    size_t bytes = xta_type_bytes(type);

    memcpy(bytes == 2 ? (void *)&u16 : bytes == 4 ? (void *)&u32 : (void *)&u64, cell, bytes);
    uint64_t bits = bytes == 2 ? u16 : bytes == 4 ? u32 : u64;
    uint64_t usual = bytes == 2   ? UINT64_C(0x7e00)
                     : bytes == 4 ? UINT64_C(0x7fc00000)
                                  : UINT64_C(0x7ff8000000000000);
    if (bits == usual) {
        return false;
    }
    xta__text_printf(out, "\"0x%0*" PRIx64 "\"", (int)(2 * bytes), bits);
    return true;
}

static void add_real_cell(xta__text *out, int version, xta_type type, const unsigned char *cell)
{
    double value = real_of(type, cell);

    if (version == 3 && isnan(value) && add_nan_bits(out, type, cell)) {
        return;
    }
    add_real(out, value, true);
}

static void add_integer(xta__text *out, xta_type type, const unsigned char *cell)
{
    int64_t value = 0;
    uint64_t large = 0;

    if (type == XTA_U64) {
        memcpy(&large, cell, sizeof large);
        xta__text_printf(out, "%" PRIu64, large);
        return;
    }
    if (xta_type_convert(type, cell, XTA_I64, &value, 1, NULL) == XTA_OK) {
        xta__text_printf(out, "%" PRId64, value);
    }
}

static xta_type part_of(xta_type type)
{
    return type == XTA_C64 ? XTA_F32 : XTA_F64;
}

void xta__hierarchy_add_base64(xta__text *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t k = 0; k < n; k += 3) {
        uint32_t three = (uint32_t)bytes[k] << 16 | (k + 1 < n ? (uint32_t)bytes[k + 1] << 8 : 0) |
                         (k + 2 < n ? bytes[k + 2] : 0);
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                        k + 1 < n ? digits[three >> 6 & 63] : '=',
                        k + 2 < n ? digits[three & 63] : '='};
        xta__text_add(out, four, 4);
    }
}

static void add_bytes_fill(xta__text *out, int version, size_t n, const unsigned char *cell)
{
    if (version == 2) {
        xta__text_add_string(out, "\"");
        xta__hierarchy_add_base64(out, cell, n);
        xta__text_add_string(out, "\"");
        return;
    }
    for (size_t k = 0; k < n; k++) {
        xta__text_printf(out, "%s%d", k == 0 ? "[" : ", ", cell[k]);
    }
    xta__text_add_string(out, "]");
}

void xta__hierarchy_add_fill(xta__text *out, int version, xta_type type, size_t cell_bytes,
                             const unsigned char *cell)
{
    switch (type) {
    case XTA_BOOL:
        xta__json_add_bool(out, cell[0] != 0);
        return;
    case XTA_F16:
    case XTA_F32:
    case XTA_F64:
        add_real_cell(out, version, type, cell);
        return;
    case XTA_C64:
    case XTA_C128:
        xta__text_add_string(out, "[");
        add_real_cell(out, version, part_of(type), cell);
        xta__text_add_string(out, ", ");
        add_real_cell(out, version, part_of(type), cell + cell_bytes / 2);
        xta__text_add_string(out, "]");
        return;
    case XTA_BYTES:
        add_bytes_fill(out, version, cell_bytes, cell);
        return;
    default:
        add_integer(out, type, cell);
        return;
    }
}

/* ---- attributes ---- */

bool xta__hierarchy_has_value(const xta_attribute *a)
{
    return a->type != XTA_BYTES;
}

static void add_item(xta__text *out, int version, const xta_attribute *a, size_t k)
{
    const unsigned char *cell = (const unsigned char *)a->values + k * a->cell_bytes;

    switch (a->type) {
    case XTA_BOOL:
        xta__json_add_bool(out, cell[0] != 0);
        return;
    case XTA_F16:
    case XTA_F32:
    case XTA_F64:
        add_real(out, real_of(a->type, cell), version == 3);
        return;
    case XTA_C64:
    case XTA_C128:
        xta__text_add_string(out, "[");
        add_real(out, real_of(part_of(a->type), cell), version == 3);
        xta__text_add_string(out, ", ");
        add_real(out, real_of(part_of(a->type), cell + a->cell_bytes / 2), version == 3);
        xta__text_add_string(out, "]");
        return;
    default:
        add_integer(out, a->type, cell);
        return;
    }
}

void xta__hierarchy_add_attribute_value(xta__text *out, int version, const xta_attribute *a)
{
    if (a->type == XTA_TEXT) {
        xta__hierarchy_add_string(out, a->values);
        return;
    }
    xta__text_add_string(out, a->count != 1 ? "[" : "");
    for (size_t k = 0; k < a->count; k++) {
        xta__text_add_string(out, k > 0 ? ", " : "");
        add_item(out, version, a, k);
    }
    xta__text_add_string(out, a->count != 1 ? "]" : "");
}

/* ---- bytes ---- */

void xta__hierarchy_to_little(void *cells, size_t n_bytes, xta_type type, size_t cell_bytes)
{
    const uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    bool complex = type == XTA_C64 || type == XTA_C128;

    if (!little && type != XTA_BYTES) {
        xta__swap_bytes(cells, n_bytes, complex ? cell_bytes / 2 : cell_bytes);
    }
}
