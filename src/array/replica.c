/* Replicas: arrays whose structure is told to them, by the one process that reads the journal.
 *
 * What is told is the payload of a checkpoint record, which is the whole state. A replica computes
 * addresses and moves cells as any array; it has no journal, so it refuses to change the structure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <stdlib.h>
#include <string.h>

xta_status xta__replica_encode(xta_array *array, xta__bytes *payload, xta_error *err)
{
    pthread_mutex_lock(&array->lock);
    xta_status status = xta__state_checkpoint(&array->state, payload);
    pthread_mutex_unlock(&array->lock);
    return status == XTA_OK ? XTA_OK
                            : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its structure",
                                        xta__array_name(array));
}

static xta_status decode(xta__state *state, const xta__bytes *payload, const char *path,
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
    XTA_TRY(decode(&array->state, payload, array->path, err));
    xta__adopt_state(array);
    XTA_TRY(xta__handle_enter(array, err));
    *out = array;

done:
    if (status != XTA_OK) {
        xta__free_array(array);
    }
    return status;
}

void xta__replica_attach(xta_array *array, xta__holder *holder)
{
    array->holder = holder;
    holder->n_chunks = array->state.structure->mapping.n_chunks;
    xta__choose_ways(array, array->state.structure);
}

xta_status xta__replica_update(xta_array *array, const xta__bytes *payload, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__state state = {.table_limit = array->state.table_limit};
    xta__structure *old = NULL;

    pthread_mutex_lock(&array->lock);
    if (array->holder->ops->refresh != NULL) {
        // A shrink may have given slots back.
        XTA_TRY(array->holder->ops->refresh(array->holder, err));
    }
    XTA_TRY(decode(&state, payload, array->path, err));
    xta__attributes_clear(&array->state.attributes);
    array->state.attributes = state.attributes;
    xta__works_clear(&array->state.works);
    array->state.works = state.works;
    // The constants are those of before, and others point to them.
    free(state.constants.fill);
    // Nobody else is at work while all ranks are told: nothing looks at the structure of before any
    // more, and a thousand growths must not leave a thousand of them.
    old = array->state.structure;
    array->state.structure = state.structure;
    array->holder->n_chunks = state.structure->mapping.n_chunks;
    xta__choose_ways(array, state.structure);
    atomic_store_explicit(&array->structure, state.structure, memory_order_release);
    state = (xta__state){0};
    xta__structure_free(old);

done:
    if (status != XTA_OK) {
        xta__state_clear(&state);
    }
    pthread_mutex_unlock(&array->lock);
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
