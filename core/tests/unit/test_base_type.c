/* Element types: sizes, names, and what the parser accepts and refuses.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

static const struct {
    xta_type type;
    const char *name;
    size_t bytes, unit;
} all[] = {
    {XTA_BOOL, "bool", 1, 1}, {XTA_I8, "i8", 1, 1},      {XTA_U8, "u8", 1, 1},
    {XTA_I16, "i16", 2, 2},   {XTA_U16, "u16", 2, 2},    {XTA_I32, "i32", 4, 4},
    {XTA_U32, "u32", 4, 4},   {XTA_I64, "i64", 8, 8},    {XTA_U64, "u64", 8, 8},
    {XTA_F16, "f16", 2, 2},   {XTA_F32, "f32", 4, 4},    {XTA_F64, "f64", 8, 8},
    {XTA_C64, "c64", 8, 4},   {XTA_C128, "c128", 16, 8}, {XTA_BYTES, "bytes", 0, 1},
    {XTA_TEXT, "text", 1, 1},
};
#define N_TYPES (sizeof all / sizeof all[0])

/* The values are part of the file format: 1, 2, 3, ... in this order, forever. */
static void sizes_and_names(void **state)
{
    (void)state;
    assert_int_equal(N_TYPES, 16);
    for (size_t i = 0; i < N_TYPES; i++) {
        assert_int_equal(all[i].type, i + 1);
        assert_int_equal(xta_type_bytes(all[i].type), all[i].bytes);
        assert_int_equal(xta__type_unit(all[i].type), all[i].unit);
        assert_string_equal(xta_type_name(all[i].type), all[i].name);
        assert_int_equal(xta__is_cell_type((unsigned)all[i].type), all[i].type != XTA_TEXT);
    }
}

static void no_type_at_all(void **state)
{
    static const int wrong[] = {0, 17, 255, 100000, -1};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(xta_type_bytes((xta_type)wrong[i]), 0);
        assert_string_equal(xta_type_name((xta_type)wrong[i]), "?");
        assert_int_equal(xta__type_unit((xta_type)wrong[i]), 1);
        assert_false(xta__is_cell_type((unsigned)wrong[i]));
    }
}

static void own_names_are_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TYPES; i++) {
        xta_error err = {.status = XTA_EIO};
        xta_type type = XTA_TYPE_SAME;
        size_t bytes = 77;
        assert_int_equal(xta_type_parse(all[i].name, &type, &bytes, &err), XTA_OK);
        assert_int_equal(type, all[i].type);
        assert_int_equal(bytes, all[i].bytes);
        assert_int_equal(xta_type_parse(all[i].name, &type, NULL, NULL), XTA_OK);
    }
}

static void long_names(void **state)
{
    static const struct {
        const char *name;
        xta_type type;
    } names[] = {
        {"int8", XTA_I8},       {"byte", XTA_I8},         {"uint8", XTA_U8},    {"ubyte", XTA_U8},
        {"int16", XTA_I16},     {"short", XTA_I16},       {"uint16", XTA_U16},  {"ushort", XTA_U16},
        {"int32", XTA_I32},     {"int", XTA_I32},         {"uint32", XTA_U32},  {"uint", XTA_U32},
        {"int64", XTA_I64},     {"uint64", XTA_U64},      {"float16", XTA_F16}, {"half", XTA_F16},
        {"float32", XTA_F32},   {"float", XTA_F32},       {"float64", XTA_F64}, {"double", XTA_F64},
        {"complex64", XTA_C64}, {"complex128", XTA_C128},
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        xta_type type = XTA_TYPE_SAME;
        size_t bytes = 0;
        assert_int_equal(xta_type_parse(names[i].name, &type, &bytes, NULL), XTA_OK);
        assert_int_equal(type, names[i].type);
        assert_int_equal(bytes, xta_type_bytes(names[i].type));
    }
}

static void bytes_with_a_length(void **state)
{
    xta_type type = XTA_TYPE_SAME;
    size_t bytes = 0;

    (void)state;
    assert_int_equal(xta_type_parse("bytes:1", &type, &bytes, NULL), XTA_OK);
    assert_int_equal(type, XTA_BYTES);
    assert_int_equal(bytes, 1);
    assert_int_equal(xta_type_parse("bytes:65535", &type, &bytes, NULL), XTA_OK);
    assert_int_equal(bytes, 65535);
    assert_int_equal(xta_type_parse("bytes:12", &type, NULL, NULL), XTA_OK);
}

static void wrong_names_leave_everything_alone(void **state)
{
    static const char *const wrong[] = {
        "",         "f63",        "F64",      " f64",     "f64 ",
        "?",        "i",          "bytes:",   "bytes:0",  "bytes:65536",
        "bytes:-1", "bytes:+3",   "bytes:3x", "bytes: 3", "bytes:99999999999999999999999999",
        "long",     "\033[31mred"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        xta_error err = {0};
        xta_type type = XTA_C128;
        size_t bytes = 77;
        assert_int_equal(xta_type_parse(wrong[i], &type, &bytes, &err), XTA_EARG);
        assert_int_equal(err.status, XTA_EARG);
        assert_int_equal(type, XTA_C128);
        assert_int_equal(bytes, 77);
        assert_null(strchr(err.text, '\033'));
        // The remedy: the list of names, or the form of a length.
        assert_true(strstr(err.text, "f64") != NULL || strstr(err.text, "65535") != NULL);
        assert_int_equal(xta_type_parse(wrong[i], &type, &bytes, NULL), XTA_EARG);
    }
    xta_type type;
    assert_int_equal(xta_type_parse(NULL, &type, NULL, NULL), XTA_EARG);
    assert_int_equal(xta_type_parse("f64", NULL, NULL, NULL), XTA_EARG);
}

static void a_long_name_does_not_cut_the_remedy(void **state)
{
    char name[2000];
    xta_error err = {0};
    xta_type type;

    (void)state;
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(xta_type_parse(name, &type, NULL, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "double"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_names),
        cmocka_unit_test(no_type_at_all),
        cmocka_unit_test(own_names_are_read_back),
        cmocka_unit_test(long_names),
        cmocka_unit_test(bytes_with_a_length),
        cmocka_unit_test(wrong_names_leave_everything_alone),
        cmocka_unit_test(a_long_name_does_not_cut_the_remedy),
    };
    return cmocka_run_group_tests_name("base_type", tests, NULL, NULL);
}
