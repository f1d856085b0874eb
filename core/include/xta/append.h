/** @file
 * Appending a slab that does not fit into memory: its cells are written in pieces. Appending to
 * several arrays in one step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_APPEND_H
#define XTA_APPEND_H

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An append in progress. Valid during the call of the function that receives it. */
typedef struct xta_appending xta_appending;

/** The function that writes the cells of an append, piece by piece, with xta_append_write.
 *
 * It may read the array with other functions of the same handle, and write cells within the bounds;
 * functions that change the structure fail with XTA_ESTATE, and closing is not allowed.
 *
 * @param[in]  user      as given to xta_array_append_from
 * @param[in]  appending to pass to xta_append_write
 * @param[in]  slab      the cells to append, in the coordinates that they will have
 * @param[out] err       the caller's; NULL if the caller gave none
 * @return     any status but XTA_OK ends the append: nothing has changed
 */
typedef xta_status (*xta_append_fn)(void *user, xta_appending *appending, const xta_box *slab,
                                    xta_error *err);

/** Append a slab whose cells are written in pieces, when it does not fit into memory.
 *
 * As with xta_array_append the bounds are published only after all cells are written: a process
 * that refreshes sees the whole slab or none of it, and after a kill none of it is in the array.
 * Cells that no piece wrote have the fill value.
 *
 * @param[in]  array  writable
 * @param[in]  growth axis, side and cells
 * @param[in]  fn     called once, unless no cells are to be added
 * @param[in]  user   passed to fn
 * @param[out] after  the bounds after this step; NULL if not wanted
 * @param[out] err    why it failed; NULL if not wanted
 * @retval XTA_EBOX   another process has changed other axes meanwhile; nothing has changed
 * @return     otherwise the status of fn, if not XTA_OK
 * @par Cost
 * The structural lock is held until fn returns. Others that change the structure, or open the array
 * for writing, wait for it; so fn must do neither through another handle. Other threads that use
 * this handle may have to wait even to read. Reading and writing cells through another handle is
 * not affected.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_append_from(xta_array *array, const xta_growth *growth,
                                                        xta_append_fn fn, void *user,
                                                        xta_box *after, xta_error *err);

/** Write a piece of an append.
 *
 * @param[in]  appending what fn was called with
 * @param[in]  box       the piece, within the slab
 * @param[in]  options   memory type, order, strides (no step); NULL: array's type, row-major
 * @param[in]  cells     as for xta_array_write
 * @param[out] err       why it failed; NULL if not wanted
 * @retval XTA_EBOX      the box is not within the slab
 */
XTA_API XTA_MUST_CHECK xta_status xta_append_write(xta_appending *appending, const xta_box *box,
                                                   const xta_io_options *options, const void *cells,
                                                   xta_error *err);

/** One array of a step that extends several: its growths, and perhaps the cells of its new slab.
 * They are in memory, or a function writes them in pieces, or there are none: then the new cells
 * have the fill value. */
typedef struct xta_append_member {
    xta_array *array;
    const xta_growth *growths;
    int n_growths;
    const xta_io_options *options; /* of `cells`, as for xta_array_append */
    const void *cells;             /* as for xta_array_append; NULL: none in memory */
    xta_append_fn fn;              /* as for xta_array_append_from; NULL: no function */
    void *user;                    /* passed to fn */
} xta_append_member;

/** Extend several arrays that share an axis in one step, some or all of them with their cells:
 * either all of them have grown and have these cells, for all processes and also after a kill or a
 * power loss, or none has grown.
 *
 * As xta_arrays_extend, which has the rest of the contract; and as xta_array_append and
 * xta_array_append_from for each array that brings cells. Such an array grows on one axis and one
 * side: exactly one of its growths is by more than 0 cells. (If none is, its cells are not read and
 * fn is not called.) Cells are written in the order in which the arrays are given.
 *
 * While a function writes cells, functions that change the structure of any array of the step fail
 * with XTA_ESTATE. It may read and write cells within the bounds of all of them.
 *
 * @param[in]  members   no array twice; memory arrays are allowed
 * @param[in]  n_arrays  1 to 8192
 * @param[out] after     n_arrays bounds, in the order given; NULL if not wanted
 * @param[out] err       why it failed; NULL if not wanted
 * @retval XTA_EARG      as for xta_arrays_extend; or an array has both cells and fn, or it brings
 *                       cells and grows on several axes or sides
 * @retval XTA_EBOX      another process has changed other axes of an array that brings cells
 * @retval XTA_ERANGE    a value does not fit the type of its array
 * @return otherwise the status of the fn that failed, or the other errors of xta_arrays_extend. No
 *         array has changed, whatever the error
 * @par Cost
 * The locks of all arrays are held until all cells are written and durable: others that change the
 * structure of one of the arrays, or open it for writing, wait. For each array that brings cells
 * one short record and one fdatasync of its data file are added to the cost of xta_arrays_extend.
 */
XTA_API XTA_MUST_CHECK xta_status xta_arrays_append(const xta_append_member members[], int n_arrays,
                                                    xta_box after[], xta_error *err);

#ifdef __cplusplus
}
#endif

#endif
