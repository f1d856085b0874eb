/* Private header: checking the invariants of plans, for debug builds and tests.
 *
 * P1  A piece is not empty and lies in the one block that its operation names; `whole` is true.
 * P2  Each cell of the bounds is read by one operation.
 * P3  Each cell of the bounds is written by one operation.
 * P4  No cell is written before it is read.
 * P5  Live cells (read, not yet written) never exceed the number in the facts, nor a limit on them.
 * P6  The memory in the facts is within the limit, if the limit counts allocated memory.
 * P7  The numbers of operations, runs and components are those in the facts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_CHECK_PLAN_H
#define XTA_PLANNER_CHECK_PLAN_H

#include "planner/plan_data.h"

/* Plans with more cells are not checked. */
#define XTA__MOST_CHECKED_CELLS 4096

/* The state of a check; two bytes for each cell. Nothing is allocated, so that tests with failing
 * allocations are not affected. */
typedef struct xta__plan_check {
    const xta_rechunk_problem *problem;
    const xta_rechunk_facts *facts;
    uint64_t live_bytes;
    uint64_t n[2], runs[2]; /* operations, and their runs, of each side */
    uint64_t n_cells[2];    /* cells read, cells written */
    bool moved[2][XTA__MOST_CHECKED_CELLS];
} xta__plan_check;

/* Begin a check; `problem` has the axes of the operations. False: too large to be checked. */
bool xta__plan_check_init(xta__plan_check *check, const xta_rechunk_problem *problem,
                          const xta_rechunk_facts *facts);

/* Check the next operation: NULL, or the invariant that it violates, as in "P4: ...". */
const char *xta__plan_check_op(xta__plan_check *check, const xta_rechunk_op *op);

/* Check after the last operation. */
const char *xta__plan_check_end(const xta__plan_check *check);

/* Check a whole plan: NULL, also if it is too large; or the invariant that it violates. */
const char *xta__check_plan(const xta_rechunk_plan *plan);

#endif
