/* A room of store/: who may change a journal. lock.c has the protocol, lock_file.c that of lock
 * files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_LOCK_H
#define XTA_STORE_LOCK_LOCK_H

#include "store/lock/lock_file.h"
#include "store/lock/lock_types.h"

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

#endif
