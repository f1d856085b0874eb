/* Exclusion of writers of a journal. lock.c describes the protocol, lock_file.c that of lock files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_LOCK_H
#define XTA_STORE_LOCK_LOCK_H

#include "store/lock/lock_file.h"
#include "store/lock/lock_types.h"

/* Acquire the lock of a journal for one change, or, if the caller has the lease and `keeps` is set,
 * until it closes. Waits for other changes, but for an exclusive writer no longer than
 * `patience_ms`, then XTA_EBUSY. XTA_EUNSUPPORTED if a lock would not exclude others and no lock
 * file is used; this is tested once. `data_path`: of the data file, whose flock is the lease. */
xta_status xta__lock_acquire(xta__lock *lock, const xta__file *journal, xta__path data_path,
                             bool keeps, unsigned patience_ms, xta_error *err);
void xta__lock_give(xta__lock *lock, const xta__file *journal);

/* Acquire the lease, so that the caller may keep the journal's lock once it has it. XTA_EBUSY if
 * another exclusive writer has the lease and does not release it within `patience_ms`. */
xta_status xta__lock_acquire_lease(const xta__lock *lock, xta__path data_path, unsigned patience_ms,
                                   xta__file *lease, xta_error *err);

#endif
