/* Private header: how many cells of a region precede a given cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_RANKS_H
#define XTA_REDUCE_RANKS_H

#include "pass/pass_state.h"

/* Make the tables. */
xta_status xta__pass_ranks(xta__pass *pass);

/* The number of cells of region `k` that precede the one at `at`. */
uint64_t xta__pass_rank(const xta__pass *pass, size_t k, const int64_t at[]);

#endif
