/* The state of an array: what its journal builds, record by record.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_REPLAY_H
#define XTA_ARRAY_STATE_REPLAY_H

#include "array/state/attributes.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"
#include "store/store.h"

/* A growth of several arrays whose PREPARE is the last record and whose COMMIT has not been
 * read. */
typedef struct xta__pending {
    bool taken; /* its leader has committed it, and the structure includes it already */
    xta__prepare_record record;
} xta__pending;

/* What replaying the journal builds. The state of an open array is protected by its lock. */
typedef struct xta__state {
    xta__constants constants;
    xta__structure *structure; /* NULL before the first record */
    xta__attributes attributes;
    xta__works works;
    bool announced; /* the newest record announces work whose growth is still to come */
    uint8_t announced_id[XTA__UUID_BYTES];
    xta__pending *pending; /* NULL: none */
    uint64_t chunk_bytes;
    uint64_t table_limit;
    bool at_step; /* stop before the step after `step` */
    uint64_t step;
    bool reached_step;       /* stopped there */
    bool shrunk;             /* a shrink was among the records applied last */
    uint64_t synced_bytes;   /* of the journal, according to its newest mark */
    uint64_t durable_chunks; /* which have addresses from records before that end */
} xta__state;

/* Apply one record of the journal to the state `user`: an xta__journal_apply. */
xta_status xta__state_apply(void *user, const xta__record *record, const char **why);
void xta__state_clear(xta__state *state);

/* The pending growth has happened: apply it to the structure, once. XTA_ECANCELLED if the state is
 * that of an earlier step. */
xta_status xta__state_apply_pending(xta__state *state, const char **why);
void xta__state_drop_pending(xta__state *state);

/* The whole state as the payload of one checkpoint record. */
xta_status xta__state_checkpoint(const xta__state *state, xta__bytes *payload);

#endif
