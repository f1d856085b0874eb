/* Arithmetic that detects overflow of 64 bits, and division towards minus infinity.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "util/checked.h"

static uint64_t seed;

/* Numbers of all magnitudes, near the powers of two. */
static uint64_t random_number(test_random *random)
{
    uint64_t power = (uint64_t)1 << test_random_in(random, 0, 63);

    return test_random_chance(random, 50) ? power + (uint64_t)test_random_in(random, -2, 2)
                                          : test_random_u64(random) & (power - 1);
}

/* Checked against arithmetic with 32-bit digits, in which nothing overflows. */
static bool product_fits(uint64_t a, uint64_t b)
{
    uint64_t a1 = a >> 32;
    uint64_t a0 = a & UINT32_MAX;
    uint64_t b1 = b >> 32;
    uint64_t b0 = b & UINT32_MAX;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);

    return (a1 == 0 || b1 == 0) && middle >> 32 == 0 && (a0 * b1 + middle) >> 32 == 0;
}

static void sums_and_products(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(200000); trial++) {
        uint64_t a = random_number(&random);
        uint64_t b = random_number(&random);
        uint64_t out = 77;
        bool fits = a + b >= a;
        assert_int_equal(xta__add_u64(a, b, &out), fits);
        assert_true(out == (fits ? a + b : 77));
        out = 77;
        fits = product_fits(a, b);
        assert_int_equal(xta__mul_u64(a, b, &out), fits);
        assert_true(out == (fits ? a * b : 77));
    }
}

static void floor_division(void **state)
{
    const int64_t far = (int64_t)1 << 62;

    (void)state;
    for (int64_t b = 1; b < 20; b++) {
        for (int64_t a = -100; a <= 100; a++) {
            int64_t q = xta__floor_div(a, b);
            int64_t r = xta__floor_mod(a, b);
            assert_true(q * b + r == a && r >= 0 && r < b);
        }
    }
    assert_true(xta__floor_div(-far, 3) * 3 + xta__floor_mod(-far, 3) == -far);
}

static void memory_that_cannot_be_had(void **state)
{
    void *block = xta__calloc(0, 8);
    unsigned char *bytes = xta__calloc(100, 3);

    (void)state;
    assert_non_null(block);
    assert_non_null(bytes);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(bytes[i], 0);
    }
    assert_null(xta__realloc_array(bytes, SIZE_MAX / 2, 3));
    bytes = xta__realloc_array(bytes, 0, 8);
    assert_non_null(bytes);
    free(block);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(floor_division),
        cmocka_unit_test(memory_that_cannot_be_had),
    };

    seed = test_seed("util_checked", 20240508);
    return cmocka_run_group_tests_name("util_checked", tests, NULL, NULL);
}
