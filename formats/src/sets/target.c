/* A NetCDF file that is made from a data set: its groups, dimensions and variables.
 *
 * A dimension of a group is that of an enclosing group if it has the same name and bounds: the data
 * set has one in each folder, the file has one for all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "description/history.h"
#include "description/origin.h"
#include "description/spread_attributes.h"
#include "netcdf/create.h"
#include "netcdf/library.h"
#include "netcdf/storage.h"
#include "netcdf/target.h"
#include "netcdf/variable.h"
#include "netcdf/write_attributes.h"
#include "sets/names.h"
#include "util/try.h"
#include "util/vector.h"

/* A data set whose group of the file is being made, and those around it. */
typedef struct place {
    const struct place *around;
    xta_dataset *set;
    int group;
} place;

/* ---- attributes ---- */

static xta_status add_attribute(bridge_description *what, int axis, const xta_attribute *a,
                                const char *path, xta_error *err)
{
    bridge_attribute *copy =
        xta__description_add(what, axis, a->name, a->type,
                             a->type == XTA_BYTES ? a->count * a->cell_bytes : a->count, a->values);

    return copy != NULL ? XTA_OK : xta__bridge_no_memory(path, err);
}

static xta_status attributes_of_set(xta_dataset *set, const char *dimension,
                                    bridge_description *what, const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;

    for (size_t k = 0; k < xta_dataset_attribute_count(set, dimension) && status == XTA_OK; k++) {
        status = xta_dataset_attribute_at(set, dimension, k, &a, err);
        status = status == XTA_OK ? add_attribute(what, XTA_ON_ARRAY, &a, path, err) : status;
    }
    return status;
}

static xta_status attributes_of_array(xta_array *array, int axis, bridge_description *what,
                                      const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;

    for (size_t k = 0; k < xta_attribute_count(array, axis) && status == XTA_OK; k++) {
        status = xta_attribute_at(array, axis, k, &a, err);
        status = status == XTA_OK ? add_attribute(what, axis, &a, path, err) : status;
    }
    return status;
}

/* Under the lock. The attributes of one object, by the functions that know NetCDF's types. */
static int write_attributes(const set_target *target, int group, int id, nc_type cells,
                            const bridge_description *what)
{
    netcdf_target one = {.file = group,
                         .group = group,
                         .what = what,
                         .classic_model = target->classic_model,
                         .has_storage = target->has_storage,
                         .has_strings = target->has_strings};

    return xta__netcdf_write_attributes(&one, id, cells, XTA_ON_ARRAY, "");
}

/* ---- dimensions ---- */

/* The id of a dimension in a group or around it, if it has these bounds. */
static bool find_dimension(const place *at, const char *name, int64_t lo, int64_t hi, int *id)
{
    xta_dimension d;

    for (; at != NULL; at = at->around) {
        if (xta_dataset_dimension(at->set, name, &d, NULL) == XTA_OK && d.lo == lo && d.hi == hi &&
            nc_inq_dimid(at->group, name, id) == NC_NOERR) {
            return true;
        }
    }
    return false;
}

/* Whether it was made for the second axis of a variable along one dimension, which the file has. */
static bool repeats(const place *at, const xta_dimension *d)
{
    xta_attribute original;
    int id = -1;

    return xta_dataset_attribute(at->set, d->name, NC_DIMENSION, &original, NULL) == XTA_OK &&
           original.type == XTA_TEXT && find_dimension(at, original.values, d->lo, d->hi, &id);
}

