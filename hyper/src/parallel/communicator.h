/* What is done with a communicator, whoever it is made of: nobody leaves before all have come to the
 * same end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_PARALLEL_COMMUNICATOR_H
#define XTA_HYPER_PARALLEL_COMMUNICATOR_H

#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

/* Collective. Gather records of unequal lengths: `all` becomes one block (free it) with the bytes
 * of every member one after the other, `bytes[r]` those of member r (size of them, free it). */
xta_status xta__gather(const xta_team *team, const void *mine, size_t n_bytes, unsigned char **all,
                       size_t **bytes, xta_error *err);
/* Collective. As team->agree; the status itself for NULL. */
xta_status xta__agree(const xta_team *team, xta_status status, xta_error *err);

/* Piece k of n contiguous pieces of `count`, the first ones longer where it does not divide. */
static inline uint64_t xta__share(uint64_t count, uint64_t n, uint64_t k)
{
    return count / n * k + (k < count % n ? k : count % n);
}

#endif
