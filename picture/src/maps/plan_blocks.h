/* The blocks that the axes of a plan are cut into; pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_MAPS_PLAN_BLOCKS_H
#define XTA_PICTURE_MAPS_PLAN_BLOCKS_H

#include <stdint.h>

#include <xta/picture.h>

/* The beginning of block `k` of an axis. If k is the number of blocks, the end of the last one. */
int64_t xta__picture_cut(const xta_cuts *cuts, int64_t lo, int64_t hi, int64_t k);
/* The number of blocks that [lo, hi) is cut into. */
int64_t xta__picture_n_blocks(const xta_cuts *cuts, int64_t lo, int64_t hi);
/* The block of an axis that holds coordinate `x`. */
int64_t xta__picture_block_of(const xta_cuts *cuts, int64_t lo, int64_t x);

#endif
