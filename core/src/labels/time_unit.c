/* `UNIT since DATE`: from numbers to instants and back.
 *
 * cftime multiplies floating-point values in the long double of x86, which has 64 bits, and rounds
 * the product to an integer. The same is done here with integers: the product of the 53 bits of a
 * double and the microseconds of a unit has fewer than 128 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/calendar.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "labels/calendar.h"
#include "labels/iso_date.h"

#define SECOND_US INT64_C(1000000)

#define ANY_CALENDAR ((xta_calendar)0)

enum { UNIT_NAME_BYTES = 24 };

static const struct {
    const char
        *name; // or its plural, with an s, if it has more than one letter and no s at its end
    int64_t microseconds;
    xta_calendar calendar; // the only one in which the unit has a fixed length
} time_units[] = {{"microsecond", 1, ANY_CALENDAR},
                  {"microsec", 1, ANY_CALENDAR},
                  {"usec", 1, ANY_CALENDAR},
                  {"us", 1, ANY_CALENDAR},
                  {"millisecond", 1000, ANY_CALENDAR},
                  {"millisec", 1000, ANY_CALENDAR},
                  {"msec", 1000, ANY_CALENDAR},
                  {"ms", 1000, ANY_CALENDAR},
                  {"second", SECOND_US, ANY_CALENDAR},
                  {"sec", SECOND_US, ANY_CALENDAR},
                  {"s", SECOND_US, ANY_CALENDAR},
                  {"minute", 60 * SECOND_US, ANY_CALENDAR},
                  {"min", 60 * SECOND_US, ANY_CALENDAR},
                  {"hour", 3600 * SECOND_US, ANY_CALENDAR},
                  {"hr", 3600 * SECOND_US, ANY_CALENDAR},
                  {"h", 3600 * SECOND_US, ANY_CALENDAR},
                  {"day", XTA__DAY_US, ANY_CALENDAR},
                  {"d", XTA__DAY_US, ANY_CALENDAR},
                  {"week", 7 * XTA__DAY_US, ANY_CALENDAR},
                  {"month", 30 * XTA__DAY_US, XTA_CALENDAR_360_DAY},
                  {"common_year", 365 * XTA__DAY_US, XTA_CALENDAR_NOLEAP}};
enum { N_TIME_UNITS = sizeof time_units / sizeof time_units[0] };

/* ---- texts ---- */

/* The next word of a text: its start and length; 0 at the end. */
static size_t next_word(const char **at)
{
    *at += strspn(*at, " \t");
    return strcspn(*at, " \t");
}

static int find_unit(const char *word, size_t n)
{
    for (int k = 0; k < N_TIME_UNITS; k++) {
        size_t length = strlen(time_units[k].name);
        bool has_plural = length > 1 && time_units[k].name[length - 1] != 's';
        bool plural = has_plural && n == length + 1 && (word[length] == 's' || word[length] == 'S');
        if ((n == length || plural) && strncasecmp(word, time_units[k].name, length) == 0) {
            return k;
        }
    }
    return -1;
}

int64_t xta_time_unit_length(const char *unit)
{
    const char *word = unit;
    size_t n = next_word(&word);
    const char *rest = word + n;
    int k = n > 0 && next_word(&rest) == 0 ? find_unit(word, n) : -1;

    return k >= 0 && time_units[k].calendar == ANY_CALENDAR ? time_units[k].microseconds : 0;
}

/* The text after `since`; NULL if that is not the second word. */
static const char *after_since(const char *unit)
{
    const char *word = unit;
    size_t n = next_word(&word);
    const char *since = word + n;
    size_t n_since = next_word(&since);

    return n > 0 && n_since == 5 && strncasecmp(since, "since", 5) == 0 ? since + 5 : NULL;
}

bool xta_time_unit_is(const char *unit)
{
    return unit != NULL && after_since(unit) != NULL;
}

static bool means_years(const char *word, size_t n)
{
    return (n == 4 || n == 5) && strncasecmp(word, "years", n) == 0;
}