static xta_status define_dimensions(set_target *target, const place *at, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = 0;
    int id = -1;

    XTA_TRY(xta_dataset_dimension_count(at->set, &n, err));
    for (size_t k = 0; k < n; k++) {
        xta_dimension d;
        XTA_TRY(xta_dataset_dimension_at(at->set, k, &d, err));
        if (find_dimension(at->around, d.name, d.lo, d.hi, &id) || repeats(at, &d)) {
            continue;
        }
        xta__set_ranges_narrow(&target->ranges, at->set, d.name, &d.lo, &d.hi);
        // In NetCDF length 0 means "unlimited"; the classic model has one such dimension.
        bool unlimited =
            (d.unlimited || d.lo == d.hi) && (!target->classic_model || target->n_unlimited == 0);
        if (!unlimited && d.lo == d.hi) {
            XTA_TRY(xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                  "%s: dimension %s has no cells, and this kind of file has only "
                                  "one dimension that may have none; use netcdf-4",
                                  target->path, d.name));
        }
        int code =
            nc_def_dim(at->group, d.name, unlimited ? NC_UNLIMITED : (size_t)(d.hi - d.lo), &id);
        target->n_unlimited += unlimited;
        XTA_TRY(xta__netcdf_status(code, target->path, "cannot make a dimension", err));
    }

done:
    return status;
}

/* Of the second axis along one dimension, the first one's. */
static bool dimension_of_axis(const place *at, const set_target_variable *v, int axis, int64_t lo,
                              int64_t hi, int *id)
{
    const char *original = xta__description_text(&v->what, axis, NC_DIMENSION);

    return (original != NULL && find_dimension(at, original, lo, hi, id)) ||
           find_dimension(at, v->what.name[axis], lo, hi, id);
}

/* ---- variables ---- */

static set_target_variable *new_variable(set_target *target, const place *at)
{
    if (!XTA__RESERVE(target->variables, target->variables_capacity, target->n_variables + 1)) {
        return NULL;
    }
    set_target_variable *v = &target->variables[target->n_variables++];
    *v = (set_target_variable){.group = at->group};
    xta__description_init(&v->what);
    return v;
}

static xta_status define_variable(set_target *target, set_target_variable *v, int ndim,
                                  const int ids[], xta_error *err)
{
    const bridge_attribute *chunks =
        xta__description_find(&v->what, XTA_ON_ARRAY, NC_OWN NC_CHUNKS);
    const bridge_attribute *filters =
        xta__description_find(&v->what, XTA_ON_ARRAY, NC_OWN NC_FILTERS);
    int code = nc_def_var(v->group, v->name, v->type, ndim, ids, &v->id);

    if (code == NC_NOERR && target->has_storage) {
        code =
            xta__netcdf_define_storage(v->group, v->id, v->type, ndim, v->longest, chunks, filters);
    }
    if (code == NC_NOERR && v->what.fill != NULL) {
        code = nc_put_att(v->group, v->id, "_FillValue", v->type, 1, v->what.fill);
    }
    if (code == NC_NOERR) {
        code = write_attributes(target, v->group, v->id, v->type, &v->what);
    }
    return xta__netcdf_status(code, target->path, v->name, err);
}

static xta_status add_coordinates(set_target *target, const place *at, const xta_dimension *d,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    int id = -1;
    set_target_variable *v = new_variable(target, at);

    if (v == NULL) {
        XTA_TRY(xta__bridge_no_memory(target->path, err));
    }
    snprintf(v->name, sizeof v->name, "%s", d->name);
    v->regular = d->regular;
    v->lo = d->lo;
    v->hi = d->hi;
    xta__set_ranges_narrow(&target->ranges, at->set, d->name, &v->lo, &v->hi);
    v->type = xta__netcdf_from_xta(d->regular.type);
    v->longest[0] = d->unlimited ? SIZE_MAX : (size_t)(v->hi - v->lo);
    if (target->classic_model && !xta__netcdf_is_classic_type(v->type)) {
        XTA_TRY(xta_error_set(err, XTA_EUNSUPPORTED, 0,
                              "%s: this kind of file has no %s, the type of the coordinates of %s; "
                              "use netcdf-4",
                              target->path, xta_type_name(d->regular.type), d->name));
    }
    XTA_TRY(attributes_of_set(at->set, d->name, &v->what, target->path, err));
    if (!find_dimension(at, d->name, d->lo, d->hi, &id)) {
        XTA_TRY(xta_error_set(err, XTA_ESTATE, 0, "%s: there is no dimension %s", target->path,
                              d->name));
    }
    XTA_TRY(define_variable(target, v, 1, &id, err));

done:
    return status;
}

