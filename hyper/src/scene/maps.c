/* Arrays beside a scene: created, opened, and brought to the bounds of the scene.
 *
 * If the process is killed, the next call completes whatever array it finds: an array is created
 * without lines, then gets its samples, and only then its lines; missing attributes are set each
 * time it is opened.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/maps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/options.h>

#include "parallel/communicator.h"
#include "scene/scene_private.h"
#include "util/try.h"

xta_status xta__axis_bounds(xta_array *map, int axis, int64_t lo, int64_t hi, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box have = xta_array_bounds(map);
    int64_t front = have.lo[axis] - lo, back = hi - have.hi[axis];
    xta_growth more[2] = {{axis, XTA_FRONT, front > 0 ? front : 0},
                          {axis, XTA_BACK, back > 0 ? back : 0}};
    xta_growth less[2] = {{axis, XTA_FRONT, front < 0 ? -front : 0},
                          {axis, XTA_BACK, back < 0 ? -back : 0}};

    if (front > 0 || back > 0) {
        XTA_TRY(xta_array_extend(map, more, 2, NULL, err));
    }
    if (front < 0 || back < 0) {
        XTA_TRY(xta_array_shrink(map, less, 2, NULL, err));
    }
done:
    return status;
}

static xta_status fit_bounds(const xta_scene *scene, xta_array *map, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_scene_info info = xta_scene_inquire(scene);
    xta_box have = xta_array_bounds(map);
    int lines = have.ndim - 2, samples = have.ndim - 1;

    if (have.ndim != 2 && have.ndim != 3) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s has %d axes: a map has lines and samples, and layers before them",
                             xta_array_path(map), have.ndim);
    }
    if (have.lo[lines] == have.hi[lines]) {
        XTA_TRY(xta__axis_bounds(map, samples, info.sample_lo, info.sample_hi, err));
        have = xta_array_bounds(map);
    }
    if (have.lo[samples] != info.sample_lo || have.hi[samples] != info.sample_hi) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s has samples %" PRId64 " to %" PRId64 ", %s has %" PRId64
                             " to %" PRId64 ": write to another place",
                             xta_array_path(map), have.lo[samples], have.hi[samples], info.name,
                             info.sample_lo, info.sample_hi);
    }
    XTA_TRY(xta__axis_bounds(map, lines, info.line_lo, info.line_hi, err));
done:
    return status;
}

/* ---- names and attributes ---- */

static bool has_attribute(xta_array *map, int axis, const char *name)
{
    xta_attribute a;
    return xta_attribute_get(map, axis, name, &a, NULL) == XTA_OK;
}

static xta_status copy_attribute(xta_array *from, xta_array *map, const char *name, xta_error *err)
{
    xta_attribute a;

    if (from == NULL || has_attribute(map, XTA_ON_ARRAY, name) ||
        xta_attribute_get(from, XTA_ON_ARRAY, name, &a, NULL) != XTA_OK) {
        return XTA_OK;
    }
    return xta_attribute_set(map, XTA_ON_ARRAY, &a, err);
}

static xta_status set_layer_names(xta_array *map, const xta_scene_map_options *o, xta_error *err)
{
    size_t n_bytes = 1, at = 0;

    if (o->layer_names == NULL || o->n_layers == 0 || has_attribute(map, 0, "gdal/description")) {
        return XTA_OK;
    }
    for (size_t k = 0; k < o->n_layers; k++) {
        n_bytes += strlen(o->layer_names[k]) + 1;
    }
    char *text = malloc(n_bytes);
    if (text == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the names of %zu layers",
                             o->n_layers);
    }
    for (size_t k = 0; k < o->n_layers; k++) {
        at +=
            (size_t)snprintf(text + at, n_bytes - at, "%s%s", k > 0 ? "\n" : "", o->layer_names[k]);
    }
    xta_status status = xta_attribute_set_text(map, 0, "gdal/description", text, err);
    free(text);
    return status;
}

static xta_status set_attributes(const xta_scene *scene, xta_array *map,
                                 const xta_scene_map_options *o, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(copy_attribute(scene->array, map, "geotransform", err));
    XTA_TRY(copy_attribute(scene->array, map, "projection", err));
    XTA_TRY(set_layer_names(map, o, err));
    if (o->title != NULL && !has_attribute(map, XTA_ON_ARRAY, "title")) {
        XTA_TRY(xta_attribute_set_text(map, XTA_ON_ARRAY, "title", o->title, err));
    }
done:
    return status;
}

/* ---- making and opening ---- */

static const void *fill_of(xta_type type)
{
    static const float f32 = NAN;
    static const double f64 = NAN;
    static const uint16_t f16 = 0x7E00;

    return type == XTA_F32   ? (const void *)&f32
           : type == XTA_F64 ? (const void *)&f64
           : type == XTA_F16 ? (const void *)&f16
                             : NULL;
}

