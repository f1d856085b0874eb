/* The journal file. This layer handles records as bytes; the array interprets them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_H
#define XTA_STORE_JOURNAL_JOURNAL_H

#include "store/journal/journal_header.h"
#include "store/journal/journal_reader.h"
#include "store/journal/journal_types.h"

/* Create a journal of `n` records at `path`, complete and durable or not at all. Record k has
 * number first_sequence + k. The marks name the last checkpoint among them. With `replace` an
 * existing file is replaced, else XTA_EEXIST. Owner and mode are those of `like` (NULL: of a new
 * file). */
xta_status xta__journal_create(const xta__journal_kind *kind, xta__path path,
                               const uint8_t uuid[16], uint64_t first_sequence,
                               const xta__new_record records[], size_t n, bool replace,
                               const xta__file *like, xta_error *err);

/* Open and check the header; reading begins at the newest checkpoint, or, if not `from_checkpoint`,
 * at the first record. */
XTA_PRIVATE_API xta_status xta__journal_open(xta__path path, bool writable, bool from_checkpoint,
                                             xta__journal *journal, xta_error *err);

/* The same for a journal of another kind. */
xta_status xta__journal_open_as(const xta__journal_kind *kind, xta__path path, bool writable,
                                bool from_checkpoint, xta__journal *journal, xta_error *err);
XTA_PRIVATE_API void xta__journal_close(xta__journal *journal);

/* For a child process that has inherited the journal: close its descriptors; closing the journal
 * later affects neither the file nor the locks, which belong to the parent. */
void xta__journal_disown(xta__journal *journal);

/* Acquire the lock for a structural change. *news: there are bytes after `end`, which must be read
 * first. Waits for other changes; XTA_EBUSY if another handle is the exclusive writer and does not
 * close within `patience_ms`; XTA_EUNSUPPORTED if a lock would not exclude others, which is tested
 * once. `lease_path`: of the data file, whose lock is the lease; a name of no file if such journals
 * have no exclusive writers. */
XTA_PRIVATE_API xta_status xta__journal_lock(xta__journal *journal, xta__path lease_path,
                                             unsigned patience_ms, bool *news, xta_error *err);
XTA_PRIVATE_API void xta__journal_unlock(xta__journal *journal);

/* Make the lock of this journal, which has just been opened, use the same method as another
 * journal's. */
void xta__journal_lock_like(xta__journal *journal, const xta__lock *lock);

/* To become the exclusive writer: first acquire the writer lease, which other writers respect; then
 * acquire the lock as for any change, and keep it once all records have been read. Closing the
 * journal releases both, and truncates the reserved space. XTA_EBUSY: another handle is the
 * exclusive writer. */
xta_status xta__journal_close_lease(xta__journal *journal, xta__path lease_path, xta_error *err);
xta_status xta__journal_keep_lock(xta__journal *journal, xta_error *err);

/* Append one record: one write, or one store. The lock is held and all records have been read. On
 * failure the file is as before, unless `unsure` is set: with a lock file the record is synced, and
 * after a failed sync its state is unknown. */
xta_status xta__journal_append(xta__journal *journal, unsigned type, const xta__bytes *payload,
                               xta_error *err);

/* Whether an append of a payload of `n` bytes is only a store, and cannot fail. */
static inline bool xta__journal_only_stores(const xta__journal *journal, size_t n)
{
    // A record ends at most 7 bytes after its payload.
    return journal->exclusive && !journal->torn &&
           journal->end + XTA__RECORD_HEAD_BYTES + n + 7 <= journal->tail.end;
}

/* Append in that case. */
void xta__journal_store(xta__journal *journal, unsigned type, const xta__bytes *payload);

/* Remove the last record, which begins at `end`. The lock is held. On failure it stays. */
void xta__journal_undo(xta__journal *journal, uint64_t end);

/* Replace this journal, which is locked and current, by one of `n` records, the first of them a
 * checkpoint. */
xta_status xta__journal_supersede(xta__journal *journal, const xta__new_record records[], size_t n,
                                  xta_error *err);

/* Make all records up to `end` durable and record that in the header, with the newest checkpoint.
 * The lock is held. */
xta_status xta__journal_sync(xta__journal *journal, xta_error *err);

/* Append a checkpoint. The lock is held and all records have been read. */
xta_status xta__journal_add_checkpoint(xta__journal *journal, const xta__bytes *payload,
                                       xta_error *err);

/* Enter the newest checkpoint in the header before it is durable, if readers may trust it: they may
 * until the next reboot. Nothing is synced. The lock is held. */
xta_status xta__journal_name_checkpoint(xta__journal *journal, xta_error *err);

/* Record that the data file has been checked. Need not be durable: if the record is lost, the file
 * is only checked again. */
xta_status xta__journal_set_boot(xta__journal *journal, xta_error *err);

#endif
