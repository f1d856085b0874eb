/* Calendars, dates and units of time: facts, limits, what is refused. cftime judges 100,000 random
 * ones in tests/labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <xta/calendar.h>

#include "support/must.h"

static const xta_calendar all[] = {XTA_CALENDAR_STANDARD, XTA_CALENDAR_PROLEPTIC_GREGORIAN,
                                   XTA_CALENDAR_JULIAN,   XTA_CALENDAR_NOLEAP,
                                   XTA_CALENDAR_ALL_LEAP, XTA_CALENDAR_360_DAY};
enum { N_CALENDARS = sizeof all / sizeof all[0] };
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static xta_error err;

static void names(void **state)
{
    static const struct {
        const char *name;
        xta_calendar calendar;
    } known[] = {{"standard", XTA_CALENDAR_STANDARD},
                 {"", XTA_CALENDAR_STANDARD},
                 {NULL, XTA_CALENDAR_STANDARD},
                 {"Gregorian", XTA_CALENDAR_STANDARD},
                 {"PROLEPTIC_gregorian", XTA_CALENDAR_PROLEPTIC_GREGORIAN},
                 {"julian", XTA_CALENDAR_JULIAN},
                 {"noleap", XTA_CALENDAR_NOLEAP},
                 {"365_day", XTA_CALENDAR_NOLEAP},
                 {"all_leap", XTA_CALENDAR_ALL_LEAP},
                 {"366_DAY", XTA_CALENDAR_ALL_LEAP},
                 {"360_day", XTA_CALENDAR_360_DAY}};
    xta_calendar calendar = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        test_must(xta_calendar_parse(known[k].name, &calendar, &err), &err);
        assert_int_equal(calendar, known[k].calendar);
    }
    assert_int_equal(xta_calendar_parse("none", &calendar, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "\"none\""));
    assert_non_null(strstr(err.text, "proleptic_gregorian"));
    assert_int_equal(calendar, XTA_CALENDAR_360_DAY);
    assert_string_equal(xta_calendar_name(XTA_CALENDAR_NOLEAP), "noleap");
    assert_string_equal(xta_calendar_name((xta_calendar)7), "?");
}

/* Days that are written down elsewhere: J2000, the two sides of the reform, the first Julian
 * Day. */
static void days(void **state)
{
    static const struct {
        xta_calendar calendar;
        xta_date date;
        int64_t day;
    } known[] = {{XTA_CALENDAR_STANDARD, {2000, 1, 1, 0, 0, 0, 0}, 2451545},
                 {XTA_CALENDAR_STANDARD, {1582, 10, 15, 0, 0, 0, 0}, 2299161},
                 {XTA_CALENDAR_STANDARD, {1582, 10, 4, 0, 0, 0, 0}, 2299160},
                 {XTA_CALENDAR_STANDARD, {-4713, 1, 1, 0, 0, 0, 0}, 0},
                 {XTA_CALENDAR_JULIAN, {-4713, 1, 1, 0, 0, 0, 0}, 0},
                 {XTA_CALENDAR_JULIAN, {1, 1, 1, 0, 0, 0, 0}, 1721424},
                 {XTA_CALENDAR_PROLEPTIC_GREGORIAN, {-4713, 11, 24, 0, 0, 0, 0}, 0},
                 {XTA_CALENDAR_PROLEPTIC_GREGORIAN, {1, 1, 1, 0, 0, 0, 0}, 1721426},
                 {XTA_CALENDAR_NOLEAP, {0, 1, 1, 0, 0, 0, 0}, 0},
                 {XTA_CALENDAR_NOLEAP, {1, 3, 1, 0, 0, 0, 0}, 365 + 59},
                 {XTA_CALENDAR_ALL_LEAP, {1, 3, 1, 0, 0, 0, 0}, 366 + 60},
                 {XTA_CALENDAR_360_DAY, {2, 2, 30, 0, 0, 0, 0}, 779}};

    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        xta_instant at;
        test_must(xta_date_to_instant(known[k].calendar, &known[k].date, &at, &err), &err);
        assert_int_equal(at.day, known[k].day);
        assert_int_equal(at.microsecond, 0);
    }
}

