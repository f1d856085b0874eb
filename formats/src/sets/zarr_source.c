/* What a Zarr store holds, as groups, dimensions and variables.
 *
 * Dimensions are those that xarray writes: `_ARRAY_DIMENSIONS` (version 2) or `dimension_names`
 * (3). An axis without one, or whose length differs from that of the dimension elsewhere in the
 * group, gets a dimension of its own, NAME_dimK.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/zarr_source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "description/origin.h"
#include "netcdf/names.h"
#include "sets/names.h"
#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"
#include "zarr/attributes.h"
#include "zarr/chunks.h"
#include "zarr/names.h"
#include "zarr/node.h"
#include "zarr/read_array.h"

enum { MOST_DEPTH = 32 };

typedef struct source_array {
    char *path; /* in the store */
    zarr_array array;
} source_array;

typedef struct zarr_source {
    zarr_store store;
    source_array *arrays;
    size_t n_arrays, arrays_capacity;
    pthread_mutex_t lock;   /* of the cache */
    zarr_chunk_cache cache; /* the chunk that was decoded last */
} zarr_source;

/* ---- dimensions ---- */

static const set_dimension *find_dimension(const set_group *group, const char *name)
{
    for (size_t k = 0; k < group->n_dimensions; k++) {
        if (strcmp(group->dimensions[k].name, name) == 0) {
            return &group->dimensions[k];
        }
    }
    return NULL;
}

static bool add_dimension(set_group *group, const char *name, int64_t length)
{
    if (find_dimension(group, name) != NULL) {
        return true;
    }
    char *own = xta__bridge_copy(name);
    if (own == NULL ||
        !XTA__RESERVE(group->dimensions, group->dimensions_capacity, group->n_dimensions + 1)) {
        free(own);
        return false;
    }
    group->dimensions[group->n_dimensions++] = (set_dimension){.name = own, .length = length};
    return true;
}

static bool is_name(const char *name)
{
    size_t n = name != NULL ? strlen(name) : 0;

    return n > 0 && n <= 200 && xta__clean_bytes(name, n, false) == n && strchr(name, '/') == NULL;
}

/* How often an axis before has this name. */
static int repeats(const json_t *names, int axis, const char *name)
{
    int n = 0;

    for (int k = 0; k < axis; k++) {
        const char *one = json_string_value(json_array_get(names, (size_t)k));
        n += one != NULL && strcmp(one, name) == 0;
    }
    return n;
}

static bool is_axis_before(const set_variable *v, int axis, const char *name)
{
    for (int k = 0; k < axis; k++) {
        if (strcmp(v->what.name[k], name) == 0) {
            return true;
        }
    }
    return false;
}

/* A name that no dimension of the group has, nor an axis before. NULL: out of memory. */
static char *free_name(const set_group *group, const set_variable *v, int axis, char *name)
{
    while (name != NULL && (find_dimension(group, name) != NULL || is_axis_before(v, axis, name))) {
        char *longer = xta__string("%s_", name);
        free(name);
        name = longer;
    }
    return name;
}

/* The name of an axis; NULL: it has none that a dimension can have here. */
static xta_status read_name(set_source *source, const set_group *group, const char *path,
                            const set_variable *v, const json_t *names, int axis, const char **out,
                            xta_error *err)
{
    const json_t *json = json_array_get(names, (size_t)axis);
    const char *name = json_string_value(json);

    *out = NULL;
    if (json == NULL || json_is_null(json)) {
        return XTA_OK;
    }
    if (!is_name(name)) {
        return xta__set_lose(source, path, v->name, "a dimension has a name that is none here",
                             err);
    }
    const set_dimension *d = find_dimension(group, name);
    if (d != NULL && d->length != v->what.bounds[axis]) {
        return xta__set_lose(source, path, v->name,
                             "a dimension has another length than in other arrays", err);
    }
    *out = name;
    return XTA_OK;
}

static xta_status name_axis(set_source *source, set_group *group, const char *path, set_variable *v,
                            const json_t *names, int axis, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t length = v->what.bounds[axis];
    const char *name = NULL;

    XTA_TRY(read_name(source, group, path, v, names, axis, &name, err));
    int before = name != NULL ? repeats(names, axis, name) : 0;
    char *own = name == NULL ? free_name(group, v, axis, xta__string("%.200s_dim%d", v->name, axis))
                : before > 0 ? free_name(group, v, axis, xta__string("%s_%d", name, before + 1))
                             : xta__bridge_copy(name);
    bool good =
        own != NULL &&
        (before == 0 ? add_dimension(group, own, length)
                     : xta__description_add_text(&v->what, axis, NC_DIMENSION, name) != NULL);
    v->what.name[axis] = own;
    if (!good) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }

