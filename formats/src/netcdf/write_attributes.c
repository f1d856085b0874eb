/* Writing a NetCDF file except for the cells: attributes, and values of coordinates and companions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/write_attributes.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/spread_attributes.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/target.h"

static int put_strings(int file, int id, const char *name, const bridge_attribute *a,
                       const bridge_attribute *lengths)
{
    size_t n = lengths->count;
    char *copy = calloc(a->count + n + 1, 1);
    const char **strings = calloc(n + 1, sizeof *strings);
    int code = copy == NULL || strings == NULL ? NC_ENOMEM : NC_NOERR;
    size_t at = 0;
    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        double length = xta__attribute_number(lengths, k, -1);
        if (length < 0 || (double)at + length > (double)a->count) {
            code = NC_EINVAL; // the text or the lengths have been changed separately
            break;
        }
        strings[k] = copy + at + k;
        memcpy(copy + at + k, (const char *)a->values + at, (size_t)length);
        at += (size_t)length + 1;
        at = at > a->count ? a->count : at;
    }
    if (code == NC_NOERR) {
        code = nc_put_att_string(file, id, name, n, strings);
    }
    free(copy);
    free(strings);
    return code;
}

/* Convert numbers to another type; those that do not fit are left out, since no type would be
 * right. */
static int put_converted(int file, int id, const char *name, const bridge_attribute *a,
                         nc_type type)
{
    xta_type to = xta__netcdf_to_xta(type);
    void *values = calloc(a->count + 1, 16);
    if (values == NULL) {
        return NC_ENOMEM;
    }
    int code = NC_NOERR;
    if (xta_type_convert(a->type, a->values, to, values, a->count, NULL) == XTA_OK) {
        code = nc_put_att(file, id, name, type, a->count, values);
    }
    free(values);
    return code;
}

static bool fits_int(const bridge_attribute *a)
{
    for (size_t k = 0; k < a->count; k++) {
        double value = xta__attribute_number(a, k, 0);
        if (value < INT32_MIN || value > INT32_MAX) {
            return false;
        }
    }
    return true;
}

static int put_attribute(const netcdf_target *target, int id, nc_type cells, const char *name,
                         const bridge_attribute *a)
{
    char mark[KEY_BYTES];
    int group = id == NC_GLOBAL ? target->file : target->group;
    nc_type type = xta__netcdf_from_xta(a->type);
    if (a->type == XTA_TEXT) {
        snprintf(mark, sizeof mark, "%s%s", a->name, NC_STRINGS);
        const bridge_attribute *lengths = xta__description_find(target->what, a->axis, mark);
        int code = NC_EINVAL;
        if (lengths != NULL && target->has_strings) {
            code = put_strings(group, id, name, a, lengths);
        }
        return code == NC_EINVAL ? nc_put_att_text(group, id, name, a->count, a->values) : code;
    }
    if (a->type == XTA_BYTES) {
        return nc_put_att(group, id, name, NC_CHAR, a->count * a->cell_bytes, a->values);
    }
    if (a->type == XTA_F16) {
        type = NC_FLOAT;
    } else if (type == NC_NAT) {
        return NC_NOERR; // complex numbers
    }
    if (target->has_storage && strcmp(name, "_FillValue") == 0 && id != NC_GLOBAL) {
        return put_converted(group, id, name, a, cells); // NetCDF-4 requires the cells' type
    }
    if (target->classic_model && !xta__netcdf_is_classic_type(type)) {
        type = fits_int(a) ? NC_INT : NC_DOUBLE;
    }
    return put_converted(group, id, name, a, type);
}

/* The attributes on `axis` whose names are `prefix` and a foreign name. */
int xta__netcdf_write_attributes(const netcdf_target *target, int id, nc_type cells, int axis,
                                 const char *prefix)
{
    size_t n = strlen(prefix);
    for (size_t k = 0; k < target->what->n_attributes; k++) {
        const bridge_attribute *a = &target->what->attributes[k];
        const char *name = a->name + n;
        if (a->axis != axis || a->ndim > 0 || strncmp(a->name, prefix, n) != 0 || name[0] == '\0' ||
            strchr(name, '/') != NULL) {
            continue;
        }
        int code = put_attribute(target, id, cells, name, a);
        if (code != NC_NOERR && code != NC_ENAMEINUSE) { // names that HDF5 reserves
            return code;
        }
    }
    return NC_NOERR;
}

static int write_lines(const netcdf_target *target, const netcdf_variable *v, const char *text,
                       size_t n)
{
    size_t start = 0;
    int code = NC_NOERR;
    for (; start < n && code == NC_NOERR; start++) {
        size_t length;
        const size_t one = 1;
        const char *line = xta__text_line(text, 0, &length);
        char *copy = calloc(length + 1, 1);
        if (copy == NULL) {
            return NC_ENOMEM;
        }
        memcpy(copy, line, length);
        const char *string = copy;
        code = nc_put_vara_string(target->group, v->id, &start, &one, &string);
        free(copy);
        text = line + length + 1;
    }
    return code;
}

static int write_values(const netcdf_target *target, const netcdf_variable *v)
{
    const bridge_description *what = target->what;
    const bridge_attribute *a = v->values;
    int64_t lo[BRIDGE_SPREAD_NDIM];
    int64_t hi[BRIDGE_SPREAD_NDIM];
    size_t start[BRIDGE_SPREAD_NDIM] = {0};
    size_t count[BRIDGE_SPREAD_NDIM];
    size_t n = 0;
    if (a->ndim == 0) {
        return nc_put_var(target->group, v->id, a->values);
    }
    for (int d = 0; d < a->ndim; d++) {
        bool own = a->along[d] < 0;
        lo[d] = own ? a->lo[d] : what->lo[a->along[d]];
        hi[d] = own ? a->hi[d] : lo[d] + what->bounds[a->along[d]];
        count[d] = (size_t)(hi[d] - lo[d]);
    }
    if (xta__spread_items(a->ndim, lo, hi) == 0) {
        return NC_NOERR;
    }
    void *values = xta__spread_cut(a, NULL, lo, hi, &n);
    if (values == NULL) {
        return NC_ENOMEM;
    }
    int code = a->type == XTA_TEXT && a->ndim == 1
                   ? write_lines(target, v, values, count[0])
                   : nc_put_vara(target->group, v->id, start, count, values);
    free(values);
    return code;
}

int xta__netcdf_write_values(const netcdf_target *target)
{
    int code = NC_NOERR;
    for (int k = 0; k < target->n_variables && code == NC_NOERR; k++) {
        const netcdf_variable *v = &target->variables[k];
        if (v->values != NULL && !v->shared) {
            code = write_values(target, v);
        }
    }
    return code;
}
