/* The O2-tree of [CXA] 4.2: a red-black tree over linked buckets of records.
 *
 * Definition. Among records with distinct keys, find the one with the greatest key that is not
 * above a given key.
 *
 * Naive version. Keep the records in an array sorted by key and halve it until one is left. A
 * search touches log2(n) scattered cache lines; an insertion in the middle moves half of the
 * array. It is kept in tests/unit/test_o2tree_o2tree.c as the judge.
 *
 * Improvement. Cut the array into buckets of at most LEAF_CAPACITY records, linked in both
 * directions, so that an insertion moves only records of one bucket, and a traversal in order
 * follows the links. A bucket is found through a binary tree whose inner nodes hold keys only and
 * whose external nodes are the buckets; red-black colours keep it balanced. A full bucket is split,
 * and the new inner node above the halves enters the tree as in any red-black tree. Records mostly
 * come in ascending order here, as an axis grows: a record beyond the last bucket starts a new one,
 * so buckets are left full.
 *
 * Invariants (check.c has them as code):
 *   1. The root is black or a leaf, leaves are black, and no red node has a red child.
 *   2. Every path from the root to a leaf passes the same number of black nodes, so no path is more
 *      than twice as long as another.
 *   3. Every inner node has two children, which name it as their parent.
 *   4. The key of an inner node is the least key under child[1], and above all keys under child[0].
 *   5. Keys ascend strictly in each leaf, and only the leaf of an empty tree is empty.
 *   6. The links lead through the leaves in the order of the tree, in both directions.
 *
 * By 4 a key at or above a separator has its floor on the right: the separator itself is a record
 * there, as nothing is ever removed. So a search never reads a neighbouring leaf.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/tree/o2tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/tree/check.h"
#include "geometry/tree/node.h"

static inner_node *as_inner(node *any)
{
    return (inner_node *)any;
}

static leaf_node *leaf_of(const xta__o2tree *tree, int64_t key)
{
    node *at = tree->root;

    while (!at->is_leaf) {
        at = as_inner(at)->child[key >= as_inner(at)->key];
    }
    return (leaf_node *)at;
}

/* How many keys of the leaf are <= key. The outcome of a comparison with a random key cannot be
 * predicted, so results of comparisons are used as numbers, without a branch that could be
 * mispredicted. */
static size_t keys_up_to(const leaf_node *leaf, int64_t key)
{
    size_t n = leaf->n;
    size_t below = 0;

    if (n == 0) {
        return 0;
    }
    while (n > 1) {
        size_t half = n / 2;
        below += half & (0 - (size_t)(leaf->keys[below + half - 1] <= key));
        n -= half;
    }
    return below + (size_t)(leaf->keys[below] <= key);
}

bool xta__o2tree_floor(const xta__o2tree *tree, int64_t key, uint32_t *value, int64_t *found_key)
{
    const leaf_node *leaf = leaf_of(tree, key);
    size_t n = keys_up_to(leaf, key);

    if (n == 0) {
        return false;
    }
    if (value != NULL) {
        *value = leaf->values[n - 1];
    }
    if (found_key != NULL) {
        *found_key = leaf->keys[n - 1];
    }
    return true;
}

static leaf_node *new_leaf(void)
{
    leaf_node *leaf = xta__calloc(1, sizeof *leaf);

    if (leaf != NULL) {
        leaf->head.is_leaf = true;
    }
    return leaf;
}

xta__o2tree *xta__o2tree_new(void)
{
    xta__o2tree *tree = xta__calloc(1, sizeof *tree);
    leaf_node *leaf = new_leaf();

    if (tree == NULL || leaf == NULL) {
        free(tree);
        free(leaf);
        return NULL;
    }
    tree->root = &leaf->head;
    tree->first = leaf;
    tree->last = leaf;
    tree->n_leaves = 1;
    return tree;
}

/* The depth is at most twice the logarithm of the number of leaves. */
static void free_nodes(node *at)
{
    if (!at->is_leaf) {
        free_nodes(as_inner(at)->child[0]);
        free_nodes(as_inner(at)->child[1]);
    }
    free(at);
}

void xta__o2tree_free(xta__o2tree *tree)
{
    if (tree == NULL) {
        return;
    }
    free_nodes(tree->root);
    while (tree->spare != NULL) {
        leaf_node *leaf = tree->spare;
        tree->spare = leaf->next;
        free(leaf->head.parent);
        free(leaf);
    }
    free(tree);
}

/* Reserve at least `n` spare pairs of a leaf and an inner node. */
static xta_status stock_spare(xta__o2tree *tree, size_t n)
{
    while (tree->n_spare < n) {
        leaf_node *leaf = new_leaf();
        inner_node *inner = xta__calloc(1, sizeof *inner);
        if (leaf == NULL || inner == NULL) {
            free(leaf);
            free(inner);
            return XTA_ENOMEM;
        }
        leaf->head.parent = inner;
        leaf->next = tree->spare;
        tree->spare = leaf;
        tree->n_spare++;
    }
    return XTA_OK;
}

xta_status xta__o2tree_reserve(xta__o2tree *tree, size_t n)
{
    // Each existing leaf may be full and split at once; a leaf that was split in the middle splits
    // again after half a leaf of insertions, and one begun at the end after a whole one.
    size_t splits = tree->n_leaves + n / (LEAF_CAPACITY / 2) + 1;

    return stock_spare(tree, n < splits ? n : splits);
}

/* Put `by` in the place of `old`. */
static void replace_child(xta__o2tree *tree, const node *old, node *by)
{
    inner_node *parent = old->parent;

    by->parent = parent;
    if (parent == NULL) {
        tree->root = by;
    } else {
        parent->child[parent->child[1] == old] = by;
    }
}

