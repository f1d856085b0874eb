/* What a label means.
 *
 * Numbers are rounded to the type of the coordinates first: a label `12.1` finds the binary32
 * 12.1, and what the tool prints can be typed. A number that was converted from another unit may be
 * off by some roundings, so it stands for the numbers within 2^-50 of it.
 *
 * Dates are compared as instants, not as numbers: 2015-03-01T01 is 1/24 days, which no number is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "select/label.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/units.h>

#include "base/base.h"
#include "coordinates/coordinates.h"
#include "labels/calendar.h"
#include "labels/iso_date.h"
#include "util/json.h"

enum { NUMBER_BYTES = 256, SHOWN = 64 };

static int shown(xta__piece piece)
{
    return (int)(piece.n < SHOWN ? piece.n : SHOWN);
}

static const char *unit_of(const xta__axis_reader *reader)
{
    return xta_coordinates_unit(reader->coordinates);
}

static bool has_names(const xta__axis_reader *reader)
{
    return xta_coordinates_kind_of(reader->coordinates) == XTA_COORDINATES_NAMES;
}

void xta__axis_reader_init(xta__axis_reader *reader, const char *path, const char *name,
                           xta_coordinates *coordinates, bool has_coordinates)
{
    *reader = (xta__axis_reader){
        .path = path, .name = name, .coordinates = coordinates, .has_coordinates = has_coordinates};
    if (!has_names(reader) && xta_time_unit_is(unit_of(reader))) {
        reader->is_time =
            xta_time_unit_parse(unit_of(reader), xta_coordinates_calendar(coordinates),
                                &reader->time, &reader->no_time) == XTA_OK;
    }
}

/* ---- numbers ---- */

/* Split `850 hPa` into a number and a unit, which is "" or points into `text`. */
static bool split_number(char *text, double *value, int64_t *whole, bool *is_whole,
                         const char **unit)
{
    char *digits = text + (text[0] == '-' || text[0] == '+');
    char *end = text;

    // strtod knows more forms: inf, nan, 0x10.
    if ((*digits < '0' || *digits > '9') &&
        (*digits != '.' || digits[1] < '0' || digits[1] > '9')) {
        return false;
    }
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        return false;
    }
    *value = strtod(text, &end);
    long long integer = strtoll(text, NULL, 10);
    size_t n_digits = strspn(digits, "0123456789");
    // strtoll stops at the ends of 64 bits, where the double is as good.
    *is_whole = digits + n_digits == end && integer > LLONG_MIN && integer < LLONG_MAX;
    if (!*is_whole && *value == nearbyint(*value) && fabs(*value) < 9.2e18) {
        integer = (long long)*value;
        *is_whole = true;
    }
    *whole = integer;
    *unit = end + strspn(end, " \t");
    return isfinite(*value);
}

/* Convert a number from its unit into that of the coordinates; `difference`: a length, not a
 * place, so that 10 K are 10 degrees Celsius. */
static xta_status convert_number(const xta__axis_reader *reader, const char *unit, bool difference,
                                 double *value, xta_error *err)
{
    double numbers[2] = {*value, 0};
    xta_error why = {0};

    if (reader->is_time) {
        int64_t length = xta_time_unit_length(unit);
        if (length == 0 && strpbrk(unit, "0123456789") != NULL) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: %s: a number and \"%.64s\" is no date; want "
                             "YYYY-MM-DDThh:mm:ss, or the beginning of it, with two digits each",
                             reader->path, reader->name, unit);
        }
        if (length == 0) {
            return xta__fail(err, XTA_EARG, 0, "%s: %s: \"%.64s\" is no unit of time", reader->path,
                             reader->name, unit);
        }
        *value = *value * (double)length / (double)reader->time.microseconds;
        return XTA_OK;
    }
    if (unit_of(reader)[0] == '\0') {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %s: its coordinates have no unit, so \"%.64s\" cannot be converted; "
                         "leave it out",
                         reader->path, reader->name, unit);
    }
    xta_status status = xta_units_convert(unit, unit_of(reader), numbers, numbers, 2, &why);
    if (status != XTA_OK) {
        return xta__fail(err, status, 0, "%s: %s: %s", reader->path, reader->name, why.text);
    }
    *value = difference ? numbers[0] - numbers[1] : numbers[0];
    return XTA_OK;
}

