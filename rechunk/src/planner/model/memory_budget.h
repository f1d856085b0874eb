/* The memory that a limit leaves for pending pieces, after staging buffers are subtracted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_MEMORY_BUDGET_H
#define XTA_PLANNER_MEMORY_BUDGET_H

#include "planner/model/axis_schedule.h"

/* Bytes of a staging buffer under a limit: enough for large operations; a row, if rows are longer
 * and the limit allows it; a block, if only whole blocks can be moved. */
uint64_t xta__staging_under(const xta_rechunk_problem *problem, xta__measure measure,
                            uint64_t limit);

/* The bytes that a limit leaves for pieces; 0 if not even staging fits. */
uint64_t xta__budget_under(const xta_rechunk_problem *problem, xta__measure measure,
                           uint64_t limit);

/* The least limit that leaves `need` bytes. */
uint64_t xta__limit_for(const xta_rechunk_problem *problem, xta__measure measure, uint64_t need);

#endif
