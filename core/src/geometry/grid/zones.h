/* Which rank of a process grid holds which chunks and cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_GRID_ZONES_H
#define XTA_GEOMETRY_GRID_ZONES_H

#include <xta/zones.h>

#include "base/base.h"

/* The rows of the process grid that contain a rank, one for each axis; false if there is no such
 * rank. */
XTA_PRIVATE_API bool xta__zones_place(const xta_zones *zones, int rank, int rows[]);

/* The rows that may hold cells of [lo, hi) on an axis: `*first` and the rows after it, as many as
 * the return value says; row 0 follows the last row. The interval is not empty and lies within the
 * zones. */
XTA_PRIVATE_API int xta__zones_rows(const xta_zones *zones, int axis, int64_t lo, int64_t hi,
                                    int *first);

/* `count` stretches of `length` cells on an axis, the first at `begin`, each `spacing` cells after
 * the previous one. */
typedef struct xta__zone_run {
    int64_t begin;
    int64_t length;
    int64_t count;
    int64_t spacing;
} xta__zone_run;

/* The part of an interval of cells on one axis that a row of the process grid holds. In its zone,
 * where its blocks are packed one after another, these cells have no gap. */
typedef struct xta__zone_piece {
    int64_t before; /* cells of its zone before the first of these */
    int64_t n;      /* cells; 0: nothing */
    int n_runs;     /* ascending */
    xta__zone_run runs[3];
} xta__zone_piece;

/* The part of [lo, hi), which lies within the zones; `bound_lo` <= lo is where the zones are
 * clipped. */
XTA_PRIVATE_API void xta__zones_piece(const xta_zones *zones, int axis, int row, int64_t bound_lo,
                                      int64_t lo, int64_t hi, xta__zone_piece *part);

#endif
