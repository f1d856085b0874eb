/* The text of a date.
 *
 * A scanner of fields: year, month, day, hour, minute, second, fraction, zone. Labels are strict,
 * since a colon after a time must not be taken for that of a range, nor a number for a year.
 * Reference dates are what writers of NetCDF files have made of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "labels/iso_date.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "labels/calendar.h"

enum { MOST_YEAR_DIGITS = 7, MOST_FRACTION_DIGITS = 6, ZONE_LIMIT = 24 * 60 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t count_digits(const char *text)
{
    size_t n = 0;

    while (is_digit(text[n])) {
        n++;
    }
    return n;
}

static int64_t number_of(const char *digits, size_t n)
{
    int64_t value = 0;

    for (size_t k = 0; k < n; k++) {
        value = 10 * value + (digits[k] - '0');
    }
    return value;
}

/* A field of one or two digits (`strict`: of two) after `mark`, at *at, which moves past it. */
static bool scan_field(const char **at, char mark, bool strict, int *value)
{
    const char *text = *at;

    if (*text != mark) {
        return false;
    }
    size_t n = count_digits(text + 1);
    if (n < (strict ? 2 : 1) || n > 2) {
        return false;
    }
    *value = (int)number_of(text + 1, n);
    *at = text + 1 + n;
    return true;
}

/* Year, month, day. */
static bool scan_day(const char **at, bool strict, xta__iso_date *out)
{
    const char *text = *at;
    bool sign = *text == '-' || *text == '+';
    const char *digits = text + sign;
    size_t n = count_digits(digits);
    xta_date *d = &out->date;

    if (n < (strict ? 4 : 1) || n > MOST_YEAR_DIGITS) {
        return false;
    }
    d->year = number_of(digits, n) * (*text == '-' ? -1 : 1);
    d->month = d->day = 1;
    *at = digits + n;
    out->precision = XTA_PRECISION_YEAR;
    if (!scan_field(at, '-', strict, &d->month)) {
        return !strict || n == 4 || sign;
    }
    out->precision = XTA_PRECISION_MONTH;
    if (scan_field(at, '-', strict, &d->day)) {
        out->precision = XTA_PRECISION_DAY;
    }
    return true;
}

/* Digits after the second; finer ones than microseconds must be 0. */
static bool scan_fraction(const char **at, xta__iso_date *out)
{
    const char *text = *at;
    size_t n = *text == '.' ? count_digits(text + 1) : 0;

    if (n == 0) {
        return *text != '.';
    }
    size_t kept = n < MOST_FRACTION_DIGITS ? n : MOST_FRACTION_DIGITS;
    int64_t value = number_of(text + 1, kept);
    for (size_t k = kept; k < MOST_FRACTION_DIGITS; k++) {
        value *= 10;
    }
    for (size_t k = kept; k < n; k++) {
        if (text[1 + k] != '0') {
            return false;
        }
    }
    out->date.microsecond = (int)value;
    out->precision = XTA_PRECISION_SECOND + (int)kept;
    *at = text + 1 + n;
    return true;
}

/* The time; *at is at the character before the hour, which stands for its mark. */
static bool scan_time(const char **at, bool strict, xta__iso_date *out)
{
    xta_date *d = &out->date;

    if (!scan_field(at, **at, strict, &d->hour)) {
        return false;
    }
    out->precision = XTA_PRECISION_HOUR;
    if (!scan_field(at, ':', strict, &d->minute)) {
        return true;
    }
    out->precision = XTA_PRECISION_MINUTE;
    if (!scan_field(at, ':', strict, &d->second)) {
        return true;
    }
    out->precision = XTA_PRECISION_SECOND;
    return scan_fraction(at, out);
}

/* `Z`, `UTC`, `GMT`, `+h`, `+hh`, `+hhmm`, `+hh:mm`; of labels only `Z` and `+hh:mm`. Nothing is no
 * zone, and true. */
static bool scan_zone(const char **at, bool strict, xta__iso_date *out)
{
    const char *text = *at;
    int hours = 0, minutes = 0;

    if (*text == 'Z' || (!strict && *text == 'z')) {
        *at = text + 1;
        return true;
    }
    if (!strict && (strncasecmp(text, "UTC", 3) == 0 || strncasecmp(text, "GMT", 3) == 0)) {
        *at = text + 3;
        return true;
    }
    if (*text != '+' && *text != '-') {
        return true;
    }
    size_t n = count_digits(text + 1);
    const char *end = text + 1 + n;
    if (n == 4 && !strict) {
        hours = (int)number_of(text + 1, 2);
        minutes = (int)number_of(text + 3, 2);
    } else if (n == 2 || (n == 1 && !strict)) {
        hours = (int)number_of(text + 1, n);
        bool more = scan_field(&end, ':', true, &minutes);
        if (strict && !more) {
            return false;
        }
    } else {
        return false;
    }
    if (minutes > 59 || 60 * hours + minutes > ZONE_LIMIT) {
        return false;
    }
    out->zone_minutes = (60 * hours + minutes) * (*text == '-' ? -1 : 1);
    *at = end;
    return true;
}

size_t xta__iso_date_scan(const char *text, xta__iso_date *out)
{
    xta__iso_date found = {0};
    const char *at = text;

    if (!scan_day(&at, true, &found)) {
        return 0;
    }
    if (found.precision == XTA_PRECISION_DAY && *at == 'T') {
        if (!scan_time(&at, true, &found)) {
            return 0;
        }
        // A sign that begins no offset is not ours: the caller sees what is left.
        xta__iso_date zoned = found;
        const char *after = at;
        if (scan_zone(&after, true, &zoned)) {
            found = zoned;
            at = after;
        }
    }
    *out = found;
    return (size_t)(at - text);
}

