/* Cells of one axis of a selection, one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_SELECT_SELECTED_CELLS_H
#define XTA_SELECT_SELECTED_CELLS_H

#include <xta/select.h>

/* How many cells of an axis are selected. */
static inline int64_t xta__selected_count(const xta_selection *s, int axis)
{
    return s->list[axis] != NULL ? s->n_list[axis]
           : s->box.hi[axis] <= s->box.lo[axis]
               ? 0
               : (s->box.hi[axis] - s->box.lo[axis] - 1) / s->step[axis] + 1;
}

/* Cell number k of them. */
static inline int64_t xta__selected_cell(const xta_selection *s, int axis, int64_t k)
{
    return s->list[axis] != NULL ? s->list[axis][k] : s->box.lo[axis] + k * s->step[axis];
}

#endif
