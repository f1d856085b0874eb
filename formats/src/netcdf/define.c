/* Dimensions and variables of a new file, or of a variable that is added to one: the variable of
 * the cells, its coordinate variables and its companions, in the order of the file they came from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/define.h"

#include <netcdf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "description/description.h"
#include "description/spread_attributes.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/storage.h"
#include "netcdf/target.h"
#include "netcdf/write_attributes.h"

/* ---- dimensions ---- */

/* A name that is not empty and has no slashes, which have a meaning in NetCDF. */
static void legal_name(char out[NC_MAX_NAME + 1], const char *name, const char *otherwise)
{
    snprintf(out, NC_MAX_NAME + 1, "%s", name != NULL && name[0] != '\0' ? name : otherwise);
    for (char *c = out; *c != '\0'; c++) {
        if (*c == '/') {
            *c = '_';
        }
    }
    for (size_t n = strlen(out); n > 1 && out[n - 1] == ' '; n--) {
        out[n - 1] = '\0';
    }
}

static int find_dimension(const netcdf_target *target, const char *name)
{
    for (int d = 0; d < target->n_dimensions; d++) {
        if (strcmp(target->dimensions[d].name, name) == 0) {
            return d;
        }
    }
    return -1;
}

static int add_dimension(netcdf_target *target, const char *name, size_t length, int axis)
{
    netcdf_dimension *d = &target->dimensions[target->n_dimensions];
    snprintf(d->name, sizeof d->name, "%s", name);
    d->length = length;
    d->axis = axis;
    d->unlimited =
        axis >= 0 && xta__description_text(target->what, axis, NC_UNLIMITED_AXIS) != NULL;
    return target->n_dimensions++;
}

/* The dimension of an axis: under its own name, or the dimension of an equally long axis if the
 * source used one dimension twice. */
static int dimension_of_axis(netcdf_target *target, int axis)
{
    const bridge_description *what = target->what;
    char fallback[16];
    char name[NC_MAX_NAME + 1];
    const char *kept = xta__description_text(what, axis, NC_DIMENSION);
    size_t length = (size_t)what->bounds[axis];
    snprintf(fallback, sizeof fallback, "dim%d", axis);
    if (kept != NULL) {
        int d = find_dimension(target, kept);
        if (d >= 0 && target->dimensions[d].length == length) {
            return d;
        }
    }
    legal_name(name, what->name[axis], fallback);
    while (find_dimension(target, name) >= 0 && strlen(name) + 1 < sizeof name) {
        strcat(name, "_");
    }
    return add_dimension(target, name, length, axis);
}

static int dimension_of_own(netcdf_target *target, const char *name, size_t length)
{
    char legal[NC_MAX_NAME + 1];
    legal_name(legal, name, "n");
    for (int d = find_dimension(target, legal); d >= 0; d = find_dimension(target, legal)) {
        if (target->dimensions[d].length == length && target->dimensions[d].axis < 0) {
            return d;
        }
        if (strlen(legal) + 1 >= sizeof legal) {
            return d;
        }
        strcat(legal, "_");
    }
    return add_dimension(target, legal, length, -1);
}

/* Define dimensions in the order the source had them. */
static int define_dimensions(netcdf_target *target)
{
    const char *order = xta__description_text(target->what, XTA_ON_ARRAY, NC_DIMENSIONS);
    size_t n_listed = order != NULL ? xta__text_n_lines(order, strlen(order)) : 0;
    int n_unlimited = 0;
    for (size_t k = 0; k <= n_listed; k++) {
        for (int i = 0; i < target->n_dimensions; i++) {
            netcdf_dimension *d = &target->dimensions[i];
            if (d->shared || xta__text_find_line(order, d->name) != k) {
                continue;
            }
            /* In NetCDF length 0 means "unlimited". The classic model has one such dimension, which
             * is the variable's first. */
            bool unlimited = d->unlimited || d->length == 0;
            unlimited = unlimited && (!target->classic_model || (d->axis == 0 && n_unlimited == 0));
            n_unlimited += unlimited;
            int code =
                nc_def_dim(target->group, d->name, unlimited ? NC_UNLIMITED : d->length, &d->id);
            d->unlimited = unlimited;
            if (code != NC_NOERR) {
                return code;
            }
        }
    }
    return NC_NOERR;
}

/* ---- variables ---- */

