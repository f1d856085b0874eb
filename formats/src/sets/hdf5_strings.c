/* Strings of a fixed length in HDF5 files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/hdf5_strings.h"

#include <hdf5.h>

/* A dataset that is open, without messages of HDF5 on standard error meanwhile. */
typedef struct opened {
    hid_t file, dataset, type;
    H5E_auto2_t printer;
    void *user;
} opened;

static bool open_dataset(const char *path, const char *name, opened *o)
{
    *o = (opened){H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, NULL, NULL};
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &o->printer, &o->user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    o->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (o->file >= 0) {
        o->dataset = H5Dopen2(o->file, name, H5P_DEFAULT);
    }
    if (o->dataset >= 0) {
        o->type = H5Dget_type(o->dataset);
    }
    return o->type >= 0;
}

static void close_dataset(opened *o)
{
    if (o->type >= 0) {
        H5Tclose(o->type);
    }
    if (o->dataset >= 0) {
        H5Dclose(o->dataset);
    }
    if (o->file >= 0) {
        H5Fclose(o->file);
    }
    H5Eset_auto2(H5E_DEFAULT, o->printer, o->user);
}

hdf5_strings xta__hdf5_strings_of(const char *path, const char *name, size_t *bytes)
{
    hdf5_strings answer = HDF5_STRINGS_UNKNOWN;
    opened o;

    if (open_dataset(path, name, &o) && H5Tget_class(o.type) == H5T_STRING) {
        htri_t any_length = H5Tis_variable_str(o.type);
        *bytes = any_length == 0 ? H5Tget_size(o.type) : 0;
        answer = any_length > 0 ? HDF5_STRINGS_VARIABLE
                 : *bytes > 0   ? HDF5_STRINGS_FIXED
                                : HDF5_STRINGS_UNKNOWN;
    }
    close_dataset(&o);
    return answer;
}

/* The box as a selection of the dataset; its memory is dense. Invalid: HDF5 failed. */
static hid_t select_box(hid_t dataset, const xta_box *box, hid_t *memory)
{
    hsize_t start[XTA_MAX_NDIM], count[XTA_MAX_NDIM];
    hid_t space = H5Dget_space(dataset);

    *memory = H5I_INVALID_HID;
    if (space < 0 || H5Sget_simple_extent_ndims(space) != box->ndim) {
        return space;
    }
    for (int d = 0; d < box->ndim; d++) {
        start[d] = (hsize_t)box->lo[d];
        count[d] = (hsize_t)(box->hi[d] - box->lo[d]);
    }
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) {
        *memory = H5Screate_simple(box->ndim, count, NULL);
    }
    return space;
}

bool xta__hdf5_read_fixed_strings(const char *path, const char *name, bool scalar,
                                  const xta_box *box, size_t bytes, void *cells)
{
    opened o;
    bool good = open_dataset(path, name, &o);
    hid_t type = good ? H5Tcopy(o.type) : H5I_INVALID_HID;
    hid_t space = H5S_ALL, memory = H5S_ALL;

    good = good && type >= 0 && H5Tset_size(type, bytes) >= 0 &&
           H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
    if (good && !scalar) {
        space = select_box(o.dataset, box, &memory);
        good = space >= 0 && memory >= 0;
    }
    good = good && H5Dread(o.dataset, type, memory, space, H5P_DEFAULT, cells) >= 0;
    if (memory > 0) {
        H5Sclose(memory);
    }
    if (space > 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    close_dataset(&o);
    return good;
}
