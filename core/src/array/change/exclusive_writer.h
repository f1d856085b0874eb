/* Growing without asking the system for anything, for a handle that keeps the lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_EXCLUSIVE_WRITER_H
#define XTA_ARRAY_CHANGE_EXCLUSIVE_WRITER_H

#include "array/state/open_array.h"

/* One growth of a sole writer for which there is room everywhere, so that nothing of it can fail.
 * False: it is not so, and nothing was done. */
bool xta__extend_shortly(xta_array *array, const xta_growth *growth, xta_box *after);

#endif
