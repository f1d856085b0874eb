/* Private header: finding the regions that may intersect a chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_BUCKETS_H
#define XTA_REDUCE_BUCKETS_H

#include "pass/pass_state.h"

/* Make the lists. */
xta_status xta__buckets_begin(xta__pass *pass);

/* The number of the bucket of a chunk. */
uint64_t xta__buckets_at(const xta__buckets *b, const xta_box *space);

#endif