/* A number as the type of the coordinates has it; itself if that type has none like it. */
static double round_to_type(const xta__axis_reader *reader, double value)
{
    xta_type type = xta_coordinates_type(reader->coordinates);
    char bytes[16];
    double rounded = value;

    if ((type == XTA_F16 || type == XTA_F32) &&
        xta_type_convert(XTA_F64, &value, type, bytes, 1, NULL) == XTA_OK &&
        xta_type_convert(type, bytes, XTA_F64, &rounded, 1, NULL) == XTA_OK) {
        return rounded;
    }
    return value;
}

static xta_status read_number(const xta__axis_reader *reader, xta__label *label, bool *found,
                              xta_error *err)
{
    char text[NUMBER_BYTES];
    const char *unit = "";
    bool is_whole = false;
    xta_status status = XTA_OK;

    *found = !xta__piece_is_quoted(label->piece) &&
             xta__piece_copy(label->piece, text, sizeof text) &&
             split_number(text, &label->value, &label->whole, &is_whole, &unit);
    if (!*found) {
        return XTA_OK;
    }
    label->kind = XTA__LABEL_REAL;
    double spread = 0;
    if (unit[0] != '\0') {
        XTA_TRY(convert_number(reader, unit, false, &label->value, err));
        spread = fabs(label->value) * 0x1p-50;
    } else if (is_whole && xta__coordinates_whole(reader->coordinates)) {
        label->kind = XTA__LABEL_WHOLE;
    }
    label->value = round_to_type(reader, label->value);
    label->least = round_to_type(reader, label->value - spread);
    label->most = round_to_type(reader, label->value + spread);
done:
    return status;
}

xta_status xta__tolerance_read(const xta__axis_reader *reader, xta__piece piece, double *tolerance,
                               xta_error *err)
{
    char text[NUMBER_BYTES];
    const char *unit = "";
    bool is_whole = false;
    int64_t whole = 0;
    double value = 0;
    xta_status status = XTA_OK;

    if (!xta__piece_copy(piece, text, sizeof text) ||
        !split_number(text, &value, &whole, &is_whole, &unit) || value < 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %s: \"~%.*s\": a tolerance is a number from 0 on, optionally with a "
                         "unit",
                         reader->path, reader->name, shown(piece), piece.text);
    }
    if (unit[0] != '\0') {
        XTA_TRY(convert_number(reader, unit, true, &value, err));
        value = fabs(value) * (1 + 0x1p-50);
    }
    *tolerance = reader->is_time ? value * (double)reader->time.microseconds : value;
done:
    return status;
}

/* ---- labels ---- */

/* A date, if the whole label is one. Elsewhere than on an axis of time a year is a number. */
static xta_status read_date(const xta__axis_reader *reader, xta__label *label, bool *found,
                            xta_error *err)
{
    xta__iso_date date;
    xta__piece piece = label->piece;
    xta_error why = {0};

    *found = piece.n > 0 && xta__iso_date_scan(piece.text, &date) == piece.n &&
             (reader->is_time || date.precision > XTA_PRECISION_YEAR);
    if (!*found) {
        return XTA_OK;
    }
    if (!reader->is_time) {
        bool reason = reader->no_time.text[0] != '\0';
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %s: %.*s is a date, but its coordinates are no time since a date%s%s",
                         reader->path, reader->name, shown(piece), piece.text, reason ? ": " : "",
                         reader->no_time.text);
    }
    xta_status status = xta__iso_date_period(reader->time.calendar, &date, &label->period, &why);
    if (status != XTA_OK) {
        return xta__fail(err, status, 0, "%s: %s: %.*s: %s", reader->path, reader->name,
                         shown(piece), piece.text, why.text);
    }
    label->kind = XTA__LABEL_PERIOD;
    return XTA_OK;
}

static xta_status read_name(xta__label *label, xta_error *err)
{
    label->kind = XTA__LABEL_NAME;
    label->name = malloc(label->piece.n + 1);
    if (label->name == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a label of %zu bytes", label->piece.n);
    }
    // A copy is never longer than its piece.
    bool fits = xta__piece_copy(label->piece, label->name, label->piece.n + 1);
    return fits ? XTA_OK : xta__fail(err, XTA_EARG, 0, "a label is too long");
}

