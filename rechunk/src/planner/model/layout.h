/* Layouts: a problem as a product of independent sections of its axes.
 *
 * Everything is a product of axes. A *layout* cuts each axis into *sections*, at places where both
 * sides have a cut: no block crosses them, so that the product of one section of each axis, a
 * *component*, is a problem of its own. Few sections differ; each distinct one is a *span*, with
 * the cuts of both sides relative to its beginning.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_LAYOUT_H
#define XTA_PLANNER_LAYOUT_H

#include "planner/model/problem.h"

/* On an axis with very many blocks, consecutive blocks of one length form one *fold*: they are
 * read, or written, at one event, each as a separate piece. */
typedef struct xta__span {
    int64_t length;
    int64_t n[2];        /* number of blocks, or folds, of each side */
    int64_t *edge[2];    /* n + 1 each, from 0 to length */
    int64_t *count[2];   /* number of blocks in each fold; NULL: one */
    int64_t blocks[2];   /* total number of blocks of each side */
    uint64_t n_sections; /* how many sections of the axis are equal to this span */
} xta__span;

/* The number of blocks in fold `k`, and their length. */
static inline int64_t xta__fold_count(const xta__span *span, int side, int64_t k)
{
    return span->count[side] == NULL ? 1 : span->count[side][k];
}

static inline int64_t xta__fold_block(const xta__span *span, int side, int64_t k)
{
    return (span->edge[side][k + 1] - span->edge[side][k]) / xta__fold_count(span, side, k);
}

typedef struct xta__axis {
    int64_t lo, hi;
    xta_cuts cuts[2];
    int64_t n_sections;
    /* where the second section begins, and the length of this and the following ones */
    int64_t second;
    int64_t period;
    /* irregular sections: their beginnings (n_sections + 1), and the kind of each; else NULL */
    int64_t *begins;
    int *kind_of;
    int kind[3]; /* of the first section, of the middle ones, of the last */
    int n_kinds;
    xta__span *kinds;
} xta__axis;

typedef struct xta__layout {
    int ndim;
    xta__axis *axis;
    uint64_t n_components;
    uint64_t n_kinds; /* kinds of components: the product over the axes */
} xta__layout;

/* `glued`: everything is one component. XTA_ENOMEM. */
xta_status xta__layout_init(xta__layout *layout, const xta_rechunk_problem *problem, bool glued,
                            xta_error *err);
void xta__layout_clear(xta__layout *layout);

int xta__axis_kind(const xta__axis *axis, int64_t section);
int64_t xta__axis_begin(const xta__axis *axis, int64_t section);

/* The number of the block that contains `x`, counted from the first one within the bounds, and
 * where it begins and ends within the bounds. */
int64_t xta__axis_block(const xta__axis *axis, int side, int64_t x, int64_t *lo, int64_t *hi);

/* The spans of a kind of component; returns how many components are of this kind. */
uint64_t xta__layout_kind(const xta__layout *layout, uint64_t kind, const xta__span *span[]);

#endif
