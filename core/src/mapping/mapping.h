/* The door of mapping/: axial vectors, F* and its inverse. Integers in, integers out.
 *
 * A mapping gives every chunk of the allocated box an address. It is a list of axial records, one
 * for each segment, and for each axis a way to find the record that a coordinate reaches last.
 *
 * Growth is in two parts, so that a caller can write its journal in between: xta__mapping_reserve
 * does all that can fail, xta__mapping_grow cannot fail. One thread may grow while others compute
 * addresses of chunks that they learned of before: records are only added, tables are only replaced
 * by longer ones, and what is replaced stays allocated until clear.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_MAPPING_MAPPING_H
#define XTA_MAPPING_MAPPING_H

#include <stdatomic.h>

#include "base/base.h"
#include "o2tree/o2tree.h"

/* Above so many chunks on an axis, its direct table (4 bytes for each) gives way to an O2-tree.
 * Measured in docs/decisions/0006-o2tree.md. */
#define XTA__TABLE_LIMIT ((uint64_t)1 << 22)

/* What the inverse and the segment list need of a record; F* itself reads only its row. */
typedef struct xta__axial_record {
    uint64_t base; /* address of the first chunk of the segment */
    int axis;      /* grown axis; for the initial segment 0 */
    xta_side side;
    bool initial;
} xta__axial_record;

/* So many coordinates that reach one record are listed as a run: an axis of 10^6 chunks would take
 * 10^3 page faults to open. They are entered into the table after so many look-ups. */
#define XTA__LONG_RUN     4096
#define XTA__RUN_LOOK_UPS 4096

/* Coordinates lo .. hi - 1 of an axis, all of one record. */
typedef struct xta__run {
    int64_t lo, hi;
    uint32_t record;
} xta__run;

/* What stands behind the direct table of an axis, or in its place: long runs, which go before the
 * table; two trees (keys: first coordinate at the back; -1 - first coordinate at the front). */
typedef struct xta__axis_search {
    uint32_t *block;            /* 0 where the box has not been yet */
    int64_t block_lo, block_hi; /* coordinates that `block` has room for */
    xta__run *runs;
    size_t n_runs, runs_room;
    xta__o2tree *back, *front;
} xta__axis_search;

/* How the record of a chunk is found. A mapping goes to a later one, and back from runs to
 * tables. */
typedef enum xta__search {
    XTA__ONE_SEGMENT, /* nothing to search: one record covers the allocated box */
    XTA__BY_TABLES,
    XTA__BY_RUNS,
    XTA__BY_TREES
} xta__search;

typedef struct xta__mapping {
    /* What F* reads, together. table[axis][c] is the record of chunk coordinate c, lo <= c < hi:
     * the pointer is moved so that entry 0 is coordinate 0. Row r: 1 + 2 * ndim words: the folded
     * origin, a coefficient for each axis, the box's lo. Once an axis uses trees its table answers
     * only for the coordinates it had then, and F* as a whole goes the slow way. */
    _Atomic(unsigned) search_by; /* xta__search */
    int ndim;
    _Atomic(uint64_t *) rows;
    _Atomic(const uint32_t *) table[XTA_MAX_NDIM];

    int64_t lo[XTA_MAX_NDIM]; /* the allocated box, in chunks */
    int64_t hi[XTA_MAX_NDIM];
    uint64_t n_chunks;
    uint64_t table_limit;
    unsigned run_look_ups; /* done with runs on the list */

    xta__axial_record *records;
    uint32_t n_records, records_room;
    xta__axis_search search[XTA_MAX_NDIM];

    void **retired; /* blocks that a reader may still be looking at */
    size_t n_retired, retired_room;
} xta__mapping;

/* One growth in chunks. */
typedef struct xta__chunk_growth {
    int axis;
    xta_side side;
    uint64_t n; /* chunks, may be 0 */
} xta__chunk_growth;

/* Allocate the first box, row-major from address 0. `lo` is 0 on each axis for an array that
 * begins; an empty box may begin elsewhere. XTA_EOVERFLOW, XTA_ENOMEM: nothing is left behind. */
