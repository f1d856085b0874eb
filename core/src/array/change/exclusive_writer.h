/* Growing without system calls, for a handle that keeps the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_EXCLUSIVE_WRITER_H
#define XTA_ARRAY_CHANGE_EXCLUSIVE_WRITER_H

#include "array/state/open_array.h"

/* One growth of an exclusive writer that has reserved everything it needs, so that nothing can
 * fail. False: something is not reserved, and nothing was done. */
bool xta__extend_exclusively(xta_array *array, const xta_growth *growth, xta_box *after);

#endif
