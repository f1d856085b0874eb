/* Setting boxes of cells to one value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_FILL_H
#define XTA_ARRAY_IO_FILL_H

#include "array/state/open_array.h"

/* Set the cells of a box, which need not be within the bounds but within the allocated box, to one
 * value (NULL: fill). Chunks wholly inside are discarded if the value is fill; others that hold
 * nothing are passed over. `whole` are the cells that make a chunk whole: the bounds. The lock may
 * be held. */
xta_status xta__fill_box(xta_array *array, const xta_box *box, const void *value,
                         const xta_box *whole, xta_error *err);

/* Whatever is stored outside the bounds becomes fill: all chunks that hold data are looked at. The
 * locks are held. */
xta_status xta__scrub_outside(xta_array *array, xta_error *err);

#endif
