/** @file
 * Cells selected by label: `time=2015-01:2015-03,lat=40:50,lon=12.5~`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SELECT_H
#define XTA_SELECT_H

#include <stdbool.h>
#include <stddef.h>
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
    bool named[XTA_MAX_NDIM]; /**< whether the text names the axis */
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
 * @retval XTA_EUNSUPPORTED  this build has no UDUNITS, or it cannot be loaded, and a unit needs it
 * @retval XTA_EBOX   coordinates are not monotonic, where that is needed (ranges, nearest)
 * @par Cost
 * O(log n) for each label after the coordinates have been read. */
XTA_API XTA_MUST_CHECK xta_status xta_box_select(xta_array *array, const char *text,
                                                 xta_selection *out, xta_error *err);
XTA_API void xta_selection_clear(xta_selection *selection);

/** Bytes of the name of an axis in a selection, its zero included. */
#define XTA_SELECTION_AXIS_BYTES 256

/** Read the first `AXIS=LABELS` of a selection, for callers that select on some axes alone, such as
 * those that a member of a data set has.
 *
 * @param[in]  text  zero-terminated
 * @param[out] axis  its name
 * @param[out] n     bytes of the entry, without the comma behind it
 * @param[out] next  where the next entry begins; NULL: there is none
 * @param[out] err   why it failed
 * @retval XTA_EARG  not of the form that xta_box_select reads */
XTA_API XTA_MUST_CHECK xta_status xta_selection_entry(const char *text,
                                                      char axis[XTA_SELECTION_AXIS_BYTES],
                                                      size_t *n, const char **next, xta_error *err);

/** Whether a selection finds in the parts of an axis, one by one, what it finds in the whole axis:
 * labels and ranges do, lists, steps and `~` do not.
 *
 * @param[in]  text    one or more `AXIS=LABELS`
 * @param[out] splits  whether all of them do
 * @param[out] err     why it failed
 * @retval XTA_EARG    not of the form that xta_box_select reads */
XTA_API XTA_MUST_CHECK xta_status xta_selection_splits(const char *text, bool *splits,
                                                       xta_error *err);

/** An axis of something that is no array: of a file of another format. */
typedef struct xta_labelled_axis {
    const char *path; /**< of the file, for errors */
    const char *name; /**< of the axis, for errors */
    int64_t lo, hi;   /**< its cells */
    /** Type of the coordinates: numbers; XTA_BYTES, names of `cell_bytes` bytes, padded with zeros;
     * XTA_TEXT, a name on each line */
    xta_type type;
    size_t cell_bytes;    /**< of XTA_BYTES */
    const void *values;   /**< hi - lo coordinates, native-endian; NULL: it has none */
    size_t text_bytes;    /**< of XTA_TEXT: of all names */
    const char *unit;     /**< of the coordinates; NULL: none */
    const char *calendar; /**< NULL: the standard one */
} xta_labelled_axis;

/** Select cells of an axis whose coordinates are given, as xta_box_select does.
 *
 * @param[in]  axis  read during the call
 * @param[in]  text  one `AXIS=LABELS`; the name there is the caller's matter
 * @param[out] out   of one axis, for xta_selection_clear; zeros on failure
 * @param[out] err   why it failed
 * @retval XTA_ETYPE coordinates are complex numbers
 * @return otherwise as xta_box_select */
XTA_API XTA_MUST_CHECK xta_status xta_labels_select(const xta_labelled_axis *axis, const char *text,
                                                    xta_selection *out, xta_error *err);

/** Whether the cells of an axis follow each other: no step, and no list but of ascending
 * neighbours. */
XTA_API bool xta_selection_is_box(const xta_selection *selection, int axis);

/** A new array in memory that has the selected cells, in their order.
 *
 * Axes of which a part is selected are numbered from 0; the others keep their cells. Names, units,
 * attributes and coordinates come along: regular ones with another origin and step if they have
 * exactly the same values, else listed. Attributes that list an item for each cell of an axis
 * (`wavelength` and so on) have those of the cells.
 *
 * @param[in]  array       any array
 * @param[in]  selection   of it
 * @param[in]  most_bytes  refuse more cells than this; 0: no limit
 * @param[out] out         writable, in memory, the caller's
 * @param[out] err         why it failed
 * @retval XTA_EBOX    cells beyond the bounds
 * @retval XTA_ENOMEM  more than `most_bytes`, or no memory
 * @par Cost
 * Each selected cell is read once; on each axis cells at equal distances are one read. */
XTA_API XTA_MUST_CHECK xta_status xta_array_select(xta_array *array, const xta_selection *selection,
                                                   uint64_t most_bytes, xta_array **out,
                                                   xta_error *err);

/** Give an axis the coordinates of cells of another array's axis, with their unit and
 * calendar.
 *
 * For a copy of a member of a data set, which has none of its own. An axis that has the same
 * coordinates already is not changed, and none are given if the other one has none for all of its
 * cells.
 *
 * @param[in]  from       any array
 * @param[in]  from_axis  of it
 * @param[in]  selection  of its cells, as many on this axis as `to` has; NULL: those with the same
 *                        numbers
 * @param[in]  to         writable
 * @param[in]  to_axis    of it
 * @param[out] err        why it failed
 * @retval XTA_EBOX       `to` has other cells */
XTA_API XTA_MUST_CHECK xta_status xta_coordinates_copy(xta_array *from, int from_axis,
                                                       const xta_selection *selection,
                                                       xta_array *to, int to_axis, xta_error *err);

#ifdef __cplusplus
}
#endif

#endif
