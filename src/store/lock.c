/* Who may change a journal: the lock, and the gate before it.
 *
 * The lock is an flock on the journal. Whoever changes the structure holds it for a moment, and
 * whoever finds it taken waits in the kernel. A sole writer holds it until it closes: waiting for
 * that would be waiting for ever, and the kernel does not say who has a lock, or for how long. So
 * there is a second one, an flock on the data file:
 *
 *   exclusive  a sole writer has the journal's lock, or will have it next;
 *   shared     somebody waits for the journal's lock; there is no sole writer, and as long as
 *              somebody waits there will be none.
 *
 * It is asked for only where the first one was not free, so a change that meets nobody costs no
 * more than before. The kernel takes both back from a process that dies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/lock.h"

enum { PAUSE_MS = 2 };

static xta_status refuse(const char *path, xta_error *err)
{
    return xta__fail(err, XTA_EBUSY, 0,
                     "%s: another handle, here or in another process, has the array open as its "
                     "sole writer; try again when it has been closed",
                     path);
}

/* The journal's lock is taken. Wait for it, unless it is a sole writer's: then *sole. */
static xta_status wait_behind_gate(const xta__file *journal, xta__path gate_path, bool *sole,
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file gate = XTA__FILE_CLOSED;
    bool got = true;

    *sole = false;
    if (xta__path_exists(gate_path.at)) {
        XTA_TRY(xta__file_open_at(gate_path, XTA__FILE_READ, &gate, err));
        XTA_TRY(xta__file_try_lock(&gate, true, &got, err));
    }
    // An array without its data file has no sole writer, and what to say of it others know better.
    *sole = !got;
    if (got) {
        XTA_TRY(xta__file_lock(journal, err));
    }

done:
    xta__file_close(&gate);
    return status;
}

xta_status xta__lock_take(const xta__file *journal, xta__path gate_path, unsigned patience_ms,
                          xta_error *err)
{
    xta_status status = XTA_OK;
    bool got = false, sole = false;

    for (unsigned waited = 0;; waited += PAUSE_MS) {
        XTA_TRY(xta__file_try_lock(journal, false, &got, err));
        if (got) {
            break;
        }
        XTA_TRY(wait_behind_gate(journal, gate_path, &sole, err));
        if (!sole) {
            break;
        }
        if (waited >= patience_ms) {
            XTA_TRY(refuse(journal->path, err));
        }
        xta__pause_ms(PAUSE_MS);
    }

done:
    return status;
}

xta_status xta__lock_take_gate(xta__path gate_path, unsigned patience_ms, xta__file *gate,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    bool got = false, waiting = false;
    unsigned waited = 0;

    XTA_TRY(xta__file_open_at(gate_path, XTA__FILE_WRITE, gate, err));
    for (;;) {
        XTA_TRY(xta__file_try_lock(gate, false, &got, err));
        if (got) {
            break;
        }
        // Those who wait for the journal's lock go first, however long that takes.
        XTA_TRY(xta__file_try_lock(gate, true, &waiting, err));
        if (waiting) {
            xta__file_unlock(gate);
        } else if ((waited += PAUSE_MS) > patience_ms) {
            XTA_TRY(refuse(gate_path.name, err));
        }
        xta__pause_ms(PAUSE_MS);
    }

done:
    if (status != XTA_OK) {
        xta__file_close(gate);
    }
    return status;
}
