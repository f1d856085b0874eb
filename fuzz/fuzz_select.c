/* Units of time and selections by label.
 *
 * The bytes are the unit of the first of four axes, which has dates if the unit is a time since a
 * date, then selections. Each that succeeds must lie within the bounds, in all that it says; a date
 * must come back from its text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <string.h>

#include <xta/attribute.h>
#include <xta/calendar.h>
#include <xta/select.h>
#include <xta/units.h>

enum { TEXT_BYTES = 256, MAX_STEPS = 4 };

static xta_array *make_array(const char *unit, bool listed)
{
    static const int64_t bounds[4] = {40, 7, 3, 5};
    static const double list[7] = {1, 2, 4, 7.5, 8, 100, 1e6}, mixed[7] = {3, 1, 3, -0.0, 2, 9, 3};
    static const xta_regular regular = {XTA_F64, {.f = -3.25}, {.f = 0.5}};
    const char *const names[] = {"t", "y", "n", "z"};
    xta_attribute values = {
        .name = "values", .type = XTA_F64, .count = 7, .values = listed ? list : mixed};
    xta_array *array = NULL;
    xta_error err;

    FUZZ_PROMISE(xta_array_new(XTA_U8, 4, bounds, NULL, &array, &err) == XTA_OK);
    for (int axis = 0; axis < 4; axis++) {
        FUZZ_PROMISE(xta_axis_set_name(array, axis, names[axis], &err) == XTA_OK);
    }
    FUZZ_PROMISE(xta_axis_set_regular(array, 0, &regular, &err) == XTA_OK);
    FUZZ_PROMISE(xta_attribute_set(array, 1, &values, &err) == XTA_OK);
    FUZZ_PROMISE(xta_attribute_set_text(array, 1, "units", "Pa", &err) == XTA_OK);
    FUZZ_PROMISE(xta_attribute_set_text(array, 2, "values", "a\nb \"c\"\nx", &err) == XTA_OK);
    if (xta_attribute_set_text(array, 0, "units", unit, &err) != XTA_OK) {
        FUZZ_PROMISE(err.status == XTA_EARG);
    }
    return array;
}

static void check_axis(const xta_selection *s, const xta_box *bounds, int axis)
{
    FUZZ_PROMISE(s->step[axis] >= 1);
    FUZZ_PROMISE(s->box.lo[axis] >= bounds->lo[axis] && s->box.hi[axis] <= bounds->hi[axis]);
    FUZZ_PROMISE(s->box.lo[axis] < s->box.hi[axis]);
    FUZZ_PROMISE((s->list[axis] != NULL) == (s->n_list[axis] > 0));
    for (int64_t k = 0; k < s->n_list[axis]; k++) {
        FUZZ_PROMISE(s->list[axis][k] >= s->box.lo[axis] && s->list[axis][k] < s->box.hi[axis]);
    }
}

static void check_error(const xta_error *err)
{
    FUZZ_PROMISE(strlen(err->text) > 0 && strchr(err->text, '\n') == NULL);
}

/* The same labels on an axis that is no array's: descending numbers, or names. */
static void select_labels(const char *text, bool names)
{
    static const double numbers[5] = {1e6, 7.5, 4, -0.0, -2};
    static const char words[] = "a\nb \"c\"\nx\ny\n1\n";
    const xta_labelled_axis axis = {.path = "f",
                                    .name = "y",
                                    .lo = -2,
                                    .hi = 3,
                                    .type = names ? XTA_TEXT : XTA_F64,
                                    .values = names ? (const void *)words : numbers,
                                    .text_bytes = sizeof words - 1,
                                    .unit = "Pa"};
    const xta_box bounds = {.ndim = 1, .lo = {-2}, .hi = {3}};
    bool splits = false;
    xta_selection s;
    xta_error err;

    if (xta_selection_splits(text, &splits, &err) != XTA_OK) {
        check_error(&err);
    }
    xta_status status = xta_labels_select(&axis, text, &s, &err);
    if (status != XTA_OK) {
        FUZZ_PROMISE(s.box.ndim == 0 && err.status == status && strncmp(err.text, "f: ", 3) == 0);
        check_error(&err);
        return;
    }
    FUZZ_PROMISE(s.box.ndim == 1 && s.named[0]);
    check_axis(&s, &bounds, 0);
    xta_selection_clear(&s);
}

static void select_cells(fuzz_source *source, xta_array *array)
{
    char text[TEXT_BYTES];
    xta_box bounds = xta_array_bounds(array);
    xta_selection s;
    xta_error err;

    fuzz_text(source, text, sizeof text);
    select_labels(text, false);
    select_labels(text, true);
    xta_status status = xta_box_select(array, text, &s, &err);
    if (status != XTA_OK) {
        FUZZ_PROMISE(s.box.ndim == 0 && err.status == status);
        check_error(&err);
        return;
    }
    for (int axis = 0; axis < bounds.ndim; axis++) {
        check_axis(&s, &bounds, axis);
    }
    xta_selection_clear(&s);
}

static void read_unit(const char *unit, xta_calendar calendar)
{
    xta_time_unit time;
    xta_period period;
    xta_instant at;
    xta_date date, again;
    char text[XTA_DATE_TEXT_BYTES];
    xta_error err;

    if (xta_time_unit_parse(unit, xta_calendar_name(calendar), &time, &err) != XTA_OK) {
        check_error(&err);
    } else if (xta_time_from_f64(&time, 1234.5678, &at, NULL) == XTA_OK &&
               xta_instant_to_date(calendar, &at, &date, NULL) == XTA_OK) {
        // What was written is read again.
        xta_date_text(&date, XTA_PRECISION_MICROSECOND, text);
        FUZZ_PROMISE(xta_period_parse(calendar, text, &period, &err) == XTA_OK);
        FUZZ_PROMISE(xta_instant_compare(&period.begin, &at) == 0);
        FUZZ_PROMISE(xta_instant_to_date(calendar, &period.begin, &again, NULL) == XTA_OK);
        FUZZ_PROMISE(again.year == date.year && again.microsecond == date.microsecond);
    }
    if (xta_period_parse(calendar, unit, &period, &err) == XTA_OK) {
        FUZZ_PROMISE(xta_instant_compare(&period.begin, &period.end) < 0);
    }
    double number = 1;
    if (xta_units_convert(unit, "m", &number, &number, 1, &err) != XTA_OK) {
        FUZZ_PROMISE(number == 1);
        check_error(&err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_source source = {data, size};
    char unit[TEXT_BYTES];

    fuzz_text(&source, unit, sizeof unit);
    read_unit(unit, (xta_calendar)(1 + (size % 6)));
    xta_array *array = make_array(unit, size % 2 == 0);
    for (int k = 0; k < MAX_STEPS && source.left > 0; k++) {
        select_cells(&source, array);
    }
    FUZZ_PROMISE(xta_array_close(array, NULL) == XTA_OK);
    return 0;
}