/* Every day of some stretches has a date, which is the next one and comes back. */
static void expect_days(xta_calendar calendar, int64_t from, int64_t to)
{
    xta_date before = {0};

    for (int64_t day = from; day <= to; day++) {
        xta_instant at = {day, (day - from) * 7919 % 86400 * 1000000 + 17}, back;
        xta_date date;
        test_must(xta_instant_to_date(calendar, &at, &date, &err), &err);
        test_must(xta_date_to_instant(calendar, &date, &back, &err), &err);
        assert_int_equal(xta_instant_compare(&at, &back), 0);
        bool same_month = date.year == before.year && date.month == before.month;
        bool reform = calendar == XTA_CALENDAR_STANDARD && date.year == 1582 && date.month == 10 &&
                      date.day == 15;
        if (day > from && same_month) {
            assert_int_equal(date.day, before.day + (reform ? 11 : 1));
        } else if (day > from) {
            assert_int_equal(date.day, 1);
            assert_int_equal(before.day,
                             xta_calendar_month_days(calendar, before.year, before.month));
        }
        before = date;
    }
}

static void every_day(void **state)
{
    (void)state;
    for (int k = 0; k < N_CALENDARS; k++) {
        int64_t origin = k < 3 ? 1721000 : -400;
        expect_days(all[k], origin, origin + 1500);            // around the years -1, 0, 1
        expect_days(all[k], origin + 577000, origin + 580000); // around 1582
        expect_days(all[k], origin + 729000, origin + 731000); // around 2000
        expect_days(all[k], -3000000000, -3000000000 + 1500);
        expect_days(all[k], 3000000000, 3000000000 + 1500);
    }
}

static void refused_dates(void **state)
{
    static const struct {
        xta_calendar calendar;
        xta_date date;
        const char *text;
    } bad[] = {{XTA_CALENDAR_STANDARD, {0, 1, 1, 0, 0, 0, 0}, "no year 0"},
               {XTA_CALENDAR_JULIAN, {0, 1, 1, 0, 0, 0, 0}, "no year 0"},
               {XTA_CALENDAR_STANDARD, {1582, 10, 5, 0, 0, 0, 0}, "1582-10-15"},
               {XTA_CALENDAR_STANDARD, {1582, 10, 14, 0, 0, 0, 0}, "1582-10-15"},
               {XTA_CALENDAR_STANDARD, {1900, 2, 29, 0, 0, 0, 0}, "28 days"},
               {XTA_CALENDAR_NOLEAP, {2000, 2, 29, 0, 0, 0, 0}, "28 days"},
               {XTA_CALENDAR_360_DAY, {2000, 1, 31, 0, 0, 0, 0}, "30 days"},
               {XTA_CALENDAR_ALL_LEAP, {2000, 13, 1, 0, 0, 0, 0}, "month 13"},
               {XTA_CALENDAR_ALL_LEAP, {2000, 1, 1, 24, 0, 0, 0}, "24:00:00"},
               {XTA_CALENDAR_ALL_LEAP, {2000, 1, 1, 0, 0, 0, 1000000}, "1000000"},
               {XTA_CALENDAR_ALL_LEAP, {10000000, 1, 1, 0, 0, 0, 0}, "10000000"},
               {(xta_calendar)9, {2000, 1, 1, 0, 0, 0, 0}, "9 is no calendar"}};
    xta_instant at = {7, 7}, far = {INT64_MAX, 0}, before = {INT64_MIN, INT64_MIN};
    xta_date date = {0};

    (void)state;
    for (size_t k = 0; k < COUNT(bad); k++) {
        assert_int_equal(xta_date_to_instant(bad[k].calendar, &bad[k].date, &at, &err), XTA_EARG);
        assert_non_null(strstr(err.text, bad[k].text));
        assert_int_equal(at.day, 7);
    }
    for (int k = 0; k < N_CALENDARS; k++) {
        assert_int_equal(xta_instant_to_date(all[k], &far, &date, &err), XTA_ERANGE);
        assert_int_equal(xta_instant_to_date(all[k], &before, &date, &err), XTA_ERANGE);
        xta_date last = {XTA_MAX_YEAR, 12, 30, 23, 59, 59, 999999};
        xta_date first = {.year = -XTA_MAX_YEAR, .month = 1, .day = 1};
        test_must(xta_date_to_instant(all[k], &last, &at, &err), &err);
        test_must(xta_instant_to_date(all[k], &at, &date, &err), &err);
        assert_memory_equal(&date, &last, sizeof date);
        test_must(xta_date_to_instant(all[k], &first, &at, &err), &err);
        at.day--;
        assert_int_equal(xta_instant_to_date(all[k], &at, &date, &err), XTA_ERANGE);
    }
    assert_int_equal(xta_calendar_month_days(XTA_CALENDAR_JULIAN, 1900, 2), 29);
    assert_int_equal(xta_calendar_month_days(XTA_CALENDAR_JULIAN, -1, 2), 29);
    assert_int_equal(xta_calendar_month_days(XTA_CALENDAR_JULIAN, 0, 2), 0);
    assert_int_equal(xta_calendar_month_days(XTA_CALENDAR_360_DAY, 1, 2), 30);
    assert_int_equal(xta_calendar_month_days(XTA_CALENDAR_STANDARD, 1, 13), 0);
}

