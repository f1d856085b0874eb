/* The text of a date: ISO 8601, and the looser forms of reference dates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_LABELS_ISO_DATE_H
#define XTA_LABELS_ISO_DATE_H

#include <xta/calendar.h>

/* A date as it is written. Its numbers are those of the text: no calendar has checked them. */
typedef struct xta__iso_date {
    xta_date date;    /* 1 for a month or a day that is not given, 0 for what a time lacks */
    int precision;    /* an xta_precision, or a value between two */
    int zone_minutes; /* what the time is ahead of UTC */
} xta__iso_date;

/* Read as much of a text as is a date of ISO 8601: a year of four digits, or of more with a sign or
 * before a month; a time only after `T`. Returns the length, 0 if the text does not begin with a
 * date. */
size_t xta__iso_date_scan(const char *text, xta__iso_date *out);

/* Read all of a text as a reference date of CF: a year of any length, months and days of one digit,
 * a time after `T` or blanks, a zone. */
bool xta__reference_date_read(const char *text, xta__iso_date *out);

/* The instant of a date, in UTC. */
xta_status xta__iso_date_instant(xta_calendar calendar, const xta__iso_date *date,
                                 xta_instant *instant, xta_error *err);

/* The period of a date. */
xta_status xta__iso_date_period(xta_calendar calendar, const xta__iso_date *date,
                                xta_period *period, xta_error *err);

#endif
