/* The members that share a reduction: whether all of them do the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_MEMBERS_H
#define XTA_REDUCE_REDUCTION_MEMBERS_H

#include "reduction/reduction.h"
#include "reduction/results.h"

/* Collective. XTA_OK if all members pass it, else the first failure. Without a communicator
 * `status`. */
xta_status xta__members_agree(const xta__reduction *r, xta_status status, xta_error *err);

/* Collective. Whether all members see the same array and have the same options, statistics and
 * tiles of `tile_pieces`.
 * XTA_EARG: they do not; the text, the same for all members, says what differs. */
xta_status xta__members_compare(const xta__reduction *r, uint64_t tile_pieces,
                                const xta__results *results, xta_error *err);

#endif
