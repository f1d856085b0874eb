/* Replicas: arrays that learn their structure from the one process that reads the journal, the
 * root.
 *
 * First they get the whole state, as the payload of a checkpoint record. Later they get the records
 * appended to the journal since, and replay them as any reader of the journal does; so the cost of
 * a step depends on the step, not on the history before it. The whole state is sent again only
 * where records do not lead from one state to the other (the journal was compacted, or a growth of
 * several arrays waits for its leader) or are longer than the state.
 *
 * A replica computes addresses and moves cells as any array does; it has no journal, so it refuses
 * to change the structure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/replica.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/fork.h"
#include "array/handle/lifetime.h"
#include "array/handle/paths.h"
#include "array/io/cell.h"
#include "array/state/attributes.h"
#include "array/state/replay.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"

/* Records up to this length are sent without comparing them with the state. */
#define SHORT_BYTES ((uint64_t)64 << 10)

xta_status xta__replica_encode(xta_array *array, xta__bytes *payload, xta_error *err)
{
    pthread_mutex_lock(&array->lock);
    xta_status status = xta__state_checkpoint(&array->state, payload);
    pthread_mutex_unlock(&array->lock);
    return status == XTA_OK ? XTA_OK
                            : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its structure",
                                        xta__array_name(array));
}

xta__replica_base xta__replica_base_of(xta_array *root)
{
    pthread_mutex_lock(&root->lock);
    xta__replica_base base = {.journal_end = root->journal.end,
                              .n_moves = root->n_moves,
                              .n_steps = root->state.structure->n_steps,
                              .pending = root->state.pending != NULL};
    pthread_mutex_unlock(&root->lock);
    return base;
}

/* Records that are added to a payload. */
typedef struct record_collection {
    xta__bytes *payload;
    size_t most; /* bytes: if there are more, the state is shorter */
} record_collection;

static xta_status collect_record(void *user, const xta__record *record, const char **why)
{
    const record_collection *c = user;

    xta__encode_nested(record->type, record->payload, record->payload_bytes, c->payload);
    if (c->payload->failed) {
        *why = "no memory for what the other ranks are told";
        return XTA_ENOMEM;
    }
    return c->payload->n > c->most ? XTA_ECANCELLED : XTA_OK;
}

/* The records since `base`; the lock is held. *longer: they are longer than the state. */
static xta_status add_records(xta_array *root, const xta__replica_base *base, xta__bytes *payload,
                              bool *longer, xta_error *err)
{
    record_collection c = {.payload = payload, .most = SIZE_MAX};
    xta__bytes state = {0};
    xta_error why = {0};
    xta_status status = XTA_OK;

    // Short records are not compared with the state, which may take long to encode.
    if (root->journal.end - base->journal_end > SHORT_BYTES) {
        status = xta__state_checkpoint(&root->state, &state);
        c.most = payload->n + state.n;
        xta__bytes_clear(&state);
    }
    if (status == XTA_OK) {
        status =
            xta__journal_read_again(&root->journal, base->journal_end, collect_record, &c, &why);
    }
    *longer = status == XTA_ECANCELLED;
    return status == XTA_OK || *longer ? XTA_OK
                                       : xta__fail(err, status, why.os_errno, "%s",
                                                   why.status != XTA_OK ? why.text : "no memory");
}

xta_status xta__replica_news(xta_array *root, const xta__replica_base *base, xta__bytes *payload,
                             xta__news *news, xta__replica_base *now, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t before = payload->n;
    bool longer = false;

    *now = xta__replica_base_of(root);
    *news = XTA__NEWS_OF_STATE;
    if (now->n_moves == base->n_moves && now->journal_end == base->journal_end &&
        now->n_steps == base->n_steps) {
        *news = XTA__NO_NEWS;
        return XTA_OK;
    }
    if (now->n_moves == base->n_moves && now->journal_end >= base->journal_end && !base->pending &&
        !now->pending) {
        pthread_mutex_lock(&root->lock);
        status = add_records(root, base, payload, &longer, err);
        pthread_mutex_unlock(&root->lock);
        if (status != XTA_OK || !longer) {
            // Checkpoints alone change nothing.
            *news = payload->n > before ? XTA__NEWS_OF_RECORDS : XTA__NO_NEWS;
            return status;
        }
    }
    payload->n = before;
    return xta__replica_encode(root, payload, err);
}

static xta_status decode_state(xta__state *state, const xta__bytes *payload, const char *path,
                               xta_error *err)
{
    const xta__record record = {
        .type = XTA__RECORD_CHECKPOINT, .payload = payload->bytes, .payload_bytes = payload->n};
    const char *why = "";
    xta_status status = xta__state_apply(state, &record, &why);

    return status == XTA_OK
               ? XTA_OK
               : xta__fail(err, status, 0, "%s: its structure was not understood: %s", path, why);
}

