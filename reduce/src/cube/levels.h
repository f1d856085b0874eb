/* Levels of the axes of a cube, and which groups of a level cells and finer groups belong to.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_LEVELS_H
#define XTA_CUBE_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/calendar_groups.h>

enum { XTA__CUBE_MOST_LEVELS = 12, XTA__LEVEL_NAME_BYTES = 24 };

/* A level: blocks of `cells`, or periods of a calendar. */
typedef struct xta__level {
    int64_t cells;         // of a block; 0: periods
    xta_calendar_group by; // of periods
    char name[XTA__LEVEL_NAME_BYTES];
} xta__level;

/* The levels of an axis. Level 0 is always that of the cells. */
typedef struct xta__cube_axis {
    char *name; // of the axis, or its number
    xta__level levels[XTA__CUBE_MOST_LEVELS];
    int n_levels;
    int first;             // the first listed level: 0 or 1
    int64_t lo, hi;        // bounds of the base
    xta_instant *instants; // of the cells; NULL: not a time
    xta_calendar calendar; // of them
} xta__cube_axis;

/* Parse levels of all axes into `axes`, whose names are set. Axes are named by the names that the
 * base has, or by numbers; if `base` is NULL, by numbers alone. */
xta_status xta__levels_parse(const char *text, xta__cube_axis axes[], int ndim, xta_array *base,
                             xta_error *err);

/* Whether a level above the cells is of a calendar. */
bool xta__levels_need_times(const xta__cube_axis *axis);

/* Read the instants of an axis, and check that they ascend. */
xta_status xta__levels_read_times(xta__cube_axis *axis, xta_array *base, int k, xta_error *err);

/* The group of level `to` in which group `index` of the finer level `from` lies. Monotonic. */
int64_t xta__level_parent(const xta__cube_axis *axis, int from, int to, int64_t index);

/* The groups of level `level` that the cells [lo, hi), not empty, belong to. */
void xta__level_groups(const xta__cube_axis *axis, int level, int64_t lo, int64_t hi,
                       int64_t range[2]);

/* The first group of level `from` in [lo, hi) whose parent is not below `parent`; `hi`: none. */
int64_t xta__level_lower_bound(const xta__cube_axis *axis, int from, int to, int64_t lo, int64_t hi,
                               int64_t parent);

void xta__levels_clear(xta__cube_axis *axis);

#endif
