/* The bands of one item, shared by several threads.
 *
 * Naive: an item is computed by one thread. But a result of few cells has few items (the mean over
 * all axes of an array that has at most 1024 cells on each has one), and all other threads are
 * idle. So each thread computes the next band of the first reduced axis that no other has begun.
 * What a band adds to the partial sums of the item may be computed at any time; it is added in the
 * order of the bands, each thread waiting for its turn. So the bits are those of one thread.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_SHARED_BANDS_H
#define XTA_REDUCE_REDUCTION_SHARED_BANDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct xta__shared_bands {
    pthread_mutex_t lock; /* of what follows, and of partial sums that have no order */
    pthread_cond_t passed;
    size_t begun; /* by some thread */
    size_t added; /* to the partial sums: it is the turn of the band with this number */
    bool stop;    /* a band has failed; those behind it get no turn */
} xta__shared_bands;

/* False: there is no lock to be had. */
bool xta__shared_bands_make(xta__shared_bands *bands);
void xta__shared_bands_clear(xta__shared_bands *bands);

/* The number of a band that no thread has begun; the caller computes it, or stops all. */
size_t xta__shared_bands_next(xta__shared_bands *bands);

/* Wait until all bands before this one have been added; false: one of them has failed. */
bool xta__shared_bands_wait(xta__shared_bands *bands, size_t band);

/* The band whose turn it is has been added. */
void xta__shared_bands_pass(xta__shared_bands *bands);

/* A band has failed. */
void xta__shared_bands_stop(xta__shared_bands *bands);

#endif
