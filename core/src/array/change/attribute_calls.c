/* The public calls on attributes, axis names and units.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/attribute_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/state/attributes.h"
#include "array/state/names.h"
#include "array/state/open_array.h"

static xta_status check_axis(xta_array *array, int axis, bool on_array, xta_error *err)
{
    int ndim = array->state.structure->ndim;

    if ((axis == XTA_ON_ARRAY && on_array) || (axis >= 0 && axis < ndim)) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_EARG, 0, "%s: axis %d: the array has axes 0 to %d",
                     xta__array_name(array), axis, ndim - 1);
}

/* Prepare a change, append its record, and install it in the state. The values in `record` are
 * little-endian. */
static xta_status commit_change(xta_array *array, unsigned type,
                                const xta__attribute_record *record, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes payload = {0};
    xta__attribute_change prepared;

    xta__encode_attribute(record, &payload);
    status = xta__attributes_prepare(&array->state.attributes, type, record, &prepared);
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(err, status, 0,
                          status == XTA_EARG ? "%s: attribute '%s': there are 16384 already"
                                             : "%s: no memory for attribute '%s'",
                          xta__array_name(array), record->name));
    }
    status = xta__commit(array, type, &payload, err);
    if (status != XTA_OK) {
        xta__attributes_drop(&prepared);
        goto done;
    }
    xta__attributes_install(&array->state.attributes, &prepared);

done:
    xta__bytes_clear(&payload);
    return status;
}

static xta_status no_attribute(xta_array *array, int axis, const char *name, xta_error *err)
{
    if (axis == XTA_ON_ARRAY) {
        return xta__fail(err, XTA_ENOENT, 0, "%s: no attribute '%s'; `xta attr` lists them",
                         xta__array_name(array), name);
    }
    return xta__fail(err, XTA_ENOENT, 0, "%s: axis %d: no attribute '%s'; `xta attr` lists them",
                     xta__array_name(array), axis, name);
}

/* Check that the attribute to extend exists, has the same type and stays within the limit. */
static xta_status check_growth(xta_array *array, const xta__attribute_record *record,
                               xta_error *err)
{
    const xta__attribute *old =
        xta__attributes_find(&array->state.attributes, record->axis, record->name);

    if (old == NULL) {
        return no_attribute(array, record->axis, record->name, err);
    }
    if (old->value.type != record->type || old->value.cell_bytes != record->cell_bytes) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: attribute '%s': its values are %s, those to be put to them are %s; "
                         "convert them, or set the whole attribute",
                         xta__array_name(array), record->name, xta_type_name(old->value.type),
                         xta_type_name(record->type));
    }
    if (record->value_bytes > XTA__MAX_ATTRIBUTE_BYTES - old->value.count * old->value.cell_bytes) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: attribute '%s': %zu values and %" PRIu64 " more; at most %" PRIu64
                         " bytes",
                         xta__array_name(array), record->name, old->value.count, record->count,
                         XTA__MAX_ATTRIBUTE_BYTES);
    }
    return XTA_OK;
}

/* Set an attribute, or add values before or after its values. */
static xta_status store(xta_array *array, int axis, unsigned type, xta_side side,
                        const xta_attribute *attribute, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t cell_bytes = 0, bytes = 0;
    uint8_t *values = NULL;

    XTA_TRY(xta__begin_change(array, "set an attribute", err));
    XTA_TRY(xta__check_attribute(xta__array_name(array), attribute, &cell_bytes, err));
    bytes = attribute->count * cell_bytes;
    values = xta__calloc(bytes, 1);
    if (values == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for attribute '%s'",
                          xta__array_name(array), attribute->name));
    }
    if (bytes > 0) {
        memcpy(values, attribute->values, bytes);
    }
    xta__swap_cells(attribute->type, values, bytes);
    xta__attribute_record record = {.axis = axis,
                                    .type = attribute->type,
                                    .cell_bytes = (uint32_t)cell_bytes,
                                    .count = attribute->count,
                                    .values = values,
                                    .value_bytes = bytes,
                                    .side = side};
    strcpy(record.name, attribute->name);
    XTA_TRY(xta__change_begin(array, err));
    status = check_axis(array, axis, true, err);
    if (status == XTA_OK && type == XTA__RECORD_ATTRIBUTE_GROW) {
        status = check_growth(array, &record, err);
    }
    if (status == XTA_OK) {
        status = commit_change(array, type, &record, err);
    }
    xta__change_end(array);

done:
    free(values);
    return status;
}

xta_status xta_attribute_set(xta_array *array, int axis, const xta_attribute *attribute,
                             xta_error *err)
{
    return store(array, axis, XTA__RECORD_ATTRIBUTE, XTA_BACK, attribute, err);
}

xta_status xta_attribute_extend(xta_array *array, int axis, xta_side side,
                                const xta_attribute *attribute, xta_error *err)
{
    if (side != XTA_BACK && side != XTA_FRONT) {
        return xta__fail(err, XTA_EARG, 0, "%s: side %d: give XTA_BACK or XTA_FRONT",
                         xta__array_name(array), (int)side);
    }
    return store(array, axis, XTA__RECORD_ATTRIBUTE_GROW, side, attribute, err);
}

xta_status xta_attribute_set_text(xta_array *array, int axis, const char *name, const char *text,
                                  xta_error *err)
{
    xta_attribute attribute = {
        .name = name, .type = XTA_TEXT, .cell_bytes = 1, .count = strlen(text), .values = text};

    return xta_attribute_set(array, axis, &attribute, err);
}

xta_status xta_attribute_set_f64(xta_array *array, int axis, const char *name, double value,
                                 xta_error *err)
{
    xta_attribute attribute = {
        .name = name, .type = XTA_F64, .cell_bytes = 8, .count = 1, .values = &value};

    return xta_attribute_set(array, axis, &attribute, err);
}

