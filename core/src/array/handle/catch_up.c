/* Catching up: applying to the state what other processes have appended to the journal.
 *
 * Usually the new records are replayed. If the journal was compacted meanwhile, another file has
 * its name, and the state is rebuilt from that one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/catch_up.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/announced_growth.h"
#include "array/handle/write_guard.h"
#include "array/io/cell.h"
#include "array/state/attributes.h"
#include "array/state/replay.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"

/* Another process has compacted the journal: read the new one from its beginning. */
static xta_status start_again(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__journal fresh;
    xta__state state = {.table_limit = array->state.table_limit};

    XTA_TRY(xta__journal_open(xta__journal_of(array), array->writable, true, &fresh, err));
    status = xta__journal_read(&fresh, xta__state_apply, &state, err);
    if (status == XTA_OK && memcmp(fresh.uuid, array->journal.uuid, sizeof fresh.uuid) != 0) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: another array has taken this one's place; "
                           "close and open again",
                           array->journal_path);
    }
    if (status != XTA_OK || state.structure == NULL) {
        xta__journal_close(&fresh);
        xta__state_clear(&state);
        XTA_TRY(status != XTA_OK
                    ? status
                    : xta__fail(err, XTA_ECORRUPT, 0, "%s: no whole record", array->journal_path));
    }
    xta__journal_lock_like(&fresh, &array->journal.lock);
    // The lease of an exclusive writer belongs to the array, so the new journal has it.
    fresh.lease = array->journal.lease;
    array->journal.lease = (xta__file)XTA__FILE_CLOSED;
    xta__journal old = array->journal;
    array->journal = fresh;
    array->n_moves++;
    array->checkpoint_due = 0;
    xta__attributes_clear(&array->state.attributes);
    array->state.attributes = state.attributes;
    xta__works_clear(&array->state.works);
    array->state.works = state.works;
    array->state.announced = state.announced;
    memcpy(array->state.announced_id, state.announced_id, sizeof state.announced_id);
    // The fill value never changes, and the coding of get and put points to the old copy.
    free(state.constants.fill);
    xta__state_drop_pending(&array->state);
    array->state.pending = state.pending;
    // If the new journal adds an axis, replaying it has created two structures.
    xta__structure *first = state.structure;
    while (first->retired != NULL) {
        first = first->retired;
    }
    first->retired = array->state.structure;
    array->state.structure = state.structure;
    array->state.shrunk = true;
    xta__guard_settle(array);
    xta__journal_close(&old);

done:
    return status;
}

xta_status xta__adopt_growth(xta_array *array, uint64_t n_before, xta_error *err)
{
    uint64_t n = array->state.structure->mapping.n_chunks, bytes = 0;
    bool replaced = false;
    xta_status status = XTA_OK;

    if (n > n_before) {
        const xta__file *data = xta__chunks_file(array->chunk_store);
        XTA_TRY(xta__file_sizes(data, &bytes, NULL, err));
        if (bytes < n * array->chunk_store->slot_bytes) {
            // A client of a network file system may remember an earlier length.
            XTA_TRY(xta__file_revalidate(data, &replaced, err));
            XTA_TRY(xta__file_sizes(data, &bytes, NULL, err));
        }
        if (bytes < n * array->chunk_store->slot_bytes) {
            XTA_TRY(xta__fail(err, XTA_ECORRUPT, 0,
                              "%s: offset %" PRIu64 ": the file ends, but the journal gives it "
                              "%" PRIu64 " chunks",
                              array->data_path, array->state.constants.data_offset + bytes, n));
        }
    }
    array->chunk_store->n_chunks = n;
    // New bounds come with new cells: cached copies of what others have changed are dropped.
    if ((array->state.shrunk || array->chunk_store->windows == NULL) &&
        array->chunk_store->ops->refresh != NULL) {
        XTA_TRY(array->chunk_store->ops->refresh(array->chunk_store, err));
    }
    xta__guard_settle(array);
    xta__select_accessors(array, array->state.structure);
    atomic_store_explicit(&array->structure, array->state.structure, memory_order_release);

done:
    return status;
}

/* Before the structure changes, deferred cells are written: at this point it is still known which
 * of them were removed, and after a failure (a full disk, say) nothing has changed. */
static xta_status write_deferred(xta_array *array, xta_error *err)
{
    uint8_t probe;
    size_t got = 0;

    if (array->guard == NULL) {
        return XTA_OK;
    }
    xta_status status =
        array->journal.moved
            ? XTA_OK
            : xta__file_read_at(&array->journal.file, array->journal.end, &probe, 1, &got, err);
    return status == XTA_OK && (got > 0 || array->journal.moved)
               ? array->chunk_store->ops->refresh(array->chunk_store, err)
               : status;
}

xta_status xta__catch_up(xta_array *array, bool *changed, xta_error *err)
{
    uint64_t before = array->journal.end;
    uint64_t n_before = array->chunk_store->n_chunks;
    xta_status status = XTA_OK;

    *changed = false;
    array->state.shrunk = false;
    if (array->journal.exclusive) {
        return XTA_OK;
    }
    status = write_deferred(array, err);
    if (status != XTA_OK) {
        return status;
    }
    // A journal that is known to have been replaced may be gone from the server.
    if (!array->journal.moved) {
        XTA_TRY(xta__journal_read(&array->journal, xta__state_apply, &array->state, err));
    }
    while (array->journal.moved) {
        XTA_TRY(start_again(array, err));
        before = 0;
    }
    *changed = array->journal.end != before;
    XTA_TRY(xta__group_ask_leader(array, changed, err));
    if (*changed) {
        XTA_TRY(xta__adopt_growth(array, n_before, err));
    }

done:
    if (status != XTA_OK && status != XTA_EIO && status != XTA_ENOMEM) {
        xta__break(array);
    }
    return status;
}

xta_status xta__refuse_unknown(xta_array *array, xta_error *err)
{
    return xta__fail(err, XTA_EFORMAT, 0,
                     "%s: a record of type %u, which this library does not know: the array can be "
                     "read, not changed; use a newer release",
                     array->journal_path, array->journal.unknown_type);
}

xta_status xta_array_refresh(xta_array *array, bool *changed, xta_error *err)
{
    bool any = false;
    xta_status status = xta__begin(array, err);

    if (status == XTA_OK && !array->in_memory && !array->at_step && !array->replica) {
        pthread_mutex_lock(&array->lock);
        status = xta__catch_up(array, &any, err);
        if (status == XTA_OK && array->chunk_store->windows == NULL &&
            array->chunk_store->ops->refresh != NULL) {
            // Cells, too, may have been changed by others.
            status = array->chunk_store->ops->refresh(array->chunk_store, err);
        }
        pthread_mutex_unlock(&array->lock);
    }
    if (changed != NULL) {
        *changed = any;
    }
    return status;
}
