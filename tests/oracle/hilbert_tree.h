/* The Hilbert curve by its tree, [CXA] Algorithm 7 ([LAWDER]'s tree representation).
 *
 * A node has an entry for each of the 2^n parts of its cube: the derived key, which is the part's
 * number along the curve, and the node of the part. A position is the keys on the way down, one
 * after the other. The tree is made from entry points and directions of parts ([HRC]), not from
 * Butz's variables as the library's curve is, so that it is a second derivation of the same curve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ORACLE_HILBERT_TREE_H
#define XTA_TESTS_ORACLE_HILBERT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hilbert_tree hilbert_tree;

/* The tree of a cube of 2^order cells on each of n axes; ends the program without memory.
 * `shared`: equal subtrees are one node, at most n 2^n of them; else one node for each part of
 * each level, as printed: (2^(n order) - 1) / (2^n - 1). n from 1 to 8, order from 1 to 7. */
hilbert_tree *hilbert_tree_new(int n, int order, bool shared);

void hilbert_tree_free(hilbert_tree *tree);

/* Algorithm 7: from a cell to its position on the curve. */
uint64_t hilbert_tree_position(const hilbert_tree *tree, const int64_t coord[]);

/* One step of it: the derived key of `point`, n bits with the first axis highest, in a node; and
 * the node of that part, which a leaf does not have. The root is node 0. */
uint32_t hilbert_tree_key(const hilbert_tree *tree, uint32_t node, uint32_t point);
uint32_t hilbert_tree_child(const hilbert_tree *tree, uint32_t node, uint32_t point);

/* Memory of the nodes. */
size_t hilbert_tree_bytes(const hilbert_tree *tree);

#endif
