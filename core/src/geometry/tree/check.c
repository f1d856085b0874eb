/* Whether an O2-tree is valid. The numbers are those of the invariants at the top of o2tree.c.
 *
 * Debug builds check the neighbourhood of each insertion, and the whole tree each time the number
 * of its records has doubled: in total a constant cost for each record.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/tree/check.h"

/* What the traversal of the leaves, from left to right, has seen so far. */
typedef struct walk {
    const leaf_node *last_leaf; // NULL before the first
    size_t n_records;
    size_t n_leaves;
    const char *flaw;
} walk;

/* `flaw` may be NULL: none. */
static void complain(walk *w, const char *flaw)
{
    if (w->flaw == NULL) {
        w->flaw = flaw;
    }
}

/* 1 and 5, for one leaf. */
static const char *check_leaf(const leaf_node *leaf)
{
    if (leaf->head.is_red) {
        return "1: a leaf is red";
    }
    if (leaf->n == 0 || leaf->n > LEAF_CAPACITY) {
        return "5: a leaf is empty or overfull";
    }
    for (uint32_t i = 1; i < leaf->n; i++) {
        if (leaf->keys[i - 1] >= leaf->keys[i]) {
            return "5: keys of a leaf do not ascend";
        }
    }
    return NULL;
}

/* 6, and the part of 4 that concerns neighbours: `left` (NULL: none) lies just before `right`. */
static const char *check_neighbours(const leaf_node *left, const leaf_node *right)
{
    if (right->previous != left || (left != NULL && left->next != right)) {
        return "6: the links do not follow the order of the tree";
    }
    if (left != NULL && left->n > 0 && left->keys[left->n - 1] >= right->keys[0]) {
        return "4: keys do not ascend from leaf to leaf";
    }
    return NULL;
}

static void visit_leaf(walk *w, const leaf_node *leaf)
{
    complain(w, check_leaf(leaf));
    complain(w, check_neighbours(w->last_leaf, leaf));
    w->last_leaf = leaf;
    w->n_records += leaf->n;
    w->n_leaves++;
}

static int64_t least_key(const node *at)
{
    while (!at->is_leaf) {
        at = ((const inner_node *)at)->child[0];
    }
    return ((const leaf_node *)at)->keys[0];
}

/* Returns the number of black nodes on every path from `at` down to a leaf. */
static int visit(walk *w, const node *at)
{
    if (at->is_leaf) {
        visit_leaf(w, (const leaf_node *)at);
        return 1;
    }

    const inner_node *inner = (const inner_node *)at;
    int height[2];

    for (int side = 0; side < 2; side++) {
        const node *child = inner->child[side];
        if (child == NULL || child->parent != inner) {
            complain(w, "3: a child does not name its parent");
            return 0;
        }
        if (at->is_red && child->is_red) {
            complain(w, "1: a red node has a red child");
        }
        height[side] = visit(w, child);
    }
    if (height[0] != height[1]) {
        complain(w, "2: paths down pass different numbers of black nodes");
    }
    // Together with keys that ascend from leaf to leaf, this also bounds the keys on the left.
    if (least_key(inner->child[1]) != inner->key) {
        complain(w, "4: a separator is not the least key on its right");
    }
    return height[0] + !at->is_red;
}

const char *xta__check_tree(const struct xta__o2tree *tree)
{
    walk w = {0};

    if (tree->n_records == 0) {
        bool whole = tree->root->is_leaf && tree->root == &tree->first->head &&
                     tree->first == tree->last && tree->first->n == 0;
        return whole ? NULL : "5: an empty tree is more than one empty leaf";
    }
    if (tree->root->parent != NULL) {
        complain(&w, "3: the root has a parent");
    }
    if (tree->root->is_red) {
        complain(&w, "1: the root is red");
    }
    visit(&w, tree->root);
    if (w.last_leaf != tree->last || w.last_leaf == NULL || w.last_leaf->next != NULL) {
        complain(&w, "6: the last leaf is not the last");
    }
    if (tree->first->previous != NULL) {
        complain(&w, "6: the first leaf is not the first");
    }
    if (w.n_records != tree->n_records || w.n_leaves != tree->n_leaves) {
        complain(&w, "5: the counts are wrong");
    }
    return w.flaw;
}

/* 1, 3 and 4, for the nodes on one path to the root. */
static const char *check_path(const struct xta__o2tree *tree, const leaf_node *leaf)
{
    const node *below = &leaf->head;
    bool leftmost = true; // the leaf is the first one below `below`

    for (const inner_node *at = below->parent; at != NULL; at = at->head.parent) {
        bool right = at->child[1] == below;
        if (!right && at->child[0] != below) {
            return "3: a child does not name its parent";
        }
        if (at->head.is_red && below->is_red) {
            return "1: a red node has a red child";
        }
        if (right && leftmost && leaf->keys[0] != at->key) {
            return "4: a separator is not the least key on its right";
        }
        leftmost = leftmost && !right;
        below = &at->head;
    }
    return tree->root != below ? "3: the root has a parent"
           : below->is_red     ? "1: the root is red"
                               : NULL;
}

const char *xta__check_tree_at(const struct xta__o2tree *tree, int64_t key)
{
    const node *at = tree->root;

    if (tree->n_records == 0) {
        return xta__check_tree(tree);
    }
    while (!at->is_leaf) {
        const inner_node *inner = (const inner_node *)at;
        at = inner->child[key >= inner->key];
    }
    const leaf_node *leaf = (const leaf_node *)at;
    const char *flaw = check_leaf(leaf);
    flaw = flaw != NULL ? flaw : check_neighbours(leaf->previous, leaf);
    flaw = flaw != NULL || leaf->next == NULL ? flaw : check_neighbours(leaf, leaf->next);
    return flaw != NULL ? flaw : check_path(tree, leaf);
}
