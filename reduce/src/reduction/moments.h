/* Count, mean and M2 (the sum of squared differences from the mean) of cells, in pieces that can be
 * merged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_MOMENTS_H
#define XTA_REDUCE_REDUCTION_MOMENTS_H

#include <stddef.h>

typedef struct xta__moments {
    double n, mean, m2;
} xta__moments;

/* Lanes of moments: n, pivot, sum and sum of squares of the differences from the pivot, each in a
 * plane of its own. Zeros are empty lanes. */
typedef struct xta__moment_lanes {
    double *n, *pivot, *sum, *squares;
} xta__moment_lanes;

/* Add n cells, the first one to lane `lane` of the eight from `at` on; NaN is left out. */
void xta__moments_along(xta__moment_lanes lanes, size_t at, const double *cells, size_t n,
                        unsigned lane);

/* Add n cells to as many lanes from `at` on. */
void xta__moments_across(xta__moment_lanes lanes, size_t at, const double *cells, size_t n);

/* Merge the moments of other cells into these, by Chan's formula. */
void xta__moments_merge(xta__moments *into, const xta__moments *from);

/* The eight lanes `at`, `at` + stride, ... in one, folded as xta/reduce.h defines. */
xta__moments xta__moments_fold(xta__moment_lanes lanes, size_t at, size_t stride);

#endif
