/* F*, from chunk coordinates to addresses.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_ADDRESS_H
#define XTA_GEOMETRY_MAPPING_ADDRESS_H

#include "geometry/mapping/types.h"

/* F*: the address of a chunk of the allocated box; false, and no address, if an axis needs its runs
 * or trees, which may be read only while nobody grows the mapping.
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

    // A thread that knows a coordinate that needs more than the tables also sees this value.
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
        // Loaded after the tables: these may refer to a record that an older block of rows does not
        // contain.
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
 * (bounds, table, product), and compilers would reload it each time: from four axes on, loads limit
 * the speed of F*. With fewer axes it is faster to leave the coordinates in memory. */
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

/* F* of a coordinate that may lie outside, for a mapping that has never grown at the front: false
 * for a coordinate outside, or if trees are needed. The engine merges the same code with the
 * division of a cell's coordinates (array/io/cell.c); bench_address measures it alone. */
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

    // If the number of axes is known, the compiler unrolls both loops, which saves a third of the
    // time.
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

/* F* through tables, runs or trees. No other thread may be growing the mapping or in this function,
 * since runs that are looked up often become entries of the tables. */
uint64_t xta__mapping_address(xta__mapping *mapping, const int64_t coord[]);

#endif
