/* Which cells of a chunk cache may still be written after others have changed the structure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_WRITE_GUARD_H
#define XTA_ARRAY_HANDLE_WRITE_GUARD_H

#include "array/state/open_array.h"

/* Guard the chunk cache of the array, if it has one and is writable. The state is current. */
xta_status xta__guard_new(xta_array *array, xta_error *err);
void xta__guard_free(xta_array *array);

/* The handle has read its journal to the end: writes deferred from now on belong to the current
 * structure. */
void xta__guard_settle(xta_array *array);

/* Between enter (called after catching up) and leave, nobody else changes the structure. */
void xta__guard_enter(xta_array *array);
void xta__guard_leave(xta_array *array);

/* In between: cells of `box` (NULL: all) may be written although they lie outside the bounds. */
void xta__guard_widen(xta_array *array, const xta_box *box);

/* Wait for write-backs of other handles that may not have seen the latest shrink. Must be called
 * before cells that a shrink removed become new cells. */
xta_status xta__guard_wait_for_others(xta_array *array, xta_error *err);

/* In a child process: forget what belongs to the parent. */
void xta__guard_disown(xta_array *array);

/* Write the cells whose writing was deferred, if there are any. */
xta_status xta__flush(xta_array *array, xta_error *err);

#endif
