/* The examiner of O2-trees: walks a whole tree and names the first invariant that does not hold.
 * The numbers are those at the head of o2tree.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/tree/node.h"
#include "geometry/tree/o2tree.h"

/* What the walk, which goes through the leaves from left to right, has seen. */
typedef struct walk {
    const leaf_node *last_leaf; // NULL before the first
    size_t n_records;
    size_t n_leaves;
    const char *flaw;
} walk;

static void complain(walk *w, const char *flaw)
{
    if (w->flaw == NULL) {
        w->flaw = flaw;
    }
}

static void visit_leaf(walk *w, const leaf_node *leaf)
{
    const leaf_node *before = w->last_leaf;

    if (leaf->head.is_red) {
        complain(w, "1: a leaf is red");
    }
    if (leaf->n == 0 || leaf->n > LEAF_ROOM) {
        complain(w, "5: a leaf is empty or overfull");
        return;
    }
    for (uint32_t i = 1; i < leaf->n; i++) {
        if (leaf->keys[i - 1] >= leaf->keys[i]) {
            complain(w, "5: keys of a leaf do not ascend");
        }
    }
    if (leaf->previous != before || (before != NULL && before->next != leaf)) {
        complain(w, "6: the links do not follow the order of the tree");
    }
    if (before != NULL && before->n > 0 && before->keys[before->n - 1] >= leaf->keys[0]) {
        complain(w, "4: keys do not ascend from leaf to leaf");
    }
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

/* Answers the number of black nodes on the way down from `at`. */
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
        complain(w, "2: ways down pass different numbers of black nodes");
    }
    // Together with keys that ascend from leaf to leaf, this also bounds the keys on the left.
    if (least_key(inner->child[1]) != inner->key) {
        complain(w, "4: a separator is not the least key on its right");
    }
    return height[0] + !at->is_red;
}

const char *xta__o2tree_flaw(const xta__o2tree *tree)
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
