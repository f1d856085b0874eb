/* The partial sums of one item.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_ITEM_H
#define XTA_REDUCE_REDUCTION_ITEM_H

#include "reduction/item_memory.h"

/* Compute an item. */
xta_status xta__item_compute(const xta__reduction *r, const xta__item *item,
                             const xta__partial *partial, xta__item_memory *memory, xta_error *err);

#endif
