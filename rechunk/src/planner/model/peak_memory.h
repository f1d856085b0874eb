/* The peak memory of a recipe.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_PEAK_MEMORY_H
#define XTA_PLANNER_PEAK_MEMORY_H

#include "planner/model/axis_schedule.h"

/* An event of a component, in cells: those not freed before it, and those read up to it. The cells
 * held are left + read - all. */
typedef struct xta__point {
    uint64_t left, read;
} xta__point;

/* The points, in the order of events, that maximise some linear combination of both. */
typedef struct xta__hull {
    uint64_t cells; /* number of all cells */
    size_t n, capacity;
    xta__point *point;
} xta__hull;

/* The hull of the events (by LIVE or PIECES) over all axes except `without` (-1: over all).
 * XTA_ENOMEM. */
xta_status xta__hull_init(xta__hull *hull, const xta__recipe *recipe, int without,
                          xta__measure measure);
void xta__hull_clear(xta__hull *hull);

/* The maximum of left * a + read * b. */
uint64_t xta__hull_max(const xta__hull *hull, uint64_t a, uint64_t b);

/* The most bytes held at once, without staging. Never too low. It is exact unless the component has
 * more than XTA__MOST_TOURED events or, with FRAGMENTS, more than `most_fragments` fragments, or
 * unless it is `stop` or more: the result may then be anything from `stop` on. XTA_ENOMEM. */
xta_status xta__peak(const xta__recipe *recipe, xta__measure measure, uint64_t cell_bytes,
                     uint64_t most_fragments, uint64_t stop, uint64_t *peak);

#define XTA__MOST_TOURED ((uint64_t)1 << 20)

/* The number of events. */
uint64_t xta__recipe_events(const xta__recipe *recipe);

#endif
