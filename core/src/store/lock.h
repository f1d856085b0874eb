/* A room of store/: who may change a journal. lock.c has the protocol, lock_file.c that of lock
 * files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_H
#define XTA_STORE_LOCK_H

#include "base/base.h"
#include "util/os.h"
#include "store/lock_owner.h"

/* The lock of a journal, as one handle has it. */
typedef struct xta__lock {
    bool by_file;        /* a lock file as well */
    unsigned wait_ms;    /* how long to wait for one of whose owner nothing is known */
    bool proved;         /* a lock of this file excludes others, and those of other nodes */
    bool has_file;       /* the lock file is there and is this handle's */
    bool refused_by_one; /* the last XTA_EBUSY: a sole writer has it */
    xta__lock_owner me;  /* pid 0: not known yet */
} xta__lock;

/* Take the lock of a journal for one change, or, if it `keeps` it behind its gate, until it closes.
 * Waits for other changes; for a sole writer no longer than `patience_ms`, then XTA_EBUSY.
 * `gate_path`: of the data file. XTA_EUNSUPPORTED where a lock would not keep others out, unless
 * there is a lock file; the proof is made once. */
xta_status xta__lock_take(xta__lock *lock, const xta__file *journal, xta__path gate_path,
                          bool keeps, unsigned patience_ms, xta_error *err);
void xta__lock_give(xta__lock *lock, const xta__file *journal);

/* Take the gate, so that whoever has the journal's lock next may keep it. XTA_EBUSY if another sole
 * writer has it and does not let go within `patience_ms`. */
xta_status xta__lock_take_gate(const xta__lock *lock, xta__path gate_path, unsigned patience_ms,
                               xta__file *gate, xta_error *err);

/* ---- lock_file.c ---- */

/* Take the lock file of the journal at `journal`, which need not exist. `like`: its owner and mode
 * are wanted for the lock file; NULL: those of a new file. XTA_EBUSY as above, and if nothing is
 * known of its owner after `wait_ms`. */
xta_status xta__lock_file_take(xta__lock *lock, xta__path journal, const xta__file *like,
                               bool keeps, unsigned patience_ms, xta_error *err);

/* Remove it, unless it is another handle's by now. */
void xta__lock_file_give(xta__lock *lock, const char *journal_at);

/* XTA_EBUSY if there is a lock file: for handles that take none. */
xta_status xta__lock_file_refuse(xta__path journal, xta_error *err);

/* Whether the file at `path`, a lock file that was being made, may go: its maker is dead, or can
 * write it again. */
bool xta__lock_file_is_abandoned(const char *path);

#endif
