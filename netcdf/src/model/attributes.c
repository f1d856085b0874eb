/* Attributes between a data set or an array and the shadow, in both directions.
 *
 * Strings are kept as one text, one on each line, with their lengths in an attribute beside it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/type.h>

#include "base/codes.h"
#include "base/names.h"
#include "util/text.h"

static size_t count_of(const netcdf_owner *owner)
{
    return owner->set != NULL ? xta_dataset_attribute_count(owner->set, owner->dimension)
                              : xta_attribute_count(owner->array, owner->axis);
}

static xta_status attribute_at(const netcdf_owner *owner, size_t k, xta_attribute *a,
                               xta_error *err)
{
    return owner->set != NULL ? xta_dataset_attribute_at(owner->set, owner->dimension, k, a, err)
                              : xta_attribute_at(owner->array, owner->axis, k, a, err);
}

static xta_status find_attribute(const netcdf_owner *owner, const char *name, xta_attribute *a,
                                 xta_error *err)
{
    return owner->set != NULL ? xta_dataset_attribute(owner->set, owner->dimension, name, a, err)
                              : xta_attribute_get(owner->array, owner->axis, name, a, err);
}

const char *xta__nc_text_of(const netcdf_owner *owner, const char *name)
{
    xta_attribute a;

    return find_attribute(owner, name, &a, NULL) == XTA_OK && a.type == XTA_TEXT ? a.values : NULL;
}

/* ---- to NetCDF ---- */

/* The lengths of strings, if an attribute has as many whole numbers as it says. */
static int64_t *lengths_of(const netcdf_owner *owner, const char *name, size_t *n)
{
    xta_attribute a;
    char *mark = xta__string("%s%s", name, NAME_LENGTHS);
    bool there = mark != NULL && find_attribute(owner, mark, &a, NULL) == XTA_OK;
    int64_t *lengths = NULL;

    free(mark);
    if (!there || a.type == XTA_TEXT || a.type == XTA_BYTES) {
        return NULL;
    }
    lengths = calloc(a.count + 1, sizeof *lengths);
    if (lengths != NULL &&
        xta_type_convert(a.type, a.values, XTA_I64, lengths, a.count, NULL) != XTA_OK) {
        free(lengths);
        return NULL;
    }
    *n = a.count;
    return lengths;
}

/* NC_EINVAL: text and lengths do not agree, since they were changed separately. */
static int put_strings(int group, int id, const char *name, const xta_attribute *a,
                       const int64_t *lengths, size_t n)
{
    char *copy = calloc(a->count + n + 1, 1);
    const char **strings = calloc(n + 1, sizeof *strings);
    int code = copy == NULL || strings == NULL ? NC_ENOMEM : NC_NOERR;
    size_t at = 0;

    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        if (lengths[k] < 0 || at > a->count || (uint64_t)lengths[k] > a->count - at) {
            code = NC_EINVAL;
            break;
        }
        strings[k] = copy + at + k;
        memcpy(copy + at + k, (const char *)a->values + at, (size_t)lengths[k]);
        at += (size_t)lengths[k] + 1;
    }
    if (code == NC_NOERR) {
        code = nc_put_att_string(group, id, name, n, strings);
    }
    free(copy);
    free(strings);
    return code;
}

static int put_text(const netcdf_owner *owner, int group, int id, const char *name,
                    const xta_attribute *a)
{
    size_t n = 0;
    int64_t *lengths = lengths_of(owner, a->name, &n);
    int code = lengths != NULL ? put_strings(group, id, name, a, lengths, n) : NC_EINVAL;

    free(lengths);
    return code == NC_EINVAL ? nc_put_att_text(group, id, name, a->count, a->values) : code;
}

/* Numbers that do not fit the type are left out, since no value would be right. */
static int put_numbers(int group, int id, const char *name, const xta_attribute *a, nc_type type)
{
    void *values = calloc(a->count + 1, 8);
    int code = values != NULL ? NC_NOERR : NC_ENOMEM;

    if (code == NC_NOERR && xta_type_convert(a->type, a->values, xta__nc_type_of(type), values,
                                             a->count, NULL) == XTA_OK) {
        code = nc_put_att(group, id, name, type, a->count, values);
    }
    free(values);
    return code;
}

static int put_attribute(const netcdf_owner *owner, int group, int id, nc_type cells,
                         const char *name, const xta_attribute *a)
{
    bool fill = strcmp(name, "_FillValue") == 0 && id != NC_GLOBAL;

    if (a->type == XTA_TEXT) {
        return fill && cells != NC_CHAR ? NC_NOERR : put_text(owner, group, id, name, a);
    }
    if (a->type == XTA_BYTES) {
        return nc_put_att(group, id, name, NC_CHAR, a->count * a->cell_bytes, a->values);
    }
    if (a->type == XTA_C64 || a->type == XTA_C128) {
        return NC_NOERR; // NetCDF has none
    }
    if (fill && (cells == NC_CHAR || cells == NC_STRING || a->count != 1)) {
        return NC_NOERR; // not one that NetCDF could use
    }
    return put_numbers(group, id, name, a, fill ? cells : xta__nc_type(a->type));
}

