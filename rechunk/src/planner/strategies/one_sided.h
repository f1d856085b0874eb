/* Baseline, split and merge: nothing is held in memory from one step to the next.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_ONE_SIDED_H
#define XTA_PLANNER_ONE_SIDED_H

#include "planner/model/search.h"

xta_status xta__plan_baseline(xta__search *search);
xta_status xta__plan_one_sided(xta__search *search, int side);

/* Try every slab that split (XTA__FROM) or merge (XTA__TO) would try; n: the final number of blocks
 * of a slab on each axis. */
xta_status xta__try_one_sided(xta__search *search, int side, int64_t n[]);

#endif