static xta_status parse_length(const char *unit, xta_calendar calendar, int64_t *microseconds,
                               xta_error *err)
{
    const char *word = unit;
    size_t n = next_word(&word);
    int k = find_unit(word, n);

    if (k < 0 && means_years(word, n)) {
        return xta__fail(err, XTA_EARG, 0,
                         "unit \"%.64s\": years differ in length; want days, hours, minutes, "
                         "seconds, or common_years in the calendar noleap",
                         unit);
    }
    if (k < 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "unit \"%.64s\": \"%.*s\" is no unit of time; want weeks, days, hours, "
                         "minutes, seconds, milliseconds or microseconds",
                         unit, (int)(n < UNIT_NAME_BYTES ? n : UNIT_NAME_BYTES), word);
    }
    if (time_units[k].calendar != ANY_CALENDAR && time_units[k].calendar != calendar) {
        return xta__fail(err, XTA_EARG, 0,
                         "unit \"%.64s\": %ss have one length in the calendar %s alone, not in %s; "
                         "want days",
                         unit, time_units[k].name, xta_calendar_name(time_units[k].calendar),
                         xta_calendar_name(calendar));
    }
    *microseconds = time_units[k].microseconds;
    return XTA_OK;
}

xta_status xta_time_unit_parse(const char *unit, const char *calendar, xta_time_unit *out,
                               xta_error *err)
{
    xta_time_unit found = {0};
    xta__iso_date date;
    xta_error why = {0};
    xta_status status = XTA_OK;

    xta__clear(err);
    const char *rest = after_since(unit);
    if (rest == NULL) {
        return xta__fail(err, XTA_EARG, 0, "unit \"%.64s\" is not UNIT since DATE", unit);
    }
    XTA_TRY(xta_calendar_parse(calendar, &found.calendar, err));
    XTA_TRY(parse_length(unit, found.calendar, &found.microseconds, err));
    if (!xta__reference_date_read(rest, &date)) {
        return xta__fail(err, XTA_EARG, 0,
                         "unit \"%.64s\": its date is not YYYY-MM-DD hh:mm:ss, with at most six "
                         "digits after the second",
                         unit);
    }
    status = xta__iso_date_instant(found.calendar, &date, &found.reference, &why);
    if (status != XTA_OK) {
        return xta__fail(err, status, 0, "unit \"%.64s\": %s", unit, why.text);
    }
    *out = found;
done:
    return status;
}

/* ---- from numbers ---- */

static xta_status too_far(xta_error *err)
{
    return xta__fail(err, XTA_ERANGE, 0,
                     "a time is not a number, or more than 292,471 years from its reference date");
}

xta_status xta_time_from_i64(const xta_time_unit *unit, int64_t value, xta_instant *instant,
                             xta_error *err)
{
    int64_t microseconds = 0;

    xta__clear(err);
    if (__builtin_mul_overflow(value, unit->microseconds, &microseconds)) {
        return too_far(err);
    }
    xta__instant_add(&unit->reference, microseconds, instant);
    return XTA_OK;
}

static int bits_of(xta__u128 value)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;

    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

typedef enum rounding { NEAREST, DOWN, UP } rounding;

/* value / 2^shift, 0 < shift, rounded to an integer; of two nearest ones to the even one. */
static xta__u128 shift_right(xta__u128 value, int shift, rounding how)
{
    if (shift > 127) {
        return how == UP && value != 0;
    }
    xta__u128 whole = value >> shift, rest = value - (whole << shift);
    xta__u128 half = (xta__u128)1 << (shift - 1);
    bool up = how == UP ? rest != 0 : rest > half || (rest == half && (whole & 1) != 0);

    return whole + (how != DOWN && up);
}

