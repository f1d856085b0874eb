/* Conversion of values from one element type into another, refusing what the target cannot hold.
 *
 * The pair of types is dispatched once for each call, never for each value. For the ten plain
 * numbers (integers and the two floats the processor knows) a macro writes one loop for each pair;
 * a loop has no early exit, so that compilers can vectorise it, and it returns only whether all
 * values were converted. If not, the block is searched value by value. Everything else is built
 * from these loops:
 *
 *   float16 as source      widened into a block of float32, which is exact
 *   float16 as target      through a block of float64; what float64 rounds (integers beyond
 *                          2^53) is far beyond float16's largest value and refused, so nothing
 *                          is rounded twice
 *   complex into complex   twice as many floats
 *   complex into real      the imaginary parts must be 0; the real parts are gathered in a block
 *   real into complex      converted into a block, then spread
 *   bool as source         the byte is a number like any other, so a byte that is neither 0 nor
 *                          1 is not made into one silently
 *   bytes, text            copied; they have no length here, so `n` counts single bytes
 *
 * Values are read and written with memcpy, which compilers turn into plain unaligned moves.
 * Rounding is that of the processor's default mode, to nearest with ties to even.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <math.h>
#include <string.h>

/* Values staged at once: two blocks of the widest plain number take 8 KiB of stack. */
#define BLOCK 512

/* Convert `n` values. True if each could be represented; if not, the target is unspecified. */
typedef bool converter(const unsigned char *source, unsigned char *target, size_t n);

/* One loop. HOLDS says whether the value fits; a value that does not is replaced by 0 before the
 * cast, which would be undefined. */
#define LOOP(name, FROM, TO, HOLDS)                                                \
    static bool name(const unsigned char *source, unsigned char *target, size_t n) \
    {                                                                              \
        unsigned all = 1;                                                          \
        for (size_t i = 0; i < n; i++) {                                           \
            FROM v;                                                                \
            memcpy(&v, source + i * sizeof v, sizeof v);                           \
            unsigned holds = HOLDS;                                                \
            TO w = (TO)(holds ? v : (FROM)0);                                      \
            memcpy(target + i * sizeof w, &w, sizeof w);                           \
            all &= holds;                                                          \
        }                                                                          \
        return all != 0;                                                           \
    }

/* Whether an integer lies in [low, high]. Signed and unsigned sources are compared in 64 bits of
 * their own kind, so that no value changes on the way; the compiler drops comparisons that are
 * always true. */
static inline unsigned signed_within(int64_t v, int64_t low, int64_t high)
{
    return (unsigned)(v >= low) & (unsigned)(v <= high);
}

static inline unsigned unsigned_within(uint64_t v, uint64_t high)
{
    return v <= high;
}

/* The loop from a float to an integer in [LOW, END). The limits are powers of two and exact, so
 * 2^63 as the end of int64 is refused and the largest float below it is not; NaN fails the
 * comparisons. The cast truncates a fraction, so only a whole number gives the same float when it
 * is converted back. */
#define LOOP_WHOLE(name, FROM, TO, LOW, END)                                       \
    static bool name(const unsigned char *source, unsigned char *target, size_t n) \
    {                                                                              \
        unsigned all = 1;                                                          \
        for (size_t i = 0; i < n; i++) {                                           \
            FROM v;                                                                \
            memcpy(&v, source + i * sizeof v, sizeof v);                           \
            unsigned inside = (unsigned)(v >= (LOW)) & (unsigned)(v < (END));      \
            FROM safe = inside ? v : (FROM)0;                                      \
            TO w = (TO)safe;                                                       \
            memcpy(target + i * sizeof w, &w, sizeof w);                           \
            all &= inside & (unsigned)((FROM)w == safe);                           \
        }                                                                          \
        return all != 0;                                                           \
    }

/* 2^128 - 2^103 lies half-way between float32's largest value and the next power of two; from
 * there on a finite number would become infinite. */
static inline unsigned f64_fits_f32(double v)
{
    return (unsigned)!(fabs(v) >= 0x1.ffffffp127) | (unsigned)isinf(v);
}

