/* The door of plan/: which chunks a box touches, which of their cells, and in which runs; which
 * rank holds them. Decisions, no I/O.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLAN_PLAN_H
#define XTA_PLAN_PLAN_H

#include "base/base.h"

#include <xta/zones.h>

/* The cells lo, lo + step, ... of a box, against the grid of chunks. */
typedef struct xta__region {
    int ndim;
    int64_t lo[XTA_MAX_NDIM];
    int64_t step[XTA_MAX_NDIM];
    int64_t count[XTA_MAX_NDIM]; /* selected cells on each axis */
    int64_t chunk[XTA_MAX_NDIM];
    xta_box chunks; /* chunk coordinates from the first to the last selected cell */
    uint64_t n_cells;
    uint64_t n_chunks;
} xta__region;

/* What one chunk contributes on one axis: selected cells number `index` .. `index + count - 1`, the
 * first of them at `within` from the chunk's begin. count may be 0 where steps are longer than
 * chunks. */
typedef struct xta__slice {
    int64_t index;
    int64_t count;
    int64_t within;
} xta__slice;

/* `step` NULL: 1. XTA_EOVERFLOW where the region has more than 2^63 - 1 cells. */
XTA_PRIVATE_API xta_status xta__region_init(xta__region *region, const xta_box *box,
                                            const int64_t step[], const int64_t chunk[]);

XTA_PRIVATE_API xta__slice xta__region_slice(const xta__region *region, int axis,
                                             int64_t chunk_coord);

/* The address of a chunk. */
typedef uint64_t xta__address_of(void *user, const int64_t coord[]);

/* Chunks of a box in batches of bounded size, each batch in ascending order of addresses. Within a
 * batch chunks whose addresses follow each other are a run. */
typedef struct xta__batch {
    size_t n;
    uint64_t *addresses;
    int64_t *coords; /* ndim for each */
} xta__batch;

typedef struct xta__batches {
    xta_box chunks;
    int64_t next[XTA_MAX_NDIM];
    bool ended;
    xta__address_of *address_of;
    void *user;
    size_t room;
    struct xta__batch_item *items;
    int64_t *unsorted;
    xta__batch batch;
} xta__batches;

#define XTA__BATCH_CHUNKS 4096

/* XTA_ENOMEM. */
xta_status xta__batches_init(xta__batches *batches, const xta_box *chunks,
                             xta__address_of *address_of, void *user);

/* The next batch; NULL when there are no more. Valid until the next call. */
const xta__batch *xta__batches_next(xta__batches *batches);
void xta__batches_clear(xta__batches *batches);

/* How many chunks from `first` on have addresses that follow each other, at most `most`. */
size_t xta__batch_run(const xta__batch *batch, size_t first, size_t most);

/* ---- ahead.c ---- */

enum { XTA__MOST_RANGES = 128 };

/* Cells of one chunk as they lie in the file: count[k] of them on each axis, stride[k] bytes apart,
 * the first at byte `begin`. */
typedef struct xta__file_cells {
    int ndim;
    uint64_t begin;
    size_t cell_bytes;
    const size_t *count;
    const ptrdiff_t *stride; /* none is negative */
} xta__file_cells;

/* Bytes of a file that a read wants for its chunk number `turn`, and perhaps for some before it. */
typedef struct xta__file_range {
    uint64_t begin, end;
    uint64_t turn;
    bool run; /* a long one, or the end of one */
} xta__file_range;

/* A run is long from so many bytes on. */
#define XTA__RUN_BYTES ((uint64_t)64 << 20)

/* Ranges to be fetched before a read gets there. One fetch brings a unit of the file, whatever is
 * wanted of it; units begin at multiples of `unit` bytes from byte `phase` before the first one. */
typedef struct xta__file_ranges {
    uint64_t unit, phase;
    uint64_t run_begin, run_end; /* of the last range that was put in order */
    size_t n;
    xta__file_range items[XTA__MOST_RANGES];
} xta__file_ranges;

/* Add the ranges of some cells, unsorted; false if they do not all fit. *bytes grows by the most
 * that fetching them can read. */
bool xta__ranges_add(xta__file_ranges *ranges, const xta__file_cells *cells, uint64_t turn,
                     uint64_t *bytes);

/* Put ranges in file order, join those with no unwanted unit between them, and mark long runs; the
 * first range may continue the last one of the call before. */
void xta__ranges_order(xta__file_ranges *ranges);

/* Where the first unit of a range ends, or the range. */
uint64_t xta__range_cut(const xta__file_ranges *ranges, const xta__file_range *range);

/* ---- zones.c ---- */

/* The rows of the process grid that a rank stands in, one for each axis; false for no rank. */
XTA_PRIVATE_API bool xta__zones_place(const xta_zones *zones, int rank, int rows[]);

/* The rows that may hold cells of [lo, hi) on an axis: `*first` and those behind it, as many as are
 * returned, going on with row 0 behind the last. The interval is not empty and within the zones. */
XTA_PRIVATE_API int xta__zones_rows(const xta_zones *zones, int axis, int64_t lo, int64_t hi,
                                    int *first);

/* `count` stretches of `length` cells on an axis, the first at `begin`, each `spacing` after the
 * one before. */
typedef struct xta__zone_run {
    int64_t begin;
    int64_t length;
    int64_t count;
    int64_t spacing;
} xta__zone_run;

/* What a row of the process grid holds of an interval of cells on one axis. In its zone, where its
 * blocks stand one after another, these cells have no gap. */
typedef struct xta__zone_part {
    int64_t before; /* cells of its zone before the first of these */
    int64_t n;      /* cells; 0: nothing */
    int n_runs;     /* ascending */
    xta__zone_run runs[3];
} xta__zone_part;

/* The part of [lo, hi), which lies within the zones; `bound_lo` <= lo is where the zones are
 * cut. */
XTA_PRIVATE_API void xta__zones_part(const xta_zones *zones, int axis, int row, int64_t bound_lo,
                                     int64_t lo, int64_t hi, xta__zone_part *part);

/* ---- process_grid.c ---- */

/* The grid that is chosen where none is given; ndim entries. XTA_ENOMEM. */
xta_status xta__process_grid(int n_ranks, const xta_box *chunks, int grid[]);

#endif
