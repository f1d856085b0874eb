/* Sums that do not depend on how they came about.
 *
 * Strip k is leaf k of an endless binary tree; a node of level l and index i covers the strips
 * [i 2^l, (i + 1) 2^l), negative ones too, and its sums are always those of its left half plus
 * those of its right half. The sums over strips [a, b) are kept as the fewest nodes that cover
 * them, from left to right. Which nodes these are depends on a and b alone, and so do all bits of
 * them: however the strips were cut into parts, and whether they came at once or in pieces, at the
 * back or at the front.
 *
 * Strips that are not whole yet (level EDGE) stay apart: they are summed again when they have
 * grown.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_NUMERIC_PAIRWISE_SUM_H
#define XTA_HYPER_NUMERIC_PAIRWISE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state/blob.h"

enum { EDGE = -1 };

typedef struct sum_node {
    int64_t level;
    int64_t index;
    uint64_t n[2]; // of pixels, of differences
    double *sums;  // owned
} sum_node;

typedef struct pairwise_sum {
    size_t n_sums; // of each node
    size_t n_nodes, capacity;
    sum_node *nodes;
} pairwise_sum;

/* Put a node behind the last one, which takes its sums over, and merge as far as it goes. False: no
 * memory; the sums are then freed. */
bool xta__pairwise_sum_append(pairwise_sum *t, sum_node node);
/* Move all nodes of `from` behind those of `into`; `from` is then empty. */
bool xta__pairwise_sum_move(pairwise_sum *into, pairwise_sum *from);
void xta__pairwise_sum_clear(pairwise_sum *t);

/* The strips [*first, *end) that whole nodes cover; none: equal. */
void xta__pairwise_sum_whole_strips(const pairwise_sum *t, int64_t *first, int64_t *end);
/* Take the edges away. */
void xta__pairwise_sum_drop_edges(pairwise_sum *t);
/* All nodes added up from left to right. */
void xta__pairwise_sum_total(const pairwise_sum *t, uint64_t n[2], double *sums);

void xta__pairwise_sum_put(const pairwise_sum *t, blob *b);
/* Append nodes from bytes; false: cut short, of another kind, or no memory. */
bool xta__pairwise_sum_get(pairwise_sum *t, blob_reader *r);

#endif
