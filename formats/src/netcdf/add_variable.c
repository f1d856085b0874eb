/* Adding a variable to an existing NetCDF file.
 *
 * Dimensions are shared where name and length agree, coordinate variables and companions where they
 * have the same values; disagreements are refused before anything is defined, since a variable
 * would otherwise get coordinates that are not its own. NetCDF cannot delete a variable, so one is
 * replaced by writing other cells and attributes over it, which requires the same shape and type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "netcdf/add_variable.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "description/coordinates.h"
#include "description/description.h"
#include "description/spread_attributes.h"
#include "netcdf/define.h"
#include "netcdf/file_length.h"
#include "netcdf/library.h"
#include "netcdf/select_variable.h"
#include "netcdf/target.h"
#include "util/try.h"

/* ---- dimensions ---- */

/* Whether a dimension belongs to this group itself, not to an enclosing one. */
static bool is_of_group(int group, int id)
{
    int n = 0;
    bool found = false;
    int *ids = NULL;
    if (nc_inq_dimids(group, &n, NULL, 0) == NC_NOERR) {
        ids = calloc((size_t)n + 1, sizeof *ids);
    }
    if (ids != NULL && nc_inq_dimids(group, &n, ids, 0) == NC_NOERR) {
        for (int k = 0; k < n; k++) {
            found = found || ids[k] == id;
        }
    }
    free(ids);
    return found;
}

static bool is_unlimited(int group, int id)
{
    int ids[NC_MAX_DIMS];
    int n = 0;
    bool found = false;
    for (int parent; !found; group = parent) {
        if (nc_inq_unlimdims(group, &n, NULL) == NC_NOERR && n <= NC_MAX_DIMS &&
            nc_inq_unlimdims(group, &n, ids) == NC_NOERR) {
            for (int k = 0; k < n; k++) {
                found = found || ids[k] == id;
            }
        }
        if (nc_inq_grp_parent(group, &parent) != NC_NOERR) {
            break;
        }
    }
    return found;
}

static xta_status share_dimensions(netcdf_target *target, xta_error *err)
{
    for (int k = 0; k < target->n_dimensions; k++) {
        netcdf_dimension *d = &target->dimensions[k];
        size_t length = 0;
        if (nc_inq_dimid(target->group, d->name, &d->id) != NC_NOERR ||
            nc_inq_dimlen(target->group, d->id, &length) != NC_NOERR) {
            continue;
        }
        if (length == d->length) {
            d->shared = true;
            d->unlimited = is_unlimited(target->group, d->id);
        } else if (is_of_group(target->group, d->id)) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: dimension %s has length %zu in the file and %zu in the "
                                 "array; rename the axis with xta attr, or export to another file "
                                 "or group",
                                 target->path, d->name, length, d->length);
        }
    }
    return XTA_OK;
}

/* ---- variables ---- */

/* The contents of a variable in the file, as an attribute of `in_file`; NULL: it cannot be read. */
static const bridge_attribute *read_values(int group, int id, size_t n, bridge_description *in_file)
{
    nc_type type = NC_NAT;
    if (nc_inq_vartype(group, id, &type) != NC_NOERR) {
        return NULL;
    }
    xta_type ours = xta__netcdf_to_xta(type);
    if (ours == XTA_TYPE_SAME) {
        return NULL;
    }
    const bridge_attribute *a = xta__description_add(in_file, XTA_ON_ARRAY, "held", ours, n, NULL);
    return a != NULL && nc_get_var(group, id, a->values) == NC_NOERR ? a : NULL;
}

/* The values that a new file would get: only those of the box. */
static bridge_attribute cut_values(const netcdf_target *target, const bridge_attribute *a)
{
    const bridge_description *what = target->what;
    bridge_attribute part = *a;
    for (int d = 0; d < a->ndim; d++) {
        if (a->along[d] >= 0) {
            part.lo[d] = what->lo[a->along[d]];
            part.hi[d] = part.lo[d] + what->bounds[a->along[d]];
        }
    }
    part.values = xta__spread_cut(a, NULL, part.lo, part.hi, &part.count);
    return part;
}

/* Whether the variable in the file has the dimensions that the new one would have. */
static bool same_dimensions(const netcdf_target *target, const netcdf_variable *v, int group,
                            int id)
{
    int ndim = 0;
    int dimension[NC_MAX_VAR_DIMS];
    bool same =
        nc_inq_var(group, id, NULL, NULL, &ndim, dimension, NULL) == NC_NOERR && ndim == v->ndim;
    for (int d = 0; same && d < ndim; d++) {
        const netcdf_dimension *ours = &target->dimensions[v->dimension[d]];
        same = ours->shared && ours->id == dimension[d];
    }
    return same;
}

static xta_status match_values(const netcdf_target *target, const netcdf_variable *v, int group,
                               int id, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description in_file;
    xta__description_init(&in_file);
    bridge_attribute ours = cut_values(target, v->values);
    size_t n = xta__coordinates_count(&ours);
    const bridge_attribute *theirs = read_values(group, id, n, &in_file);
    if (ours.values == NULL) {
        status = xta__bridge_no_memory(target->path, err);
    } else if (theirs == NULL) {
        status = xta_error_set(err, XTA_EEXIST, 0,
                               "%s: has a variable %s already, which cannot be compared with the "
                               "array's; export to another file or group",
                               target->path, v->name);
    } else {
        status = xta__coordinates_match(target->path, v->name, theirs, &ours, err);
    }
    free(ours.values);
    xta__description_clear(&in_file);
    return status;
}

