/** @file
 * A communicator: the processes that do one job together, as a small struct of functions. The
 * analysis knows nothing else of these processes: a single process is its own communicator; under
 * MPI xta_communicator_mpi (xta/parallel.h) makes one.
 *
 * Every result is the same whatever the size of the communicator: processes exchange their partial
 * results and each of them merges these in the same order. The transport itself never sums
 * anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_COMMUNICATOR_H
#define XTA_COMMUNICATOR_H

#include <stddef.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The processes that work together. Wherever a communicator is a parameter, NULL means a single
 * process. */
typedef struct xta_communicator {
    size_t struct_size; /**< sizeof(xta_communicator) */
    int rank;           /**< 0 <= rank < size */
    int size;
    void *context; /**< passed to the functions */
    /** Collective. Send every member's `bytes` bytes to every member, in rank order; `bytes` is the
     * same everywhere, `all` holds size * bytes. Fails on all members or on none. */
    xta_status (*gather)(void *context, const void *mine, size_t bytes, void *all, xta_error *err);
    /** Collective. XTA_OK if all members pass it, else status and text of the lowest rank in error;
     * every member returns the same. */
    xta_status (*agree)(void *context, xta_status mine, xta_error *err);
} xta_communicator;

/** The rank in a communicator; 0 for NULL. Not collective. Never fails. */
static inline int xta_communicator_rank(const xta_communicator *communicator)
{
    return communicator != NULL ? communicator->rank : 0;
}

/** The size of a communicator; 1 for NULL. Not collective. Never fails. */
static inline int xta_communicator_size(const xta_communicator *communicator)
{
    return communicator != NULL ? communicator->size : 1;
}

#ifdef __cplusplus
}
#endif
#endif
