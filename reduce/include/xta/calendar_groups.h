/** @file
 * Groups of the cells of an axis by the calendar of its coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_CALENDAR_GROUPS_H
#define XTA_CALENDAR_GROUPS_H

#include <stdint.h>

#include <xta/array.h>
#include <xta/calendar.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Groups of a calendar. Those up to XTA_BY_YEAR follow each other in time, and their labels count
 * them from the one of 2000-01-01; the others gather the same part of all years. */
typedef enum xta_calendar_group {
    XTA_BY_DAY = 1,
    XTA_BY_MONTH = 2,
    XTA_BY_SEASON = 3,        /**< DJF, MAM, JJA, SON; December belongs to the next year's DJF, and
                                   label 0 is the DJF of 2000 */
    XTA_BY_YEAR = 4,          /**< label 0 is 2000 */
    XTA_BY_MONTH_OF_YEAR = 5, /**< 1 to 12 */
    XTA_BY_SEASON_OF_YEAR = 6 /**< 1 (DJF) to 4 (SON) */
} xta_calendar_group;

/** The group of a name: day, month, season, year, month-of-year, season-of-year.
 * @retval XTA_EARG  no such group; the text lists them */
XTA_API XTA_MUST_CHECK xta_status xta_calendar_group_parse(const char *name, xta_calendar_group *by,
                                                           xta_error *err);

/** The label of an instant.
 * @retval XTA_ERANGE  as for xta_instant_to_date */
XTA_API XTA_MUST_CHECK xta_status xta_calendar_group_of(xta_calendar calendar,
                                                        xta_calendar_group by,
                                                        const xta_instant *instant, int64_t *label,
                                                        xta_error *err);

/** When a group begins: of the groups of all years, that of year 2000.
 * @retval XTA_ERANGE  beyond XTA_MAX_YEAR */
XTA_API XTA_MUST_CHECK xta_status xta_calendar_group_begin(xta_calendar calendar,
                                                           xta_calendar_group by, int64_t label,
                                                           xta_instant *begin, xta_error *err);

/** A label as text: "2014-03-01", "2014-03", "2014-DJF", "2014", "03", "DJF". */
XTA_API void xta_calendar_group_text(xta_calendar calendar, xta_calendar_group by, int64_t label,
                                     char text[XTA_DATE_TEXT_BYTES]);

/** The instants of the cells of an axis.
 *
 * @param[in]  array     any array
 * @param[in]  axis      0 .. ndim - 1; its coordinates are a time since a date
 * @param[out] unit      of the coordinates
 * @param[out] instants  one for each cell of the bounds; to be freed with free(); NULL on failure
 * @param[out] err       why it failed
 * @retval XTA_ENOENT    the axis has no coordinates
 * @retval XTA_EARG      they are no times, or of an unknown calendar; the text has their unit */
XTA_API XTA_MUST_CHECK xta_status xta_calendar_instants(xta_array *array, int axis,
                                                        xta_time_unit *unit, xta_instant **instants,
                                                        xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
