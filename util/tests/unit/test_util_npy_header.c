/* The header of .npy files by itself: what NumPy writes is read and written back byte for byte, and
 * anything else is refused without a crash.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "util/npy_header.h"

static const char *refused(const char *text)
{
    xta__npy_header header;
    const char *why = NULL;
    assert_int_equal(xta__npy_parse(text, strlen(text), &header, &why), XTA_EFORMAT);
    assert_non_null(why);
    return why;
}

static xta__npy_header taken(const char *text)
{
    xta__npy_header header;
    const char *why = NULL;
    assert_int_equal(xta__npy_parse(text, strlen(text), &header, &why), XTA_OK);
    assert_null(why);
    return header;
}

static void test_types(void **state)
{
    static const struct {
        const char *descr;
        xta_type type;
        size_t cell_bytes;
        size_t unit_bytes;
        bool big_endian;
    } cases[] = {
        {"|b1", XTA_BOOL, 1, 1, false},   {"|i1", XTA_I8, 1, 1, false},
        {"<i2", XTA_I16, 2, 2, false},    {">i4", XTA_I32, 4, 4, true},
        {"<i8", XTA_I64, 8, 8, false},    {"|u1", XTA_U8, 1, 1, false},
        {">u2", XTA_U16, 2, 2, true},     {"<u4", XTA_U32, 4, 4, false},
        {"<u8", XTA_U64, 8, 8, false},    {"<f2", XTA_F16, 2, 2, false},
        {"<f4", XTA_F32, 4, 4, false},    {">f8", XTA_F64, 8, 8, true},
        {"<c8", XTA_C64, 8, 4, false},    {">c16", XTA_C128, 16, 8, true},
        {"|S5", XTA_BYTES, 5, 1, false},  {"|V7", XTA_BYTES, 7, 1, false},
        {"<U3", XTA_BYTES, 12, 4, false}, {"<M8[ns]", XTA_I64, 8, 8, false},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[128];
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': True, 'shape': (2, 3), }\n",
                 cases[k].descr);
        xta__npy_header header = taken(text);
        assert_int_equal(header.type, cases[k].type);
        assert_int_equal(header.cell_bytes, cases[k].cell_bytes);
        assert_int_equal(header.unit_bytes, cases[k].unit_bytes);
        assert_int_equal(header.big_endian, cases[k].big_endian);
        assert_true(header.fortran);
        assert_int_equal(header.ndim, 2);
        assert_int_equal(header.shape[1], 3);
    }
}

static void test_spellings(void **state)
{
    (void)state;
    xta__npy_header header = taken("{\"shape\":(5L,),'fortran_order':False,\"descr\":'<f8'}");
    assert_int_equal(header.ndim, 1);
    assert_int_equal(header.shape[0], 5);
    header = taken("{'descr': '<f8', 'fortran_order': False, 'shape': ()}");
    assert_int_equal(header.ndim, 0);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("");
    refused("{");
    refused("{}");
    refused("[('a', '<f8')]");
    refused("{'descr': '<f8', 'fortran_order': False}");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2)} x");
    refused("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2,)}");
    refused("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}");
    refused("{'descr': '<f3', 'fortran_order': False, 'shape': (2,)}");
    refused("{'descr': '|V0', 'fortran_order': False, 'shape': (2,)}");
    refused("{'descr': '|V70000', 'fortran_order': False, 'shape': (2,)}");
    refused("{'descr': '', 'fortran_order': False, 'shape': (2,)}");
    assert_non_null(strstr(refused("{'descr': [('a', '<f8'), ('b', '<i4')], "
                                   "'fortran_order': False, 'shape': (2,)}"),
                           "structured"));
    assert_non_null(
        strstr(refused("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}"), "objects"));
}

/* Every prefix is refused, and a change of one byte at worst leads to a refusal. */
static void test_every_damage(void **state)
{
    static const char good[] =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (12, 345), }           \n";
    (void)state;
    for (size_t n = 0; n < 62; n++) {
        xta__npy_header header;
        const char *why = NULL;
        char *text = test_malloc(n + 1); // so that reading past its end is detected
        memcpy(text, good, n);
        assert_int_equal(xta__npy_parse(text, n, &header, &why), XTA_EFORMAT);
        test_free(text);
    }
    int refusals = 0;
    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (int bit = 0; bit < 8; bit++) {
            xta__npy_header header;
            const char *why = NULL;
            char text[sizeof good];
            memcpy(text, good, sizeof good);
            text[at] = (char)(text[at] ^ (1 << bit));
            xta_status status = xta__npy_parse(text, sizeof good - 1, &header, &why);
            assert_true(status == XTA_OK || status == XTA_EFORMAT);
            assert_true((status == XTA_OK) == (why == NULL));
            refusals += status == XTA_EFORMAT;
        }
    }
    assert_true(refusals > 300); // most of about 600 changes make it invalid
}

