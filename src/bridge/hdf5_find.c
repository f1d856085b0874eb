/* HDF5: which dataset is meant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    char *best; /* path */
    double bytes;
    char list[300]; /* of the first few datasets, for messages */
    size_t used;
    bool full; /* no memory */
    bool trust;
    hdf5_foreign found; /* why the first one that lies elsewhere was left out */
    char refused[HDF5_FOREIGN_BYTES];
} search;

/* Bytes of a dataset whose cells we can hold; negative: it is none. */
static double bytes_of(hid_t dataset)
{
    hsize_t bounds[H5S_MAX_RANK];
    size_t cell = 0;
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    double bytes = -1;
    int ndim = H5Sget_simple_extent_ndims(space);
    bool some = H5Sget_simple_extent_type(space) != H5S_NULL && ndim >= 0;
    if (some && ndim <= XTA_MAX_NDIM && xta__hdf5_to_xta(type, &cell) != XTA_TYPE_SAME) {
        bytes = (double)cell;
        H5Sget_simple_extent_dims(space, bounds, NULL);
        for (int d = 0; d < ndim; d++) {
            bytes *= (double)bounds[d];
        }
    }
    H5Sclose(space);
    H5Tclose(type);
    return bytes;
}

static herr_t look_at(hid_t group, const char *name, const H5O_info_t *info, void *user)
{
    search *s = user;
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    if (s->used + 1 < sizeof s->list) {
        s->used += (size_t)snprintf(s->list + s->used, sizeof s->list - s->used,
                                    s->used == 0 ? "%s" : ", %s", name);
    }
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) {
        return 0;
    }
    hdf5_foreign found = {.any = false};
    if (!s->trust) {
        xta__hdf5_look_elsewhere(dataset, &found);
    }
    if (found.any && !s->found.any) {
        s->found = found;
        snprintf(s->refused, sizeof s->refused, "%s", name);
    }
    double bytes = found.any ? -1 : bytes_of(dataset);
    if (bytes >= 0 && H5DSis_scale(dataset) > 0) {
        bytes = 0; // taken only where there is nothing else
    }
    H5Dclose(dataset);
    if (bytes >= 0 && (s->best == NULL || bytes > s->bytes)) {
        free(s->best);
        s->best = xta__bridge_copy(name);
        s->bytes = bytes;
        s->full = s->best == NULL;
    }
    return s->full ? 1 : 0;
}

/* The dataset, or a negative number; `found` tells whether what it names lies in another file. */
static hid_t open_named(const hdf5_file *f, const char *name, bool cached, hdf5_foreign *found)
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
        xta__hdf5_look_elsewhere(dataset, found);
    }
    if (dataset >= 0 && found->any) {
        H5Dclose(dataset);
        dataset = -1;
    }
    return dataset;
}

xta_status xta__hdf5_choose(hdf5_file *f, const char *variable, bool cached, char **name,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    search s = {.best = NULL, .trust = f->trust};
    hdf5_foreign found = {.any = false};
    *name = NULL;
    if (variable != NULL) {
        while (variable[0] == '/') {
            variable++;
        }
        f->dataset = variable[0] != '\0' ? open_named(f, variable, cached, &found) : -1;
        if (found.any) {
            return xta__hdf5_refuse(f->path, variable, &found, err);
        }
        if (f->dataset >= 0) {
            *name = xta__bridge_copy(variable);
            return *name != NULL ? XTA_OK : xta__bridge_no_memory(f->path, err);
        }
    }
    herr_t visited = H5Ovisit2(f->file, H5_INDEX_NAME, H5_ITER_INC, look_at, &s, H5O_INFO_BASIC);
    if (s.full) {
        status = xta__bridge_no_memory(f->path, err);
    } else if (visited < 0) {
        status = xta__hdf5_failed(f->path, "cannot list what is in it", err);
    } else if (variable != NULL) {
        status = xta_error_set(err, XTA_ENOENT, 0, "%s: has no dataset '%s'; it has: %s", f->path,
                               variable, s.list);
    } else if (s.best == NULL && s.found.any) {
        status = xta__hdf5_refuse(f->path, s.refused, &s.found, err);
    } else if (s.best == NULL) {
        status = xta_error_set(err, XTA_ENOENT, 0, "%s: has no dataset of numbers or fixed bytes",
                               f->path);
    } else {
        f->dataset = open_named(f, s.best, cached, &found);
        if (f->dataset < 0) {
            status = xta__hdf5_failed(f->path, "cannot open a dataset", err);
        } else {
            *name = s.best;
            s.best = NULL;
        }
    }
    free(s.best);
    return status;
}
