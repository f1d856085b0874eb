/* A dataset that the program has opened, with all that is known of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/hdf5/handle_hdf5.h"

#include <stdio.h>
#include <stdlib.h>

#include "description/description.h"
#include "description/origin.h"
#include "hdf5/base/library.h"
#include "hdf5/dataset.h"
#include "hdf5/describe.h"
#include "map/attributes.h"
#include "map/hdf5/ranks.h"
#include "util/try.h"

/* "file.h5:/group/dataset"; NULL: out of memory. */
static char *label_of(hid_t dataset)
{
    ssize_t n_file = H5Fget_name(dataset, NULL, 0);
    ssize_t n_name = H5Iget_name(dataset, NULL, 0);
    size_t file_bytes = n_file > 0 ? (size_t)n_file : 0;
    size_t name_bytes = n_name > 0 ? (size_t)n_name : 0;
    char *text = calloc(file_bytes + name_bytes + 3, 1);
    if (text == NULL) {
        return NULL;
    }
    H5Fget_name(dataset, text, file_bytes + 1);
    text[file_bytes] = ':';
    H5Iget_name(dataset, text + file_bytes + 1, name_bytes + 1);
    return text;
}

static xta_status check_ranks(const hdf5_file *f, xta_error *err)
{
    int ranks = xta__mapping_hdf5_ranks(f->file);
    if (ranks == 1) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: is open through MPI-IO on %d ranks; open it on one of them, with "
                         "MPI_COMM_SELF or without MPI-IO, and map it there",
                         f->path, ranks);
}

/* Under the lock. */
static xta_status describe(hdf5_file *f, bridge_description *what, int64_t origin[], xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(check_ranks(f, err));
    XTA_TRY(xta__hdf5_read_storage(f, err));
    if (f->ndim == 0) {
        status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: is a scalar, which has no axis that could grow", f->path);
        goto done;
    }
    XTA_TRY(xta__hdf5_describe(f, what, err));
    XTA_TRY(xta__origin_read(what, BRIDGE_ORIGIN_LIST, origin, f->path, err));
done:
    return status;
}

xta_status xta__mapping_open_hdf5(hid_t dataset, bridge_description *what, int64_t origin[],
                                  hdf5_file **out, xta_error *err)
{
    xta_status status = XTA_OK;
    *out = NULL;
    xta__hdf5_enter();
    if (H5Iis_valid(dataset) <= 0 || H5Iget_type(dataset) != H5I_DATASET) {
        H5Eclear2(H5E_DEFAULT);
        xta__hdf5_leave();
        return xta_error_set(err, XTA_EARG, 0,
                             "%lld is not the handle of an open HDF5 dataset; give one that "
                             "H5Dopen returned, before H5Dclose",
                             (long long)dataset);
    }
    hdf5_file *f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->path = label_of(dataset);
    }
    if (f == NULL || f->path == NULL) {
        free(f);
        xta__hdf5_leave();
        return xta__bridge_no_memory("HDF5", err);
    }
    H5Iinc_ref(dataset);
    f->dataset = dataset;
    f->file = H5Iget_file_id(dataset);
    f->trust = true; // the program has opened it
    status = describe(f, what, origin, err);
    H5Eclear2(H5E_DEFAULT);
    xta__hdf5_leave();
    if (status != XTA_OK) {
        xta__hdf5_close(f);
        return status;
    }
    *out = f;
    return XTA_OK;
}
