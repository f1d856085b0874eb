/* Replicas: arrays that learn their structure from the one process that reads the journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_REPLICA_H
#define XTA_ARRAY_HANDLE_REPLICA_H

#include "array/state/open_array.h"

/* How far the replicas of an array have got in the journal of the root, which is rank 0's own
 * handle. */
typedef struct xta__replica_base {
    uint64_t journal_end;
    /* of the root's journal: offsets become meaningless after the next compaction */
    uint64_t n_moves;
    uint64_t n_steps;
    /* a growth of several arrays was announced: later records do not describe it completely */
    bool pending;
} xta__replica_base;

/* What a root sends to bring replicas up to date. */
typedef enum xta__news { XTA__NO_NEWS, XTA__NEWS_OF_RECORDS, XTA__NEWS_OF_STATE } xta__news;

/* The position of replicas that know as much as the root. */
XTA_PRIVATE_API xta__replica_base xta__replica_base_of(xta_array *root);

/* Everything another process needs to know about the structure. */
XTA_PRIVATE_API xta_status xta__replica_encode(xta_array *array, xta__bytes *payload,
                                               xta_error *err);

/* Add to `payload`, whose length is a multiple of 8, what replicas at position `base` do not know
 * yet: the records since; or the state, where the records do not lead to the root's state or are
 * longer than it. *now: the position of replicas that have applied it.
 *
 * Cost: O(new records) if they are sent, else O(state). */
XTA_PRIVATE_API xta_status xta__replica_news(xta_array *root, const xta__replica_base *base,
                                             xta__bytes *payload, xta__news *news,
                                             xta__replica_base *now, xta_error *err);

/* An array made from an encoded state. Before a cell is accessed it must be given a chunk store,
 * which it then owns. */
XTA_PRIVATE_API xta_status xta__replica_new(const char *path, const xta__bytes *payload,
                                            xta_array **out, xta_error *err);
XTA_PRIVATE_API void xta__replica_attach(xta_array *array, xta__chunk_store *chunk_store);

/* Apply what a root sent, which leads to step `n_steps`. On failure the replica is unchanged, or,
 * if records were sent, as the last applicable record left it; then it must no longer be used
 * together with other replicas. */
XTA_PRIVATE_API xta_status xta__replica_apply(xta_array *array, xta__news news,
                                              const xta__bytes *payload, uint64_t n_steps,
                                              xta_error *err);

/* Fill in the sizes of the files. */
xta_status xta__replica_sizes(const xta_array *array, xta_array_info *info, xta_error *err);

#endif
