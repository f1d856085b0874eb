/* What module xta calls for attributes, names, units and coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "glue/attributes.h"

#include <string.h>

#include <xta/attribute.h>
#include <xta/coordinates.h>

#include "util/try.h"

xta_status xtaf_text(xta_array *array, int number, int what, const char *name, const char **text,
                     int64_t *length, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;
    int axis = 0;

    XTA_TRY(xta__fortran_axis(array, number, what == XTAF_ATTRIBUTE ? 0 : 1, &axis, err));
    if (what != XTAF_ATTRIBUTE) {
        *text = what == XTAF_NAME ? xta_axis_name(array, axis) : xta_axis_unit(array, axis);
        *length = (int64_t)strlen(*text);
        return XTA_OK;
    }
    XTA_TRY(xta_attribute_get(array, axis, name, &a, err));
    if (a.type != XTA_TEXT) {
        XTA_TRY(xta_error_set(err, XTA_ETYPE, 0, "%s: attribute %s is no text but numbers of %s",
                              xta_array_path(array), name, xta_type_name(a.type)));
    }
    *text = a.values;
    *length = (int64_t)a.count;

done:
    return status;
}

xta_status xtaf_set_text(xta_array *array, int number, int what, const char *name, const char *text,
                         xta_error *err)
{
    int axis = 0;
    xta_status status =
        xta__fortran_axis(array, number, what == XTAF_ATTRIBUTE ? 0 : 1, &axis, err);

    if (status != XTA_OK) {
        return status;
    }
    return what == XTAF_NAME   ? xta_axis_set_name(array, axis, text, err)
           : what == XTAF_UNIT ? xta_axis_set_unit(array, axis, text, err)
                               : xta_attribute_set_text(array, axis, name, text, err);
}

/* An attribute of numbers. */
static xta_status find_numbers(xta_array *array, int number, const char *name, xta_attribute *a,
                               xta_error *err)
{
    int axis = 0;
    xta_status status = xta__fortran_axis(array, number, 0, &axis, err);

    status = status == XTA_OK ? xta_attribute_get(array, axis, name, a, err) : status;
    if (status == XTA_OK && (a->type == XTA_TEXT || a->type == XTA_BYTES)) {
        status = xta_error_set(err, XTA_ETYPE, 0, "%s: attribute %s is a text, no numbers",
                               xta_array_path(array), name);
    }
    return status;
}

xta_status xtaf_numbers_count(xta_array *array, int number, const char *name, int64_t *count,
                              xta_error *err)
{
    xta_attribute a = {0};
    xta_status status = find_numbers(array, number, name, &a, err);

    *count = (int64_t)a.count;
    return status;
}

/* How many elements lie together; -1: they do not. */
static int64_t elements_of(const CFI_cdesc_t *values)
{
    int64_t n = 1;

    for (int k = 0; k < values->rank; k++) {
        if (values->dim[k].extent > 1 && values->dim[k].sm != n * (int64_t)values->elem_len) {
            return -1;
        }
        n *= values->dim[k].extent;
    }
    return n;
}

static xta_status check_elements(xta_array *array, const char *name, const CFI_cdesc_t *values,
                                 xta_type *type, xta_error *err)
{
    size_t bytes = 0;
    xta_status status = xta__fortran_type(values, &bytes, type, err);

    if (status == XTA_OK && (*type == XTA_BYTES || elements_of(values) < 0)) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: attribute %s: want numbers that lie together in memory",
                               xta_array_path(array), name);
    }
    return status;
}

xta_status xtaf_numbers(xta_array *array, int number, const char *name, const CFI_cdesc_t *values,
                        xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;
    xta_type type = XTA_TYPE_SAME;

    XTA_TRY(find_numbers(array, number, name, &a, err));
    XTA_TRY(check_elements(array, name, values, &type, err));
    if (elements_of(values) != (int64_t)a.count) {
        XTA_TRY(xta_error_set(
            err, XTA_EARG, 0, "%s: attribute %s has %zu numbers, the Fortran array %lld elements",
            xta_array_path(array), name, a.count, (long long)elements_of(values)));
    }
    status = xta_type_convert(a.type, a.values, type, values->base_addr, a.count, NULL);
    if (status != XTA_OK) {
        status =
            xta_error_set(err, status, 0, "%s: attribute %s of %s cannot be read as %s",
                          xta_array_path(array), name, xta_type_name(a.type), xta_type_name(type));
    }

done:
    return status;
}

xta_status xtaf_set_numbers(xta_array *array, int number, const char *name,
                            const CFI_cdesc_t *values, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a = {.name = name, .values = values->base_addr};
    int axis = 0;

    XTA_TRY(xta__fortran_axis(array, number, 0, &axis, err));
    XTA_TRY(check_elements(array, name, values, &a.type, err));
    a.cell_bytes = values->elem_len;
    a.count = (size_t)elements_of(values);
    status = xta_attribute_set(array, axis, &a, err);

done:
    return status;
}

xta_status xtaf_remove(xta_array *array, int number, const char *name, xta_error *err)
{
    int axis = 0;
    xta_status status = xta__fortran_axis(array, number, 0, &axis, err);

    return status == XTA_OK ? xta_attribute_remove(array, axis, name, err) : status;
}

xta_status xtaf_set_regular(xta_array *array, int number, double origin, double step,
                            xta_error *err)
{
    const xta_regular regular = {.type = XTA_F64, .origin.f = origin, .step.f = step};
    int axis = 0;
    xta_status status = xta__fortran_axis(array, number, 1, &axis, err);

    return status == XTA_OK ? xta_axis_set_regular(array, axis, &regular, err) : status;
}

xta_status xtaf_coordinates(xta_array *array, int number, int64_t first, int64_t n, double values[],
                            xta_error *err)
{
    xta_status status = XTA_OK;
    xta_coordinates *c = NULL;
    int axis = 0;

    XTA_TRY(xta__fortran_axis(array, number, 1, &axis, err));
    XTA_TRY(xta_coordinates_read(array, axis, &c, err));
    if (xta_coordinates_kind_of(c) == XTA_COORDINATES_NAMES) {
        XTA_TRY(xta_error_set(err, XTA_ETYPE, 0, "%s: the coordinates of axis %d are names",
                              xta_array_path(array), number));
    }
    for (int64_t k = 0; k < n; k++) {
        values[k] = xta_coordinates_at(c, first + k);
    }

done:
    xta_coordinates_free(c);
    return status;
}
