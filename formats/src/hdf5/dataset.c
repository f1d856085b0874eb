/* An open HDF5 dataset: its storage, and reading and writing boxes of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/dataset.h"

#include <hdf5.h>
#include <stdlib.h>

#include "hdf5/base/library.h"
#include "hdf5/base/types.h"

/* This HDF5 must have every filter, since reading would otherwise fail halfway. */
static xta_status check_filters(hdf5_file *f, xta_error *err)
{
    int n = H5Pget_nfilters(f->properties);
    for (int k = 0; k < n; k++) {
        char name[64] = "";
        unsigned flags = 0;
        unsigned values[32];
        size_t n_values = sizeof values / sizeof values[0];
        unsigned config = 0;
        H5Z_filter_t id = H5Pget_filter2(f->properties, (unsigned)k, &flags, &n_values, values,
                                         sizeof name, name, &config);
        if (id < 0 || H5Zfilter_avail(id) <= 0) {
            H5Eclear2(H5E_DEFAULT);
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: is compressed by filter %d (%s), which this HDF5 does not "
                                 "have; repack it, as by h5repack -f GZIP=4",
                                 f->path, (int)id, name);
        }
    }
    f->filtered = n > 0;
    return XTA_OK;
}

xta_status xta__hdf5_read_storage(hdf5_file *f, xta_error *err)
{
    f->space = H5Dget_space(f->dataset);
    f->properties = H5Dget_create_plist(f->dataset);
    hid_t type = H5Dget_type(f->dataset);
    int ndim = H5Sget_simple_extent_ndims(f->space);
    if (ndim > XTA_MAX_NDIM || H5Sget_simple_extent_type(f->space) == H5S_NULL) {
        H5Tclose(type);
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: the dataset is empty of any shape, or has more than %d axes",
                             f->path, XTA_MAX_NDIM);
    }
    f->ndim = ndim;
    H5Sget_simple_extent_dims(f->space, f->bounds, NULL);
    f->memory_type = xta__hdf5_memory_type(type);
    f->same_type = f->memory_type >= 0 && H5Tequal(f->memory_type, type) > 0;
    H5Tclose(type);
    if (f->memory_type < 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: the dataset has cells that are not of one fixed length, or "
                             "compounds that are not complex numbers",
                             f->path);
    }
    if (H5Pget_layout(f->properties) == H5D_CHUNKED) {
        H5Pget_chunk(f->properties, ndim, f->chunk);
    }
    return check_filters(f, err);
}

void xta__hdf5_close(void *state)
{
    hdf5_file *f = state;
    xta__hdf5_enter();
    if (f->properties > 0) {
        H5Pclose(f->properties);
    }
    if (f->memory_type > 0) {
        H5Tclose(f->memory_type);
    }
    if (f->space > 0) {
        H5Sclose(f->space);
    }
    if (f->dataset > 0) {
        H5Dclose(f->dataset);
    }
    if (f->file > 0) {
        H5Fclose(f->file);
    }
    xta__hdf5_leave();
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(f->shared[axis]);
    }
    free(f->path);
    free(f);
}

/* Select the box in the file; `*memory` is a space of its shape. */
static herr_t select_box(const hdf5_file *f, const xta_box *box, hid_t *memory)
{
    hsize_t start[XTA_MAX_NDIM];
    hsize_t count[XTA_MAX_NDIM];
    if (f->ndim == 0) {
        *memory = H5Screate(H5S_SCALAR);
        return H5Sselect_all(f->space);
    }
    for (int d = 0; d < f->ndim; d++) {
        start[d] = (hsize_t)box->lo[d];
        count[d] = (hsize_t)(box->hi[d] - box->lo[d]);
    }
    *memory = H5Screate_simple(f->ndim, count, NULL);
    return H5Sselect_hyperslab(f->space, H5S_SELECT_SET, start, NULL, count, NULL);
}

xta_status xta__hdf5_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    hdf5_file *f = state;
    xta_status status = XTA_OK;
    hid_t memory = -1;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__hdf5_enter();
    if (select_box(f, box, &memory) < 0 ||
        H5Dread(f->dataset, f->memory_type, memory, f->space, H5P_DEFAULT, cells) < 0) {
        status = xta__hdf5_failed(f->path, "cannot read cells", err);
    }
    H5Sclose(memory);
    xta__hdf5_leave();
    return status;
}

xta_status xta__hdf5_write_box(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    hdf5_file *f = state;
    xta_status status = XTA_OK;
    hid_t memory = -1;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__hdf5_enter();
    if (select_box(f, box, &memory) < 0 ||
        H5Dwrite(f->dataset, f->memory_type, memory, f->space, H5P_DEFAULT, cells) < 0) {
        status = xta__hdf5_failed(f->path, "cannot write cells", err);
    }
    H5Sclose(memory);
    xta__hdf5_leave();
    return status;
}