xta_status xta__label_read(const xta__axis_reader *reader, xta__piece piece, xta__label *label,
                           xta_error *err)
{
    bool found = false;
    xta_status status = XTA_OK;

    *label = (xta__label){.piece = piece};
    if (has_names(reader)) {
        return read_name(label, err);
    }
    XTA_TRY(read_date(reader, label, &found, err));
    if (!found) {
        XTA_TRY(read_number(reader, label, &found, err));
    }
    if (!found) {
        status = xta__fail(err, XTA_EARG, 0, "%s: %s: \"%.*s\" is no %s", reader->path,
                           reader->name, shown(piece), piece.text,
                           !reader->has_coordinates ? "number; the axis has no coordinates, so "
                                                      "labels are cell numbers"
                           : reader->is_time ? "date (YYYY-MM-DDThh:mm:ss, or the beginning of it) "
                                               "or number"
                                             : "number, but the coordinates are numbers");
    }
done:
    return status;
}

void xta__label_clear(xta__label *label)
{
    free(label->name);
    *label = (xta__label){0};
}

void xta__label_narrow(xta__label *label)
{
    label->least = label->most = label->value;
    xta__instant_add(&label->period.begin, 1, &label->period.end);
}

bool xta__label_above(const xta__label *a, const xta__label *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case XTA__LABEL_WHOLE:
        return a->whole > b->whole;
    case XTA__LABEL_REAL:
        return a->least > b->most;
    case XTA__LABEL_PERIOD:
        return xta_instant_compare(&a->period.begin, &b->period.end) >= 0;
    case XTA__LABEL_NAME:
        break;
    }
    return false;
}

/* ---- cells ---- */

/* The instant of a cell; false if it is too far from the reference date, or NaN. */
static bool instant_of(const xta__axis_reader *reader, int64_t cell, xta_instant *instant)
{
    xta_coordinate number = xta__coordinates_number(reader->coordinates, cell);

    return xta__coordinates_whole(reader->coordinates)
               ? xta_time_from_i64(&reader->time, number.i, instant, NULL) == XTA_OK
               : xta_time_from_f64(&reader->time, number.f, instant, NULL) == XTA_OK;
}

/* -1, 0, 1, exact. NaN is above everything. */
static int compare_reals(double a, double b)
{
    return a < b ? -1 : a == b ? 0 : 1;
}

/* An integer with a finite number. */
static int compare_mixed(int64_t a, double b)
{
    if (b >= 0x1p63) {
        return -1;
    }
    if (b < -0x1p63) {
        return 1;
    }
    int64_t whole = (int64_t)b; // Towards 0.
    double rest = b - (double)whole;
    return a != whole ? (a > whole) - (a < whole) : (rest < 0) - (rest > 0);
}

static int compare_number(const xta__axis_reader *reader, int64_t cell, double value)
{
    xta_coordinate number = xta__coordinates_number(reader->coordinates, cell);

    return xta__coordinates_whole(reader->coordinates) ? compare_mixed(number.i, value)
                                                       : compare_reals(number.f, value);
}

static int compare_period(const xta__axis_reader *reader, int64_t cell, const xta_period *period)
{
    xta_instant at;

    if (!instant_of(reader, cell, &at)) {
        return compare_number(reader, cell, 0);
    }
    return xta_instant_compare(&at, &period->begin) < 0  ? -1
           : xta_instant_compare(&at, &period->end) >= 0 ? 1
                                                         : 0;
}

int xta__label_compare(const xta__axis_reader *reader, int64_t cell, const xta__label *label)
{
    switch (label->kind) {
    case XTA__LABEL_WHOLE: {
        int64_t number = xta__coordinates_number(reader->coordinates, cell).i;
        return (number > label->whole) - (number < label->whole);
    }
    case XTA__LABEL_REAL:
        if (compare_number(reader, cell, label->least) < 0) {
            return -1;
        }
        return compare_number(reader, cell, label->most) > 0;
    case XTA__LABEL_PERIOD:
        return compare_period(reader, cell, &label->period);
    case XTA__LABEL_NAME:
        break;
    }
    return strcmp(xta_coordinates_name(reader->coordinates, cell), label->name) != 0;
}

/* Microseconds between two instants; both are within 10 million years of each other. */
static xta__u128 gap(const xta_instant *a, const xta_instant *b)
{
    bool forward = xta_instant_compare(a, b) <= 0;
    const xta_instant *first = forward ? a : b, *last = forward ? b : a;

    return (xta__u128)(uint64_t)(last->day - first->day) * (uint64_t)XTA__DAY_US +
           (uint64_t)last->microsecond - (uint64_t)first->microsecond;
}

