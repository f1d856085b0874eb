/* A lock over several calls that belong together: one byte of the data file beyond all cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/array_lock.h"

#include <stdlib.h>

#include "array/handle/choose_lock.h"
#include "array/state/open_array.h"

#define EDIT_BYTE (XTA__OFFSET_LIMIT + (1ULL << 61))

struct xta_lock {
    xta__file file;
};

xta_status xta_array_lock(xta_array *array, unsigned timeout_ms, xta_lock **out, xta_error *err)
{
    enum { PAUSE_MS = 2 };
    xta_status status = XTA_OK;
    xta_lock *taken = NULL;
    bool got = false;

    *out = NULL;
    XTA_TRY(xta__begin_change(array, "take the lock of", err));
    XTA_TRY(xta__refuse_by_lock_file(array, "a lock over several calls", err));
    if (array->in_memory) {
        XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0,
                          "%s: an array in memory has no lock; no other process sees it",
                          xta__array_name(array)));
    }
    taken = xta__calloc(1, sizeof *taken);
    if (taken == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a lock", xta__array_name(array)));
    }
    taken->file = (xta__file)XTA__FILE_CLOSED;
    XTA_TRY(xta__file_open_at(xta__data_of(array), XTA__FILE_WRITE, &taken->file, err));
    for (unsigned waited = 0; !got; waited += PAUSE_MS) {
        XTA_TRY(xta__file_try_lock_byte(&taken->file, EDIT_BYTE, &got, err));
        if (!got && waited >= timeout_ms) {
            XTA_TRY(xta__fail(err, XTA_EBUSY, 0,
                              "%s: another process has been changing it for %u ms; try again",
                              xta__array_name(array), timeout_ms));
        }
        if (!got) {
            xta__pause_ms(PAUSE_MS);
        }
    }
    *out = taken;
    taken = NULL;

done:
    xta_lock_release(taken);
    return status;
}

void xta_lock_release(xta_lock *lock)
{
    if (lock != NULL) {
        xta__file_close(&lock->file);
        free(lock);
    }
}