/* What NumPy 1.24 writes for np.zeros((3, 4)): 128 bytes, with space to grow. */
static void test_format(void **state)
{
    unsigned char bytes[256];
    xta__npy_header header = taken("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }");
    (void)state;
    assert_int_equal(xta__npy_format(&header, bytes, sizeof bytes), 128);
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', ", 27);
    assert_int_equal(bytes[127], '\n');
    assert_int_equal(bytes[126], ' ');
    assert_int_equal(xta__npy_format(&header, bytes, 100), 0);

    xta__npy_header again;
    const char *why;
    assert_int_equal(xta__npy_parse((char *)bytes + 10, 118, &again, &why), XTA_OK);
    assert_int_equal(again.ndim, 2);
    assert_int_equal(again.shape[0], 3);
    assert_int_equal(again.type, XTA_F64);
}

static void test_text_at(void **state)
{
    unsigned char prefix[XTA__NPY_PREFIX_BYTES + 1] = "\x93NUMPY\x01\x00\x76\x01{'";
    size_t n = 0;

    (void)state;
    assert_int_equal(xta__npy_text_at(prefix, &n), 10);
    assert_int_equal(n, 0x176);
    prefix[10] = 2;
    prefix[11] = 0;
    for (unsigned char version = 2; version <= 3; version++) {
        prefix[6] = version;
        assert_int_equal(xta__npy_text_at(prefix, &n), 12);
        assert_int_equal(n, 0x20176);
    }
    prefix[6] = 4;
    assert_int_equal(xta__npy_text_at(prefix, &n), 0);
    prefix[6] = 0;
    assert_int_equal(xta__npy_text_at(prefix, &n), 0);
    prefix[6] = prefix[7] = 1;
    assert_int_equal(xta__npy_text_at(prefix, &n), 0);
    prefix[7] = 0;
    prefix[0] = 'x';
    assert_int_equal(xta__npy_text_at(prefix, &n), 0);
}

/* Whatever is set is read back, in either byte order. */
static void test_all_types(void **state)
{
    static const size_t cell_bytes[] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 16, 7};

    (void)state;
    for (int k = 0; k < 64; k++) {
        xta_type type = (xta_type)(1 + k % XTA_BYTES);
        unsigned char bytes[XTA__NPY_HEADER_CAPACITY];
        xta__npy_header header = {.big_endian = k / 16 % 2 != 0, .compact = k >= 32}, again;
        const char *why = NULL;
        size_t n = 0;

        header.ndim = k % (XTA_MAX_NDIM + 1);
        header.fortran = header.ndim > 1 && k % 3 == 0;
        for (int axis = 0; axis < header.ndim; axis++) {
            header.shape[axis] = INT64_MAX / 16;
        }
        xta__npy_set_type(&header, type, cell_bytes[type]);
        size_t total = xta__npy_format(&header, bytes, sizeof bytes);
        assert_true(total > 0 && total % 64 == 0);
        size_t start = xta__npy_text_at(bytes, &n);
        assert_int_equal(start + n, total);
        assert_int_equal(xta__npy_parse((const char *)bytes + start, n, &again, &why), XTA_OK);
        header.big_endian = header.big_endian && header.unit_bytes > 1;
        header.compact = false;
        assert_string_equal(again.descr, header.descr);
        assert_int_equal(again.type, header.type);
        assert_int_equal(again.cell_bytes, header.cell_bytes);
        assert_int_equal(again.unit_bytes, header.unit_bytes);
        assert_int_equal(again.big_endian, header.big_endian);
        assert_int_equal(again.fortran, header.fortran);
        assert_int_equal(again.ndim, header.ndim);
        assert_memory_equal(again.shape, header.shape, sizeof header.shape);
    }
}

/* With twenty characters for the growing length, or without. */
static void test_compact(void **state)
{
    unsigned char wide[XTA__NPY_HEADER_CAPACITY], narrow[XTA__NPY_HEADER_CAPACITY];
    xta__npy_header header = {.ndim = 4, .shape = {3, 1000000, 1000000, 1000000}};

    (void)state;
    xta__npy_set_type(&header, XTA_F64, 8);
    assert_int_equal(xta__npy_format(&header, wide, sizeof wide), 128);
    header.shape[1] *= 1000000000;
    header.shape[2] *= 1000000000;
    assert_int_equal(xta__npy_format(&header, wide, sizeof wide), 192);
    header.compact = true;
    assert_int_equal(xta__npy_format(&header, narrow, sizeof narrow), 128);
    assert_memory_equal(wide + 10, narrow + 10, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),     cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_every_damage),
        cmocka_unit_test(test_format),    cmocka_unit_test(test_text_at),
        cmocka_unit_test(test_all_types), cmocka_unit_test(test_compact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