done:
    return status;
}

/* Second axes along a dimension must not meet dimensions that came later. */
static xta_status rename_repeats(const set_source *source, set_group *group, xta_error *err)
{
    for (size_t k = 0; k < group->n_variables; k++) {
        set_variable *v = &group->variables[k];
        for (int axis = 0; axis < v->what.ndim && !v->scalar; axis++) {
            if (xta__description_text(&v->what, axis, NC_DIMENSION) == NULL) {
                continue;
            }
            v->what.name[axis] = free_name(group, v, axis, v->what.name[axis]);
            if (v->what.name[axis] == NULL) {
                return xta__bridge_no_memory(source->path, err);
            }
        }
    }
    return XTA_OK;
}

/* ---- arrays ---- */

static xta_status keep_fill(set_source *source, set_variable *v, const zarr_array *array,
                            bool is_missing, xta_error *err)
{
    if (!array->has_fill) {
        return XTA_OK;
    }
    v->what.fill = malloc(array->cell_bytes);
    if (v->what.fill == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    memcpy(v->what.fill, array->fill, array->cell_bytes);
    // xarray reads the fill value of version 2 as that of missing cells.
    bool attribute = is_missing && array->type != XTA_BYTES &&
                     xta__description_find(&v->what, XTA_ON_ARRAY, "_FillValue") == NULL;
    return !attribute || xta__description_add(&v->what, XTA_ON_ARRAY, "_FillValue", array->type, 1,
                                              array->fill) != NULL
               ? XTA_OK
               : xta__bridge_no_memory(source->path, err);
}

/* Attributes, except the one that has the names of dimensions. */
static xta_status read_attributes(set_source *source, const char *path, const char *name,
                                  const json_t *attributes, const char *skip,
                                  bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    json_t *illegal = json_array();

    if (attributes != NULL && !json_is_object(attributes)) {
        XTA_TRY(xta__set_lose(source, path, name, "its attributes are no object", err));
    }
    if (illegal == NULL || !xta__zarr_read_attributes(attributes, skip, what, illegal)) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    for (size_t k = 0; k < json_array_size(illegal); k++) {
        char *text = xta__string("its attribute \"%.300s\" has a name that is none here",
                                 json_string_value(json_array_get(illegal, k)));
        status = text != NULL ? xta__set_lose(source, path, name, text, err)
                              : xta__bridge_no_memory(source->path, err);
        free(text);
        XTA_TRY(status);
    }

done:
    json_decref(illegal);
    return status;
}

static xta_status describe(set_source *source, set_group *group, const char *path, set_variable *v,
                           const zarr_array *array, const zarr_node *of, xta_error *err)
{
    xta_status status = XTA_OK;
    const zarr_source *zarr = source->state;
    const char *skip = NULL;
    const json_t *names = xta__zarr_dimensions(&zarr->store, of, array->ndim, &skip);

    v->what.type = array->type;
    v->what.cell_bytes = array->cell_bytes;
    v->what.ndim = array->ndim > 0 ? array->ndim : 1;
    v->scalar = array->ndim == 0;
    v->strings = array->chain.texts != ZARR_NO_TEXTS;
    v->what.bounds[0] = 1;
    for (int axis = 0; axis < array->ndim; axis++) {
        v->what.bounds[axis] = array->shape[axis];
        XTA_TRY(name_axis(source, group, path, v, names, axis, err));
    }
    bool good = (!v->scalar ||
                 xta__description_add_text(&v->what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") != NULL) &&
                (!v->strings ||
                 xta__description_add_text(&v->what, XTA_ON_ARRAY, SET_STRINGS, "yes") != NULL);
    XTA_TRY(read_attributes(source, path, v->name, of->attributes, skip, &v->what, err));
    good = good && (v->scalar || xta__description_add(&v->what, XTA_ON_ARRAY, ZARR_CHUNKS, XTA_I64,
                                                      (size_t)array->ndim, array->chunk) != NULL);
    if (!good || !xta__zarr_type_fill(&v->what)) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    XTA_TRY(keep_fill(source, v, array, names != NULL && zarr->store.version == 2, err));
    XTA_TRY(xta__origin_read(&v->what, BRIDGE_ORIGIN_LIST, v->origin, source->path, err));

done:
    return status;
}

static xta_status add_array(set_source *source, set_group *group, const char *folder,
                            const char *path, const char *name, const zarr_node *of, xta_error *err)
{
    xta_status status = XTA_OK;
    zarr_source *zarr = source->state;
    zarr_array array;
    char text[160];
    const char *wrong = NULL;

    XTA_TRY(xta__zarr_read_array(&zarr->store, path, of->array, &array, &wrong, text, err));
    if (wrong != NULL) {
        return xta__set_lose(source, folder, name, wrong, err);
    }
    if (!XTA__RESERVE(zarr->arrays, zarr->arrays_capacity, zarr->n_arrays + 1) ||
        !XTA__RESERVE(group->variables, group->variables_capacity, group->n_variables + 1)) {
        xta__zarr_array_clear(&array);
        return xta__bridge_no_memory(source->path, err);
    }
    zarr->arrays[zarr->n_arrays++] = (source_array){.path = xta__bridge_copy(path), .array = array};
    set_variable *v = &group->variables[group->n_variables++];
    *v = (set_variable){.id = (int)zarr->n_arrays - 1};
    xta__description_init(&v->what);
    v->name = xta__copy_foreign_name(name);
    if (v->name == NULL || zarr->arrays[v->id].path == NULL) {
        XTA_TRY(xta__bridge_no_memory(source->path, err));
    }
    XTA_TRY(describe(source, group, folder, v, &array, of, err));

done:
    return status;
}

/* ---- groups ---- */

static xta_status read_group(set_source *source, set_group *group, const char *path, int depth,
                             const json_t *attributes, xta_error *err);

static xta_status add_group(set_source *source, set_group *group, const char *path,
                            const char *name, int depth, const json_t *attributes, xta_error *err)
{
    if (depth > MOST_DEPTH) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: groups are nested deeper than %d",
                             source->path, MOST_DEPTH);
    }
    if (!XTA__RESERVE(group->groups, group->groups_capacity, group->n_groups + 1)) {
        return xta__bridge_no_memory(source->path, err);
    }
    set_group *inner = &group->groups[group->n_groups++];
    *inner = (set_group){.name = xta__copy_foreign_name(name)};
    xta__description_init(&inner->attributes);
    return inner->name == NULL ? xta__bridge_no_memory(source->path, err)
                               : read_group(source, inner, path, depth, attributes, err);
}

/* What is odd about a node, though it comes. */
static xta_status report_node(set_source *source, const char *folder, const char *name,
                              const zarr_node *of, xta_error *err)
{
    xta_status status = XTA_OK;

    if (of->stale) {
        XTA_TRY(xta__set_lose(source, folder, name,
                              "its consolidated metadata, which differs from its own", err));
    }
    if (of->array != NULL && of->group) {
        XTA_TRY(
            xta__set_lose(source, folder, name, "it is a group, too, whose members are lost", err));
    }

done:
    return status;
}

static xta_status add_child(set_source *source, set_group *group, const char *folder,
                            const char *name, int depth, xta_error *err)
{
    xta_status status = XTA_OK;
    const zarr_source *zarr = source->state;
    zarr_node of = {0};
    char *path = xta__string("%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);

    if (path == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    if (!is_name(name) || name[0] == '.') {
        XTA_TRY(xta__set_lose(source, folder, name, "a member cannot have this name", err));
        goto done;
    }
    XTA_TRY(xta__zarr_node_read(&zarr->store, path, &of, err));
    XTA_TRY(report_node(source, folder, name, &of, err));
    if (of.array != NULL) {
        XTA_TRY(add_array(source, group, folder, path, name, &of, err));
    } else if (of.group) {
        XTA_TRY(add_group(source, group, path, name, depth + 1, of.attributes, err));
    } else {
        XTA_TRY(xta__set_lose(source, folder, name,
                              "its metadata is that of no group nor array of the store's version",
                              err));
    }

done:
    xta__zarr_node_clear(&of);
    free(path);
    return status;
}

static xta_status read_group(set_source *source, set_group *group, const char *path, int depth,
                             const json_t *attributes, xta_error *err)
{
    xta_status status = XTA_OK;
    const zarr_source *zarr = source->state;
    json_t *children = NULL, *why = NULL;
    const char *name = NULL;

    XTA_TRY(read_attributes(source, path, depth == 0 ? "the store" : "the group", attributes, NULL,
                            &group->attributes, err));
    XTA_TRY(xta__zarr_store_children(&zarr->store, path, &children, err));
    json_object_foreach(children, name, why)
    {
        XTA_TRY(json_is_string(why) ? xta__set_lose(source, path, name, json_string_value(why), err)
                                    : add_child(source, group, path, name, depth, err));
    }
    XTA_TRY(rename_repeats(source, group, err));

done:
    json_decref(children);
    return status;
}

/* The name of the store's folder, without its suffix, for an array that is no group's. */
static char *name_of_store(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    size_t from = n;
    while (from > 0 && path[from - 1] != '/') {
        from--;
    }
    n -= n > from + 5 && strncmp(path + n - 5, ".zarr", 5) == 0 ? 5 : 0;
    return xta__string("%.*s", (int)(n - from), path + from);
}

static xta_status open_zarr(const char *path, bool trust, set_source *source, xta_error *err)
{
    xta_status status = XTA_OK;
    zarr_node root = {0};
    char *name = NULL;
    zarr_source *zarr = calloc(1, sizeof *zarr);

    if (zarr == NULL || pthread_mutex_init(&zarr->lock, NULL) != 0) {
        free(zarr);
        return xta__bridge_no_memory(path, err);
    }
    source->state = zarr;
    XTA_TRY(xta__zarr_store_open(source->path, trust, &zarr->store, err));
    XTA_TRY(xta__zarr_node_read(&zarr->store, "", &root, err));
    name = name_of_store(path);
    if (name == NULL) {
        XTA_TRY(xta__bridge_no_memory(path, err));
    }
    XTA_TRY(report_node(source, "", name, &root, err));
    if (root.array != NULL) {
        XTA_TRY(add_array(source, &source->root, "", "", name, &root, err));
    } else if (root.group) {
        XTA_TRY(read_group(source, &source->root, "", 0, root.attributes, err));
    } else {
        XTA_TRY(xta_error_set(
            err, XTA_EFORMAT, 0,
            "%s/%s: is of no group nor array of version %d; write the store again", path,
            zarr->store.version == 3 ? "zarr.json" : ".zgroup", zarr->store.version));
    }

done:
    free(name);
    xta__zarr_node_clear(&root);
    return status;
}

static void close_zarr(set_source *source)
{
    zarr_source *zarr = source->state;

    for (size_t k = 0; zarr != NULL && k < zarr->n_arrays; k++) {
        free(zarr->arrays[k].path);
        xta__zarr_array_clear(&zarr->arrays[k].array);
    }
    if (zarr != NULL) {
        xta__zarr_store_close(&zarr->store);
        pthread_mutex_destroy(&zarr->lock);
        free(zarr->cache.cells);
        free(zarr->arrays);
    }
    free(zarr);
}

/* The chunk that was decoded last belongs to the thread that takes it. */
static zarr_chunk_cache exchange_cache(zarr_source *zarr, zarr_chunk_cache given)
{
    pthread_mutex_lock(&zarr->lock);
    zarr_chunk_cache taken = zarr->cache;
    zarr->cache = given;
    pthread_mutex_unlock(&zarr->lock);
    return taken;
}

static xta_status read_zarr(const set_source *source, const set_variable *v, const xta_box *box,
                            void *cells, xta_error *err)
{
    zarr_source *zarr = source->state;
    const source_array *node = &zarr->arrays[v->id];
    zarr_chunk_cache mine = exchange_cache(zarr, (zarr_chunk_cache){0});

    xta_status status =
        xta__zarr_read_box(&zarr->store, node->path, &node->array, &mine, box, cells, err);
    free(exchange_cache(zarr, mine).cells);
    return status;
}

static bool is_empty(const set_source *source, const set_variable *v, const xta_box *box)
{
    const zarr_source *zarr = source->state;
    const source_array *node = &zarr->arrays[v->id];

    return xta__zarr_is_empty(&zarr->store, node->path, &node->array, box);
}

const set_reader xta__set_zarr = {
    .open = open_zarr,
    .read = read_zarr,
    .is_empty = is_empty,
    .close = close_zarr,
    .parallel = true,
};