/* Units and calendar of a coordinate variable must be those of the axis. */
static xta_status match_text(const netcdf_target *target, const netcdf_variable *v, int group,
                             int id, const char *name, xta_error *err)
{
    const char *ours = xta__description_text(target->what, v->axis, name);
    nc_type type = NC_NAT;
    size_t n = 0;
    char text[256] = "";
    if (v->axis < 0 || ours == NULL || nc_inq_att(group, id, name, &type, &n) != NC_NOERR ||
        type != NC_CHAR || n >= sizeof text || nc_get_att_text(group, id, name, text) != NC_NOERR ||
        strcmp(text, ours) == 0) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: %s of %s are \"%s\" in the file and \"%s\" in the array; export to "
                         "another file or group",
                         target->path, name, v->name, text, ours);
}

/* A coordinate variable or a companion: shared with the file if the same one exists there. */
static xta_status share_variable(const netcdf_target *target, netcdf_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    int group = target->group;
    int id = -1;
    bool there = xta__netcdf_find_upwards(target->group, v->name, &group, &id);
    bool same = there && same_dimensions(target, v, group, id);
    if (there && !same && group == target->group) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: has another variable %s, where the coordinates of the array "
                             "belong; export to another file or group, or leave them out with "
                             "--no-coordinates",
                             target->path, v->name);
    }
    if (same) {
        XTA_TRY(match_values(target, v, group, id, err));
        XTA_TRY(match_text(target, v, group, id, "units", err));
        XTA_TRY(match_text(target, v, group, id, "calendar", err));
        v->shared = true;
    } else if (v->axis >= 0 && target->dimensions[v->dimension[0]].shared) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: its dimension %s has no coordinates, the array has; leave them "
                               "out with --no-coordinates, or export to another file or group",
                               target->path, v->name);
    }
done:
    return status;
}

/* Refuse coordinates that the file has for a shared dimension if the array has none. */
static xta_status check_unlabelled(const netcdf_target *target, const netcdf_dimension *d,
                                   xta_error *err)
{
    int group = target->group;
    int id = -1;
    int ndim = 0;
    int dimension[NC_MAX_VAR_DIMS];
    bool labelled = false;
    for (int k = 1; k < target->n_variables; k++) {
        labelled = labelled || target->variables[k].axis == d->axis;
    }
    if (labelled || !d->shared || d->axis < 0 ||
        !xta__netcdf_find_upwards(target->group, d->name, &group, &id) ||
        nc_inq_var(group, id, NULL, NULL, &ndim, dimension, NULL) != NC_NOERR || ndim != 1 ||
        dimension[0] != d->id) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: its dimension %s has coordinates, the array has none; accept those "
                         "of the file with --no-coordinates, or export to another file or group",
                         target->path, d->name);
}

/* "short x(time, y)" for messages. */
static const char *shape_of(int group, int id, char text[160])
{
    char name[NC_MAX_NAME + 1] = "";
    int ndim = 0;
    int dimension[NC_MAX_VAR_DIMS];
    nc_type type = NC_NAT;
    size_t used = 0;
    if (nc_inq_var(group, id, NULL, &type, &ndim, dimension, NULL) == NC_NOERR &&
        nc_inq_type(group, type, name, NULL) == NC_NOERR) {
        used = (size_t)snprintf(text, 160, "%.40s (", name);
    }
    for (int d = 0; d < ndim && used < 100; d++) {
        size_t n = 0;
        nc_inq_dimname(group, dimension[d], name);
        nc_inq_dimlen(group, dimension[d], &n);
        used +=
            (size_t)snprintf(text + used, 160 - used, "%s%.20s=%zu", d > 0 ? ", " : "", name, n);
    }
    snprintf(text + used, 160 - used, ")");
    return text;
}

/* Remove attributes of a variable whose cells are rewritten; its fill value cannot change. */
static int remove_attributes(const netcdf_target *target, int id)
{
    char name[NC_MAX_NAME + 1];
    int n = 0;
    int code = nc_inq_varnatts(target->group, id, &n);
    for (int k = n - 1; k >= 0 && code == NC_NOERR; k--) {
        code = nc_inq_attname(target->group, id, k, name);
        if (code == NC_NOERR && !(target->has_storage && strcmp(name, "_FillValue") == 0)) {
            code = nc_del_att(target->group, id, name);
        }
    }
    return code;
}

static bool has_our_fill(const netcdf_target *target, const netcdf_variable *v)
{
    char fill[16] = {0};
    const bridge_description *what = target->what;
    int none = 0;
    return what->cell_bytes > sizeof fill || v->type == NC_CHAR || !target->has_storage ||
           xta__description_find(what, XTA_ON_ARRAY, "_FillValue") == NULL ||
           (nc_inq_var_fill(target->group, v->id, &none, fill) == NC_NOERR &&
            memcmp(fill, what->fill, what->cell_bytes) == 0);
}

