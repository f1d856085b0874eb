/* Regular coordinates: origin + cell * step.
 *
 * The same bits on every machine: one product, one sum, each rounded. A compiler that fused them
 * would round once; this folder is compiled with -ffp-contract=off.
 *
 * Finding origin and step of a list of floating-point numbers is a search. A list that a program
 * wrote as `origin + k * step` has an origin near its first value and a step near the mean
 * difference, but not exactly these: the mean of rounded values is rounded again, and binary32
 * values hide 29 bits of both. People choose steps and origins with few decimal digits, so the
 * candidates are the mean difference and the first value as such, as their neighbours, and rounded
 * to 1, 2, ... 17 digits. Each candidate is refuted by the first value that has other bits, and the
 * last value, which refutes most of them, is compared first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "coordinates/regular.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/checked.h"

enum { MOST_DIGITS = 17, MOST_CANDIDATES = MOST_DIGITS + 8 };

static bool is_float(xta_type type)
{
    return type == XTA_F32 || type == XTA_F64;
}

bool xta__regular_type(xta_type type)
{
    switch (type) {
    case XTA_F32:
    case XTA_F64:
    case XTA_I8:
    case XTA_I16:
    case XTA_I32:
    case XTA_I64:
    case XTA_U8:
    case XTA_U16:
    case XTA_U32:
        return true;
    default:
        return false;
    }
}

/* ---- numbers of a type ---- */

/* The type of its numbers in a xta_coordinate, which holds all of them. */
static xta_type wide_type(xta_type type)
{
    return is_float(type) ? XTA_F64 : XTA_I64;
}

static xta_coordinate load(xta_type type, const void *at)
{
    xta_coordinate out = {0};

    (void)!xta_type_convert(type, at, wide_type(type), &out, 1, NULL);
    return out;
}

static void store(xta_type type, xta_coordinate value, void *at)
{
    (void)!xta_type_convert(wide_type(type), &value, type, at, 1, NULL);
}

/* The least and the greatest integer of a type. */
static void limits(xta_type type, int64_t *least, int64_t *most)
{
    int bits = 8 * (int)xta_type_bytes(type);

    if (type == XTA_U8 || type == XTA_U16 || type == XTA_U32) {
        *least = 0;
        *most = (int64_t)(((uint64_t)1 << bits) - 1);
    } else {
        *most = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
        *least = -*most - 1;
    }
}

/* ---- as an attribute ---- */

xta_type xta__regular_store(const xta_regular *regular,
                            xta_coordinate numbers[XTA__REGULAR_NUMBERS])
{
    numbers[0] = regular->origin;
    numbers[1] = regular->step;
    if (is_float(regular->type)) {
        numbers[2].f = regular->type;
        return XTA_F64;
    }
    numbers[2].i = regular->type;
    return XTA_I64;
}

bool xta__regular_load(xta_type type, size_t count, const void *numbers, xta_regular *out)
{
    xta_coordinate n[XTA__REGULAR_NUMBERS];
    xta_regular r = {0};

    if (count != XTA__REGULAR_NUMBERS || (type != XTA_F64 && type != XTA_I64)) {
        return false;
    }
    memcpy(n, numbers, sizeof n);
    bool whole = type == XTA_I64 || (n[2].f >= 0 && n[2].f <= 255 && n[2].f == (int)n[2].f);
    int64_t code = type == XTA_I64 ? n[2].i : whole ? (int64_t)n[2].f : -1;
    if (code < 0 || code > 255 || !xta__regular_type((xta_type)code) ||
        is_float((xta_type)code) != (type == XTA_F64)) {
        return false;
    }
    r = (xta_regular){.type = (xta_type)code, .origin = n[0], .step = n[1]};
    // Without cells only the numbers themselves are checked.
    bool good = xta_regular_check(&r, 0, 0, NULL) == XTA_OK;
    if (good) {
        *out = r;
    }
    return good;
}

/* ---- values ---- */

static double float_at(const xta_regular *r, int64_t cell)
{
    double way = (double)cell * r->step.f;
    double value = r->origin.f + way;

    return r->type == XTA_F32 ? (double)(float)value : value;
}

