/* Compacting the journal: one checkpoint takes the place of all records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/compact.h"

#include <stdlib.h>

#include "array/change/replace.h"
#include "array/handle/announced_growth.h"
#include "array/handle/change_lock.h"
#include "array/io/cell.h"
#include "array/state/open_array.h"
#include "array/state/replay.h"

/* The journal is locked and its cells are durable. */
static xta_status replace_journal(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes *commits = NULL;
    xta__new_record *records = NULL;
    size_t n = 0;

    XTA_TRY(xta__group_unsettled(array, &commits, &n, err));
    records = xta__calloc(n + 1, sizeof records[0]);
    if (records == NULL || xta__state_checkpoint(&array->state, &records[0].payload) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a checkpoint", array->path));
    }
    records[0].type = XTA__RECORD_CHECKPOINT;
    for (size_t k = 0; k < n; k++) {
        records[1 + k] = (xta__new_record){XTA__RECORD_COMMIT, commits[k]};
        commits[k] = (xta__bytes){0};
    }
    XTA_TRY(xta__journal_supersede(&array->journal, records, n + 1, err));

done:
    for (size_t k = 0; k < n; k++) {
        xta__bytes_clear(&commits[k]);
    }
    for (size_t k = 0; records != NULL && k < n + 1; k++) {
        xta__bytes_clear(&records[k].payload);
    }
    free(commits);
    free(records);
    return status;
}

xta_status xta_compact(const char *path, uint64_t *before_bytes, uint64_t *after_bytes,
                       xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta__file fresh = XTA__FILE_CLOSED;
    uint64_t before = 0, after = 0;

    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &array, err));
    XTA_TRY(xta__change_begin(array, err));
    status = xta__check_replaceable(array, false, err);
    xta__remove_leftovers(array->journal_file);
    if (status == XTA_OK) {
        status = array->chunk_store->ops->sync(array->chunk_store, err);
    }
    if (status == XTA_OK) {
        status = xta__file_sizes(&array->journal.file, &before, NULL, err);
    }
    if (status == XTA_OK) {
        status = replace_journal(array, err);
    }
    xta__change_end(array);
    XTA_TRY(status);
    XTA_TRY(xta__file_open_at(xta__journal_of(array), XTA__FILE_READ, &fresh, err));
    XTA_TRY(xta__file_sizes(&fresh, &after, NULL, err));
    if (before_bytes != NULL) {
        *before_bytes = before;
    }
    if (after_bytes != NULL) {
        *after_bytes = after;
    }

done:
    xta__file_close(&fresh);
    if (array != NULL) {
        // The journal of this handle is the old one: nothing is left to sync.
        xta__break(array);
        xta_array_close(array, NULL);
    }
    return status;
}