xta_status xta__mapping_init(xta__mapping *mapping, int ndim, const int64_t lo[],
                             const int64_t hi[], uint64_t table_limit);

/* Rebuild from a checkpoint: `first` is the box of the first segment (or the allocated box, if
 * there is no record), `records` the axial records, `n_chunks` the chunks of all. XTA_ECORRUPT if
 * they contradict each other, XTA_ENOMEM. The same history gives the same addresses. */
xta_status xta__mapping_import(xta__mapping *mapping, const xta_box *first, uint64_t n_chunks,
                               uint32_t n_records, const xta__axial_record records[],
                               const int64_t coord_limit[], uint64_t max_chunks,
                               uint64_t table_limit);

/* What import wants as `first`. */
void xta__mapping_first_box(const xta__mapping *mapping, xta_box *first);

void xta__mapping_clear(xta__mapping *mapping);

/* Make room for a sequence of growths and check that no coordinate passes `coord_limit[axis]` (in
 * chunks, either sign) and that there will be at most `max_chunks` chunks. XTA_EOVERFLOW,
 * XTA_ENOMEM: nothing changed. */
xta_status xta__mapping_reserve(xta__mapping *mapping, const xta__chunk_growth *growths, int n,
                                const int64_t coord_limit[], uint64_t max_chunks);

/* Do one growth for which room was made. */
void xta__mapping_grow(xta__mapping *mapping, const xta__chunk_growth *growth);

/* Have room for `n` records more, and for as many coordinates at either end of each axis, if it can
 * be had. */
void xta__mapping_make_room(xta__mapping *mapping, uint32_t n);

/* Do one growth of at least one chunk if there is room for it and all that reserve asks for is so;
 * else false, and nothing is done: reserve makes room, or says what is wrong. */
bool xta__mapping_grow_within(xta__mapping *mapping, const xta__chunk_growth *growth,
                              int64_t coord_limit, uint64_t max_chunks);

/* What undo goes back to. */
typedef struct xta__mapping_mark {
    int64_t lo[XTA_MAX_NDIM];
    int64_t hi[XTA_MAX_NDIM];
    uint64_t n_chunks;
    uint32_t n_records;
} xta__mapping_mark;

/* Where the mapping stands, and back to it after growths that nobody has been told of. False, where
 * memory for new trees is wanting: then the mapping is not to be used any more. */
void xta__mapping_mark_here(const xta__mapping *mapping, xta__mapping_mark *mark);
bool xta__mapping_undo(xta__mapping *mapping, const xta__mapping_mark *mark);

/* A copy with a new axis of one chunk, coordinate 0, before axis `position`. */
xta_status xta__mapping_add_axis(const xta__mapping *mapping, int position, xta__mapping *out);

/* F^-1: the chunk at `address` < n_chunks. */
XTA_PRIVATE_API void xta__mapping_inverse(const xta__mapping *mapping, uint64_t address,
                                          int64_t coord[]);

/* Segment k < n_records: its record, the number of its chunks and the box of chunks it covers. */
void xta__mapping_segment(const xta__mapping *mapping, uint32_t k, uint64_t *n_chunks,
                          xta_box *chunks);

/* The last record that a coordinate of the axis reaches, through runs or trees: the slow way. */
uint32_t xta__search_record(const xta__axis_search *search, int64_t coord);

/* Enter all runs into the tables, which are quicker. */
void xta__mapping_enter_runs(xta__mapping *mapping);

/* The number of words of a row. */
static inline size_t xta__row_words(int ndim)
{
    return 1 + 2 * (size_t)ndim;
}

/* F*: the address of a chunk of the allocated box; false, and no address, where an axis needs its
 * runs or trees, which may be read only while nobody grows the mapping.
 *
 * A chunk belongs to the segment adjoined last among those its coordinates reach: of the ndim
 * candidate records the owner is the one with the greatest base address, and as records are
 * numbered in the order of their bases, the one with the greatest number. Then the address is one
 * dot product, modulo 2^64: coefficients of front segments are negative on the grown axis.
 *
 * [DRX] III, eq. for F*; [CXA] 3.4. */