/* What the type of a member is in the file. */
static xta_status choose_type(const set_target *target, set_target_variable *v, xta_error *err)
{
    xta_type type = xta_array_type(v->array);

    v->strings = xta__description_text(&v->what, XTA_ON_ARRAY, SET_STRINGS) != NULL &&
                 type == XTA_BYTES && target->has_strings;
    v->type = v->strings ? NC_STRING : xta__netcdf_from_xta(type);
    if (v->type == NC_NAT || (v->type == NC_CHAR && xta_array_cell_bytes(v->array) != 1)) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: NetCDF has no cells of type %s, as member %s has; remove it, or "
                             "convert it",
                             target->path, xta_type_name(type), v->name);
    }
    if (target->classic_model && !xta__netcdf_is_classic_type(v->type)) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: this kind of file has no cells of type %s, as member %s has; use "
                             "netcdf-4",
                             target->path, xta_type_name(type), v->name);
    }
    return XTA_OK;
}

/* A fill value that no attribute tells, from another format. */
static xta_status keep_fill(set_target_variable *v, const char *path, xta_error *err)
{
    static const unsigned char zero[16];
    unsigned char standard[XTA__NETCDF_FILL_BYTES];
    size_t bytes = xta_array_cell_bytes(v->array);
    const void *fill = xta_array_fill_value(v->array);
    size_t told = xta__netcdf_default_fill(xta_array_type(v->array), standard);

    if (told > 0 && memcmp(fill, standard, told) == 0) {
        return XTA_OK;
    }
    if (v->type == NC_CHAR || v->strings || bytes > sizeof zero || memcmp(fill, zero, bytes) == 0 ||
        xta__description_find(&v->what, XTA_ON_ARRAY, "_FillValue") != NULL) {
        return XTA_OK;
    }
    v->what.fill = malloc(bytes);
    if (v->what.fill == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    memcpy(v->what.fill, fill, bytes);
    return XTA_OK;
}

/* Whether a dimension has coordinates, in a group or around it. */
static bool has_coordinates(const place *at, const char *name, const xta_box *bounds, int axis)
{
    xta_dimension d;

    for (; at != NULL; at = at->around) {
        if (xta_dataset_dimension(at->set, name, &d, NULL) == XTA_OK && d.coordinates != 0 &&
            d.lo == bounds->lo[axis] && d.hi == bounds->hi[axis]) {
            return true;
        }
    }
    return false;
}

/* Where axes without coordinates begin. */
static xta_status put_origin(const place *at, set_target_variable *v, const char *path,
                             xta_error *err)
{
    const xta_box bounds = v->box;
    int64_t origin[XTA_MAX_NDIM] = {0};
    const xta_box whole = xta_array_bounds(v->array);
    bool any = false;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        bool bare = !has_coordinates(at, v->what.name[axis], &whole, axis);
        origin[axis] = bare ? bounds.lo[axis] : 0;
        any = any || origin[axis] != 0;
    }
    xta__description_remove(&v->what, XTA_ON_ARRAY, BRIDGE_ORIGIN); // an ordinary one is none
    if (!any) {
        return XTA_OK;
    }
    return xta__description_add(&v->what, XTA_ON_ARRAY, BRIDGE_ORIGIN, XTA_I64, (size_t)bounds.ndim,
                                origin) != NULL
               ? XTA_OK
               : xta__bridge_no_memory(path, err);
}

static xta_status describe_member(const place *at, const set_ranges *ranges, set_target_variable *v,
                                  const char *path, xta_error *err)
{
    xta_status status = XTA_OK;

    v->what.ndim = xta_array_ndim(v->array);
    XTA_TRY(attributes_of_array(v->array, XTA_ON_ARRAY, &v->what, path, err));
    for (int axis = 0; axis < v->what.ndim; axis++) {
        XTA_TRY(attributes_of_array(v->array, axis, &v->what, path, err));
        v->what.name[axis] = xta__bridge_copy(xta_axis_name(v->array, axis));
        if (v->what.name[axis] == NULL) {
            XTA_TRY(xta__bridge_no_memory(path, err));
        }
    }
    v->scalar =
        v->what.ndim == 1 && xta__description_text(&v->what, XTA_ON_ARRAY, BRIDGE_SCALAR) != NULL;
    v->box = xta_array_bounds(v->array);
    for (int axis = 0; axis < v->what.ndim; axis++) {
        xta__set_ranges_narrow(ranges, at->set, v->what.name[axis], &v->box.lo[axis],
                               &v->box.hi[axis]);
    }
    if (!v->scalar) {
        XTA_TRY(put_origin(at, v, path, err));
    }
    const char *name = xta__description_text(&v->what, XTA_ON_ARRAY, SET_NAME);
    if (name != NULL) {
        snprintf(v->name, sizeof v->name, "%s", name);
    }

done:
    return status;
}

