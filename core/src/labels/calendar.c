/* Calendars of the CF conventions.
 *
 * Years are counted as astronomers do while we calculate: 0 is the year before 1. Calendars without
 * a year 0 call it -1. The number of a day is the days of all years before, counted from a year 0,
 * plus the day in its year; the inverse guesses the year from the mean length of years and corrects
 * the guess, which is at most one year off.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "labels/calendar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

/* Julian Day Numbers: of the first day of year 0 (1 BC), and of 1582-10-15, on which the standard
 * calendar becomes Gregorian; the Julian day before it was 1582-10-04. */
enum { JULIAN_ORIGIN = 1721058, GREGORIAN_ORIGIN = 1721060, GREGORIAN_START = 2299161 };

static const struct {
    const char *name;
    xta_calendar calendar;
} names[] = {
    {"standard", XTA_CALENDAR_STANDARD},  {"proleptic_gregorian", XTA_CALENDAR_PROLEPTIC_GREGORIAN},
    {"julian", XTA_CALENDAR_JULIAN},      {"noleap", XTA_CALENDAR_NOLEAP},
    {"all_leap", XTA_CALENDAR_ALL_LEAP},  {"360_day", XTA_CALENDAR_360_DAY},
    {"gregorian", XTA_CALENDAR_STANDARD}, {"365_day", XTA_CALENDAR_NOLEAP},
    {"366_day", XTA_CALENDAR_ALL_LEAP}};
enum { N_NAMES = sizeof names / sizeof names[0] };

xta_status xta_calendar_parse(const char *name, xta_calendar *calendar, xta_error *err)
{
    xta__clear(err);
    if (name == NULL || name[0] == '\0') {
        *calendar = XTA_CALENDAR_STANDARD;
        return XTA_OK;
    }
    for (size_t k = 0; k < N_NAMES; k++) {
        if (strcasecmp(name, names[k].name) == 0) {
            *calendar = names[k].calendar;
            return XTA_OK;
        }
    }
    return xta__fail(err, XTA_EARG, 0,
                     "\"%.64s\" is no calendar with dates; those are standard (gregorian), "
                     "proleptic_gregorian, julian, noleap (365_day), all_leap (366_day), 360_day",
                     name);
}

const char *xta_calendar_name(xta_calendar calendar)
{
    return xta__is_calendar(calendar) ? names[calendar - 1].name : "?";
}

bool xta__is_calendar(xta_calendar calendar)
{
    return calendar >= XTA_CALENDAR_STANDARD && calendar <= XTA_CALENDAR_360_DAY;
}

/* ---- years ---- */

static bool has_year_zero(xta_calendar calendar)
{
    return calendar != XTA_CALENDAR_STANDARD && calendar != XTA_CALENDAR_JULIAN;
}

static int64_t astronomical(xta_calendar calendar, int64_t year)
{
    return year < 0 && !has_year_zero(calendar) ? year + 1 : year;
}

int64_t xta__next_year(xta_calendar calendar, int64_t year)
{
    return year == -1 && !has_year_zero(calendar) ? 1 : year + 1;
}

static bool is_leap(xta_calendar calendar, int64_t year)
{
    int64_t y = astronomical(calendar, year);

    switch (calendar) {
    case XTA_CALENDAR_ALL_LEAP:
        return true;
    case XTA_CALENDAR_NOLEAP:
    case XTA_CALENDAR_360_DAY:
        return false;
    case XTA_CALENDAR_STANDARD:
    case XTA_CALENDAR_JULIAN:
    case XTA_CALENDAR_PROLEPTIC_GREGORIAN:
        break;
    }
    bool julian =
        calendar == XTA_CALENDAR_JULIAN || (calendar == XTA_CALENDAR_STANDARD && y <= 1582);
    return y % 4 == 0 && (julian || y % 100 != 0 || y % 400 == 0);
}

