/* Conversion between element types, each pair, against a naive oracle.
 *
 * The oracle holds a value as long double, which on the machines this runs on keeps every integer
 * of 64 bits and every double exactly, and knows float16 only as a sorted table of all its
 * values, in which the nearest is looked up. Types of 8 and 16 bits are tried with all their
 * values; float32 and float64 also with every value half-way between two float16.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "support/random.h"

#define HALF_INFINITY 0x7c00
#define N_RANDOM      20000

static uint64_t seed;

/* ---- the oracle ---- */

typedef struct value {
    long double re, im;
} value;

/* Finite float16 values >= 0 ascend with their codes 0 .. HALF_INFINITY - 1. */
static long double halves[HALF_INFINITY];

static void fill_halves(void)
{
    for (int code = 0; code < HALF_INFINITY; code++) {
        int exponent = code / 1024;
        int fraction = code % 1024;
        halves[code] =
            exponent == 0 ? ldexpl(fraction, -24) : ldexpl(1024 + fraction, exponent - 25);
    }
}

static long double half_value(uint16_t code)
{
    int magnitude = code & 0x7fff;
    long double v = magnitude < HALF_INFINITY    ? halves[magnitude]
                    : magnitude == HALF_INFINITY ? (long double)INFINITY
                                                 : (long double)NAN;
    return (code & 0x8000) != 0 ? -v : v;
}

/* The nearest float16; of two equally near ones, the one with an even code. */
static bool half_nearest(long double v, uint16_t *code)
{
    long double magnitude = fabsl(v);
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    int below = 0;

    if (isnan(v)) {
        *code = 0x7e00;
        return true;
    }
    if (isinf(v)) {
        *code = (uint16_t)(sign | HALF_INFINITY);
        return true;
    }
    // The value after the largest, 65504, would be 65536, whose code is even.
    if (magnitude >= 65520.0L) {
        return false;
    }
    for (int step = 16384; step > 0; step /= 2) {
        if (below + step < HALF_INFINITY && halves[below + step] <= magnitude) {
            below += step;
        }
    }
    if (below + 1 < HALF_INFINITY) {
        long double down = magnitude - halves[below];
        long double up = halves[below + 1] - magnitude;
        below += up < down || (up == down && below % 2 == 1);
    }
    *code = (uint16_t)(sign | below);
    return true;
}

#define READ_AS(T)                        \
    do {                                  \
        T read;                           \
        memcpy(&read, cell, sizeof read); \
        return (long double)read;         \
    } while (0)

static long double read_real(xta_type type, const uint8_t *cell)
{
    uint16_t half;

    switch (type) {
    case XTA_I8:
        READ_AS(int8_t);
    case XTA_I16:
        READ_AS(int16_t);
    case XTA_U16:
        READ_AS(uint16_t);
    case XTA_I32:
        READ_AS(int32_t);
    case XTA_U32:
        READ_AS(uint32_t);
    case XTA_I64:
        READ_AS(int64_t);
    case XTA_U64:
        READ_AS(uint64_t);
    case XTA_F32:
        READ_AS(float);
    case XTA_F64:
        READ_AS(double);
    case XTA_F16:
        memcpy(&half, cell, sizeof half);
        return half_value(half);
    default:
        READ_AS(uint8_t);
    }
}

static value read_value(xta_type type, const uint8_t *cell)
{
    switch (type) {
    case XTA_C64:
        return (value){read_real(XTA_F32, cell), read_real(XTA_F32, cell + 4)};
    case XTA_C128:
        return (value){read_real(XTA_F64, cell), read_real(XTA_F64, cell + 8)};
    default:
        return (value){read_real(type, cell), 0};
    }
}

#define WRITE_INTEGER(T, low, high)                                                     \
    do {                                                                                \
        if (!(v >= (long double)(low) && v <= (long double)(high) && floorl(v) == v)) { \
            return false;                                                               \
        }                                                                               \
        T written = (T)v;                                                               \
        memcpy(cell, &written, sizeof written);                                         \
        return true;                                                                    \
    } while (0)

#define WRITE_FLOAT(T)                            \
    do {                                          \
        T written = (T)v;                         \
        memcpy(cell, &written, sizeof written);   \
        return isfinite(written) || !isfinite(v); \
    } while (0)

