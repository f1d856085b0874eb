/* Coordinates that come, in the type, unit and calendar of a dimension.
 *
 * If the units are the same, each value must keep its value in the other type. Otherwise it is
 * computed, and rounded once to the type: a time through its instant, exact to the microsecond,
 * other numbers by UDUNITS in binary64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "placement/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/calendar.h>
#include <xta/units.h>

#include "coordinates/regular.h"

static bool is_float(xta_type type)
{
    return type == XTA_F32 || type == XTA_F64;
}

static bool can_be_coordinate(xta_type type)
{
    return xta__regular_type(type) || type == XTA_U64;
}

static xta_status no_memory(const xta__values_wanted *to, xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "%s: dimension %s: no memory for its coordinates",
                     to->path, to->dimension);
}

/* The numbers of the cells, for comparisons. */
static xta_status find_numbers(const xta__values_wanted *to, xta__values *v, xta_error *err)
{
    size_t bad = 0;

    if (v->type == XTA_BYTES) {
        return XTA_OK;
    }
    v->whole = !is_float(v->type);
    v->numbers = xta__calloc((size_t)v->n + 1, sizeof v->numbers[0]);
    if (v->numbers == NULL) {
        return no_memory(to, err);
    }
    xta_status status = xta_type_convert(v->type, v->cells, v->whole ? XTA_I64 : XTA_F64,
                                         v->numbers, (size_t)v->n, &bad);
    if (status != XTA_OK) {
        return xta__fail(err, status, 0,
                         "%s: dimension %s: coordinate %zu of type %s is no number of 64 bits with "
                         "a sign",
                         to->path, to->dimension, bad, xta_type_name(v->type));
    }
    return XTA_OK;
}

xta_status xta__values_own(const xta__values_wanted *what, void *cells, int64_t n, xta__values *out,
                           xta_error *err)
{
    *out =
        (xta__values){.n = n, .type = what->type, .cell_bytes = what->cell_bytes, .cells = cells};
    xta_status status = find_numbers(what, out, err);
    if (status != XTA_OK) {
        xta__values_clear(out);
    }
    return status;
}

void xta__values_clear(xta__values *values)
{
    free(values->cells);
    free(values->numbers);
    *values = (xta__values){0};
}

int xta__values_compare(const xta__values *a, int64_t j, const xta__values *b, int64_t k)
{
    if (a->numbers == NULL) {
        return memcmp(a->cells + (size_t)j * a->cell_bytes, b->cells + (size_t)k * b->cell_bytes,
                      a->cell_bytes) != 0;
    }
    xta_coordinate x = a->numbers[j], y = b->numbers[k];
    return a->whole ? (x.i > y.i) - (x.i < y.i) : (x.f > y.f) - (x.f < y.f);
}

const char *xta__value_text(const xta__values *values, int64_t k, char text[XTA__VALUE_TEXT_BYTES])
{
    if (values->numbers == NULL) {
        int bytes = values->cell_bytes < 64 ? (int)values->cell_bytes : 64;
        snprintf(text, XTA__VALUE_TEXT_BYTES, "\"%.*s\"", bytes,
                 values->cells + (size_t)k * values->cell_bytes);
    } else if (values->whole) {
        snprintf(text, XTA__VALUE_TEXT_BYTES, "%" PRId64, values->numbers[k].i);
    } else {
        snprintf(text, XTA__VALUE_TEXT_BYTES, "%.*g", values->type == XTA_F32 ? 9 : 17,
                 values->numbers[k].f);
    }
    return text;
}

/* ---- names ---- */

static xta_status convert_names(const xta_new_coordinates *from, const xta__values_wanted *to,
                                xta__values *out, xta_error *err)
{
    const char *names = from->values;

    for (int64_t k = 0; k < from->n; k++) {
        const char *name = names + (size_t)k * from->cell_bytes;
        const char *end = memchr(name, '\0', from->cell_bytes);
        size_t n = end != NULL ? (size_t)(end - name) : from->cell_bytes;
        if (n > to->cell_bytes) {
            return xta__fail(
                err, XTA_ERANGE, 0,
                "%s: dimension %s: the name \"%.64s\" has %zu bytes, and names of this "
                "dimension have up to %zu",
                to->path, to->dimension, name, n, to->cell_bytes);
        }
        memcpy(out->cells + (size_t)k * to->cell_bytes, name, n);
    }
    return XTA_OK;
}

/* ---- numbers ---- */

