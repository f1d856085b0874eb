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

#include "hyper.h"

enum { EDGE = -1 };

typedef struct tree_node {
    int64_t level;
    int64_t index;
    uint64_t n[2]; // of pixels, of differences
    double *sums;  // owned
} tree_node;

typedef struct tree {
    size_t n_sums; // of each node
    size_t n_nodes, room;
    tree_node *nodes;
} tree;

/* Put a node behind the last one, which takes its sums over, and merge as far as it goes. False: no
 * memory; the sums are then freed. */
bool xta__tree_append(tree *t, tree_node node);
/* Move all nodes of `from` behind those of `into`; `from` is then empty. */
bool xta__tree_move(tree *into, tree *from);
void xta__tree_clear(tree *t);

/* The strips [*first, *end) that whole nodes cover; none: equal. */
void xta__tree_whole(const tree *t, int64_t *first, int64_t *end);
/* Take the edges away. */
void xta__tree_drop_edges(tree *t);
/* All nodes added up from left to right. */
void xta__tree_total(const tree *t, uint64_t n[2], double *sums);

void xta__tree_put(const tree *t, blob *b);
/* Append nodes from bytes; false: cut short, of another kind, or no memory. */
bool xta__tree_get(tree *t, blob_reader *r);

#endif
