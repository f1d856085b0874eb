/* Whether an O2-tree is valid: the invariants at the top of o2tree.c, as code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_TREE_CHECK_H
#define XTA_GEOMETRY_TREE_CHECK_H

#include "geometry/tree/node.h"

/* Check the whole tree: NULL if every invariant holds, else a constant text that names the first
 * one that does not, by its number. */
const char *xta__check_tree(const struct xta__o2tree *tree);

/* The same for one leaf, its neighbours and the nodes above it: those that an insertion of `key`
 * changes. Cost: the depth of the tree and one leaf. */
const char *xta__check_tree_at(const struct xta__o2tree *tree, int64_t key);

#endif
