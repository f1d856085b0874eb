/* Element types: sizes, names, and which names users may write.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <string.h>

/* The properties of one type; `unit` is the length of one number inside a cell. */
typedef struct type_facts {
    const char *name;
    uint8_t bytes;
    uint8_t unit;
} type_facts;

static const type_facts facts[] = {
    [XTA_BOOL] = {"bool", 1, 1}, [XTA_I8] = {"i8", 1, 1},      [XTA_U8] = {"u8", 1, 1},
    [XTA_I16] = {"i16", 2, 2},   [XTA_U16] = {"u16", 2, 2},    [XTA_I32] = {"i32", 4, 4},
    [XTA_U32] = {"u32", 4, 4},   [XTA_I64] = {"i64", 8, 8},    [XTA_U64] = {"u64", 8, 8},
    [XTA_F16] = {"f16", 2, 2},   [XTA_F32] = {"f32", 4, 4},    [XTA_F64] = {"f64", 8, 8},
    [XTA_C64] = {"c64", 8, 4},   [XTA_C128] = {"c128", 16, 8}, [XTA_BYTES] = {"bytes", 0, 1},
    [XTA_TEXT] = {"text", 1, 1},
};

/* The long names of NumPy and of NetCDF's CDL. Where the two disagree (`int` and `float` are 64
 * bits in NumPy) NetCDF's meaning, which is C's, holds; `long`, whose length varies, is not
 * accepted. */
static const struct {
    const char *name;
    xta_type type;
} aliases[] = {
    {"bool_", XTA_BOOL},   {"int8", XTA_I8},         {"byte", XTA_I8},       {"uint8", XTA_U8},
    {"ubyte", XTA_U8},     {"int16", XTA_I16},       {"short", XTA_I16},     {"uint16", XTA_U16},
    {"ushort", XTA_U16},   {"int32", XTA_I32},       {"int", XTA_I32},       {"intc", XTA_I32},
    {"uint32", XTA_U32},   {"uint", XTA_U32},        {"uintc", XTA_U32},     {"int64", XTA_I64},
    {"longlong", XTA_I64}, {"uint64", XTA_U64},      {"ulonglong", XTA_U64}, {"float16", XTA_F16},
    {"half", XTA_F16},     {"float32", XTA_F32},     {"single", XTA_F32},    {"float", XTA_F32},
    {"real", XTA_F32},     {"float64", XTA_F64},     {"double", XTA_F64},    {"complex64", XTA_C64},
    {"csingle", XTA_C64},  {"complex128", XTA_C128}, {"cdouble", XTA_C128},
};

static const type_facts *facts_of(xta_type type)
{
    static const type_facts none = {"?", 0, 1};

    // The enum may come from a caller: cast, so that a negative value is large.
    if ((unsigned)type >= sizeof facts / sizeof facts[0] || facts[type].name == NULL) {
        return &none;
    }
    return &facts[type];
}

size_t xta_type_bytes(xta_type type)
{
    return facts_of(type)->bytes;
}

const char *xta_type_name(xta_type type)
{
    return facts_of(type)->name;
}

bool xta__is_cell_type(unsigned type)
{
    return type >= XTA_BOOL && type <= XTA_BYTES;
}

size_t xta__type_unit(xta_type type)
{
    return facts_of(type)->unit;
}

/* The N of `bytes:N`: decimal digits and nothing else, 1 to 65535. 0 for anything else. */
static size_t bytes_length(const char *digits)
{
    size_t length = 0;

    for (const char *c = digits; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || length > 65535) {
            return 0;
        }
        length = length * 10 + (size_t)(*c - '0');
    }
    return length <= 65535 ? length : 0;
}

/* XTA_TYPE_SAME if there is no such name. */
static xta_type type_named(const char *name)
{
    for (unsigned type = XTA_BOOL; type <= XTA_TEXT; type++) {
        if (strcmp(name, facts[type].name) == 0) {
            return (xta_type)type;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(name, aliases[i].name) == 0) {
            return aliases[i].type;
        }
    }
    return XTA_TYPE_SAME;
}

xta_status xta_type_parse(const char *name, xta_type *type, size_t *cell_bytes, xta_error *err)
{
    static const char with_length[] = "bytes:";
    xta_type found;
    size_t bytes;

    xta__clear(err);
    if (name == NULL || type == NULL) {
        return xta__fail(err, XTA_EARG, 0, "xta_type_parse: %s is NULL",
                         name == NULL ? "name" : "type");
    }
    if (strncmp(name, with_length, sizeof with_length - 1) == 0) {
        found = XTA_BYTES;
        bytes = bytes_length(name + sizeof with_length - 1);
        if (bytes == 0) {
            return xta__fail(err, XTA_EARG, 0,
                             "type \"%.64s\": the length must be a number from 1 to 65535, "
                             "as in bytes:12",
                             name);
        }
    } else {
        found = type_named(name);
        bytes = xta_type_bytes(found);
    }
    if (found == XTA_TYPE_SAME) {
        return xta__fail(err, XTA_EARG, 0,
                         "type \"%.64s\" is not known; use bool, i8, u8, i16, u16, i32, u32, i64, "
                         "u64, f16, f32, f64, c64, c128, bytes:N, text, or a long name such as "
                         "int16, float64, double",
                         name);
    }
    *type = found;
    if (cell_bytes != NULL) {
        *cell_bytes = bytes;
    }
    return XTA_OK;
}