/* An axis without a name, or whose name the file already uses for other bounds, gets a dimension of
 * its own. */
static xta_status own_dimension(const set_target *target, const set_target_variable *v, int axis,
                                int64_t length, int *id, xta_error *err)
{
    char name[NC_MAX_NAME + 1];

    snprintf(name, sizeof name, "%.200s_dim%d", v->name, axis);
    return xta__netcdf_status(nc_def_dim(v->group, name, (size_t)length, id), target->path,
                              "cannot make a dimension", err);
}

static xta_status add_member(set_target *target, const place *at, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    int ids[XTA_MAX_NDIM];
    set_target_variable *v = new_variable(target, at);

    if (v == NULL) {
        XTA_TRY(xta__bridge_no_memory(target->path, err));
    }
    snprintf(v->name, sizeof v->name, "%s", name);
    XTA_TRY(xta_dataset_member(at->set, name, &v->array, err));
    XTA_TRY(describe_member(at, &target->ranges, v, target->path, err));
    XTA_TRY(choose_type(target, v, err));
    XTA_TRY(keep_fill(v, target->path, err));
    xta_box bounds = xta_array_bounds(v->array);
    for (int axis = 0; axis < v->what.ndim && !v->scalar; axis++) {
        xta_dimension d = {0};
        int64_t lo = bounds.lo[axis], hi = bounds.hi[axis];
        int64_t length = v->box.hi[axis] - v->box.lo[axis];
        if (!dimension_of_axis(at, v, axis, lo, hi, &ids[axis])) {
            XTA_TRY(own_dimension(target, v, axis, length, &ids[axis], err));
        }
        bool known = xta_dataset_dimension(at->set, v->what.name[axis], &d, NULL) == XTA_OK;
        v->longest[axis] = known && d.unlimited ? SIZE_MAX : (size_t)length;
    }
    XTA_TRY(define_variable(target, v, v->scalar ? 0 : v->what.ndim, ids, err));

done:
    return status;
}

/* ---- order ---- */

/* The member whose variable in the file has this name; NULL: none. */
static const char *member_of(xta_dataset *set, const char *variable)
{
    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        const char *member = xta_dataset_member_name(set, k);
        xta_array *array = NULL;
        xta_attribute name;
        bool other = xta_dataset_member(set, member, &array, NULL) == XTA_OK &&
                     xta_attribute_get(array, XTA_ON_ARRAY, SET_NAME, &name, NULL) == XTA_OK &&
                     name.type == XTA_TEXT;
        if (strcmp(other ? name.values : member, variable) == 0) {
            return member;
        }
    }
    return NULL;
}

/* The variable of this name: coordinates of a dimension, or a member. */
static xta_status add_named(set_target *target, const place *at, const char *name, bool *found,
                            xta_error *err)
{
    xta_dimension d;

    *found = true;
    if (xta_dataset_dimension(at->set, name, &d, NULL) == XTA_OK &&
        d.coordinates == XTA_COORDINATES_REGULAR) {
        return add_coordinates(target, at, &d, err);
    }
    const char *member = member_of(at->set, name);
    *found = member != NULL;
    return member != NULL ? add_member(target, at, member, err) : XTA_OK;
}