/* The name of the scene's axis, unless that is the name of the axis of layers. */
static const char *axis_name(const xta_scene *scene, int role, const char *layer,
                             const char *otherwise)
{
    const char *name = "";

    if (scene->array != NULL && scene->axis[role] >= 0) {
        name = xta_axis_name(scene->array, scene->axis[role]);
    }
    return name[0] != '\0' && strcmp(name, layer) != 0 ? name : otherwise;
}

static xta_status create_map(const xta_scene *scene, const xta_scene_map_options *o, xta_type type,
                             xta_array **map, xta_error *err)
{
    const char *layer = o->layer_axis != NULL ? o->layer_axis : "band";
    const char *names[3] = {layer, axis_name(scene, LINES, layer, "line"),
                            axis_name(scene, SAMPLES, layer, "sample")};
    xta_scene_info info = xta_scene_inquire(scene);
    int64_t width = info.sample_hi - info.sample_lo;
    int64_t chunk[3] = {1, 64, width < 1 ? 1 : width < 512 ? width : 512};
    int64_t bounds[3] = {(int64_t)o->n_layers, 0, 0};
    int first = o->n_layers > 0 ? 0 : 1;
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;

    create.names = names + first;
    create.chunk = chunk + first;
    create.fill = fill_of(type);
    if (o->path == NULL) {
        return xta_array_new(type, 3 - first, bounds + first, &create, map, err);
    }
    return xta_array_create(o->path, type, 3 - first, bounds + first, &create, map, err);
}

/* Check that the array found is of the kind wanted. */
static xta_status check_map(xta_array *map, const xta_scene_map_options *o, xta_type type,
                            xta_error *err)
{
    xta_box have = xta_array_bounds(map);
    bool layers = o->n_layers > 0;

    if (xta_array_type(map) != type || have.ndim != 2 + layers) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s holds %s in %d axes, not %s in %d: write to another place",
                             o->path, xta_type_name(xta_array_type(map)), have.ndim,
                             xta_type_name(type), 2 + layers);
    }
    if (layers && (have.lo[0] != 0 || have.hi[0] != (int64_t)o->n_layers)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s has %" PRId64 " layers, not %zu: write to another place", o->path,
                             have.hi[0] - have.lo[0], o->n_layers);
    }
    return XTA_OK;
}

/* Create or open the array, on rank 0 or for a process alone. */
static xta_status first_open(const xta_scene *scene, const xta_scene_map_options *o, xta_type type,
                             xta_array **map, xta_error *err)
{
    xta_status status = XTA_ENOENT;
    xta_open_options open = XTA_OPEN_OPTIONS_INIT;

    open.writable = true;
    if (o->path != NULL && !o->must_be_new) {
        status = xta_array_open(o->path, &open, map, err);
    }
    if (status == XTA_ENOENT) {
        status = create_map(scene, o, type, map, err);
    }
    XTA_TRY(status);
    XTA_TRY(check_map(*map, o, type, err));
    XTA_TRY(fit_bounds(scene, *map, err));
    XTA_TRY(set_attributes(scene, *map, o, err));
done:
    return status;
}

xta_status xta_scene_map_open(xta_scene *scene, const xta_scene_map_options *given, xta_array **map,
                              xta_error *err)
{
    xta_scene_map_options taken = XTA_SCENE_MAP_OPTIONS_INIT;
    const xta_scene_map_options *options = &taken;
    const xta_communicator *communicator = scene->communicator;
    xta_open_options open = XTA_OPEN_OPTIONS_INIT;

    *map = NULL;
    xta_status status = xta_options_read(&taken, sizeof taken, given, "xta_scene_map_options", err);
    XTA_TRY(xta__agree(communicator, status, err));
    xta_type type = options->type == XTA_TYPE_SAME ? XTA_F32 : options->type;
    bool own = options->path == NULL;
    open.writable = true;
    if (own || xta_communicator_rank(communicator) == 0) {
        status = first_open(scene, options, type, map, err);
    }
    XTA_TRY(xta__agree(communicator, status, err));
    if (*map == NULL) {
        status = xta_array_open(options->path, &open, map, err);
    }
    XTA_TRY(xta__agree(communicator, status, err));
done:
    if (status != XTA_OK) {
        xta_array_close(*map, NULL);
        *map = NULL;
    }
    return status;
}

xta_status xta_scene_map_grow(xta_scene *scene, xta_array *map, xta_error *err)
{
    xta_status status = XTA_OK;
    bool own = xta_array_path(map)[0] == '\0',
         mine = own || xta_communicator_rank(scene->communicator) == 0;

    if (mine) {
        status = fit_bounds(scene, map, err);
    }
    XTA_TRY(xta__agree(scene->communicator, status, err));
    if (!mine) {
        status = xta_array_refresh(map, NULL, err);
    }
    XTA_TRY(xta__agree(scene->communicator, status, err));
done:
    return status;
}
