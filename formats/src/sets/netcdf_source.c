/* What a NetCDF file holds: a tree of groups with their dimensions and variables.
 *
 * Variables of strings become cells of a fixed length (strings.c). Other types without a fixed
 * length, compounds, and what more axes have than an array can, are put on a list of what is lost.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/netcdf_source.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/local_path.h"
#include "description/origin.h"
#include "hdf5/self_contained.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/open_file.h"
#include "netcdf/read_attributes.h"
#include "netcdf/storage.h"
#include "netcdf/stored_chunks.h"
#include "netcdf/variable.h"
#include "sets/names.h"
#include "sets/strings.h"
#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"

enum { MOST_DEPTH = 32, MOST_STRING_BYTES = 65535 };

/* ---- what is lost ---- */

/* Attributes of user-defined types are left out by the reader. */
static xta_status lose_attributes(set_source *source, int group, int variable, const char *path,
                                  const char *name, xta_error *err)
{
    char attribute[NC_MAX_NAME + 1];
    char text[NC_MAX_NAME + 80];
    nc_type type = NC_NAT;
    size_t n = 0;
    int count = 0;

    if (variable == NC_GLOBAL) {
        nc_inq_natts(group, &count);
    } else {
        nc_inq_varnatts(group, variable, &count);
    }
    for (int k = 0; k < count; k++) {
        if (nc_inq_attname(group, variable, k, attribute) != NC_NOERR ||
            nc_inq_att(group, variable, attribute, &type, &n) != NC_NOERR ||
            type < NC_FIRSTUSERTYPEID) {
            continue;
        }
        snprintf(text, sizeof text, "its attribute %s is of a user-defined type", attribute);
        xta_status status = xta__set_lose(source, path, name, text, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

/* ---- dimensions ---- */

static xta_status add_dimension(set_source *source, set_group *group, int id, bool unlimited,
                                xta_error *err)
{
    char name[NC_MAX_NAME + 1];
    size_t length = 0;
    int code = nc_inq_dim(group->id, id, name, &length);

    if (code != NC_NOERR) {
        return xta__netcdf_status(code, source->path, "cannot look at a dimension", err);
    }
    char *own = xta__copy_foreign_name(name);
    for (size_t k = 0; own != NULL && k < group->n_dimensions; k++) {
        if (strcmp(group->dimensions[k].name, own) == 0) {
            free(own);
            return XTA_OK;
        }
    }
    if (own == NULL ||
        !XTA__RESERVE(group->dimensions, group->dimensions_capacity, group->n_dimensions + 1)) {
        free(own);
        return xta__bridge_no_memory(source->path, err);
    }
    group->dimensions[group->n_dimensions++] =
        (set_dimension){.name = own, .length = (int64_t)length, .unlimited = unlimited};
    return XTA_OK;
}

static xta_status list_dimensions(set_source *source, set_group *group, xta_error *err)
{
    xta_status status = XTA_OK;
    int n = 0;
    int *ids = NULL;
    int code = nc_inq_dimids(group->id, &n, NULL, 0);

    ids = calloc((size_t)n + 1, sizeof *ids);
    if (ids == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    code = code == NC_NOERR ? nc_inq_dimids(group->id, &n, ids, 0) : code;
    XTA_TRY(xta__netcdf_status(code, source->path, "cannot list dimensions", err));
    for (int k = 0; k < n; k++) {
        XTA_TRY(
            add_dimension(source, group, ids[k], xta__netcdf_is_unlimited(group->id, ids[k]), err));
    }

done:
    free(ids);
    return status;
}

/* ---- variables ---- */

/* Make the name of a second axis along a dimension longer while others have it. */
static void avoid_dimensions(const set_group *group, const set_variable *v, int axis,
                             char name[NC_MAX_NAME + 16])
{
    size_t n = strlen(name);
    bool taken = true;

    while (taken && n < NC_MAX_NAME + 15) {
        taken = false;
        for (size_t k = 0; k < group->n_dimensions; k++) {
            taken = taken || strcmp(group->dimensions[k].name, name) == 0;
        }
        for (int k = 0; k < axis; k++) {
            taken = taken || strcmp(v->what.name[k], name) == 0;
        }
        if (taken) {
            name[n++] = '_';
            name[n] = '\0';
        }
    }
}

/* Names of axes differ, but a variable may use a dimension twice. */
static xta_status name_axes(set_source *source, set_group *group, set_variable *v,
                            const int dimension[], xta_error *err)
{
    char name[NC_MAX_NAME + 16];
    size_t length = 0;

    for (int axis = 0; axis < v->what.ndim; axis++) {
        int repeats = 0;
        int code = nc_inq_dim(group->id, dimension[axis], name, &length);
        xta_status status =
            xta__netcdf_status(code, source->path, "cannot look at a dimension", err);
        if (status == XTA_OK) {
            status = add_dimension(source, group, dimension[axis],
                                   xta__netcdf_is_unlimited(group->id, dimension[axis]), err);
        }
        if (status != XTA_OK) {
            return status;
        }
        for (int k = 0; k < axis; k++) {
            repeats += dimension[k] == dimension[axis];
        }
        bridge_attribute *original =
            repeats > 0 ? xta__description_add_text(&v->what, axis, NC_DIMENSION, name) : NULL;
        if (repeats > 0) {
            snprintf(name + strlen(name), 16, "_%d", repeats + 1);
            avoid_dimensions(group, v, axis, name);
        }
        v->what.name[axis] = xta__copy_foreign_name(name);
        v->what.bounds[axis] = (int64_t)length;
        if (v->what.name[axis] == NULL || (repeats > 0 && original == NULL)) {
            return xta__bridge_no_memory(source->path, err);
        }
    }
    return XTA_OK;
}

/* The fill value that an attribute tells, else that of NetCDF. */
static void find_fill(set_variable *v)
{
    const bridge_attribute *a = xta__description_find(&v->what, XTA_ON_ARRAY, "_FillValue");
    unsigned char standard[XTA__NETCDF_FILL_BYTES];
    size_t bytes = v->strings || a != NULL ? 0 : xta__netcdf_default_fill(v->what.type, standard);
    const void *value = standard;

    if (a != NULL && !v->strings && a->type == v->what.type && a->count == 1) {
        bytes = v->what.cell_bytes;
        value = a->values;
    }
    v->what.fill = bytes > 0 ? malloc(bytes) : NULL;
    if (v->what.fill != NULL) {
        memcpy(v->what.fill, value, bytes);
    }
}

/* NC_NAT: none that can come. */
static nc_type type_of_cells(set_source *source, int group, nc_type type, const char *path,
                             const char *name, xta_error *err)
{
    int class = 0;
    nc_type base = NC_NAT;

    if (type < NC_FIRSTUSERTYPEID) {
        return type;
    }
    if (nc_inq_user_type(group, type, NULL, NULL, &base, NULL, &class) != NC_NOERR ||
        class != NC_ENUM) {
        return NC_NAT;
    }
    return xta__set_lose(source, path, name, "the names of its enumeration", err) == XTA_OK
               ? base
               : NC_NAT;
}

static xta_status describe_variable(set_source *source, set_group *group, set_variable *v, int ndim,
                                    const int dimension[], xta_error *err)
{
    xta_status status = XTA_OK;

    v->what.ndim = ndim > 0 ? ndim : 1;
    v->what.bounds[0] = 1;
    v->scalar = ndim == 0;
    if (ndim > 0) {
        XTA_TRY(name_axes(source, group, v, dimension, err));
    } else if (xta__description_add_text(&v->what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") == NULL) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    int code = xta__netcdf_read_object(v->group, v->id, &v->what, XTA_ON_ARRAY, "");
    if (code == NC_NOERR) {
        code = xta__netcdf_read_storage(v->group, v->id, ndim, &v->what, XTA_ON_ARRAY, NC_OWN);
    }
    XTA_TRY(xta__netcdf_status(code, source->path, "cannot read what belongs to a variable", err));
    if (v->strings &&
        xta__description_add_text(&v->what, XTA_ON_ARRAY, SET_STRINGS, "yes") == NULL) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    find_fill(v);
    XTA_TRY(xta__origin_read(&v->what, BRIDGE_ORIGIN_LIST, v->origin, source->path, err));

done:
    return status;
}

static xta_status add_variable(set_source *source, set_group *group, int id, const char *path,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    char name[NC_MAX_NAME + 1];
    nc_type type = NC_NAT;
    int ndim = 0;
    int dimension[NC_MAX_VAR_DIMS];
    int code = nc_inq_var(group->id, id, name, &type, &ndim, dimension, NULL);
    size_t bytes = 0;

    XTA_TRY(xta__netcdf_status(code, source->path, "cannot look at a variable", err));
    if (!XTA__RESERVE(group->variables, group->variables_capacity, group->n_variables + 1)) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    set_variable *v = &group->variables[group->n_variables];
    *v = (set_variable){.group = group->id, .id = id};
    xta__description_init(&v->what);
    group->n_variables++;
    v->name = xta__copy_foreign_name(name);
    if (v->name == NULL) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    type = type_of_cells(source, group->id, type, path, name, err);
    v->strings = type == NC_STRING;
    v->what.type = v->strings ? XTA_BYTES : xta__netcdf_to_xta(type);
    if (v->strings) {
        XTA_TRY(xta__set_measure_strings(source, v, path, name, ndim, &bytes, err));
        v->what.type = bytes > 0 ? XTA_BYTES : XTA_TYPE_SAME;
    }
    v->what.cell_bytes = v->strings                  ? bytes
                         : v->what.type == XTA_BYTES ? 1
                                                     : xta_type_bytes(v->what.type);
    if (v->what.type == XTA_TYPE_SAME || ndim > XTA_MAX_NDIM || bytes > MOST_STRING_BYTES) {
        group->n_variables--;
        xta__set_clear_variable(v);
        XTA_TRY(xta__set_lose(source, path, name,
                              ndim > XTA_MAX_NDIM
                                  ? "it has more than 32 dimensions"
                                  : "its cells are compounds, or of no fixed length",
                              err));
        goto done;
    }
    XTA_TRY(lose_attributes(source, group->id, id, path, name, err));
    XTA_TRY(describe_variable(source, group, v, ndim, dimension, err));

done:
    return status;
}

/* ---- groups ---- */

static xta_status read_group(set_source *source, set_group *group, const char *path, int depth,
                             xta_error *err);

static xta_status read_subgroups(set_source *source, set_group *group, const char *path, int depth,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    int n = 0;
    int *ids = NULL;
    char name[NC_MAX_NAME + 1];
    char *inner = NULL;

    if (nc_inq_grps(group->id, &n, NULL) != NC_NOERR || n == 0) {
        return XTA_OK;
    }
    ids = calloc((size_t)n, sizeof *ids);
    if (ids == NULL || !XTA__RESERVE(group->groups, group->groups_capacity, (size_t)n)) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    XTA_TRY(xta__netcdf_status(nc_inq_grps(group->id, &n, ids), source->path, "cannot list groups",
                               err));
    for (int k = 0; k < n; k++) {
        XTA_TRY(xta__netcdf_status(nc_inq_grpname(ids[k], name), source->path,
                                   "cannot look at a group", err));
        set_group *one = &group->groups[group->n_groups++];
        *one = (set_group){.id = ids[k], .name = xta__copy_foreign_name(name)};
        xta__description_init(&one->attributes);
        free(inner);
        inner = xta__string("%s%s%s", path, path[0] != '\0' ? "/" : "", name);
        if (one->name == NULL || inner == NULL) {
            XTA_TRY(xta__bridge_no_memory(source->path, err));
        }
        XTA_TRY(read_group(source, one, inner, depth + 1, err));
    }

done:
    free(ids);
    free(inner);
    return status;
}

static xta_status read_group(set_source *source, set_group *group, const char *path, int depth,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    int n = 0;

    if (depth > MOST_DEPTH) {
        XTA_TRY(xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: groups are nested deeper than %d",
                              source->path, MOST_DEPTH));
    }
    XTA_TRY(list_dimensions(source, group, err));
    XTA_TRY(xta__netcdf_status(
        xta__netcdf_read_object(group->id, NC_GLOBAL, &group->attributes, XTA_ON_ARRAY, ""),
        source->path, "cannot read attributes", err));
    XTA_TRY(lose_attributes(source, group->id, NC_GLOBAL, path, "", err));
    XTA_TRY(xta__netcdf_status(nc_inq_nvars(group->id, &n), source->path, "cannot list variables",
                               err));
    for (int id = 0; id < n; id++) {
        XTA_TRY(add_variable(source, group, id, path, err));
    }
    XTA_TRY(read_subgroups(source, group, path, depth, err));

done:
    return status;
}

static xta_status describe_kind(set_source *source, xta_error *err)
{
    const char *kind = xta__netcdf_kind_of(source->file);

    return kind == NULL || xta__description_add_text(&source->root.attributes, XTA_ON_ARRAY,
                                                     NC_FORMAT, kind) != NULL
               ? XTA_OK
               : xta__bridge_no_memory(source->path, err);
}

/* Under the lock. */
static xta_status read_file(set_source *source, const char *local, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__netcdf_open_file(local, source->path, &source->file, err));
    source->root.id = source->file;
    XTA_TRY(read_group(source, &source->root, "", 0, err));
    XTA_TRY(describe_kind(source, err));

done:
    return status;
}

static xta_status open_netcdf(const char *path, bool trust, set_source *source, xta_error *err)
{
    xta_status status = XTA_OK;

    source->local = xta__local_path(path);
    if (source->local == NULL) {
        XTA_TRY(xta__bridge_no_memory(path, err));
    }
    XTA_TRY(xta__path_must_exist(path, err));
    if (!trust) {
        // NetCDF follows links when it opens a file.
        XTA_TRY(xta__hdf5_check_self_contained(path, err));
    }
    xta__netcdf_lock();
    status = read_file(source, source->local, err);
    xta__netcdf_unlock();
    if (status == XTA_OK) {
        int64_t hdf5 = xta__raw_chunks_open_file(source->local);
        source->hdf5 = hdf5 > 0 ? hdf5 : 0;
    }

done:
    return status;
}

static void close_netcdf(set_source *source)
{
    if (source->hdf5 > 0) {
        xta__raw_chunks_close_file(source->hdf5);
        source->hdf5 = 0;
    }
    if (source->file >= 0) {
        xta__netcdf_lock();
        nc_close(source->file);
        xta__netcdf_unlock();
    }
}

static xta_status read_netcdf(const set_source *source, const set_variable *v, const xta_box *box,
                              void *cells, xta_error *err)
{
    uint64_t n = 0;
    xta_status status = xta_box_cells(box, &n);

    if (status != XTA_OK) {
        return xta_error_set(err, status, 0, "%s: %s has too many cells", source->path, v->name);
    }
    xta__netcdf_lock();
    int code = v->strings ? xta__set_read_strings(source, v, box, (size_t)n, cells)
                          : xta__netcdf_get(v->group, v->id, v->scalar ? 0 : box->ndim, box, cells);
    xta__netcdf_unlock();
    return xta__netcdf_status(code, source->path, "cannot read cells", err);
}

static raw_chunks *open_chunks(const set_source *source, const set_variable *v)
{
    int64_t hdf5 = source->hdf5 > 0 ? source->hdf5 : -1;

    return xta__netcdf_open_chunks(hdf5, v->group, v->id, v->what.ndim, v->what.cell_bytes);
}

const set_reader xta__set_netcdf = {
    .open = open_netcdf, .read = read_netcdf, .close = close_netcdf, .open_chunks = open_chunks};