int xta__nc_copy_attributes(const netcdf_owner *owner, const char *prefix, int group, int variable,
                            nc_type cells)
{
    size_t n = strlen(prefix);
    xta_error err = {0};

    for (size_t k = 0; k < count_of(owner); k++) {
        xta_attribute a;
        xta_status status = attribute_at(owner, k, &a, &err);
        if (status != XTA_OK) {
            return xta__nc_code(status, &err);
        }
        const char *name = strncmp(a.name, prefix, n) == 0 ? a.name + n : "";
        if (name[0] == '\0' || strchr(name, '/') != NULL ||
            (owner->set == NULL && owner->axis >= 0 && strcmp(name, NAME_VALUES) == 0) ||
            (owner->set == NULL && strcmp(name, NAME_ORIGIN) == 0)) { // it is computed
            continue;
        }
        int code = put_attribute(owner, group, variable, cells, name, &a);
        // Names that NetCDF reserves, or cannot have.
        if (code != NC_NOERR && code != NC_ENAMEINUSE && code != NC_EBADNAME &&
            code != NC_EMAXNAME) {
            return code;
        }
    }
    return NC_NOERR;
}

/* ---- from NetCDF ---- */

static xta_status set_attribute(const netcdf_owner *owner, const xta_attribute *a, xta_error *err)
{
    return owner->set != NULL ? xta_dataset_set_attribute(owner->set, owner->dimension, a, err)
                              : xta_attribute_set(owner->array, owner->axis, a, err);
}

static int remove_one(const netcdf_owner *owner, const char *name)
{
    xta_error err = {0};
    xta_status status = owner->set != NULL
                            ? xta_dataset_remove_attribute(owner->set, owner->dimension, name, &err)
                            : xta_attribute_remove(owner->array, owner->axis, name, &err);

    return status == XTA_ENOENT ? NC_NOERR : xta__nc_code(status, &err);
}

int xta__nc_remove_attribute(const netcdf_owner *owner, const char *name)
{
    char *mark = xta__string("%s%s", name, NAME_LENGTHS);
    int code = mark != NULL ? remove_one(owner, name) : NC_ENOMEM;

    if (code == NC_NOERR) {
        code = remove_one(owner, mark);
    }
    free(mark);
    return code;
}

static int store(const netcdf_owner *owner, const xta_attribute *a)
{
    xta_error err = {0};
    xta_status status = set_attribute(owner, a, &err);

    return xta__nc_code(status, &err);
}

static int store_strings(const netcdf_owner *owner, const char *name, char **strings, size_t n)
{
    xta__text lines = {0};
    int64_t *lengths = calloc(n + 1, sizeof *lengths);
    char *mark = xta__string("%s%s", name, NAME_LENGTHS);
    int code = lengths != NULL && mark != NULL ? NC_NOERR : NC_ENOMEM;

    for (size_t k = 0; k < n && code == NC_NOERR; k++) {
        const char *one = strings[k] != NULL ? strings[k] : "";
        lengths[k] = (int64_t)strlen(one);
        xta__text_printf(&lines, "%s%s", k > 0 ? "\n" : "", one);
    }
    size_t bytes = lines.n;
    char *text = xta__text_detach(&lines);
    if (code == NC_NOERR && text != NULL) {
        code = store(owner, &(xta_attribute){name, XTA_TEXT, 1, bytes, text});
    } else {
        code = NC_ENOMEM;
    }
    if (code == NC_NOERR) {
        code = store(owner, &(xta_attribute){mark, XTA_I64, 8, n, lengths});
    }
    free(text);
    free(mark);
    free(lengths);
    return code;
}

/* Characters that are no text are kept as bytes. */
static int store_text(const netcdf_owner *owner, const char *name, const char *text, size_t n)
{
    bool clean = xta__clean_bytes(text, n, true) == n;
    int code = xta__nc_remove_attribute(owner, name);

    return code == NC_NOERR
               ? store(owner, &(xta_attribute){name, clean ? XTA_TEXT : XTA_BYTES, 1, n, text})
               : code;
}

int xta__nc_store_attribute(const netcdf_owner *owner, int group, int variable, const char *name)
{
    nc_type type = NC_NAT;
    size_t n = 0;
    int code = nc_inq_att(group, variable, name, &type, &n);
    size_t bytes = xta__nc_type_bytes(type);
    char *values = calloc(n + 1, 8);

    if (code == NC_NOERR) {
        code = bytes == 0 ? NC_EBADTYPE : values == NULL ? NC_ENOMEM : NC_NOERR;
    }
    if (code == NC_NOERR) {
        code = nc_get_att(group, variable, name, values);
    }
    if (code == NC_NOERR && type == NC_STRING) {
        code = store_strings(owner, name, (char **)values, n);
        (void)nc_free_string(n, (char **)values);
    } else if (code == NC_NOERR && type == NC_CHAR) {
        code = store_text(owner, name, values, n);
    } else if (code == NC_NOERR) {
        code = xta__nc_remove_attribute(owner, name);
        const xta_attribute a = {name, xta__nc_type_of(type), bytes, n, values};
        code = code == NC_NOERR ? store(owner, &a) : code;
    }
    free(values);
    return code;
}
