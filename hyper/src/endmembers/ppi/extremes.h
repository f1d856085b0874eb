/* The extremes of skewer k: number 2 k is the greatest projection, 2 k + 1 the least with its sign
 * changed, so that larger is always more extreme.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_EXTREMES_H
#define XTA_HYPER_ENDMEMBERS_PPI_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>

#include "endmembers/pixels/winner.h"
#include "state/blob.h"

/* Pixels near an extreme. */
typedef struct near_list {
    winner *pixels;
    size_t n, capacity;
    size_t swept; // how many were left when it was last pruned
} near_list;

/* What is known of each skewer: extremes 2 k (greatest) and 2 k + 1 (least, with its sign changed,
 * so that larger is always more extreme). */
typedef struct ppi_extremes {
    size_t n_skewers;
    winner *extremes; // 2 n_skewers
    near_list *near;  // 2 n_skewers; NULL without a threshold
} ppi_extremes;

xta_status xta__extremes_init(ppi_extremes *known, size_t n_skewers, bool near, xta_error *err);
void xta__extremes_clear(ppi_extremes *known);
xta_status xta__extremes_copy(ppi_extremes *into, const ppi_extremes *from, xta_error *err);
/* Add a pixel to a list; false if out of memory. */
bool xta__near_add(near_list *list, const winner *w);
/* Remove the pixels below `least`. */
void xta__near_sweep(near_list *list, double least);
/* Merge `from` into `into`; `margin` is threshold times length, for each skewer. */
xta_status xta__extremes_merge(ppi_extremes *into, const ppi_extremes *from, const double *margin,
                               xta_error *err);
/* Sort the lists, and remove pixels that are repeated or too far from the extremes. */
void xta__extremes_tidy(ppi_extremes *known, const double *margin);
void xta__extremes_put(const ppi_extremes *known, blob *b);
/* False if the bytes are not those of n_skewers skewers, or if out of memory. */
bool xta__extremes_get(ppi_extremes *known, size_t n_skewers, bool near, blob_reader *r);

#endif
