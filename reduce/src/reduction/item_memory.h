/* The memory in which one thread computes items.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_ITEM_MEMORY_H
#define XTA_REDUCE_REDUCTION_ITEM_MEMORY_H

#include "reduction/reduction.h"

/* Rows across that are added in one go. */
enum { XTA__ROWS_AT_A_TIME = XTA__LANES * XTA__FUSED_ROWS };

typedef struct xta__item_memory {
    double *sum[XTA_MAX_NDIM]; // of each level, see item.c
    xta__moments *moments[XTA_MAX_NDIM];
    double *lanes;
    xta__moment_lanes moment_lanes;
    double *wide;  // a row as doubles
    float *half;   // rows of XTA_F16 as floats
    uint8_t *copy; // cells that are copied
    uint64_t n_cells_read;
} xta__item_memory;

/* Bytes of the memory of one thread. */
uint64_t xta__item_memory_bytes(const xta__reduction *r);
/* XTA_ENOMEM; to be cleared all the same. */
xta_status xta__item_memory_make(const xta__reduction *r, xta__item_memory *memory, xta_error *err);
void xta__item_memory_clear(xta__item_memory *memory);

#endif
