/* Tick values and numbers as text.
 *
 * Steps between ticks are 1, 2 or 5 times a power of ten. Numbers are written with the digits that
 * tell neighbouring ticks apart; very large and very small ones are divided by a common power of
 * ten, which the legend states.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drawing/number_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\u2212"

/* The next round step at or above `step`; `decade` is set to its power of ten. */
static double round_step(double step, int *decade)
{
    *decade = (int)floor(log10(step) + 1e-9);
    double power = pow(10, *decade);
    const double rounds[] = {1, 2, 5};
    for (int k = 0; k < 3; k++) {
        if (step <= rounds[k] * power * (1 + 1e-9)) {
            return rounds[k] * power;
        }
    }
    *decade += 1;
    return 10 * power;
}

/* Large and small numbers are divided by a power of ten, so that no label is longer than about six
 * characters. */
static int common_exponent(double low, double high)
{
    double largest = fmax(fabs(low), fabs(high));
    if (largest == 0) {
        return 0;
    }
    int exponent = (int)floor(log10(largest));
    return exponent >= 6 || exponent <= -4 ? exponent : 0;
}

static int at_most(int most)
{
    return most < 2 ? 2 : most > PICTURE_MOST_TICKS - 1 ? PICTURE_MOST_TICKS - 1 : most;
}

/* Put ticks at the multiples of a step. */
static void add_multiples(double from, double to, double step, picture_ticks *ticks)
{
    double slack = step * 1e-9;
    for (double k = ceil((from - slack) / step); ticks->n < PICTURE_MOST_TICKS; k += 1) {
        if (k * step > to + slack) {
            break;
        }
        ticks->value[ticks->n++] = k * step;
    }
}

void xta__picture_ticks(double low, double high, int most, double finest, picture_ticks *ticks)
{
    memset(ticks, 0, sizeof *ticks);
    double from = fmin(low, high), to = fmax(low, high);
    int decade = 0;
    if (!(to > from) || !isfinite(to - from)) {
        ticks->value[0] = from;
        ticks->n = isfinite(from) ? 1 : 0;
        ticks->decimals = from == floor(from) ? 0 : 3;
        return;
    }
    double step = round_step(fmax((to - from) / at_most(most), finest), &decade);
    add_multiples(from, to, step, ticks);
    ticks->exponent = common_exponent(low, high);
    int digits = ticks->exponent - decade;
    ticks->decimals = digits > 0 ? (digits < 12 ? digits : 12) : 0;
}

void xta__picture_degree_ticks(double low, double high, int most, picture_ticks *ticks)
{
    static const double steps[] = {1, 2, 5, 10, 15, 30, 45, 90};
    double from = fmin(low, high), to = fmax(low, high);
    double least = (to - from) / at_most(most);
    if (!(least > 0.5 && least <= 90)) { // parts of a degree are decimal, as other numbers are
        xta__picture_ticks(low, high, most, 0, ticks);
        return;
    }
    size_t k = 0;
    while (steps[k] < least * (1 - 1e-9)) {
        k++;
    }
    memset(ticks, 0, sizeof *ticks);
    add_multiples(from, to, steps[k], ticks);
}

void xta__picture_ticks_in_full(picture_ticks *ticks)
{
    if (ticks->exponent == 6) {
        ticks->exponent = 0;
        ticks->decimals = ticks->decimals > 6 ? ticks->decimals - 6 : 0;
    }
}

void xta__picture_count_ticks(double low, double high, int most, picture_ticks *ticks)
{
    memset(ticks, 0, sizeof *ticks);
    double span = log1p(fmax(high, 0)) - log1p(fmax(low, 0));
    double apart = span / (most < 2 ? 2 : most);
    double last = -INFINITY;
    for (int decade = -1; decade < 19; decade++) {
        const double rounds[] = {1, 2, 5};
        // 0 comes first, and only once.
        for (int k = 0; k < (decade < 0 ? 1 : 3) && ticks->n < PICTURE_MOST_TICKS; k++) {
            double value = decade < 0 ? 0 : rounds[k] * pow(10, decade);
            bool crowded = log1p(value) - last < apart * (1 - 1e-9);
            if (value >= low && value <= high && !crowded) {
                last = log1p(value);
                ticks->value[ticks->n++] = value;
            }
        }
    }
    ticks->exponent = common_exponent(low, high);
}

