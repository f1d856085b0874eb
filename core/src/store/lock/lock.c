/* Exclusion of writers of a journal: the lock, and the writer lease, acquired before it.
 *
 * The lock is an flock on the journal. A handle that changes the structure holds it briefly; others
 * that need it meanwhile wait in the kernel. An exclusive writer holds it until it closes: waiting
 * for that could take forever, and the kernel does not report who holds a lock, or for how long. So
 * there is a second lock, the lease, an flock on the data file:
 *
 *   exclusive  an exclusive writer has the journal's lock, or will have it next;
 *   shared     a handle waits for the journal's lock; there is no exclusive writer, and as long
 *              as a handle waits there will be none.
 *
 * The lease is requested only if the lock is not free, so a change without contention costs only
 * the lock. The kernel releases both when their process dies.
 *
 * If a handle uses a lock file (lock_file.c), that is the lock, and the flock is acquired as well
 * if possible: processes of one node then wait for each other in the kernel, and those without the
 * option are excluded as far as the flock reaches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/lock/lock.h"

#include <errno.h>

enum { PAUSE_MS = 2 };

static xta_status refuse_second_writer(const char *path, xta_error *err)
{
    return xta__fail(err, XTA_EBUSY, 0,
                     "%s: another handle, here or in another process, has the array open as its "
                     "exclusive writer; try again when it has been closed",
                     path);
}

/* Another handle has the journal's lock. Wait for it, unless its owner is an exclusive writer: then
 * set *exclusive. */
static xta_status wait_with_lease(const xta__file *journal, xta__path data_path, bool *exclusive,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file lease = XTA__FILE_CLOSED;
    bool got = true;

    *exclusive = false;
    if (xta__path_exists(data_path.at)) {
        XTA_TRY(xta__file_open_at(data_path, XTA__FILE_READ, &lease, err));
        XTA_TRY(xta__file_try_lock(&lease, true, &got, err));
    }
    // An array without its data file has no exclusive writer; the caller reports what is missing.
    *exclusive = !got;
    if (got) {
        XTA_TRY(xta__file_lock(journal, err));
    }

done:
    xta__file_close(&lease);
    return status;
}

static xta_status wait_for_journal(const xta__file *journal, xta__path data_path,
                                   unsigned patience_ms, xta_error *err)
{
    xta_status status = XTA_OK;
    bool got = false, exclusive = false;

    for (unsigned waited = 0;; waited += PAUSE_MS) {
        XTA_TRY(xta__file_try_lock(journal, false, &got, err));
        if (got) {
            break;
        }
        XTA_TRY(wait_with_lease(journal, data_path, &exclusive, err));
        if (!exclusive) {
            break;
        }
        if (waited >= patience_ms) {
            XTA_TRY(refuse_second_writer(journal->path, err));
        }
        xta__pause_ms(PAUSE_MS);
    }

done:
    return status;
}

/* Whether locking failed because this file system has no locks, which a lock file compensates
 * for. */
static bool has_no_locks(xta_status status, int number)
{
    return status != XTA_OK && status != XTA_EBUSY &&
           (number == EINVAL || number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP ||
            number == EBADF || number == EIO);
}

static xta_status take_flock(const xta__lock *lock, const xta__file *journal, xta__path data_path,
                             bool keeps, unsigned patience_ms, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error why;

    xta__clear(&why);
    status = keeps ? xta__file_lock(journal, &why)
                   : wait_for_journal(journal, data_path, patience_ms, &why);
    if (status == XTA_OK || (lock->by_file && has_no_locks(status, why.os_errno))) {
        return XTA_OK;
    }
    return xta__fail(err, status, why.os_errno, "%s", why.text);
}

xta_status xta__lock_acquire(xta__lock *lock, const xta__file *journal, xta__path data_path,
                             bool keeps, unsigned patience_ms, xta_error *err)
{
    const xta__path path = {journal->at != NULL ? journal->at : journal->path, journal->path};
    xta_status status = XTA_OK;

    lock->refused_by_one = false;
    if (!lock->by_file && !lock->proved) {
        // Checked before locking: some of these file systems have no locks, and do not report why.
        XTA_TRY(xta__file_locks_reach(journal, err));
    }
    status = take_flock(lock, journal, data_path, keeps, patience_ms, err);
    if (status != XTA_OK) {
        lock->refused_by_one = status == XTA_EBUSY;
        return status;
    }
    if (lock->by_file) {
        status = xta__lock_file_acquire(lock, path, journal, keeps, patience_ms, err);
    } else if (!lock->proved) {
        status = xta__lock_file_refuse(path, err);
        status = status == XTA_OK ? xta__file_prove_lock(journal, &lock->proved, err) : status;
    }
    if (status != XTA_OK) {
        xta__file_unlock(journal);
    }

done:
    return status;
}

void xta__lock_give(xta__lock *lock, const xta__file *journal)
{
    if (lock->by_file) {
        xta__lock_file_give(lock, journal->at != NULL ? journal->at : journal->path);
    }
    xta__file_unlock(journal);
}

static xta_status wait_for_lease(xta__path data_path, unsigned patience_ms, xta__file *lease,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    bool got = false, waiting = false;
    unsigned waited = 0;

    for (;;) {
        XTA_TRY(xta__file_try_lock(lease, false, &got, err));
        if (got) {
            break;
        }
        // Handles that wait for the journal's lock go first, however long that takes.
        XTA_TRY(xta__file_try_lock(lease, true, &waiting, err));
        if (waiting) {
            xta__file_unlock(lease);
        } else if ((waited += PAUSE_MS) > patience_ms) {
            XTA_TRY(refuse_second_writer(data_path.name, err));
        }
        xta__pause_ms(PAUSE_MS);
    }

done:
    return status;
}

xta_status xta__lock_acquire_lease(const xta__lock *lock, xta__path data_path, unsigned patience_ms,
                                   xta__file *lease, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error why = {0};

    XTA_TRY(xta__file_open_at(data_path, XTA__FILE_WRITE, lease, err));
    status = wait_for_lease(data_path, patience_ms, lease, &why);
    if (status != XTA_OK && !(lock->by_file && has_no_locks(status, why.os_errno))) {
        xta__file_close(lease);
        return xta__fail(err, status, why.os_errno, "%s", why.text);
    }
    status = XTA_OK;

done:
    return status;
}
