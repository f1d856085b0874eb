/** @file
 * Appending a slab that does not fit into memory: its cells come in pieces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_APPEND_H
#define XTA_APPEND_H

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An append that is on its way. Lives as long as the call of the function it is handed to. */
typedef struct xta_appending xta_appending;

/** What brings the cells of an append, piece by piece, by xta_append_write.
 *
 * It may read the array by other functions of the same handle, and write cells within the bounds;
 * what changes the structure fails with XTA_ESTATE, and closing is not allowed.
 *
 * @param[in]  user      as given to xta_array_append_from
 * @param[in]  appending to hand to xta_append_write
 * @param[in]  slab      the cells that are appended, in coordinates that they will have
 * @param[out] err       of the caller; NULL if it did not give any
 * @return     anything but XTA_OK ends the append: nothing has changed
 */
typedef xta_status (*xta_append_fn)(void *user, xta_appending *appending, const xta_box *slab,
                                    xta_error *err);

/** Append a slab whose cells come in pieces: for one that does not fit into memory.
 *
 * As with xta_array_append the bounds are published only when all cells are in place: whoever
 * refreshes sees the whole slab or nothing of it, and after a kill there is nothing of it. Cells
 * that no piece brought have the fill value.
 *
 * @param[in]  array  writable
 * @param[in]  growth axis, side and cells
 * @param[in]  fn     called once, unless no cells are to be added
 * @param[in]  user   handed to fn
 * @param[out] after  the bounds after this step; NULL if not wanted
 * @param[out] err    why it failed; NULL if not wanted
 * @retval XTA_EBOX   another process has changed other axes meanwhile; nothing has changed
 * @return     else what fn answered, if not XTA_OK
 * @par Cost
 * The structural lock is held until fn returns. Others that change the structure, or open the array
 * for writing, wait for it; so fn must do neither by another handle. Other threads of this handle
 * may wait even to read. Whoever reads or writes cells by another handle is not disturbed.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_append_from(xta_array *array, const xta_growth *growth,
                                                        xta_append_fn fn, void *user,
                                                        xta_box *after, xta_error *err);

/** Bring a piece of an append.
 *
 * @param[in]  appending what fn was called with
 * @param[in]  box       the piece, within the slab
 * @param[in]  options   memory type, order, strides (no step); NULL: array's type, row-major
 * @param[in]  cells     as of xta_array_write
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
