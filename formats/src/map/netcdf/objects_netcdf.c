/* The objects around a variable of NetCDF: groups from the root down, members of its group.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/netcdf/objects_netcdf.h"

#include <netcdf.h>
#include <stdlib.h>

#include "description/description.h"
#include "map/netcdf/handle_netcdf.h"
#include "netcdf/library.h"
#include "netcdf/read_attributes.h"

static map_object *add(xta_mapping *map, xta_mapping_kind kind, int group, const char *name)
{
    char *path = xta__mapping_netcdf_name(group, name);
    map_object *object = path != NULL ? xta__mapping_add_object(map, kind, path) : NULL;
    free(path);
    return object;
}

/* The root first. */
static int add_groups(xta_mapping *map, int group)
{
    int parent = 0;
    int code = NC_NOERR;
    if (nc_inq_grp_parent(group, &parent) == NC_NOERR) {
        code = add_groups(map, parent);
    }
    map_object *object = code == NC_NOERR ? add(map, XTA_MAPPED_GROUP, group, NULL) : NULL;
    if (object == NULL) {
        return code != NC_NOERR ? code : NC_ENOMEM;
    }
    return xta__netcdf_read_object(group, NC_GLOBAL, &object->what, XTA_ON_ARRAY, "");
}

static int add_dimensions(xta_mapping *map, int group)
{
    char name[NC_MAX_NAME + 1];
    int ids[NC_MAX_DIMS];
    int n = 0;
    size_t length = 0;
    int code = nc_inq_dimids(group, &n, NULL, 0);
    if (code == NC_NOERR && n <= NC_MAX_DIMS) {
        code = nc_inq_dimids(group, &n, ids, 0);
    }
    for (int k = 0; k < n && n <= NC_MAX_DIMS && code == NC_NOERR; k++) {
        code = nc_inq_dim(group, ids[k], name, &length);
        map_object *object = code == NC_NOERR ? add(map, XTA_MAPPED_DIMENSION, group, name) : NULL;
        if (object == NULL) {
            return code != NC_NOERR ? code : NC_ENOMEM;
        }
        object->what.ndim = 1;
        object->what.bounds[0] = (int64_t)length;
    }
    return code;
}

static int add_variable(xta_mapping *map, int group, int variable, bool mapped)
{
    char name[NC_MAX_NAME + 1];
    int ids[NC_MAX_VAR_DIMS];
    int ndim = 0;
    nc_type type;
    int code = nc_inq_var(group, variable, name, &type, &ndim, ids, NULL);
    map_object *object = code == NC_NOERR ? add(map, XTA_MAPPED_DATASET, group, name) : NULL;
    if (object == NULL) {
        return code != NC_NOERR ? code : NC_ENOMEM;
    }
    object->mapped = mapped;
    object->what.type = xta__netcdf_to_xta(type);
    object->what.ndim = ndim <= XTA_MAX_NDIM ? ndim : 0;
    for (int d = 0; d < object->what.ndim && code == NC_NOERR; d++) {
        size_t length = 0;
        code = nc_inq_dimlen(group, ids[d], &length);
        object->what.bounds[d] = (int64_t)length;
    }
    return code != NC_NOERR || mapped
               ? code
               : xta__netcdf_read_object(group, variable, &object->what, XTA_ON_ARRAY, "");
}

static int add_members(const netcdf_source *source, xta_mapping *map)
{
    char name[NC_MAX_NAME + 1];
    int n = 0;
    int code = add_dimensions(map, source->group);
    if (code == NC_NOERR) {
        code = nc_inq_nvars(source->group, &n);
    }
    for (int v = 0; v < n && code == NC_NOERR; v++) {
        code = add_variable(map, source->group, v, v == source->variable);
    }
    int *groups = NULL;
    if (code == NC_NOERR && nc_inq_grps(source->group, &n, NULL) == NC_NOERR && n > 0) {
        groups = calloc((size_t)n, sizeof *groups);
        code = groups != NULL ? nc_inq_grps(source->group, &n, groups) : NC_ENOMEM;
    } else {
        n = 0;
    }
    for (int k = 0; k < n && code == NC_NOERR; k++) {
        code = nc_inq_grpname(groups[k], name);
        map_object *object = code == NC_NOERR ? add(map, XTA_MAPPED_GROUP, groups[k], NULL) : NULL;
        code = object == NULL
                   ? NC_ENOMEM
                   : xta__netcdf_read_object(groups[k], NC_GLOBAL, &object->what, XTA_ON_ARRAY, "");
    }
    free(groups);
    return code;
}

xta_status xta__mapping_netcdf_objects(const netcdf_source *source, xta_mapping *map,
                                       xta_error *err)
{
    xta__netcdf_lock();
    int code = add_groups(map, source->group);
    if (code == NC_NOERR) {
        code = add_members(source, map);
    }
    xta_status status =
        xta__netcdf_status(code, source->path, "cannot read what lies around the variable", err);
    xta__netcdf_unlock();
    return status;
}
