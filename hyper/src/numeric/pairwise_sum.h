/* Sums whose bits do not depend on how they were made.
 *
 * Adding doubles in another order gives other last bits. The naive sum, from the first strip to the
 * last, therefore changes when a scene grows at its front, or when it is cut for other processes.
 *
 * Here strip k is leaf k of an endless binary tree. A node of level l and index i covers the strips
 * [i 2^l, (i + 1) 2^l), negative ones too, and its sums are always those of its left half plus
 * those of its right half. The sums over the strips [a, b) are kept as the fewest nodes that cover
 * them, from left to right. Which nodes these are depends on a and b alone, and so do all their
 * bits: no matter how the strips were distributed, whether they came at once or in pieces, at the
 * back or at the front.
 *
 * Strips that are not complete yet (level EDGE) stay apart: they are summed again when they have
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

/* Append a node, whose sums are then owned by `t`, and merge as far as possible. False if out of
 * memory; the sums are then freed. */
bool xta__pairwise_sum_append(pairwise_sum *t, sum_node node);
/* Move all nodes of `from` to the end of `into`; `from` is then empty. */
bool xta__pairwise_sum_move(pairwise_sum *into, pairwise_sum *from);
void xta__pairwise_sum_clear(pairwise_sum *t);

/* The strips [*first, *end) that complete nodes cover; if there are none, both are equal. */
void xta__pairwise_sum_whole_strips(const pairwise_sum *t, int64_t *first, int64_t *end);
/* All nodes added up from left to right. */
void xta__pairwise_sum_total(const pairwise_sum *t, uint64_t n[2], double *sums);

void xta__pairwise_sum_put(const pairwise_sum *t, blob *b);
/* Append nodes from bytes. False if the bytes are cut short or of another kind, or if out of
 * memory. */
bool xta__pairwise_sum_get(pairwise_sum *t, blob_reader *r);

#endif
