/* What comes with a variable of a NetCDF file: attributes, coordinates, companions, and how they
 * are stored.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/read_attributes.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/select_variable.h"
#include "netcdf/storage.h"

/* ---- attributes ---- */

/* Strings become one text, one on each line, with their lengths beside it. */
static int read_strings(int group, int variable, const char *name, size_t n,
                        bridge_description *what, int axis, const char *key)
{
    char **strings = calloc(n + 1, sizeof *strings);
    int64_t *lengths = calloc(n + 1, sizeof *lengths);
    char *text = NULL;
    char mark[NETCDF_NAME_BYTES + 16];
    size_t total = 0;
    int code = strings == NULL || lengths == NULL
                   ? NC_ENOMEM
                   : nc_get_att_string(group, variable, name, strings);
    if (code != NC_NOERR) {
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        lengths[k] = strings[k] != NULL ? (int64_t)strlen(strings[k]) : 0;
        total += (size_t)lengths[k] + 1;
    }
    text = calloc(total + 1, 1);
    for (size_t k = 0, at = 0; text != NULL && k < n; k++) {
        if (k > 0) {
            text[at++] = '\n';
        }
        memcpy(text + at, strings[k] != NULL ? strings[k] : "", (size_t)lengths[k]);
        at += (size_t)lengths[k];
    }
    nc_free_string(n, strings);
    snprintf(mark, sizeof mark, "%s%s", key, NC_STRINGS);
    if (text == NULL ||
        xta__description_add(what, axis, key, XTA_TEXT, total > 0 ? total - 1 : 0, text) == NULL ||
        xta__description_add(what, axis, mark, XTA_I64, n, lengths) == NULL) {
        code = NC_ENOMEM;
    }
done:
    free(strings);
    free(lengths);
    free(text);
    return code;
}

/* Read characters. NetCDF stores an empty text as one zero byte, and some writers count the zero at
 * the end of a text. */
static int read_text(int group, int variable, const char *name, size_t n, bridge_description *what,
                     int axis, const char *key)
{
    char *text = calloc(n + 1, 1);
    int code = text != NULL ? NC_NOERR : NC_ENOMEM;

    if (code == NC_NOERR && n > 0) {
        code = nc_get_att_text(group, variable, name, text);
    }
    while (code == NC_NOERR && n > 0 && text[n - 1] == '\0') {
        n--;
    }
    if (code == NC_NOERR && xta__description_add(what, axis, key, XTA_TEXT, n, text) == NULL) {
        code = NC_ENOMEM;
    }
    free(text);
    return code;
}

static int read_attribute(int group, int variable, const char *name, bridge_description *what,
                          int axis, const char *prefix)
{
    char key[NETCDF_NAME_BYTES];
    nc_type type;
    size_t n;
    snprintf(key, sizeof key, "%s%s", prefix, name);
    int code = nc_inq_att(group, variable, name, &type, &n);
    if (code != NC_NOERR || strlen(key) + strlen(NC_STRINGS) > LONGEST_NAME) {
        return code;
    }
    if (type == NC_STRING) {
        return read_strings(group, variable, name, n, what, axis, key);
    }
    if (type == NC_CHAR) {
        return read_text(group, variable, name, n, what, axis, key);
    }
    xta_type ours = xta__netcdf_to_xta(type);
    if (ours == XTA_TYPE_SAME) {
        return NC_NOERR; // a user-defined type, which no attribute here can hold
    }
    bridge_attribute *a = xta__description_add(what, axis, key, ours, n, NULL);
    if (a == NULL) {
        return NC_ENOMEM;
    }
    return n > 0 ? nc_get_att(group, variable, name, a->values) : NC_NOERR;
}

int xta__netcdf_read_object(int group, int variable, bridge_description *what, int axis,
                            const char *prefix)
{
    char name[NC_MAX_NAME + 1];
    int n = 0;
    int code =
        variable == NC_GLOBAL ? nc_inq_natts(group, &n) : nc_inq_varnatts(group, variable, &n);
    for (int k = 0; k < n && code == NC_NOERR; k++) {
        code = nc_inq_attname(group, variable, k, name);
        if (code == NC_NOERR) {
            code = read_attribute(group, variable, name, what, axis, prefix);
        }
    }
    return code;
}

/* ---- values of coordinates and companions ---- */

