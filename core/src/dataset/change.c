/* The journal of a data set: reading it, and changing it.
 *
 * A change is prepared on a copy of the list, which shares the entries, so that everything that can
 * fail has been done before its record is written. Then the copy becomes the list.
 *
 * The journal is short. When it has 64 KiB and twice the length of its state, one checkpoint takes
 * the place of all records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/change.h"
#include "dataset/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/choose_lock.h"
#include "store/journal/journal.h"
#include "util/os.h"

enum { RECORD_CHANGE = 1, LONG_BYTES = 64 << 10 };

const xta__journal_kind xta__dataset_journal = {
    .magic = {0x89, 'X', 'T', 'S', '\r', '\n', 0x1a, '\n'},
    .name = "the journal of a data set",
    .last_type = XTA__RECORD_SUPERSEDED,
};

/* Journals of data sets have no exclusive writers, and so no lease. */
static const xta__path no_lease = {"", ""};

static xta__path journal_of(const xta_dataset *set)
{
    return (xta__path){set->journal_file, set->journal_path};
}

/* ---- reading ---- */

static xta_status apply(void *user, const xta__record *record, const char **why)
{
    xta_dataset *set = user;

    if (record->type == XTA__RECORD_CHECKPOINT) {
        xta__entries_clear(&set->entries);
    } else if (record->type != RECORD_CHANGE) {
        *why = "a record of this type is of arrays only";
        return XTA_ECORRUPT;
    }
    return xta__entries_apply(&set->entries, record->payload, record->payload_bytes, why);
}

/* Open the journal that the path names, in place of the one that is open. */
static xta_status open_again(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__journal fresh;

    XTA_TRY(xta__journal_open_as(&xta__dataset_journal, journal_of(set), set->options.writable,
                                 true, &fresh, err));
    xta__journal_lock_like(&fresh, &set->locking);
    if (set->has_journal) {
        xta__journal_close(&set->journal);
    }
    set->journal = fresh;
    set->n_moves++;
    set->has_journal = true;
    xta__entries_clear(&set->entries);
    XTA_TRY(xta__journal_read(&set->journal, apply, set, err));

done:
    return status;
}

xta_status xta__dataset_open_journal(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;

    if (!xta__path_exists(set->journal_file)) {
        return XTA_OK;
    }
    XTA_TRY(open_again(set, err));
    while (set->journal.moved) {
        XTA_TRY(open_again(set, err));
    }

done:
    return status;
}

xta_status xta__dataset_catch_up(xta_dataset *set, bool *changed, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t before = set->has_journal ? set->journal.end : 0;
    bool again = !set->has_journal;

    *changed = false;
    if (again) {
        XTA_TRY(xta__dataset_open_journal(set, err));
    } else {
        XTA_TRY(xta__journal_read(&set->journal, apply, set, err));
    }
    while (set->has_journal && set->journal.moved) {
        XTA_TRY(open_again(set, err));
        again = true;
    }
    *changed = set->has_journal && (again || set->journal.end != before);

done:
    if (status != XTA_OK && status != XTA_EIO && status != XTA_ENOMEM) {
        set->broken = true;
    }
    return status;
}

/* ---- changing ---- */

/* The folder's first change: a journal without entries. Another process may be faster. */
static xta_status create_journal(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__new_record record = {.type = XTA__RECORD_CHECKPOINT};
    uint8_t uuid[16];
    xta_error why = {0};

    XTA_TRY(xta__random_uuid(uuid, err));
    xta__change_start(&record.payload);
    status = xta__journal_create(&xta__dataset_journal, journal_of(set), uuid, 0, &record, 1, false,
                                 NULL, &why);
    if (status != XTA_OK && status != XTA_EEXIST) {
        XTA_TRY(xta__fail(err, status, why.os_errno, "%s", why.text));
    }
    status = xta__dataset_open_journal(set, err);

done:
    xta__bytes_clear(&record.payload);
    return status;
}

static xta_status lock_journal(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;
    bool news = false, changed = false;

    XTA_TRY(xta__journal_lock(&set->journal, no_lease, XTA__LOCK_PATIENCE_MS, &news, err));
    while (news) {
        uint64_t moves = set->n_moves;
        status = xta__dataset_catch_up(set, &changed, err);
        if (status != XTA_OK) {
            xta__journal_unlock(&set->journal);
            goto done;
        }
        if (set->n_moves == moves) {
            break;
        }
        // The lock was that of the old file, which has been closed.
        XTA_TRY(xta__journal_lock(&set->journal, no_lease, XTA__LOCK_PATIENCE_MS, &news, err));
    }

done:
    return status;
}

xta_status xta__dataset_change_begin(xta_dataset *set, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    XTA_TRY(xta__dataset_begin(set, err));
    if (!set->options.writable) {
        XTA_TRY(xta__fail(err, XTA_EACCESS, 0,
                          "%s: opened read-only; open it writable to change it", set->path));
    }
    if (!set->has_journal) {
        XTA_TRY(xta__dataset_open_journal(set, err));
    }
    if (!set->has_journal) {
        XTA_TRY(create_journal(set, err));
    }
    XTA_TRY(lock_journal(set, err));
    if (set->journal.unknown_type != 0) {
        status = xta__fail(err, XTA_EFORMAT, 0,
                           "%s: a record of type %u, which this library does not know: the data "
                           "set can be read, not changed; use a newer release",
                           set->journal_path, set->journal.unknown_type);
    }
    status = status == XTA_OK ? xta__dataset_list(set, err) : status;
    if (status != XTA_OK) {
        xta__journal_unlock(&set->journal);
    }

done:
    if (status != XTA_OK) {
        pthread_mutex_unlock(&set->lock);
    }
    return status;
}

/* One checkpoint instead of all records. Failures leave the journal as it was. */
static void shorten(xta_dataset *set)
{
    xta__new_record record = {.type = XTA__RECORD_CHECKPOINT};
    xta_error ignored = {0};

    if (set->journal.end < LONG_BYTES || set->journal.end < set->long_bytes ||
        set->journal.unsure) {
        return;
    }
    xta__change_start(&record.payload);
    xta__change_put_all(&record.payload, &set->entries, false);
    set->long_bytes = 2 * (uint64_t)record.payload.n + LONG_BYTES;
    if (!record.payload.failed && set->journal.end > set->long_bytes) {
        (void)!xta__journal_supersede(&set->journal, &record, 1, &ignored);
    }
    xta__bytes_clear(&record.payload);
}

void xta__dataset_change_end(xta_dataset *set)
{
    xta_error ignored = {0};

    shorten(set);
    if (set->journal.unsure) {
        set->broken = true;
    }
    xta__journal_unlock(&set->journal);
    if (set->journal.moved && open_again(set, &ignored) != XTA_OK) {
        set->broken = true;
    }
    pthread_mutex_unlock(&set->lock);
}

xta_status xta__dataset_commit(xta_dataset *set, xta__bytes *change, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__entries next = {0};
    const char *why = "";

    if (change->failed || xta__entries_copy(&set->entries, &next) != XTA_OK) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    status = xta__entries_apply(&next, change->bytes, change->n, &why);
    if (status != XTA_OK) {
        XTA_TRY(
            xta__fail(err, status == XTA_ENOMEM ? status : XTA_EARG, 0, "%s: %s", set->path, why));
    }
    XTA_TRY(xta__journal_append(&set->journal, RECORD_CHANGE, change, err));
    set->unsynced = true;
    xta__entries_clear(&set->entries);
    set->entries = next;
    next = (xta__entries){0};

done:
    xta__entries_clear(&next);
    xta__bytes_clear(change);
    return status;
}