/* Exact, if it fits in 64 bits. */
static bool integer_at(const xta_regular *r, int64_t cell, int64_t *value)
{
    int64_t way = 0;

    return !__builtin_mul_overflow(cell, r->step.i, &way) &&
           !__builtin_add_overflow(r->origin.i, way, value);
}

xta_coordinate xta_regular_at(const xta_regular *regular, int64_t cell)
{
    if (is_float(regular->type)) {
        return (xta_coordinate){.f = float_at(regular, cell)};
    }
    // Beyond 64 bits, where no array has been checked to have a cell, the value wraps.
    uint64_t value = (uint64_t)regular->origin.i + (uint64_t)cell * (uint64_t)regular->step.i;
    return (xta_coordinate){.i = (int64_t)value};
}

void xta_regular_values(const xta_regular *regular, int64_t lo, int64_t hi, void *values)
{
    size_t bytes = xta_type_bytes(regular->type);
    uint8_t *at = values;

    for (int64_t cell = lo; cell < hi; cell++, at += bytes) {
        store(regular->type, xta_regular_at(regular, cell), at);
    }
}

/* ---- check ---- */

/* The distance between neighbouring numbers of the type near a value. */
static double spacing(xta_type type, double value)
{
    double size = fabs(value);

    return type == XTA_F32 ? (double)(nextafterf((float)size, INFINITY) - (float)size)
                           : nextafter(size, INFINITY) - size;
}

static xta_status check_floats(const xta_regular *r, int64_t lo, int64_t hi, xta_error *err)
{
    if (!isfinite(r->origin.f) || !isfinite(r->step.f) || r->step.f == 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "origin %.17g, step %.17g: both must be finite, and the step not 0",
                         r->origin.f, r->step.f);
    }
    for (int side = 0; side < 2 && lo < hi; side++) {
        int64_t cell = side == 0 ? lo : hi - 1;
        double way = (double)cell * r->step.f, value = float_at(r, cell);
        if (!isfinite(value)) {
            return xta__fail(err, XTA_ERANGE, 0,
                             "the coordinate of cell %" PRId64 " is out of range of %s", cell,
                             xta_type_name(r->type));
        }
        // Both roundings err by half of a spacing, so two keep neighbours apart.
        double least =
            2 * spacing(r->type, fabs(way) > fabs(value) && r->type == XTA_F64 ? way : value);
        if (hi - lo > 1 && fabs(r->step.f) < least) {
            return xta__fail(err, XTA_ERANGE, 0,
                             "near cell %" PRId64 " neighbouring coordinates would be equal in %s: "
                             "the step %.17g is smaller than %.17g; use a closer origin, or f64",
                             cell, xta_type_name(r->type), r->step.f, least);
        }
    }
    return XTA_OK;
}

static xta_status check_integers(const xta_regular *r, int64_t lo, int64_t hi, xta_error *err)
{
    int64_t least = 0, most = 0, value = 0;

    if (r->step.i == 0) {
        return xta__fail(err, XTA_EARG, 0, "the step of regular coordinates is 0");
    }
    limits(r->type, &least, &most);
    for (int side = 0; side < 2 && lo < hi; side++) {
        int64_t cell = side == 0 ? lo : hi - 1;
        if (!integer_at(r, cell, &value) || value < least || value > most) {
            return xta__fail(err, XTA_ERANGE, 0,
                             "the coordinate of cell %" PRId64 " is out of range of %s", cell,
                             xta_type_name(r->type));
        }
    }
    return XTA_OK;
}

xta_status xta_regular_check(const xta_regular *regular, int64_t lo, int64_t hi, xta_error *err)
{
    xta__clear(err);
    if (!xta__regular_type(regular->type)) {
        return xta__fail(err, XTA_EARG, 0,
                         "regular coordinates of type %s; use f32, f64, i64 or a shorter integer",
                         xta_type_name(regular->type));
    }
    return is_float(regular->type) ? check_floats(regular, lo, hi, err)
                                   : check_integers(regular, lo, hi, err);
}

