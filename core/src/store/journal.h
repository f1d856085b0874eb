/* A room of store/: the journal file. It knows records as bytes; what they mean is the array's
 * affair.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_H
#define XTA_STORE_JOURNAL_H

#include "base/base.h"
#include "store/format.h"
#include "store/lock.h"
#include "store/room.h"
#include "util/os.h"

/* How long a change waits for a sole writer to close. */
#define XTA__LOCK_PATIENCE_MS 500

typedef struct xta__journal {
    xta__file file;
    uint8_t uuid[16];
    uint64_t end;           /* of the last record that has been handed out or appended */
    uint64_t next_sequence; /* of the next record */
    bool torn;              /* bytes follow `end` that are no record */
    bool moved;             /* another journal has taken this one's place: open it anew */
    bool sole;              /* the lock is kept until the journal is closed */
    bool unsynced;          /* something was written since the last sync */
    bool unsure;            /* whether the last record is there is not known: nothing may follow */
    xta__lock lock;
    unsigned unknown_type; /* of a record that was passed over: the array must not be changed */
    xta__file gate;        /* and what keeps others from waiting for it */
    xta__room room;        /* where records are stored then */

    /* The newest mark of the header. */
    uint64_t mark_count;
    uint64_t synced_bytes;      /* of the journal known to have been durable */
    uint64_t marked_checkpoint; /* offset of the checkpoint record that it names, or 0 */
    uint32_t boot; /* of the system, when the data file was last known to be in order */

    uint64_t checkpoint_offset; /* of the newest checkpoint that was read or written, or 0 */
    uint64_t begin;             /* offset of the record where reading began */
    uint64_t n_read;            /* records that were handed out or passed over since */
} xta__journal;

/* What is told about a record; anything but XTA_OK ends the reading. *why is a constant text. */
typedef xta_status xta__journal_apply(void *user, const xta__record *record, const char **why);

/* Make a journal of `n` records at `path`, whole and durable or not at all. Record k has number
 * first_sequence + k. The marks name the last checkpoint among them. With `replace` an existing
 * file is replaced, else XTA_EEXIST. Owner and mode are those of `like` (NULL: of a new file). */
xta_status xta__journal_create(xta__path path, const uint8_t uuid[16], uint64_t first_sequence,
                               const unsigned types[], const xta__bytes payloads[], size_t n,
                               bool replace, const xta__file *like, xta_error *err);

/* Open and check the header; reading begins at the newest checkpoint, or, if not `from_checkpoint`,
 * at the first record. */
XTA_PRIVATE_API xta_status xta__journal_open(xta__path path, bool writable, bool from_checkpoint,
                                             xta__journal *journal, xta_error *err);
XTA_PRIVATE_API void xta__journal_close(xta__journal *journal);

/* This process is a child and has inherited the journal: its descriptors are closed, and closing it
 * touches neither file nor locks, which are the parent's. */
void xta__journal_disown(xta__journal *journal);

/* Hand out the records (but MOVED, which only sets `moved`) from `end` on. A tail that is no record
 * is passed over silently (`torn`), unless whole records follow it and it had been durable once:
 * then XTA_ECORRUPT. */
xta_status xta__journal_read(xta__journal *journal, xta__journal_apply *apply, void *user,
                             xta_error *err);

/* Hand out once more the records from offset `begin`, where one begins, to `end`; checkpoints,
 * which say nothing new there, are passed over. Nothing of the journal changes. */
xta_status xta__journal_read_again(const xta__journal *journal, uint64_t begin,
                                   xta__journal_apply *apply, void *user, xta_error *err);

/* How many bytes follow the last record, and whether they are all zeros. */
xta_status xta__journal_tail(const xta__journal *journal, uint64_t *bytes, bool *zeros,
                             xta_error *err);

/* Take the lock for a structural change. *news: there are bytes after `end`, to be read first.
 * Waits for other changes; XTA_EBUSY if another handle is the sole writer and does not end within
 * `patience_ms`; XTA_EUNSUPPORTED where a lock would not keep others out, which is tried once.
 * `gate_path`: of the data file. */
XTA_PRIVATE_API xta_status xta__journal_lock(xta__journal *journal, xta__path gate_path,
                                             unsigned patience_ms, bool *news, xta_error *err);
XTA_PRIVATE_API void xta__journal_unlock(xta__journal *journal);

/* The lock of this journal, which has just been opened, is to be taken as another one is. */
void xta__journal_lock_like(xta__journal *journal, const xta__lock *lock);

/* To be the sole writer: first the gate, which other writers pass, is closed; then the lock is
 * taken as for any change, and when all records have been read it is kept. Closing the journal
 * gives both back, and cuts off the room. XTA_EBUSY: another handle is the sole writer. */
xta_status xta__journal_close_gate(xta__journal *journal, xta__path gate_path, xta_error *err);
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
    return journal->sole && !journal->torn &&
           journal->end + XTA__RECORD_HEAD_BYTES + n + 7 <= journal->room.end;
}

/* Append where it is so. */
void xta__journal_store(xta__journal *journal, unsigned type, const xta__bytes *payload);

/* Take the last record back, which begins at `end`. The lock is held. On failure it stays. */
void xta__journal_take_back(xta__journal *journal, uint64_t end);

/* Put a journal of `n` records, the first one a checkpoint, in the place of this one, which is
 * locked and current. */
xta_status xta__journal_supersede(xta__journal *journal, const unsigned types[],
                                  const xta__bytes payloads[], size_t n, xta_error *err);

/* Make all records up to `end` durable and say so in the header, which names the newest checkpoint
 * as well. The lock is held. */
xta_status xta__journal_sync(xta__journal *journal, xta_error *err);

/* Append a checkpoint. The lock is held and all records have been read. */
xta_status xta__journal_add_checkpoint(xta__journal *journal, const xta__bytes *payload,
                                       xta_error *err);

/* Name the newest checkpoint in the header before it is durable, if readers may trust it: as long
 * as the system runs without a break. Nothing is synced. The lock is held. */
xta_status xta__journal_name_checkpoint(xta__journal *journal, xta_error *err);

/* Whether the system has run without a break since the data file was last known to hold nothing
 * outside the bounds. Only a loss of power can keep cells and lose the record that made room for
 * them. */
bool xta__journal_same_boot(const xta__journal *journal);

/* The data file is in order now. Need not be durable: lost, it only means to look again. */
xta_status xta__journal_set_boot(xta__journal *journal, xta_error *err);

#endif