static bool write_real(xta_type type, long double v, uint8_t *cell)
{
    uint16_t half;

    switch (type) {
    case XTA_BOOL:
        WRITE_INTEGER(uint8_t, 0, 1);
    case XTA_I8:
        WRITE_INTEGER(int8_t, INT8_MIN, INT8_MAX);
    case XTA_U8:
        WRITE_INTEGER(uint8_t, 0, UINT8_MAX);
    case XTA_I16:
        WRITE_INTEGER(int16_t, INT16_MIN, INT16_MAX);
    case XTA_U16:
        WRITE_INTEGER(uint16_t, 0, UINT16_MAX);
    case XTA_I32:
        WRITE_INTEGER(int32_t, INT32_MIN, INT32_MAX);
    case XTA_U32:
        WRITE_INTEGER(uint32_t, 0, UINT32_MAX);
    case XTA_I64:
        WRITE_INTEGER(int64_t, INT64_MIN, INT64_MAX);
    case XTA_U64:
        WRITE_INTEGER(uint64_t, 0, UINT64_MAX);
    case XTA_F32:
        WRITE_FLOAT(float);
    case XTA_F64:
        WRITE_FLOAT(double);
    default:
        if (!half_nearest(v, &half)) {
            return false;
        }
        memcpy(cell, &half, sizeof half);
        return true;
    }
}

/* False if the value must be refused. */
static bool write_value(xta_type type, value v, uint8_t *cell)
{
    switch (type) {
    case XTA_C64:
        return write_real(XTA_F32, v.re, cell) && write_real(XTA_F32, v.im, cell + 4);
    case XTA_C128:
        return write_real(XTA_F64, v.re, cell) && write_real(XTA_F64, v.im, cell + 8);
    default:
        return v.im == 0 && write_real(type, v.re, cell);
    }
}

static bool same_real(long double a, long double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static bool same_cell(xta_type type, const uint8_t *a, const uint8_t *b)
{
    value va = read_value(type, a);
    value vb = read_value(type, b);

    return same_real(va.re, vb.re) && same_real(va.im, vb.im);
}

/* ---- values to try ---- */

typedef struct cells {
    uint8_t *bytes;
    size_t n, capacity;
} cells;

static void add(cells *list, const void *cell, size_t bytes)
{
    if (list->n == list->capacity) {
        list->capacity = 2 * list->capacity + 1024;
        list->bytes = realloc(list->bytes, list->capacity * bytes);
        assert_non_null(list->bytes);
    }
    memcpy(list->bytes + list->n++ * bytes, cell, bytes);
}

/* A double and its neighbours, if the type can hold them; both signs. */
static void add_around(cells *list, xta_type type, double v)
{
    const double up = (double)INFINITY;

    for (int sign = -1; sign <= 1; sign += 2) {
        if (type == XTA_F64) {
            double near[3] = {sign * nextafter(v, -up), sign * v, sign * nextafter(v, up)};
            for (int i = 0; i < 3; i++) {
                add(list, &near[i], sizeof near[i]);
            }
        } else {
            float middle = (float)v;
            float near[3] = {(float)sign * nextafterf(middle, -(float)up), (float)sign * middle,
                             (float)sign * nextafterf(middle, (float)up)};
            for (int i = 0; i < 3; i++) {
                add(list, &near[i], sizeof near[i]);
            }
        }
    }
}

static void add_float_edges(cells *list, xta_type type)
{
    static const double edges[] = {0.0,
                                   0.5,
                                   1.5,
                                   2.5,
                                   DBL_MIN,
                                   DBL_MAX,
                                   0x1p-1074,
                                   0x1p-149,
                                   0x1p-126,
                                   0x1.ffffffp127,
                                   0x1.fffffep127,
                                   FLT_MAX,
                                   (double)INFINITY,
                                   (double)NAN};

    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        add_around(list, type, edges[i]);
    }
    // Around every power of two: all the limits of integers.
    for (int power = -30; power <= 66; power++) {
        for (int offset = -4; offset <= 4; offset++) {
            add_around(list, type, ldexp(1.0, power) + 0.5 * offset);
        }
    }
    for (int code = 0; code + 1 < HALF_INFINITY; code++) {
        double v = (double)((halves[code] + halves[code + 1]) / 2);
        add_around(list, type, v);
    }
    add_around(list, type, 65520.0);
}

