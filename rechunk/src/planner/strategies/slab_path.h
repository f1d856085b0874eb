/* The slabs with the fewest runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SLAB_PATH_H
#define XTA_PLANNER_SLAB_PATH_H

#include "planner/strategies/slab_plan.h"

/* Try the slabs with the fewest runs; `fits`: they are within the budget. */
xta_status xta__slabs_path(xta__slabs *slabs, bool *fits);

#endif
