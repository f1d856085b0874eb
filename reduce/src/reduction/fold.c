/* The fixed tree over blocks.
 *
 * Naive: add the sums of the blocks one after the other; then every block that is added at the
 * front changes all partial sums. Here the blocks of an axis are the leaves of an endless binary
 * tree, anchored at block 0. Two blocks part at the highest bit in which their numbers differ, as
 * two's complement: a node of level l is what agrees in all but the lowest l bits, and the sign
 * parts the blocks below 0 from the others. So a list of blocks in ascending order is split where
 * that bit of the first and the last of them changes. A half without blocks does not occur, as if
 * it were +0.0.
 *
 * All cells of a piece are folded at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/fold.h"

#include <stdlib.h>
#include <string.h>

#include "reduction/plan.h"
#include "util/checked.h"
#include "util/try.h"

/* Where the sums of a node go. */
typedef struct node_sums {
    double *sum;
    xta__moments *moments;
} node_sums;

typedef struct tree_fold {
    const xta__reduction *r;
    const xta__partial *partials;
    size_t n_kept;
    size_t group;
    xta__folded *folded;
    size_t slot[XTA_MAX_NDIM]; // on the axes in front of the present one
} tree_fold;

/* ---- memory ---- */

static int depths_of(const xta__reduction *r)
{
    int n = 0;

    for (int k = 0; k < r->n_reduced; k++) {
        n += 2;
        for (uint64_t blocks = r->reduced[k].n_blocks; blocks > 0; blocks /= 2) {
            n++;
        }
    }
    return n;
}

uint64_t xta__folded_bytes(const xta__reduction *r)
{
    uint64_t depths = 1 + (uint64_t)depths_of(r);
    uint64_t bytes = 2 * sizeof(uint64_t) + 2 * xta_type_bytes(r->kernels->type);

    bytes += r->wants_sum ? sizeof(xta__exact) + depths * sizeof(double) : 0;
    bytes += r->wants_moments ? depths * sizeof(xta__moments) : 0;
    return bytes * r->most_kept;
}

xta_status xta__folded_make(const xta__reduction *r, xta__folded *folded, xta_error *err)
{
    bool real_sum = r->wants_sum && r->kernels->kind == 'f';
    size_t n = r->most_kept, cell = xta_type_bytes(r->kernels->type);
    size_t depths = (size_t)depths_of(r);

    *folded = (xta__folded){.n_depths = (int)depths};
    folded->excluded = xta__calloc(n, sizeof(uint64_t));
    folded->n_missing = xta__calloc(n, sizeof(uint64_t));
    bool good = folded->excluded != NULL && folded->n_missing != NULL;
    if (real_sum) {
        folded->sum = xta__calloc(n, sizeof(double));
        folded->node_sum = xta__calloc(n * depths, sizeof(double));
        good = good && folded->sum != NULL && folded->node_sum != NULL;
    } else if (r->wants_sum) {
        folded->exact = xta__calloc(n, sizeof(xta__exact));
        good = good && folded->exact != NULL;
    }
    if (r->wants_range) {
        folded->least = xta__calloc(n, cell);
        folded->most = xta__calloc(n, cell);
        good = good && folded->least != NULL && folded->most != NULL;
    }
    if (r->wants_moments) {
        folded->moments = xta__calloc(n, sizeof(xta__moments));
        folded->node_moments = xta__calloc(n * depths, sizeof(xta__moments));
        good = good && folded->moments != NULL && folded->node_moments != NULL;
    }
    return good ? XTA_OK : xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu results", n);
}

void xta__folded_clear(xta__folded *folded)
{
    free(folded->sum);
    free(folded->exact);
    free(folded->excluded);
    free(folded->n_missing);
    free(folded->least);
    free(folded->most);
    free(folded->moments);
    free(folded->node_sum);
    free(folded->node_moments);
}

/* ---- the tree ---- */

/* Number k of the slots of an axis that the group has. */
static size_t slot_of(const tree_fold *t, int axis, size_t k)
{
    return axis == t->r->grouped ? t->r->group_slots[t->r->group_begin[t->group] + k] : k;
}

static int64_t block_of(const tree_fold *t, int axis, size_t k)
{
    return t->r->reduced[axis].slots[slot_of(t, axis, k)].block;
}

static size_t n_slots_of(const tree_fold *t, int axis)
{
    return axis == t->r->grouped ? t->r->group_begin[t->group + 1] - t->r->group_begin[t->group]
                                 : t->r->reduced[axis].n_slots;
}

