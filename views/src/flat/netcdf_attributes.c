/* Attributes of arrays and data sets as those of variables and files of NetCDF.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/netcdf_attributes.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 300 };

#define ORIGIN "xta_origin" /* the first cell, as exports write it */

/* Whether it is a fill value that readers could not use: they expect one, of the type of the
 * cells. */
static bool is_wrong_fill(const xta_attribute *a, const char *name, int type)
{
    bool text = a->type == XTA_TEXT || a->type == XTA_BYTES;

    return type != 0 && strcmp(name, "_FillValue") == 0 &&
           (text != (type == XTA__CDF_CHAR) || a->count * (text ? a->cell_bytes : 1) != 1);
}

static bool add(const xta_attribute *a, const char *name, int type, xta__cdf_attributes *list)
{
    int own = xta__cdf_type(a->type);

    if (is_wrong_fill(a, name, type)) {
        return true;
    }
    if (a->type == XTA_TEXT) {
        return xta__cdf_add_text(list, name, a->values, a->count);
    }
    if (a->type == XTA_BYTES) {
        return xta__cdf_add_text(list, name, a->values, a->count * a->cell_bytes);
    }
    if (own == 0) {
        return true; // complex numbers
    }
    if (type != 0 && type != XTA__CDF_CHAR && strcmp(name, "_FillValue") == 0) {
        own = type; // readers expect it to be of the type of the cells
    }
    return xta__cdf_add_attribute(list, name, own, a->type, a->values, a->count);
}

/* Whether it has an item for each cell of an axis, or is computed. */
static bool is_other(xta_array *array, int axis, const char *name)
{
    char key[NAME_BYTES];
    xta_attribute box;

    if ((axis >= 0 && strcmp(name, "values") == 0) || strcmp(name, ORIGIN) == 0) {
        return true;
    }
    snprintf(key, sizeof key, "%s//box", name);
    return xta_attribute_get(array, axis, key, &box, NULL) == XTA_OK;
}

bool xta__netcdf_array_attributes(xta_array *array, int axis, const char *prefix, int type,
                                  xta__cdf_attributes *list)
{
    xta_attribute a;
    size_t n = strlen(prefix);
    bool good = true;

    for (size_t k = 0; good && xta_attribute_at(array, axis, k, &a, NULL) == XTA_OK; k++) {
        const char *name = a.name + n;
        if (strncmp(a.name, prefix, n) == 0 && name[0] != '\0' && strchr(name, '/') == NULL &&
            !is_other(array, axis, a.name)) {
            good = add(&a, name, type, list);
        }
    }
    return good;
}

bool xta__netcdf_set_attributes(xta_dataset *set, const char *dimension, int type,
                                xta__cdf_attributes *list)
{
    xta_attribute a;
    bool good = true;

    for (size_t k = 0; good && xta_dataset_attribute_at(set, dimension, k, &a, NULL) == XTA_OK;
         k++) {
        good = strchr(a.name, '/') != NULL || add(&a, a.name, type, list);
    }
    return good;
}

bool xta__netcdf_add_text(const char *name, const char *text, xta__cdf_attributes *list)
{
    return text[0] == '\0' || xta__cdf_has_attribute(list, name) ||
           xta__cdf_add_text(list, name, text, strlen(text));
}

bool xta__netcdf_add_fill(xta_array *array, int type, xta__cdf_attributes *list)
{
    static const unsigned char zero[16];
    size_t bytes = xta_array_cell_bytes(array);
    const void *fill = xta_array_fill_value(array);

    return type == XTA__CDF_CHAR || memcmp(fill, zero, bytes) == 0 ||
           xta__cdf_has_attribute(list, "_FillValue") ||
           xta__cdf_add_attribute(list, "_FillValue", type, xta_array_type(array), fill, 1);
}

bool xta__netcdf_add_origin(int ndim, const int64_t lo[], xta__cdf_attributes *list)
{
    bool any = false;

    for (int axis = 0; axis < ndim; axis++) {
        any = any || lo[axis] != 0;
    }
    return !any ||
           xta__cdf_add_attribute(list, ORIGIN, xta__cdf_type(XTA_I64), XTA_I64, lo, (size_t)ndim);
}

const char *xta__netcdf_text_of(xta_array *array, const char *name)
{
    xta_attribute a;

    return xta_attribute_get(array, XTA_ON_ARRAY, name, &a, NULL) == XTA_OK && a.type == XTA_TEXT
               ? a.values
               : NULL;
}
