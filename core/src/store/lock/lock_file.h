/* The lock file of a journal, for file systems whose locks do not reach other nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_LOCK_FILE_H
#define XTA_STORE_LOCK_LOCK_FILE_H

#include "store/lock/lock_types.h"

/* Acquire the lock file of the journal at `journal`, which need not exist. `like`: file whose owner
 * and mode the lock file gets; NULL: those of a new file. XTA_EBUSY as for xta__lock_acquire, and
 * if nothing is known about the owner of the lock file after `wait_ms`. */
xta_status xta__lock_file_acquire(xta__lock *lock, xta__path journal, const xta__file *like,
                                  bool keeps, unsigned patience_ms, xta_error *err);

/* Release the lock file: remove it, unless it now belongs to another handle. */
void xta__lock_file_give(xta__lock *lock, const char *journal_at);

/* XTA_EBUSY if there is a lock file: for handles that use none. */
xta_status xta__lock_file_refuse(xta__path journal, xta_error *err);

/* Whether the file at `path`, a lock file under its temporary name, may be removed: the process
 * that creates it is dead, or can write it again. */
bool xta__lock_file_is_abandoned(const char *path);

#endif
