/* Fill values in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/fill_value.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "zarr/json_text.h"

/* ---- numbers ---- */

static bool read_integer(const json_t *json, size_t bytes, bool is_signed, unsigned char *cell)
{
    double real = 0;
    int64_t value = json_integer_value(json);
    uint64_t large = 0;

    if (bytes == 8 && !is_signed && xta__zarr_json_u64(json, &large)) {
        memcpy(cell, &large, sizeof large);
        return true;
    }
    if (!json_is_integer(json)) {
        // Some writers give 0.0 for the fill value of whole numbers.
        if (!xta__zarr_json_number(json, &real) || !(fabs(real) < 9e15) || floor(real) != real) {
            return false;
        }
        value = (int64_t)real;
    }
    int bits = (int)(8 * bytes);
    if (bits < 64) {
        int64_t lo = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
        int64_t hi = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
        if (value < lo || value > hi) {
            return false;
        }
    } else if (!is_signed && value < 0) {
        return false;
    }
    uint64_t u64 = (uint64_t)value;
    uint32_t u32 = (uint32_t)u64;
    uint16_t u16 = (uint16_t)u64;
    uint8_t u8 = (uint8_t)u64;
    memcpy(cell,
           bytes == 8   ? (void *)&u64
           : bytes == 4 ? (void *)&u32
           : bytes == 2 ? (void *)&u16
                        : &u8,
           bytes);
    return true;
}

static bool read_bits(const char *text, size_t bytes, unsigned char *cell)
{
    char *end = NULL;

    if (strlen(text) != 2 + 2 * bytes || strspn(text + 2, "0123456789abcdefABCDEF") != 2 * bytes) {
        return false;
    }
    uint64_t u64 = strtoull(text + 2, &end, 16);
    uint32_t u32 = (uint32_t)u64;
    uint16_t u16 = (uint16_t)u64;
    memcpy(cell, bytes == 8 ? (void *)&u64 : bytes == 4 ? (void *)&u32 : &u16, bytes);
    return true;
}

static bool read_real(const json_t *json, size_t bytes, unsigned char *cell)
{
    double value = 0;
    const char *text = json_string_value(json);

    if (text != NULL && strncmp(text, "0x", 2) == 0) {
        return read_bits(text, bytes, cell);
    }
    if (text != NULL && strcmp(text, "NaN") == 0) {
        value = (double)NAN;
    } else if (text != NULL && strcmp(text, "Infinity") == 0) {
        value = (double)INFINITY;
    } else if (text != NULL && strcmp(text, "-Infinity") == 0) {
        value = -(double)INFINITY;
    } else if (!xta__zarr_json_number(json, &value)) {
        return false;
    }
    xta_type type = bytes == 8 ? XTA_F64 : bytes == 4 ? XTA_F32 : XTA_F16;
    return xta_type_convert(XTA_F64, &value, type, cell, 1, NULL) == XTA_OK;
}

/* ---- bytes ---- */

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

bool xta__zarr_read_base64(const char *text, size_t bytes, unsigned char *cell)
{
    size_t n = 0;
    uint32_t bits = 0;
    int n_bits = 0;

    for (; *text != '\0' && *text != '='; text++) {
        int digit = base64_digit(*text);
        if (digit < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            if (n == bytes) {
                return false;
            }
            cell[n++] = (unsigned char)(bits >> n_bits);
        }
    }
    return text[strspn(text, "=")] == '\0';
}

static bool read_byte_list(const json_t *json, size_t bytes, unsigned char *cell)
{
    for (size_t k = 0; k < bytes; k++) {
        if (!read_integer(json_array_get(json, k), 1, false, cell + k)) {
            return false;
        }
    }
    return json_array_size(json) == bytes;
}

bool xta__zarr_read_fill(const json_t *json, xta_type type, size_t bytes, unsigned char *cell)
{
    size_t half = bytes / 2;

    switch (type) {
    case XTA_BOOL:
        cell[0] = json_is_true(json);
        return json_is_boolean(json) || (read_integer(json, 1, false, cell) && cell[0] <= 1);
    case XTA_I8:
    case XTA_I16:
    case XTA_I32:
    case XTA_I64:
        return read_integer(json, bytes, true, cell);
    case XTA_U8:
    case XTA_U16:
    case XTA_U32:
    case XTA_U64:
        return read_integer(json, bytes, false, cell);
    case XTA_F16:
    case XTA_F32:
    case XTA_F64:
        return read_real(json, bytes, cell);
    case XTA_C64:
    case XTA_C128:
        return json_array_size(json) == 2
                   ? read_real(json_array_get(json, 0), half, cell) &&
                         read_real(json_array_get(json, 1), half, cell + half)
                   : read_real(json, half, cell);
    case XTA_BYTES:
        return json_is_string(json)    ? xta__zarr_read_base64(json_string_value(json), bytes, cell)
               : json_is_integer(json) ? json_integer_value(json) == 0
                                       : read_byte_list(json, bytes, cell);
    default:
        return false;
    }
}
