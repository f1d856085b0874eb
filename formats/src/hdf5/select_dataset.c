/* Selecting a dataset of an HDF5 file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/select_dataset.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/listing.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/dataset.h"
#include "hdf5/external_files.h"

typedef struct search {
    char *found; /* path of the last one found */
    bridge_listing list;
    bool scales; /* whether scales of axes count */
    bool full;   /* out of memory */
    bool trust;
    hdf5_external foreign; /* why the first dataset in another file was left out */
    char refused[HDF5_EXTERNAL_BYTES];
} search;

/* Add the dataset to the list if its cells can be imported. */
static bool list_dataset(hid_t dataset, const char *name, bridge_listing *list)
{
    hsize_t lengths[H5S_MAX_RANK];
    int64_t bounds[H5S_MAX_RANK];
    size_t cell = 0;
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    int ndim = H5Sget_simple_extent_ndims(space);
    xta_type ours = xta__hdf5_to_xta(type, &cell);
    bool good = H5Sget_simple_extent_type(space) != H5S_NULL && ndim >= 0 && ndim <= XTA_MAX_NDIM &&
                ours != XTA_TYPE_SAME;
    if (good) {
        H5Sget_simple_extent_dims(space, lengths, NULL);
        for (int d = 0; d < ndim; d++) {
            bounds[d] = (int64_t)lengths[d];
        }
        xta__listing_add(list, name, ndim, bounds, xta_type_name(ours));
    }
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static herr_t visit_object(hid_t group, const char *name, const H5O_info_t *info, void *user)
{
    search *s = user;
    hid_t dataset = info->type == H5O_TYPE_DATASET ? H5Dopen2(group, name, H5P_DEFAULT) : -1;
    if (dataset < 0) {
        return 0;
    }
    hdf5_external foreign = {.any = false};
    if (!s->trust) {
        xta__hdf5_find_external(dataset, &foreign);
    }
    if (foreign.any && !s->foreign.any) {
        s->foreign = foreign;
        snprintf(s->refused, sizeof s->refused, "%s", name);
    }
    if (!foreign.any && (s->scales || H5DSis_scale(dataset) <= 0) &&
        list_dataset(dataset, name, &s->list)) {
        free(s->found);
        s->found = xta__bridge_copy(name);
        s->full = s->found == NULL;
    }
    H5Dclose(dataset);
    return s->full ? 1 : 0;
}

/* Open the dataset, or return a negative number; `found` says whether it lies in another file. */
static hid_t open_named(const hdf5_file *f, const char *name, bool cached, hdf5_external *found)
{
    hid_t how = H5Pcreate(H5P_DATASET_ACCESS);
    memset(found, 0, sizeof *found);
    if (!f->trust) {
        xta__hdf5_follow_no_links(how, found);
    }
    if (!cached) {
        H5Pset_chunk_cache(how, 0, 0, 1.0);
    }
    hid_t dataset = H5Dopen2(f->file, name, how);
    H5Pclose(how);
    if (dataset >= 0 && !f->trust) {
        xta__hdf5_find_external(dataset, found);
    }
    if (dataset >= 0 && found->any) {
        H5Dclose(dataset);
        dataset = -1;
    }
    return dataset;
}

xta_status xta__hdf5_select_dataset(hdf5_file *f, const char *variable, bool cached, char **name,
                                    xta_error *err)
{
    xta_status status = XTA_OK;
    search s = {.found = NULL, .trust = f->trust};
    hdf5_external found = {.any = false};
    char text[340];
    *name = NULL;
    if (variable != NULL) {
        while (variable[0] == '/') {
            variable++;
        }
        f->dataset = variable[0] != '\0' ? open_named(f, variable, cached, &found) : -1;
        if (found.any) {
            return xta__hdf5_refuse_external(f->path, variable, &found, err);
        }
        if (f->dataset >= 0) {
            *name = xta__bridge_copy(variable);
            return *name != NULL ? XTA_OK : xta__bridge_no_memory(f->path, err);
        }
    }
    for (int turn = 0; turn < 2 && s.list.n == 0; turn++) { // scales only if there is nothing else
        s.scales = turn > 0 || variable != NULL;
        if (H5Ovisit2(f->file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &s, H5O_INFO_BASIC) < 0) {
            status = xta__hdf5_failed(f->path, "cannot list what is in it", err);
            goto done;
        }
    }
    if (s.full) {
        status = xta__bridge_no_memory(f->path, err);
    } else if (variable != NULL) {
        status = xta_error_set(err, XTA_ENOENT, 0, "%s: has no dataset '%s'; it has: %s", f->path,
                               variable, xta__listing_text(&s.list, text));
    } else if (s.list.n == 0 && s.foreign.any) {
        status = xta__hdf5_refuse_external(f->path, s.refused, &s.foreign, err);
    } else if (s.list.n == 0) {
        status = xta_error_set(err, XTA_ENOENT, 0, "%s: has no dataset of numbers or fixed bytes",
                               f->path);
    } else if (s.list.n > 1) {
        status = xta__listing_ask(&s.list, f->path, err);
    } else {
        f->dataset = open_named(f, s.found, cached, &found);
        if (f->dataset < 0) {
            status = xta__hdf5_failed(f->path, "cannot open a dataset", err);
        } else {
            *name = s.found;
            s.found = NULL;
        }
    }
done:
    free(s.found);
    return status;
}
