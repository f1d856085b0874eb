/* Private header: a position among the operations of a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_PLAN_ITERATOR_H
#define XTA_PLANNER_PLAN_ITERATOR_H

#include "planner/plan_data.h"

/* A piece on one axis, and the block that it lies in. */
typedef struct xta__piece_digit {
    int64_t number; /* number of the piece in the schedule that contains it */
    int64_t lo, hi;
    int64_t block, block_lo, block_hi;
} xta__piece_digit;

struct xta_rechunk_iterator {
    const xta_rechunk_plan *plan;
    uint64_t next, end; /* component numbers */
    bool inside;        /* a component has been entered */
    const xta__recipe *recipe;
    int64_t lo[XTA_MAX_NDIM]; /* where the component begins */
    int64_t group[XTA_MAX_NDIM];
    int64_t event[XTA_MAX_NDIM];
    int side;    /* of the event: first reads, then writes */
    bool moving; /* `piece` is valid */
    xta__piece_digit piece[XTA_MAX_NDIM];
};

/* Move to the first operation of the `n` components from `first` on, which must exist. */
void xta__plan_iterator_init(xta_rechunk_iterator *walk, const xta_rechunk_plan *plan,
                             uint64_t first, uint64_t n);

#endif
