/* Tick values, and numbers as text; pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_DRAWING_NUMBER_TEXT_H
#define XTA_PICTURE_DRAWING_NUMBER_TEXT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <xta/calendar.h>

#define PICTURE_TEXT_BYTES 160
#define PICTURE_MOST_TICKS 16

typedef struct picture_ticks {
    int n;
    double value[PICTURE_MOST_TICKS];
    int decimals; /* after division by 10^exponent */
    int exponent; /* 0 unless numbers are very large or very small */
    bool dated;   /* dates of this unit, written to this precision (xta__picture_date_ticks) */
    xta_time_unit time;
    int precision;
} picture_ticks;

/* At most `most` round values between `low` and `high` (in either order), at least `finest` apart.
 */
void xta__picture_ticks(double low, double high, int most, double finest, picture_ticks *ticks);
/* The same for degrees: multiples of 90, 45, 30, 15, 10, 5 and so on. */
void xta__picture_degree_ticks(double low, double high, int most, picture_ticks *ticks);
/* Write the numbers of ticks in full up to ten million: coordinates are compared digit by digit. */
void xta__picture_ticks_in_full(picture_ticks *ticks);
/* The same for a scale of log(1 + value): 0, 1, 2, 5, 10 and so on. */
void xta__picture_count_ticks(double low, double high, int most, picture_ticks *ticks);
/* A value of a time unit as a date, with a blank before the time; an xta_precision. */
void xta__picture_date_text(const xta_time_unit *unit, double value, int precision, char text[32]);
void xta__picture_tick_text(const picture_ticks *ticks, int k, char text[32]);
/* A number with about four digits, a true minus sign, and no needless zeros. */
const char *xta__picture_number_text(double value, char text[32]);
/* A coordinate: up to ten digits. */
const char *xta__picture_value_text(double value, char text[32]);
/* "40°N": a latitude, or a longitude (any multiple of 360 may be added). */
const char *xta__picture_degree_text(double value, bool latitude, char text[32]);
const char *xta__picture_integer_text(int64_t value, char text[32]);
/* Write `count` with thin spaces between groups of three digits. */
const char *xta__picture_count_text(uint64_t count, char text[32]);
/* "degree_C" becomes a degree sign and C, and so on; other units stay as they are. */
const char *xta__picture_unit_text(const char *unit);

/* The value on the drawn scale: the value itself, or log(1 + value). */
static inline double xta__picture_scaled(bool log_counts, double value)
{
    return log_counts ? log1p(fmax(value, 0)) : value;
}

#endif