static inline __attribute__((always_inline)) bool
xta__address_of_axes(const xta__mapping *mapping, const int64_t coord[], int ndim, uint64_t *out)
{
    const uint64_t *row = atomic_load_explicit(&mapping->rows, memory_order_acquire);

    // Whoever knows of a coordinate that needs more of a search has seen this set.
    unsigned search_by = atomic_load_explicit(&mapping->search_by, memory_order_acquire);
    if (search_by != XTA__ONE_SEGMENT) {
        if (search_by >= XTA__BY_RUNS) {
            return false;
        }
        uint32_t owner = 0;
        // Compilers do not unroll loops over atomics by themselves.
#pragma GCC unroll 8
        for (int axis = 0; axis < ndim; axis++) {
            const uint32_t *table =
                atomic_load_explicit(&mapping->table[axis], memory_order_acquire);
            uint32_t record = table[coord[axis]];
            owner = record > owner ? record : owner;
        }
        // Not before the tables: they may know of a record that older rows have no room for.
        row = atomic_load_explicit(&mapping->rows, memory_order_acquire) +
              owner * xta__row_words(ndim);
    }
    uint64_t address = row[0];
#pragma GCC unroll 8
    for (int axis = 0; axis < ndim; axis++) {
        address += row[1 + axis] * (uint64_t)coord[axis];
    }
    *out = address;
    return true;
}

/* The coordinates in registers, if there are four or more. Each is needed up to three times
 * (bounds, table, product), and compilers would load it as often: from four axes on loads are what
 * limits F*. Fewer axes are quicker with the coordinates left in memory. */
static inline __attribute__((always_inline)) const int64_t *
xta__coords_at_hand(const int64_t coord[], int ndim, int64_t registers[8])
{
    if (ndim < 4 || ndim > 7) {
        return coord;
    }
#pragma GCC unroll 8
    for (int axis = 0; axis < ndim; axis++) {
        registers[axis] = coord[axis];
        __asm__("" : "+r"(registers[axis]));
    }
    return registers;
}

/* F* of a coordinate that may lie outside, of a mapping that has never grown at the front: no
 * address then, nor where trees are needed. The engine weaves the same into its division of a
 * cell's coordinates (array/cell.c); by itself it is what bench_address measures. */
static inline __attribute__((always_inline)) bool
xta__address_from_zero(const xta__mapping *mapping, const int64_t coord[], int ndim, uint64_t *out)
{
    int64_t registers[8];
    const int64_t *c = xta__coords_at_hand(coord, ndim, registers);

#pragma GCC unroll 8
    for (int axis = 0; axis < ndim; axis++) {
        if ((uint64_t)c[axis] >= (uint64_t)mapping->hi[axis]) {
            return false;
        }
    }
    return xta__address_of_axes(mapping, c, ndim, out);
}

static inline bool xta__mapping_try_address(const xta__mapping *mapping, const int64_t coord[],
                                            uint64_t *out)
{
    int64_t c[8];

    // With the number of axes known the compiler unrolls both loops, which is worth a third.
    switch (mapping->ndim) {
    case 1:
        return xta__address_of_axes(mapping, coord, 1, out);
    case 2:
        return xta__address_of_axes(mapping, coord, 2, out);
    case 3:
        return xta__address_of_axes(mapping, coord, 3, out);
    case 4:
        return xta__address_of_axes(mapping, xta__coords_at_hand(coord, 4, c), 4, out);
    case 5:
        return xta__address_of_axes(mapping, xta__coords_at_hand(coord, 5, c), 5, out);
    case 6:
        return xta__address_of_axes(mapping, xta__coords_at_hand(coord, 6, c), 6, out);
    case 7:
        return xta__address_of_axes(mapping, xta__coords_at_hand(coord, 7, c), 7, out);
    default:
        return xta__address_of_axes(mapping, coord, mapping->ndim, out);
    }
}

/* F* by tables, runs and trees alike. Nobody may be growing the mapping or doing the same, for runs
 * that are looked up often become entries of the tables. */
uint64_t xta__mapping_address(xta__mapping *mapping, const int64_t coord[]);

#endif
