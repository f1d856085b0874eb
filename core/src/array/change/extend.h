/* Growing an array by one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_EXTEND_H
#define XTA_ARRAY_CHANGE_EXTEND_H

#include "array/change/append_cells.h"
#include "array/state/open_array.h"

/* Grow by one step, with cells or (`with` NULL) without; the locks are held. On failure nothing has
 * changed. `after`: NULL if not wanted. */
xta_status xta__grow_with(xta_array *array, const xta_growth *growths, int n, const xta__slab *with,
                          xta_box *after, xta_error *err);

/* The same without cells. */
xta_status xta__grow(xta_array *array, const xta_growth *growths, int n, xta_box *after,
                     xta_error *err);

#endif
