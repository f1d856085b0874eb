/* Keep: blocks of a chosen shape are read one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_KEEP_H
#define XTA_PLANNER_KEEP_H

#include "planner/model/search.h"

/* The plan with the fewest seeks or, with `by_cost`, the cheapest one below the search's limit. */
xta_status xta__plan_keep(xta__search *search, bool by_cost);

#endif
