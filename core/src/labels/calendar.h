/* Days of the calendars. The contract of calendars is in <xta/calendar.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_LABELS_CALENDAR_H
#define XTA_LABELS_CALENDAR_H

#include <xta/calendar.h>

#define XTA__DAY_US INT64_C(86400000000)

/* Whether the value is one of the enum. */
bool xta__is_calendar(xta_calendar calendar);

/* The year after `year`, which skips 0 where the calendar has none. */
int64_t xta__next_year(xta_calendar calendar, int64_t year);

/* The number of a day that the calendar has. The year may be one beyond XTA_MAX_YEAR. */
int64_t xta__day_number(xta_calendar calendar, int64_t year, int month, int day);

/* Carry microseconds to the day, so that they are those of a day. */
void xta__instant_normalize(xta_instant *instant);

/* An instant moved by microseconds; `*to` may be `from`. */
void xta__instant_add(const xta_instant *from, int64_t microseconds, xta_instant *to);

#endif
