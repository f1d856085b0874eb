/** @file
 * Zones: which of n processes owns which chunks of an array. Pure arithmetic, no communication:
 * every process computes the same result for all processes.
 *
 * A distribution cuts each axis of a box of chunks into blocks, always along chunk borders, and
 * distributes the blocks of an axis to the rows of a process grid. The zone of a rank is the
 * product of the blocks that its position in the grid gets on each axis: one box for BLOCK and
 * IRREGULAR, several for BLOCK_CYCLIC.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ZONES_H
#define XTA_ZONES_H

#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How blocks are distributed. */
typedef enum xta_distribution_kind {
    XTA_BLOCK = 0,        /**< one block for each row of the grid, of ceil(chunks / rows) chunks */
    XTA_BLOCK_CYCLIC = 1, /**< blocks of `cycle` chunks, distributed in turn */
    XTA_IRREGULAR = 2     /**< one block for each row, cut at `cuts` */
} xta_distribution_kind;

/** A distribution. Start from XTA_DISTRIBUTION_INIT; zero means the default in every field. */
typedef struct xta_distribution {
    size_t struct_size; /**< sizeof(xta_distribution) */
    xta_distribution_kind kind;
    /** Processes on each axis; their product is the number of processes. NULL: chosen, as square as
     * the lengths allow; the first axes get more processes. Ranks number the grid in row-major
     * order. */
    const int *grid;
    /** Of BLOCK_CYCLIC: chunks of a block on each axis, >= 1. NULL: 1. */
    const int64_t *cycle;
    /** Of IRREGULAR: for each axis grid[axis] - 1 ascending chunk coordinates at which the next
     * block begins; a block may be empty. */
    const int64_t *const *cuts;
} xta_distribution;
#define XTA_DISTRIBUTION_INIT                        \
    {                                                \
        sizeof(xta_distribution), XTA_BLOCK, 0, 0, 0 \
    }

/** The zones of one box of chunks. Opaque and immutable; thread-safe. */
typedef struct xta_zones xta_zones;

/** Distribute the chunks of a box.
 *
 * @param[in]  chunks        chunk coordinates [lo, hi) on each axis
 * @param[in]  chunk         cells of a chunk on each axis, for the calls whose parameters are cells
 * @param[in]  n_ranks       number of processes, >= 1
 * @param[in]  distribution  copied; NULL: BLOCK over a chosen grid
 * @param[out] out           to be freed by the caller; NULL on failure
 * @param[out] err           why it failed; NULL if not wanted
 * @retval XTA_EARG    a grid whose product is not n_ranks, a cycle below 1, cuts that descend or
 *                     leave the box; the text names axis, value and remedy
 * @retval XTA_EOVERFLOW more than 2^63 - 1 chunks, or cell coordinates past 64 bits
 * @retval XTA_ENOMEM  no memory
 * @par Cost
 * O(processes on each axis), independent of the number of chunks.
 * @par Source
 * [DRX] II.A, IV.B. */
XTA_API XTA_MUST_CHECK xta_status xta_zones_new(const xta_box *chunks, const int64_t chunk[],
                                                int n_ranks, const xta_distribution *distribution,
                                                xta_zones **out, xta_error *err);

/** Free zones; NULL is allowed. */
XTA_API void xta_zones_free(xta_zones *zones);

/** The number of processes. Never fails. */
XTA_API int xta_zones_n_ranks(const xta_zones *zones);

/** The box of chunks distributed. Never fails. */
XTA_API xta_box xta_zones_chunks(const xta_zones *zones);

/** The process grid, ndim entries. Valid until free. */
XTA_API const int *xta_zones_grid(const xta_zones *zones);

/** The rank that owns a chunk; -1 outside the box. O(ndim) (IRREGULAR: plus a binary search). */
XTA_API int xta_zones_rank_of_chunk(const xta_zones *zones, const int64_t chunk[]);

/** The rank that owns a cell; -1 outside the box. */
XTA_API int xta_zones_rank_of_cell(const xta_zones *zones, const int64_t cell[]);

/** The number of boxes in the zone of `rank`; 0 if it is empty. */
XTA_API uint64_t xta_zones_n_boxes(const xta_zones *zones, int rank);

/** Box `k` of the zone of `rank`, in chunks; boxes are numbered in row-major order. `k` must be
 * below xta_zones_n_boxes. */
XTA_API xta_box xta_zones_box(const xta_zones *zones, int rank, uint64_t k);

/** The same box in cells, clipped to `bounds` (NULL: not clipped). */
XTA_API xta_box xta_zones_cells(const xta_zones *zones, int rank, uint64_t k,
                                const xta_box *bounds);

/** Number of chunks in the zone of `rank`. */
XTA_API uint64_t xta_zones_n_chunks(const xta_zones *zones, int rank);

#ifdef __cplusplus
}
#endif
#endif
