/* The extendible array as [CXA] 3.3 has it: k axial vectors of records with coefficients, and F* by
 * k binary searches, or k searches in O2-trees ([CXA] 4.2). The library finds records by direct
 * tables instead; this is the yardstick of the experiments that repeat those of the thesis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_AXIAL_VECTORS_H
#define XTA_BENCH_AXIAL_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/tree/o2tree.h"

enum { AXIAL_MAX_AXES = 7 };

/* What one growth, or several of one axis that nothing interrupted, adjoined. */
typedef struct axial_record {
    int64_t first; // its first index on the axis
    uint64_t base; // its first address
    uint64_t coefficient[AXIAL_MAX_AXES];
} axial_record;

typedef struct axial_axis {
    axial_record *records;
    uint32_t n, capacity;
    xta__o2tree *tree; // NULL: binary search
} axial_axis;

typedef struct axial_vectors {
    int k;
    int64_t bounds[AXIAL_MAX_AXES];
    uint64_t n_cells;
    int last_grown; // -1: none yet
    axial_axis axes[AXIAL_MAX_AXES];
} axial_vectors;

/* A first allocation in row-major order; `trees`: records are found by O2-trees. All functions end
 * the program without memory. */
void axial_init(axial_vectors *vectors, int k, const int64_t bounds[], bool trees);
void axial_clear(axial_vectors *vectors);

/* Extend an axis; the address of its first new cell. */
uint64_t axial_grow(axial_vectors *vectors, int axis, int64_t by);

uint64_t axial_n_records(const axial_vectors *vectors);

/* The last record of an axis that begins at `coord` or before it. */
static inline const axial_record *axial_search(const axial_axis *axis, int64_t coord)
{
    uint32_t from = 0, n = axis->n;

    if (axis->tree != NULL) {
        xta__o2tree_floor(axis->tree, coord, &from, NULL);
        return &axis->records[from];
    }
    while (n > 1) {
        uint32_t half = n / 2;
        from = axis->records[from + half].first <= coord ? from + half : from;
        n -= half;
    }
    return &axis->records[from];
}

/* Eq. 3.3.1: of the k candidates the one with the greatest base holds the cell. The coefficients
 * of the grown axis count from its first index, for which `base` makes up. */
static inline uint64_t axial_address(const axial_vectors *vectors, const int64_t coord[])
{
    const axial_record *owner = axial_search(&vectors->axes[0], coord[0]);
    int grown = 0;

    for (int j = 1; j < vectors->k; j++) {
        const axial_record *candidate = axial_search(&vectors->axes[j], coord[j]);
        if (candidate->base > owner->base) {
            owner = candidate;
            grown = j;
        }
    }
    uint64_t address = owner->base - (uint64_t)owner->first * owner->coefficient[grown];
    for (int j = 0; j < vectors->k; j++) {
        address += (uint64_t)coord[j] * owner->coefficient[j];
    }
    return address;
}

#endif
