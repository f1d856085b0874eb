/* Types of cells in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/types.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 65535 };

static const struct {
    const char *v2, *v3;
    xta_type type;
} types[] = {
    {"b1", "bool", XTA_BOOL},     {"i1", "int8", XTA_I8},          {"u1", "uint8", XTA_U8},
    {"i2", "int16", XTA_I16},     {"u2", "uint16", XTA_U16},       {"i4", "int32", XTA_I32},
    {"u4", "uint32", XTA_U32},    {"i8", "int64", XTA_I64},        {"u8", "uint64", XTA_U64},
    {"f2", "float16", XTA_F16},   {"f4", "float32", XTA_F32},      {"f8", "float64", XTA_F64},
    {"c8", "complex64", XTA_C64}, {"c16", "complex128", XTA_C128},
};

#define N_TYPES (sizeof types / sizeof types[0])

/* A number of bytes that a cell can have, at most `most`; 0: none. */
static size_t read_bytes(const char *text, size_t most)
{
    char *end = NULL;

    if (text[0] < '1' || text[0] > '9') {
        return 0;
    }
    unsigned long n = strtoul(text, &end, 10);
    return *end == '\0' && n <= most ? n : 0;
}

bool xta__zarr_type_v2(const char *text, xta_type *type, size_t *bytes, bool *big_endian)
{
    if (text[0] == '\0' || strchr("<>|", text[0]) == NULL) {
        return false;
    }
    *big_endian = text[0] == '>';
    for (size_t k = 0; k < N_TYPES; k++) {
        if (strcmp(types[k].v2, text + 1) == 0) {
            *type = types[k].type;
            *bytes = xta_type_bytes(*type);
            return true;
        }
    }
    *type = XTA_BYTES;
    *bytes = text[1] == 'S' || text[1] == 'V' ? read_bytes(text + 2, MOST_BYTES) : 0;
    return *bytes > 0;
}

zarr_texts xta__zarr_texts_v2(const char *text, size_t *code_points, bool *big_endian)
{
    *code_points = 0;
    *big_endian = text[0] == '>';
    if (strcmp(text, "|O") == 0) {
        return ZARR_ANY_LENGTH;
    }
    if (text[0] == '\0' || strchr("<>", text[0]) == NULL || text[1] != 'U') {
        return ZARR_NO_TEXTS;
    }
    *code_points = read_bytes(text + 2, MOST_BYTES / 4);
    return *code_points > 0 ? ZARR_UTF32 : ZARR_NO_TEXTS;
}

zarr_texts xta__zarr_texts_v3(const char *name, const json_t *options, size_t *code_points)
{
    json_int_t bytes = json_integer_value(json_object_get(options, "length_bytes"));

    *code_points = 0;
    if (strcmp(name, "string") == 0) {
        return ZARR_ANY_LENGTH;
    }
    if (strcmp(name, "fixed_length_utf32") != 0 || bytes < 4 || bytes > MOST_BYTES ||
        bytes % 4 != 0) {
        return ZARR_NO_TEXTS;
    }
    *code_points = (size_t)bytes / 4;
    return ZARR_UTF32;
}

bool xta__zarr_type_v3(const char *text, xta_type *type, size_t *bytes)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (strcmp(types[k].v3, text) == 0) {
            *type = types[k].type;
            *bytes = xta_type_bytes(*type);
            return true;
        }
    }
    size_t bits = text[0] == 'r' ? read_bytes(text + 1, 8 * (size_t)MOST_BYTES) : 0;
    *type = XTA_BYTES;
    *bytes = bits % 8 == 0 ? bits / 8 : 0;
    return *bytes > 0;
}
