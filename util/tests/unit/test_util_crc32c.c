/* CRC-32C against published vectors and against the definition, bit by bit.
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
#include "util/bytes.h"
#include "util/crc32c.h"

/* The definition. */
static uint32_t crc32c_naive(uint32_t crc, const uint8_t *bytes, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
        }
    }
    return ~crc;
}

typedef uint32_t crc_function(uint32_t crc, const void *bytes, size_t n);

static crc_function *const functions[] = {xta__crc32c, xta__crc32c_portable};

/* The check value of the CRC catalogue and the vectors of RFC 3720, B.4. */
static void known_vectors(void **state)
{
    uint8_t bytes[32];

    (void)state;
    for (size_t f = 0; f < 2; f++) {
        assert_int_equal(functions[f](0, "123456789", 9), 0xE3069283U);
        assert_int_equal(functions[f](0, "", 0), 0);
        assert_int_equal(functions[f](0x12345678U, NULL, 0), 0x12345678U);
        memset(bytes, 0, sizeof bytes);
        assert_int_equal(functions[f](0, bytes, 32), 0x8A9136AAU);
        memset(bytes, 0xff, sizeof bytes);
        assert_int_equal(functions[f](0, bytes, 32), 0x62A8AB43U);
        for (int i = 0; i < 32; i++) {
            bytes[i] = (uint8_t)i;
        }
        assert_int_equal(functions[f](0, bytes, 32), 0x46DD794EU);
        for (int i = 0; i < 32; i++) {
            bytes[i] = (uint8_t)(31 - i);
        }
        assert_int_equal(functions[f](0, bytes, 32), 0x113FDB5CU);
    }
}

/* Every single byte alone covers every entry of the first table. */
static void every_byte_at_every_place(void **state)
{
    (void)state;
    for (int place = 0; place < 16; place++) {
        for (int byte = 0; byte < 256; byte++) {
            uint8_t bytes[16] = {0};
            bytes[place] = (uint8_t)byte;
            uint32_t expected = crc32c_naive(0, bytes, sizeof bytes);
            assert_int_equal(xta__crc32c(0, bytes, sizeof bytes), expected);
            assert_int_equal(xta__crc32c_portable(0, bytes, sizeof bytes), expected);
        }
    }
}

static void random_lengths_offsets_and_splits(void **state)
{
    uint64_t seed = test_seed("util_crc32c", 20240501);
    test_random random = test_random_make(seed, 0);
    uint8_t bytes[5000];

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)test_random_u64(&random);
    }
    for (uint64_t trial = 0; trial < test_scale(2000); trial++) {
        size_t offset = (size_t)test_random_in(&random, 0, 64);
        int64_t longest = trial % 10 == 0 ? 4900 : 100;
        size_t n = (size_t)test_random_in(&random, 0, longest);
        size_t cut = (size_t)test_random_in(&random, 0, (int64_t)n);
        uint32_t begin = (uint32_t)test_random_u64(&random);
        uint32_t expected = crc32c_naive(begin, bytes + offset, n);
        for (size_t f = 0; f < 2; f++) {
            assert_int_equal(functions[f](begin, bytes + offset, n), expected);
            uint32_t first = functions[f](begin, bytes + offset, cut);
            assert_int_equal(functions[1 - f](first, bytes + offset + cut, n - cut), expected);
        }
    }
}

/* A checksum must detect every flipped bit. */
static void every_flipped_bit_is_seen(void **state)
{
    uint8_t record[64];

    (void)state;
    for (size_t i = 0; i < sizeof record; i++) {
        record[i] = (uint8_t)(i * 37);
    }
    uint32_t whole = xta__crc32c(0, record, sizeof record);
    for (size_t bit = 0; bit < 8 * sizeof record; bit++) {
        record[bit / 8] ^= (uint8_t)(1U << bit % 8);
        assert_int_not_equal(xta__crc32c(0, record, sizeof record), whole);
        record[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_vectors),
        cmocka_unit_test(every_byte_at_every_place),
        cmocka_unit_test(random_lengths_offsets_and_splits),
        cmocka_unit_test(every_flipped_bit_is_seen),
    };
    return cmocka_run_group_tests_name("util_crc32c", tests, NULL, NULL);
}
