/* A private header of tree/: the nodes of an O2-tree. The invariants are at the top of o2tree.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_TREE_NODE_H
#define XTA_GEOMETRY_TREE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records in a bucket. A bucket's keys take eight cache lines, of which a search reads about
 * three. */
#define LEAF_CAPACITY 64

typedef struct inner_node inner_node;

/* The head of inner nodes and leaves. Leaves are always black. */
typedef struct node {
    inner_node *parent; // NULL: the root
    bool is_leaf;
    bool is_red;
} node;

struct inner_node {
    node head;
    int64_t key; // the least key of child[1]
    node *child[2];
};

typedef struct leaf_node {
    node head;
    uint32_t n;
    struct leaf_node *previous, *next;
    int64_t keys[LEAF_CAPACITY];
    uint32_t values[LEAF_CAPACITY];
} leaf_node;

struct xta__o2tree {
    node *root; // never NULL
    leaf_node *first, *last;
    size_t n_records;
    size_t n_leaves;

    /* Spare nodes for splits: leaves chained by `next`, each with an inner node in head.parent. */
    leaf_node *spare;
    size_t n_spare;
};

#endif
