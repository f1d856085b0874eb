/* The partial sums of one item.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_ITEM_H
#define XTA_REDUCE_REDUCTION_ITEM_H

#include "reduction/item_memory.h"
#include "reduction/shared_bands.h"

/* Compute an item. */
xta_status xta__item_compute(const xta__reduction *r, const xta__item *item,
                             const xta__partial *partial, xta__item_memory *memory, xta_error *err);

/* ---- one item by several threads; it has two or more reduced axes ---- */

/* How many bands it has. */
size_t xta__item_bands(const xta__reduction *r, const xta__item *item);

/* The partial sums of no cell; before the threads begin. */
void xta__item_begin(const xta__reduction *r, const xta__partial *partial);

/* Compute bands until none is left. Each thread needs the bytes of the partial sums besides its
 * memory. After a failure the other threads stop, and the partial sums are of no use. */
xta_status xta__item_compute_share(const xta__reduction *r, const xta__item *item,
                                   const xta__partial *partial, xta__shared_bands *bands,
                                   xta__item_memory *memory, xta_error *err);

#endif
