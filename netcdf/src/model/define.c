/* Groups, dimensions and variables of a data set, as `xta export` writes them.
 *
 * A dimension of a group is that of an enclosing group if it has the same name and bounds: the data
 * set has one in each folder, the file has one for all. Types that `xta export` refuses are there:
 * complex cells have one more dimension of 2, cells of several bytes one of their length.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "model/define.h"

#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "base/names.h"
#include "model/attributes.h"
#include "model/axis_coordinates.h"
#include "model/names.h"
#include "model/origin.h"
#include "model/variables.h"
#include "util/text.h"

/* A data set whose group is being defined, and those around it. */
typedef struct place {
    const struct place *around;
    xta_dataset *set;
    int group;
} place;

/* ---- dimensions ---- */

/* The id of a dimension in a group or around it, if it has these bounds; -1: there is none. */
static int find_dimension(const netcdf_file *file, const place *at, const char *name, int64_t lo,
                          int64_t hi)
{
    for (; at != NULL; at = at->around) {
        for (size_t k = 0; k < file->n_dimensions; k++) {
            const netcdf_dimension *d = &file->dimensions[k];
            if (d->set == at->set && strcmp(d->name, name) == 0 && d->lo == lo &&
                (int64_t)d->length == hi - lo) {
                return (int)k;
            }
        }
    }
    return -1;
}

/* Whether it was made for the second axis of a variable along one dimension, which is there. */
static bool repeats(const netcdf_file *file, const place *at, const xta_dimension *d)
{
    const netcdf_owner owner = {.set = at->set, .dimension = d->name};
    const char *original = xta__nc_text_of(&owner, NAME_OF_DIMENSION);

    return original != NULL && find_dimension(file, at, original, d->lo, d->hi) >= 0;
}

static int define_dimensions(netcdf_file *file, const place *at)
{
    xta_error err = {0};
    size_t n = 0;
    xta_status status = xta_dataset_dimension_count(at->set, &n, &err);
    int code = xta__nc_code(status, &err);

    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        xta_dimension d;
        int id = -1;
        status = xta_dataset_dimension_at(at->set, k, &d, &err);
        code = xta__nc_code(status, &err);
        if (code != NC_NOERR || find_dimension(file, at->around, d.name, d.lo, d.hi) >= 0 ||
            repeats(file, at, &d)) {
            continue;
        }
        char *name = xta__string("%s", d.name);
        const netcdf_dimension ours = {.set = at->set,
                                       .name = name,
                                       .lo = d.lo,
                                       .length = (size_t)(d.hi - d.lo),
                                       .unlimited = d.unlimited || d.lo == d.hi};
        code = name != NULL ? xta__nc_add_dimension(file, at->group, name, &ours, &id) : NC_ENOMEM;
        free(name);
    }
    return code;
}

/* The dimension of an axis: of the second axis along one dimension, the first one's. An axis
 * without a name, or whose name has other bounds here, gets one of its own. */
static int dimension_of_axis(netcdf_file *file, const place *at, const char *variable,
                             xta_array *array, int axis, int *id)
{
    const netcdf_owner owner = {.array = array, .axis = axis};
    const xta_box bounds = xta_array_bounds(array);
    int64_t lo = bounds.lo[axis], hi = bounds.hi[axis];
    const char *original = xta__nc_text_of(&owner, NAME_OF_DIMENSION);

    *id = original != NULL ? find_dimension(file, at, original, lo, hi) : -1;
    if (*id < 0) {
        *id = find_dimension(file, at, xta_axis_name(array, axis), lo, hi);
    }
    if (*id >= 0) {
        return NC_NOERR;
    }
    char *name = xta__string("%.200s_dim%d", variable, axis);
    const netcdf_dimension own = {.lo = lo, .length = (size_t)(hi - lo), .unlimited = lo == hi};
    int code = name != NULL ? xta__nc_add_dimension(file, at->group, name, &own, id) : NC_ENOMEM;
    free(name);
    return code;
}

/* ---- variables ---- */

