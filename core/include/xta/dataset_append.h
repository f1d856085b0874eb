/** @file
 * Data sets grow with their cells and coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_DATASET_APPEND_H
#define XTA_DATASET_APPEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/append.h>
#include <xta/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Coordinates of cells that come, in their order. */
typedef struct xta_new_coordinates {
    int64_t n;
    xta_type type;        /**< an integer, XTA_F32, XTA_F64, or XTA_BYTES: names */
    size_t cell_bytes;    /**< of XTA_BYTES: bytes of a name, padded with zeros; else unused */
    const void *values;   /**< n, native-endian */
    const char *unit;     /**< as in CF ("days since 1950-01-01"); NULL: that of the dimension */
    const char *calendar; /**< as in CF; NULL: that of the dimension */
    /** The member that lists them, with this one dimension, if it is an auxiliary coordinate; NULL:
     * the coordinates of the dimension itself */
    const char *member;
} xta_new_coordinates;

/** Where coordinates belong. */
typedef struct xta_cell_range {
    int64_t lo, hi; /**< the cells; they may lie within the bounds of the dimension or beyond */
    bool regular;   /**< the regular coordinates of the dimension have exactly these values there */
} xta_cell_range;

/** Find the cells that have given coordinates, or would have them.
 *
 * Values are converted to the unit, calendar and type of the dimension. They must be in its order,
 * ascending or descending. If its coordinates are regular and have these values, the cells are
 * those, with or without a gap to the bounds. Otherwise they are behind the last cell or before the
 * first, next to it, or they are cells with equal coordinates.
 *
 * @param[in]  set          any data set
 * @param[in]  dimension    its name
 * @param[in]  coordinates  at least one
 * @param[out] placement    untouched on failure
 * @param[out] err          why it failed; names the first value that is wrong
 * @retval XTA_ENOENT       no such dimension or member, or it has no coordinates
 * @retval XTA_EARG         values are not strictly ascending or descending, or not in the direction
 *                          of the dimension; another calendar; a unit that cannot be converted
 * @retval XTA_ERANGE       a value cannot be represented in the type of the dimension
 * @retval XTA_EBOX         a value lies between two cells, or cells between the first and the last
 *                          value have coordinates that are not given
 * @par Cost
 * Listed coordinates are read, once. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_place(xta_dataset *set, const char *dimension,
                                                    const xta_new_coordinates *coordinates,
                                                    xta_cell_range *placement, xta_error *err);

/** The cells that one member gets: in memory, or from a function (xta_append_member). */
typedef struct xta_member_cells {
    const char *member;
    const xta_io_options *options; /**< of `cells`; NULL: the type of the member, row-major */
    /** The new slab of the member; NULL: none in memory. The lengths of the other axes are those of
     * this handle: if another process has changed them, nothing is appended (XTA_EBOX) */
    const void *cells;
    xta_append_fn fn; /**< NULL: no function. It must not use the data set */
    void *user;       /**< passed to fn */
} xta_member_cells;

/** A slab of cells behind the last cell or before the first of a dimension. */
typedef struct xta_dataset_slab {
    const char *dimension;
    xta_side side;
    int64_t by;                             /**< cells, at least 1 */
    const xta_new_coordinates *coordinates; /**< `by` of them; NULL: the dimension has none, or its
                                                 regular coordinates go on */
    const xta_member_cells *cells;          /**< of members that have the dimension */
    size_t n_cells;                         /**< other members get their fill values */
} xta_dataset_slab;

/** Append a slab to all members that have a dimension: one step, as by xta_arrays_append. After a
 * failure, a kill or a loss of power all members have grown, with these cells and coordinates, or
 * none has.
 *
 * Regular coordinates that would have other values in these cells are kept as a list first (see
 * xta_dataset_list_coordinates). So an append concatenates; it never leaves a gap.
 *
 * If the coordinates are those of another member, they decide where the slab goes; coordinates of
 * the dimension itself are then kept as a list, and are given as cells.
 *
 * @param[in]  set    writable
 * @param[in]  slab   what is appended
 * @param[out] lo     the first of the new cells; NULL if not wanted
 * @param[out] err    why it failed; then no member has grown
 * @retval XTA_ENOENT no such dimension, or no such member
 * @retval XTA_EARG   a member does not have the dimension, is given twice, or is the list of
 *                    coordinates; or as for xta_dataset_place
 * @retval XTA_ESTATE the dimension has listed coordinates, and none are given
 * @retval XTA_EBOX   the coordinates do not lie on this side of all others; members disagree about
 *                    the bounds; or another process has changed other dimensions of a member that
 *                    brings cells in memory: refresh, and append a slab of the new shape
 * @retval XTA_ERANGE a value does not fit its type
 * @par Cost
 * That of xta_arrays_append, and one read of listed coordinates. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_append(xta_dataset *set, const xta_dataset_slab *slab,
                                                     int64_t *lo, xta_error *err);

/** Keep the regular coordinates of a dimension as a list: a new member of its name, with the same
 * values and with the attributes of the dimension. One step. Nothing is done if they are listed.
 *
 * @param[in]  set        writable
 * @param[in]  dimension  its name
 * @param[out] err        why it failed; then nothing has changed
 * @retval XTA_ENOENT     no such dimension, or it has no coordinates
 * @retval XTA_EARG       it has no cells, or a name that no member can have
 * @par Cost
 * One array of as many cells as the dimension has. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_list_coordinates(xta_dataset *set,
                                                               const char *dimension,
                                                               xta_error *err);

#ifdef __cplusplus
}
#endif

#endif
