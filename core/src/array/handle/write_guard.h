/* Which cells of a chunk cache may still be written after others have changed the structure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_WRITE_GUARD_H
#define XTA_ARRAY_HANDLE_WRITE_GUARD_H

#include "array/state/open_array.h"

/* Put a guard over the array's chunk cache, if it has one and may write. The state is current. */
xta_status xta__guard_new(xta_array *array, xta_error *err);
void xta__guard_free(xta_array *array);

/* The handle has taken up everything up to the end of its journal: what is deferred from here on
 * belongs to the structure of now. */
void xta__guard_settle(xta_array *array);

/* From enter, which follows catching up, to leave nobody else changes the structure. */
void xta__guard_enter(xta_array *array);
void xta__guard_leave(xta_array *array);

/* In between: cells of `box` (NULL: any) may be written although they lie outside the bounds. */
void xta__guard_widen(xta_array *array, const xta_box *box);

/* Wait for write-backs of other handles that are under way and have not seen the shrinks so far.
 * To be called before cells that were taken away are brought back as new ones. */
xta_status xta__guard_wait_for_others(xta_array *array, xta_error *err);

/* In a child: nothing of the parent's is to be touched. */
void xta__guard_disown(xta_array *array);

/* Write what is deferred, if anything. */
xta_status xta__flush(xta_array *array, xta_error *err);

#endif
