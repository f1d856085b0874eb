/* The journal file. It knows records as bytes; the array knows what they mean.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_H
#define XTA_STORE_JOURNAL_JOURNAL_H

#include "store/journal/journal_header.h"
#include "store/journal/journal_reader.h"
#include "store/journal/journal_types.h"

/* Make a journal of `n` records at `path`, whole and durable or not at all. Record k has number
 * first_sequence + k. The marks name the last checkpoint among them. With `replace` an existing
 * file is replaced, else XTA_EEXIST. Owner and mode are those of `like` (NULL: of a new file). */
xta_status xta__journal_create(xta__path path, const uint8_t uuid[16], uint64_t first_sequence,
                               const xta__new_record records[], size_t n, bool replace,
                               const xta__file *like, xta_error *err);

/* Open and check the header; reading begins at the newest checkpoint, or, if not `from_checkpoint`,
 * at the first record. */
XTA_PRIVATE_API xta_status xta__journal_open(xta__path path, bool writable, bool from_checkpoint,
                                             xta__journal *journal, xta_error *err);
XTA_PRIVATE_API void xta__journal_close(xta__journal *journal);

/* This process is a child and has inherited the journal: its descriptors are closed, and closing it
 * touches neither file nor locks, which are the parent's. */
void xta__journal_disown(xta__journal *journal);

/* Take the lock for a structural change. *news: there are bytes after `end`, to be read first.
 * Waits for other changes; XTA_EBUSY if another handle is the exclusive writer and does not
 * close within `patience_ms`; XTA_EUNSUPPORTED where a lock would not keep others out, which is
 * tried once. `lease_path`: of the data file, whose lock is the lease. */
XTA_PRIVATE_API xta_status xta__journal_lock(xta__journal *journal, xta__path lease_path,
                                             unsigned patience_ms, bool *news, xta_error *err);
XTA_PRIVATE_API void xta__journal_unlock(xta__journal *journal);

/* The lock of this journal, which has just been opened, is to be taken as another one is. */
void xta__journal_lock_like(xta__journal *journal, const xta__lock *lock);

/* To become the exclusive writer: first the writer lease is taken, which other writers respect;
 * then the lock is taken as for any change, and when all records have been read it is kept. Closing
 * the journal releases both, and cuts off the reserved space. XTA_EBUSY: another handle is the
 * exclusive writer. */
xta_status xta__journal_close_lease(xta__journal *journal, xta__path lease_path, xta_error *err);
xta_status xta__journal_keep_lock(xta__journal *journal, xta_error *err);

/* Append one record: one write, or one store. The lock is held and all records have been read. On
 * failure the file is as before, unless `unsure` is set: with a lock file the record is synced, and
 * a failed sync tells nothing. */
xta_status xta__journal_append(xta__journal *journal, unsigned type, const xta__bytes *payload,
                               xta_error *err);

/* Whether an append of a payload of `n` bytes is only a store, and cannot fail. */
static inline bool xta__journal_only_stores(const xta__journal *journal, size_t n)
{
    // A record ends at most 7 bytes behind its payload.
    return journal->exclusive && !journal->torn &&
           journal->end + XTA__RECORD_HEAD_BYTES + n + 7 <= journal->tail.end;
}

/* Append where it is so. */
void xta__journal_store(xta__journal *journal, unsigned type, const xta__bytes *payload);

/* Take the last record back, which begins at `end`. The lock is held. On failure it stays. */
void xta__journal_undo(xta__journal *journal, uint64_t end);

/* Put a journal of `n` records, the first one a checkpoint, in the place of this one, which is
 * locked and current. */
xta_status xta__journal_supersede(xta__journal *journal, const xta__new_record records[], size_t n,
                                  xta_error *err);

/* Make all records up to `end` durable and say so in the header, which names the newest checkpoint
 * as well. The lock is held. */
xta_status xta__journal_sync(xta__journal *journal, xta_error *err);

/* Append a checkpoint. The lock is held and all records have been read. */
xta_status xta__journal_add_checkpoint(xta__journal *journal, const xta__bytes *payload,
                                       xta_error *err);

/* Name the newest checkpoint in the header before it is durable, if readers may trust it: as long
 * as the system runs without a break. Nothing is synced. The lock is held. */
xta_status xta__journal_name_checkpoint(xta__journal *journal, xta_error *err);

/* The data file is in order now. Need not be durable: lost, it only means to look again. */
xta_status xta__journal_set_boot(xta__journal *journal, xta_error *err);

#endif