/* A period is from the date that its text gives to the one that `end` gives. */
static void periods(void **state)
{
    static const struct {
        xta_calendar calendar;
        const char *text, *begin, *end;
        int precision;
    } known[] = {
        {XTA_CALENDAR_STANDARD, "2015", "2015-01-01", "2016-01-01", XTA_PRECISION_YEAR},
        {XTA_CALENDAR_STANDARD, "2015-12", "2015-12-01", "2016-01-01", XTA_PRECISION_MONTH},
        {XTA_CALENDAR_STANDARD, "2016-02", "2016-02-01", "2016-03-01", XTA_PRECISION_MONTH},
        {XTA_CALENDAR_STANDARD, "1582-10-04", "1582-10-04", "1582-10-15", XTA_PRECISION_DAY},
        {XTA_CALENDAR_STANDARD, "-0001", "-0001-01-01", "0001-01-01", XTA_PRECISION_YEAR},
        {XTA_CALENDAR_JULIAN, "-0001-12", "-0001-12-01", "0001-01-01", XTA_PRECISION_MONTH},
        {XTA_CALENDAR_PROLEPTIC_GREGORIAN, "-0001", "-0001-01-01", "0000-01-01", 1},
        {XTA_CALENDAR_360_DAY, "2015-02-30T23", "2015-02-30T23:00", "2015-03-01T00:00", 4},
        {XTA_CALENDAR_NOLEAP, "2016-02-28T23:59", "2016-02-28T23:59:00", "2016-03-01T00:00:00", 5},
        {XTA_CALENDAR_STANDARD, "2015-03-01T12:30:00.5", "2015-03-01T12:30:00.500000",
         "2015-03-01T12:30:00.600000", 7},
        {XTA_CALENDAR_STANDARD, "2015-03-01T12:30:00.123456000", "2015-03-01T12:30:00.123456",
         "2015-03-01T12:30:00.123457", XTA_PRECISION_MICROSECOND},
        {XTA_CALENDAR_STANDARD, "2015-03-01T00:30+01:00", "2015-02-28T23:30", "2015-02-28T23:31",
         5},
        {XTA_CALENDAR_STANDARD, "2015-02-28T23-02:30", "2015-03-01T01:30", "2015-03-01T02:30", 4},
        {XTA_CALENDAR_STANDARD, "2015-03-01T00Z", "2015-03-01T00", "2015-03-01T01", 4},
        {XTA_CALENDAR_STANDARD, "+12015-03", "12015-03-01", "12015-04-01", XTA_PRECISION_MONTH}};
    static const char *const bad[] = {"",
                                      "15",
                                      "20150301",
                                      "2015-1",
                                      "2015-001",
                                      "2015-03-01 12:00",
                                      "2015-03-01T1",
                                      "2015-03-01T12:3",
                                      "2015-03-01T12:30:00.",
                                      "2015-3-1",
                                      "2015-03-01T12:30:00.1234567",
                                      "2015-03-01T12+1",
                                      "2015-03-01Z",
                                      "x2015",
                                      "2015-03T12",
                                      "12345"};
    xta_period found, other;

    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        test_must(xta_period_parse(known[k].calendar, known[k].text, &found, &err), &err);
        assert_int_equal(found.precision, known[k].precision);
        test_must(xta_period_parse(known[k].calendar, known[k].begin, &other, &err), &err);
        assert_int_equal(xta_instant_compare(&found.begin, &other.begin), 0);
        test_must(xta_period_parse(known[k].calendar, known[k].end, &other, &err), &err);
        assert_int_equal(xta_instant_compare(&found.end, &other.begin), 0);
    }
    for (size_t k = 0; k < COUNT(bad); k++) {
        assert_int_equal(xta_period_parse(XTA_CALENDAR_STANDARD, bad[k], &found, &err), XTA_EARG);
        assert_non_null(strstr(err.text, "is no date"));
    }
    assert_int_equal(xta_period_parse(XTA_CALENDAR_NOLEAP, "2016-02-29", &found, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "\"2016-02-29\": day 29"));
    test_must(xta_period_parse(XTA_CALENDAR_ALL_LEAP, "+9999999", &found, &err), &err);
    assert_int_equal(found.end.day - found.begin.day, 366);
}

