/* Setting boxes of cells to one value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_FILL_H
#define XTA_ARRAY_IO_FILL_H

#include "array/state/open_array.h"

/* Set the cells of a box to one value (NULL: the fill value). The box must have chunks, and may
 * leave the bounds. With the fill value, chunks whose cells within `whole` all lie in the box are
 * discarded, and chunks that hold nothing are skipped. The lock may be held. */
xta_status xta__fill_box(xta_array *array, const xta_box *box, const void *value,
                         const xta_box *whole, xta_error *err);

/* Set everything that is stored outside the bounds to the fill value; reads all chunks that hold
 * data. The locks are held. */
xta_status xta__scrub_outside(xta_array *array, xta_error *err);

#endif
