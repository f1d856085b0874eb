/* Private header: statistics of cells, row by row.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_STATISTICS_H
#define XTA_REDUCE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include <xta/extract.h>

typedef union xta__number {
    int64_t i;
    uint64_t u;
    double f;
} xta__number;

__extension__ typedef __int128 xta__wide;

/* Sum, minimum and maximum of the cells added so far. Zeros are not a valid initial state: see
 * xta__fold_begin. */
typedef struct xta__accumulator {
    uint64_t count;
    uint64_t n_nan;
    union {
        xta__wide i; // of integers: exact
        struct {
            double sum;
            double lost; // the accumulated rounding error
        } f;
    } sum;
    xta__number min;
    xta__number max;
} xta__accumulator;

/* Add n contiguous cells of a type. */
typedef void xta__fold(xta__accumulator *into, const uint8_t *cells, size_t n);

typedef struct xta__fold_functions {
    xta__fold *all;  // all cells into one accumulator
    xta__fold *each; // each cell into its own one of contiguous accumulators
    char kind;       // 'i', 'u' or 'f': the member of xta__number in use
} xta__fold_functions;

/* False if the type has no statistics. */
bool xta__fold_functions_of(xta_type type, xta__fold_functions *fold);

void xta__fold_begin(const xta__fold_functions *fold, xta__accumulator *accumulator, size_t n);
void xta__fold_end(const xta__fold_functions *fold, xta_type type,
                   const xta__accumulator *accumulator, xta_region_statistics *statistics);

#endif
