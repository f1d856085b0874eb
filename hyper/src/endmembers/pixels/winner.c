/* The best pixels of all members of a communicator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/pixels/winner.h"

#include <stdlib.h>

#include "parallel/communicator.h"

xta_status xta__winners_gather(const xta_communicator *communicator, winner *winners, size_t n,
                               xta_error *err)
{
    size_t size = (size_t)xta_communicator_size(communicator);
    xta_status status = XTA_OK;

    if (size == 1) {
        return XTA_OK;
    }
    winner *all = malloc(size * n * sizeof *all);
    if (all == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for what %zu processes found", size);
    }
    status = xta__agree(communicator, status, err);
    if (status == XTA_OK) {
        status =
            communicator->gather(communicator->context, winners, n * sizeof *winners, all, err);
    }
    for (size_t k = 0; status == XTA_OK && k < size * n; k++) {
        if (xta__winner_beats(&all[k], &winners[k % n])) {
            winners[k % n] = all[k];
        }
    }
    free(all);
    return status;
}
