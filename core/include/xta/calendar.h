/** @file
 * Calendars of the CF conventions, dates exact to the microsecond, and `UNIT since DATE`.
 *
 * All functions are pure and thread-safe.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_CALENDAR_H
#define XTA_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which days there are. `standard` and `julian` have no year 0: year -1 precedes year 1. */
typedef enum xta_calendar {
    XTA_CALENDAR_STANDARD = 1,            /**< Julian to 1582-10-04, Gregorian from 1582-10-15 */
    XTA_CALENDAR_PROLEPTIC_GREGORIAN = 2, /**< Gregorian always, as ISO 8601 */
    XTA_CALENDAR_JULIAN = 3,              /**< every fourth year is a leap year */
    XTA_CALENDAR_NOLEAP = 4,              /**< years of 365 days */
    XTA_CALENDAR_ALL_LEAP = 5,            /**< years of 366 days */
    XTA_CALENDAR_360_DAY = 6              /**< twelve months of 30 days */
} xta_calendar;

/** The calendar of a name, in any case: standard, gregorian, proleptic_gregorian, julian, noleap,
 * 365_day, all_leap, 366_day, 360_day. NULL and "" are standard, as CF has it.
 * @param[in]  name      zero-terminated, or NULL
 * @param[out] calendar  untouched on failure
 * @param[out] err       why it failed; lists the names
 * @retval XTA_EARG      no such calendar */
XTA_API XTA_MUST_CHECK xta_status xta_calendar_parse(const char *name, xta_calendar *calendar,
                                                     xta_error *err);

/** The name of a calendar; "?" for a value that is none. Static memory. */
XTA_API const char *xta_calendar_name(xta_calendar calendar);

/** Days of a month, 28 to 31; 0 if the calendar has no such month or year. */
XTA_API int xta_calendar_month_days(xta_calendar calendar, int64_t year, int month);

/** Years are between -XTA_MAX_YEAR and XTA_MAX_YEAR. */
#define XTA_MAX_YEAR 9999999

/** A date and time of day, in a calendar that is known otherwise. UTC; no leap seconds. */
typedef struct xta_date {
    int64_t year;
    int month;       /**< 1 to 12 */
    int day;         /**< 1 to the days of the month */
    int hour;        /**< 0 to 23 */
    int minute;      /**< 0 to 59 */
    int second;      /**< 0 to 59 */
    int microsecond; /**< 0 to 999999 */
} xta_date;

/** The same as two numbers, which sort as time does.
 *
 * In the calendars standard, proleptic_gregorian and julian `day` is the Julian Day Number of that
 * day's noon, so that a day has one number in all three; in the others it is 0 on 0000-01-01. */
typedef struct xta_instant {
    int64_t day;
    int64_t microsecond; /**< of the day: 0 to 86,399,999,999 */
} xta_instant;

/** Negative, 0 or positive: `a` before, at or after `b`. */
XTA_API int xta_instant_compare(const xta_instant *a, const xta_instant *b);

/** The instant of a date.
 * @param[in]  calendar  one of the enum
 * @param[in]  date      to convert
 * @param[out] instant   untouched on failure
 * @param[out] err       why it failed; says which part of the date
 * @retval XTA_EARG      the calendar has no such date (30 February, year 0, 1582-10-10), or an
 *                       hour, minute, ... is out of range */
XTA_API XTA_MUST_CHECK xta_status xta_date_to_instant(xta_calendar calendar, const xta_date *date,
                                                      xta_instant *instant, xta_error *err);

/** The date of an instant. `microsecond` may be any number: it is carried to the day.
 * @retval XTA_EARG    not a calendar
 * @retval XTA_ERANGE  the year is beyond XTA_MAX_YEAR */
XTA_API XTA_MUST_CHECK xta_status xta_instant_to_date(xta_calendar calendar,
                                                      const xta_instant *instant, xta_date *date,
                                                      xta_error *err);

/** To which part a text gives a date. XTA_PRECISION_SECOND + n: n digits after the second. */
typedef enum xta_precision {
    XTA_PRECISION_SHORTEST = 0, /**< for xta_date_text: a day, and of the time what is not 0 */
    XTA_PRECISION_YEAR = 1,
    XTA_PRECISION_MONTH = 2,
    XTA_PRECISION_DAY = 3,
    XTA_PRECISION_HOUR = 4,
    XTA_PRECISION_MINUTE = 5,
    XTA_PRECISION_SECOND = 6,
    XTA_PRECISION_MICROSECOND = 12
} xta_precision;

