/* A room of parallel/: what zones in memory are made of.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_ZONE_MEMORY_H
#define XTA_PARALLEL_ZONE_MEMORY_H

#include "parallel/parallel.h"

struct xta_zone_memory {
    xta_parallel *p;
    xta_zones *zones;
    xta_box bounds; /* of the array when it was made */
    int64_t chunk[XTA_MAX_NDIM];
    xta_order order;
    xta_type type;
    size_t cell_bytes;
    int64_t lengths[XTA_MAX_NDIM]; /* of this rank's zone, in cells */
    int64_t strides[XTA_MAX_NDIM]; /* in bytes */
    uint8_t *local;
    MPI_Win window;      /* one epoch open to all ranks, from making to freeing */
    uint64_t most_bytes; /* of one operation or one panel; less only in tests */
};

/* Bytes from one cell to the next on each axis of a dense array. False where they pass 2^62. */
bool xta__dense_strides(int ndim, const int64_t lengths[], size_t cell_bytes, xta_order order,
                        int64_t strides[], uint64_t *all_bytes);

/* The begin of a collective call: all ranks are in the same one. */
xta_status xta__zones_enter(xta_parallel *p, const char *call, xta_error *err);

#endif