static int add_regular(netcdf_file *file, const place *at, const xta_dimension *d)
{
    const netcdf_owner owner = {.set = at->set, .dimension = d->name};
    netcdf_variable *v = xta__nc_add_variable(file, at->group);
    int id = find_dimension(file, at, d->name, d->lo, d->hi);

    if (v == NULL) {
        return NC_ENOMEM;
    }
    if (id < 0) {
        return NC_EBADDIM;
    }
    v->kind = NETCDF_REGULAR;
    v->set = at->set;
    v->name = xta__string("%s", d->name);
    v->regular = d->regular;
    v->cell_type = d->regular.type;
    v->cell_bytes = xta_type_bytes(v->cell_type);
    v->type = xta__nc_type(v->cell_type);
    v->ndim = v->n_axes = 1;
    v->dimension[0] = id;
    v->lo[0] = d->lo;
    v->chunk[0] = file->dimensions[id].length;
    return v->name != NULL ? xta__nc_define_variable(file, at->group, v, v->name, &owner)
                           : NC_ENOMEM;
}

/* Whether a dimension has coordinates, in a group or around it. */
static bool has_coordinates(const place *at, const char *name, int64_t lo, int64_t hi)
{
    xta_dimension d;

    for (; at != NULL; at = at->around) {
        if (xta_dataset_dimension(at->set, name, &d, NULL) == XTA_OK && d.coordinates != 0 &&
            d.lo == lo && d.hi == hi) {
            return true;
        }
    }
    return false;
}

static void find_bare_axes(const place *at, netcdf_variable *v)
{
    const xta_box bounds = xta_array_bounds(v->array);

    for (int axis = 0; axis < v->n_axes; axis++) {
        const char *name = xta_axis_name(v->array, axis);
        v->bare[axis] = !has_coordinates(at, name, bounds.lo[axis], bounds.hi[axis]);
    }
}

static int add_member(netcdf_file *file, const place *at, const char *member)
{
    netcdf_variable *v = xta__nc_add_variable(file, at->group);
    xta_error err = {0};

    if (v == NULL) {
        return NC_ENOMEM;
    }
    v->set = at->set;
    v->name = xta__string("%s", member);
    if (v->name == NULL) {
        return NC_ENOMEM;
    }
    xta_status status = xta_dataset_member(at->set, v->name, &v->array, &err);
    int code = xta__nc_code(status, &err);
    if (code == NC_NOERR) {
        code = xta__nc_describe_cells(v);
    }
    const netcdf_owner owner = {.array = v->array, .axis = XTA_ON_ARRAY};
    const char *other = code == NC_NOERR ? xta__nc_text_of(&owner, NAME_OF_VARIABLE) : NULL;
    char *name = xta__string("%s", other != NULL ? other : v->name);
    for (int axis = 0; axis < v->n_axes && code == NC_NOERR; axis++) {
        code = dimension_of_axis(file, at, v->name, v->array, axis, &v->dimension[axis]);
    }
    if (code == NC_NOERR) {
        code = name != NULL ? xta__nc_define_variable(file, at->group, v, name, &owner) : NC_ENOMEM;
    }
    if (code == NC_NOERR) {
        find_bare_axes(at, v);
    }
    free(name);
    return code;
}

/* ---- order ---- */

/* The member whose variable has this name; NULL: none. */
static const char *member_of(xta_dataset *set, const char *variable)
{
    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        const char *member = xta_dataset_member_name(set, k);
        netcdf_owner owner = {.axis = XTA_ON_ARRAY};
        const char *other = xta_dataset_member(set, member, &owner.array, NULL) == XTA_OK
                                ? xta__nc_text_of(&owner, NAME_OF_VARIABLE)
                                : NULL;
        if (strcmp(other != NULL ? other : member, variable) == 0) {
            return member;
        }
    }
    return NULL;
}

