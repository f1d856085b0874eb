/* The lock of a structural change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CHANGE_LOCK_H
#define XTA_ARRAY_HANDLE_CHANGE_LOCK_H

#include "array/state/open_array.h"

/* Acquire the lock of the array and that of its journal, and read all changes of others. On failure
 * no lock is held. */
xta_status xta__change_begin(xta_array *array, xta_error *err);

/* The same, waiting at most `patience_ms` for another process. */
xta_status xta__change_begin_within(xta_array *array, unsigned patience_ms, xta_error *err);
void xta__change_end(xta_array *array);

#endif