static bool name_taken(const netcdf_target *target, const char *name)
{
    for (int v = 0; v < target->n_variables; v++) {
        if (strcmp(target->variables[v].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void list_cells(netcdf_target *target)
{
    const bridge_description *what = target->what;
    netcdf_variable *v = &target->variables[target->n_variables++];
    const char *slash = strrchr(what->variable, '/');
    legal_name(v->name, slash != NULL ? slash + 1 : what->variable, "array");
    v->axis = -1;
    v->type = xta__netcdf_from_xta(what->type);
    target->is_scalar = what->ndim == 1 && what->bounds[0] == 1 &&
                        xta__description_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR) != NULL;
    v->ndim = target->is_scalar ? 0 : what->ndim;
    for (int axis = 0; axis < v->ndim; axis++) {
        v->dimension[axis] = dimension_of_axis(target, axis);
    }
}

static nc_type type_of_values(const netcdf_target *target, const bridge_attribute *a)
{
    if (a->type == XTA_TEXT) {
        return target->has_strings ? NC_STRING : NC_NAT;
    }
    nc_type type = xta__netcdf_from_xta(a->type);
    bool holds = type != NC_NAT && (!target->classic_model || xta__netcdf_is_classic_type(type)) &&
                 (type != NC_CHAR || a->cell_bytes == 1);
    return holds ? type : NC_NAT;
}

static void list_values(netcdf_target *target, const bridge_attribute *a, int axis,
                        const char *name)
{
    nc_type type = type_of_values(target, a);
    if (type == NC_NAT || name_taken(target, name) || target->is_scalar) {
        if (a->ndim > 0 || type == NC_NAT || name_taken(target, name)) {
            return;
        }
    }
    netcdf_variable *v = &target->variables[target->n_variables++];
    snprintf(v->name, sizeof v->name, "%s", name);
    v->values = a;
    v->axis = axis;
    v->type = type;
    v->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++) {
        v->dimension[d] = a->along[d] >= 0
                              ? target->variables[0].dimension[a->along[d]]
                              : dimension_of_own(target, a->own[d], (size_t)(a->hi[d] - a->lo[d]));
    }
}

/* Whether the attribute is the values of a companion: "variable/NAME". */
static const char *companion_name(const bridge_attribute *a)
{
    size_t n = strlen(NC_COMPANION);
    bool is = a->axis == XTA_ON_ARRAY && strncmp(a->name, NC_COMPANION, n) == 0 &&
              strchr(a->name + n, '/') == NULL;
    return is ? a->name + n : NULL;
}

static void list_variables(netcdf_target *target)
{
    const bridge_description *what = target->what;
    list_cells(target);
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        if (a->axis >= 0 && a->ndim == 1 && strcmp(a->name, NC_VALUES) == 0 && !target->is_scalar) {
            int d = target->variables[0].dimension[a->axis];
            list_values(target, a, a->axis, target->dimensions[d].name);
        }
    }
    for (size_t k = 0; k < what->n_attributes; k++) {
        const char *name = companion_name(&what->attributes[k]);
        if (name != NULL) {
            list_values(target, &what->attributes[k], -1, name);
        }
    }
}

/* ---- defining ---- */

static const char *storage_prefix(const netcdf_variable *v, char prefix[KEY_BYTES], int *axis)
{
    *axis = v->axis >= 0 ? v->axis : XTA_ON_ARRAY;
    if (v->values == NULL) {
        return NC_OWN;
    }
    if (v->axis >= 0) {
        return NC_VALUES "//";
    }
    snprintf(prefix, KEY_BYTES, "%s//", v->values->name);
    return prefix;
}

static int define_storage(const netcdf_target *target, const netcdf_variable *v)
{
    char text[KEY_BYTES];
    char key[KEY_BYTES + 16];
    size_t longest[XTA_MAX_NDIM];
    int axis;
    const char *prefix = storage_prefix(v, text, &axis);
    snprintf(key, sizeof key, "%s%s", prefix, NC_CHUNKS);
    const bridge_attribute *chunks = xta__description_find(target->what, axis, key);
    snprintf(key, sizeof key, "%s%s", prefix, NC_FILTERS);
    const bridge_attribute *filters = xta__description_find(target->what, axis, key);
    if (!target->has_storage) {
        return NC_NOERR;
    }
    for (int d = 0; d < v->ndim; d++) {
        const netcdf_dimension *dim = &target->dimensions[v->dimension[d]];
        longest[d] = dim->unlimited ? SIZE_MAX : dim->length;
    }
    return xta__netcdf_define_storage(target->group, v->id, v->type, v->ndim, longest, chunks,
                                      filters);
}

/* A fill value without an attribute comes from another format: readers of NetCDF expect the
 * attribute. */
static int define_fill(const netcdf_target *target, const netcdf_variable *v)
{
    static const unsigned char zero[16];
    const bridge_description *what = target->what;
    if (v->type == NC_CHAR || memcmp(what->fill, zero, what->cell_bytes) == 0 ||
        xta__description_find(what, XTA_ON_ARRAY, "_FillValue") != NULL) {
        return NC_NOERR;
    }
    return nc_put_att(target->group, v->id, "_FillValue", v->type, 1, what->fill);
}

static int define_variable(const netcdf_target *target, netcdf_variable *v)
{
    char prefix[KEY_BYTES];
    int ids[XTA_MAX_NDIM];
    for (int d = 0; d < v->ndim; d++) {
        ids[d] = target->dimensions[v->dimension[d]].id;
    }
    int code = NC_NOERR;
    if (!v->old) {
        code = nc_def_var(target->group, v->name, v->type, v->ndim, ids, &v->id);
    }
    if (code == NC_NOERR && !v->old) {
        code = define_storage(target, v);
    }
    if (code != NC_NOERR) {
        return code;
    }
    if (v->values == NULL) {
        code = v->old ? NC_NOERR : define_fill(target, v);
        if (code == NC_NOERR && target->what->type == XTA_BOOL &&
            xta__description_find(target->what, XTA_ON_ARRAY, "dtype") == NULL) {
            code = nc_put_att_text(target->group, v->id, "dtype", 4, "bool");
        }
        return code == NC_NOERR
                   ? xta__netcdf_write_attributes(target, v->id, v->type, XTA_ON_ARRAY, "")
                   : code;
    }
    if (v->axis >= 0) {
        return xta__netcdf_write_attributes(target, v->id, v->type, v->axis, "");
    }
    snprintf(prefix, sizeof prefix, "%s/", v->values->name);
    return xta__netcdf_write_attributes(target, v->id, v->type, XTA_ON_ARRAY, prefix);
}

/* The name of this variable in the source's list of variables. */
static const char *listed_name(const netcdf_target *target, const netcdf_variable *v)
{
    const char *kept = xta__description_text(target->what, XTA_ON_ARRAY, BRIDGE_VARIABLE);
    return v->values == NULL && kept != NULL ? kept : v->name;
}

static int define_variables(netcdf_target *target)
{
    const char *order = xta__description_text(target->what, XTA_ON_ARRAY, NC_VARIABLES);
    size_t n_listed = order != NULL ? xta__text_n_lines(order, strlen(order)) : 0;
    for (size_t k = 0; k <= n_listed; k++) {
        for (int i = 0; i < target->n_variables; i++) {
            netcdf_variable *v = &target->variables[i];
            int code = NC_NOERR;
            if (!v->shared && xta__text_find_line(order, listed_name(target, v)) == k) {
                code = define_variable(target, v);
            }
            if (code != NC_NOERR) {
                return code;
            }
        }
    }
    return NC_NOERR;
}

void xta__netcdf_list(netcdf_target *target)
{
    list_variables(target);
}

int xta__netcdf_define(netcdf_target *target)
{
    int old_fill;
    int code = define_dimensions(target);
    if (code == NC_NOERR) {
        code = define_variables(target);
    }
    if (code == NC_NOERR && !target->added) {
        code = xta__netcdf_write_attributes(target, NC_GLOBAL, NC_NAT, XTA_ON_ARRAY, NC_GLOBALS);
    }
    if (code == NC_NOERR && !target->has_storage) {
        code = nc_set_fill(target->file, NC_NOFILL, &old_fill); // every cell will be written
    }
    if (code == NC_NOERR) {
        code = nc_enddef(target->file);
    }
    if (code == NC_ENOTINDEFINE) {
        code = NC_NOERR; // NetCDF-4 leaves define mode by itself
    }
    return code == NC_NOERR ? xta__netcdf_write_values(target) : code;
}