/* Whether a dimension's coordinates, or a member, have their variable. */
static bool is_made(const netcdf_file *file, const place *at, const char *name)
{
    const netcdf_group *group = &file->groups[at->group];

    for (size_t k = 0; k < group->n_variables; k++) {
        if (strcmp(group->variables[k]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int add_dimension_variable(netcdf_file *file, const place *at, const char *name, bool *found)
{
    xta_dimension d;

    *found = xta_dataset_dimension(at->set, name, &d, NULL) == XTA_OK &&
             d.coordinates == XTA_COORDINATES_REGULAR && !is_made(file, at, name);
    return *found ? add_regular(file, at, &d) : NC_NOERR;
}

/* The variables in the order of the file that they came from. */
static int add_listed(netcdf_file *file, const place *at)
{
    const netcdf_owner owner = {.set = at->set};
    const char *order = xta__nc_text_of(&owner, NAME_VARIABLES);
    char *lines = xta__string("%s", order != NULL ? order : "");
    char *rest = NULL;
    int code = lines != NULL ? NC_NOERR : NC_ENOMEM;

    for (char *line = lines != NULL ? strtok_r(lines, "\n", &rest) : NULL;
         line != NULL && code == NC_NOERR; line = strtok_r(NULL, "\n", &rest)) {
        bool found = false;
        code = add_dimension_variable(file, at, line, &found);
        const char *member = code == NC_NOERR && !found ? member_of(at->set, line) : NULL;
        if (member != NULL && !is_made(file, at, member)) {
            code = add_member(file, at, member);
        }
    }
    free(lines);
    return code;
}

/* Coordinates that only axes of members have, as of arrays that were put into a folder. */
static int add_axis_coordinates(netcdf_file *file, const place *at)
{
    int code = NC_NOERR;

    for (size_t k = 0; k < file->groups[at->group].n_variables && code == NC_NOERR; k++) {
        netcdf_variable *v = file->groups[at->group].variables[k];
        for (int axis = 0; axis < v->n_axes && code == NC_NOERR; axis++) {
            const netcdf_dimension *d = &file->dimensions[v->dimension[axis]];
            xta_dimension about;
            if (v->kind == NETCDF_CELLS && d->set == at->set &&
                xta_dataset_dimension(at->set, d->name, &about, NULL) == XTA_OK &&
                about.coordinates == 0) {
                code = xta__nc_add_axis_coordinates(file, at->group, v, axis, v->dimension[axis],
                                                    d->name);
            }
        }
    }
    return code;
}

static int define_variables(netcdf_file *file, const place *at)
{
    size_t n = 0;
    bool found = false;
    int code = add_listed(file, at);

    if (code == NC_NOERR && xta_dataset_dimension_count(at->set, &n, NULL) != XTA_OK) {
        return NC_EBADDIM;
    }
    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        xta_dimension d;
        code = NC_EBADDIM;
        if (xta_dataset_dimension_at(at->set, k, &d, NULL) == XTA_OK) {
            code = add_dimension_variable(file, at, d.name, &found);
        }
    }
    for (size_t k = 0; k < xta_dataset_member_count(at->set) && code == NC_NOERR; k++) {
        const char *member = xta_dataset_member_name(at->set, k);
        if (!is_made(file, at, member)) {
            code = add_member(file, at, member);
        }
    }
    return code == NC_NOERR ? add_axis_coordinates(file, at) : code;
}

/* ---- groups ---- */

static const char *name_of_group(xta_dataset *set, const char *folder)
{
    const netcdf_owner owner = {.set = set};
    const char *other = xta__nc_text_of(&owner, NAME_OF_VARIABLE);

    return other != NULL ? other : folder;
}

/* Groups were opened in the order in which they are defined here, so `next` counts them. */
static int define_group(netcdf_file *file, const place *at, int *next)
{
    const netcdf_owner owner = {.set = at->set};
    int code = xta__nc_copy_attributes(&owner, "", file->shadow | at->group, NC_GLOBAL, NC_NAT);

    if (code == NC_NOERR) {
        code = define_dimensions(file, at);
    }
    if (code == NC_NOERR) {
        code = define_variables(file, at);
    }
    size_t n = code == NC_NOERR ? xta_dataset_group_count(at->set) : 0;
    for (size_t k = 0; k < n && code == NC_NOERR && (size_t)*next < file->n_groups; k++) {
        place inner = {.around = at, .set = file->groups[*next].set, .group = *next};
        int id = 0;
        const char *folder = xta_dataset_path(inner.set);
        const char *slash = strrchr(folder, '/');
        char *name =
            xta__nc_legal_name(name_of_group(inner.set, slash != NULL ? slash + 1 : folder));
        (*next)++;
        code = NC_ENOMEM;
        if (name != NULL) {
            do {
                code = nc_def_grp(file->shadow | at->group, name, &id);
            } while (xta__nc_try_other_name(code, &name));
        }
        free(name);
        if (code == NC_NOERR && id != (file->shadow | inner.group)) {
            code = NC_EBADGRPID;
        }
        code = code == NC_NOERR ? define_group(file, &inner, next) : code;
    }
    return code;
}

int xta__nc_define_set(netcdf_file *file)
{
    const place root = {.set = file->set};
    int next = 1;

    int code = define_group(file, &root, &next);
    return code == NC_NOERR ? xta__nc_put_origins(file) : code;
}