/** What the text of a date stands for: all instants from `begin` on, before `end`. */
typedef struct xta_period {
    xta_instant begin, end;
    int precision; /**< an xta_precision, or a value between two */
} xta_period;

/** Read a date of ISO 8601: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, each of the latter with a time `Thh`,
 * `Thh:mm`, `Thh:mm:ss`, `Thh:mm:ss.ffffff`, and after a time `Z` or an offset `+hh:mm` from UTC.
 *
 * `2015-01` is the period of that month. A year has four digits; with a sign, or before a month, it
 * may have more (`-0044`, `+12015`, `12015-01`).
 *
 * @param[in]  calendar  in which the date is meant
 * @param[in]  text      zero-terminated
 * @param[out] period    untouched on failure
 * @param[out] err       why it failed
 * @retval XTA_EARG      not of this form, or the calendar has no such date */
XTA_API XTA_MUST_CHECK xta_status xta_period_parse(xta_calendar calendar, const char *text,
                                                   xta_period *period, xta_error *err);

/** Bytes of the longest text of a date, its zero included. */
#define XTA_DATE_TEXT_BYTES 48

/** Write a date as ISO 8601 (`2015-03-01T12:30`, `-0044-03-15`), to a precision; what is finer is
 * left out.
 * @return the length */
XTA_API size_t xta_date_text(const xta_date *date, int precision, char text[XTA_DATE_TEXT_BYTES]);

/** `UNIT since DATE` in a calendar. */
typedef struct xta_time_unit {
    xta_calendar calendar;
    int64_t microseconds;  /**< of the unit */
    xta_instant reference; /**< of the date */
} xta_time_unit;

/** Whether the text of a unit means a time since a date: whether its second word is `since`. */
XTA_API bool xta_time_unit_is(const char *unit);

/** Read `UNIT since DATE`.
 *
 * UNIT is weeks, days, hours, minutes, seconds, milliseconds or microseconds, in the singular, the
 * plural and the abbreviations of UDUNITS and cftime, in any case; in the calendar 360_day also
 * months, in noleap common_years. DATE is `2000-1-1`, or the month, or the year alone; then, after
 * `T` or blanks, a time `hh`, `hh:mm` or `hh:mm:ss.f`, and a zone `Z`, `UTC`, `GMT`, `+hh`,
 * `+hh:mm` or `+hhmm`.
 *
 * @param[in]  unit      zero-terminated
 * @param[in]  calendar  as for xta_calendar_parse
 * @param[out] out       untouched on failure
 * @param[out] err       why it failed, and what would be right
 * @retval XTA_EARG      not of this form, a unit that has no fixed length (months, years), no such
 *                       calendar, or no such date in it */
XTA_API XTA_MUST_CHECK xta_status xta_time_unit_parse(const char *unit, const char *calendar,
                                                      xta_time_unit *out, xta_error *err);

/** Microseconds of a unit of time (`hours`, `ms`); 0 if the text is none. */
XTA_API int64_t xta_time_unit_length(const char *unit);

/** The instant of a value, exact.
 * @retval XTA_ERANGE  more than 2^63 microseconds (292,471 years) from the reference date */
XTA_API XTA_MUST_CHECK xta_status xta_time_from_i64(const xta_time_unit *unit, int64_t value,
                                                    xta_instant *instant, xta_error *err);

/** The instant of a value, rounded to a microsecond as cftime's num2date rounds: the product with
 * the microseconds of the unit to 64 bits, then to the nearest integer, ties to even; but one
 * microsecond beside a whole second towards that second, if the unit is a second or longer.
 * @retval XTA_ERANGE  not finite, or more than 2^63 microseconds from the reference date */
XTA_API XTA_MUST_CHECK xta_status xta_time_from_f64(const xta_time_unit *unit, double value,
                                                    xta_instant *instant, xta_error *err);

/** The value of an instant, exact.
 * @retval XTA_ERANGE  it is no whole number of units, or does not fit in 64 bits */
XTA_API XTA_MUST_CHECK xta_status xta_time_to_i64(const xta_time_unit *unit,
                                                  const xta_instant *instant, int64_t *value,
                                                  xta_error *err);

/** The value of an instant, rounded once to binary64 (as cftime's date2num). */
XTA_API double xta_time_to_f64(const xta_time_unit *unit, const xta_instant *instant);

#ifdef __cplusplus
}
#endif

#endif
