/* Opening an array: its state and its chunk store from a path.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/handle/open.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/announced_growth.h"
#include "array/handle/catch_up.h"
#include "array/handle/choose_lock.h"
#include "array/handle/exclusive_lock.h"
#include "array/handle/finish_replacement.h"
#include "array/handle/fork.h"
#include "array/handle/lifetime.h"
#include "array/handle/paths.h"
#include "array/handle/write_guard.h"
#include "array/state/attributes.h"
#include "array/state/replay.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"

/* Apply the journal's records to the state, up to the requested step. */
static xta_status replay_journal(xta_array *array, xta_error *err)
{
    xta_error local = {0};
    xta__state *state = &array->state;

    state->synced_bytes = array->journal.synced_bytes;
    if (array->journal.begin > XTA__HEADER_BYTES && array->journal.begin >= state->synced_bytes) {
        // This mark counts because there was no power loss since, so its slots must exist.
        state->synced_bytes = array->journal.begin + 1;
    }
    xta_status status = xta__journal_read(&array->journal, xta__state_apply, state, &local);
    if (status == XTA_ECANCELLED && state->reached_step) {
        status = XTA_OK;
    }
    if (status != XTA_OK) {
        return xta__fail(err, status, local.os_errno, "%s", local.text);
    }
    if (state->pending != NULL) {
        bool taken = false;
        status = xta__group_ask_leader(array, &taken, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    if (state->structure == NULL) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %d: no whole record follows the header; restore the file",
                         array->journal_path, XTA__HEADER_BYTES);
    }
    if (state->at_step && state->structure->n_steps != state->step) {
        return xta__fail(err, XTA_ENOENT, 0,
                         state->structure->n_steps < state->step
                             ? "%s: there is no step %" PRIu64 "; the last one is %" PRIu64
                             : "%s: step %" PRIu64 " was compacted away; the first one is %" PRIu64,
                         array->journal_path, state->step, state->structure->n_steps);
    }
    return XTA_OK;
}

/* Read the work that is unfinished now, not at the opened step: the cells are the current ones. */
static xta_status read_works_of_today(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__journal journal = {.file = XTA__FILE_CLOSED};
    xta__state now = {.table_limit = array->state.table_limit};

    XTA_TRY(xta__journal_open(xta__journal_of(array), false, false, &journal, err));
    XTA_TRY(xta__journal_read(&journal, xta__state_apply, &now, err));
    xta__works_clear(&array->state.works);
    array->state.works = now.works;
    now.works = (xta__works){0};
    array->state.announced = now.announced;
    memcpy(array->state.announced_id, now.announced_id, sizeof now.announced_id);

done:
    xta__journal_close(&journal);
    xta__state_clear(&now);
    return status;
}

/* Open the journal, or, if `next` is given, the journal that will replace it. */
static xta_status open_journal(xta_array *array, const char *next, xta_error *err)
{
    const xta__path path = {next != NULL ? next : array->journal_file, array->journal_path};
    xta_status status =
        xta__journal_open(path, array->writable, !array->at_step, &array->journal, err);

    if (status == XTA_OK) {
        xta__journal_lock_like(&array->journal, &array->locking);
    }
    if (status == XTA_OK && next != NULL) {
        // the path that it will have
        free(array->journal.file.at);
        array->journal.file.at = xta__strdup(array->journal_file);
        if (array->journal.file.at == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open it", array->journal_path);
        }
    }
    return status;
}

/* A writable handle first repairs the data file, with the journal locked: no other handle may
 * append while the file after the last slot is inspected. If there is an exclusive writer it has
 * already done so, and the files are opened as by a reader. `next` and `data`: see open_files. */
static xta_status open_pair(xta_array *array, const char *next, const char *data, xta_error *err)
{
    xta_status status = XTA_OK;
    bool news = false, locked = false;
    char *own = array->data_file;
    const xta__path data_at = {data != NULL ? data : own, array->data_path};

    XTA_TRY(open_journal(array, next, err));
    if (array->writable) {
        xta_error busy = {0};
        status = xta__journal_lock(&array->journal, data_at, 0, &news, &busy);
        locked = status == XTA_OK;
        if (!locked && !(status == XTA_EBUSY && array->journal.lock.refused_by_one)) {
            XTA_TRY(xta__fail(err, status, busy.os_errno, "%s", busy.text));
        }
    }
    if (array->journal.moved) {
        goto done;
    }
    XTA_TRY(replay_journal(array, err));
    if (array->at_step) {
        XTA_TRY(read_works_of_today(array, err));
    }
    if (array->writable && array->journal.unknown_type != 0) {
        XTA_TRY(xta__refuse_unknown(array, err));
    }
    if (array->journal.moved) {
        // Another process has just compacted the journal: the caller starts again with the new one.
        goto done;
    }
    xta__adopt_state(array);
    array->data_file = data != NULL ? (char *)(uintptr_t)data : own;
    status = xta__make_chunk_store(array, locked, err);
    array->data_file = own;
    XTA_TRY(status);
    if (array->locking.by_file) {
        xta__chunks_of_lock_file(array->chunk_store);
    }
    // A reader has no lock: the pair may have been replaced between its two files.
    array->journal.moved = !locked && next == NULL &&
                           (!xta__file_is_at_path(&array->journal.file) ||
                            xta__replacement_waits(array->journal_file));

done:
    if (locked) {
        xta__journal_unlock(&array->journal);
    }
    return status;
}

