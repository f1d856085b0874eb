/* Calls into the HDF5 library: one at a time, without output, with errors translated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/base/library.h"

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

bool xta__hdf5_fill_is_undefined(hid_t dataset)
{
    H5D_fill_value_t state = H5D_FILL_VALUE_ERROR;
    hid_t properties = H5Dget_create_plist(dataset);
    bool known = H5Pfill_value_defined(properties, &state) >= 0;
    H5Pclose(properties);
    return known && state == H5D_FILL_VALUE_UNDEFINED;
}

bool xta__hdf5_is_unwritten(hid_t dataset)
{
    H5D_space_status_t space = H5D_SPACE_STATUS_ALLOCATED;
    return H5Dget_space_status(dataset, &space) >= 0 && space == H5D_SPACE_STATUS_NOT_ALLOCATED &&
           xta__hdf5_fill_is_undefined(dataset);
}
