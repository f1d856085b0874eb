/* Baseline, split and merge: nothing is held from step to step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_ONE_SIDED_H
#define XTA_PLANNER_ONE_SIDED_H

#include "planner/model/search.h"

xta_status xta__plan_baseline(xta__search *search);
xta_status xta__plan_one_sided(xta__search *search, int side);

/* Try all that split (XTA__FROM) or merge (XTA__TO) tries; n: the blocks of a slab on each axis
 * that it ends with. */
xta_status xta__try_one_sided(xta__search *search, int side, int64_t n[]);

#endif