/* Whether a variable has been made of a member. */
static bool is_made(const set_target *target, xta_dataset *set, const char *member)
{
    xta_array *array = NULL;

    if (xta_dataset_member(set, member, &array, NULL) != XTA_OK) {
        return false; // adding it says why
    }
    for (size_t k = 0; k < target->n_variables; k++) {
        if (target->variables[k].array == array) {
            return true;
        }
    }
    return false;
}

/* In the order of the file they came from, then those that came later. */
static xta_status define_variables(set_target *target, const place *at, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute order = {0};
    char name[NC_MAX_NAME + 1];
    bool found = false;
    size_t n_dimensions = 0;
    bool known = xta_dataset_attribute(at->set, NULL, NC_VARIABLES, &order, NULL) == XTA_OK &&
                 order.type == XTA_TEXT;
    const char *lines = known ? order.values : "";
    size_t n_lines = xta__text_n_lines(lines, strlen(lines));

    for (size_t k = 0; k < n_lines; k++) {
        size_t length = 0;
        const char *line = xta__text_line(lines, k, &length);
        snprintf(name, sizeof name, "%.*s", (int)length, line);
        XTA_TRY(add_named(target, at, name, &found, err));
    }
    XTA_TRY(xta_dataset_dimension_count(at->set, &n_dimensions, err));
    for (size_t k = 0; k < n_dimensions; k++) {
        xta_dimension d;
        XTA_TRY(xta_dataset_dimension_at(at->set, k, &d, err));
        if (d.coordinates == XTA_COORDINATES_REGULAR &&
            xta__text_find_line(lines, d.name) == n_lines) {
            XTA_TRY(add_coordinates(target, at, &d, err));
        }
    }
    for (size_t k = 0; k < xta_dataset_member_count(at->set); k++) {
        const char *member = xta_dataset_member_name(at->set, k);
        if (!is_made(target, at->set, member)) {
            XTA_TRY(add_member(target, at, member, err));
        }
    }

done:
    return status;
}

static xta_status define_group(set_target *target, const place *at, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;

    xta__description_init(&what);
    if (target->select != NULL) {
        xta_dataset *around = at->around != NULL ? at->around->set : NULL;
        XTA_TRY(xta__set_ranges_add(&target->ranges, at->set, around, target->select, err));
    }
    XTA_TRY(attributes_of_set(at->set, NULL, &what, target->path, err));
    if (at->around == NULL && target->history != NULL) {
        XTA_TRY(xta__description_add_history(&what, "history", target->history, NULL, err));
    }
    XTA_TRY(xta__netcdf_status(write_attributes(target, at->group, NC_GLOBAL, NC_NAT, &what),
                               target->path, "cannot write attributes", err));
    XTA_TRY(define_dimensions(target, at, err));
    XTA_TRY(define_variables(target, at, err));
    for (size_t k = 0; k < xta_dataset_group_count(at->set); k++) {
        const char *name = xta_dataset_group_name(at->set, k);
        place inner = {.around = at};
        if (target->classic_model || !target->has_strings) {
            XTA_TRY(xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                  "%s: this kind of file has no groups, and the data set has %s; "
                                  "use netcdf-4",
                                  target->path, name));
        }
        if (!XTA__RESERVE(target->groups, target->groups_capacity, target->n_groups + 1)) {
            XTA_TRY(xta__bridge_no_memory(target->path, err));
        }
        XTA_TRY(xta_dataset_group(at->set, name, false, &inner.set, err));
        target->groups[target->n_groups++] = inner.set;
        xta_attribute other;
        bool renamed = xta_dataset_attribute(inner.set, NULL, SET_NAME, &other, NULL) == XTA_OK &&
                       other.type == XTA_TEXT;
        int code = nc_def_grp(at->group, renamed ? other.values : name, &inner.group);
        XTA_TRY(xta__netcdf_status(code, target->path, "cannot make a group", err));
        XTA_TRY(define_group(target, &inner, err));
    }

done:
    xta__description_clear(&what);
    return status;
}

