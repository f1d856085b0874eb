/* A node of a store.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/node.h"

#include <string.h>

#include "util/try.h"

xta_status xta__zarr_node_read(const zarr_store *store, const char *path, zarr_node *node,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    json_t *json = NULL;
    bool *stale = &node->stale;

    *node = (zarr_node){0};
    if (store->version == 2) {
        XTA_TRY(xta__zarr_store_document(store, path, ".zarray", &node->array, stale, err));
        XTA_TRY(xta__zarr_store_document(store, path, ".zgroup", &json, stale, err));
        XTA_TRY(xta__zarr_store_document(store, path, ".zattrs", &node->attributes, stale, err));
        node->group = json_integer_value(json_object_get(json, "zarr_format")) == 2;
        goto done;
    }
    XTA_TRY(xta__zarr_store_document(store, path, "zarr.json", &json, stale, err));
    const char *kind = json_string_value(json_object_get(json, "node_type"));
    bool known = kind != NULL && json_integer_value(json_object_get(json, "zarr_format")) == 3;
    node->attributes = json_incref(json_object_get(json, "attributes"));
    node->group = known && strcmp(kind, "group") == 0;
    node->array = known && strcmp(kind, "array") == 0 ? json_incref(json) : NULL;

done:
    json_decref(json);
    return status;
}

void xta__zarr_node_clear(zarr_node *node)
{
    json_decref(node->array);
    json_decref(node->attributes);
    *node = (zarr_node){0};
}

const json_t *xta__zarr_dimensions(const zarr_store *store, const zarr_node *node, int ndim,
                                   const char **attribute)
{
    const json_t *names =
        store->version == 3 ? json_object_get(node->array, "dimension_names") : NULL;
    bool none = names == NULL || json_is_null(names);

    names = none ? json_object_get(node->attributes, "_ARRAY_DIMENSIONS") : names;
    bool fits = json_is_array(names) && json_array_size(names) == (size_t)ndim;
    *attribute = none && fits ? "_ARRAY_DIMENSIONS" : NULL;
    return fits ? names : NULL;
}
