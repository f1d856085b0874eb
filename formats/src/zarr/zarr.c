/* Zarr: folders of arrays and groups, of version 2 or 3. This is the format that imports one array;
 * sets/zarr_source.c imports whole stores.
 *
 * What maps to what:
 *
 *   attribute of the array         attribute of the array, of the same name
 *   attribute of the root group    attribute `global/NAME`
 *   names of dimensions            names of the axes
 *   array of that name beside it   attribute `values` of the axis, with its own attributes
 *   fill value                     fill value
 *   chunks                         attribute `zarr/chunks`
 *
 * Lost: attributes whose names are none here. Refused: types and codecs that an array cannot have,
 * with the reason. There is no export of one array: a store is a folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/zarr.h"

#include <stdlib.h>
#include <string.h>

#include "description/listing.h"
#include "util/text.h"
#include "util/try.h"
#include "zarr/attributes.h"
#include "zarr/chunks.h"
#include "zarr/names.h"
#include "zarr/node.h"
#include "zarr/read_array.h"

#define VALUES "values"

enum { MOST_DEPTH = 32, MOST_VALUES_BYTES = 32 << 20 };

typedef struct zarr_file {
    char *path, *name; /* of the store, and of the array in it */
    zarr_store store;
    zarr_array array;
    zarr_chunk_cache cache;
} zarr_file;

static void zarr_close(void *state)
{
    zarr_file *f = state;

    if (f != NULL) {
        xta__zarr_store_close(&f->store);
        xta__zarr_array_clear(&f->array);
        free(f->cache.cells);
        free(f->name);
        free(f->path);
        free(f);
    }
}

/* ---- which array ---- */

typedef struct search {
    const zarr_store *store;
    char *only; /* the name of the first that is no coordinate */
    bridge_listing listing;
} search;

/* Whether an array has the values along a dimension of its own name. */
static bool is_coordinate(const zarr_store *store, const zarr_node *node, const char *name)
{
    const char *attribute = NULL;
    const char *slash = strrchr(name, '/');
    const char *own = slash != NULL ? slash + 1 : name;
    const json_t *names = xta__zarr_dimensions(store, node, 1, &attribute);
    const char *dimension = json_string_value(json_array_get(names, 0));

    return dimension != NULL && strcmp(dimension, own) == 0;
}

static xta_status list_array(search *s, const zarr_node *node, const char *name, xta_error *err)
{
    const json_t *shape = json_object_get(node->array, "shape");
    int64_t bounds[XTA_MAX_NDIM] = {0};
    int ndim = (int)json_array_size(shape);

    if (is_coordinate(s->store, node, name) || ndim > XTA_MAX_NDIM) {
        return XTA_OK;
    }
    for (int d = 0; d < ndim; d++) {
        bounds[d] = json_integer_value(json_array_get(shape, (size_t)d));
    }
    const char *type = json_string_value(json_object_get(node->array, "dtype"));
    type = type != NULL ? type : json_string_value(json_object_get(node->array, "data_type"));
    xta__listing_add(&s->listing, name, ndim, bounds, type != NULL ? type : "compound");
    s->only = s->only != NULL ? s->only : xta__bridge_copy(name);
    return s->only != NULL ? XTA_OK : xta__bridge_no_memory(s->store->path, err);
}

static xta_status list_arrays(search *s, const char *path, int depth, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *child = NULL;
    json_t *children = NULL, *why = NULL;
    zarr_node node = {0};
    char *name = NULL;

    XTA_TRY(xta__zarr_store_children(s->store, path, &children, err));
    json_object_foreach(children, child, why)
    {
        if (json_is_string(why) || child[0] == '.' || depth == MOST_DEPTH) {
            continue;
        }
        name = xta__string("%s%s%s", path, path[0] != '\0' ? "/" : "", child);
        XTA_TRY(name != NULL ? xta__zarr_node_read(s->store, name, &node, err)
                             : xta__bridge_no_memory(s->store->path, err));
        XTA_TRY(node.array != NULL ? list_array(s, &node, name, err)
                : node.group       ? list_arrays(s, name, depth + 1, err)
                                   : XTA_OK);
        xta__zarr_node_clear(&node);
        free(name);
        name = NULL;
    }

done:
    xta__zarr_node_clear(&node);
    free(name);
    json_decref(children);
    return status;
}

