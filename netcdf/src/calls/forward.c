/* What the shadow answers: inquiries about names, types, attributes and groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/calls.h"

#include "calls/attribute_values.h"
#include "model/file.h"

/* The function that the macro makes calls the function of NetCDF `name` on the shadow. */
#define FORWARD(name, parameters, ...)                                                           \
    static int forward_##name parameters                                                         \
    {                                                                                            \
        const netcdf_file *file = xta__nc_file_find(ncid);                                       \
        return file != NULL ? nc_##name(xta__nc_shadow_id(file, ncid), __VA_ARGS__) : NC_EBADID; \
    }

FORWARD(inq, (int ncid, int *ndim, int *n_variables, int *n_attributes, int *unlimited), ndim,
        n_variables, n_attributes, unlimited)
FORWARD(inq_type, (int ncid, nc_type type, char *name, size_t *bytes), type, name, bytes)
FORWARD(inq_dimid, (int ncid, const char *name, int *id), name, id)
FORWARD(inq_unlimdim, (int ncid, int *id), id)
FORWARD(inq_unlimdims, (int ncid, int *n, int *ids), n, ids)
FORWARD(inq_att, (int ncid, int id, const char *name, nc_type *type, size_t *n), id, name, type, n)
FORWARD(inq_attid, (int ncid, int id, const char *name, int *number), id, name, number)
FORWARD(inq_attname, (int ncid, int id, int number, char *name), id, number, name)
FORWARD(inq_varid, (int ncid, const char *name, int *id), name, id)
FORWARD(inq_grpname_full, (int ncid, size_t *n, char *name), n, name)
FORWARD(inq_varids, (int ncid, int *n, int *ids), n, ids)
FORWARD(inq_dimids, (int ncid, int *n, int *ids, int parents), n, ids, parents)
FORWARD(inq_typeids, (int ncid, int *n, int *ids), n, ids)
FORWARD(inq_typeid, (int ncid, const char *name, nc_type *type), name, type)
FORWARD(inq_user_type,
        (int ncid, nc_type type, char *name, size_t *bytes, nc_type *base, size_t *n_fields,
         int *class),
        type, name, bytes, base, n_fields, class)

static int get_att(int ncid, int id, const char *name, void *values, nc_type memory)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    return file != NULL
               ? xta__nc_get_values(xta__nc_shadow_id(file, ncid), id, name, values, memory)
               : NC_EBADID;
}

static int inq_type_equal(int ncid, nc_type type, int ncid2, nc_type type2, int *equal)
{
    const netcdf_file *file = xta__nc_file_find(ncid);
    const netcdf_file *other = xta__nc_file_find(ncid2);

    if (file == NULL) {
        return NC_EBADID;
    }
    return nc_inq_type_equal(xta__nc_shadow_id(file, ncid), type,
                             other != NULL ? xta__nc_shadow_id(other, ncid2) : ncid2, type2, equal);
}

static int inq_grpname(int ncid, char *name)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    return file != NULL ? nc_inq_grpname(xta__nc_shadow_id(file, ncid), name) : NC_EBADID;
}

/* ---- groups: ids of the shadow become those that the program knows ---- */

static int own_id(const netcdf_file *file, int shadow_id)
{
    return file->ncid | (shadow_id ^ file->shadow);
}

static int inq_ncid(int ncid, const char *name, int *group)
{
    const netcdf_file *file = xta__nc_file_find(ncid);
    int id = 0;

    if (file == NULL) {
        return NC_EBADID;
    }
    int code = nc_inq_ncid(xta__nc_shadow_id(file, ncid), name, &id);
    if (code == NC_NOERR && group != NULL) {
        *group = own_id(file, id);
    }
    return code;
}

static int inq_grps(int ncid, int *n, int *groups)
{
    const netcdf_file *file = xta__nc_file_find(ncid);
    int count = 0;

    if (file == NULL) {
        return NC_EBADID;
    }
    int code = nc_inq_grps(xta__nc_shadow_id(file, ncid), &count, groups);
    for (int k = 0; k < count && groups != NULL && code == NC_NOERR; k++) {
        groups[k] = own_id(file, groups[k]);
    }
    if (n != NULL && code == NC_NOERR) {
        *n = count;
    }
    return code;
}

static int inq_grp_parent(int ncid, int *parent)
{
    const netcdf_file *file = xta__nc_file_find(ncid);
    int id = 0;

    if (file == NULL) {
        return NC_EBADID;
    }
    int code = nc_inq_grp_parent(xta__nc_shadow_id(file, ncid), &id);
    if (code == NC_NOERR && parent != NULL) {
        *parent = own_id(file, id);
    }
    return code;
}

static int inq_grp_full_ncid(int ncid, const char *name, int *group)
{
    const netcdf_file *file = xta__nc_file_find(ncid);
    int id = 0;

    if (file == NULL) {
        return NC_EBADID;
    }
    int code = nc_inq_grp_full_ncid(xta__nc_shadow_id(file, ncid), name, &id);
    if (code == NC_NOERR && group != NULL) {
        *group = own_id(file, id);
    }
    return code;
}

void xta__nc_fill_forwards(struct NC_Dispatch *table)
{
    table->inq = forward_inq;
    table->inq_type = forward_inq_type;
    table->inq_dimid = forward_inq_dimid;
    table->inq_unlimdim = forward_inq_unlimdim;
    table->inq_unlimdims = forward_inq_unlimdims;
    table->inq_att = forward_inq_att;
    table->inq_attid = forward_inq_attid;
    table->inq_attname = forward_inq_attname;
    table->get_att = get_att;
    table->inq_varid = forward_inq_varid;
    table->inq_ncid = inq_ncid;
    table->inq_grps = inq_grps;
    table->inq_grpname = inq_grpname;
    table->inq_grpname_full = forward_inq_grpname_full;
    table->inq_grp_parent = inq_grp_parent;
    table->inq_grp_full_ncid = inq_grp_full_ncid;
    table->inq_varids = forward_inq_varids;
    table->inq_dimids = forward_inq_dimids;
    table->inq_typeids = forward_inq_typeids;
    table->inq_type_equal = inq_type_equal;
    table->inq_user_type = forward_inq_user_type;
    table->inq_typeid = forward_inq_typeid;
}
