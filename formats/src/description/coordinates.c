/* Coordinates of axes: whether two lists of them agree, and in which direction a list runs.
 *
 * Coordinates of one grid differ a little from file to file: one writer computes them in single
 * precision, another adds up the steps. A millionth of the step is far too little to reach another
 * cell, so lists that agree that well are the same list.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/coordinates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/spread_attributes.h"
#include "util/json.h"

#define STEP_TOLERANCE 1e-6

size_t xta__coordinates_count(const bridge_attribute *a)
{
    return a->type == XTA_TEXT ? xta__text_n_lines(a->values, a->count) : a->count;
}

static double number_at(const bridge_attribute *a, size_t k)
{
    return xta__attribute_number(a, k, NAN);
}

bool xta__coordinates_is_nan(const bridge_attribute *a, size_t k)
{
    return a->type != XTA_TEXT && a->type != XTA_BYTES && isnan(number_at(a, k));
}

/* Distance to the nearer neighbour; 0 if there is none. */
static double step_at(const bridge_attribute *a, size_t k)
{
    double value = number_at(a, k);
    double before = k > 0 ? fabs(value - number_at(a, k - 1)) : 0;
    double after = k + 1 < a->count ? fabs(value - number_at(a, k + 1)) : 0;
    before = isfinite(before) ? before : 0;
    after = isfinite(after) ? after : 0;
    return before == 0 || (after > 0 && after < before) ? after : before;
}

/* Relative rounding error of a type; 0 for whole numbers. */
static double type_rounding(xta_type type)
{
    return type == XTA_F16 ? 0x1p-11 : type == XTA_F32 ? 0x1p-23 : type == XTA_F64 ? 0x1p-52 : 0;
}

static bool same_number(const bridge_attribute *a, size_t i, const bridge_attribute *b, size_t k)
{
    const char *one = (const char *)a->values + i * a->cell_bytes;
    const char *other = (const char *)b->values + k * b->cell_bytes;
    if (a->type == b->type && a->cell_bytes == b->cell_bytes &&
        memcmp(one, other, a->cell_bytes) == 0) {
        return true;
    }
    double relative = fmax(type_rounding(a->type), type_rounding(b->type));
    double x = number_at(a, i);
    double y = number_at(b, k);
    if (a->type == XTA_BYTES || b->type == XTA_BYTES || (relative == 0 && a->type == b->type)) {
        return false; // different whole numbers of 64 bits may be the same double
    }
    if (isnan(x) || isnan(y) || relative == 0) {
        return (isnan(x) && isnan(y)) || x == y;
    }
    return fabs(x - y) <= fmax(STEP_TOLERANCE * step_at(a, i), relative * fabs(x));
}

static size_t differ_lines(const bridge_attribute *a, size_t a_at, const bridge_attribute *b,
                           size_t b_at, size_t n)
{
    size_t m = 0;
    const char *one = xta__text_line(a->values, a_at, &m);
    const char *other = xta__text_line(b->values, b_at, &m);
    for (size_t k = 0; k < n; k++) {
        size_t length = strcspn(one, "\n");
        if (strcspn(other, "\n") != length || memcmp(one, other, length) != 0) {
            return k;
        }
        one += length + (one[length] != '\0');
        other += length + (other[length] != '\0');
    }
    return n;
}

size_t xta__coordinates_differ(const bridge_attribute *a, size_t a_at, const bridge_attribute *b,
                               size_t b_at, size_t n)
{
    if (a->type == XTA_TEXT || b->type == XTA_TEXT) {
        return a->type == b->type ? differ_lines(a, a_at, b, b_at, n) : 0;
    }
    for (size_t k = 0; k < n; k++) {
        if (!same_number(a, a_at + k, b, b_at + k)) {
            return k;
        }
    }
    return n;
}

const char *xta__coordinates_text(const bridge_attribute *a, size_t k, char text[80])
{
    size_t length = 0;
    const char *at = (const char *)a->values + k * a->cell_bytes;
    int64_t whole;
    uint64_t positive;
    if (a->type == XTA_TEXT) {
        at = xta__text_line(a->values, k, &length);
        snprintf(text, 80, "\"%.*s\"", (int)(length < 60 ? length : 60), at);
    } else if (a->type == XTA_BYTES) {
        snprintf(text, 80, "\"%.*s\"", (int)(a->cell_bytes < 60 ? a->cell_bytes : 60), at);
    } else if (a->type == XTA_F32 || a->type == XTA_F16) {
        snprintf(text, 80, "%.9g", number_at(a, k));
    } else if (type_rounding(a->type) == 0 &&
               xta_type_convert(a->type, at, XTA_I64, &whole, 1, NULL) == XTA_OK) {
        snprintf(text, 80, "%lld", (long long)whole);
    } else if (a->type == XTA_U64) {
        memcpy(&positive, at, sizeof positive);
        snprintf(text, 80, "%llu", (unsigned long long)positive);
    } else {
        xta__real_text(number_at(a, k), text);
    }
    return text;
}

int xta__coordinates_direction(const bridge_attribute *a, size_t from, size_t to, int otherwise,
                               size_t *at)
{
    int direction = 0;
    if (a->type == XTA_TEXT || a->type == XTA_BYTES || to - from < 2) {
        return otherwise;
    }
    for (size_t k = from + 1; k < to; k++) {
        double step = number_at(a, k) - number_at(a, k - 1);
        int here = step > 0 ? 1 : step < 0 ? -1 : 0; // NaN: neither
        *at = k;
        if (here == 0 || (direction != 0 && here != direction)) {
            return 0;
        }
        direction = here;
    }
    return direction;
}

xta_status xta__coordinates_match(const char *path, const char *name,
                                  const bridge_attribute *in_file, const bridge_attribute *ours,
                                  xta_error *err)
{
    char one[80];
    char other[80];
    size_t n = xta__coordinates_count(ours);
    size_t k = xta__coordinates_differ(in_file, 0, ours, 0, n);
    if (k == n) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: %s[%zu] is %s in the file and %s in the array; export to another "
                         "file or group, or leave the array's out with --no-coordinates",
                         path, name, k, xta__coordinates_text(in_file, k, one),
                         xta__coordinates_text(ours, k, other));
}
