/* Making an array durable, closing it, deleting it.
 *
 * Cells are synced before the journal: a mark in the journal says up to which point all records,
 * and the slots of all their chunks, are durable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/close.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/change_lock.h"
#include "array/handle/lifetime.h"
#include "array/handle/paths.h"
#include "array/state/checkpoint.h"
#include "array/state/open_array.h"

/* Make the journal durable. `promised`: the end of the journal when the data file was made
 * durable. */
static xta_status sync_journal(xta_array *array, uint64_t promised, bool closing, xta_error *err)
{
    xta_status status = XTA_OK;

    if (array->journal.synced_bytes >= array->journal.end && !closing) {
        return XTA_OK;
    }
    xta_error busy = {0};
    status = xta__change_begin_within(array, 0, &busy);
    if (status == XTA_EBUSY) {
        // Only the owner of the lock writes a mark. A mark promises more, but makes nothing
        // durable.
        return xta__file_sync(&array->journal.file, err);
    }
    if (status != XTA_OK) {
        return xta__fail(err, status, busy.os_errno, "%s", busy.text);
    }
    if (array->journal.end != promised) {
        // Others have extended the array meanwhile: the mark will cover their slots as well.
        status = array->chunk_store->ops->sync(array->chunk_store, err);
    }
    if (status == XTA_OK) {
        xta__checkpoint_if_due(array);
        status = xta__journal_sync(&array->journal, err);
    }
    xta__change_end(array);
    return status;
}

static xta_status sync_all(xta_array *array, bool closing, xta_error *err)
{
    if (!array->writable || array->in_memory) {
        return XTA_OK;
    }
    // Cells first: a mark in the journal says that everything before it is durable.
    pthread_mutex_lock(&array->lock);
    uint64_t promised = array->journal.end;
    pthread_mutex_unlock(&array->lock);
    // After the sync the pages of new chunks are clean, and more of their cells are written with
    // calls.
    atomic_store(&array->fresh_from, UINT64_MAX);
    xta_status status = array->chunk_store->ops->sync(array->chunk_store, err);
    if (status == XTA_OK) {
        status = sync_journal(array, promised, closing, err);
    }
    return status;
}

xta_status xta_array_sync(xta_array *array, xta_error *err)
{
    xta_status status = xta__begin(array, err);

    return status == XTA_OK ? sync_all(array, false, err) : status;
}

/* Close a handle that was left unusable. It writes nothing more: what it has written is made
 * durable; deferred cells are lost, which the status reports. */
static xta_status leave_broken(xta_array *array, uint64_t n_deferred, xta_error *err)
{
    if (n_deferred > 0) {
        return xta__fail(err, XTA_ESTATE, 0, "an earlier failure had left the handle unusable");
    }
    if (!array->writable || array->in_memory || array->replica || array->chunk_store == NULL) {
        return XTA_OK;
    }
    xta_status status = array->chunk_store->ops->sync(array->chunk_store, err);
    return status == XTA_OK ? xta__file_sync(&array->journal.file, err) : status;
}

static uint64_t count_deferred(const xta_array *array, uint64_t *n_chunks)
{
    *n_chunks = 0;
    return array->chunk_store != NULL && array->chunk_store->ops->unwritten != NULL
               ? array->chunk_store->ops->unwritten(array->chunk_store, n_chunks)
               : 0;
}

xta_status xta_array_close(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error why = {0};
    uint64_t n_cells = 0, n_chunks = 0;

    xta__clear(err);
    if (array == NULL) {
        return XTA_OK;
    }
    if (atomic_load_explicit(&array->inherited, memory_order_relaxed)) {
        xta__free_array(array);
        return XTA_OK;
    }
    if (!atomic_load_explicit(&array->broken, memory_order_relaxed)) {
        status = sync_all(array, true, &why);
        n_cells = status != XTA_OK ? count_deferred(array, &n_chunks) : 0;
    } else {
        n_cells = count_deferred(array, &n_chunks);
        status = leave_broken(array, n_cells, &why);
    }
    if (n_cells > 0) {
        status =
            xta__fail(err, status, why.os_errno,
                      "%s: %" PRIu64 " %s in %" PRIu64 " %s could not be written and %s "
                      "lost: %s",
                      array->data_path, n_cells, n_cells == 1 ? "cell" : "cells", n_chunks,
                      n_chunks == 1 ? "chunk" : "chunks", n_cells == 1 ? "is" : "are", why.text);
    } else if (status != XTA_OK) {
        status = xta__fail(err, status, why.os_errno, "%s", why.text);
    }
    xta__free_array(array);
    return status;
}

xta_status xta_array_delete(const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__pair pair = {0};

    xta__clear(err);
    XTA_TRY(xta__pair_find(path, &pair, err));
    if (!xta__path_exists(pair.journal_file)) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: no such array; check the path", pair.base));
    }
    // The journal is removed first: without it there is no array, and a data file alone gives an
    // error that names it.
    XTA_TRY(xta__path_remove(pair.journal_file, err));
    if (xta__path_exists(pair.data_file)) {
        XTA_TRY(xta__path_remove(pair.data_file, err));
    }

done:
    xta__pair_clear(&pair);
    return status;
}