/* The variable of the cells: a new one, or one of the same shape and type. */
static xta_status reconcile_cells(netcdf_target *target, xta_overwrite overwrite, xta_error *err)
{
    char text[160];
    netcdf_variable *v = &target->variables[0];
    nc_type type = NC_NAT;
    if (nc_inq_varid(target->group, v->name, &v->id) != NC_NOERR) {
        return XTA_OK;
    }
    if (overwrite != XTA_OVERWRITE_SAME) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: has a variable %s already; --replace replaces it, or name "
                             "another one (FILE:NAME)",
                             target->path, target->what->variable);
    }
    if (!same_dimensions(target, v, target->group, v->id) ||
        nc_inq_vartype(target->group, v->id, &type) != NC_NOERR || type != v->type ||
        !has_our_fill(target, v)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: its variable %s is %s, of another shape, type or fill value than "
                             "the array; NetCDF cannot take a variable away, so export under "
                             "another name",
                             target->path, target->what->variable,
                             shape_of(target->group, v->id, text));
    }
    v->old = true;
    return XTA_OK;
}

/* ---- the file ---- */

/* Determine the kind of file, and whether it can store these cells. */
static xta_status read_kind(netcdf_target *target, xta_error *err)
{
    int format = 0;
    const bridge_description *what = target->what;
    int code = nc_inq_format(target->file, &format);
    target->classic_model = format != NC_FORMAT_NETCDF4 && format != NC_FORMAT_CDF5;
    target->has_storage = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
    target->has_strings = format == NC_FORMAT_NETCDF4;
    if (code == NC_NOERR && target->classic_model &&
        !xta__netcdf_is_classic_type(xta__netcdf_from_xta(what->type))) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: is of NetCDF's classic model, which has no cells of type %s; "
                             "export to another file",
                             target->path, xta_type_name(what->type));
    }
    if (code == NC_NOERR && format != NC_FORMAT_NETCDF4 && strchr(what->variable, '/') != NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: is of NetCDF's classic model, which has no groups, so there is "
                             "no place for %s; name the variable (FILE:NAME)",
                             target->path, what->variable);
    }
    return xta__netcdf_status(code, target->path, "cannot tell its kind", err);
}

static xta_status open_existing(netcdf_target *target, xta_error *err)
{
    struct stat facts;
    int code = nc_open(target->path, NC_WRITE, &target->file);
    if (code != NC_NOERR) {
        target->file = -1;
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: a variable cannot be added, NetCDF says: %s; --force replaces "
                             "the whole file",
                             target->path, nc_strerror(code));
    }
    double least = xta__netcdf_least_bytes(target->file);
    if (stat(target->path, &facts) == 0 && (double)facts.st_size < least) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: a variable cannot be added, since the file is damaged: it ends "
                             "after %lld bytes of %.0f; --force replaces the whole file",
                             target->path, (long long)facts.st_size, least);
    }
    return XTA_OK;
}

/* Determine what is shared, and refuse what disagrees. */
static xta_status reconcile_file(netcdf_target *target, xta_overwrite overwrite,
                                 bool no_coordinates, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(share_dimensions(target, err));
    XTA_TRY(reconcile_cells(target, overwrite, err));
    for (int k = 1; k < target->n_variables; k++) {
        XTA_TRY(share_variable(target, &target->variables[k], err));
    }
    for (int k = 0; k < target->n_dimensions && !no_coordinates; k++) {
        XTA_TRY(check_unlabelled(target, &target->dimensions[k], err));
    }
done:
    return status;
}

static xta_status add_to_file(netcdf_target *target, const xta_export_options *options,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(open_existing(target, err));
    XTA_TRY(read_kind(target, err));
    XTA_TRY(xta__netcdf_enter_group(target, err));
    xta__netcdf_list(target);
    XTA_TRY(reconcile_file(target, options->overwrite, options->no_coordinates, err));
    int code = nc_redef(target->file);
    code = code == NC_EINDEFINE ? NC_NOERR : code; // NetCDF-4 enters define mode by itself
    if (code == NC_NOERR && target->variables[0].old) {
        code = remove_attributes(target, target->variables[0].id);
    }
    if (code == NC_NOERR) {
        code = xta__netcdf_define(target);
    }
    XTA_TRY(xta__netcdf_status(code, target->path, "cannot add the variable", err));
done:
    return status;
}

xta_status xta__netcdf_add(const char *path, const xta_export_options *options,
                           bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    netcdf_target *target = NULL;
    XTA_TRY(xta__netcdf_new_target(path, what, &target, err));
    target->added = true;
    XTA_TRY(xta__netcdf_check_type(target, err));
    xta__netcdf_lock();
    status = add_to_file(target, options, err);
    xta__netcdf_unlock();
    XTA_TRY(status);
    target->cells = target->variables[0].id;
    target->what = NULL;
    *state = target;
    target = NULL;
done:
    if (target != NULL) {
        xta__netcdf_abandon(target);
    }
    return status;
}