xta_status xta__set_define(xta_dataset *set, const char *local, const char *kind,
                           set_target *target, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute kept = {0};
    int mode = NC_NETCDF4, old_fill = 0;

    target->file = -1;
    if (kind != NULL && !xta__netcdf_find_kind(kind, &mode)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: format %s; use netcdf-4, netcdf-4-classic, netcdf-classic, "
                             "netcdf-64bit or netcdf-cdf5",
                             target->path, kind);
    }
    if (kind == NULL && xta_dataset_attribute(set, NULL, NC_FORMAT, &kept, NULL) == XTA_OK &&
        kept.type == XTA_TEXT) {
        (void)xta__netcdf_find_kind(kept.values, &mode);
    }
    target->classic_model = xta__netcdf_is_classic_mode(mode);
    target->has_storage = (mode & NC_NETCDF4) != 0;
    target->has_strings = mode == NC_NETCDF4;
    xta__netcdf_lock();
    int code = nc_create(local, NC_CLOBBER | mode, &target->file);
    if (code != NC_NOERR) {
        target->file = -1;
    }
    status = xta__netcdf_status(code, target->path, "cannot create it", err);
    if (status == XTA_OK) {
        const place root = {.set = set, .group = target->file};
        status = define_group(target, &root, err);
    }
    if (status == XTA_OK && target->select != NULL) {
        status = xta__set_ranges_check(&target->ranges, xta_dataset_path(set), target->select, err);
    }
    if (status == XTA_OK && !target->has_storage) {
        nc_set_fill(target->file, NC_NOFILL, &old_fill); // every cell will be written
    }
    code = status == XTA_OK ? nc_enddef(target->file) : NC_NOERR;
    if (code != NC_NOERR && code != NC_ENOTINDEFINE) {
        status = xta__netcdf_status(code, target->path, "cannot define its contents", err);
    }
    xta__netcdf_unlock();
    return status;
}

/* ---- cells ---- */

static int write_strings(const set_target_variable *v, const xta_box *box, size_t n,
                         const uint8_t *cells)
{
    size_t start[XTA_MAX_NDIM], count[XTA_MAX_NDIM];
    size_t bytes = xta_array_cell_bytes(v->array);
    char *copy = calloc(n, bytes + 1);
    const char **texts = calloc(n, sizeof *texts);
    int code = copy == NULL || texts == NULL ? NC_ENOMEM : NC_NOERR;

    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        memcpy(copy + k * (bytes + 1), cells + k * bytes, bytes);
        texts[k] = copy + k * (bytes + 1);
    }
    for (int d = 0; d < box->ndim; d++) {
        start[d] = (size_t)box->lo[d];
        count[d] = (size_t)(box->hi[d] - box->lo[d]);
    }
    if (code == NC_NOERR) {
        code = v->scalar ? nc_put_var_string(v->group, v->id, texts)
                         : nc_put_vara_string(v->group, v->id, start, count, texts);
    }
    free(copy);
    free(texts);
    return code;
}

xta_status xta__set_write(const set_target *target, const set_target_variable *v,
                          const xta_box *box, const void *cells, xta_error *err)
{
    uint64_t n = 0;

    if (xta_box_empty(box) || xta_box_cells(box, &n) != XTA_OK) {
        return XTA_OK;
    }
    xta__netcdf_lock();
    int code = v->strings ? write_strings(v, box, (size_t)n, cells)
                          : xta__netcdf_put(v->group, v->id, v->scalar ? 0 : box->ndim, box, cells);
    xta__netcdf_unlock();
    return xta__netcdf_status(code, target->path, "cannot write cells", err);
}

xta_status xta__set_finish(set_target *target, bool keep, xta_error *err)
{
    int code = NC_NOERR;

    xta__netcdf_lock();
    if (target->file >= 0) {
        code = keep ? nc_close(target->file) : nc_abort(target->file);
    }
    xta__netcdf_unlock();
    for (size_t k = 0; k < target->n_variables; k++) {
        xta__description_clear(&target->variables[k].what);
    }
    free(target->variables);
    for (size_t k = 0; k < target->n_groups; k++) {
        xta_dataset_close(target->groups[k], NULL);
    }
    free(target->groups);
    xta__set_ranges_clear(&target->ranges);
    return keep ? xta__netcdf_status(code, target->path, "cannot close it", err) : XTA_OK;
}
