/* Ticks at dates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_DRAWING_DATE_TICKS_H
#define XTA_PICTURE_DRAWING_DATE_TICKS_H

#include "drawing/number_text.h"

/* At most `most` ticks between two values of a time unit (in either order): at the beginnings of
 * years, months, days, hours, minutes or seconds, or of 2, 5 and so on of them. There are none
 * where the values are no dates; then ticks->n is 0. */
void xta__picture_date_ticks(const xta_time_unit *unit, double low, double high, int most,
                             picture_ticks *ticks);

#endif
