/* The objects around a dataset of HDF5: groups from the root down, members of the dataset's group.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/hdf5/objects_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/read_attributes.h"
#include "util/try.h"

/* What the iteration over a group's links needs. */
typedef struct visit {
    xta_mapping *map;
    const char *group; /* its path, "/" for the root */
    haddr_t address;   /* of the mapped dataset */
    bool full;
} visit;

static xta_mapping_kind kind_of(hid_t object)
{
    H5I_type_t type = H5Iget_type(object);
    return type == H5I_DATASET ? XTA_MAPPED_DATASET
           : type == H5I_GROUP ? XTA_MAPPED_GROUP
                               : XTA_MAPPED_TYPE;
}

static void read_shape(hid_t dataset, bridge_description *what)
{
    hsize_t bounds[H5S_MAX_RANK] = {0};
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    int ndim = H5Sget_simple_extent_ndims(space);
    what->type = xta__hdf5_to_xta(type, &what->cell_bytes);
    if (ndim > 0 && ndim <= XTA_MAX_NDIM) {
        H5Sget_simple_extent_dims(space, bounds, NULL);
        what->ndim = ndim;
    }
    for (int axis = 0; axis < what->ndim; axis++) {
        what->bounds[axis] = (int64_t)bounds[axis];
    }
    H5Sclose(space);
    H5Tclose(type);
}

static bool add_object(xta_mapping *map, hid_t object, const char *path, bool mapped)
{
    map_object *to = xta__mapping_add_object(map, kind_of(object), path);
    if (to == NULL) {
        return false;
    }
    to->mapped = mapped;
    if (to->kind == XTA_MAPPED_DATASET) {
        read_shape(object, &to->what);
    }
    return mapped || xta__hdf5_read_object(object, &to->what, XTA_ON_ARRAY, "");
}

static herr_t each_link(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    visit *v = user;
    H5O_info_t facts;
    size_t n = strlen(v->group) + strlen(name) + 2;
    char *path = calloc(n, 1);
    if (path == NULL) {
        v->full = true;
        return 1;
    }
    snprintf(path, n, "%s%s%s", v->group, strcmp(v->group, "/") == 0 ? "" : "/", name);
    if (info->type != H5L_TYPE_HARD) {
        v->full = xta__mapping_add_object(v->map, XTA_MAPPED_LINK, path) == NULL;
    } else {
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        bool known = object >= 0 && H5Oget_info2(object, &facts, H5O_INFO_BASIC) >= 0;
        v->full = known && !add_object(v->map, object, path, facts.addr == v->address);
        if (object >= 0) {
            H5Oclose(object);
        }
    }
    free(path);
    return v->full ? 1 : 0;
}

/* Every group that the path of the dataset begins with; `path` is left as that of the last one. */
static bool add_groups(const hdf5_file *f, xta_mapping *map, char *path)
{
    char *end = path;
    for (bool last = false; !last;) {
        char *next = strchr(end + 1, '/');
        last = next == NULL;
        char kept = end[end == path ? 1 : 0];
        end[end == path ? 1 : 0] = '\0';
        hid_t group = H5Gopen2(f->file, path, H5P_DEFAULT);
        bool good = group < 0 || add_object(map, group, path, false);
        if (group >= 0) {
            H5Gclose(group);
        }
        if (!good) {
            return false;
        }
        if (!last) {
            end[end == path ? 1 : 0] = kept;
            end = next;
        }
    }
    return true;
}

xta_status xta__mapping_hdf5_objects(const hdf5_file *f, xta_mapping *map, xta_error *err)
{
    H5O_info_t facts;
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    ssize_t n = H5Iget_name(f->dataset, NULL, 0);
    char *path = n > 0 ? calloc((size_t)n + 2, 1) : NULL;
    if (n <= 0) {
        goto done; // a dataset that no group links
    }
    if (path == NULL) {
        status = xta__bridge_no_memory(f->path, err);
        goto done;
    }
    H5Iget_name(f->dataset, path, (size_t)n + 1);
    bool good = H5Oget_info2(f->dataset, &facts, H5O_INFO_BASIC) >= 0 && add_groups(f, map, path);
    hid_t group = good ? H5Gopen2(f->file, path, H5P_DEFAULT) : -1;
    if (group >= 0) {
        visit v = {map, path, facts.addr, false};
        good = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, each_link, &v) >= 0 && !v.full;
        H5Gclose(group);
    }
    if (!good) {
        status = xta__hdf5_failed(f->path, "cannot read what lies around the dataset", err);
    }
done:
    free(path);
    H5Eclear2(H5E_DEFAULT);
    xta__hdf5_leave();
    return status;
}
