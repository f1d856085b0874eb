/* The partial sums of all items of a piece, folded by the fixed tree.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_FOLD_H
#define XTA_REDUCE_REDUCTION_FOLD_H

#include "reduction/reduction.h"

/* What is folded: everything for the cells of a piece. Members are NULL where they are not
 * wanted. */
typedef struct xta__folded {
    double *sum;
    xta__exact *exact;
    uint64_t *excluded, *n_missing;
    uint8_t *least, *most;
    xta__moments *moments;
    int n_depths; // of memory for nodes, each a piece long
    double *node_sum;
    xta__moments *node_moments;
} xta__folded;

uint64_t xta__folded_bytes(const xta__reduction *r);
/* XTA_ENOMEM; to be cleared all the same. */
xta_status xta__folded_make(const xta__reduction *r, xta__folded *folded, xta_error *err);
void xta__folded_clear(xta__folded *folded);

/* Fold what one group has in a piece of n_kept cells. `partials`: of each run. */
void xta__fold_group(const xta__reduction *r, const xta__partial partials[], size_t n_kept,
                     size_t group, xta__folded *folded);

#endif