static void skip_blanks(const char **at)
{
    while (is_blank(**at)) {
        (*at)++;
    }
}

bool xta__reference_date_read(const char *text, xta__iso_date *out)
{
    xta__iso_date found = {0};
    const char *at = text;

    skip_blanks(&at);
    if (!scan_day(&at, false, &found)) {
        return false;
    }
    if (is_blank(*at) || *at == 'T' || *at == 't') {
        skip_blanks(&at);
        // Step back to the character before the hour, or forward to the T.
        const char *before = *at == 'T' || *at == 't' ? at : at - 1;
        if (is_digit(before[1])) {
            at = before;
            if (!scan_time(&at, false, &found)) {
                return false;
            }
        }
        skip_blanks(&at);
    }
    if (!scan_zone(&at, false, &found)) {
        return false;
    }
    skip_blanks(&at);
    if (*at != '\0') {
        return false;
    }
    *out = found;
    return true;
}

xta_status xta__iso_date_instant(xta_calendar calendar, const xta__iso_date *date,
                                 xta_instant *instant, xta_error *err)
{
    xta_instant local;
    xta_status status = XTA_OK;

    XTA_TRY(xta_date_to_instant(calendar, &date->date, &local, err));
    xta__instant_add(&local, INT64_C(-60000000) * date->zone_minutes, instant);
done:
    return status;
}

xta_status xta__iso_date_period(xta_calendar calendar, const xta__iso_date *date,
                                xta_period *period, xta_error *err)
{
    static const int64_t lengths[] = {
        [XTA_PRECISION_DAY] = XTA__DAY_US,   [XTA_PRECISION_HOUR] = INT64_C(3600000000),
        [XTA_PRECISION_MINUTE] = 60000000,   [XTA_PRECISION_SECOND] = 1000000,
        [XTA_PRECISION_SECOND + 1] = 100000, [XTA_PRECISION_SECOND + 2] = 10000,
        [XTA_PRECISION_SECOND + 3] = 1000,   [XTA_PRECISION_SECOND + 4] = 100,
        [XTA_PRECISION_SECOND + 5] = 10,     [XTA_PRECISION_MICROSECOND] = 1};
    xta_period found = {.precision = date->precision};
    const xta_date *d = &date->date;
    xta_status status = XTA_OK;

    XTA_TRY(xta__iso_date_instant(calendar, date, &found.begin, err));
    if (date->precision >= XTA_PRECISION_DAY) {
        xta__instant_add(&found.begin, lengths[date->precision], &found.end);
    } else if (date->precision == XTA_PRECISION_MONTH && d->month < 12) {
        found.end.day = xta__day_number(calendar, d->year, d->month + 1, 1);
    } else {
        found.end.day = xta__day_number(calendar, xta__next_year(calendar, d->year), 1, 1);
    }
    *period = found;
done:
    return status;
}

xta_status xta_period_parse(xta_calendar calendar, const char *text, xta_period *period,
                            xta_error *err)
{
    xta__iso_date date;

    xta__clear(err);
    size_t n = xta__iso_date_scan(text, &date);
    if (n == 0 || text[n] != '\0') {
        return xta__fail(err, XTA_EARG, 0,
                         "\"%.64s\" is no date; want YYYY, YYYY-MM, YYYY-MM-DD or "
                         "YYYY-MM-DDThh:mm:ss.ffffff",
                         text);
    }
    xta_error why = {0};
    xta_status status = xta__iso_date_period(calendar, &date, period, &why);
    if (status != XTA_OK) {
        return xta__fail(err, status, 0, "\"%.64s\": %s", text, why.text);
    }
    return XTA_OK;
}

size_t xta_date_text(const xta_date *date, int precision, char text[XTA_DATE_TEXT_BYTES])
{
    const xta_date *d = date;
    int n = 0;

    if (precision == XTA_PRECISION_SHORTEST) {
        precision = d->microsecond != 0              ? XTA_PRECISION_MICROSECOND
                    : d->second != 0                 ? XTA_PRECISION_SECOND
                    : d->minute != 0 || d->hour != 0 ? XTA_PRECISION_MINUTE
                                                     : XTA_PRECISION_DAY;
    }
    n = snprintf(text, XTA_DATE_TEXT_BYTES, "%s%s%04" PRId64, d->year < 0 ? "-" : "",
                 d->year > 9999 ? "+" : "", d->year < 0 ? -d->year : d->year);
    const struct {
        int precision;
        char mark;
        int value;
    } fields[] = {{XTA_PRECISION_MONTH, '-', d->month},
                  {XTA_PRECISION_DAY, '-', d->day},
                  {XTA_PRECISION_HOUR, 'T', d->hour},
                  {XTA_PRECISION_MINUTE, ':', d->minute},
                  {XTA_PRECISION_SECOND, ':', d->second}};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        if (precision >= fields[k].precision) {
            n += snprintf(text + n, XTA_DATE_TEXT_BYTES - (size_t)n, "%c%02d", fields[k].mark,
                          fields[k].value % 100);
        }
    }
    if (precision > XTA_PRECISION_SECOND) {
        char digits[16];
        snprintf(digits, sizeof digits, "%06d", d->microsecond);
        int shown = precision < XTA_PRECISION_MICROSECOND ? precision - XTA_PRECISION_SECOND : 6;
        n += snprintf(text + n, XTA_DATE_TEXT_BYTES - (size_t)n, ".%.*s", shown, digits);
    }
    return (size_t)n;
}
