/* Which bytes of a file to fetch before a read reaches them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_REGION_READ_AHEAD_H
#define XTA_GEOMETRY_REGION_READ_AHEAD_H

#include "base/base.h"

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

/* Bytes of a file that a read needs for its chunk number `turn`, and perhaps for some before it. */
typedef struct xta__file_range {
    uint64_t begin, end;
    uint64_t turn;
    bool run; /* a long one, or the end of one */
} xta__file_range;

/* A run of this many bytes or more is long. */
#define XTA__RUN_BYTES ((uint64_t)64 << 20)

/* Ranges to be fetched before a read reaches them. One fetch reads a whole unit of the file; units
 * begin at multiples of `unit` bytes from byte `phase` before the first one. */
typedef struct xta__file_ranges {
    uint64_t unit, phase;
    uint64_t run_begin, run_end; /* of the last range that was sorted */
    size_t n;
    xta__file_range items[XTA__MOST_RANGES];
} xta__file_ranges;

/* Add the ranges of some cells, unsorted; false if they do not all fit. *bytes grows by the most
 * that fetching them can read. */
bool xta__ranges_add(xta__file_ranges *ranges, const xta__file_cells *cells, uint64_t turn,
                     uint64_t *bytes);

/* Put ranges in file order, join those with no unneeded unit between them, and mark long runs; the
 * first range may continue the last one of the previous call. */
void xta__ranges_order(xta__file_ranges *ranges);

/* Where the first unit of a range ends, or the range if that ends earlier. */
uint64_t xta__range_cut(const xta__file_ranges *ranges, const xta__file_range *range);

#endif
