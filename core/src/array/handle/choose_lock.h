/* Which lock a handle takes: that of the system, or a lock file besides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CHOOSE_LOCK_H
#define XTA_ARRAY_HANDLE_CHOOSE_LOCK_H

#include "array/state/open_array.h"

/* Decide which lock the handle takes, by the option and by the variables XTA_LOCK and
 * XTA_LOCK_WAIT. XTA_EARG: they make no sense. */
xta_status xta__choose_lock(xta_array *array, xta_locking wanted, xta_error *err);

/* XTA_EUNSUPPORTED if the handle takes lock files: for what needs locks on bytes. `what` is a noun,
 * for the message. */
xta_status xta__refuse_by_lock_file(const xta_array *array, const char *what, xta_error *err);

#endif
