/* The process grid that is chosen if the user gives none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_GRID_PROCESS_GRID_H
#define XTA_GEOMETRY_GRID_PROCESS_GRID_H

#include "base/base.h"

/* The grid that is chosen if none is given; ndim entries. XTA_ENOMEM. */
xta_status xta__process_grid(int n_ranks, const xta_box *chunks, int grid[]);

#endif