static void texts(void **state)
{
    static const struct {
        xta_date date;
        int precision;
        const char *text;
    } known[] = {
        {{2015, 3, 1, 0, 0, 0, 0}, 0, "2015-03-01"},
        {{2015, 3, 1, 12, 0, 0, 0}, 0, "2015-03-01T12:00"},
        {{2015, 3, 1, 0, 30, 0, 0}, 0, "2015-03-01T00:30"},
        {{2015, 3, 1, 0, 0, 1, 0}, 0, "2015-03-01T00:00:01"},
        {{2015, 3, 1, 0, 0, 0, 5}, 0, "2015-03-01T00:00:00.000005"},
        {{-44, 3, 15, 0, 0, 0, 0}, XTA_PRECISION_MONTH, "-0044-03"},
        {{12015, 3, 15, 1, 2, 3, 450000}, XTA_PRECISION_SECOND + 2, "+12015-03-15T01:02:03.45"},
        {{7, 1, 1, 0, 0, 0, 0}, XTA_PRECISION_YEAR, "0007"}};
    char text[XTA_DATE_TEXT_BYTES];

    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        size_t n = xta_date_text(&known[k].date, known[k].precision, text);
        assert_string_equal(text, known[k].text);
        assert_int_equal(n, strlen(text));
    }
}

static void units(void **state)
{
    static const struct {
        const char *unit, *calendar;
        int64_t microseconds, day, of_day;
    } known[] = {
        {"days since 2000-01-01", "", INT64_C(86400000000), 2451545, 0},
        {"  Weeks  SINCE  2000-1-1  ", NULL, INT64_C(604800000000), 2451545, 0},
        {"hr since 2000-01-01T12", "standard", INT64_C(3600000000), 2451545, INT64_C(43200000000)},
        {"mins since 2000-01-01 12", "standard", 60000000, 2451545, INT64_C(43200000000)},
        {"s since 2000-01-01 6:5:4.25 UTC", "", 1000000, 2451545, INT64_C(21904250000)},
        {"msecs since 2000-01-01 00:00 +0130", "", 1000, 2451544, INT64_C(81000000000)},
        {"us since 2000-01-01 +1:30", "", 1, 2451544, INT64_C(81000000000)},
        {"days since 2000-01-01 00:00:00 -5", "", INT64_C(86400000000), 2451545,
         INT64_C(18000000000)},
        {"days since 2000-01", "", INT64_C(86400000000), 2451545, 0},
        {"days since 2000", "", INT64_C(86400000000), 2451545, 0},
        {"days since -4713-01-01", "", INT64_C(86400000000), 0, 0},
        {"days since 0000-01-01", "proleptic_gregorian", INT64_C(86400000000), 1721060, 0},
        {"months since 1-1-1", "360_day", INT64_C(2592000000000), 360, 0},
        {"common_years since 1-1-1", "noleap", INT64_C(31536000000000), 365, 0}};
    static const struct {
        const char *unit, *calendar, *text;
    } bad[] = {{"degrees_north", "", "not UNIT since DATE"},
               {"days", "", "not UNIT since DATE"},
               {"days since", "", "its date is not"},
               {"days since yesterday", "", "its date is not"},
               {"days since 2000-01-01 12:00:00.1234567", "", "six digits"},
               {"days since 2000-01-01 and later", "", "its date is not"},
               {"days since 2000-01-01 00:00 +25", "", "its date is not"},
               {"months since 2000-01-01", "standard", "months have one length"},
               {"common_year since 2000-01-01", "360_day", "common_years have one length"},
               {"years since 2000-01-01", "", "years differ"},
               {"metres since 2000-01-01", "", "\"metres\" is no unit of time"},
               {"days since 0000-01-01", "standard", "no year 0"},
               {"days since 2000-01-01", "lunar", "\"lunar\""}};
    xta_time_unit unit = {.microseconds = 5};

    (void)state;
    for (size_t k = 0; k < COUNT(bad); k++) {
        assert_int_equal(xta_time_unit_parse(bad[k].unit, bad[k].calendar, &unit, &err), XTA_EARG);
        assert_non_null(strstr(err.text, bad[k].text));
        assert_int_equal(unit.microseconds, 5);
    }
    for (size_t k = 0; k < COUNT(known); k++) {
        test_must(xta_time_unit_parse(known[k].unit, known[k].calendar, &unit, &err), &err);
        assert_int_equal(unit.microseconds, known[k].microseconds);
        assert_int_equal(unit.reference.day, known[k].day);
        assert_int_equal(unit.reference.microsecond, known[k].of_day);
        assert_true(xta_time_unit_is(known[k].unit));
    }
    assert_false(xta_time_unit_is("since 2000-01-01"));
    assert_false(xta_time_unit_is(NULL));
    assert_int_equal(xta_time_unit_length(" Hours "), INT64_C(3600000000));
    assert_int_equal(xta_time_unit_length("hours ago"), 0);
    assert_int_equal(xta_time_unit_length("months"), 0);
    assert_int_equal(xta_time_unit_length("ss"), 0);
    assert_int_equal(xta_time_unit_length(""), 0);
}