/* The array of that name, or the only one that is no coordinate. */
static xta_status select_array(zarr_file *f, const char *variable, zarr_node *node, xta_error *err)
{
    xta_status status = XTA_OK;
    search s = {.store = &f->store};
    char text[340];

    f->name = xta__bridge_copy(variable == NULL     ? ""
                               : variable[0] == '/' ? variable + 1
                                                    : variable);
    if (f->name == NULL) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }
    XTA_TRY(xta__zarr_node_read(&f->store, f->name, node, err));
    if (node->array != NULL) {
        goto done;
    }
    XTA_TRY(list_arrays(&s, "", 0, err));
    if (variable == NULL && s.listing.n > 1) {
        XTA_TRY(xta__listing_ask(&s.listing, f->path, err));
    }
    if (variable != NULL || s.listing.n == 0) {
        XTA_TRY(xta_error_set(err, XTA_ENOENT, 0, "%s: has no array %s; it has %s", f->path,
                              f->name, xta__listing_text(&s.listing, text)));
    }
    free(f->name);
    f->name = s.only;
    s.only = NULL;
    xta__zarr_node_clear(node);
    XTA_TRY(xta__zarr_node_read(&f->store, f->name, node, err));

done:
    free(s.only);
    return status;
}

/* ---- what belongs to it ---- */

/* Attributes on an axis or the array, with a prefix. */
static bool read_attributes(const json_t *from, const char *skip, int axis, const char *prefix,
                            bridge_description *what)
{
    json_t *illegal = json_array();
    size_t first = what->n_attributes;
    bool good = illegal != NULL && xta__zarr_read_attributes(from, skip, what, illegal);

    for (size_t k = first; k < what->n_attributes && good; k++) {
        bridge_attribute *a = &what->attributes[k];
        char *name = xta__string("%s%s", prefix, a->name);
        good = name != NULL;
        if (good) {
            free(a->name);
            a->name = name;
            a->axis = axis;
        }
    }
    json_decref(illegal);
    return good;
}

/* Numbers along an axis that an array of the axis's name has. */
static xta_status read_values(zarr_file *f, const char *name, const zarr_node *node, int axis,
                              bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    zarr_array array = {0};
    zarr_chunk_cache cache = {0};
    const char *wrong = NULL;
    char text[160];
    int64_t n = what->bounds[axis];
    const xta_box box = {.ndim = 1, .lo = {0}, .hi = {n}};

    XTA_TRY(xta__zarr_read_array(&f->store, name, node->array, &array, &wrong, text, err));
    if (wrong != NULL || array.ndim != 1 || array.shape[0] != n || array.type == XTA_BYTES ||
        n < 1 || (uint64_t)n * array.cell_bytes > MOST_VALUES_BYTES) {
        goto done;
    }
    bridge_attribute *a = xta__description_add(what, axis, VALUES, array.type, (size_t)n, NULL);
    if (a == NULL) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }
    xta__attribute_spread(a, axis, 0, n);
    XTA_TRY(xta__zarr_read_box(&f->store, name, &array, &cache, &box, a->values, err));
    if (!read_attributes(node->attributes, "_ARRAY_DIMENSIONS", axis, "", what)) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }
    const char *unit = xta__description_text(what, axis, "units");
    what->unit[axis] = unit != NULL ? xta__copy_foreign_name(unit) : NULL;
    if (unit != NULL && what->unit[axis] == NULL) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }

done:
    free(cache.cells);
    xta__zarr_array_clear(&array);
    return status;
}

static bool is_taken(const bridge_description *what, int axis, const char *name)
{
    for (int d = 0; d < axis; d++) {
        if (what->name[d] != NULL && strcmp(what->name[d], name) == 0) {
            return true;
        }
    }
    return false;
}

/* A dimension: its name, and the values of an array beside this one that has that name. */
static xta_status describe_axis(zarr_file *f, const char *dimension, int axis,
                                bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    zarr_node node = {0};
    const char *slash = strrchr(f->name, '/');
    int folder = slash != NULL ? (int)(slash - f->name) + 1 : 0;
    size_t n = dimension != NULL ? strlen(dimension) : 0;
    char *name = NULL;

    if (n == 0 || n > 255 || xta__clean_bytes(dimension, n, false) != n ||
        is_taken(what, axis, dimension)) {
        return XTA_OK;
    }
    what->name[axis] = xta__bridge_copy(dimension);
    name = xta__string("%.*s%s", folder, f->name, dimension);
    if (what->name[axis] == NULL || name == NULL) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }
    if (strchr(dimension, '/') == NULL && dimension[0] != '.' && strcmp(name, f->name) != 0) {
        XTA_TRY(xta__zarr_node_read(&f->store, name, &node, err));
    }
    if (node.array != NULL) {
        XTA_TRY(read_values(f, name, &node, axis, what, err));
    }

