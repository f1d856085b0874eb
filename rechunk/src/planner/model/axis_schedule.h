/* Axis schedules and recipes: in which order the pieces of a component are moved.
 *
 * An *axis schedule* says how one axis of a component is traversed: into which pieces the blocks of
 * both sides are cut, and in which *events* they are moved. Event e of an axis reads some pieces
 * and writes some, both in ascending order. A *recipe* is a schedule for each axis and an order of
 * axes. The events of the component are the product of the axes' events, sorted first by group,
 * then by event. At each of them the product of the axes' pieces is read, then written. Any
 * schedules are correct as long as, on each axis, the piece that contains a cell is read at an
 * event not later than the one that writes the cell: the same is then true in the sorted product.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_AXIS_SCHEDULE_H
#define XTA_PLANNER_AXIS_SCHEDULE_H

#include "planner/model/layout.h"

/* How memory is counted: live cells, pieces held, fragments held. */
typedef enum xta__measure { XTA__LIVE, XTA__PIECES, XTA__FRAGMENTS } xta__measure;

typedef struct xta__axis_schedule {
    int64_t length;
    int64_t n[2];     /* pieces of each side */
    int64_t *edge[2]; /* n + 1 each */
    int64_t n_events;
    int64_t *first[2]; /* event e moves the pieces first[e] to first[e + 1] - 1 */
    int64_t n_groups;  /* group g holds the events group[g] to group[g + 1] - 1 */
    int64_t *group;
    int64_t n_fragments; /* fragments of the pieces read, one for each output block */
    int64_t n_stretches; /* the same, counting a fold as one block */
    int64_t *part;       /* the edges of these stretches */
    int64_t *fragment_first,
        *fragment_last; /* n_events + 1: number of fragments read before event e, and freed */
    int64_t *come;      /* n_events + 1: cells below this one are read before event e */
    int64_t *gone[3];   /* cells below this one are freed before event e, by each measure */
} xta__axis_schedule;

/* The input for a schedule: edges of pieces, ends of events, and ends of groups (none: one
 * group). */
typedef struct xta__schedule_spec {
    const int64_t *edge[2];
    int64_t n[2];
    const int64_t *event; /* ends of events: all edges except the leading 0 */
    int64_t n_events;
    const int64_t *group; /* ends */
    int64_t n_groups;
    bool by_begin; /* an event belongs to the group in which it begins, not in which it ends */
} xta__schedule_spec;

/* XTA_ENOMEM. */
xta_status xta__axis_schedule_init(xta__axis_schedule *schedule, const xta__span *span,
                                   const xta__schedule_spec *spec);
void xta__axis_schedule_clear(xta__axis_schedule *schedule);

/* The union of edges, ascending, without duplicates; `out` has enough capacity. Returns how
 * many. */
int64_t xta__merge_edges(const int64_t *a, int64_t n_a, const int64_t *b, int64_t n_b,
                         int64_t *out);

typedef struct xta__recipe {
    int ndim;
    int group_order[XTA_MAX_NDIM]; /* slowest axis first */
    int event_order[XTA_MAX_NDIM];
    /* borrowed or owned, depending on the owner of the recipe */
    const xta__axis_schedule *schedule[XTA_MAX_NDIM];
} xta__recipe;

void xta__recipe_order(xta__recipe *recipe, const int order[]);

/* Schedules that live as long as their owner. */
typedef struct xta__schedule_pool {
    size_t n, capacity;
    xta__axis_schedule **schedule;
} xta__schedule_pool;

xta_status xta__schedule_pool_add(xta__schedule_pool *pool, const xta__span *span,
                                  const xta__schedule_spec *spec,
                                  const xta__axis_schedule **schedule);
/* Free the most recently added schedule. */
void xta__schedule_pool_drop(xta__schedule_pool *pool);
/* Copy the schedules of `recipe` into the pool, and make the recipe use the copies. */
xta_status xta__schedule_pool_keep(xta__schedule_pool *pool, xta__recipe *recipe);
void xta__schedule_pool_clear(xta__schedule_pool *pool);

#endif