/* Read a whole variable into an attribute that is spread along its dimensions. */
static int read_whole(const netcdf_source *source, int group, int variable,
                      bridge_description *what, int axis, const char *key)
{
    char name[NC_MAX_NAME + 1];
    int ndim;
    int dimension[NC_MAX_VAR_DIMS];
    nc_type type;
    size_t n = 1;
    size_t length[BRIDGE_SPREAD_NDIM];
    int code = nc_inq_var(group, variable, NULL, &type, &ndim, dimension, NULL);
    for (int d = 0; d < ndim && code == NC_NOERR; d++) {
        code = nc_inq_dimlen(group, dimension[d], &length[d]);
        n *= length[d];
    }
    if (code != NC_NOERR || n == 0) {
        return code;
    }
    bridge_attribute *a = xta__description_add(what, axis, key, xta__netcdf_to_xta(type), n, NULL);
    if (a == NULL) {
        return NC_ENOMEM;
    }
    for (int d = 0; d < ndim; d++) {
        int along = -1;
        for (int k = source->ndim - 1; k >= 0; k--) {
            along = source->dimension[k] == dimension[d] ? k : along;
        }
        if (axis >= 0) {
            along = axis;
        }
        if (along < 0) {
            code = nc_inq_dimname(group, dimension[d], name);
            a->own[d] = code == NC_NOERR ? xta__copy_foreign_name(name) : NULL;
            if (a->own[d] == NULL) {
                return NC_ENOMEM;
            }
        }
        xta__attribute_spread(a, along, 0, (int64_t)length[d]);
    }
    return nc_get_var(group, variable, a->values);
}

static int read_companion(const netcdf_source *source, const netcdf_companion *c,
                          bridge_description *what)
{
    char key[NETCDF_NAME_BYTES];
    int ndim = 0;
    snprintf(key, sizeof key, "%s%s", NC_COMPANION, c->name);
    int code = read_whole(source, c->group, c->variable, what, XTA_ON_ARRAY, key);
    nc_inq_varndims(c->group, c->variable, &ndim);
    snprintf(key, sizeof key, "%s%s/", NC_COMPANION, c->name);
    if (code == NC_NOERR) {
        code = xta__netcdf_read_object(c->group, c->variable, what, XTA_ON_ARRAY, key);
    }
    snprintf(key, sizeof key, "%s%s//", NC_COMPANION, c->name);
    return code == NC_NOERR
               ? xta__netcdf_read_storage(c->group, c->variable, ndim, what, XTA_ON_ARRAY, key)
               : code;
}

static int read_coordinate(const netcdf_source *source, int d, bridge_description *what)
{
    int group;
    int variable;
    nc_type type;
    if (!xta__netcdf_find_coordinate(source, d, &group, &variable) ||
        nc_inq_vartype(group, variable, &type) != NC_NOERR ||
        xta__netcdf_to_xta(type) == XTA_TYPE_SAME ||
        xta__netcdf_bytes(group, variable) > MOST_AXIS_BYTES) {
        return NC_NOERR;
    }
    int code = read_whole(source, group, variable, what, d, NC_VALUES);
    if (code == NC_NOERR) {
        code = xta__netcdf_read_object(group, variable, what, d, "");
    }
    if (code == NC_NOERR) {
        code = xta__netcdf_read_storage(group, variable, 1, what, d, NC_VALUES "//");
    }
    const char *unit = xta__description_text(what, d, "units");
    if (code == NC_NOERR && unit != NULL) {
        what->unit[d] = xta__copy_foreign_name(unit);
        code = what->unit[d] != NULL ? NC_NOERR : NC_ENOMEM;
    }
    return code;
}

/* ---- describing ---- */

static bool is_unlimited_here(int group, int dimension)
{
    int ids[NC_MAX_DIMS];
    int n = 0;
    bool is = false;
    if (nc_inq_unlimdims(group, &n, NULL) != NC_NOERR || n > NC_MAX_DIMS ||
        nc_inq_unlimdims(group, &n, ids) != NC_NOERR) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        is = is || ids[k] == dimension;
    }
    return is;
}

bool xta__netcdf_is_unlimited(int group, int dimension)
{
    while (!is_unlimited_here(group, dimension)) {
        if (nc_inq_grp_parent(group, &group) != NC_NOERR) {
            return false;
        }
    }
    return true;
}

/* Name, length and kind of one dimension of the variable. An array's axis names are distinct, but a
 * NetCDF variable may use a dimension twice. */
static int describe_axis(const netcdf_source *source, int d, bridge_description *what)
{
    char name[NC_MAX_NAME + 16];
    size_t n;
    int repeats = 0;
    int code = nc_inq_dim(source->group, source->dimension[d], name, &n);
    if (code != NC_NOERR) {
        return code;
    }
    what->bounds[d] = (int64_t)n;
    for (int k = 0; k < d; k++) {
        repeats += source->dimension[k] == source->dimension[d];
    }
    if (repeats > 0) {
        if (xta__description_add_text(what, d, NC_DIMENSION, name) == NULL) {
            return NC_ENOMEM;
        }
        snprintf(name + strlen(name), 16, "_%d", repeats + 1);
    }
    what->name[d] = xta__copy_foreign_name(name);
    if (what->name[d] == NULL ||
        (xta__netcdf_is_unlimited(source->group, source->dimension[d]) &&
         xta__description_add_text(what, d, NC_UNLIMITED_AXIS, "yes") == NULL)) {
        return NC_ENOMEM;
    }
    return repeats == 0 ? read_coordinate(source, d, what) : NC_NOERR;
}