/* A minus sign is as wide as a plus sign; the hyphen that printf writes is not. */
static void true_minus(const char *plain, char text[32])
{
    if (plain[0] == '-') {
        snprintf(text, 32, MINUS "%s", plain + 1);
    } else {
        snprintf(text, 32, "%s", plain);
    }
}

void xta__picture_date_text(const xta_time_unit *unit, double value, int precision, char text[32])
{
    char date_text[XTA_DATE_TEXT_BYTES] = "";
    xta_instant instant;
    xta_date date;
    if (xta_time_from_f64(unit, value, &instant, NULL) == XTA_OK &&
        xta_instant_to_date(unit->calendar, &instant, &date, NULL) == XTA_OK) {
        xta_date_text(&date, precision, date_text);
    }
    date_text[strcspn(date_text, "T")] = date_text[strcspn(date_text, "T")] != '\0' ? ' ' : '\0';
    snprintf(text, 32, "%.31s", date_text);
}

void xta__picture_tick_text(const picture_ticks *ticks, int k, char text[32])
{
    char plain[28];
    if (ticks->dated) {
        xta__picture_date_text(&ticks->time, ticks->value[k], ticks->precision, text);
        return;
    }
    double value = ticks->value[k] / pow(10, ticks->exponent);
    value = fabs(value) < 0.5 * pow(10, -ticks->decimals) ? 0 : value; // no negative zero
    snprintf(plain, sizeof plain, "%.*f", ticks->decimals, value);
    true_minus(plain, text);
}

const char *xta__picture_number_text(double value, char text[32])
{
    char plain[28];
    snprintf(plain, sizeof plain, "%.4g", value == 0 ? 0 : value);
    true_minus(plain, text);
    return text;
}

const char *xta__picture_value_text(double value, char text[32])
{
    char plain[28];
    snprintf(plain, sizeof plain, "%.10g", value == 0 ? 0 : value);
    true_minus(plain, text);
    return text;
}

const char *xta__picture_degree_text(double value, bool latitude, char text[32])
{
    double around = latitude ? value : value - 360 * floor((value + 180) / 360);
    around = fabs(around) < 1e-9 ? 0 : around;
    bool opposite = !latitude && fabs(around + 180) < 1e-9; // neither east nor west
    const char *side = around == 0 || opposite ? ""
                       : latitude              ? (around > 0 ? "N" : "S")
                                               : (around > 0 ? "E" : "W");
    snprintf(text, 32, "%.6g\u00b0%s", fabs(around), side);
    return text;
}

const char *xta__picture_integer_text(int64_t value, char text[32])
{
    char plain[28];
    snprintf(plain, sizeof plain, "%" PRId64, value);
    true_minus(plain, text);
    return text;
}

const char *xta__picture_count_text(uint64_t count, char text[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *end = text;
    for (int k = 0; k < n; k++) {
        if (k > 0 && (n - k) % 3 == 0 && n > 4) {
            *end++ = ' ';
        }
        *end++ = digits[k];
    }
    *end = '\0';
    return text;
}

const char *xta__picture_unit_text(const char *unit)
{
    static const char *const pretty[][2] = {
        {"degree_C", "\u00b0C"},
        {"degree_Celsius", "\u00b0C"},
        {"degrees_Celsius", "\u00b0C"},
        {"degC", "\u00b0C"},
        {"celsius", "\u00b0C"},
        {"Celsius", "\u00b0C"},
        {"degrees_C", "\u00b0C"},
        {"degC.", "\u00b0C"},
        {"degrees_north", "\u00b0N"},
        {"degree_north", "\u00b0N"},
        {"degrees_east", "\u00b0E"},
        {"degree_east", "\u00b0E"},
        {"degrees", "\u00b0"},
        {"degree", "\u00b0"},
        {"um", "\u00b5m"},
        {"micrometers", "\u00b5m"},
        {"micrometer", "\u00b5m"},
        {"Micrometers", "\u00b5m"},
        {"nanometers", "nm"},
        {"Nanometers", "nm"},
        {"m s-1", "m/s"},
        {"m s**-1", "m/s"},
        {"m2 s-2", "m\u00b2/s\u00b2"},
        {"m**2 s**-2", "m\u00b2/s\u00b2"},
        {"1", ""},
    };
    for (size_t k = 0; k < sizeof pretty / sizeof pretty[0]; k++) {
        if (strcmp(unit, pretty[k][0]) == 0) {
            return pretty[k][1];
        }
    }
    return unit;
}
