/* Which lock a handle uses: that of the system, or a lock file in addition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CHOOSE_LOCK_H
#define XTA_ARRAY_HANDLE_CHOOSE_LOCK_H

#include "array/state/open_array.h"

/* Decide which lock the handle called `name` uses, by the option and by the variables XTA_LOCK and
 * XTA_LOCK_WAIT. XTA_EARG: they are invalid. */
xta_status xta__choose_lock(const char *name, xta_locking wanted, xta__lock *lock, xta_error *err);

/* XTA_EUNSUPPORTED if the handle uses lock files: for operations that need byte locks. `what` is a
 * noun, for the message. */
xta_status xta__refuse_by_lock_file(const xta_array *array, const char *what, xta_error *err);

#endif
