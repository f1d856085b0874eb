/* The number of runs and seeks for the pieces of a component.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SEEKS_H
#define XTA_PLANNER_SEEKS_H

#include "planner/model/axis_schedule.h"

typedef struct xta__seeks {
    uint64_t n;     /* number of pieces */
    uint64_t runs;  /* R */
    uint64_t seeks; /* T */
    uint64_t cells; /* cells moved, including those of slots beyond the bounds */
} xta__seeks;

/* What one axis contributes on one side. */
typedef struct xta__tally {
    uint64_t length;
    uint64_t cut;          /* number of pieces of blocks that are cut */
    uint64_t whole;        /* number of uncut blocks that fill their slots */
    uint64_t clipped;      /* number of uncut blocks that are shorter than their slots */
    uint64_t uncut_length; /* total length of both kinds of uncut blocks */
    uint64_t slot_length;  /* total length of their slots */
    /* total length of the slots of all pieces, counted once for each piece */
    uint64_t pieces_length;
} xta__tally;

xta__tally xta__tally_axis(const xta_rechunk_problem *problem, const xta__span *span,
                           const xta__axis_schedule *schedule, int axis, int side);

xta__seeks xta__seeks_sum(const xta_rechunk_problem *problem, const xta__tally tally[], int side);

/* The sum for one side of a component. */
xta__seeks xta__seeks_of(const xta_rechunk_problem *problem, const xta__span *const span[],
                         const xta__recipe *recipe, int side);

/* The runs of one piece [lo, hi) in the block [block_lo, block_hi). */
uint64_t xta__piece_runs(const xta_rechunk_problem *problem, int side, const xta_box *piece,
                         const xta_box *block);

#endif
