/* The problem of a plan: checked, copied with its edges, and its axes reversed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_PROBLEM_H
#define XTA_PLANNER_PROBLEM_H

#include <xta/rechunk.h>

#include "util/checked.h"
#include "util/compiler.h"
#include "util/try.h"

/* The two sides of a problem. */
#define XTA__FROM 0
#define XTA__TO   1

/* Axis number `i` of a side, counted from its slowest axis. */
static inline int xta__slow_axis(const xta_rechunk_problem *problem, int side, int i)
{
    bool column = side == XTA__FROM ? problem->from_column : problem->to_column;

    return column ? problem->bounds.ndim - 1 - i : i;
}

/* XTA_EARG: bounds, cuts or sizes are invalid. */
xta_status xta__problem_check(const xta_rechunk_problem *problem, xta_error *err);

/* Copy a problem; its irregular cuts are copied to *edges, which the caller frees. XTA_ENOMEM. */
xta_status xta__problem_copy(const xta_rechunk_problem *problem, xta_rechunk_problem *copy,
                             int64_t **edges);

/* The same problem with its axes in reverse: what was column-major is row-major. */
void xta__problem_reverse(xta_rechunk_problem *problem);

/* A set of axes, bit d for axis d, with the axes in reverse. */
unsigned xta__reverse_axes(unsigned axes, int ndim);

#endif
