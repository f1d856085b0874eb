/* Days, months, seasons and years of the cells of an axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/calendar_groups.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/coordinates.h>

#include "util/checked.h"
#include "util/try.h"

/* The label 0 of all counts. */
#define ORIGIN_YEAR 2000

static const char *const group_names[] = {"",     "day",           "month",         "season",
                                          "year", "month-of-year", "season-of-year"};
static const char *const season_names[] = {"DJF", "MAM", "JJA", "SON"};

xta_status xta_calendar_group_parse(const char *name, xta_calendar_group *by, xta_error *err)
{
    xta__clear(err);
    for (int k = XTA_BY_DAY; k <= XTA_BY_SEASON_OF_YEAR; k++) {
        if (strcmp(name, group_names[k]) == 0) {
            *by = (xta_calendar_group)k;
            return XTA_OK;
        }
    }
    return xta__fail(err, XTA_EARG, 0,
                     "\"%s\" is no group of a calendar; they are day, month, season, year, "
                     "month-of-year and season-of-year",
                     name);
}

/* The day number of 2000-01-01. */
static int64_t origin_day(xta_calendar calendar)
{
    xta_date date = {.year = ORIGIN_YEAR, .month = 1, .day = 1};
    xta_instant origin = {0};

    (void)!xta_date_to_instant(calendar, &date, &origin, NULL);
    return origin.day;
}

xta_status xta_calendar_group_of(xta_calendar calendar, xta_calendar_group by,
                                 const xta_instant *instant, int64_t *label, xta_error *err)
{
    xta_date date;
    xta_status status = xta_instant_to_date(calendar, instant, &date, err);

    if (status != XTA_OK) {
        return status;
    }
    int64_t months = (date.year - ORIGIN_YEAR) * 12 + date.month - 1;
    switch (by) {
    case XTA_BY_DAY:
        *label = instant->day + xta__floor_div(instant->microsecond, INT64_C(86400000000)) -
                 origin_day(calendar);
        break;
    case XTA_BY_MONTH:
        *label = months;
        break;
    case XTA_BY_SEASON:
        *label = xta__floor_div(months + 1, 3);
        break;
    case XTA_BY_YEAR:
        *label = date.year - ORIGIN_YEAR;
        break;
    case XTA_BY_MONTH_OF_YEAR:
        *label = date.month;
        break;
    default:
        *label = date.month % 12 / 3 + 1;
    }
    return XTA_OK;
}

xta_status xta_calendar_group_begin(xta_calendar calendar, xta_calendar_group by, int64_t label,
                                    xta_instant *begin, xta_error *err)
{
    int64_t month = 0;

    switch (by) {
    case XTA_BY_DAY:
        *begin = (xta_instant){origin_day(calendar) + label, 0};
        return XTA_OK;
    case XTA_BY_MONTH:
        month = label;
        break;
    case XTA_BY_SEASON:
        month = label * 3 - 1;
        break;
    case XTA_BY_YEAR:
        month = label * 12;
        break;
    case XTA_BY_MONTH_OF_YEAR:
        month = label - 1;
        break;
    default:
        month = (label - 1) * 3 - 1;
    }
    xta_date date = {.year = ORIGIN_YEAR + xta__floor_div(month, 12),
                     .month = (int)xta__floor_mod(month, 12) + 1,
                     .day = 1};
    return xta_date_to_instant(calendar, &date, begin, err);
}

void xta_calendar_group_text(xta_calendar calendar, xta_calendar_group by, int64_t label,
                             char text[XTA_DATE_TEXT_BYTES])
{
    xta_instant begin;
    xta_date date;

    if (by == XTA_BY_MONTH_OF_YEAR) {
        snprintf(text, XTA_DATE_TEXT_BYTES, "%02" PRId64, label);
    } else if (by == XTA_BY_SEASON_OF_YEAR) {
        snprintf(text, XTA_DATE_TEXT_BYTES, "%s", season_names[xta__floor_mod(label - 1, 4)]);
    } else if (by == XTA_BY_SEASON) {
        snprintf(text, XTA_DATE_TEXT_BYTES, "%04" PRId64 "-%s",
                 ORIGIN_YEAR + xta__floor_div(label, 4), season_names[xta__floor_mod(label, 4)]);
    } else if (xta_calendar_group_begin(calendar, by, label, &begin, NULL) != XTA_OK ||
               xta_instant_to_date(calendar, &begin, &date, NULL) != XTA_OK) {
        snprintf(text, XTA_DATE_TEXT_BYTES, "%" PRId64, label);
    } else {
        xta_date_text(&date,
                      by == XTA_BY_YEAR    ? XTA_PRECISION_YEAR
                      : by == XTA_BY_MONTH ? XTA_PRECISION_MONTH
                                           : XTA_PRECISION_DAY,
                      text);
    }
}

/* The instants of coordinates that have been read. */
static xta_status convert(const xta_coordinates *c, const xta_time_unit *unit, xta_instant *out,
                          xta_error *err)
{
    bool whole = xta_coordinates_type(c) <= XTA_U64;
    int64_t lo = xta_coordinates_lo(c);
    xta_status status = XTA_OK;

    for (int64_t cell = lo; status == XTA_OK && cell < xta_coordinates_hi(c); cell++) {
        double value = xta_coordinates_at(c, cell);
        // Integers below 2^53 are exact in binary64.
        status = whole && value > -0x1p53 && value < 0x1p53
                     ? xta_time_from_i64(unit, (int64_t)value, &out[cell - lo], err)
                     : xta_time_from_f64(unit, value, &out[cell - lo], err);
    }
    return status;
}

xta_status xta_calendar_instants(xta_array *array, int axis, xta_time_unit *unit,
                                 xta_instant **instants, xta_error *err)
{
    xta_coordinates *c = NULL;
    xta_status status = XTA_OK;

    xta__clear(err);
    *instants = NULL;
    XTA_TRY(xta_coordinates_read(array, axis, &c, err));
    if (xta_coordinates_kind_of(c) == XTA_COORDINATES_NAMES ||
        !xta_time_unit_is(xta_coordinates_unit(c))) {
        XTA_TRY(
            xta__fail(err, XTA_EARG, 0,
                      "axis %d (%s): its coordinates have the unit \"%s\"; groups of a calendar "
                      "need a time, such as \"days since 2000-01-01\"",
                      axis, xta_axis_name(array, axis), xta_coordinates_unit(c)));
    }
    XTA_TRY(xta_time_unit_parse(xta_coordinates_unit(c), xta_coordinates_calendar(c), unit, err));
    size_t n = (size_t)(xta_coordinates_hi(c) - xta_coordinates_lo(c));
    *instants = xta__calloc(n + 1, sizeof **instants);
    if (*instants == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu instants", n));
    }
    XTA_TRY(convert(c, unit, *instants, err));
done:
    if (status != XTA_OK) {
        free(*instants);
        *instants = NULL;
    }
    xta_coordinates_free(c);
    return status;
}