/* The sums of one block: where they lie in the partial sums of its item. */
static void fold_block(const tree_fold *t, node_sums out)
{
    const xta__reduction *r = t->r;
    uint64_t run = 0;
    size_t inner = 0;

    for (int k = 0; k < r->n_reduced; k++) {
        const xta__slot_axis *axis = &r->reduced[k];
        size_t blocks = k == r->n_reduced - 1 ? r->run_blocks : 1;
        size_t block = (size_t)(axis->slots[t->slot[k]].block - axis->first_block);
        size_t first = block / blocks * blocks;
        size_t end = first + blocks < axis->n_blocks ? first + blocks : axis->n_blocks;
        run = run * r->n_runs[k] + block / blocks;
        inner = inner * (axis->begin[end] - axis->begin[first]) + (t->slot[k] - axis->begin[first]);
    }
    const xta__partial *p = &t->partials[run];
    const xta__folded *f = t->folded;
    const xta__partial unordered = {.exact = f->exact,
                                    .excluded = f->excluded,
                                    .n_missing = f->n_missing,
                                    .least = f->least,
                                    .most = f->most};
    size_t at = inner * t->n_kept;
    if (out.sum != NULL) {
        memcpy(out.sum, p->sum + at, t->n_kept * sizeof out.sum[0]);
    }
    if (out.moments != NULL) {
        memcpy(out.moments, p->moments + at, t->n_kept * sizeof out.moments[0]);
    }
    xta__partial_add_unordered(r, &unordered, p, at, t->n_kept);
}

/* The first of the slots lo + 1 ... hi - 1 that lies in the upper half of the smallest node around
 * them; the caller sees to it that there are two blocks at least. */
static size_t split(const tree_fold *t, int axis, size_t lo, size_t hi)
{
    int64_t first = block_of(t, axis, lo);
    uint64_t differ = (uint64_t)first ^ (uint64_t)block_of(t, axis, hi - 1);
    uint64_t bit = (uint64_t)1 << (63 - __builtin_clzll(differ));
    size_t upper = hi - 1;

    while (upper - lo > 1) {
        size_t middle = lo + (upper - lo) / 2;
        if ((((uint64_t)block_of(t, axis, middle) ^ (uint64_t)first) & bit) != 0) {
            upper = middle;
        } else {
            lo = middle;
        }
    }
    return upper;
}

/* The node around slots lo ... hi - 1 of an axis. Nodes of depth `depth` and more are free. */
static void fold_node(tree_fold *t, int axis, size_t lo, size_t hi, int depth, node_sums out)
{
    const xta__folded *f = t->folded;

    if (hi - lo == 1) {
        t->slot[axis] = slot_of(t, axis, lo);
        if (axis == t->r->n_reduced - 1) {
            fold_block(t, out);
        } else {
            fold_node(t, axis + 1, 0, n_slots_of(t, axis + 1), depth, out);
        }
        return;
    }
    size_t middle = split(t, axis, lo, hi);
    size_t free_at = (size_t)depth * t->r->most_kept;
    node_sums upper = {f->node_sum != NULL ? f->node_sum + free_at : NULL,
                       f->node_moments != NULL ? f->node_moments + free_at : NULL};
    fold_node(t, axis, lo, middle, depth, out);
    fold_node(t, axis, middle, hi, depth + 1, upper);
    for (size_t k = 0; out.sum != NULL && k < t->n_kept; k++) {
        out.sum[k] += upper.sum[k];
    }
    for (size_t k = 0; out.moments != NULL && k < t->n_kept; k++) {
        xta__moments_merge(&out.moments[k], &upper.moments[k]);
    }
}

void xta__fold_group(const xta__reduction *r, const xta__partial partials[], size_t n_kept,
                     size_t group, xta__folded *folded)
{
    tree_fold t = {
        .r = r, .partials = partials, .n_kept = n_kept, .group = group, .folded = folded};

    memset(folded->excluded, 0, n_kept * sizeof folded->excluded[0]);
    memset(folded->n_missing, 0, n_kept * sizeof folded->n_missing[0]);
    if (folded->exact != NULL) {
        memset(folded->exact, 0, n_kept * sizeof folded->exact[0]);
    }
    if (folded->least != NULL) {
        r->kernels->range_begin(folded->least, folded->most, n_kept);
    }
    fold_node(&t, 0, 0, n_slots_of(&t, 0), 0, (node_sums){folded->sum, folded->moments});
}