/* The same values in another type. Each must be the same when it comes back. */
static xta_status convert_type(const xta_new_coordinates *from, const xta__values_wanted *to,
                               xta__values *out, xta_error *err)
{
    size_t bytes = xta_type_bytes(from->type);
    uint64_t back = 0;

    for (int64_t k = 0; k < from->n; k++) {
        const char *at = (const char *)from->values + (size_t)k * bytes;
        char *cell = out->cells + (size_t)k * out->cell_bytes;
        if (xta_type_convert(from->type, at, to->type, cell, 1, NULL) != XTA_OK ||
            xta_type_convert(to->type, cell, from->type, &back, 1, NULL) != XTA_OK ||
            memcmp(at, &back, bytes) != 0) {
            double value = NAN;
            (void)!xta_type_convert(from->type, at, XTA_F64, &value, 1, NULL);
            return xta__fail(err, XTA_ERANGE, 0,
                             "%s: dimension %s: coordinate %" PRId64 " is %.17g (%s), which is no "
                             "%s",
                             to->path, to->dimension, k, value, xta_type_name(from->type),
                             xta_type_name(to->type));
        }
    }
    return XTA_OK;
}

/* A value whose unit was converted, rounded once to the type wanted. */
static xta_status store_computed(const xta__values_wanted *to, double value, int64_t k, void *cell,
                                 xta_error *err)
{
    bool whole = !is_float(to->type);
    double rounded = whole ? nearbyint(value) : value;

    // A conversion of units leaves a rounding error, not half a unit.
    if (!isfinite(value) || (whole && fabs(rounded - value) > 1e-9 * (1 + fabs(value))) ||
        xta_type_convert(XTA_F64, &rounded, to->type, cell, 1, NULL) != XTA_OK) {
        return xta__fail(err, XTA_ERANGE, 0,
                         "%s: dimension %s: coordinate %" PRId64 " is %.17g in its unit, which is "
                         "no %s",
                         to->path, to->dimension, k, value, xta_type_name(to->type));
    }
    return XTA_OK;
}

/* The instant of value k. */
static xta_status instant_of(const xta_new_coordinates *from, const xta_time_unit *unit, int64_t k,
                             xta_instant *instant, xta_error *err)
{
    const char *at = (const char *)from->values + (size_t)k * xta_type_bytes(from->type);
    int64_t i = 0;
    double f = 0;

    if (!is_float(from->type)) {
        xta_status status = xta_type_convert(from->type, at, XTA_I64, &i, 1, NULL);
        return status == XTA_OK ? xta_time_from_i64(unit, i, instant, err) : status;
    }
    (void)!xta_type_convert(from->type, at, XTA_F64, &f, 1, NULL);
    return xta_time_from_f64(unit, f, instant, err);
}

/* The first day on which the calendars standard and proleptic_gregorian have the same dates:
 * 1582-10-15, as Julian Day Number. */
enum { SAME_FROM = 2299161 };

static bool gregorian(xta_calendar calendar)
{
    return calendar == XTA_CALENDAR_STANDARD || calendar == XTA_CALENDAR_PROLEPTIC_GREGORIAN;
}

static xta_status check_calendars(const xta__values_wanted *to, const xta_time_unit *a,
                                  const xta_time_unit *b, const xta_instant *instant,
                                  xta_error *err)
{
    if (a->calendar == b->calendar || (gregorian(a->calendar) && gregorian(b->calendar) &&
                                       (instant == NULL || instant->day >= SAME_FROM))) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_EARG, 0,
                     "%s: dimension %s: the new coordinates are dates of the calendar %s, those of "
                     "the dimension of %s%s; convert them first",
                     to->path, to->dimension, xta_calendar_name(a->calendar),
                     xta_calendar_name(b->calendar),
                     instant != NULL ? ", which differ before 1582-10-15" : "");
}

static xta_status convert_times(const xta_new_coordinates *from, const xta__values_wanted *to,
                                const char *unit, const char *calendar, xta__values *out,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta_time_unit a, b;
    xta_instant instant;
    int64_t i = 0;

    XTA_TRY(xta_time_unit_parse(unit, calendar, &a, err));
    XTA_TRY(xta_time_unit_parse(to->unit, to->calendar, &b, err));
    XTA_TRY(check_calendars(to, &a, &b, NULL, err));
    bool same =
        a.microseconds == b.microseconds && xta_instant_compare(&a.reference, &b.reference) == 0;
    for (int64_t k = 0; k < from->n; k++) {
        void *cell = out->cells + (size_t)k * out->cell_bytes;
        XTA_TRY(instant_of(from, &a, k, &instant, err));
        XTA_TRY(check_calendars(to, &a, &b, &instant, err));
        if (same) {
            continue;
        }
        if (is_float(to->type)) {
            XTA_TRY(store_computed(to, xta_time_to_f64(&b, &instant), k, cell, err));
        } else {
            XTA_TRY(xta_time_to_i64(&b, &instant, &i, err));
            status = xta_type_convert(XTA_I64, &i, to->type, cell, 1, NULL);
            if (status != XTA_OK) {
                XTA_TRY(store_computed(to, (double)i, k, cell, err));
            }
        }
    }
    if (same) {
        XTA_TRY(convert_type(from, to, out, err));
    }

done:
    return status;
}

