/* Planning a reduction: checking what the caller wants, and cutting the work into items.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_PLAN_H
#define XTA_REDUCE_REDUCTION_PLAN_H

#include "reduction/reduction.h"

/* Check the options, and find axes and groups: all that the shape of the result depends on. To be
 * cleared after a failure as well. */
xta_status xta__reduction_begin(xta__reduction *r, xta_array *array,
                                const xta_reduce_options *options, xta_error *err);

/* Then, for these statistics, cut result and blocks into pieces and items. */
xta_status xta__reduction_cut(xta__reduction *r, const xta_reduce_statistic statistics[], int n,
                              xta_error *err);

void xta__reduction_clear(xta__reduction *r);

/* Bounds of the result: those of the kept axes and of the groups, in the order of the axes. */
xta_box xta__reduction_bounds(const xta__reduction *r);

/* The kept cells of piece number `k`, on the kept axes; the reduced ones have their bounds. */
xta_box xta__piece_box(const xta__reduction *r, uint64_t k);

/* The cells of a box on the kept axes. */
size_t xta__kept_cells(const xta__reduction *r, const xta_box *box);

/* Item number run of a piece: its cells and slots. */
void xta__item_of(const xta__reduction *r, uint64_t piece, uint64_t run, xta__item *item);

/* Bytes of the partial sums of an item with n = slots times cells; and where they are in `bytes`,
 * which is aligned to 16 bytes. */
size_t xta__partial_bytes(const xta__reduction *r, size_t n);
xta__partial xta__partial_at(const xta__reduction *r, size_t n, uint8_t *bytes);

/* Add what depends on no order: n cells of `from` from number `at` on, to the first ones of
 * `to`. */
void xta__partial_add_unordered(const xta__reduction *r, const xta__partial *to,
                                const xta__partial *from, size_t at, size_t n);

/* The name of the array in messages. */
const char *xta__reduction_name(const xta__reduction *r);

#endif
