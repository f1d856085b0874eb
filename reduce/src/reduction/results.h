/* From folded sums to results, and into the arrays of the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_RESULTS_H
#define XTA_REDUCE_REDUCTION_RESULTS_H

#include "reduction/fold.h"
#include "reduction/reduction.h"

/* Results of a statistic that are written at a time. */
#define XTA__RESULT_CELLS ((size_t)1 << 16)

/* Which statistics go where. */
typedef struct xta__results {
    const xta_reduce_statistic *statistics;
    int n;
    xta_array *const *arrays;
} xta__results;

/* The value that stands for none, as a cell of the results of a statistic. */
void xta__no_value(xta_reduce_statistic statistic, xta_type type, uint8_t cell[8]);

/* Compute and write the results of one piece. `partials`: of each run. */
xta_status xta__write_piece(const xta__reduction *r, uint64_t piece, const xta__partial partials[],
                            const xta__results *results, xta__folded *folded, xta_error *err);

/* Write the results of an array without cells. */
xta_status xta__write_nothing(const xta__reduction *r, const xta__results *results, xta_error *err);

#endif
