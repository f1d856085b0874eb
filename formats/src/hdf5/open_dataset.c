/* Opening a dataset of an HDF5 file to read it, with all that is known of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "hdf5/open_dataset.h"

#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/dataset.h"
#include "hdf5/describe.h"
#include "hdf5/external_files.h"
#include "hdf5/select_dataset.h"
#include "util/try.h"

static xta_status open_file(hdf5_file *f, xta_error *err)
{
    struct stat facts;
    if (stat(f->path, &facts) != 0) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: there is no such file", f->path);
    }
    if (H5Fis_hdf5(f->path) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: is not an HDF5 file", f->path);
    }
    f->file = H5Fopen(f->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (f->file < 0) {
        xta_status status = xta__hdf5_failed(f->path, "cannot open it", err);
        return status == XTA_EFOREIGN && err != NULL ? (err->status = XTA_EFORMAT) : status;
    }
    return XTA_OK;
}

xta_status xta__hdf5_open(const char *path, const char *variable, bool cached, bool trust,
                          bridge_description *what, hdf5_file **out, xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    f->path = xta__bridge_copy(path);
    f->trust = trust;
    xta__hdf5_enter();
    if (f->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(open_file(f, err));
    XTA_TRY(xta__hdf5_select_dataset(f, variable, cached, &what->variable, err));
    XTA_TRY(xta__hdf5_read_storage(f, err));
    if (!trust) {
        XTA_TRY(xta__hdf5_check_scales(f, err));
    }
    XTA_TRY(xta__hdf5_describe(f, what, err));
    *out = f;
    f = NULL;
done:
    xta__hdf5_leave();
    if (f != NULL) {
        xta__hdf5_close(f);
    }
    return status;
}
