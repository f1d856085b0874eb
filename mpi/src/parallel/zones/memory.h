/* What zones in memory are made of.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_ZONES_MEMORY_H
#define XTA_PARALLEL_ZONES_MEMORY_H

#include "parallel/handle/handle.h"

struct xta_zone_memory {
    xta_parallel *p;
    xta_zones *zones;
    xta_box bounds; /* bounds of the array when the zones were created */
    int64_t chunk[XTA_MAX_NDIM];
    xta_order order;
    xta_type type;
    size_t cell_bytes;
    int64_t lengths[XTA_MAX_NDIM]; /* lengths of this rank's zone, in cells */
    int64_t strides[XTA_MAX_NDIM]; /* in bytes */
    uint8_t *local;
    MPI_Win window;       /* one epoch for all ranks, from creation to freeing */
    uint64_t most_bytes;  /* limit of one operation or one panel; lower only in tests */
    bool unsigned_flawed; /* this MPI compares unsigned integers as signed ones */
};

/* Bytes from one cell to the next on each axis of a dense array. False if they exceed 2^62. */
bool xta__dense_strides(int ndim, const int64_t lengths[], size_t cell_bytes, xta_order order,
                        int64_t strides[], uint64_t *all_bytes);

/* Halve the longest of `lengths`, each of which stands for `unit[axis]` cells (NULL: 1), until a
 * box of them has at most `most_bytes`, or all are 1. Returns the bytes of that box. */
uint64_t xta__fit_lengths(int ndim, const int64_t unit[], size_t cell_bytes, uint64_t most_bytes,
                          int64_t lengths[]);

/* Called first in every collective call: checks that all ranks are in the same one. */
xta_status xta__zones_enter(xta_parallel *p, const char *call, xta_error *err);

#endif
