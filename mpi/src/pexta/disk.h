/* An open array: its bounds, exchanging cells with other processes, and closing it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_DISK_H
#define XTA_PEXTA_DISK_H

#include "pexta/session.h"

/* Give all ranks the bounds of rank 0. Collective; `status` is this rank's so far, and the one
 * returned is agreed on. */
xta_status xta__share_bounds(xta__disk *disk, xta_status status, xta_error *err);

/* Close an array whose requests are complete. This rank's status: `so_far` if that is a failure. */
xta_status xta__close_disk(xta__disk *disk, xta_status so_far, xta_error *err);

/* Whether two handles are of the same array. */
bool xta__same_array(const xta__disk *a, const xta__disk *b);

/* Whether any handle of the array has a session cache. */
bool xta__is_cached(const xta__disk *disk);

/* Drop the cells of `box` from the session caches of all handles of the array. */
void xta__drop_cached(const xta__disk *disk, const xta_box *box);

/* Write back the chunks that this process has cached, and drop those that others may have changed;
 * does nothing if chunks are not cached. On several machines cells that were `written` are also
 * made durable, so that the file server has them. */
xta_status xta__exchange(xta__disk *disk, bool written, xta_error *err);

#endif