static xta_status convert_units(const xta_new_coordinates *from, const xta__values_wanted *to,
                                const char *unit, xta__values *out, xta_error *err)
{
    xta_status status = XTA_OK;
    double *numbers = xta__calloc((size_t)from->n + 1, sizeof *numbers);
    xta_error why = {0};

    if (numbers == NULL) {
        return no_memory(to, err);
    }
    XTA_TRY(xta_type_convert(from->type, from->values, XTA_F64, numbers, (size_t)from->n, NULL));
    status = xta_units_convert(unit, to->unit, numbers, numbers, (size_t)from->n, &why);
    if (status != XTA_OK) {
        XTA_TRY(
            xta__fail(err, status, 0, "%s: dimension %s: %s", to->path, to->dimension, why.text));
    }
    for (int64_t k = 0; k < from->n; k++) {
        XTA_TRY(store_computed(to, numbers[k], k, out->cells + (size_t)k * out->cell_bytes, err));
    }

done:
    free(numbers);
    return status;
}

static bool same_calendars(const char *a, const char *b)
{
    xta_calendar x, y;

    return xta_calendar_parse(a, &x, NULL) == XTA_OK && xta_calendar_parse(b, &y, NULL) == XTA_OK &&
           x == y;
}

static xta_status convert_numbers(const xta_new_coordinates *from, const xta__values_wanted *to,
                                  xta__values *out, xta_error *err)
{
    const char *unit = from->unit != NULL ? from->unit : to->unit;
    const char *calendar = from->calendar != NULL ? from->calendar : to->calendar;
    bool time = xta_time_unit_is(to->unit);

    if (strcmp(unit, to->unit) == 0 && (!time || same_calendars(calendar, to->calendar))) {
        return convert_type(from, to, out, err);
    }
    if (time && xta_time_unit_is(unit)) {
        return convert_times(from, to, unit, calendar, out, err);
    }
    if (unit[0] == '\0' || to->unit[0] == '\0') {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: the new coordinates have %s%s, those of the dimension "
                         "%s%s; say in the attribute units what they are",
                         to->path, to->dimension, unit[0] != '\0' ? "the unit " : "no unit", unit,
                         to->unit[0] != '\0' ? "the unit " : "none", to->unit);
    }
    if (time || xta_time_unit_is(unit)) {
        return xta__fail(
            err, XTA_EARG, 0,
            "%s: dimension %s: the new coordinates are in \"%s\", those of the dimension "
            "in \"%s\", and only one of them is a time",
            to->path, to->dimension, unit, to->unit);
    }
    return xta_units_same(unit, to->unit) ? convert_type(from, to, out, err)
                                          : convert_units(from, to, unit, out, err);
}

xta_status xta__values_convert(const xta_new_coordinates *from, const xta__values_wanted *to,
                               xta__values *out, xta_error *err)
{
    xta_status status = XTA_OK;

    *out = (xta__values){.n = from->n, .type = to->type, .cell_bytes = to->cell_bytes};
    if (from->n < 1 || from->n >= XTA__COORD_LIMIT || from->values == NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: %" PRId64 " coordinates; give 1 or "
                         "more",
                         to->path, to->dimension, from->n);
    }
    bool names = from->type == XTA_BYTES;
    if (names != (to->type == XTA_BYTES) || !(names || can_be_coordinate(from->type)) ||
        !(names || can_be_coordinate(to->type))) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: dimension %s: coordinates of type %s; those of the dimension are %s",
                         to->path, to->dimension, xta_type_name(from->type),
                         xta_type_name(to->type));
    }
    out->cells = xta__calloc((size_t)from->n, to->cell_bytes);
    if (out->cells == NULL) {
        return no_memory(to, err);
    }
    XTA_TRY(names ? convert_names(from, to, out, err) : convert_numbers(from, to, out, err));
    XTA_TRY(find_numbers(to, out, err));

done:
    if (status != XTA_OK) {
        xta__values_clear(out);
    }
    return status;
}
