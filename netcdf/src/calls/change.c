/* Changes of attributes, and of definitions, which are refused: `xta` makes arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/calls.h"

#include <string.h>

#include "base/names.h"
#include "calls/attribute_values.h"
#include "model/attributes.h"
#include "model/file.h"
#include "model/refresh.h"

/* Who has the attributes of a variable, or of a group. */
static int find_owner(int ncid, int id, netcdf_file **file, netcdf_owner *owner)
{
    *file = xta__nc_file_find(ncid);
    if (*file == NULL) {
        return NC_EBADID;
    }
    if (!(*file)->writable) {
        return NC_EPERM;
    }
    const netcdf_group *group = xta__nc_group(*file, ncid);
    const netcdf_variable *v = id == NC_GLOBAL ? NULL : xta__nc_variable(*file, ncid, id);
    if (group == NULL || (v == NULL && id != NC_GLOBAL)) {
        return group == NULL ? NC_EBADGRPID : NC_ENOTVAR;
    }
    *owner = (netcdf_owner){.axis = XTA_ON_ARRAY};
    if (v == NULL) {
        owner->set = group->set;
        owner->array = (*file)->array;
    } else if (v->kind == NETCDF_REGULAR) {
        owner->set = v->set;
        owner->dimension = v->name;
    } else {
        owner->array = v->kind == NETCDF_LISTED ? v->host->array : v->array;
        owner->axis = v->kind == NETCDF_LISTED ? v->axis : XTA_ON_ARRAY;
    }
    // A file's own attributes have nowhere to be in an array: they would be the variable's.
    return owner->set == NULL && (owner->array == NULL || v == NULL) ? NC_EPERM : NC_NOERR;
}

/* The list of coordinates is an attribute of the axis for the library, and none for NetCDF. */
static bool is_list(const netcdf_owner *owner, const char *name)
{
    return owner->set == NULL && owner->axis >= 0 && strcmp(name, NAME_VALUES) == 0;
}

int xta__nc_put_att(int ncid, int id, const char *name, nc_type type, size_t n, const void *values,
                    nc_type memory)
{
    netcdf_file *file = NULL;
    netcdf_owner owner;
    int code = find_owner(ncid, id, &file, &owner);

    if (code == NC_NOERR && strcmp(name, "_FillValue") == 0 && id != NC_GLOBAL) {
        code = NC_ELATEFILL; // that of an array is of its creation
    }
    if (code == NC_NOERR && is_list(&owner, name)) {
        code = NC_EPERM;
    }
    if (code == NC_NOERR) {
        code = xta__nc_put_values(xta__nc_shadow_id(file, ncid), id, name, type, n, values, memory);
    }
    int range = code == NC_ERANGE ? code : NC_NOERR;
    if (code == NC_NOERR || code == NC_ERANGE) {
        code = xta__nc_store_attribute(&owner, xta__nc_shadow_id(file, ncid), id, name);
        xta__nc_find_arrays(file);
    }
    return code == NC_NOERR ? range : code;
}

int xta__nc_del_att(int ncid, int id, const char *name)
{
    netcdf_file *file = NULL;
    netcdf_owner owner;
    int code = find_owner(ncid, id, &file, &owner);

    if (code == NC_NOERR) {
        code = nc_del_att(xta__nc_shadow_id(file, ncid), id, name);
    }
    if (code == NC_NOERR) {
        code = xta__nc_remove_attribute(&owner, name);
        xta__nc_find_arrays(file);
    }
    return code;
}

int xta__nc_rename_att(int ncid, int id, const char *name, const char *new_name)
{
    netcdf_file *file = NULL;
    netcdf_owner owner;
    int code = find_owner(ncid, id, &file, &owner);

    if (code == NC_NOERR && is_list(&owner, new_name)) {
        code = NC_EPERM;
    }
    if (code == NC_NOERR) {
        code = nc_rename_att(xta__nc_shadow_id(file, ncid), id, name, new_name);
    }
    if (code == NC_NOERR) {
        code = xta__nc_store_attribute(&owner, xta__nc_shadow_id(file, ncid), id, new_name);
    }
    if (code == NC_NOERR) {
        code = xta__nc_remove_attribute(&owner, name);
        xta__nc_find_arrays(file);
    }
    return code;
}

static int refuse(int ncid)
{
    return xta__nc_file_find(ncid) != NULL ? NC_EPERM : NC_EBADID;
}

int xta__nc_def_dim(int ncid, const char *name, size_t length, int *id)
{
    (void)name;
    (void)length;
    (void)id;
    return refuse(ncid);
}

int xta__nc_def_var(int ncid, const char *name, nc_type type, int ndim, const int *dimensions,
                    int *id)
{
    (void)name;
    (void)type;
    (void)ndim;
    (void)dimensions;
    (void)id;
    return refuse(ncid);
}

int xta__nc_def_grp(int ncid, const char *name, int *group)
{
    (void)name;
    (void)group;
    return refuse(ncid);
}

int xta__nc_rename(int ncid, int id, const char *name)
{
    (void)id;
    (void)name;
    return refuse(ncid);
}

int xta__nc_rename_grp(int ncid, const char *name)
{
    (void)name;
    return refuse(ncid);
}

int xta__nc_def_var_fill(int ncid, int id, int no_fill, const void *fill_value)
{
    (void)id;
    (void)no_fill;
    (void)fill_value;
    return refuse(ncid);
}