static void add_integer_edges(cells *list, size_t bytes)
{
    for (int power = 0; power < 64; power++) {
        for (int offset = -2; offset <= 2; offset++) {
            uint64_t v = ((uint64_t)1 << power) + (uint64_t)offset;
            uint64_t negative = 0 - v;
            uint32_t narrow = (uint32_t)v;
            uint32_t negative_narrow = (uint32_t)negative;
            add(list, bytes == 8 ? (void *)&v : (void *)&narrow, bytes);
            add(list, bytes == 8 ? (void *)&negative : (void *)&negative_narrow, bytes);
        }
    }
    // Half-way between two floats, for rounding to even: 24 and 53 bits and one more.
    for (int bits = 24; bits < 63; bits++) {
        for (int last = 0; last < 4; last++) {
            uint64_t v = ((uint64_t)1 << bits) + (uint64_t)last * ((uint64_t)1 << (bits - 24));
            uint64_t w = bits > 53
                             ? ((uint64_t)1 << bits) + (uint64_t)last * ((uint64_t)1 << (bits - 53))
                             : v + 1;
            uint32_t narrow[2] = {(uint32_t)v, (uint32_t)w};
            add(list, bytes == 8 ? (void *)&v : (void *)&narrow[0], bytes);
            add(list, bytes == 8 ? (void *)&w : (void *)&narrow[1], bytes);
        }
    }
}

static void add_random(cells *list, size_t bytes, test_random *random)
{
    for (int i = 0; i < N_RANDOM; i++) {
        uint64_t v = test_random_u64(random);
        if (i % 2 == 1) {
            v >>= test_random_in(random, 0, 63); // small numbers, too
        }
        uint32_t narrow = (uint32_t)v;
        add(list, bytes == 8 ? (void *)&v : (void *)&narrow, bytes);
    }
}

static cells real_values(xta_type type)
{
    cells list = {0};
    size_t bytes = xta_type_bytes(type);
    test_random random = test_random_make(seed, (uint64_t)type);

    if (bytes == 1) {
        for (int i = 0; i < 256; i++) {
            uint8_t v = (uint8_t)i;
            add(&list, &v, bytes);
        }
    } else if (bytes == 2) {
        for (int i = 0; i < 65536; i++) {
            uint16_t v = (uint16_t)i;
            add(&list, &v, bytes);
        }
    } else {
        if (type == XTA_F32 || type == XTA_F64) {
            add_float_edges(&list, type);
        } else {
            add_integer_edges(&list, bytes);
        }
        add_random(&list, bytes, &random);
    }
    return list;
}

/* Every real value with an imaginary part: 0, -0, or another value. */
static cells complex_values(xta_type type)
{
    xta_type part = type == XTA_C64 ? XTA_F32 : XTA_F64;
    size_t bytes = xta_type_bytes(part);
    cells reals = real_values(part);
    cells list = {0};

    for (size_t i = 0; i < reals.n; i++) {
        uint8_t cell[16] = {0};
        memcpy(cell, reals.bytes + i * bytes, bytes);
        if (i % 3 == 1) {
            const float narrow = -0.0F;
            const double wide = -0.0;
            memcpy(cell + bytes, part == XTA_F32 ? (const void *)&narrow : &wide, bytes);
        } else if (i % 3 == 2) {
            memcpy(cell + bytes, reals.bytes + (reals.n - 1 - i) * bytes, bytes);
        }
        add(&list, cell, 2 * bytes);
    }
    free(reals.bytes);
    return list;
}

static cells values_of(xta_type type)
{
    return type == XTA_C64 || type == XTA_C128 ? complex_values(type) : real_values(type);
}

/* ---- tests ---- */

/* Value by value; those that fit are collected in `good`. */
static void check_alone(xta_type from, const cells *values, xta_type to, cells *good)
{
    size_t from_bytes = xta_type_bytes(from);

    for (size_t i = 0; i < values->n; i++) {
        const uint8_t *cell = values->bytes + i * from_bytes;
        uint8_t expected[16] = {0};
        uint8_t found[16] = {0};
        size_t bad = 99;
        bool fits = write_value(to, read_value(from, cell), expected);
        xta_status status = xta_type_convert(from, cell, to, found, 1, &bad);
        if (status != (fits ? XTA_OK : XTA_ERANGE) || (fits && !same_cell(to, found, expected))) {
            value v = read_value(from, cell);
            fail_msg("%s -> %s: %La + %La i (cell %zu) gave %s", xta_type_name(from),
                     xta_type_name(to), v.re, v.im, i, xta_status_name(status));
        }
        assert_int_equal(bad, fits ? 99 : 0);
        if (fits) {
            add(good, cell, from_bytes);
        }
    }
}