xta_status xta__replica_new(const char *path, const xta__bytes *payload, xta_array **out,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = xta__new_array();

    *out = NULL;
    if (array == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for an array", path));
    }
    XTA_TRY(xta__array_find(array, path, err));
    array->replica = true;
    XTA_TRY(decode_state(&array->state, payload, array->path, err));
    xta__adopt_state(array);
    XTA_TRY(xta__handle_enter(array, err));
    *out = array;

done:
    if (status != XTA_OK) {
        xta__free_array(array);
    }
    return status;
}

void xta__replica_attach(xta_array *array, xta__chunk_store *chunk_store)
{
    array->chunk_store = chunk_store;
    chunk_store->n_chunks = array->state.structure->mapping.n_chunks;
    xta__select_accessors(array, array->state.structure);
}

/* The state was replaced or changed in place: update the rest of the handle. The lock is held. */
static xta_status follow_state(xta_array *array, bool shrunk, xta_error *err)
{
    xta__structure *structure = array->state.structure;

    array->chunk_store->n_chunks = structure->mapping.n_chunks;
    xta__select_accessors(array, structure);
    atomic_store_explicit(&array->structure, structure, memory_order_release);
    // A shrink may have freed slots.
    return shrunk && array->chunk_store->ops->refresh != NULL
               ? array->chunk_store->ops->refresh(array->chunk_store, err)
               : XTA_OK;
}

/* The lock is held. */
static xta_status replay_records(xta_array *array, const xta__bytes *payload, xta_error *err)
{
    const uint8_t *at = payload->bytes, *end = payload->bytes + payload->n;
    const char *why = "the records have a wrong length";
    xta_status status = XTA_OK;

    array->state.shrunk = false;
    while (at < end && status == XTA_OK) {
        xta__record record = {0};
        status = xta__decode_nested(&at, end, &record);
        if (status == XTA_OK) {
            status = xta__state_apply(&array->state, &record, &why);
        }
    }
    if (status != XTA_OK) {
        // Records applied so far stay applied: one may have added an axis, say.
        xta_error ignored = {0};
        (void)!follow_state(array, true, &ignored);
        return xta__fail(err, status, 0, "%s: a change of its structure was not understood: %s",
                         array->path, why);
    }
    return follow_state(array, array->state.shrunk, err);
}

/* The lock is held. */
static xta_status replace_state(xta_array *array, const xta__bytes *payload, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__state state = {.table_limit = array->state.table_limit};
    xta__structure *old = array->state.structure;

    XTA_TRY(decode_state(&state, payload, array->path, err));
    xta__attributes_clear(&array->state.attributes);
    array->state.attributes = state.attributes;
    xta__works_clear(&array->state.works);
    array->state.works = state.works;
    xta__state_drop_pending(&array->state);
    // The constants are unchanged, and others point to them.
    free(state.constants.fill);
    array->state.structure = state.structure;
    state = (xta__state){0};
    status = follow_state(array, true, err);
    // All ranks take part in this call, so nobody uses the old structure any more; it is freed
    // here, as otherwise a thousand growths would leave a thousand structures.
    xta__structure_free(old);

done:
    if (status != XTA_OK) {
        xta__state_clear(&state);
    }
    return status;
}

xta_status xta__replica_apply(xta_array *array, xta__news news, const xta__bytes *payload,
                              uint64_t n_steps, xta_error *err)
{
    pthread_mutex_lock(&array->lock);
    xta_status status = news == XTA__NEWS_OF_RECORDS ? replay_records(array, payload, err)
                                                     : replace_state(array, payload, err);
    uint64_t reached = array->state.structure->n_steps;
    pthread_mutex_unlock(&array->lock);
    if (status == XTA_OK && reached != n_steps) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: this rank is at step %" PRIu64 ", rank 0 at step %" PRIu64
                           "; close and open again",
                           array->path, reached, n_steps);
    }
    return status;
}

xta_status xta__replica_sizes(const xta_array *array, xta_array_info *info, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;

    XTA_TRY(xta__file_open_at(xta__data_of(array), XTA__FILE_READ, &file, err));
    XTA_TRY(xta__file_sizes(&file, &info->data_apparent_bytes, &info->data_real_bytes, err));
    xta__file_close(&file);
    XTA_TRY(xta__file_open_at(xta__journal_of(array), XTA__FILE_READ, &file, err));
    XTA_TRY(xta__file_sizes(&file, &info->journal_bytes, NULL, err));

done:
    xta__file_close(&file);
    return status;
}
