/* What a question selects on one axis, in runs of groups of one level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_RUNS_H
#define XTA_CUBE_RUNS_H

#include "cube/state.h"

/* Level of cells that have to be read from the base, whatever the levels of other axes. */
#define XTA__FROM_BASE (-1)

/* Groups [lo, hi) of a level; item[g - lo]: the coordinate of the answer that group g is for. */
typedef struct xta__run {
    int level;
    int64_t lo, hi;
    size_t *item;
    size_t capacity;
} xta__run;

/* How the coordinates of an axis of the answer are made. */
typedef enum xta__grouping {
    XTA__REDUCED = 0, /* one, which is no axis of the answer */
    XTA__KEPT,        /* each cell */
    XTA__BLOCKS,      /* blocks of `cells` */
    XTA__PERIODS      /* groups of a calendar */
} xta__grouping;

typedef struct xta__answer_axis {
    int axis; // of the base
    xta__grouping grouping;
    int64_t cells;
    xta_calendar_group by;
    xta_calendar calendar;
    int64_t *labels; // ascending, or in the order of the cells that are kept
    size_t n;
} xta__answer_axis;

typedef struct xta__axis_runs {
    xta__run *runs;
    size_t n, capacity;
} xta__axis_runs;

/* Find the runs of `n` cells of an axis, in this order, and the labels of the answer. */
xta_status xta__runs_find(const xta_cube *cube, int k, const int64_t *cells, size_t n,
                          xta__answer_axis *answer, xta__axis_runs *runs, xta_error *err);
void xta__runs_clear(xta__axis_runs *runs);

/* The same run in cells of the base; for the caller to free its items. */
xta_status xta__run_of_cells(const xta__cube_axis *axis, const xta__run *run, xta__run *cells,
                             xta_error *err);

#endif
