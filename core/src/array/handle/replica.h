/* Replicas: arrays that learn their structure from the one process that reads the journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_REPLICA_H
#define XTA_ARRAY_HANDLE_REPLICA_H

#include "array/state/open_array.h"

/* Where the replicas of an array stand: how far into the journal of rank 0's own handle, the
 * root. */
typedef struct xta__replica_base {
    uint64_t journal_end;
    uint64_t n_moves; /* of the root's journal: offsets mean nothing after the next one */
    uint64_t n_steps;
    bool
        pending; /* a growth of several arrays was announced: later records do not tell all of it */
} xta__replica_base;

/* What a root sends to bring replicas up to date. */
typedef enum xta__news { XTA__NO_NEWS, XTA__NEWS_OF_RECORDS, XTA__NEWS_OF_STATE } xta__news;

/* Where replicas stand that know as much as the root. */
XTA_PRIVATE_API xta__replica_base xta__replica_base_of(xta_array *root);

/* Everything another process needs to know of the structure. */
XTA_PRIVATE_API xta_status xta__replica_encode(xta_array *array, xta__bytes *payload,
                                               xta_error *err);

/* Add to `payload`, whose length is a multiple of 8, what replicas that stand at `base` do not know
 * yet: the records since; or the state, where the records do not lead to that of the root or are
 * longer than it. *now: where replicas stand that have applied it.
 *
 * Cost: O(new records) if they are sent, else O(state). */
XTA_PRIVATE_API xta_status xta__replica_news(xta_array *root, const xta__replica_base *base,
                                             xta__bytes *payload, xta__news *news,
                                             xta__replica_base *now, xta_error *err);

/* An array made of an encoded state. Before a cell is touched it must be given a store of chunks,
 * which it owns from then on. */
XTA_PRIVATE_API xta_status xta__replica_new(const char *path, const xta__bytes *payload,
                                            xta_array **out, xta_error *err);
XTA_PRIVATE_API void xta__replica_attach(xta_array *array, xta__chunk_store *chunk_store);

/* Apply what a root sent, which leads to step `n_steps`. On failure the replica is as it was, or,
 * if records were sent, as the last one left it that could be applied; then it must not be used
 * together with other replicas any more. */
XTA_PRIVATE_API xta_status xta__replica_apply(xta_array *array, xta__news news,
                                              const xta__bytes *payload, uint64_t n_steps,
                                              xta_error *err);

/* Fill in the sizes of the files. */
xta_status xta__replica_sizes(const xta_array *array, xta_array_info *info, xta_error *err);

#endif
