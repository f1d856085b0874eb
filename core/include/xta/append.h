/** @file
 * Appending a slab that does not fit into memory: its cells are written in pieces.
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

#ifdef __cplusplus
}
#endif

#endif
