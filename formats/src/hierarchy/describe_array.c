/* The node of an array in files.
 *
 * An array without a fill value of its own (zero) has none in version 2, where readers take it for
 * "missing", unless the attribute _FillValue says so.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy/describe_array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "description/origin.h"
#include "hierarchy/json_values.h"
#include "sets/names.h"
#include "util/json.h"
#include "util/try.h"

#define FILL_VALUE "_FillValue"

/* ---- attributes ---- */

void xta__hierarchy_add_attribute(hierarchy_node *node, const xta_attribute *a)
{
    if (strchr(a->name, '/') != NULL || strcmp(a->name, "_ARRAY_DIMENSIONS") == 0 ||
        !xta__hierarchy_has_value(a)) {
        return;
    }
    for (int k = 0; k < N_ATTRIBUTES; k++) {
        bool v2 = k == ATTRIBUTES_V2;
        if (v2 && node->no_data != NULL && strcmp(a->name, FILL_VALUE) == 0) {
            continue; // it is the fill value there
        }
        xta__text *out = &node->attributes[k];
        xta__text_add_string(out, out->n > 0 ? ", " : "");
        xta__hierarchy_add_string(out, a->name);
        xta__text_add_string(out, ": ");
        xta__hierarchy_add_attribute_value(out, v2 ? 2 : 3, a);
    }
}

void xta__hierarchy_add_text_attribute(hierarchy_node *node, const char *name, const char *text)
{
    xta_attribute a = {
        .name = name, .type = XTA_TEXT, .cell_bytes = 1, .count = strlen(text), .values = text};

    xta__hierarchy_add_attribute(node, &a);
}

xta_status xta__hierarchy_add_attributes_of(hierarchy_node *node, xta_array *array, int axis,
                                            xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;

    for (size_t k = 0; k < xta_attribute_count(array, axis); k++) {
        XTA_TRY(xta_attribute_at(array, axis, k, &a, err));
        // The origin is computed; xta__hierarchy_add_origin says it.
        if ((axis == XTA_ON_ARRAY || strcmp(a.name, "values") != 0) &&
            strcmp(a.name, BRIDGE_ORIGIN) != 0) {
            xta__hierarchy_add_attribute(node, &a);
        }
    }

done:
    return status;
}

void xta__hierarchy_add_origin(hierarchy_node *node, const bool bare[])
{
    int64_t origin[XTA_MAX_NDIM];
    bool any = false;

    for (int axis = 0; axis < node->seen.box.ndim; axis++) {
        origin[axis] = bare[axis] ? node->seen.box.lo[axis] : 0;
        any = any || origin[axis] != 0;
    }
    xta_attribute a = {.name = BRIDGE_ORIGIN,
                       .type = XTA_I64,
                       .cell_bytes = sizeof origin[0],
                       .count = (size_t)node->seen.box.ndim,
                       .values = origin};
    if (any) {
        xta__hierarchy_add_attribute(node, &a);
    }
}

/* ---- fill ---- */

static unsigned char *copy_bytes(const void *bytes, size_t n)
{
    unsigned char *copy = malloc(n);

    if (copy != NULL) {
        memcpy(copy, bytes, n);
    }
    return copy;
}

/* The value that _FillValue says, in the type of the cells, if they can hold it. */
static bool read_no_data(xta_array *array, unsigned char *cell)
{
    xta_attribute a;

    return xta_attribute_get(array, XTA_ON_ARRAY, FILL_VALUE, &a, NULL) == XTA_OK && a.count == 1 &&
           a.type != XTA_TEXT && a.type != XTA_BYTES && xta_array_type(array) != XTA_BYTES &&
           xta_type_convert(a.type, a.values, xta_array_type(array), cell, 1, NULL) == XTA_OK;
}

static xta_status describe_fill(const xta_zarr *zarr, hierarchy_node *node, xta_array *array,
                                xta_error *err)
{
    size_t bytes = node->seen.cell_bytes, k = 0;
    const unsigned char *fill = xta_array_fill_value(array);
    unsigned char said[16];

    while (k < bytes && fill[k] == 0) {
        k++;
    }
    if (k < bytes) {
        node->fill = copy_bytes(fill, bytes);
        node->masked = zarr->options.stored;
        if (node->fill == NULL) {
            return xta__hierarchy_no_memory(zarr, err);
        }
    }
    if (read_no_data(array, said)) {
        node->no_data = copy_bytes(said, bytes);
        return node->no_data != NULL ? XTA_OK : xta__hierarchy_no_memory(zarr, err);
    }
    return XTA_OK;
}