/* Names of the imported items in file order, which an export follows. */
static int describe_order(const netcdf_source *source, bridge_description *what)
{
    char name[NC_MAX_NAME + 2];
    int n = 0;
    int code = nc_inq_nvars(source->root, &n);
    char *text = calloc((size_t)n + 1, sizeof name);
    for (int v = 0; v < n && text != NULL; v++) {
        if (nc_inq_varname(source->root, v, name) == NC_NOERR) {
            strcat(strcat(text, name), "\n");
        }
    }
    bool added =
        text != NULL && xta__description_add_text(what, XTA_ON_ARRAY, NC_VARIABLES, text) != NULL;
    free(text);
    nc_inq_ndims(source->root, &n);
    text = added ? calloc((size_t)n + 1, sizeof name) : NULL;
    for (int d = 0; d < n && text != NULL; d++) {
        if (nc_inq_dimname(source->root, d, name) == NC_NOERR) {
            strcat(strcat(text, name), "\n");
        }
    }
    added =
        text != NULL && xta__description_add_text(what, XTA_ON_ARRAY, NC_DIMENSIONS, text) != NULL;
    free(text);
    return added ? code : NC_ENOMEM;
}

static int describe_format(const netcdf_source *source, bridge_description *what)
{
    const char *kind = xta__netcdf_kind_of(source->root);
    bool added =
        kind == NULL || xta__description_add_text(what, XTA_ON_ARRAY, NC_FORMAT, kind) != NULL;
    return added ? NC_NOERR : NC_ENOMEM;
}

static void describe_fill(const netcdf_source *source, bridge_description *what)
{
    nc_type type;
    size_t n;
    if (nc_inq_att(source->group, source->variable, "_FillValue", &type, &n) == NC_NOERR &&
        type == source->type && n == 1) {
        what->fill = malloc(what->cell_bytes);
        if (what->fill != NULL &&
            nc_get_att(source->group, source->variable, "_FillValue", what->fill) != NC_NOERR) {
            free(what->fill);
            what->fill = NULL;
        }
    }
}

static int describe_chunk(const netcdf_source *source, bridge_description *what)
{
    const bridge_attribute *chunks = xta__description_find(what, XTA_ON_ARRAY, NC_OWN NC_CHUNKS);
    for (int d = 0; chunks != NULL && d < source->ndim; d++) {
        what->chunk[d] = (int64_t)xta__attribute_number(chunks, (size_t)d, 0);
    }
    return NC_NOERR;
}

/* "group/inner/name"; NULL: out of memory. */
static char *path_in_groups(int group, const char *name)
{
    size_t n = 0;
    if (nc_inq_grpname_full(group, &n, NULL) != NC_NOERR) {
        return xta__bridge_copy(name);
    }
    char *path = calloc(n + strlen(name) + 2, 1);
    if (path != NULL && nc_inq_grpname_full(group, NULL, path) == NC_NOERR) {
        memmove(path, path + 1, n); // without the slash of the root
        strcat(strcat(path, "/"), name);
    }
    return path;
}

int xta__netcdf_read_attributes(netcdf_source *source, bridge_description *what)
{
    char name[NC_MAX_NAME + 1];
    int code = nc_inq_varname(source->group, source->variable, name);
    xta__netcdf_find_companions(source);
    for (int d = 0; d < source->ndim && code == NC_NOERR; d++) {
        code = describe_axis(source, d, what);
    }
    if (code == NC_NOERR) {
        code = xta__netcdf_read_object(source->group, source->variable, what, XTA_ON_ARRAY, "");
    }
    if (code == NC_NOERR) {
        code = xta__netcdf_read_object(source->root, NC_GLOBAL, what, XTA_ON_ARRAY, NC_GLOBALS);
    }
    for (int k = 0; k < source->n_companions && code == NC_NOERR; k++) {
        code = read_companion(source, &source->companions[k], what);
    }
    if (code == NC_NOERR) {
        code = xta__netcdf_read_storage(source->group, source->variable, source->ndim, what,
                                        XTA_ON_ARRAY, NC_OWN);
    }
    if (code == NC_NOERR) {
        code = describe_format(source, what);
    }
    if (code == NC_NOERR) {
        code = describe_order(source, what);
    }
    what->variable = source->group == source->root ? xta__copy_foreign_name(name)
                                                   : path_in_groups(source->group, name);
    describe_fill(source, what);
    return code == NC_NOERR ? describe_chunk(source, what) : code;
}