xta_status xta_attribute_get(xta_array *array, int axis, const char *name, xta_attribute *attribute,
                             xta_error *err)
{
    xta_status status = xta__begin(array, err);

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    const xta__attribute *found = xta__attributes_find(&array->state.attributes, axis, name);
    if (found != NULL) {
        *attribute = found->value;
    } else {
        status = no_attribute(array, axis, name, err);
    }
    pthread_mutex_unlock(&array->lock);
    return status;
}

size_t xta_attribute_count(xta_array *array, int axis)
{
    size_t n = 0;

    pthread_mutex_lock(&array->lock);
    for (size_t k = 0; k < array->state.attributes.n; k++) {
        n += array->state.attributes.items[k].axis == axis;
    }
    pthread_mutex_unlock(&array->lock);
    return n;
}

xta_status xta_attribute_at(xta_array *array, int axis, size_t number, xta_attribute *attribute,
                            xta_error *err)
{
    xta_status status = xta__begin(array, err);
    size_t n = 0;

    if (status != XTA_OK) {
        return status;
    }
    pthread_mutex_lock(&array->lock);
    status = XTA_ENOENT;
    for (size_t k = 0; k < array->state.attributes.n && status != XTA_OK; k++) {
        if (array->state.attributes.items[k].axis == axis && n++ == number) {
            *attribute = array->state.attributes.items[k].value;
            status = XTA_OK;
        }
    }
    pthread_mutex_unlock(&array->lock);
    if (status != XTA_OK) {
        xta__fail(err, status, 0, "%s: attribute number %zu: there are %zu", xta__array_name(array),
                  number, n);
    }
    return status;
}

xta_status xta_attribute_remove(xta_array *array, int axis, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__attribute_record record = {.axis = axis};

    XTA_TRY(xta__begin_change(array, "remove an attribute", err));
    if (strlen(name) > XTA__MAX_NAME_BYTES) {
        XTA_TRY(no_attribute(array, axis, "?", err));
    }
    strcpy(record.name, name);
    XTA_TRY(xta__change_begin(array, err));
    if (xta__attributes_find(&array->state.attributes, axis, name) == NULL) {
        status = no_attribute(array, axis, name, err);
    } else {
        status = commit_change(array, XTA__RECORD_REMOVE_ATTRIBUTE, &record, err);
    }
    xta__change_end(array);

done:
    return status;
}

/* ---- axes ---- */

static const char *axis_text(xta_array *array, int axis, char *const texts[])
{
    const char *text = "";

    pthread_mutex_lock(&array->lock);
    if (axis >= 0 && axis < array->state.structure->ndim && texts[axis] != NULL) {
        text = texts[axis];
    }
    pthread_mutex_unlock(&array->lock);
    return text;
}

const char *xta_axis_name(xta_array *array, int axis)
{
    return axis_text(array, axis, array->state.attributes.names);
}

const char *xta_axis_unit(xta_array *array, int axis)
{
    return axis_text(array, axis, array->state.attributes.units);
}

static xta_status set_axis_text(xta_array *array, unsigned type, int axis, const char *text,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta__attribute_record record = {.axis = axis};
    char what[40];

    XTA_TRY(xta__begin_change(array, "name an axis", err));
    snprintf(what, sizeof what, "axis %d: a %s", axis,
             type == XTA__RECORD_AXIS_NAME ? "name" : "unit");
    XTA_TRY(xta__check_name(xta__array_name(array), what, text, 0, err));
    strcpy(record.name, text);
    XTA_TRY(xta__change_begin(array, err));
    status = check_axis(array, axis, false, err);
    for (int other = 0; status == XTA_OK && type == XTA__RECORD_AXIS_NAME && other < XTA_MAX_NDIM;
         other++) {
        const char *name = array->state.attributes.names[other];
        if (other != axis && name != NULL && strcmp(name, text) == 0) {
            status = xta__fail(err, XTA_EEXIST, 0, "%s: axis %d has the name '%s' already",
                               xta__array_name(array), other, text);
        }
    }
    if (status == XTA_OK) {
        status = commit_change(array, type, &record, err);
    }
    xta__change_end(array);

done:
    return status;
}

xta_status xta_axis_set_name(xta_array *array, int axis, const char *name, xta_error *err)
{
    return set_axis_text(array, XTA__RECORD_AXIS_NAME, axis, name, err);
}

xta_status xta_axis_set_unit(xta_array *array, int axis, const char *unit, xta_error *err)
{
    return set_axis_text(array, XTA__RECORD_AXIS_UNIT, axis, unit, err);
}

xta_status xta_axis_find(xta_array *array, const char *text, int *axis, xta_error *err)
{
    xta_status status = xta__begin(array, err);
    char names[300] = "", *end = NULL;
    size_t used = 0;

    if (status != XTA_OK) {
        return status;
    }
    int ndim = xta_array_ndim(array);
    for (int k = 0; k < ndim; k++) {
        const char *name = xta_axis_name(array, k);
        if (name[0] != '\0' && strcmp(name, text) == 0) {
            *axis = k;
            return XTA_OK;
        }
        size_t n = strlen(name);
        if (n > 0 && used + n + 3 < sizeof names) {
            memcpy(names + used, ", ", 2);
            memcpy(names + used + 2, name, n + 1);
            used += n + 2;
        }
    }
    long number = strtol(text, &end, 10);
    if (end != text && *end == '\0' && number >= 0 && number < ndim) {
        *axis = (int)number;
        return XTA_OK;
    }
    return xta__fail(err, XTA_ENOENT, 0, "%s: no axis '%s'; the axes are 0 to %d%s",
                     xta__array_name(array), text, ndim - 1, names);
}
