/* Ticks at dates. The finest step of a table that gives few enough ticks is taken.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drawing/date_ticks.h"

#include <string.h>

#define SECOND ((int64_t)1000000)

typedef struct date_step {
    int precision; /* what is counted, and how ticks are written */
    int64_t count; /* of seconds up to a day, else of days, months or years */
} date_step;

static const date_step steps[] = {
    {XTA_PRECISION_SECOND, 1},     {XTA_PRECISION_SECOND, 5},     {XTA_PRECISION_SECOND, 15},
    {XTA_PRECISION_SECOND, 30},    {XTA_PRECISION_MINUTE, 60},    {XTA_PRECISION_MINUTE, 300},
    {XTA_PRECISION_MINUTE, 900},   {XTA_PRECISION_MINUTE, 1800},  {XTA_PRECISION_MINUTE, 3600},
    {XTA_PRECISION_MINUTE, 10800}, {XTA_PRECISION_MINUTE, 21600}, {XTA_PRECISION_MINUTE, 43200},
    {XTA_PRECISION_DAY, 1},        {XTA_PRECISION_DAY, 2},        {XTA_PRECISION_DAY, 5},
    {XTA_PRECISION_DAY, 10},       {XTA_PRECISION_MONTH, 1},      {XTA_PRECISION_MONTH, 2},
    {XTA_PRECISION_MONTH, 3},      {XTA_PRECISION_MONTH, 6},      {XTA_PRECISION_YEAR, 1},
    {XTA_PRECISION_YEAR, 2},       {XTA_PRECISION_YEAR, 5},       {XTA_PRECISION_YEAR, 10},
    {XTA_PRECISION_YEAR, 20},      {XTA_PRECISION_YEAR, 50},      {XTA_PRECISION_YEAR, 100},
    {XTA_PRECISION_YEAR, 200},     {XTA_PRECISION_YEAR, 500},     {XTA_PRECISION_YEAR, 1000},
    {XTA_PRECISION_YEAR, 2000},    {XTA_PRECISION_YEAR, 5000},    {XTA_PRECISION_YEAR, 10000},
    {XTA_PRECISION_YEAR, 20000},   {XTA_PRECISION_YEAR, 50000},   {XTA_PRECISION_YEAR, 100000}};

static int64_t floor_to(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

/* Begin a day, month or year, or stay with the time of day. */
static void round_down(const date_step *step, xta_date *date)
{
    int64_t seconds = date->hour * 3600 + date->minute * 60 + date->second;
    if (step->precision >= XTA_PRECISION_MINUTE) {
        seconds = floor_to(seconds, step->count);
    } else {
        seconds = 0;
    }
    date->hour = (int)(seconds / 3600);
    date->minute = (int)(seconds / 60 % 60);
    date->second = (int)(seconds % 60);
    date->microsecond = 0;
    if (step->precision == XTA_PRECISION_DAY) {
        date->day = 1 + (int)floor_to(date->day - 1, step->count);
    } else if (step->precision < XTA_PRECISION_DAY) {
        date->day = 1;
        date->month = step->precision == XTA_PRECISION_YEAR
                          ? 1
                          : 1 + (int)floor_to(date->month - 1, step->count);
    }
    if (step->precision == XTA_PRECISION_YEAR) {
        date->year = floor_to(date->year, step->count);
    }
}

/* The date of the next tick. Days are counted anew in each month, whose last tick keeps away from
 * the first one of the next. */
static bool next_date(xta_calendar calendar, const date_step *step, xta_date *date)
{
    xta_instant instant;
    if (step->precision >= XTA_PRECISION_MINUTE) {
        if (xta_date_to_instant(calendar, date, &instant, NULL) != XTA_OK) {
            return false;
        }
        instant.microsecond += step->count * SECOND;
        return xta_instant_to_date(calendar, &instant, date, NULL) == XTA_OK;
    }
    if (step->precision == XTA_PRECISION_YEAR) {
        date->year += step->count;
        return true;
    }
    int64_t days = xta_calendar_month_days(calendar, date->year, date->month);
    if (step->precision == XTA_PRECISION_DAY &&
        date->day + step->count + step->count / 2 <= days + 1) {
        date->day += (int)step->count;
        return true;
    }
    date->day = 1;
    date->month += step->precision == XTA_PRECISION_MONTH ? (int)step->count : 1;
    if (date->month > 12) {
        date->month -= 12;
        date->year++;
    }
    return true;
}

/* Put the ticks of a step; false if there are more than `most`. */
static bool add_ticks(const date_step *step, const xta_date *from, double low, double high,
                      int most, picture_ticks *ticks)
{
    const xta_calendar calendar = ticks->time.calendar;
    xta_date date = *from;
    xta_instant instant;

    ticks->n = 0;
    ticks->precision = step->precision;
    round_down(step, &date);
    for (int k = 0; k < PICTURE_MOST_TICKS + 3; k++) {
        bool there = xta_date_to_instant(calendar, &date, &instant, NULL) == XTA_OK; // no year 0
        double value = there ? xta_time_to_f64(&ticks->time, &instant) : low - 1;
        if (value > high) {
            return true;
        }
        if (value >= low && ticks->n == most) {
            return false;
        }
        if (value >= low) {
            ticks->value[ticks->n++] = value;
        }
        if (!next_date(calendar, step, &date)) {
            return true;
        }
    }
    return false;
}

void xta__picture_date_ticks(const xta_time_unit *unit, double low, double high, int most,
                             picture_ticks *ticks)
{
    double from = low < high ? low : high, to = low < high ? high : low;
    xta_instant instant;
    xta_date date;

    memset(ticks, 0, sizeof *ticks);
    most = most < 2 ? 2 : most > PICTURE_MOST_TICKS ? PICTURE_MOST_TICKS : most;
    if (xta_time_from_f64(unit, from, &instant, NULL) != XTA_OK ||
        xta_instant_to_date(unit->calendar, &instant, &date, NULL) != XTA_OK) {
        return;
    }
    ticks->dated = true;
    ticks->time = *unit;
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        if (add_ticks(&steps[k], &date, from, to, most, ticks)) {
            return;
        }
    }
    memset(ticks, 0, sizeof *ticks);
}
