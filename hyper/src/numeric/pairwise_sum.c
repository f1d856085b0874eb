/* Pairwise sums over strips, kept as the nodes of a binary tree. pairwise_sum.h says why they do
 * not depend on how the strips were cut.
 *
 * Appending a strip is like adding 1 to a binary number: while the last two nodes are the halves of
 * one node, they are merged. So sums over n strips take at most 2 log2(n) nodes, and each strip is
 * merged log2(n) times.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "numeric/pairwise_sum.h"

#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

static bool are_halves(const sum_node *left, const sum_node *right)
{
    return left->level != EDGE && left->level == right->level && left->index % 2 == 0 &&
           right->index == left->index + 1;
}

/* Merge the last two nodes into the one that they are the halves of. */
static void merge_last(pairwise_sum *t)
{
    sum_node *left = &t->nodes[t->n_nodes - 2], *right = left + 1;

    for (size_t k = 0; k < t->n_sums; k++) {
        left->sums[k] += right->sums[k];
    }
    left->n[0] += right->n[0];
    left->n[1] += right->n[1];
    left->level++;
    left->index /= 2;
    free(right->sums);
    t->n_nodes--;
}

bool xta__pairwise_sum_append(pairwise_sum *t, sum_node node)
{
    if (!XTA__RESERVE(t->nodes, t->capacity, t->n_nodes + 1)) {
        free(node.sums);
        return false;
    }
    t->nodes[t->n_nodes++] = node;
    while (t->n_nodes >= 2 && are_halves(&t->nodes[t->n_nodes - 2], &t->nodes[t->n_nodes - 1])) {
        merge_last(t);
    }
    return true;
}

bool xta__pairwise_sum_move(pairwise_sum *into, pairwise_sum *from)
{
    bool good = true;

    for (size_t k = 0; k < from->n_nodes; k++) {
        if (good) {
            good = xta__pairwise_sum_append(into, from->nodes[k]);
        } else {
            free(from->nodes[k].sums);
        }
    }
    from->n_nodes = 0;
    xta__pairwise_sum_clear(from);
    return good;
}

void xta__pairwise_sum_clear(pairwise_sum *t)
{
    for (size_t k = 0; k < t->n_nodes; k++) {
        free(t->nodes[k].sums);
    }
    free(t->nodes);
    t->nodes = NULL;
    t->n_nodes = t->capacity = 0;
}

void xta__pairwise_sum_whole_strips(const pairwise_sum *t, int64_t *first, int64_t *end)
{
    *first = *end = 0;
    for (size_t k = 0; k < t->n_nodes; k++) {
        const sum_node *node = &t->nodes[k];
        if (node->level == EDGE) {
            continue;
        }
        int64_t strips = (int64_t)1 << node->level;
        *first = *first == *end ? node->index * strips : *first;
        *end = (node->index + 1) * strips;
    }
}

void xta__pairwise_sum_total(const pairwise_sum *t, uint64_t n[2], double *sums)
{
    n[0] = n[1] = 0;
    for (size_t j = 0; j < t->n_sums; j++) {
        sums[j] = 0;
    }
    for (size_t k = 0; k < t->n_nodes; k++) {
        n[0] += t->nodes[k].n[0];
        n[1] += t->nodes[k].n[1];
        for (size_t j = 0; j < t->n_sums; j++) {
            sums[j] += t->nodes[k].sums[j];
        }
    }
}

void xta__pairwise_sum_put(const pairwise_sum *t, blob *b)
{
    xta__blob_u64(b, t->n_sums);
    xta__blob_u64(b, t->n_nodes);
    for (size_t k = 0; k < t->n_nodes; k++) {
        xta__blob_i64(b, t->nodes[k].level);
        xta__blob_i64(b, t->nodes[k].index);
        xta__blob_u64(b, t->nodes[k].n[0]);
        xta__blob_u64(b, t->nodes[k].n[1]);
        xta__blob_f64s(b, t->nodes[k].sums, t->n_sums);
    }
}

bool xta__pairwise_sum_get(pairwise_sum *t, blob_reader *r)
{
    uint64_t n_sums = xta__blob_get_u64(r), n_nodes = xta__blob_get_u64(r);
    bool good = !r->failed && n_sums == t->n_sums;

    for (uint64_t k = 0; k < n_nodes && good; k++) {
        sum_node node = {.sums = NULL};
        node.level = xta__blob_get_i64(r);
        node.index = xta__blob_get_i64(r);
        node.n[0] = xta__blob_get_u64(r);
        node.n[1] = xta__blob_get_u64(r);
        if (r->failed || node.level < EDGE || node.level > 58 || (r->n - r->at) / 8 < n_sums) {
            return false;
        }
        node.sums = malloc((t->n_sums + 1) * sizeof(double));
        if (node.sums == NULL) {
            return false;
        }
        xta__blob_get_f64s(r, node.sums, t->n_sums);
        good = xta__pairwise_sum_append(t, node);
    }
    return good;
}
