/* The tree of the Hilbert curve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "oracle/hilbert_tree.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct entry {
    uint32_t key;
    uint32_t child;
} entry;

/* How the curve lies in a part: the corner where it enters, and the axis along which it leaves. */
typedef struct orientation {
    uint32_t enter;
    int direction;
} orientation;

struct hilbert_tree {
    int n;
    int order;
    bool shared;
    uint32_t n_nodes;
    entry *entries;    // 2^n for each node
    orientation *of;   // of each node
    uint32_t *node_of; // shared: the node of an orientation, or NONE
};

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("hilbert_tree: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static uint32_t turned_left(uint32_t bits, int by, int n)
{
    by %= n;
    return (uint32_t)((uint64_t)bits << by | (uint64_t)bits >> (n - by)) & ((1U << n) - 1);
}

static uint32_t gray(uint32_t number)
{
    return number ^ number >> 1;
}

static int trailing_ones(uint32_t number)
{
    int count = 0;

    for (; (number & 1) != 0; number >>= 1) {
        count++;
    }
    return count;
}

/* The orientation of part `key` of a part that lies as `o`. */
static orientation part_of(orientation o, uint32_t key, int n)
{
    uint32_t enter = key == 0 ? 0 : gray((key - 1) / 2 * 2);
    int direction = key == 0 ? 0 : trailing_ones(key % 2 == 0 ? key - 1 : key) % n;

    o.enter ^= turned_left(enter, o.direction + 1, n);
    o.direction = (o.direction + direction + 1) % n;
    return o;
}

/* The node for an orientation: a new one, or the one there is. */
static uint32_t node_for(hilbert_tree *tree, orientation o)
{
    uint32_t *known = &tree->node_of[o.enter * (uint32_t)tree->n + (uint32_t)o.direction];

    if (tree->shared && *known != NONE) {
        return *known;
    }
    *known = tree->n_nodes;
    tree->of[tree->n_nodes] = o;
    return tree->n_nodes++;
}

static void fill_node(hilbert_tree *tree, uint32_t node, bool leaf)
{
    orientation o = tree->of[node];
    int n = tree->n;

    for (uint32_t key = 0; key < 1U << n; key++) {
        uint32_t point = turned_left(gray(key), o.direction + 1, n) ^ o.enter;
        entry *e = &tree->entries[(size_t)node << n | point];
        e->key = key;
        e->child = leaf ? NONE : node_for(tree, part_of(o, key, n));
    }
}

static uint32_t most_nodes(const hilbert_tree *tree)
{
    uint32_t total = 0;

    if (tree->shared) {
        return (uint32_t)tree->n << tree->n;
    }
    for (int level = 0; level < tree->order; level++) {
        total += 1U << (tree->n * level);
    }
    return total;
}

hilbert_tree *hilbert_tree_new(int n, int order, bool shared)
{
    hilbert_tree *tree = must(calloc(1, sizeof *tree));
    size_t orientations = (size_t)n << n;

    tree->n = n;
    tree->order = order;
    tree->shared = shared;
    uint32_t most = most_nodes(tree);
    tree->entries = must(calloc((size_t)most << n, sizeof tree->entries[0]));
    tree->of = must(calloc(most, sizeof tree->of[0]));
    tree->node_of = must(malloc(orientations * sizeof tree->node_of[0]));
    for (size_t k = 0; k < orientations; k++) {
        tree->node_of[k] = NONE;
    }
    // The curve of the whole cube leaves its first part along the last axis.
    node_for(tree, (orientation){0, n - 1});
    uint32_t leaves = shared ? NONE : most - (1U << (n * (order - 1)));
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        fill_node(tree, node, node >= leaves);
    }
    return tree;
}

void hilbert_tree_free(hilbert_tree *tree)
{
    if (tree != NULL) {
        free(tree->entries);
        free(tree->of);
        free(tree->node_of);
        free(tree);
    }
}

uint32_t hilbert_tree_key(const hilbert_tree *tree, uint32_t node, uint32_t point)
{
    return tree->entries[(size_t)node << tree->n | point].key;
}

uint32_t hilbert_tree_child(const hilbert_tree *tree, uint32_t node, uint32_t point)
{
    return tree->entries[(size_t)node << tree->n | point].child;
}

uint64_t hilbert_tree_position(const hilbert_tree *tree, const int64_t coord[])
{
    uint64_t position = 0;
    uint32_t node = 0;

    for (int level = tree->order - 1; level >= 0; level--) {
        uint32_t point = 0;
        for (int axis = 0; axis < tree->n; axis++) {
            point = point << 1 | (uint32_t)(coord[axis] >> level & 1);
        }
        const entry *e = &tree->entries[(size_t)node << tree->n | point];
        position = position << tree->n | e->key;
        node = e->child;
    }
    return position;
}

size_t hilbert_tree_bytes(const hilbert_tree *tree)
{
    return ((size_t)tree->n_nodes << tree->n) * sizeof tree->entries[0];
}
