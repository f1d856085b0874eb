/* Slabs of one axis, and the recipe made from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SLAB_PLAN_H
#define XTA_PLANNER_SLAB_PLAN_H

#include "planner/strategies/sweep_search.h"

#define XTA__MOST_INNER 3

/* Where slabs end (end[1] to end[n]; end[0] is 0), and where blocks are cut. */
typedef struct xta__cutting {
    const int64_t *end;
    int64_t n;
    const int64_t *cut[2];
    int64_t n_cuts[2];
} xta__cutting;

typedef struct xta__slabs {
    xta__search *search;
    xta__sweep *sweep;
    int axis;     /* the axis that is cut into slabs */
    int n_single; /* number of axes before it that are traversed in steps, mostly cell by cell */
    const xta__axis_schedule *single[XTA_MAX_NDIM];
    const xta__axis_schedule *dot[XTA_MAX_NDIM]; /* a single such step */
    xta__recipe inner; /* how the other axes are swept; `hull` is its hull */
    xta__hull hull;
    bool holds_pieces; /* a piece that was read is held whole until all of it is written */
} xta__slabs;

/* The schedule of an axis cut into slabs that end at group[1 .. n_groups]: events follow output or
 * input pieces. */
xta_status xta__slab_schedule(xta__slabs *s, int axis, const xta__cutting *cutting, bool by_input,
                              const xta__axis_schedule **schedule);

/* Try the recipe of these slabs; `fits`: it is within the budget. */
xta_status xta__slabs_try(xta__slabs *slabs, const xta__cutting *cutting, xta_rechunk_method method,
                          bool *fits);

#endif
