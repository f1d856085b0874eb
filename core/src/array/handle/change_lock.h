/* The lock of a structural change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CHANGE_LOCK_H
#define XTA_ARRAY_HANDLE_CHANGE_LOCK_H

#include "array/state/open_array.h"

/* Take the locks for a change and read what others did. On failure no lock is held. */
xta_status xta__change_begin(xta_array *array, xta_error *err);

/* The same with other patience for a sole writer than usual. */
xta_status xta__change_begin_soon(xta_array *array, unsigned patience_ms, xta_error *err);
void xta__change_end(xta_array *array);

#endif
