/* Calls into the HDF5 library: one at a time, without output, with errors translated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/library.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "common/library_lock.h"

/* The handler that prints HDF5's errors between our calls; guarded by the lock. */
static H5E_auto2_t kept_printer;
static void *kept_user;

void xta__hdf5_enter(void)
{
    xta__library_lock();
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &kept_printer, &kept_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void xta__hdf5_leave(void)
{
    H5Eset_auto2(H5E_DEFAULT, kept_printer, kept_user);
    xta__library_unlock();
}

/* The innermost error message states the cause. */
static herr_t note_words(unsigned n, const H5E_error2_t *one, void *user)
{
    char *words = user;
    if (n == 0 && one->desc != NULL) {
        snprintf(words, 200, "%s", one->desc);
    }
    return 0;
}

xta_status xta__hdf5_failed(const char *path, const char *doing, xta_error *err)
{
    char words[200] = "it gives no reason";
    if (H5Eget_num(H5E_DEFAULT) == 0) { // it was not HDF5 that failed
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: %s: out of memory", path, doing);
    }
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_words, words);
    for (char *c = words; *c != '\0'; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    H5Eclear2(H5E_DEFAULT);
    xta_status status = strstr(words, "No space left") != NULL ? XTA_ENOSPC : XTA_EFOREIGN;
    return xta_error_set(err, status, 0, "%s: %s: HDF5 says: %s", path, doing, words);
}