/* All good values in one call, from and to odd addresses; nothing is written beyond the end. */
static void check_together(xta_type from, const cells *good, xta_type to)
{
    size_t from_bytes = xta_type_bytes(from);
    size_t to_bytes = xta_type_bytes(to);
    uint8_t *source = malloc(good->n * from_bytes + 1);
    uint8_t *target = malloc(good->n * to_bytes + 3 + 1);

    assert_true(source != NULL && target != NULL);
    memcpy(source + 1, good->bytes, good->n * from_bytes);
    target[good->n * to_bytes + 3] = 0xa5;
    target[2] = 0x5a;
    assert_int_equal(xta_type_convert(from, source + 1, to, target + 3, good->n, NULL), XTA_OK);
    assert_int_equal(target[good->n * to_bytes + 3], 0xa5);
    assert_int_equal(target[2], 0x5a);
    for (size_t i = 0; i < good->n; i++) {
        uint8_t alone[16];
        const uint8_t *cell = good->bytes + i * from_bytes;
        assert_int_equal(xta_type_convert(from, cell, to, alone, 1, NULL), XTA_OK);
        assert_memory_equal(alone, target + 3 + i * to_bytes, to_bytes);
    }
    free(source);
    free(target);
}

/* A bad value among good ones is found at its position, and those before it are converted. */
static void check_bad(xta_type from, const cells *good, const uint8_t *bad_cell, xta_type to,
                      test_random *random)
{
    size_t from_bytes = xta_type_bytes(from);
    size_t to_bytes = xta_type_bytes(to);
    size_t n = good->n < 1500 ? good->n : 1500;
    uint8_t *source = malloc(n * from_bytes + 1);
    uint8_t *target = malloc(n * to_bytes + 1);

    assert_true(source != NULL && target != NULL);
    for (int trial = 0; trial < 10; trial++) {
        size_t place = (size_t)test_random_in(random, 0, (int64_t)n - 1);
        size_t bad = 0;
        memcpy(source, good->bytes, n * from_bytes);
        memcpy(source + place * from_bytes, bad_cell, from_bytes);
        memcpy(source + (n - 1) * from_bytes, bad_cell, from_bytes);
        assert_int_equal(xta_type_convert(from, source, to, target, n, &bad), XTA_ERANGE);
        assert_int_equal(bad, place);
        assert_int_equal(xta_type_convert(from, source, to, target, n, NULL), XTA_ERANGE);
        for (size_t i = 0; i < place; i++) {
            uint8_t alone[16];
            assert_int_equal(xta_type_convert(from, source + i * from_bytes, to, alone, 1, NULL),
                             XTA_OK);
            assert_memory_equal(alone, target + i * to_bytes, to_bytes);
        }
    }
    free(source);
    free(target);
}

/* The first value that `to` cannot hold; NULL if it holds all. */
static const uint8_t *first_bad(xta_type from, const cells *values, xta_type to)
{
    for (size_t i = 0; i < values->n; i++) {
        const uint8_t *cell = values->bytes + i * xta_type_bytes(from);
        uint8_t scratch[16];
        if (!write_value(to, read_value(from, cell), scratch)) {
            return cell;
        }
    }
    return NULL;
}

static void every_pair_against_the_oracle(void **state)
{
    test_random random = test_random_make(seed, 1000);

    (void)state;
    for (xta_type from = XTA_BOOL; from <= XTA_C128; from++) {
        cells values = values_of(from);
        for (xta_type to = XTA_BOOL; to <= XTA_C128; to++) {
            cells good = {0};
            check_alone(from, &values, to, &good);
            assert_true(good.n > 0);
            check_together(from, &good, to);
            const uint8_t *bad_cell = first_bad(from, &values, to);
            if (bad_cell != NULL) {
                check_bad(from, &good, bad_cell, to, &random);
            }
            free(good.bytes);
        }
        free(values.bytes);
    }
}

static bool converts(xta_type from, const void *source, xta_type to, void *target)
{
    xta_status status = xta_type_convert(from, source, to, target, 1, NULL);

    assert_true(status == XTA_OK || status == XTA_ERANGE);
    return status == XTA_OK;
}

