/* Slabs, where no uncut plan fits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_SLABS_H
#define XTA_PLANNER_SLABS_H

#include "planner/strategies/sweep_search.h"

/* Try slabs of each axis in turn. `sweep` has the options of all axes. */
xta_status xta__plan_slabs(xta__search *search, xta__sweep *sweep);

#endif
