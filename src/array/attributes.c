/* Attributes, axis names and units: kept as lists, which are short.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <stdlib.h>
#include <string.h>

/* Names are found by walking the list: it must not get so long that a file can make that
 * expensive. */
#define MOST_ATTRIBUTES 16384

xta__attribute *xta__attributes_find(const xta__attributes *attributes, int axis, const char *name)
{
    for (size_t k = 0; k < attributes->n; k++) {
        if (attributes->items[k].axis == axis &&
            strcmp(attributes->items[k].value.name, name) == 0) {
            return &attributes->items[k];
        }
    }
    return NULL;
}

static void free_value(xta_attribute *value)
{
    free((void *)(uintptr_t)value->name);
    free((void *)(uintptr_t)value->values);
}

/* Native-endian values with a zero byte behind them, so that text is a C string. */
static xta_status copy_value(const xta__attribute_record *record, xta_attribute *out)
{
    char *name = xta__strdup(record->name);
    uint8_t *values = malloc(record->value_bytes + 1);

    if (name == NULL || values == NULL) {
        free(name);
        free(values);
        return XTA_ENOMEM;
    }
    if (record->value_bytes > 0) {
        memcpy(values, record->values, record->value_bytes);
    }
    values[record->value_bytes] = 0;
    xta__swap_cells(record->type, values, record->value_bytes);
    *out = (xta_attribute){.name = name,
                           .type = record->type,
                           .cell_bytes = record->cell_bytes,
                           .count = (size_t)record->count,
                           .values = values};
    return XTA_OK;
}

static void take_away(xta__attributes *attributes, int axis, const char *name)
{
    xta__attribute *item = xta__attributes_find(attributes, axis, name);

    if (item != NULL) {
        free_value(&item->value);
        size_t k = (size_t)(item - attributes->items);
        memmove(item, item + 1, (attributes->n - k - 1) * sizeof *item);
        attributes->n--;
    }
}

static xta_status make_room(xta__attributes *attributes)
{
    if (attributes->n < attributes->room) {
        return XTA_OK;
    }
    if (attributes->n >= MOST_ATTRIBUTES) {
        return XTA_EARG;
    }
    size_t room = 2 * attributes->room + 8;
    xta__attribute *bigger = xta__realloc_array(attributes->items, room, sizeof bigger[0]);
    if (bigger == NULL) {
        return XTA_ENOMEM;
    }
    attributes->items = bigger;
    attributes->room = room;
    return XTA_OK;
}

xta_status xta__attributes_prepare(xta__attributes *attributes, unsigned record_type,
                                   const xta__attribute_record *record,
                                   xta__attribute_change *change)
{
    memset(change, 0, sizeof *change);
    change->record_type = record_type;
    change->axis = record->axis;
    if (record_type == XTA__RECORD_ATTRIBUTE) {
        xta_status status = make_room(attributes);
        return status == XTA_OK ? copy_value(record, &change->value) : status;
    }
    if (record->name[0] != '\0') {
        change->text = xta__strdup(record->name);
        return change->text != NULL ? XTA_OK : XTA_ENOMEM;
    }
    return XTA_OK;
}

void xta__attributes_drop(xta__attribute_change *change)
{
    free_value(&change->value);
    free(change->text);
    memset(change, 0, sizeof *change);
}

void xta__attributes_install(xta__attributes *attributes, xta__attribute_change *change)
{
    char **slot = NULL;

    if (change->record_type == XTA__RECORD_ATTRIBUTE) {
        xta__attribute *old = xta__attributes_find(attributes, change->axis, change->value.name);
        if (old != NULL) {
            free_value(&old->value);
            old->value = change->value;
        } else {
            attributes->items[attributes->n++] =
                (xta__attribute){.axis = change->axis, .value = change->value};
        }
        return;
    }
    if (change->record_type == XTA__RECORD_REMOVE_ATTRIBUTE) {
        take_away(attributes, change->axis, change->text);
        free(change->text);
        return;
    }
    slot = change->record_type == XTA__RECORD_AXIS_NAME ? &attributes->names[change->axis]
                                                        : &attributes->units[change->axis];
    free(*slot);
    *slot = change->text;
}

xta_status xta__attributes_apply(xta__attributes *attributes, unsigned record_type,
                                 const xta__attribute_record *record)
{
    xta__attribute_change change;
    xta_status status = xta__attributes_prepare(attributes, record_type, record, &change);

    if (status == XTA_OK) {
        xta__attributes_install(attributes, &change);
    }
    return status;
}

void xta__attributes_add_axis(xta__attributes *attributes, int position)
{
    for (size_t k = 0; k < attributes->n; k++) {
        attributes->items[k].axis += attributes->items[k].axis >= position;
    }
    free(attributes->names[XTA_MAX_NDIM - 1]);
    free(attributes->units[XTA_MAX_NDIM - 1]);
    for (int axis = XTA_MAX_NDIM - 1; axis > position; axis--) {
        attributes->names[axis] = attributes->names[axis - 1];
        attributes->units[axis] = attributes->units[axis - 1];
    }
    attributes->names[position] = NULL;
    attributes->units[position] = NULL;
}

static void encode_text(unsigned type, int axis, const char *text, xta__bytes *nested,
                        uint32_t *n_nested)
{
    xta__attribute_record record = {.axis = axis};
    xta__bytes payload = {0};

    if (text == NULL) {
        return;
    }
    strncpy(record.name, text, XTA__MAX_NAME_BYTES);
    xta__encode_attribute(&record, &payload);
    xta__encode_nested(type, payload.bytes, payload.n, nested);
    nested->failed = nested->failed || payload.failed;
    xta__bytes_clear(&payload);
    (*n_nested)++;
}

/* Values as they lie in files. */
static void encode_item(const xta__attribute *item, xta__bytes *nested, uint32_t *n_nested)
{
    xta__bytes payload = {0};
    size_t bytes = item->value.count * item->value.cell_bytes;
    xta__attribute_record record = {.axis = item->axis,
                                    .type = item->value.type,
                                    .cell_bytes = (uint32_t)item->value.cell_bytes,
                                    .count = item->value.count,
                                    .values = item->value.values,
                                    .value_bytes = bytes};

    strncpy(record.name, item->value.name, XTA__MAX_NAME_BYTES);
    xta__encode_attribute(&record, &payload);
    if (!payload.failed) {
        xta__swap_cells(record.type, payload.bytes + payload.n - bytes, bytes);
    }
    xta__encode_nested(XTA__RECORD_ATTRIBUTE, payload.bytes, payload.n, nested);
    nested->failed = nested->failed || payload.failed;
    xta__bytes_clear(&payload);
    (*n_nested)++;
}

xta_status xta__attributes_encode(const xta__attributes *attributes, xta__bytes *nested,
                                  uint32_t *n_nested)
{
    *n_nested = 0;
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        encode_text(XTA__RECORD_AXIS_NAME, axis, attributes->names[axis], nested, n_nested);
        encode_text(XTA__RECORD_AXIS_UNIT, axis, attributes->units[axis], nested, n_nested);
    }
    for (size_t k = 0; k < attributes->n; k++) {
        encode_item(&attributes->items[k], nested, n_nested);
    }
    return nested->failed ? XTA_ENOMEM : XTA_OK;
}

void xta__attributes_clear(xta__attributes *attributes)
{
    for (size_t k = 0; k < attributes->n; k++) {
        free_value(&attributes->items[k].value);
    }
    free(attributes->items);
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(attributes->names[axis]);
        free(attributes->units[axis]);
    }
    memset(attributes, 0, sizeof *attributes);
}
