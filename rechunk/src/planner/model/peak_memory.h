/* How much memory a recipe holds at most.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_PEAK_MEMORY_H
#define XTA_PLANNER_PEAK_MEMORY_H

#include "planner/model/axis_schedule.h"

/* An event of a component, in cells: those not freed before it, and those read up to it. Held are
 * left + read - all. */
typedef struct xta__point {
    uint64_t left, read;
} xta__point;

/* Those points, in the order of events, that are the greatest for some mixture of both. */
typedef struct xta__hull {
    uint64_t cells; /* of all */
    size_t n, capacity;
    xta__point *point;
} xta__hull;

/* XTA_ENOMEM. The hull of the events (LIVE or PIECES) over all axes but `without` (-1: over
 * all). */
xta_status xta__hull_init(xta__hull *hull, const xta__recipe *recipe, int without,
                          xta__measure measure);
void xta__hull_clear(xta__hull *hull);

/* The greatest of left * a + read * b. */
uint64_t xta__hull_max(const xta__hull *hull, uint64_t a, uint64_t b);

/* The most bytes held at once, without staging. Never too low; exact unless the component has
 * more than XTA__MOST_TOURED events, or, of PARTS, more than `most_fragments` parts, or unless
 * it is `stop` or more, where the answer may be anything from `stop` on. XTA_ENOMEM. */
xta_status xta__peak(const xta__recipe *recipe, xta__measure measure, uint64_t cell_bytes,
                     uint64_t most_fragments, uint64_t stop, uint64_t *peak);

#define XTA__MOST_TOURED ((uint64_t)1 << 20)

/* How many events there are. */
uint64_t xta__recipe_events(const xta__recipe *recipe);

#endif