done:
    xta__zarr_node_clear(&node);
    free(name);
    return status;
}

static xta_status describe(zarr_file *f, const zarr_node *node, bridge_description *what,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    const zarr_array *array = &f->array;
    const char *skip = NULL;
    const json_t *names = xta__zarr_dimensions(&f->store, node, array->ndim, &skip);

    what->type = array->type;
    what->cell_bytes = array->cell_bytes;
    what->ndim = array->ndim > 0 ? array->ndim : 1;
    what->bounds[0] = 1;
    for (int d = 0; d < array->ndim; d++) {
        what->bounds[d] = array->shape[d];
        what->chunk[d] = array->chunk[d];
        XTA_TRY(
            describe_axis(f, json_string_value(json_array_get(names, (size_t)d)), d, what, err));
    }
    what->variable = f->name[0] != '\0' ? xta__copy_foreign_name(f->name) : NULL;
    what->fill = malloc(array->cell_bytes);
    bool good = what->fill != NULL && (what->variable != NULL || f->name[0] == '\0') &&
                read_attributes(node->attributes, skip, XTA_ON_ARRAY, "", what) &&
                xta__zarr_type_fill(what);
    good =
        good && (array->ndim > 0
                     ? xta__description_add(what, XTA_ON_ARRAY, ZARR_CHUNKS, XTA_I64,
                                            (size_t)array->ndim, array->chunk) != NULL
                     : xta__description_add_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") != NULL);
    if (!good) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }
    memcpy(what->fill, array->fill, array->cell_bytes);

done:
    return status;
}

static xta_status read_globals(const zarr_file *f, bridge_description *what, xta_error *err)
{
    zarr_node root = {0};
    xta_status status = XTA_OK;

    if (f->name[0] == '\0') {
        return XTA_OK;
    }
    XTA_TRY(xta__zarr_node_read(&f->store, "", &root, err));
    if (!read_attributes(root.attributes, NULL, XTA_ON_ARRAY, "global/", what)) {
        XTA_TRY(xta__bridge_no_memory(f->path, err));
    }

done:
    xta__zarr_node_clear(&root);
    return status;
}

/* ---- the format ---- */

static xta_status zarr_open(const char *path, const xta_import_options *options,
                            const bridge_target *target, bridge_description *what, void **state,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    zarr_node node = {0};
    const char *wrong = NULL;
    char text[160];
    zarr_file *f = calloc(1, sizeof *f);

    (void)target;
    *state = NULL;
    if (f == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    f->path = xta__bridge_copy(path);
    XTA_TRY(f->path != NULL ? xta__zarr_store_open(f->path, options->trust, &f->store, err)
                            : xta__bridge_no_memory(path, err));
    XTA_TRY(select_array(f, options->variable, &node, err));
    XTA_TRY(xta__zarr_read_array(&f->store, f->name, node.array, &f->array, &wrong, text, err));
    if (wrong != NULL) {
        XTA_TRY(xta_error_set(err, XTA_EUNSUPPORTED, 0,
                              "%s: array %s cannot be read: %s; write it in another way", path,
                              f->name, wrong));
    }
    XTA_TRY(describe(f, &node, what, err));
    XTA_TRY(read_globals(f, what, err));
    *state = f;
    f = NULL;

done:
    xta__zarr_node_clear(&node);
    zarr_close(f);
    return status;
}

static xta_status zarr_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    zarr_file *f = state;
    xta_box own = *box;

    own.ndim = f->array.ndim; // 0 for one cell
    return xta__zarr_read_box(&f->store, f->name, &f->array, &f->cache, &own, cells, err);
}

static bool zarr_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)head;
    return n_bytes == 0 && xta__zarr_is_store(path);
}

static const char *const suffixes[] = {"zarr", NULL};
static const char *const coordinates[] = {VALUES, NULL};

const bridge_format xta__bridge_zarr = {
    .name = "zarr",
    .summary = "zarr: arrays of Zarr stores, versions 2 and 3 (.zarr), import only",
    .suffixes = suffixes,
    .several = true,
    .origin = BRIDGE_ORIGIN_LIST,
    .coordinates = coordinates,
    .sniff = zarr_sniff,
    .open = zarr_open,
    .read = zarr_read,
    .close = zarr_close,
};
