/** @file
 * Cells selected by label: `time=2015-01:2015-03,lat=40:50,lon=12.5~`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SELECT_H
#define XTA_SELECT_H

#include <stdint.h>

#include <xta/coordinates.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The cells that labels select: on each axis every step-th cell of [lo, hi), or a list. */
typedef struct xta_selection {
    xta_box box;                /**< the least box that contains the cells */
    int64_t step[XTA_MAX_NDIM]; /**< 1: every cell */
    /** Cells in the order of the labels, if the axis was selected by a list, or if the cells of a
     * label do not follow each other; else NULL. Owned. */
    int64_t *list[XTA_MAX_NDIM];
    int64_t n_list[XTA_MAX_NDIM];
} xta_selection;

/** Select cells of an array by labels.
 *
 * The text is a list of `AXIS=LABELS`, separated by commas; axes that it does not name are taken
 * whole. An axis is named by its name or number. LABELS is
 *
 * - `A`: the cells whose coordinate is A. If A is a date, every cell within its period: `2015`,
 *   `2015-03` and `2015-03-01T12` are a year, a month and an hour;
 * - `A~`: the cell whose coordinate is nearest to A (of a period: to its beginning); the lower cell
 *   of two. `A~T`: not farther than T from it, in the unit of the coordinates, or in one that is
 *   given;
 * - `A:B`: every cell whose coordinate lies between A and B, both included, and so the whole period
 *   B. Either may be missing. On descending coordinates too, A is the lower one;
 * - `A:B:S`: every S-th cell of these, from the lowest cell on;
 * - `[A,B,...]`: the cells of each, as by `A` or `A~`, in this order.
 *
 * A label is
 *
 * - a date (`2015-03-01T12:30:00.5`, see xta_period_parse) if the unit of the coordinates is a time
 *   since a date. A time takes every `:dd` of two digits that it can;
 * - a number, optionally with a unit (`850hPa`). It is rounded to the type of the coordinates, so
 *   `12.1` finds a binary32 12.1; converted from another unit it stands for all numbers within
 *   2^-50 of it. Where there are dates, four digits alone are a year, and `2015.0` is a number;
 * - a name, in quotes (`"a, b"`, a quote inside is two) if it has one of `,:~]"`.
 *
 * An axis without coordinates takes cell numbers, in the same forms: `0:9` are ten cells.
 *
 * @param[in]  array  any array
 * @param[in]  text   zero-terminated
 * @param[out] out    for xta_selection_clear; zeros on failure
 * @param[out] err    why it failed; says which label
 * @retval XTA_EARG   not of this form, an axis given twice, a label that is not of the coordinates'
 *                    kind, or a unit that cannot be converted
 * @retval XTA_ENOENT no such axis, or no cell has the label; the text names the nearest
 * @retval XTA_EUNSUPPORTED  this build has no UDUNITS, and a unit needs it
 * @retval XTA_EBOX   coordinates are not monotonic, where that is needed (ranges, nearest)
 * @par Cost
 * O(log n) for each label after the coordinates have been read. */
XTA_API XTA_MUST_CHECK xta_status xta_box_select(xta_array *array, const char *text,
                                                 xta_selection *out, xta_error *err);
XTA_API void xta_selection_clear(xta_selection *selection);

#ifdef __cplusplus
}
#endif

#endif