double xta__label_distance(const xta__axis_reader *reader, int64_t cell, const xta__label *label)
{
    xta_coordinate number = xta__coordinates_number(reader->coordinates, cell);
    xta_instant at;

    if (label->kind == XTA__LABEL_WHOLE) {
        bool less = number.i < label->whole;
        uint64_t a = (uint64_t)number.i, b = (uint64_t)label->whole;
        return less ? (double)(b - a) : (double)(a - b);
    }
    if (label->kind == XTA__LABEL_PERIOD) {
        return instant_of(reader, cell, &at) ? (double)gap(&at, &label->period.begin) : INFINITY;
    }
    double distance = fabs(xta_coordinates_at(reader->coordinates, cell) - label->value);
    return reader->is_time ? distance * (double)reader->time.microseconds : distance;
}

/* Exact, for below < value <= above: the sign of (value - below) - (above - value). */
static int compare_reals_around(double below, double above, double value)
{
    double sum = below + above, twice = 2 * value;

    if (!isfinite(sum) || !isfinite(twice)) {
        return compare_reals(value / 2 - below / 2, above / 2 - value / 2);
    }
    // The error of the sum, which decides only if the rounded sum does not.
    double part = sum - below, error = (below - (sum - part)) + (above - part);
    return twice != sum ? compare_reals(twice, sum) : compare_reals(0, error);
}

int xta__label_compare_distance(const xta__axis_reader *reader, int64_t below, int64_t above,
                                const xta__label *label)
{
    xta_coordinate a = xta__coordinates_number(reader->coordinates, below);
    xta_coordinate b = xta__coordinates_number(reader->coordinates, above);
    xta_instant from, to;

    if (label->kind == XTA__LABEL_WHOLE) {
        uint64_t left = (uint64_t)label->whole - (uint64_t)a.i;
        uint64_t right = (uint64_t)b.i - (uint64_t)label->whole;
        return (left > right) - (left < right);
    }
    if (label->kind == XTA__LABEL_PERIOD) {
        bool has_from = instant_of(reader, below, &from), has_to = instant_of(reader, above, &to);
        if (!has_from || !has_to) {
            return has_to - has_from;
        }
        xta__u128 left = gap(&from, &label->period.begin), right = gap(&label->period.begin, &to);
        return (left > right) - (left < right);
    }
    return compare_reals_around(xta_coordinates_at(reader->coordinates, below),
                                xta_coordinates_at(reader->coordinates, above), label->value);
}

/* ---- texts ---- */

/* The fewest digits that read back as the same binary32; whole numbers are written out. */
static void float_text(float value, char text[XTA__CELL_TEXT_BYTES])
{
    if (value == nearbyintf(value) && fabsf(value) < 1e9F) {
        snprintf(text, XTA__CELL_TEXT_BYTES, "%.0f", (double)value);
        return;
    }
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, XTA__CELL_TEXT_BYTES, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            return;
        }
    }
}

const char *xta__cell_text(const xta__axis_reader *reader, int64_t cell,
                           char text[XTA__CELL_TEXT_BYTES])
{
    const xta_coordinates *c = reader->coordinates;
    xta_instant at;
    xta_date date;

    if (has_names(reader)) {
        snprintf(text, XTA__CELL_TEXT_BYTES, "%.64s", xta_coordinates_name(c, cell));
        return text;
    }
    if (reader->is_time && instant_of(reader, cell, &at) &&
        xta_instant_to_date(reader->time.calendar, &at, &date, NULL) == XTA_OK) {
        xta_date_text(&date, XTA_PRECISION_SHORTEST, text);
        return text;
    }
    xta_coordinate number = xta__coordinates_number(c, cell);
    if (xta__coordinates_whole(c)) {
        snprintf(text, XTA__CELL_TEXT_BYTES, "%" PRId64, number.i);
    } else if (xta_coordinates_type(c) == XTA_F32) {
        float_text((float)number.f, text);
    } else {
        snprintf(text, XTA__CELL_TEXT_BYTES, "%.17g", number.f);
        if (isfinite(number.f)) {
            xta__real_text(number.f, text);
        }
    }
    return text;
}
