/* Layouts: a problem as a product of independent sections of its axes.
 *
 * Everything is a product of axes. A *layout* cuts each axis into *sections*, at places where both
 * sides have a cut: no block crosses them, so that the product of one section of each axis, a
 * *component*, is a problem of its own. Few sections differ; each different one is a *span*, with
 * the cuts of both sides seen from its beginning.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_LAYOUT_H
#define XTA_PLANNER_LAYOUT_H

#include "planner/model/problem.h"

/* Of an axis with very many blocks some blocks of one length that follow each other are one *fold*:
 * they are read, or written, at one event, each as a piece of its own. */
typedef struct xta__span {
    int64_t length;
    int64_t n[2];        /* blocks, or folds, of each side */
    int64_t *edge[2];    /* n + 1 each, from 0 to length */
    int64_t *count[2];   /* blocks in each fold; NULL: one in each */
    int64_t blocks[2];   /* of each side, in all */
    uint64_t n_sections; /* how many sections of the axis are like this */
} xta__span;

/* How many blocks fold `k` has, and how long they are. */
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
    int64_t second; /* where the second section begins, and how long it and those behind it are */
    int64_t period;
    int64_t *begins; /* of irregular sections, n_sections + 1, and the kind of each; else NULL */
    int *kind_of;
    int kind[3]; /* of the first section, of those between, of the last */
    int n_kinds;
    xta__span *kinds;
} xta__axis;

typedef struct xta__layout {
    int ndim;
    xta__axis *axis;
    uint64_t n_components;
    uint64_t n_kinds; /* of components: the product of the axes' */
} xta__layout;

/* `glued`: one component, the whole. XTA_ENOMEM. */
xta_status xta__layout_init(xta__layout *layout, const xta_rechunk_problem *problem, bool glued,
                            xta_error *err);
void xta__layout_clear(xta__layout *layout);

int xta__axis_kind(const xta__axis *axis, int64_t section);
int64_t xta__axis_begin(const xta__axis *axis, int64_t section);

/* The number of the block that holds `x`, counted from the first one of the bounds, and where it
 * begins and ends within the bounds. */
int64_t xta__axis_block(const xta__axis *axis, int side, int64_t x, int64_t *lo, int64_t *hi);

/* The spans of a kind of component, and how many components are of it. */
uint64_t xta__layout_kind(const xta__layout *layout, uint64_t kind, const xta__span *span[]);

#endif
