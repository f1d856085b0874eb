/* Adding up rows of cells: the inner loops of a reduction, one set for each element type.
 *
 * `along` functions reduce a row to one result; `across` functions take a row of cells that belong
 * to as many results. Cells that do not count (NaN, the missing value) are left out by all of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_KERNELS_H
#define XTA_REDUCE_REDUCTION_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/type.h>

enum {
    XTA__LANES = 8,
    XTA__FUSED_ROWS = 4 // of one lane, added in one go
};

__extension__ typedef __int128 xta__exact;

/* How many cells of a row do not count. */
typedef struct xta__excluded {
    uint64_t n;         // NaN and missing
    uint64_t n_missing; // of these; counted only where there is a missing value
} xta__excluded;

/* `missing` is a cell of the type, or NULL. All rows are aligned for their type. */
typedef struct xta__kernels {
    xta_type type;
    char kind; // 'i', 'u' or 'f'
    /* Floats: add n <= 1024 cells to lanes, the first one to lane `lane`. */
    void (*sum_along)(double lanes[XTA__LANES], const void *cells, size_t n, unsigned lane,
                      const void *missing, xta__excluded *excluded);
    /* Floats: add n_rows <= XTA__FUSED_ROWS rows to n sums, one after the other. True if some cell
     * does not count. */
    bool (*sum_across)(double *sums, const void *const rows[], int n_rows, size_t n,
                       const void *missing);
    /* Integers: the exact sum of n cells, and n sums. */
    void (*exact_along)(xta__exact *sum, const void *cells, size_t n, const void *missing);
    void (*exact_across)(xta__exact *sums, const void *cells, size_t n, const void *missing);
    /* Cells that do not count, of a row, and each by itself. */
    void (*excluded_along)(const void *cells, size_t n, const void *missing, xta__excluded *all);
    void (*excluded_across)(const void *cells, size_t n, const void *missing, uint64_t *excluded,
                            uint64_t *n_missing);
    /* Least and greatest: `least` and `most` are of the type, one, or n of them. Across: true if
     * some cell does not count. */
    void (*range_along)(void *least, void *most, const void *cells, size_t n, const void *missing);
    bool (*range_across)(void *least, void *most, const void *cells, size_t n, const void *missing);
    /* n cells as doubles, those that do not count as NaN; true if there are any. */
    bool (*widen)(double *out, const void *cells, size_t n, const void *missing);
    /* n cells that any cell replaces as least, and as greatest. */
    void (*range_begin)(void *least, void *most, size_t n);
    /* Let `least` and `most` take in those of n others. */
    void (*range_merge)(void *least, void *most, const void *least_of, const void *most_of,
                        size_t n);
} xta__kernels;

/* The kernels of a type; NULL if there are none. XTA_F16 has those of XTA_F32. */
const xta__kernels *xta__kernels_of(xta_type type);

/* The eight lanes in one sum, in the order that xta/reduce.h defines. */
double xta__fold_lanes(const double lanes[XTA__LANES]);

/* The same for n sums, whose lanes lie apart: n values of lane 0, n of lane 1, and so on. */
void xta__fold_lanes_across(const double *lanes, size_t n, double *sums);

#endif
