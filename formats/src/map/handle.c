/* A mapped dataset: the array, the objects around the dataset, the last error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/handle.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "description/description.h"
#include "description/format.h"
#include "util/try.h"
#include "util/vector.h"

static const char *const format_names[] = {"HDF5", "NetCDF", "FITS"};

xta_status xta__mapping_new(map_format format, const xta_mapping_options *options,
                            xta_mapping **out, xta_error *err)
{
    xta_mapping_options known = XTA_MAPPING_OPTIONS_INIT;
    xta_status status = xta_options_read(&known, sizeof known, options, "xta_mapping_options", err);
    *out = NULL;
    if (status != XTA_OK) {
        return status;
    }
    xta_mapping *map = calloc(1, sizeof *map);
    if (map != NULL && known.path != NULL) {
        map->path = xta__bridge_copy(known.path);
    }
    if (map == NULL || (known.path != NULL && map->path == NULL)) {
        free(map);
        return xta__bridge_no_memory(format_names[format], err);
    }
    map->format = format;
    map->chunk = known.chunk;
    map->memory_bytes = known.memory_bytes > 0 ? known.memory_bytes : BRIDGE_MEMORY_BYTES;
    *out = map;
    return XTA_OK;
}

static void free_map(xta_mapping *map)
{
    for (size_t k = 0; k < map->n_objects; k++) {
        free(map->objects[k].path);
        xta__description_clear(&map->objects[k].what);
    }
    free(map->objects);
    free(map->source);
    free(map->path);
    free(map);
}

void xta__mapping_discard(xta_mapping *map)
{
    if (map == NULL) {
        return;
    }
    bool created = map->array != NULL && map->path != NULL;
    xta_array_close(map->array, NULL);
    if (created) {
        (void)!xta_array_delete(map->path, NULL);
    }
    free_map(map);
}

map_object *xta__mapping_add_object(xta_mapping *map, xta_mapping_kind kind, const char *path)
{
    char *copy = xta__copy_foreign_name(path);
    if (copy == NULL || !XTA__RESERVE(map->objects, map->objects_capacity, map->n_objects + 1)) {
        free(copy);
        return NULL;
    }
    map_object *object = &map->objects[map->n_objects++];
    object->kind = kind;
    object->path = copy;
    object->mapped = false;
    xta__description_init(&object->what);
    object->what.type = XTA_TYPE_SAME;
    return object;
}

xta_status xta__mapping_check_format(const xta_mapping *map, map_format format, const char *wanted,
                                     xta_error *err)
{
    if (map == NULL) {
        return xta_error_set(err, XTA_EARG, 0, "the handle is NULL; give what %s returned", wanted);
    }
    if (map->format != format) {
        return xta_error_set(err, XTA_EARG, 0,
                             "the handle is of a mapping of %s; give what %s returned",
                             format_names[map->format], wanted);
    }
    return XTA_OK;
}

xta_status xta__mapping_check_cells(const xta_mapping *map, const bridge_description *what,
                                    const char *label, xta_error *err)
{
    int ndim = xta_array_ndim(map->array);
    xta_type type = xta_array_type(map->array);
    size_t cell_bytes = xta_array_cell_bytes(map->array);
    if (what->ndim != ndim) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: has %d axes and the array %d; write to one that was made with %d",
                             label, what->ndim, ndim, ndim);
    }
    if (what->type != type || what->cell_bytes != cell_bytes) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: has cells of type %s (%zu bytes) and the array of %s (%zu); "
                             "write to one of the array's type",
                             label, xta_type_name(what->type), what->cell_bytes,
                             xta_type_name(type), cell_bytes);
    }
    return XTA_OK;
}

/* ---- public ---- */

xta_array *xta_mapping_array(const xta_mapping *map)
{
    return map->array;
}

const xta_error *xta_mapping_error(const xta_mapping *map)
{
    return &map->error;
}

size_t xta_mapping_object_count(const xta_mapping *map)
{
    return map->n_objects;
}

xta_status xta_mapping_object_at(const xta_mapping *map, size_t k, xta_mapping_object *object,
                                 xta_error *err)
{
    if (k >= map->n_objects) {
        return xta_error_set(err, XTA_ENOENT, 0, "object %zu: the mapping has %zu of them, from 0",
                             k, map->n_objects);
    }
    const map_object *from = &map->objects[k];
    memset(object, 0, sizeof *object);
    object->kind = from->kind;
    object->path = from->path;
    object->mapped = from->mapped;
    object->type = from->what.type;
    object->ndim = from->what.ndim;
    memcpy(object->bounds, from->what.bounds, sizeof object->bounds);
    object->n_attributes = from->what.n_attributes;
    return XTA_OK;
}

xta_status xta_mapping_object_attribute(const xta_mapping *map, size_t k, size_t j,
                                        xta_attribute *attribute, xta_error *err)
{
    if (k >= map->n_objects || j >= map->objects[k].what.n_attributes) {
        return xta_error_set(err, XTA_ENOENT, 0,
                             "attribute %zu of object %zu: there is no such attribute", j, k);
    }
    const bridge_attribute *a = &map->objects[k].what.attributes[j];
    *attribute = (xta_attribute){a->name, a->type, a->cell_bytes, a->count, a->values};
    return XTA_OK;
}

xta_status xta_mapping_close(xta_mapping *map, xta_error *err)
{
    if (map == NULL) {
        return XTA_OK;
    }
    xta__clear(err);
    xta_status status = xta_array_close(map->array, err);
    free_map(map);
    return status;
}