/* Open the files of an array. An unfinished replacement of the pair (see change/replace.c) is
 * completed by a writable handle; a read-only handle uses the files as they are. */
static xta_status open_files(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    char *next = NULL, *data = NULL;
    bool waits = xta__replacement_waits(array->journal_file);
    xta_error why = {0};

    if (waits && array->writable) {
        XTA_TRY(xta__replacement_finish(xta__journal_of(array), xta__data_of(array),
                                        &array->locking, err));
    } else if (waits) {
        XTA_TRY(xta__replacement_paths(array->journal_file, array->data_file, &next, &data, err));
    }
    if (!xta__path_exists(array->journal_file)) {
        bool half = xta__path_exists(array->data_file);
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0,
                          half ? "%s: the journal is missing, its data file is there; restore it"
                               : "%s: no such array; check the path",
                          half ? array->journal_path : array->path));
    }
    status = open_pair(array, next, data, &why);
    if (status == XTA_ENOENT && next != NULL &&
        (!xta__path_exists(next) || !xta__path_exists(data))) {
        // Another process has just completed the replacement: the caller starts again.
        array->journal.moved = true;
        status = XTA_OK;
    }
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(err, status, why.os_errno, "%s", why.text));
    }

done:
    free(next);
    free(data);
    return status;
}

/* Open the files of a handle whose paths are set. */
static xta_status open_found(xta_array *array, const char *path, const xta_open_options *o,
                             xta_error *err)
{
    xta_status status = XTA_OK;

    if (o->at_step && o->writable) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: an earlier step cannot be opened writable", path));
    }
    if (o->exclusive_writer && !o->writable) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: an exclusive writer has to write; set `writable` as well", path));
    }
    if (o->writable) {
        XTA_TRY(xta__choose_lock(xta__array_name(array), o->lock, &array->locking, err));
    }
    array->writable = o->writable;
    array->at_step = array->state.at_step = o->at_step;
    array->state.step = o->step;
    array->access = o->access;
    array->cache_bytes = o->cache_bytes > 0 ? o->cache_bytes : XTA__CACHE_BYTES;
    XTA_TRY(open_files(array, err));
    while (array->journal.moved) {
        if (array->chunk_store != NULL) {
            array->chunk_store->ops->free(array->chunk_store);
            array->chunk_store = NULL;
        }
        xta__journal_close(&array->journal);
        xta__structure_free(array->state.structure);
        xta__attributes_clear(&array->state.attributes);
        xta__works_clear(&array->state.works);
        free(array->state.constants.fill);
        array->state.structure = NULL;
        array->state.constants.fill = NULL;
        xta__state_drop_pending(&array->state);
        XTA_TRY(open_files(array, err));
    }
    XTA_TRY(xta__guard_new(array, err));
    XTA_TRY(xta__handle_enter(array, err));
    if (o->exclusive_writer) {
        XTA_TRY(xta__become_exclusive_writer(array, err));
    }

done:
    return status;
}

xta_status xta_array_open(const char *path, const xta_open_options *options, xta_array **out,
                          xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = xta__new_array();

    xta__clear(err);
    *out = NULL;
    if (array == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the array", path));
    }
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_open_options", err));
    XTA_TRY(xta__array_find(array, path, err));
    XTA_TRY(open_found(array, path, &o, err));
    *out = array;

done:
    if (status != XTA_OK) {
        xta__free_array(array);
    }
    return status;
}

xta_status xta__array_open_again(const xta_array *array, const xta_open_options *options,
                                 xta_array **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *again = xta__new_array();

    *out = NULL;
    if (again != NULL) {
        again->path = xta__strdup(array->path);
        again->journal_path = xta__strdup(array->journal_path);
        again->data_path = xta__strdup(array->data_path);
        again->journal_file = xta__strdup(array->journal_file);
        again->data_file = xta__strdup(array->data_file);
    }
    if (again == NULL || again->path == NULL || again->journal_path == NULL ||
        again->data_path == NULL || again->journal_file == NULL || again->data_file == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the array", array->path));
    }
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_open_options", err));
    if (o.lock == XTA_LOCK_DEFAULT && array->writable) {
        o.lock = array->locking.by_file ? XTA_LOCK_FILE : XTA_LOCK_SYSTEM;
    }
    XTA_TRY(open_found(again, again->path, &o, err));
    *out = again;

done:
    if (status != XTA_OK) {
        xta__free_array(again);
    }
    return status;
}
