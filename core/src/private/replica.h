/* Replicas: handles of other processes, which know the structure from the root handle alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_REPLICA_H
#define XTA_PRIVATE_REPLICA_H

#include "array/array.h"
#include "private/api.h"

/* Where the replicas of an array stand: how far into the journal of rank 0's own handle, the
 * root. */
typedef struct xta__replica_base {
    uint64_t journal_end;
    uint64_t n_moves; /* of the root's journal: offsets mean nothing after the next one */
    uint64_t n_steps;
    bool
        pending; /* a growth of several arrays was announced: later records do not tell all of it */
} xta__replica_base;

/* What brings replicas up to date. */
typedef enum xta__news { XTA__NO_NEWS, XTA__NEWS_OF_RECORDS, XTA__NEWS_OF_STATE } xta__news;

/* Where replicas stand that know all that the root knows. */
XTA_PRIVATE_API xta__replica_base xta__replica_base_of(xta_array *root);

/* Everything another process needs to know of the structure. */
XTA_PRIVATE_API xta_status xta__replica_encode(xta_array *array, xta__bytes *payload,
                                               xta_error *err);

/* What replicas that stand at `base` do not know yet, added to `payload`, whose length is a
 * multiple of 8: the records since, or, where these do not lead to the root's state or are longer
 * than it, the state. O(new records) in the first case. *now: where replicas stand that have taken
 * it. */
XTA_PRIVATE_API xta_status xta__replica_news(xta_array *root, const xta__replica_base *base,
                                             xta__bytes *payload, xta__news *news,
                                             xta__replica_base *now, xta_error *err);

/* An array made of a state. It wants a holder, which it will own, before any cell is touched. */
XTA_PRIVATE_API xta_status xta__replica_new(const char *path, const xta__bytes *payload,
                                            xta_array **out, xta_error *err);
XTA_PRIVATE_API void xta__replica_attach(xta_array *array, xta__holder *holder);

/* Take up news, which lead to step `n_steps`. O(new records) or O(state). On failure the replica is
 * as it was, or, of records, as the last one left it that could be taken: then it must not be used
 * beside others any more. */
XTA_PRIVATE_API xta_status xta__replica_take(xta_array *array, xta__news news,
                                             const xta__bytes *payload, uint64_t n_steps,
                                             xta_error *err);

#endif
