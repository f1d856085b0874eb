/* Collective operations on a communicator, whatever it is made of: no member returns before all
 * have reached the same outcome. A NULL communicator has one member.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_PARALLEL_COMMUNICATOR_H
#define XTA_HYPER_PARALLEL_COMMUNICATOR_H

#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

/* Collective. Gather records of unequal lengths. `all` becomes one block with the bytes of every
 * member one after the other, and bytes[r] the length of what rank r gave. Both are freed by the
 * caller. */
xta_status xta__gather(const xta_communicator *communicator, const void *mine, size_t n_bytes,
                       unsigned char **all, size_t **bytes, xta_error *err);
/* Collective. The status that all members agree on; with a NULL communicator, `status` itself. */
xta_status xta__agree(const xta_communicator *communicator, xta_status status, xta_error *err);

/* Where share k of n begins, when `count` items are cut into n contiguous shares; the first shares
 * are one longer where n does not divide `count`. */
static inline uint64_t xta__share(uint64_t count, uint64_t n, uint64_t k)
{
    return count / n * k + (k < count % n ? k : count % n);
}

#endif
