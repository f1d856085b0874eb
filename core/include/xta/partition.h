/** @file
 * Partitions: how the cells of an array are cut into blocks. Plain values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_PARTITION_H
#define XTA_PARTITION_H

#include <stdint.h>

#include <xta/box.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How one axis, the cells [lo, hi), is cut into blocks. Either regular: cuts at origin + k *
 * length, clipped at both ends; or irregular: `n_edges` cuts in ascending order, the first lo, the
 * last hi. */
typedef struct xta_cuts {
    int64_t length;       /**< of a regular block, >= 1; 0: irregular */
    int64_t origin;       /**< where a regular cut lies */
    int64_t n_edges;      /**< of irregular cuts, >= 2 */
    const int64_t *edges; /**< borrowed for the duration of the call */
} xta_cuts;

/** How an array is cut into blocks. */
typedef struct xta_partition {
    int ndim;
    xta_cuts axis[XTA_MAX_NDIM];
} xta_partition;

/** Regular blocks of shape `block`, cut at `origin` (NULL: at 0). Pure. */
XTA_API xta_partition xta_partition_regular(int ndim, const int64_t block[],
                                            const int64_t origin[]);

/** Where blocks are stored; this decides what moving a piece costs and whether pieces are
 * possible. */
typedef enum xta_block_home {
    XTA_BLOCKS_FILES = 0,  /**< a file for each block */
    XTA_BLOCKS_CHUNKS = 1, /**< chunks of one file, all of one size, edge chunks at full size */
    XTA_BLOCKS_WHOLE = 2   /**< only whole blocks can be moved (compressed or with checksums); they
                              may be read again */
} xta_block_home;

#ifdef __cplusplus
}
#endif
#endif
