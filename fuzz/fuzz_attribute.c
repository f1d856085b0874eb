/* Names, units and attributes of arbitrary bytes, on an array in memory.
 *
 * What is set is found again, byte for byte, by name and by number; what is refused changes
 * nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

enum { MAX_STEPS = 32 };

static void set_one(fuzz_source *source, xta_array *array, int axis)
{
    char name[300];
    xta_attribute attribute = {0}, found = {0};
    xta_error err;
    size_t before = xta_attribute_count(array, axis);

    fuzz_text(source, name, sizeof name);
    attribute.name = name;
    attribute.type = (xta_type)fuzz_below(source, 20);
    attribute.cell_bytes = 1 + (size_t)fuzz_below(source, 5);
    size_t bytes =
        attribute.type == XTA_BYTES ? attribute.cell_bytes : xta_type_bytes(attribute.type);
    attribute.count = (size_t)fuzz_below(source, 40);
    uint8_t *values = malloc(attribute.count * bytes + 1);
    FUZZ_PROMISE(values != NULL);
    for (size_t k = 0; k < attribute.count * bytes; k++) {
        values[k] = fuzz_u8(source);
    }
    attribute.values = values;
    if (xta_attribute_set(array, axis, &attribute, &err) == XTA_OK) {
        FUZZ_PROMISE(xta_attribute_get(array, axis, name, &found, &err) == XTA_OK);
        FUZZ_PROMISE(found.type == attribute.type && found.count == attribute.count);
        FUZZ_PROMISE(memcmp(found.values, values, attribute.count * bytes) == 0);
    } else {
        FUZZ_PROMISE(xta_attribute_count(array, axis) == before);
        FUZZ_PROMISE(strchr(err.text, '\n') == NULL);
    }
    free(values);
}

static void name_axis(fuzz_source *source, xta_array *array, int axis)
{
    char text[300];
    int found = -1;
    xta_error err;

    fuzz_text(source, text, sizeof text);
    if (xta_axis_set_name(array, axis, text, &err) == XTA_OK && text[0] != '\0') {
        FUZZ_PROMISE(strcmp(xta_axis_name(array, axis), text) == 0);
        FUZZ_PROMISE(xta_axis_find(array, text, &found, &err) == XTA_OK);
    }
    fuzz_text(source, text, sizeof text);
    if (xta_axis_set_unit(array, axis, text, &err) == XTA_OK) {
        FUZZ_PROMISE(strcmp(xta_axis_unit(array, axis), text) == 0);
    }
    fuzz_text(source, text, sizeof text);
    if (xta_axis_find(array, text, &found, &err) == XTA_OK) {
        FUZZ_PROMISE(found >= 0 && found < xta_array_ndim(array));
    }
}

static void walk(xta_array *array, int axis)
{
    xta_attribute attribute;
    xta_error err;
    size_t n = xta_attribute_count(array, axis);

    for (size_t k = 0; k < n; k++) {
        FUZZ_PROMISE(xta_attribute_at(array, axis, k, &attribute, &err) == XTA_OK);
    }
    FUZZ_PROMISE(xta_attribute_at(array, axis, n, &attribute, &err) == XTA_ENOENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_source source = {data, size};
    xta_array *array = NULL;
    int64_t bounds[3] = {2, 3, 4};
    char name[300];
    xta_error err;

    FUZZ_PROMISE(xta_array_new(XTA_U8, 3, bounds, NULL, &array, &err) == XTA_OK);
    for (int k = 0; k < MAX_STEPS && source.left > 0; k++) {
        int axis = fuzz_below(&source, 6) - 2;
        switch (fuzz_below(&source, 4)) {
        case 0:
            name_axis(&source, array, axis);
            break;
        case 1:
            fuzz_text(&source, name, sizeof name);
            if (xta_attribute_remove(array, axis, name, &err) == XTA_OK) {
                xta_attribute gone;
                FUZZ_PROMISE(xta_attribute_get(array, axis, name, &gone, &err) == XTA_ENOENT);
            }
            break;
        default:
            set_one(&source, array, axis);
            break;
        }
        walk(array, XTA_ON_ARRAY);
    }
    FUZZ_PROMISE(xta_array_close(array, NULL) == XTA_OK);
    return 0;
}
