/* Attributes of Zarr as attributes of a description, and back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/attributes.h"

#include <stdlib.h>
#include <string.h>

#include "util/text.h"
#include "zarr/fill_value.h"
#include "zarr/json_text.h"
#include "zarr/names.h"

/* Numbers, all whole or not. */
static bool are_numbers(const json_t *list, bool *whole)
{
    double value = 0;

    *whole = true;
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *one = json_array_get(list, k);
        *whole = *whole && json_is_integer(one);
        if (!xta__zarr_json_number(one, &value) || xta__zarr_json_is_large(one)) {
            return false;
        }
    }
    return json_array_size(list) >= 2;
}

/* A list that mixes whole numbers and reals would not come back as it was. */
static bool mixes(const json_t *list)
{
    size_t whole = 0;

    for (size_t k = 0; k < json_array_size(list); k++) {
        whole += json_is_integer(json_array_get(list, k));
    }
    return whole > 0 && whole < json_array_size(list);
}

static bool add_list(bridge_description *what, const char *name, const json_t *list, bool whole)
{
    size_t n = json_array_size(list);
    bridge_attribute *a =
        xta__description_add(what, XTA_ON_ARRAY, name, whole ? XTA_I64 : XTA_F64, n, NULL);

    for (size_t k = 0; k < n && a != NULL; k++) {
        const json_t *one = json_array_get(list, k);
        if (whole) {
            ((int64_t *)a->values)[k] = json_integer_value(one);
        } else {
            (void)xta__zarr_json_number(one, &((double *)a->values)[k]);
        }
    }
    return a != NULL;
}

static bool add_json(bridge_description *what, const char *name, const json_t *value,
                     xta__text *names)
{
    char *text = xta__zarr_json_write(value);
    bool good = text != NULL && xta__description_add_text(what, XTA_ON_ARRAY, name, text) != NULL;

    xta__text_printf(names, "%s\n", name);
    free(text);
    return good;
}

static bool add_one(bridge_description *what, const char *name, const json_t *value,
                    xta__text *names)
{
    double real = 0;
    bool whole = false;
    int64_t integer = json_integer_value(value);
    uint64_t large = 0;
    unsigned char truth = json_is_true(value);

    if (json_is_string(value)) {
        return xta__description_add(what, XTA_ON_ARRAY, name, XTA_TEXT, json_string_length(value),
                                    json_string_value(value)) != NULL;
    }
    if (json_is_integer(value)) {
        return xta__description_add(what, XTA_ON_ARRAY, name, XTA_I64, 1, &integer) != NULL;
    }
    if (xta__zarr_json_u64(value, &large)) {
        return xta__description_add(what, XTA_ON_ARRAY, name, XTA_U64, 1, &large) != NULL;
    }
    if (xta__zarr_json_number(value, &real) && !xta__zarr_json_is_large(value)) {
        return xta__description_add(what, XTA_ON_ARRAY, name, XTA_F64, 1, &real) != NULL;
    }
    if (json_is_boolean(value)) {
        return xta__description_add(what, XTA_ON_ARRAY, name, XTA_BOOL, 1, &truth) != NULL;
    }
    if (are_numbers(value, &whole) && !mixes(value)) {
        return add_list(what, name, value, whole);
    }
    return add_json(what, name, value, names);
}

/* A name that an attribute of an array can have. Those with a slash are our own. */
static bool is_name(const char *name)
{
    size_t n = strlen(name);

    return n > 0 && n <= 255 && strchr(name, '/') == NULL && xta__clean_bytes(name, n, false) == n;
}

bool xta__zarr_read_attributes(const json_t *attributes, const char *skip, bridge_description *what,
                               json_t *illegal)
{
    const char *name = NULL;
    json_t *value = NULL, *object = (json_t *)(uintptr_t)attributes;
    xta__text names = {0};
    bool good = true;

    json_object_foreach(object, name, value)
    {
        if (!good || (skip != NULL && strcmp(name, skip) == 0)) {
            continue;
        }
        good = is_name(name) ? add_one(what, name, value, &names)
                             : json_array_append_new(illegal, json_string(name)) == 0;
    }
    bool any = names.n > 0;
    char *lines = xta__text_detach(&names);
    if (good && any) {
        good = lines != NULL &&
               xta__description_add_text(what, XTA_ON_ARRAY, ZARR_JSON, lines) != NULL;
    }
    free(lines);
    return good;
}

bool xta__zarr_type_fill(bridge_description *what)
{
    const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, "_FillValue");
    bool real = what->type == XTA_F16 || what->type == XTA_F32 || what->type == XTA_F64;
    unsigned char little[8] = {0}, cell[16];
    uint64_t bits = 0;
    double value = 0;
    xta_status status = XTA_ETYPE;

    if (a == NULL || what->type == XTA_BYTES || a->type == what->type) {
        return true;
    }
    if (a->type == XTA_TEXT && real && a->count == 12 &&
        xta__zarr_read_base64(a->values, sizeof little, little)) {
        for (int k = 7; k >= 0; k--) {
            bits = bits << 8 | little[k];
        }
        memcpy(&value, &bits, sizeof value);
        status = xta_type_convert(XTA_F64, &value, what->type, cell, 1, NULL);
    } else if (a->type != XTA_TEXT && a->count == 1) {
        status = xta_type_convert(a->type, a->values, what->type, cell, 1, NULL);
    }
    if (status != XTA_OK) {
        return true; // it stays as it is
    }
    xta__description_remove(what, XTA_ON_ARRAY, "_FillValue");
    return xta__description_add(what, XTA_ON_ARRAY, "_FillValue", what->type, 1, cell) != NULL;
}
