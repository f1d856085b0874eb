/* The lock of a structural change: acquiring it, with all changes of others read, and releasing it.
 *
 * What an interrupted change of another process has left is settled before the new one begins: a
 * replacement whose renames were interrupted, a growth of several arrays that its leader has
 * committed, and work that was announced but whose growth never happened.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/change_lock.h"

#include "array/handle/announced_growth.h"
#include "array/handle/catch_up.h"
#include "array/handle/commit.h"
#include "array/handle/finish_replacement.h"
#include "array/handle/write_guard.h"
#include "array/io/cell.h"
#include "array/state/checkpoint.h"
#include "array/state/replay.h"

/* A SUPERSEDED record whose renames were interrupted: whoever opens the path next completes them
 * (see replace.c), and changes made here would be lost. */
static xta_status refuse_replaced(xta_array *array, xta_error *err)
{
    if (!array->journal.torn || !xta__replacement_waits(array->journal_file)) {
        return XTA_OK;
    }
    xta__break(array);
    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: another array is taking this one's place; close and open again",
                     array->journal_path);
}

/* Acquire the lock and read all changes of others. */
static xta_status lock_and_catch_up(xta_array *array, unsigned patience_ms, xta_error *err)
{
    bool news = false, changed = false;
    xta_status status =
        xta__journal_lock(&array->journal, xta__data_of(array), patience_ms, &news, err);

    // A journal that was replaced is locked again under its new file.
    while (status == XTA_OK && news) {
        // Not compared by descriptor: after two replacements the third journal may have the first
        // one's.
        uint64_t moves = array->n_moves;
        status = xta__catch_up(array, &changed, err);
        if (status == XTA_OK && array->journal.unknown_type != 0) {
            status = xta__refuse_unknown(array, err);
        }
        if (status == XTA_OK && array->n_moves != moves) {
            status =
                xta__journal_lock(&array->journal, xta__data_of(array), patience_ms, &news, err);
            continue;
        }
        if (status != XTA_OK) {
            xta__journal_unlock(&array->journal);
        }
        break;
    }
    return status;
}

static xta_status settle_group(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes payload = {0};
    bool changed = false;

    if (array->state.pending == NULL) {
        return XTA_OK;
    }
    uint64_t n_before = array->chunk_store->n_chunks;
    XTA_TRY(xta__group_ask_leader(array, &changed, err));
    if (changed) {
        XTA_TRY(xta__adopt_growth(array, n_before, err));
    }
    if (array->state.pending->taken) {
        xta__encode_group(array->state.pending->record.group, &payload);
        XTA_TRY(xta__commit(array, XTA__RECORD_COMMIT, &payload, err));
    }
    xta__state_drop_pending(&array->state);

done:
    xta__bytes_clear(&payload);
    return status;
}

static xta_status settle_work(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;

    if (array->state.announced) {
        XTA_TRY(xta__commit_work_end(array, array->state.announced_id, true, err));
        array->state.announced = false;
    }

done:
    return status;
}

xta_status xta__change_begin_within(xta_array *array, unsigned patience_ms, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&array->lock);
    if (array->appending) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: cells of an append are being written; change the structure and "
                           "attributes before or after it",
                           xta__array_name(array));
        pthread_mutex_unlock(&array->lock);
        return status;
    }
    if (array->in_memory) {
        return XTA_OK;
    }
    if (!array->journal.exclusive) {
        status = lock_and_catch_up(array, patience_ms, err);
    }
    if (status == XTA_OK &&
        (array->journal.torn || array->state.pending != NULL || array->state.announced)) {
        status = refuse_replaced(array, err);
        status = status == XTA_OK ? settle_group(array, err) : status;
        status = status == XTA_OK ? settle_work(array, err) : status;
        if (status != XTA_OK) {
            xta__journal_unlock(&array->journal);
        }
    }
    if (status != XTA_OK) {
        pthread_mutex_unlock(&array->lock);
    } else {
        xta__guard_enter(array);
    }
    return status;
}

xta_status xta__change_begin(xta_array *array, xta_error *err)
{
    return xta__change_begin_within(array, XTA__LOCK_PATIENCE_MS, err);
}

void xta__change_end(xta_array *array)
{
    if (!array->in_memory) {
        xta__checkpoint_after_change(array);
        if (array->journal.unsure) {
            xta__break(array);
        }
        xta__guard_leave(array);
        xta__journal_unlock(&array->journal);
    }
    pthread_mutex_unlock(&array->lock);
}