/* Rounding, and the ends of 64 bits. */
static void numbers(void **state)
{
    xta_time_unit unit, micro;
    xta_instant at, reference;
    int64_t whole = 3;

    (void)state;
    test_must(xta_time_unit_parse("days since 2000-01-01", "", &unit, &err), &err);
    test_must(xta_time_unit_parse("us since 2000-01-01", "", &micro, &err), &err);
    reference = unit.reference;
    assert_int_equal(xta_time_from_f64(&unit, NAN, &at, &err), XTA_ERANGE);
    assert_int_equal(xta_time_from_f64(&unit, INFINITY, &at, &err), XTA_ERANGE);
    assert_int_equal(xta_time_from_f64(&unit, 1e9, &at, &err), XTA_ERANGE);
    assert_int_equal(xta_time_from_f64(&unit, -1e300, &at, &err), XTA_ERANGE);
    assert_int_equal(xta_time_from_i64(&unit, 1000000000, &at, &err), XTA_ERANGE);
    test_must(xta_time_from_i64(&micro, INT64_MAX, &at, &err), &err);
    test_must(xta_time_to_i64(&micro, &at, &whole, &err), &err);
    assert_int_equal(whole, INT64_MAX);
    at.day++;
    assert_int_equal(xta_time_to_i64(&micro, &at, &whole, &err), XTA_ERANGE);
    assert_int_equal(whole, INT64_MAX);
    test_must(xta_time_from_i64(&micro, INT64_MIN, &at, &err), &err);
    assert_true(xta_time_to_f64(&micro, &at) == -0x1p63);
    // 1/3 day is no whole number of days, and is rounded once.
    at = (xta_instant){reference.day, INT64_C(28800000000)};
    assert_int_equal(xta_time_to_i64(&unit, &at, &whole, &err), XTA_ERANGE);
    assert_true(xta_time_to_f64(&unit, &at) == 1.0 / 3.0);
    test_must(xta_time_from_f64(&unit, 1.0 / 3.0, &at, &err), &err);
    assert_int_equal(at.microsecond, INT64_C(28800000000));
    // Ties go to the even microsecond.
    test_must(xta_time_from_f64(&micro, 2.5, &at, &err), &err);
    assert_int_equal(at.microsecond, 2);
    test_must(xta_time_from_f64(&micro, -2.5, &at, &err), &err);
    assert_int_equal(at.microsecond, INT64_C(86400000000) - 2);
    test_must(xta_time_from_f64(&micro, 5e-324, &at, &err), &err);
    assert_int_equal(at.microsecond, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names),     cmocka_unit_test(days),
                                       cmocka_unit_test(every_day), cmocka_unit_test(refused_dates),
                                       cmocka_unit_test(periods),   cmocka_unit_test(texts),
                                       cmocka_unit_test(units),     cmocka_unit_test(numbers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