/* ---- the grid ---- */

static xta_status refuse_front(const xta_zarr *zarr, const hierarchy_node *node, int axis,
                               int64_t past, xta_error *err)
{
    int64_t lo = node->seen.box.lo[axis];

    return xta_error_set(
        err, XTA_EUNSUPPORTED, 0,
        "%s: axis %d (%s) of array %s begins at cell %" PRId64
        ", inside the chunk of cells %" PRId64 " to %" PRId64
        ", and a grid of Zarr begins with a whole chunk; extend the front by %" PRId64
        ", rechunk it, or let xta serve compute the chunks",
        zarr->path, axis, node->dimensions[axis], node->path, lo, lo - past,
        lo - past + node->seen.chunk[axis] - 1, past);
}

/* Whether the chunks of the data file are those of a grid of Zarr. */
static xta_status check_stored(const xta_zarr *zarr, hierarchy_node *node, xta_order order,
                               xta_error *err)
{
    if (order != XTA_ROW && order != XTA_COLUMN) {
        return xta_error_set(
            err, XTA_EUNSUPPORTED, 0,
            "%s: the cells of a chunk of array %s lie in %s order, which Zarr does "
            "not have; rechunk it with --order row, or let xta serve compute the "
            "chunks",
            zarr->path, node->path, order == XTA_MORTON ? "Morton" : "Hilbert");
    }
    node->column = order == XTA_COLUMN;
    for (int axis = 0; axis < node->seen.box.ndim; axis++) {
        int64_t past = node->seen.box.lo[axis] % node->seen.chunk[axis];
        if (past != 0 && !xta_box_empty(&node->seen.box)) {
            return refuse_front(zarr, node, axis, past < 0 ? past + node->seen.chunk[axis] : past,
                                err);
        }
    }
    return XTA_OK;
}

static xta_status name_dimensions(xta_zarr *zarr, hierarchy_node *node, const char *scope,
                                  const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box *box = &node->seen.box;

    for (int axis = 0; axis < box->ndim; axis++) {
        const char *own = xta_axis_name(node->seen.array, axis);
        char *dimension =
            own[0] != '\0' ? xta__string("%s", own) : xta__string("%s_dim%d", name, axis);
        char *scoped = dimension != NULL ? xta__string("%s%s", scope, dimension) : NULL;
        node->dimensions[axis] = dimension;
        status = scoped != NULL ? xta__hierarchy_bound(zarr, scoped, node->path, &box->lo[axis],
                                                       &box->hi[axis], err)
                                : xta__hierarchy_no_memory(zarr, err);
        free(scoped);
        XTA_TRY(status);
    }

done:
    return status;
}

xta_status xta__hierarchy_add_array(xta_zarr *zarr, const char *path, const char *scope,
                                    const char *name, xta_array *array, hierarchy_node **out,
                                    xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array_info info;
    xta_attribute texts;
    hierarchy_node *node = xta__hierarchy_add_node(zarr, path);

    if (node == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    XTA_TRY(xta_array_inquire(array, &info, err));
    node->seen.array = array;
    node->seen.type = info.type;
    node->seen.cell_bytes = info.cell_bytes;
    node->seen.box = info.bounds;
    memcpy(node->seen.chunk, info.chunk, sizeof node->seen.chunk);
    node->text = info.type == XTA_BYTES &&
                 (info.cell_bytes == 1 ||
                  xta_attribute_get(array, XTA_ON_ARRAY, SET_STRINGS, &texts, NULL) == XTA_OK);
    XTA_TRY(name_dimensions(zarr, node, scope, name, err));
    if (zarr->options.stored) {
        XTA_TRY(check_stored(zarr, node, info.order, err));
    }
    XTA_TRY(describe_fill(zarr, node, array, err));
    XTA_TRY(xta__hierarchy_add_attributes_of(node, array, XTA_ON_ARRAY, err));
    *out = node;

done:
    return status;
}
