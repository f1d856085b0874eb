/* An open journal: the state of one handle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_TYPES_H
#define XTA_STORE_JOURNAL_JOURNAL_TYPES_H

#include "base/base.h"
#include "store/journal/format.h"
#include "store/journal/reserved_tail.h"
#include "store/lock/lock_types.h"
#include "util/os.h"

/* How long a change waits for an exclusive writer to close. */
#define XTA__LOCK_PATIENCE_MS 500

/* What a journal is of. Journals of all kinds are framed alike; their record types differ, but for
 * CHECKPOINT and SUPERSEDED. */
typedef struct xta__journal_kind {
    uint8_t magic[8];
    const char *name;   /* for messages */
    unsigned last_type; /* records of greater types are unknown */
} xta__journal_kind;

typedef struct xta__journal {
    const xta__journal_kind *kind;
    xta__file file;
    uint8_t uuid[16];
    uint64_t end;           /* of the last record that was read or appended */
    uint64_t next_sequence; /* of the next record */
    bool torn;              /* bytes follow `end` that are not a record */
    bool moved;             /* superseded: another journal has replaced this one; open that */
    bool exclusive;         /* the lock is kept until the journal is closed */
    bool unsynced;          /* something was written since the last sync */
    /* it is unknown whether the last record was written: nothing may follow */
    bool unsure;
    xta__lock lock;
    unsigned unknown_type;   /* of a record that was skipped: the array must not be changed */
    xta__file lease;         /* the writer lease, which keeps others from waiting for the lock */
    xta__reserved_tail tail; /* where records are stored then */

    /* The newest mark of the header. */
    uint64_t mark_count;
    uint64_t synced_bytes;      /* of the journal known to have been durable */
    uint64_t marked_checkpoint; /* offset of the checkpoint record that it names, or 0 */
    uint32_t boot;              /* of the system, when the data file was last checked */

    uint64_t checkpoint_offset; /* of the newest checkpoint that was read or written, or 0 */
    uint64_t begin;             /* offset of the record where reading began */
    uint64_t n_read;            /* records that were read or skipped since */
} xta__journal;

/* Called for each record that is read; anything but XTA_OK stops reading, and *why is then a
 * constant text. */
typedef xta_status xta__journal_apply(void *user, const xta__record *record, const char **why);

#endif
