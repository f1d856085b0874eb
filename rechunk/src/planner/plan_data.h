/* The data of a plan: a recipe for each kind of component.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_PLAN_DATA_H
#define XTA_PLANNER_PLAN_DATA_H

#include "planner/model/axis_schedule.h"

struct xta_rechunk_plan {
    xta_rechunk_problem problem; /* with its axes in reverse, if `reversed` */
    bool reversed;
    uint64_t enough; /* if no plan fits: the bytes that would be enough; UINT64_MAX: none */
    int64_t *edges;  /* copies of irregular cuts */
    xta__layout layout;
    xta__recipe *recipe; /* one for each kind of component */
    xta__schedule_pool pool;
    xta_rechunk_facts facts;
};

#endif