/* Rotate the edge from `top` to its child opposite `side`: `top` moves down towards `side`. */
static void rotate(xta__o2tree *tree, inner_node *top, int side)
{
    inner_node *up = as_inner(top->child[!side]);

    replace_child(tree, &top->head, &up->head);
    top->child[!side] = up->child[side];
    top->child[!side]->parent = top;
    up->child[side] = &top->head;
    top->head.parent = up;
}

static int side_of(const inner_node *child)
{
    return child->head.parent->child[1] == &child->head;
}

/* `added` is red, and so may be its parent; nothing else is wrong. */
static void balance(xta__o2tree *tree, inner_node *added)
{
    while (added->head.parent != NULL && added->head.parent->head.is_red) {
        inner_node *parent = added->head.parent;
        inner_node *grandparent = parent->head.parent; // it exists, since the root is black
        int side = side_of(parent);
        node *uncle = grandparent->child[!side];

        if (uncle->is_red) {
            // One black level is moved down from the grandparent, which may now violate the rule in
            // turn.
            parent->head.is_red = false;
            uncle->is_red = false;
            grandparent->head.is_red = true;
            added = grandparent;
            continue;
        }
        if (side_of(added) != side) {
            rotate(tree, parent, side);
            parent = added;
        }
        parent->head.is_red = false;
        grandparent->head.is_red = true;
        rotate(tree, grandparent, !side);
        break;
    }
    tree->root->is_red = false;
}

/* Split a full leaf into two; the first `n_left` records stay. Needs a spare pair; returns the new
 * leaf. If n_left is all of them the caller adds its first record. */
static leaf_node *split(xta__o2tree *tree, leaf_node *left, uint32_t n_left, int64_t separator)
{
    leaf_node *right = tree->spare;
    inner_node *above = right->head.parent;

    tree->spare = right->next;
    tree->n_spare--;
    tree->n_leaves++;

    right->n = left->n - n_left;
    memcpy(right->keys, left->keys + n_left, right->n * sizeof left->keys[0]);
    memcpy(right->values, left->values + n_left, right->n * sizeof left->values[0]);
    left->n = n_left;

    right->previous = left;
    right->next = left->next;
    if (left->next != NULL) {
        left->next->previous = right;
    } else {
        tree->last = right;
    }
    left->next = right;

    above->key = separator;
    above->head.is_red = true;
    replace_child(tree, &left->head, &above->head);
    above->child[0] = &left->head;
    above->child[1] = &right->head;
    left->head.parent = above;
    right->head.parent = above;
    balance(tree, above);
    return right;
}

static void put_record(leaf_node *leaf, size_t at, int64_t key, uint32_t value)
{
    memmove(leaf->keys + at + 1, leaf->keys + at, (leaf->n - at) * sizeof leaf->keys[0]);
    memmove(leaf->values + at + 1, leaf->values + at, (leaf->n - at) * sizeof leaf->values[0]);
    leaf->keys[at] = key;
    leaf->values[at] = value;
    leaf->n++;
}

xta_status xta__o2tree_insert(xta__o2tree *tree, int64_t key, uint32_t value)
{
    leaf_node *leaf = leaf_of(tree, key);
    size_t at = keys_up_to(leaf, key);

    if (at > 0 && leaf->keys[at - 1] == key) {
        return XTA_EEXIST;
    }
    if (leaf->n == LEAF_CAPACITY) {
        if (stock_spare(tree, 1) != XTA_OK) {
            return XTA_ENOMEM;
        }
        if (leaf == tree->last && at == LEAF_CAPACITY) {
            leaf = split(tree, leaf, LEAF_CAPACITY, key);
            at = 0;
        } else {
            leaf_node *right = split(tree, leaf, LEAF_CAPACITY / 2, leaf->keys[LEAF_CAPACITY / 2]);
            // A record between the halves goes to the left one; otherwise the separator would not
            // be the least key.
            if (at > LEAF_CAPACITY / 2) {
                leaf = right;
                at -= LEAF_CAPACITY / 2;
            }
        }
    }
    put_record(leaf, at, key, value);
    tree->n_records++;
    assert(xta__check_tree_at(tree, key) == NULL);
    assert((tree->n_records & (tree->n_records - 1)) != 0 || xta__check_tree(tree) == NULL);
    return XTA_OK;
}

size_t xta__o2tree_count(const xta__o2tree *tree)
{
    return tree->n_records;
}

size_t xta__o2tree_bytes(const xta__o2tree *tree)
{
    return sizeof *tree + (tree->n_leaves + tree->n_spare) * sizeof(leaf_node) +
           (tree->n_leaves - 1 + tree->n_spare) * sizeof(inner_node);
}

xta__o2tree_cursor xta__o2tree_begin(const xta__o2tree *tree)
{
    return (xta__o2tree_cursor){.leaf = tree->first, .at = 0};
}

bool xta__o2tree_next(xta__o2tree_cursor *cursor, int64_t *key, uint32_t *value)
{
    const leaf_node *leaf = cursor->leaf;

    if (leaf != NULL && cursor->at == leaf->n) {
        leaf = leaf->next;
        *cursor = (xta__o2tree_cursor){.leaf = leaf, .at = 0};
    }
    if (leaf == NULL) {
        return false;
    }
    if (key != NULL) {
        *key = leaf->keys[cursor->at];
    }
    if (value != NULL) {
        *value = leaf->values[cursor->at];
    }
    cursor->at++;
    return true;
}
