/* Moving the cells of chunks that several ranks need.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_EXCHANGE_EXCHANGE_H
#define XTA_PARALLEL_EXCHANGE_EXCHANGE_H

#include "parallel/exchange/sharing.h"

/* Move all cells of shared chunks between the ranks' memory and the file, each chunk by its owner.
 * Collective, also for ranks whose `status` is a failure: then no rank moves anything. A failure of
 * the file is reported by the rank on which it happened. */
xta_status xta__move_shared(xta__sharing *sharing, xta_status status, xta_error *err);

#endif