/* ---- detection ---- */

static bool detect_integers(xta_type type, const uint8_t *values, int64_t n, int64_t lo,
                            xta_regular *out)
{
    size_t bytes = xta_type_bytes(type);
    xta_regular r = {.type = type};
    int64_t first = load(type, values).i, way = 0, value = 0;

    if (__builtin_sub_overflow(load(type, values + bytes).i, first, &r.step.i) || r.step.i == 0 ||
        __builtin_mul_overflow(lo, r.step.i, &way) ||
        __builtin_sub_overflow(first, way, &r.origin.i)) {
        return false;
    }
    for (int64_t k = 0; k < n; k++) {
        if (!integer_at(&r, lo + k, &value) || value != load(type, values + k * (int64_t)bytes).i) {
            return false;
        }
    }
    *out = r;
    return true;
}

/* The bits of a number: -0.0 is another number than 0.0 here, since it would come back as that. */
static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool has_bits(const xta_regular *r, int64_t cell, double value)
{
    return bits_of(float_at(r, cell)) == bits_of(value);
}

static bool fits(const xta_regular *r, const uint8_t *values, int64_t n, int64_t lo)
{
    size_t bytes = xta_type_bytes(r->type);

    if (!has_bits(r, lo + n - 1, load(r->type, values + (n - 1) * (int64_t)bytes).f)) {
        return false;
    }
    for (int64_t k = 0; k < n; k++) {
        if (!has_bits(r, lo + k, load(r->type, values + k * (int64_t)bytes).f)) {
            return false;
        }
    }
    return xta_regular_check(r, lo, lo + n, NULL) == XTA_OK;
}

/* A number, its neighbours, and what it is with fewer digits, the fewest first. */
static int list_candidates(double near, double out[MOST_CANDIDATES])
{
    char text[40];
    int n = 0;

    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, near);
        double rounded = strtod(text, NULL);
        if (n == 0 || rounded != out[n - 1]) {
            out[n++] = rounded;
        }
    }
    double up = near, down = near;
    for (int k = 0; k < 3; k++) {
        up = nextafter(up, INFINITY);
        down = nextafter(down, -INFINITY);
        out[n++] = up;
        out[n++] = down;
    }
    return n;
}

/* The origin for a given step: the first value less the way to it, or something near. */
static bool fit_origin(xta_regular *r, const uint8_t *values, int64_t n, int64_t lo)
{
    double first = load(r->type, values).f;
    double candidates[MOST_CANDIDATES];
    double way = (double)lo * r->step.f;

    if (lo == 0 && r->type == XTA_F64) {
        r->origin.f = first;
        return fits(r, values, n, lo);
    }
    int n_candidates = list_candidates(first - way, candidates);
    for (int k = 0; k < n_candidates; k++) {
        r->origin.f = candidates[k];
        if (fits(r, values, n, lo)) {
            return true;
        }
    }
    return false;
}

static bool detect_floats(xta_type type, const uint8_t *values, int64_t n, int64_t lo,
                          xta_regular *out)
{
    size_t bytes = xta_type_bytes(type);
    double first = load(type, values).f, second = load(type, values + bytes).f;
    double last = load(type, values + (n - 1) * (int64_t)bytes).f;
    double candidates[MOST_CANDIDATES + 1];
    double mean = (last - first) / (double)(n - 1);

    if (!isfinite(mean) || mean == 0) {
        return false;
    }
    int n_candidates = list_candidates(mean, candidates);
    candidates[n_candidates++] = second - first;
    for (int k = 0; k < n_candidates; k++) {
        xta_regular r = {.type = type, .step.f = candidates[k]};
        if (r.step.f != 0 && fit_origin(&r, values, n, lo)) {
            *out = r;
            return true;
        }
    }
    return false;
}

bool xta_regular_detect(xta_type type, const void *values, int64_t n, int64_t lo,
                        xta_regular *regular)
{
    if (n < 2 || !xta__regular_type(type)) {
        return false;
    }
    return is_float(type) ? detect_floats(type, values, n, lo, regular)
                          : detect_integers(type, values, n, lo, regular);
}