/* The loops of one source. Integers never leave the range of a float. */
#define FROM_SIGNED(from, FROM)                                             \
    LOOP(from##_bool, FROM, uint8_t, signed_within(v, 0, 1))                \
    LOOP(from##_i8, FROM, int8_t, signed_within(v, INT8_MIN, INT8_MAX))     \
    LOOP(from##_u8, FROM, uint8_t, signed_within(v, 0, UINT8_MAX))          \
    LOOP(from##_i16, FROM, int16_t, signed_within(v, INT16_MIN, INT16_MAX)) \
    LOOP(from##_u16, FROM, uint16_t, signed_within(v, 0, UINT16_MAX))       \
    LOOP(from##_i32, FROM, int32_t, signed_within(v, INT32_MIN, INT32_MAX)) \
    LOOP(from##_u32, FROM, uint32_t, signed_within(v, 0, UINT32_MAX))       \
    LOOP(from##_i64, FROM, int64_t, 1)                                      \
    LOOP(from##_u64, FROM, uint64_t, signed_within(v, 0, INT64_MAX))        \
    LOOP(from##_f32, FROM, float, 1)                                        \
    LOOP(from##_f64, FROM, double, 1)

#define FROM_UNSIGNED(from, FROM)                                    \
    LOOP(from##_bool, FROM, uint8_t, unsigned_within(v, 1))          \
    LOOP(from##_i8, FROM, int8_t, unsigned_within(v, INT8_MAX))      \
    LOOP(from##_u8, FROM, uint8_t, unsigned_within(v, UINT8_MAX))    \
    LOOP(from##_i16, FROM, int16_t, unsigned_within(v, INT16_MAX))   \
    LOOP(from##_u16, FROM, uint16_t, unsigned_within(v, UINT16_MAX)) \
    LOOP(from##_i32, FROM, int32_t, unsigned_within(v, INT32_MAX))   \
    LOOP(from##_u32, FROM, uint32_t, unsigned_within(v, UINT32_MAX)) \
    LOOP(from##_i64, FROM, int64_t, unsigned_within(v, INT64_MAX))   \
    LOOP(from##_u64, FROM, uint64_t, 1)                              \
    LOOP(from##_f32, FROM, float, 1)                                 \
    LOOP(from##_f64, FROM, double, 1)

#define FROM_FLOAT(from, FROM, FITS_F32)                     \
    LOOP_WHOLE(from##_bool, FROM, uint8_t, 0, 2)             \
    LOOP_WHOLE(from##_i8, FROM, int8_t, -0x1p7F, 0x1p7F)     \
    LOOP_WHOLE(from##_u8, FROM, uint8_t, 0, 0x1p8F)          \
    LOOP_WHOLE(from##_i16, FROM, int16_t, -0x1p15F, 0x1p15F) \
    LOOP_WHOLE(from##_u16, FROM, uint16_t, 0, 0x1p16F)       \
    LOOP_WHOLE(from##_i32, FROM, int32_t, -0x1p31F, 0x1p31F) \
    LOOP_WHOLE(from##_u32, FROM, uint32_t, 0, 0x1p32F)       \
    LOOP_WHOLE(from##_i64, FROM, int64_t, -0x1p63F, 0x1p63F) \
    LOOP_WHOLE(from##_u64, FROM, uint64_t, 0, 0x1p64F)       \
    LOOP(from##_f32, FROM, float, FITS_F32)                  \
    LOOP(from##_f64, FROM, double, 1)

FROM_SIGNED(i8, int8_t)
FROM_SIGNED(i16, int16_t)
FROM_SIGNED(i32, int32_t)
FROM_SIGNED(i64, int64_t)
FROM_UNSIGNED(u8, uint8_t)
FROM_UNSIGNED(u16, uint16_t)
FROM_UNSIGNED(u32, uint32_t)
FROM_UNSIGNED(u64, uint64_t)
FROM_FLOAT(f32, float, 1)
FROM_FLOAT(f64, double, f64_fits_f32(v))

#define ROW(from)                                                               \
    {                                                                           \
        [XTA_BOOL] = from##_bool, [XTA_I8] = from##_i8, [XTA_U8] = from##_u8,   \
        [XTA_I16] = from##_i16, [XTA_U16] = from##_u16, [XTA_I32] = from##_i32, \
        [XTA_U32] = from##_u32, [XTA_I64] = from##_i64, [XTA_U64] = from##_u64, \
        [XTA_F32] = from##_f32, [XTA_F64] = from##_f64,                         \
    }

/* plain[from][to]; NULL if float16 is one of the two. */
static converter *const plain[XTA_F64 + 1][XTA_F64 + 1] = {
    [XTA_BOOL] = ROW(u8), [XTA_I8] = ROW(i8),   [XTA_U8] = ROW(u8),   [XTA_I16] = ROW(i16),
    [XTA_U16] = ROW(u16), [XTA_I32] = ROW(i32), [XTA_U32] = ROW(u32), [XTA_I64] = ROW(i64),
    [XTA_U64] = ROW(u64), [XTA_F32] = ROW(f32), [XTA_F64] = ROW(f64),
};

/* A float16 is a sign, 5 bits of exponent biased by 15, and 10 bits of fraction. */
static float half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    uint32_t exponent = half >> 10 & 31U;
    uint32_t fraction = half & 1023U;
    uint32_t bits;
    float value;

    if (exponent == 0) {
        // Zero or subnormal: a whole number of 2^-24, which float32 holds as a normal number.
        value = (float)fraction * 0x1p-24F;
        memcpy(&bits, &value, sizeof bits);
        bits |= sign;
    } else {
        // Float32's bias is 127; infinity and NaN have all ones on both sides.
        exponent = exponent == 31 ? 255 : exponent + 127 - 15;
        bits = sign | exponent << 23 | fraction << 13;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* `value` without its lowest `drop` bits, rounded to nearest, ties to even. 1 <= drop <= 62. */
static uint64_t round_off(uint64_t value, unsigned drop)
{
    uint64_t below_half = ((uint64_t)1 << (drop - 1)) - 1;

    return (value + below_half + (value >> drop & 1)) >> drop;
}

/* False if a finite number would become infinite, from 65520 on: half-way between the largest
 * float16 and 65536. */
static bool half_from_double(double value, uint16_t *half)
{
    const uint64_t infinity = (uint64_t)0x7ff << 52;
    const uint64_t fraction_mask = ((uint64_t)1 << 52) - 1;
    const unsigned dropped = 52 - 10;        // bits of the fraction that float16 does not have
    const unsigned least_normal = 1023 - 14; // the biased exponent of 2^-14
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000U);
    uint64_t magnitude = bits & ~((uint64_t)1 << 63);
    unsigned exponent = (unsigned)(magnitude >> 52);
    uint64_t result;

    if (magnitude >= infinity) {
        // A NaN stays one (the quiet bit is set) and keeps the upper part of its payload.
        result = magnitude == infinity ? 0x7c00U : 0x7e00U | (magnitude & fraction_mask) >> dropped;
    } else if (fabs(value) >= 65520.0) {
        return false;
    } else if (exponent >= least_normal) {
        // Exponent and fraction are rounded as one number, so a carry propagates correctly.
        result = round_off(magnitude - ((uint64_t)(least_normal - 1) << 52), dropped);
    } else if (least_normal - exponent > 12) {
        // Less than half of the least subnormal, 2^-24.
        result = 0;
    } else {
        uint64_t significand = (magnitude & fraction_mask) | (uint64_t)1 << 52;
        result = round_off(significand, dropped + (least_normal - exponent));
    }
    *half = (uint16_t)(sign | result);
    return true;
}

/* The functions below return how many values, from the first, were converted: `n` if all were. */

static size_t convert_plain(xta_type from, const unsigned char *source, xta_type to,
                            unsigned char *target, size_t n)
{
    converter *convert = plain[from][to];
    size_t from_bytes = xta_type_bytes(from);
    size_t to_bytes = xta_type_bytes(to);

    for (size_t done = 0; done < n; done += BLOCK) {
        size_t count = n - done < BLOCK ? n - done : BLOCK;
        if (convert(source + done * from_bytes, target + done * to_bytes, count)) {
            continue;
        }
        // One value of the block is bad: convert one by one to find the first that fails.
        while (convert(source + done * from_bytes, target + done * to_bytes, 1)) {
            done++;
        }
        return done;
    }
    return n;
}

/* Real numbers of any kind, at most BLOCK of them. */
static size_t convert_real_block(xta_type from, const unsigned char *source, xta_type to,
                                 unsigned char *target, size_t n)
{
    float widened[BLOCK];
    double narrowing[BLOCK];

    if (from == XTA_F16) {
        for (size_t i = 0; i < n; i++) {
            uint16_t half;
            memcpy(&half, source + i * sizeof half, sizeof half);
            widened[i] = half_to_float(half);
        }
        from = XTA_F32;
        source = (const unsigned char *)widened;
    }
    if (to != XTA_F16) {
        return convert_plain(from, source, to, target, n);
    }
    // Conversion into float64 never fails.
    size_t converted = convert_plain(from, source, XTA_F64, (unsigned char *)narrowing, n);
    for (size_t i = 0; i < converted; i++) {
        uint16_t half;
        if (!half_from_double(narrowing[i], &half)) {
            return i;
        }
        memcpy(target + i * sizeof half, &half, sizeof half);
    }
    return converted;
}

static bool is_complex(xta_type type)
{
    return type == XTA_C64 || type == XTA_C128;
}

/* The type of the two parts of a complex number; any other type itself. */
static xta_type part_of(xta_type type)
{
    return type == XTA_C64 ? XTA_F32 : type == XTA_C128 ? XTA_F64 : type;
}

/* Move the real parts of `n` complex numbers together. Ends before the first one whose imaginary
 * part is not 0 (nor -0). */
static size_t gather_real(xta_type part, const unsigned char *source, unsigned char *reals,
                          size_t n)
{
    size_t bytes = xta_type_bytes(part);

    for (size_t i = 0; i < n; i++) {
        const unsigned char *cell = source + 2 * i * bytes;
        double imaginary;
        if (part == XTA_F32) {
            float narrow;
            memcpy(&narrow, cell + bytes, sizeof narrow);
            imaginary = (double)narrow;
        } else {
            memcpy(&imaginary, cell + bytes, sizeof imaginary);
        }
        if (imaginary != 0.0) {
            return i;
        }
        memcpy(reals + i * bytes, cell, bytes);
    }
    return n;
}

/* The other way: `n` real parts, each followed by an imaginary part of 0. */
static void spread_real(xta_type part, const unsigned char *reals, unsigned char *target, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        // Lengths known to the compiler become single moves.
        if (part == XTA_F32) {
            memcpy(target + 8 * i, reals + 4 * i, 4);
            memset(target + 8 * i + 4, 0, 4);
        } else {
            memcpy(target + 16 * i, reals + 8 * i, 8);
            memset(target + 16 * i + 8, 0, 8);
        }
    }
}

/* Numbers of any kind, at most BLOCK of them, not complex on both sides. */
static size_t convert_block(xta_type from, const unsigned char *source, xta_type to,
                            unsigned char *target, size_t n)
{
    unsigned char reals[BLOCK * sizeof(double)];
    size_t count = n;

    if (is_complex(from)) {
        count = gather_real(part_of(from), source, reals, n);
        return convert_real_block(part_of(from), reals, to, target, count);
    }
    if (is_complex(to)) {
        count = convert_real_block(from, source, part_of(to), reals, n);
        spread_real(part_of(to), reals, target, count);
        return count;
    }
    return convert_real_block(from, source, to, target, n);
}

static size_t convert_numbers(xta_type from, const unsigned char *source, xta_type to,
                              unsigned char *target, size_t n)
{
    if (from <= XTA_F64 && to <= XTA_F64 && plain[from][to] != NULL) {
        return convert_plain(from, source, to, target, n);
    }
    if (is_complex(from) && is_complex(to)) {
        // A complex number fails with either of its parts; twice `n` cannot overflow, the bytes
        // exist.
        return convert_plain(part_of(from), source, part_of(to), target, 2 * n) / 2;
    }
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t count = n - done < BLOCK ? n - done : BLOCK;
        size_t converted = convert_block(from, source + done * xta_type_bytes(from), to,
                                         target + done * xta_type_bytes(to), count);
        if (converted < count) {
            return done + converted;
        }
    }
    return n;
}

xta_status xta_type_convert(xta_type from, const void *source, xta_type to, void *target, size_t n,
                            size_t *bad)
{
    bool numbers =
        xta__is_cell_type(from) && xta__is_cell_type(to) && from != XTA_BYTES && to != XTA_BYTES;
    bool copied = from == to && (numbers || from == XTA_BYTES || from == XTA_TEXT);

    if (!numbers && !copied) {
        return XTA_ETYPE;
    }
    if (n == 0) {
        return XTA_OK;
    }
    // A bool is checked even here, so that nothing but 0 and 1 ever becomes one.
    if (copied && from != XTA_BOOL) {
        size_t bytes = xta_type_bytes(from);
        memcpy(target, source, n * (bytes > 0 ? bytes : 1));
        return XTA_OK;
    }
    size_t converted = convert_numbers(from, source, to, target, n);
    if (converted == n) {
        return XTA_OK;
    }
    if (bad != NULL) {
        *bad = converted;
    }
    return XTA_ERANGE;
}
