/* Aggregates of many groups in memory: a plane of 8-byte numbers for each measure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_PLANES_H
#define XTA_CUBE_PLANES_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/cube.h>

/* How the numbers of a base are computed with. */
typedef struct xta__cube_arithmetic {
    char kind;                // 'f', 'i', 'u': member of xta_cube_number
    xta_cube_number least;    // identities: what a maximum begins with,
    xta_cube_number greatest; // and a minimum
    bool has_missing;
    xta_cube_number missing;
    bool propagate_nan;
    uint32_t measures; // bits of those that are kept
} xta__cube_arithmetic;

typedef struct xta__planes {
    xta_cube_number *at[XTA_CUBE_MEASURES]; // those that are wanted; counts are `u`
    size_t n;
} xta__planes;

/* Arithmetic of a type; false: there is none. */
bool xta__arithmetic_of(xta_type type, xta__cube_arithmetic *arithmetic);

/* The type that cells are read as, and that of a measure's member. */
xta_type xta__arithmetic_type(const xta__cube_arithmetic *arithmetic);
xta_type xta__measure_type(xta_type base, xta_cube_measure measure);

/* The aggregate of no cell. */
xta_cube_number xta__identity(const xta__cube_arithmetic *arithmetic, xta_cube_measure measure);

/* Planes of the measures of a mask, of n numbers, or NULL pointers if out of memory. */
bool xta__planes_make(xta__planes *planes, uint32_t measures, size_t n);
void xta__planes_clear(xta__planes *planes);
void xta__planes_reset(xta__planes *planes, const xta__cube_arithmetic *arithmetic);

/* The aggregates of single cells. `cells` may be the plane of sums. */
void xta__planes_of_cells(xta__planes *planes, const xta__cube_arithmetic *arithmetic,
                          const xta_cube_number *cells);

/* Fold the middle axis of `from`, outer x n x inner, into `to`, outer x m x inner: element j is
 * added to element parent[j], in ascending order. False: a sum leaves 64 bits. */
typedef struct xta__fold_shape {
    size_t outer, n, inner, m;
    const int64_t *parent; // of n, each below m
} xta__fold_shape;
bool xta__planes_fold(const xta__cube_arithmetic *arithmetic, const xta__planes *from,
                      const xta__fold_shape *shape, xta__planes *to);

/* Add `n` aggregates, number j to number to[j] of `into`. False: a sum leaves 64 bits. */
bool xta__planes_scatter(const xta__cube_arithmetic *arithmetic, const xta__planes *from,
                         size_t first, size_t n, const size_t *to, size_t base, xta__planes *into);

/* Every NaN becomes the same one. */
void xta__planes_canonical(xta__planes *planes, const xta__cube_arithmetic *arithmetic);

#endif
