/* An open array: its bounds, what others may have changed, its end.
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

/* Write back what this process holds, and forget what others may have changed: only where chunks
 * are cached, else nothing. Over several machines what was `written` is made durable as well: then
 * the server has it. */
xta_status xta__exchange(xta__disk *disk, bool written, xta_error *err);

#endif
