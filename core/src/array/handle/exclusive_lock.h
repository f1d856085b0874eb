/* Becoming the exclusive writer of an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_EXCLUSIVE_LOCK_H
#define XTA_ARRAY_HANDLE_EXCLUSIVE_LOCK_H

#include "array/state/open_array.h"

/* Keep the lock from here on until the array is closed. */
xta_status xta__become_exclusive_writer(xta_array *array, xta_error *err);

#endif
