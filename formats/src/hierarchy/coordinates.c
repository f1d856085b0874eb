/* Coordinates that no array in files holds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy/coordinates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "description/coordinates.h"
#include "description/copy_attributes.h"
#include "description/description.h"
#include "hierarchy/describe_array.h"
#include "hierarchy/json_values.h"
#include "util/try.h"

/* Cells of a chunk of computed coordinates, whatever their number: growth must not change what a
 * key means. References have all in one. */
enum { CHUNK_CELLS = 4096 };

/* A node of one axis whose cells are [lo, hi). */
static xta_status add_axis_node(xta_zarr *zarr, const char *path, const char *dimension,
                                xta_type type, size_t cell_bytes, int64_t lo, int64_t hi,
                                hierarchy_node **out, xta_error *err)
{
    size_t n = (size_t)(hi - lo);
    hierarchy_node *node = xta__hierarchy_add_node(zarr, path);

    if (node == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    node->dimensions[0] = xta__string("%s", dimension);
    if (node->dimensions[0] == NULL) {
        return xta__hierarchy_no_memory(zarr, err);
    }
    node->seen.values_bytes = n * cell_bytes;
    node->seen.type = type;
    node->seen.cell_bytes = cell_bytes;
    node->seen.box = xta_box_make(1, &lo, &hi);
    node->seen.chunk[0] = !zarr->options.stored ? CHUNK_CELLS : n > 0 ? hi - lo : 1;
    *out = node;
    return XTA_OK;
}

xta_status xta__hierarchy_add_regular(xta_zarr *zarr, const char *path, const char *dimension,
                                      const xta_regular *regular, int64_t lo, int64_t hi,
                                      hierarchy_node **out, xta_error *err)
{
    xta_status status = add_axis_node(zarr, path, dimension, regular->type,
                                      xta_type_bytes(regular->type), lo, hi, out, err);

    if (status == XTA_OK) {
        (*out)->regular = *regular;
        (*out)->seen.regular = &(*out)->regular;
    }
    return status;
}

/* A node of one axis whose values, of [lo, hi), are zero. */
static xta_status add_values(xta_zarr *zarr, const char *path, const char *dimension, xta_type type,
                             size_t cell_bytes, int64_t lo, int64_t hi, hierarchy_node **out,
                             xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(add_axis_node(zarr, path, dimension, type, cell_bytes, lo, hi, out, err));
    (*out)->values = calloc((size_t)(hi - lo) + 1, cell_bytes);
    if ((*out)->values == NULL) {
        XTA_TRY(xta__hierarchy_no_memory(zarr, err));
    }
    (*out)->seen.values = (*out)->values;

done:
    return status;
}

/* ---- the axes of a single array ---- */

/* Listed numbers, from the attribute of the axis, which has all their bits. */
static xta_status add_listed(xta_zarr *zarr, const char *path, const hierarchy_node *of, int axis,
                             hierarchy_node **out, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    bridge_attribute *a = NULL;
    const xta_box *box = &of->seen.box;
    int64_t lo = box->lo[axis], hi = box->hi[axis];

    xta__description_init(&what);
    what.ndim = box->ndim;
    for (int k = 0; k < box->ndim; k++) {
        what.lo[k] = box->lo[k];
        what.bounds[k] = box->hi[k] - box->lo[k];
    }
    XTA_TRY(xta__copy_attribute_from(of->seen.array, axis, BRIDGE_VALUES, &what, &a, err));
    if (a == NULL || a->type == XTA_TEXT || a->count != (size_t)(hi - lo)) {
        goto done; // the caller has them as doubles
    }
    XTA_TRY(add_values(zarr, path, of->dimensions[axis], a->type, xta_type_bytes(a->type), lo, hi,
                       out, err));
    memcpy((*out)->values, a->values, (*out)->seen.values_bytes);

done:
    xta__description_clear(&what);
    return status;
}

/* Numbers that the array has from the data set that it is a member of. */
static xta_status add_numbers(xta_zarr *zarr, const char *path, const hierarchy_node *of, int axis,
                              const xta_coordinates *c, hierarchy_node **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_type type = xta_coordinates_type(c);
    int64_t lo = of->seen.box.lo[axis], hi = of->seen.box.hi[axis];

    // Bounds that the caller gave may be wider than those of an array that has shrunk.
    if (lo < xta_coordinates_lo(c) || hi > xta_coordinates_hi(c)) {
        XTA_TRY(xta_error_set(err, XTA_EBOX, 0,
                              "%s: axis %d (%s): the cells %" PRId64 " to %" PRId64
                              " have no coordinates any more; take the newest snapshot",
                              zarr->path, axis, of->dimensions[axis], lo, hi - 1));
    }
    XTA_TRY(
        add_values(zarr, path, of->dimensions[axis], type, xta_type_bytes(type), lo, hi, out, err));
    xta_coordinates_values(c, lo, hi, (*out)->values);

done:
    return status;
}

/* Names, as texts of the length of the longest. */
static xta_status add_names(xta_zarr *zarr, const char *path, const hierarchy_node *of, int axis,
                            const xta_coordinates *c, hierarchy_node **out, xta_error *err)
{
    size_t longest = 1;
    int64_t lo = of->seen.box.lo[axis], hi = of->seen.box.hi[axis];

    for (int64_t cell = lo; cell < hi; cell++) {
        const char *name = xta_coordinates_name(c, cell);
        size_t n = name != NULL ? strlen(name) : 0;
        longest = n > longest ? n : longest;
    }
    xta_status status =
        add_values(zarr, path, of->dimensions[axis], XTA_BYTES, longest, lo, hi, out, err);
    for (int64_t cell = lo; cell < hi && status == XTA_OK; cell++) {
        const char *name = xta_coordinates_name(c, cell);
        if (name != NULL) {
            memcpy((*out)->values + (size_t)(cell - lo) * longest, name, strlen(name));
        }
    }
    if (status == XTA_OK) {
        (*out)->text = true;
    }
    return status;
}

/* Attributes of the axis; unit and calendar may be those of its data set. */
static xta_status describe_axis(hierarchy_node *node, xta_array *array, int axis,
                                const xta_coordinates *c, xta_error *err)
{
    static const char *const names[] = {"units", "calendar"};
    const char *texts[] = {xta_coordinates_unit(c), xta_coordinates_calendar(c)};
    xta_attribute found;
    xta_status status = xta__hierarchy_add_attributes_of(node, array, axis, err);

    for (int k = 0; k < 2; k++) {
        if (texts[k][0] != '\0' &&
            xta_attribute_get(array, axis, names[k], &found, NULL) != XTA_OK) {
            xta__hierarchy_add_text_attribute(node, names[k], texts[k]);
        }
    }
    return status;
}

/* Whether an axis has coordinates that a node beside the array can hold. Lists that do not cover
 * the cells are left out: none are made up. */
static xta_status read_coordinates(const xta_zarr *zarr, const hierarchy_node *of, int axis,
                                   xta_coordinates **c, xta_error *err)
{
    const char *path = of->dimensions[axis];
    xta_error local = {0};

    *c = NULL;
    if (of->seen.box.lo[axis] == of->seen.box.hi[axis] ||
        xta_axis_name(of->seen.array, axis)[0] == '\0' || strchr(path, '/') != NULL ||
        path[0] == '.' || xta__hierarchy_find_node(zarr, path) != NULL) {
        return XTA_OK;
    }
    xta_status status = xta_coordinates_read(of->seen.array, axis, c, &local);
    if (status == XTA_OK || status == XTA_ENOENT || status == XTA_EBOX) {
        return XTA_OK;
    }
    return xta_error_set(err, status, local.os_errno, "%s", local.text);
}

static xta_status add_coordinates(xta_zarr *zarr, const hierarchy_node *of, int axis,
                                  const xta_coordinates *c, hierarchy_node **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_regular regular;
    const char *path = of->dimensions[axis]; // the group is the root
    int64_t lo = of->seen.box.lo[axis], hi = of->seen.box.hi[axis];

    if (xta_coordinates_kind_of(c) == XTA_COORDINATES_NAMES) {
        return add_names(zarr, path, of, axis, c, out, err);
    }
    // Those of its data set are not the axis's own.
    if (xta_coordinates_kind_of(c) == XTA_COORDINATES_REGULAR &&
        xta_axis_regular(of->seen.array, axis, &regular, NULL) == XTA_OK) {
        return xta__hierarchy_add_regular(zarr, path, path, &regular, lo, hi, out, err);
    }
    XTA_TRY(add_listed(zarr, path, of, axis, out, err));
    if (*out == NULL) {
        XTA_TRY(add_numbers(zarr, path, of, axis, c, out, err));
    }

done:
    return status;
}

xta_status xta__hierarchy_add_axis(xta_zarr *zarr, const hierarchy_node *of, int axis, bool *found,
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    xta_coordinates *c = NULL;
    hierarchy_node *node = NULL;

    *found = false;
    XTA_TRY(read_coordinates(zarr, of, axis, &c, err));
    if (c != NULL) {
        XTA_TRY(add_coordinates(zarr, of, axis, c, &node, err));
        XTA_TRY(describe_axis(node, of->seen.array, axis, c, err));
        *found = true;
    }

done:
    xta_coordinates_free(c);
    return status;
}
