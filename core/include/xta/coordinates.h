/** @file
 * Coordinates of the cells of an axis: numbers such as hours, latitudes, wavelengths.
 *
 * They are regular (computed from an origin and a step, for every cell and on either side, without
 * storage) or listed (one value for each cell).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_COORDINATES_H
#define XTA_COORDINATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A number of a coordinate: `i` if its type is an integer, `f` if it is XTA_F32 or XTA_F64. */
typedef union xta_coordinate {
    int64_t i;
    double f;
} xta_coordinate;

/** Regular coordinates: that of cell `c` is origin + c * step.
 *
 * Integers are exact. Floating-point numbers are one product and one sum in binary64, each rounded,
 * never fused; XTA_F32 is rounded once more. So every machine computes the same bits. */
typedef struct xta_regular {
    xta_type type; /**< XTA_F32, XTA_F64, or an integer of up to 64 bits except XTA_U64 */
    xta_coordinate origin;
    xta_coordinate step; /**< not 0 */
} xta_regular;

/** Check regular coordinates for the cells [lo, hi): type, a finite origin, a finite step other
 * than 0, no value out of the range of the type, no two neighbours that are equal after rounding.
 * @param[in]  regular  to check
 * @param[in]  lo       the first cell
 * @param[in]  hi       the cell after the last
 * @param[out] err      why not
 * @retval XTA_EARG     type, origin or step
 * @retval XTA_ERANGE   a value is out of range, or two are equal */
XTA_API XTA_MUST_CHECK xta_status xta_regular_check(const xta_regular *regular, int64_t lo,
                                                    int64_t hi, xta_error *err);

/** The coordinate of one cell, as a number of `regular->type`. */
XTA_API xta_coordinate xta_regular_at(const xta_regular *regular, int64_t cell);

/** The coordinates of the cells [lo, hi) as an array of `regular->type`. */
XTA_API void xta_regular_values(const xta_regular *regular, int64_t lo, int64_t hi, void *values);

/** Whether values are regular: find origin and step with which each value has exactly its bits.
 *
 * @param[in]  type     of the values, as in xta_regular
 * @param[in]  values   `n` of them, native-endian
 * @param[in]  n        at least 2
 * @param[in]  lo       the cell of the first value
 * @param[out] regular  untouched if there are none
 * @return whether they are regular
 * @par Cost
 * O(n). Of floating-point values the step may be any of a few candidates near the mean difference,
 * and the origin any near the first value: values that were computed otherwise than by one product
 * and one sum are not found to be regular, and are listed then. */
XTA_API bool xta_regular_detect(xta_type type, const void *values, int64_t n, int64_t lo,
                                xta_regular *regular);

/** Give an axis of an array regular coordinates, or remove them. They are kept in the attribute
 * `values//regular`; listed coordinates of the axis (`values`) are removed.
 * @param[in]  array    writable
 * @param[in]  axis     0 .. ndim - 1
 * @param[in]  regular  NULL: remove
 * @param[out] err      why it failed
 * @retval XTA_EARG     no such axis, or as xta_regular_check
 * @retval XTA_ERANGE   as xta_regular_check, for the bounds of the array */
XTA_API XTA_MUST_CHECK xta_status xta_axis_set_regular(xta_array *array, int axis,
                                                       const xta_regular *regular, xta_error *err);

/** The regular coordinates of an axis.
 * @retval XTA_ENOENT    it has none
 * @retval XTA_ECORRUPT  its attribute `values//regular` cannot be used */
XTA_API XTA_MUST_CHECK xta_status xta_axis_regular(xta_array *array, int axis, xta_regular *regular,
                                                   xta_error *err);

/** What the coordinates of an axis are. */
typedef enum xta_coordinates_kind {
    XTA_COORDINATES_REGULAR = 1,
    XTA_COORDINATES_LISTED = 2, /**< numbers */
    XTA_COORDINATES_NAMES = 3   /**< text, one name for each cell */
} xta_coordinates_kind;

/** The coordinates of the cells of an axis, in memory. Opaque. */
typedef struct xta_coordinates xta_coordinates;

/** Read the coordinates of the cells within the bounds.
 *
 * If the array is a member of a data set, those of its dimension; else, or if that has none, the
 * regular ones of the axis, or the list in its attribute `values`.
 *
 * @param[in]  array  any array
 * @param[in]  axis   0 .. ndim - 1
 * @param[out] out    the caller's, for xta_coordinates_free; NULL on failure
 * @param[out] err    why it failed
 * @retval XTA_ENOENT the axis has no coordinates
 * @retval XTA_EBOX   the list does not cover the bounds; the text says which cells lack one
 * @par Cost
 * Regular: none. Listed: one read of the list. */
XTA_API XTA_MUST_CHECK xta_status xta_coordinates_read(xta_array *array, int axis,
                                                       xta_coordinates **out, xta_error *err);
XTA_API void xta_coordinates_free(xta_coordinates *coordinates);

XTA_API xta_coordinates_kind xta_coordinates_kind_of(const xta_coordinates *coordinates);

/** Type of the numbers; XTA_TEXT for names. */
XTA_API xta_type xta_coordinates_type(const xta_coordinates *coordinates);

/** First cell, and the one after the last. */
XTA_API int64_t xta_coordinates_lo(const xta_coordinates *coordinates);
XTA_API int64_t xta_coordinates_hi(const xta_coordinates *coordinates);

/** The unit as it is written ("days since 1950-01-01", "degrees_north"); "": none. Borrowed. */
XTA_API const char *xta_coordinates_unit(const xta_coordinates *coordinates);

/** The calendar as it is written ("noleap"); "": none. Borrowed. */
XTA_API const char *xta_coordinates_calendar(const xta_coordinates *coordinates);

/** The number of a cell, rounded to binary64; NaN for names and beyond lo, hi. */
XTA_API double xta_coordinates_at(const xta_coordinates *coordinates, int64_t cell);

/** The numbers of the cells [lo, hi), which lie within those of the coordinates, as an array of
 * their type. Nothing is done for names. Of u64, if one of them is beyond 2^63 - 1, all are rounded
 * to binary64.
 * @param[in]  coordinates  numbers
 * @param[in]  lo           the first cell
 * @param[in]  hi           the cell after the last
 * @param[out] values       hi - lo numbers of xta_coordinates_type */
XTA_API void xta_coordinates_values(const xta_coordinates *coordinates, int64_t lo, int64_t hi,
                                    void *values);

/** The name of a cell; NULL if these are numbers. Borrowed. */
XTA_API const char *xta_coordinates_name(const xta_coordinates *coordinates, int64_t cell);

/** 1: strictly ascending, -1: strictly descending, 0: neither (or names). One cell: 1. */
XTA_API int xta_coordinates_direction(const xta_coordinates *coordinates);

#ifdef __cplusplus
}
#endif

#endif
