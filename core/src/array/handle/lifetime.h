/* The memory of a handle and its chunk store.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_LIFETIME_H
#define XTA_ARRAY_HANDLE_LIFETIME_H

#include "array/state/open_array.h"

/* What a cache may take if nothing else is said. */
#define XTA__CACHE_BYTES ((uint64_t)64 << 20)

/* An array with nothing in it, and its end; NULL where memory cannot be had, and allowed. */
xta_array *xta__new_array(void);
void xta__free_array(xta_array *array);

/* The state has been made or replaced: what get and put look at follows it. */
void xta__adopt_state(xta_array *array);

/* Open the data file and put a holder over it. `alone`: the journal is locked or new, so that the
 * file can be brought in order. */
xta_status xta__make_holder(xta_array *array, bool alone, xta_error *err);

#endif