/* Days of the months before `month`, 1 to 13, in a year of 365 or 366 days. */
static int days_before(bool leap, int month)
{
    static const int16_t days[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

    return days[month - 1] + (leap && month > 2);
}

int xta_calendar_month_days(xta_calendar calendar, int64_t year, int month)
{
    if (!xta__is_calendar(calendar) || month < 1 || month > 12 || year < -XTA_MAX_YEAR ||
        year > XTA_MAX_YEAR || (year == 0 && !has_year_zero(calendar))) {
        return 0;
    }
    if (calendar == XTA_CALENDAR_360_DAY) {
        return 30;
    }
    bool leap = is_leap(calendar, year);
    return days_before(leap, month + 1) - days_before(leap, month);
}

/* Days of the years before `y` (astronomical), from year 0 on. */
static int64_t julian_years(int64_t y)
{
    return 365 * y + xta__floor_div(y + 3, 4);
}

static int64_t gregorian_years(int64_t y)
{
    return julian_years(y) - xta__floor_div(y + 99, 100) + xta__floor_div(y + 399, 400);
}

/* ---- days ---- */

/* A calendar whose years begin at `origin` + years_before(y). */
static int64_t years_before(xta_calendar calendar, int64_t y)
{
    switch (calendar) {
    case XTA_CALENDAR_NOLEAP:
        return 365 * y;
    case XTA_CALENDAR_ALL_LEAP:
        return 366 * y;
    case XTA_CALENDAR_360_DAY:
        return 360 * y;
    case XTA_CALENDAR_JULIAN:
        return JULIAN_ORIGIN + julian_years(y);
    case XTA_CALENDAR_PROLEPTIC_GREGORIAN:
    case XTA_CALENDAR_STANDARD:
        break;
    }
    return GREGORIAN_ORIGIN + gregorian_years(y);
}

int64_t xta__day_number(xta_calendar calendar, int64_t year, int month, int day)
{
    if (calendar == XTA_CALENDAR_STANDARD) {
        bool julian = year < 1582 || (year == 1582 && (month < 10 || (month == 10 && day < 15)));
        // Year 1582 is a common year in both, so the Julian rule serves for all of it.
        calendar = julian ? XTA_CALENDAR_JULIAN : XTA_CALENDAR_PROLEPTIC_GREGORIAN;
    }
    int before = calendar == XTA_CALENDAR_360_DAY ? 30 * (month - 1)
                                                  : days_before(is_leap(calendar, year), month);
    return years_before(calendar, astronomical(calendar, year)) + before + day - 1;
}

/* The year, astronomical, in which a day lies. */
static int64_t year_of(xta_calendar calendar, int64_t day)
{
    /* Years of a cycle, and its days. */
    static const struct {
        int64_t years, days;
    } cycles[] = {
        [XTA_CALENDAR_STANDARD] = {400, 146097}, [XTA_CALENDAR_PROLEPTIC_GREGORIAN] = {400, 146097},
        [XTA_CALENDAR_JULIAN] = {4, 1461},       [XTA_CALENDAR_NOLEAP] = {1, 365},
        [XTA_CALENDAR_ALL_LEAP] = {1, 366},      [XTA_CALENDAR_360_DAY] = {1, 360}};
    int64_t days = day - years_before(calendar, 0);
    int64_t y = xta__floor_div(days * cycles[calendar].years, cycles[calendar].days);

    while (years_before(calendar, y) > day) {
        y--;
    }
    while (years_before(calendar, y + 1) <= day) {
        y++;
    }
    return y;
}

/* ---- dates ---- */

int xta_instant_compare(const xta_instant *a, const xta_instant *b)
{
    if (a->day != b->day) {
        return a->day < b->day ? -1 : 1;
    }
    return (a->microsecond > b->microsecond) - (a->microsecond < b->microsecond);
}

void xta__instant_normalize(xta_instant *instant)
{
    instant->day += xta__floor_div(instant->microsecond, XTA__DAY_US);
    instant->microsecond = xta__floor_mod(instant->microsecond, XTA__DAY_US);
}

void xta__instant_add(const xta_instant *from, int64_t microseconds, xta_instant *to)
{
    *to = (xta_instant){
        .day = from->day + xta__floor_div(microseconds, XTA__DAY_US),
        .microsecond = from->microsecond + xta__floor_mod(microseconds, XTA__DAY_US),
    };
    xta__instant_normalize(to);
}

static xta_status check_date(xta_calendar calendar, const xta_date *d, xta_error *err)
{
    const char *name = xta_calendar_name(calendar);

    if (d->year == 0 && !has_year_zero(calendar)) {
        return xta__fail(err, XTA_EARG, 0, "the calendar %s has no year 0: year -1 precedes year 1",
                         name);
    }
    if (d->year < -XTA_MAX_YEAR || d->year > XTA_MAX_YEAR) {
        return xta__fail(err, XTA_EARG, 0, "year %" PRId64 " is beyond %d", d->year, XTA_MAX_YEAR);
    }
    if (d->month < 1 || d->month > 12) {
        return xta__fail(err, XTA_EARG, 0, "month %d is not from 1 to 12", d->month);
    }
    int days = xta_calendar_month_days(calendar, d->year, d->month);
    if (d->day < 1 || d->day > days) {
        return xta__fail(err, XTA_EARG, 0,
                         "day %d: month %d of year %" PRId64 " has %d days in the calendar %s",
                         d->day, d->month, d->year, days, name);
    }
    if (calendar == XTA_CALENDAR_STANDARD && d->year == 1582 && d->month == 10 && d->day > 4 &&
        d->day < 15) {
        return xta__fail(err, XTA_EARG, 0,
                         "1582-10-%02d: the calendar %s goes from 1582-10-04 to 1582-10-15", d->day,
                         name);
    }
    if (d->hour < 0 || d->hour > 23 || d->minute < 0 || d->minute > 59 || d->second < 0 ||
        d->second > 59 || d->microsecond < 0 || d->microsecond > 999999) {
        return xta__fail(err, XTA_EARG, 0,
                         "time %02d:%02d:%02d.%06d is not from 00:00:00 to 23:59:59.999999",
                         d->hour, d->minute, d->second, d->microsecond);
    }
    return XTA_OK;
}

xta_status xta_date_to_instant(xta_calendar calendar, const xta_date *date, xta_instant *instant,
                               xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    if (!xta__is_calendar(calendar)) {
        return xta__fail(err, XTA_EARG, 0, "%d is no calendar", (int)calendar);
    }
    XTA_TRY(check_date(calendar, date, err));
    int64_t seconds = 60 * (60 * date->hour + date->minute) + date->second;
    *instant = (xta_instant){
        .day = xta__day_number(calendar, date->year, date->month, date->day),
        .microsecond = 1000000 * seconds + date->microsecond,
    };
done:
    return status;
}

/* The month and the day in it, from the days since the start of a year. */
static void month_of(xta_calendar calendar, int day_of_year, xta_date *date)
{
    bool leap = is_leap(calendar, date->year);

    if (calendar == XTA_CALENDAR_360_DAY) {
        date->month = day_of_year / 30 + 1;
        date->day = day_of_year % 30 + 1;
        return;
    }
    date->month = 1;
    while (days_before(leap, date->month + 1) <= day_of_year) {
        date->month++;
    }
    date->day = day_of_year - days_before(leap, date->month) + 1;
}

xta_status xta_instant_to_date(xta_calendar calendar, const xta_instant *instant, xta_date *date,
                               xta_error *err)
{
    xta_instant at = *instant;
    xta_date found = {0};
    /* More than 366 days for each year. */
    const int64_t most = INT64_C(367) * XTA_MAX_YEAR;

    xta__clear(err);
    if (!xta__is_calendar(calendar)) {
        return xta__fail(err, XTA_EARG, 0, "%d is no calendar", (int)calendar);
    }
    if (at.day >= -most && at.day <= most) {
        xta__instant_normalize(&at);
    }
    xta_calendar rule = calendar;
    if (calendar == XTA_CALENDAR_STANDARD) {
        rule = at.day < GREGORIAN_START ? XTA_CALENDAR_JULIAN : XTA_CALENDAR_PROLEPTIC_GREGORIAN;
    }
    int64_t y = at.day < -most  ? -XTA_MAX_YEAR - 1
                : at.day > most ? XTA_MAX_YEAR + 1
                                : year_of(rule, at.day);
    found.year = y <= 0 && !has_year_zero(calendar) ? y - 1 : y;
    if (found.year < -XTA_MAX_YEAR || found.year > XTA_MAX_YEAR) {
        return xta__fail(err, XTA_ERANGE, 0, "day %" PRId64 " is beyond the year %d", instant->day,
                         XTA_MAX_YEAR);
    }
    month_of(rule == XTA_CALENDAR_PROLEPTIC_GREGORIAN ? rule : calendar,
             (int)(at.day - years_before(rule, y)), &found);
    int64_t seconds = at.microsecond / 1000000;
    found.hour = (int)(seconds / 3600);
    found.minute = (int)(seconds / 60 % 60);
    found.second = (int)(seconds % 60);
    found.microsecond = (int)(at.microsecond % 1000000);
    *date = found;
    return XTA_OK;
}