/* Facts that need no oracle. */
static void edges_by_hand(void **state)
{
    double v;
    int64_t i64;
    uint64_t u64;
    float f32;
    uint16_t half;

    (void)state;
    v = 0x1p63;
    assert_false(converts(XTA_F64, &v, XTA_I64, &i64));
    v = -0x1p63;
    assert_true(converts(XTA_F64, &v, XTA_I64, &i64));
    assert_true(i64 == INT64_MIN);
    v = 0x1.fffffffffffffp62;
    assert_true(converts(XTA_F64, &v, XTA_I64, &i64));
    assert_true(i64 == 0x7ffffffffffffc00);
    v = 0x1p64;
    assert_false(converts(XTA_F64, &v, XTA_U64, &u64));
    v = -0.0;
    assert_true(converts(XTA_F64, &v, XTA_U64, &u64));
    assert_true(u64 == 0);
    v = 0x1.fffffefffffffp127;
    assert_true(converts(XTA_F64, &v, XTA_F32, &f32));
    assert_true(f32 == FLT_MAX);
    v = 0x1.ffffffp127;
    assert_false(converts(XTA_F64, &v, XTA_F32, &f32));
    u64 = UINT64_MAX;
    assert_true(converts(XTA_U64, &u64, XTA_F32, &f32));
    assert_true(f32 == 0x1p64F);

    const struct {
        double v;
        int half;
    } to_half[] = {{1.0, 0x3c00},
                   {-2.0, 0xc000},
                   {65504.0, 0x7bff},
                   {65519.9, 0x7bff},
                   {65520.0, -1},
                   {-65520.0, -1},
                   {0x1p-24, 1},
                   {0x1p-25, 0},
                   {0x1.00001p-25, 1},
                   {0x1.8p-24, 2},
                   {0x1.4p-23, 2},
                   {0x1p-14, 0x0400},
                   {0x1.ffbp-15, 0x03ff},
                   {0x1.ffcp-15, 0x0400},
                   {1.0 + 0x1p-11, 0x3c00},
                   {1.0 + 0x3p-11, 0x3c02},
                   {1.0 + 0x1p-11 + 0x1p-40, 0x3c01},
                   {0x1p-1074, 0},
                   {-0x1p-1074, 0x8000}};
    for (size_t i = 0; i < sizeof to_half / sizeof to_half[0]; i++) {
        assert_int_equal(converts(XTA_F64, &to_half[i].v, XTA_F16, &half), to_half[i].half >= 0);
        if (to_half[i].half >= 0) {
            assert_int_equal(half, to_half[i].half);
        }
    }
}

static void types_without_a_conversion(void **state)
{
    static const xta_type strange[] = {XTA_TYPE_SAME, XTA_BYTES, XTA_TEXT, (xta_type)17,
                                       (xta_type)-1};
    uint8_t source[16] = {1};
    uint8_t target[16] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        assert_int_equal(xta_type_convert(strange[i], source, XTA_U8, target, 1, NULL), XTA_ETYPE);
        assert_int_equal(xta_type_convert(XTA_U8, source, strange[i], target, 1, NULL), XTA_ETYPE);
        assert_int_equal(xta_type_convert(XTA_BYTES, source, strange[i], target, 0, NULL),
                         strange[i] == XTA_BYTES ? XTA_OK : XTA_ETYPE);
        assert_int_equal(target[0], 0);
    }
    assert_int_equal(xta_type_convert(XTA_TYPE_SAME, source, XTA_TYPE_SAME, target, 1, NULL),
                     XTA_ETYPE);
    assert_int_equal(xta_type_convert(XTA_BYTES, "abc", XTA_BYTES, target, 3, NULL), XTA_OK);
    assert_memory_equal(target, "abc", 4);
    assert_int_equal(xta_type_convert(XTA_F64, NULL, XTA_U8, NULL, 0, NULL), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_by_hand),
        cmocka_unit_test(types_without_a_conversion),
        cmocka_unit_test(every_pair_against_the_oracle),
    };

    _Static_assert(LDBL_MANT_DIG >= 64,
                   "the oracle needs a long double that holds 64-bit integers");
    seed = test_seed("base_convert", 20240502);
    fill_halves();
    return cmocka_run_group_tests_name("base_convert", tests, NULL, NULL);
}
