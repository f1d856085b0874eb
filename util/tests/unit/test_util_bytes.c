/* Fields of files, and byte swaps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/bytes.h"

static void fields_are_little_endian(void **state)
{
    const uint8_t expected[14] = {0x01, 0xef, 0x67, 0x45, 0x23, 0x81, 0xef,
                                  0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0xff};
    uint8_t bytes[14];

    (void)state;
    xta__put_u16(bytes, 0xef01U);
    xta__put_u32(bytes + 2, 0x81234567U);
    xta__put_u64(bytes + 6, 0xff23456789abcdefU);
    assert_memory_equal(bytes, expected, sizeof expected);
    assert_int_equal(xta__get_u16(bytes), 0xef01U);
    assert_int_equal(xta__get_u32(bytes + 2), 0x81234567U);
    assert_true(xta__get_u64(bytes + 6) == 0xff23456789abcdefU);
}

static void numbers_are_swapped(void **state)
{
    const char *const expected[] = {"abcdefghij", "abcdefghij", "badcfehgji", "cbafedihgj",
                                    "dcbahgfeij", "hgfedcbaij", "abcdefghij"};
    const size_t units[] = {0, 1, 2, 3, 4, 8, 16};

    (void)state;
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        char bytes[] = "abcdefghij";
        xta__swap_bytes(bytes, 10, units[k]);
        assert_string_equal(bytes, expected[k]);
    }
    xta__swap_bytes(NULL, 0, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_little_endian),
        cmocka_unit_test(numbers_are_swapped),
    };
    return cmocka_run_group_tests_name("util_bytes", tests, NULL, NULL);
}