/* magnitude * 2^exponent, with a sign, rounded. False if it has more than 63 bits. */
static bool round_to_i64(xta__u128 magnitude, int exponent, bool negative, rounding how,
                         int64_t *out)
{
    if (magnitude != 0 && bits_of(magnitude) + exponent > 64) {
        return false;
    }
    if (negative && how != NEAREST) {
        how = how == DOWN ? UP : DOWN;
    }
    xta__u128 whole = exponent < 0     ? shift_right(magnitude, -exponent, how)
                      : magnitude == 0 ? 0
                                       : magnitude << exponent;
    if (whole > INT64_MAX) {
        return false;
    }
    *out = negative ? -(int64_t)whole : (int64_t)whole;
    return true;
}

xta_status xta_time_from_f64(const xta_time_unit *unit, double value, xta_instant *instant,
                             xta_error *err)
{
    int exponent = 0;
    int64_t microseconds = 0;

    xta__clear(err);
    if (!isfinite(value)) {
        return too_far(err);
    }
    double mantissa = frexp(fabs(value), &exponent);
    xta__u128 product = (xta__u128)ldexp(mantissa, 53) * (xta__u128)unit->microseconds;
    exponent -= 53;
    int surplus = bits_of(product) - 64;
    if (surplus > 0) {
        product = shift_right(product, surplus, NEAREST);
        exponent += surplus;
    }
    if (!round_to_i64(product, exponent, value < 0, NEAREST, &microseconds)) {
        return too_far(err);
    }
    int64_t beside = xta__floor_mod(microseconds, SECOND_US);
    if (unit->microseconds >= SECOND_US && (beside == 1 || beside == SECOND_US - 1) &&
        !round_to_i64(product, exponent, value < 0, beside == 1 ? DOWN : UP, &microseconds)) {
        return too_far(err);
    }
    xta__instant_add(&unit->reference, microseconds, instant);
    return XTA_OK;
}

/* ---- to numbers ---- */

/* Microseconds from the reference date on: their amount, and whether they are negative. */
static xta__u128 microseconds_since(const xta_time_unit *unit, const xta_instant *instant,
                                    bool *negative)
{
    int64_t days = instant->day - unit->reference.day;
    int64_t rest = instant->microsecond - unit->reference.microsecond;

    if (days > 0 && rest < 0) {
        days--;
        rest += XTA__DAY_US;
    } else if (days < 0 && rest > 0) {
        days++;
        rest -= XTA__DAY_US;
    }
    *negative = days < 0 || rest < 0;
    uint64_t n_days = days < 0 ? -(uint64_t)days : (uint64_t)days;
    uint64_t n_rest = rest < 0 ? -(uint64_t)rest : (uint64_t)rest;
    return (xta__u128)n_days * (uint64_t)XTA__DAY_US + n_rest;
}

xta_status xta_time_to_i64(const xta_time_unit *unit, const xta_instant *instant, int64_t *value,
                           xta_error *err)
{
    bool negative = false;
    xta__u128 since = microseconds_since(unit, instant, &negative);
    xta__u128 length = (xta__u128)unit->microseconds;

    xta__clear(err);
    if (since % length != 0) {
        return xta__fail(err, XTA_ERANGE, 0, "a time is no whole number of units of %" PRId64 " us",
                         unit->microseconds);
    }
    if (since / length > INT64_MAX) {
        return xta__fail(err, XTA_ERANGE, 0,
                         "a time is more than 2^63 units of %" PRId64 " us away",
                         unit->microseconds);
    }
    *value = (int64_t)(since / length) * (negative ? -1 : 1);
    return XTA_OK;
}

double xta_time_to_f64(const xta_time_unit *unit, const xta_instant *instant)
{
    bool negative = false;
    xta__u128 since = microseconds_since(unit, instant, &negative);
    xta__u128 length = (xta__u128)unit->microseconds;

    if (since == 0) {
        return 0;
    }
    // As many bits as there are, so that the quotient has more than 54; what is cut off makes it
    // odd, so that it is rounded once, from the exact side.
    int shift = 128 - bits_of(since);
    xta__u128 shifted = since << shift;
    xta__u128 quotient = shifted / length;
    quotient |= shifted % length != 0;
    double value = ldexp((double)quotient, -shift);
    return negative ? -value : value;
}
