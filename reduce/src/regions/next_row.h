/* Private header: stepping through the rows of a box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_NEXT_ROW_H
#define XTA_REDUCE_NEXT_ROW_H

#include <xta/box.h>

/* Step to the next coordinate of a box, the last axis fastest, leaving out the axis `skip` (-1:
 * none); false after the last. */
static inline bool xta__next_row(const xta_box *box, int skip, int64_t at[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (axis == skip) {
            continue;
        }
        if (++at[axis] < box->hi[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

#endif
