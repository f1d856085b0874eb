/* Attributes, axis names and units: kept as lists, which are short.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

/* Names are found by searching the list: a file must not be able to make it so long that this
 * becomes expensive. */
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

/* Native-endian values followed by a zero byte, so that text is a C string. */
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

static void free_item(xta__attribute *item)
{
    free((void *)(uintptr_t)item->value.name);
    free(item->buffer);
}

/* Install a value, which owns the buffer of its values, in an attribute. */
static void set_item(xta__attribute *item, int axis, const xta_attribute *value)
{
    *item = (xta__attribute){.axis = axis,
                             .value = *value,
                             .buffer = (uint8_t *)(uintptr_t)value->values,
                             .buffer_bytes = value->count * value->cell_bytes};
}

/* Make `more` bytes free before or after the values of an attribute. There is always one more byte
 * after them, for the terminating zero of a text. Twice as much is allocated as is needed, so that
 * a thousand small growths do not move all values a thousand times. */
static xta_status reserve_values(xta__attribute *item, xta_side side, size_t more)
{
    size_t bytes = item->value.count * item->value.cell_bytes;
    size_t behind = item->buffer_bytes - item->before_bytes - bytes;
    size_t spare = bytes + more;

    if (more <= (side == XTA_FRONT ? item->before_bytes : behind)) {
        return XTA_OK;
    }
    size_t before = side == XTA_FRONT ? spare + more : item->before_bytes;
    size_t total = before + bytes + (side == XTA_FRONT ? behind : spare + more);
    uint8_t *buffer = malloc(total + 1);
    if (buffer == NULL) {
        return XTA_ENOMEM;
    }
    memcpy(buffer + before, item->buffer + item->before_bytes, bytes + 1);
    free(item->buffer);
    item->buffer = buffer;
    item->buffer_bytes = total;
    item->before_bytes = before;
    item->value.values = buffer + before;
    return XTA_OK;
}

/* The part of adding values that can fail. */
static xta_status prepare_growth(xta__attributes *attributes, const xta__attribute_record *record)
{
    xta__attribute *item = xta__attributes_find(attributes, record->axis, record->name);

    if (item == NULL || item->value.type != record->type ||
        item->value.cell_bytes != record->cell_bytes) {
        return XTA_ECORRUPT;
    }
    size_t bytes = item->value.count * item->value.cell_bytes;
    if (record->value_bytes > XTA__MAX_ATTRIBUTE_BYTES - bytes) {
        return XTA_ECORRUPT;
    }
    return reserve_values(item, record->side, record->value_bytes);
}

static void grow_values(xta__attribute *item, xta_side side, const xta_attribute *more)
{
    size_t bytes = item->value.count * item->value.cell_bytes;
    size_t n = more->count * more->cell_bytes;
    uint8_t *first = item->buffer + item->before_bytes;

    if (side == XTA_FRONT) {
        first -= n;
        item->before_bytes -= n;
        memcpy(first, more->values, n);
    } else {
        memcpy(first + bytes, more->values, n);
        first[bytes + n] = 0;
    }
    item->value.values = first;
    item->value.count += more->count;
}

static void take_away(xta__attributes *attributes, int axis, const char *name)
{
    xta__attribute *item = xta__attributes_find(attributes, axis, name);

    if (item != NULL) {
        free_item(item);
        size_t k = (size_t)(item - attributes->items);
        memmove(item, item + 1, (attributes->n - k - 1) * sizeof *item);
        attributes->n--;
    }
}

static xta_status reserve_attribute(xta__attributes *attributes)
{
    if (attributes->n < attributes->capacity) {
        return XTA_OK;
    }
    if (attributes->n >= MOST_ATTRIBUTES) {
        return XTA_EARG;
    }
    return XTA__RESERVE(attributes->items, attributes->capacity, attributes->n + 1) ? XTA_OK
                                                                                    : XTA_ENOMEM;
}

xta_status xta__attributes_prepare(xta__attributes *attributes, unsigned record_type,
                                   const xta__attribute_record *record,
                                   xta__attribute_change *change)
{
    memset(change, 0, sizeof *change);
    change->record_type = record_type;
    change->axis = record->axis;
    change->side = record->side;
    if (record_type == XTA__RECORD_ATTRIBUTE_GROW) {
        xta_status status = prepare_growth(attributes, record);
        return status == XTA_OK ? copy_value(record, &change->value) : status;
    }
    if (record_type == XTA__RECORD_ATTRIBUTE) {
        xta_status status = reserve_attribute(attributes);
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
            free_item(old);
        } else {
            old = &attributes->items[attributes->n++];
        }
        set_item(old, change->axis, &change->value);
        return;
    }
    if (change->record_type == XTA__RECORD_ATTRIBUTE_GROW) {
        grow_values(xta__attributes_find(attributes, change->axis, change->value.name),
                    change->side, &change->value);
        free_value(&change->value);
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

/* Values as they are in files. */
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
        free_item(&attributes->items[k]);
    }
    free(attributes->items);
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(attributes->names[axis]);
        free(attributes->units[axis]);
    }
    memset(attributes, 0, sizeof *attributes);
}
