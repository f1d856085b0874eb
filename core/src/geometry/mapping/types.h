/* The data structures of a mapping from chunk coordinates to addresses.
 *
 * A mapping gives every chunk of the allocated box an address. It is a list of axial records, one
 * for each segment, and for each axis a way to find the last record at or before a coordinate.
 *
 * Growth has two parts, so that a caller can write its journal in between: xta__mapping_reserve
 * does everything that can fail, xta__mapping_grow cannot fail. One thread may grow the mapping
 * while others compute addresses of chunks that they already know: records are only added, tables
 * are only replaced by longer ones, and what is replaced stays allocated until clear.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_TYPES_H
#define XTA_GEOMETRY_MAPPING_TYPES_H

#include <stdatomic.h>

#include "base/base.h"
#include "geometry/tree/o2tree.h"

/* If an axis has more chunks than this, an O2-tree replaces its direct table (4 bytes per chunk).
 * Measured in docs/decisions/0006-o2tree.md. */
#define XTA__TABLE_LIMIT ((uint64_t)1 << 22)

/* The part of a record that the inverse and the segment list need; F* itself reads only its row. */
typedef struct xta__axial_record {
    uint64_t base; /* address of the first chunk of the segment */
    int axis;      /* grown axis; for the initial segment 0 */
    xta_side side;
    bool initial;
} xta__axial_record;

/* This many coordinates of one record are listed as a run: otherwise an axis of 10^6 chunks would
 * take 10^3 page faults to open. They are entered into the table after this many look-ups. */
#define XTA__LONG_RUN     4096
#define XTA__RUN_LOOK_UPS 4096

/* Coordinates lo .. hi - 1 of an axis, all of one record. */
typedef struct xta__run {
    int64_t lo, hi;
    uint32_t record;
} xta__run;

/* What supplements the direct table of an axis, or replaces it: long runs, which are searched
 * before the table; two trees (keys: first coordinate at the back; -1 - first coordinate at the
 * front). */
typedef struct xta__axis_search {
    uint32_t *block;            /* 0 where the box has not reached yet */
    int64_t block_lo, block_hi; /* coordinates that `block` has entries for */
    xta__run *runs;
    size_t n_runs, runs_capacity;
    xta__o2tree *back, *front;
} xta__axis_search;

/* How the record of a chunk is found. A mapping only moves on to a later value, except back from
 * runs to tables. */
typedef enum xta__search {
    XTA__ONE_SEGMENT, /* no search: one record covers the allocated box */
    XTA__BY_TABLES,
    XTA__BY_RUNS,
    XTA__BY_TREES
} xta__search;

typedef struct xta__mapping {
    /* What F* reads, together. table[axis][c] is the record of chunk coordinate c, lo <= c < hi:
     * the pointer is moved so that entry 0 is coordinate 0. Row r: 1 + 2 * ndim words: the folded
     * origin, a coefficient for each axis, the box's lo. Once an axis uses trees its table covers
     * only the coordinates it had then, and F* always takes the slow path. */
    _Atomic(unsigned) search_by; /* xta__search */
    int ndim;
    _Atomic(uint64_t *) rows;
    _Atomic(const uint32_t *) table[XTA_MAX_NDIM];

    int64_t lo[XTA_MAX_NDIM]; /* the allocated box, in chunks */
    int64_t hi[XTA_MAX_NDIM];
    uint64_t n_chunks;
    uint64_t table_limit;
    unsigned run_look_ups; /* done while runs are listed */

    xta__axial_record *records;
    uint32_t n_records, records_capacity;
    xta__axis_search search[XTA_MAX_NDIM];

    void **retired; /* blocks that a reader may still be using */
    size_t n_retired, retired_capacity;
} xta__mapping;

/* One growth in chunks. */
typedef struct xta__chunk_growth {
    int axis;
    xta_side side;
    uint64_t n; /* chunks, may be 0 */
} xta__chunk_growth;

/* The number of words of a row. */
static inline size_t xta__row_words(int ndim)
{
    return 1 + 2 * (size_t)ndim;
}

#endif
