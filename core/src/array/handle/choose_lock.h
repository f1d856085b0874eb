/* Which lock a handle takes: that of the system, or a lock file besides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CHOOSE_LOCK_H
#define XTA_ARRAY_HANDLE_CHOOSE_LOCK_H

#include "array/state/open_array.h"

/* Which lock the handle takes. XTA_EARG: option or variables make no sense. */
xta_status xta__choose_lock(xta_array *array, xta_locking wanted, xta_error *err);

/* XTA_EUNSUPPORTED if it takes lock files: for what needs locks on bytes. */
xta_status xta__refuse_by_lock_file(const xta_array *array, const char *what, xta_error *err);

#endif
