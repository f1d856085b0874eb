/* The helpers of hyper/: random numbers against published values, blobs, shares,
 * eigenvectors, work distributed over threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/eigen.h"
#include "numeric/philox.h"
#include "parallel/communicator.h"
#include "parallel/threads.h"
#include "state/blob.h"

/* The two known-answer tests of [SALMON11]'s distribution for Philox4x32-10. */
static void philox_known_answers(void **state)
{
    static const uint32_t none[4], most[4] = {~0U, ~0U, ~0U, ~0U};
    static const uint32_t of_none[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    static const uint32_t of_most[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    uint32_t out[4];

    (void)state;
    xta__philox(none, none, out);
    assert_memory_equal(out, of_none, sizeof out);
    xta__philox(most, most, out);
    assert_memory_equal(out, of_most, sizeof out);
}

/* One entry of a skewer by its definition: the eight halves of the words of one counter. */
static double entry_of_skewer(uint64_t seed, uint64_t k, int64_t band)
{
    const uint32_t counter[4] = {(uint32_t)k, (uint32_t)(k >> 32), (uint32_t)(uint64_t)band,
                                 0x736b6577};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t words[4];
    double sum = -4 * 65535;

    xta__philox(counter, key, words);
    for (int i = 0; i < 8; i++) {
        sum += (words[i / 2] >> (i % 2 * 16)) & 0xffff;
    }
    return floor(sum / 128);
}

static void skewers_by_definition(void **state)
{
    enum { MOST = 167 };
    int64_t bands[MOST] = {0};
    double entries[MOST + 1], counted[MOST];
    const uint64_t seed = UINT64_C(0xfedcba9876543210), k = (UINT64_C(5) << 32) + 7;

    (void)state;
    for (size_t n = 0; n <= MOST; n++) {
        for (size_t d = 0; d < n; d++) {
            bands[d] = (int64_t)(xta__uniform(n, 1, d) * 0x1p40) - (INT64_C(1) << 39);
        }
        entries[n] = 0.5;
        xta__skewer(seed, k, bands, n, entries);
        xta__skewer(seed, k, NULL, n, counted);
        for (size_t d = 0; d < n; d++) {
            assert_true(entries[d] == entry_of_skewer(seed, k, bands[d]));
            assert_true(counted[d] == entry_of_skewer(seed, k, (int64_t)d));
        }
        assert_true(entries[n] == 0.5);
    }
}

static void skewers_are_near_gaussian(void **state)
{
    enum { N = 20000 };
    int64_t bands[100];
    double sum = 0, squares = 0, s[100], again[100];

    (void)state;
    for (int d = 0; d < 100; d++) {
        bands[d] = d - 50;
    }
    for (int k = 0; k < N; k++) {
        if (k % 100 == 0) {
            xta__skewer(17, (uint64_t)k / 100, bands, 100, s);
            xta__skewer(17, (uint64_t)k / 100, bands, 100, again);
        }
        assert_true(s[k % 100] >= -2048 && s[k % 100] <= 2048);
        assert_true(s[k % 100] == again[k % 100]);
        sum += s[k % 100];
        squares += s[k % 100] * s[k % 100];
    }
    double sigma = sqrt(squares / N);
    assert_true(fabs(sum / N) < 15);
    assert_true(sigma > 405 && sigma < 431);
    xta__skewer(17, 0, NULL, 2, s);
    xta__skewer(18, 0, NULL, 2, again);
    assert_int_not_equal(s[0] == again[0] && s[1] == again[1], 1);
}

static void uniform_numbers(void **state)
{
    double sum = 0;

    (void)state;
    for (uint64_t k = 0; k < 10000; k++) {
        double u = xta__uniform(3, 4, k);
        assert_true(u >= 0 && u < 1);
        sum += u;
    }
    assert_true(fabs(sum / 10000 - 0.5) < 0.01);
    assert_true(xta__uniform(3, 4, 5) != xta__uniform(3, 5, 5));
}

static void blobs(void **state)
{
    static const double values[3] = {-0.0, 1.5, INFINITY};
    blob b = {0};
    double back[3];

    (void)state;
    xta__blob_i64(&b, -5);
    xta__blob_put(&b, "abc", 3);
    xta__blob_f64s(&b, values, 3);
    xta__blob_u64(&b, UINT64_MAX - 1);
    assert_false(b.failed);
    assert_int_equal(b.n, 8 + 3 + 24 + 8);
    assert_int_equal(b.bytes[0], 0xfb);

    blob_reader r = {.bytes = b.bytes, .n = b.n};
    char text[3];
    assert_int_equal(xta__blob_get_i64(&r), -5);
    xta__blob_get(&r, text, 3);
    assert_memory_equal(text, "abc", 3);
    xta__blob_get_f64s(&r, back, 3);
    assert_memory_equal(back, values, sizeof back);
    assert_true(xta__blob_get_u64(&r) == UINT64_MAX - 1);
    assert_false(r.failed);
    assert_int_equal(xta__blob_get_u64(&r), 0);
    assert_true(r.failed);
    xta__blob_clear(&b);
    assert_null(b.bytes);
}

static void shares_cover_everything(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 20; count++) {
        for (uint64_t n = 1; n < 8; n++) {
            assert_int_equal(xta__share(count, n, 0), 0);
            assert_int_equal(xta__share(count, n, n), count);
            for (uint64_t k = 0; k < n; k++) {
                uint64_t size = xta__share(count, n, k + 1) - xta__share(count, n, k);
                assert_true(size == count / n || size == count / n + 1);
            }
        }
    }
}

/* A = V^T diag(values) V with orthonormal rows of V, descending, signs as promised. */
static void eigenvectors(void **state)
{
    enum { N = 7 };
    double a[N * N], copy[N * N], values[N], v[N * N];

    (void)state;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            a[i * N + j] = a[j * N + i] = xta__uniform(1, (uint64_t)i, (uint64_t)j) - 0.5;
        }
    }
    memcpy(copy, a, sizeof a);
    assert_int_equal(xta__eigen(N, copy, values, v, NULL), XTA_OK);
    for (int i = 0; i < N; i++) {
        double most = 0, sum = 0;
        assert_true(i == 0 || values[i] <= values[i - 1]);
        for (int j = 0; j < N; j++) {
            double entry = 0, product = 0;
            for (int k = 0; k < N; k++) {
                entry += values[k] * v[k * N + i] * v[k * N + j];
                product += v[i * N + k] * v[j * N + k];
            }
            assert_true(fabs(entry - a[i * N + j]) < 1e-12);
            assert_true(fabs(product - (i == j)) < 1e-12);
            most = fabs(v[i * N + j]) > fabs(most) ? v[i * N + j] : most;
            sum += v[i * N + j];
        }
        assert_true(most > 0 && isfinite(sum));
    }
    copy[3] = NAN;
    assert_int_equal(xta__eigen(N, copy, values, v, NULL), XTA_ERANGE);
}

static xta_status mark_part(void *user, int part, xta_error *err)
{
    int *marks = user;

    marks[part]++;
    return part == 2 || part == 4 ? xta_error_set(err, XTA_EIO, 0, "part %d", part) : XTA_OK;
}

static void parts_all_run_and_the_lowest_error_wins(void **state)
{
    int marks[6] = {0};
    xta_error err;

    (void)state;
    assert_int_equal(xta__run_threads(6, mark_part, marks, &err), XTA_EIO);
    assert_string_equal(err.text, "part 2");
    for (int k = 0; k < 6; k++) {
        assert_int_equal(marks[k], 1);
    }
    assert_int_equal(xta__run_threads(2, mark_part, marks, NULL), XTA_OK);
    assert_int_equal(xta__run_threads(0, mark_part, marks, NULL), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(skewers_are_near_gaussian),
        cmocka_unit_test(skewers_by_definition),
        cmocka_unit_test(uniform_numbers),
        cmocka_unit_test(blobs),
        cmocka_unit_test(shares_cover_everything),
        cmocka_unit_test(eigenvectors),
        cmocka_unit_test(parts_all_run_and_the_lowest_error_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
