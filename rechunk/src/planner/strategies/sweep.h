/* Sweep: the plan with the fewest runs that can be found.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SWEEP_H
#define XTA_PLANNER_SWEEP_H

#include "planner/model/search.h"

/* The cheapest of all plans tried, uncut ones first. */
xta_status xta__plan_sweep(xta__search *search);

#endif
