/* Streamed pieces, and rows of boxes: whichever piece continues another, the target equals the
 * result of memcpy in the same sequence, and nothing else has changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chunk/copy.h"
#include "chunk/stream.h"
#include "support/random.h"

enum { TARGET_BYTES = 8192, SOURCE_BYTES = 2048, MOST_PIECES = 24 };

static uint64_t seed;
static uint8_t source[SOURCE_BYTES];
static _Alignas(64) uint8_t target[TARGET_BYTES];
static uint8_t expected[TARGET_BYTES];

static void begin(test_random *random)
{
    for (size_t k = 0; k < SOURCE_BYTES; k++) {
        source[k] = (uint8_t)test_random_in(random, 1, 255);
    }
    memset(target, 0, sizeof target);
    memset(expected, 0, sizeof expected);
}

/* Half of the lengths are short, and half of the rest multiples of a line. */
static size_t random_length(test_random *random)
{
    if (test_random_chance(random, 50)) {
        return (size_t)test_random_in(random, 0, 70);
    }
    return test_random_chance(random, 50) ? (size_t)test_random_in(random, 1, 8) * XTA__LINE_BYTES
                                          : (size_t)test_random_in(random, 1, 700);
}

/* `continues` may be wrong in both directions. */
static void test_pieces(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < test_scale(5000); k++) {
        test_random random = test_random_make(seed, k);
        xta__stream stream;
        size_t at = 0;

        begin(&random);
        xta__stream_init(&stream);
        for (int piece = 0; piece < MOST_PIECES; piece++) {
            size_t n = random_length(&random);
            size_t from = (size_t)test_random_in(&random, 0, SOURCE_BYTES - 700);
            if (at + n > TARGET_BYTES || test_random_chance(&random, 25)) {
                at = (size_t)test_random_in(&random, 0, TARGET_BYTES - 700);
            }
            xta__stream_piece(&stream, target + at, source + from, n,
                              test_random_chance(&random, 75));
            memcpy(expected + at, source + from, n);
            at += n;
        }
        xta__stream_flush(&stream);
        xta__stream_fence();
        assert_memory_equal(target, expected, TARGET_BYTES);
    }
}

/* A piece that will not be continued is complete at once. */
static void test_at_once(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < test_scale(2000); k++) {
        test_random random = test_random_make(seed, 100000 + k);
        xta__stream stream;
        size_t at = (size_t)test_random_in(&random, 0, 200);
        size_t first = random_length(&random), second = random_length(&random);

        begin(&random);
        xta__stream_init(&stream);
        xta__stream_piece(&stream, target + at, source, first, true);
        xta__stream_piece(&stream, target + at + first, source + first, second, false);
        xta__stream_fence();
        memcpy(expected + at, source, first + second);
        assert_memory_equal(target, expected, TARGET_BYTES);
    }
}

/* A box of rows of several pieces, dense in the target or with gaps after rows and planes. */
static void test_rows(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < test_scale(5000); k++) {
        test_random random = test_random_make(seed, 200000 + k);
        int n_pieces = (int)test_random_in(&random, 1, 4);
        size_t counts[2] = {(size_t)test_random_in(&random, 1, 3),
                            (size_t)test_random_in(&random, 1, 3)};
        size_t row_bytes[4], row = 0, start = (size_t)test_random_in(&random, 0, 100);
        uint8_t *to[4];
        const uint8_t *from[4];
        xta__copy_plan plan;

        begin(&random);
        for (int p = 0; p < n_pieces; p++) {
            row_bytes[p] = (size_t)test_random_in(&random, 2, 200);
            to[p] = target + start + row;
            from[p] = source + test_random_in(&random, 0, 200);
            row += row_bytes[p];
        }
        size_t gap = test_random_chance(&random, 50) ? 0 : (size_t)test_random_in(&random, 1, 64);
        ptrdiff_t to_stride[2] = {(ptrdiff_t)((row + gap) * counts[1] + gap / 2),
                                  (ptrdiff_t)(row + gap)};
        ptrdiff_t from_stride[2] = {test_random_in(&random, 0, 500),
                                    test_random_in(&random, 0, 90)};
        xta__copy_plan_init(&plan, 2, 1, counts, to_stride, from_stride, NULL, true);
        xta__copy_rows(&plan, n_pieces, to, from, row_bytes);
        for (size_t i = 0; i < counts[0] * counts[1]; i++) {
            ptrdiff_t a = (ptrdiff_t)(i / counts[1]), b = (ptrdiff_t)(i % counts[1]);
            for (int p = 0; p < n_pieces; p++) {
                memcpy(expected + (to[p] - target) + a * to_stride[0] + b * to_stride[1],
                       from[p] + a * from_stride[0] + b * from_stride[1], row_bytes[p]);
            }
        }
        assert_memory_equal(target, expected, TARGET_BYTES);
    }
}

/* A box of rows that may be contiguous in the target. */
static void test_run(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < test_scale(5000); k++) {
        test_random random = test_random_make(seed, 300000 + k);
        size_t counts[3] = {(size_t)test_random_in(&random, 1, 3),
                            (size_t)test_random_in(&random, 1, 4),
                            (size_t)test_random_in(&random, 1, 300)};
        size_t start = (size_t)test_random_in(&random, 0, 100);
        ptrdiff_t gap = test_random_chance(&random, 50) ? 0 : test_random_in(&random, 1, 64);
        ptrdiff_t to_stride[3] = {((ptrdiff_t)counts[2] + gap) * (ptrdiff_t)counts[1],
                                  (ptrdiff_t)counts[2] + gap, 1};
        ptrdiff_t from_stride[3] = {test_random_in(&random, 0, 400),
                                    test_random_in(&random, 0, 300), 1};
        xta__copy_plan plan;

        begin(&random);
        xta__copy_plan_init(&plan, 3, 1, counts, to_stride, from_stride, NULL, true);
        xta__copy_run(&plan, target + start, source);
        for (size_t i = 0; i < counts[0] * counts[1]; i++) {
            ptrdiff_t a = (ptrdiff_t)(i / counts[1]), b = (ptrdiff_t)(i % counts[1]);
            memcpy(expected + start + a * to_stride[0] + b * to_stride[1],
                   source + a * from_stride[0] + b * from_stride[1], counts[2]);
        }
        assert_memory_equal(target, expected, TARGET_BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_run),
    };

    seed = test_seed("test_chunk_stream", 20261123);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
