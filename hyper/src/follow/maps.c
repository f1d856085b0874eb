/* The arrays of a follower: opened when they are first needed, brought to the bounds of the scene,
 * and deleted when the scene or the endmembers no longer fit them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "follow/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/scene_map.h>

#include "parallel/communicator.h"
#include "state/replace_file.h"
#include "util/try.h"

static const struct {
    const char *name, *title;
} maps[N_MAPS] = {
    [MAP_PPI] = {"ppi", "pixel purity index"},
    [MAP_MEI] = {"mei", "morphological eccentricity index"},
    [MAP_LABELS] = {"labels", "endmember of each pixel"},
    [MAP_ABUNDANCES] = {"abundances", "abundances"},
    [MAP_RESIDUAL] = {"residual", "residual of the abundances"},
};

const char *xta__follow_map_name(int map)
{
    return maps[map].name;
}

static xta_type type_of(const xta_follow *f, int map)
{
    switch (map) {
    case MAP_PPI:
        return XTA_U32;
    case MAP_LABELS:
        return f->options.n_endmembers <= UINT8_MAX ? XTA_U8 : XTA_U16;
    default:
        return XTA_F32;
    }
}

/* The names "em1", "em2" ... that endmembers.csv has, and pointers to them, in one block; NULL if
 * out of memory. */
static const char **layer_names(size_t n)
{
    enum { NAME_BYTES = 24 };
    const char **names = malloc(n * (sizeof *names + NAME_BYTES) + 1);

    for (size_t k = 0; k < n && names != NULL; k++) {
        char *text = (char *)(names + n) + k * NAME_BYTES;
        snprintf(text, NAME_BYTES, "em%zu", k + 1);
        names[k] = text;
    }
    return names;
}

xta_status xta__follow_map(xta_follow *f, int map, size_t n_layers, xta_error *err)
{
    xta_scene_map_options options = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_status status = XTA_OK;
    const char **names = NULL;
    char *path = NULL;

    if (f->map[map] != NULL) {
        return xta_scene_map_grow(f->scene, f->map[map], err);
    }
    path = xta__file_path(f->folder, maps[map].name);
    names = layer_names(n_layers);
    if (path == NULL || names == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a name");
    }
    XTA_TRY(xta__agree(f->communicator, status, err));
    options.layer_names = n_layers > 0 ? names : NULL;
    options.path = path;
    options.type = type_of(f, map);
    options.n_layers = n_layers;
    options.layer_axis = "endmember";
    options.title = maps[map].title;
    status = xta_scene_map_open(f->scene, &options, &f->map[map], err);
done:
    free(names);
    free(path);
    return status;
}

void xta__follow_close_maps(xta_follow *f)
{
    for (int map = 0; map < N_MAPS; map++) {
        // What is not durable yet is not covered by the state, so the status does not matter.
        (void)xta_array_close(f->map[map], NULL);
        f->map[map] = NULL;
    }
}

static xta_status delete_one(const xta_follow *f, int map, xta_error *err)
{
    char *path = xta__file_path(f->folder, maps[map].name);
    xta_status status = path != NULL ? xta_array_delete(path, err)
                                     : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a name");

    free(path);
    return status == XTA_ENOENT ? XTA_OK : status;
}

xta_status xta__follow_delete_map(xta_follow *f, int map, xta_error *err)
{
    xta_status status = xta_array_close(f->map[map], err);

    f->map[map] = NULL;
    status = xta__agree(f->communicator, status, err);
    if (status == XTA_OK) {
        if (xta_communicator_rank(f->communicator) == 0) {
            status = delete_one(f, map, err);
        }
        status = xta__agree(f->communicator, status, err);
    }
    return status;
}

xta_status xta__follow_sync_maps(xta_follow *f, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int map = 0; map < N_MAPS && status == XTA_OK; map++) {
        if (f->map[map] != NULL) {
            status = xta_array_sync(f->map[map], err);
        }
    }
    return xta__agree(f->communicator, status, err);
}

/* The bounds of an array; *there is false if it does not exist. */
static xta_status bounds_of(const xta_follow *f, int map, xta_box *bounds, bool *there,
                            xta_error *err)
{
    char *path = xta__file_path(f->folder, maps[map].name);
    xta_array *array = NULL;
    xta_status status = path != NULL ? xta_array_open(path, NULL, &array, err)
                                     : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a name");

    *there = status == XTA_OK;
    if (status == XTA_OK) {
        *bounds = xta_array_bounds(array);
        status = xta_array_close(array, err);
    }
    free(path);
    return status == XTA_ENOENT ? XTA_OK : status;
}

static bool lies_within(const xta_box *box, const xta_scene_info *scene)
{
    const int lines = box->ndim - 2, samples = box->ndim - 1;

    return box->ndim >= 2 && box->lo[lines] >= scene->line_lo && box->hi[lines] <= scene->line_hi &&
           box->lo[samples] == scene->sample_lo && box->hi[samples] == scene->sample_hi;
}

/* Give what rank 0 has found to all members. */
static xta_status share_bounds(const xta_follow *f, uint64_t *value, xta_error *err)
{
    unsigned char *all = NULL;
    size_t *bytes = NULL;
    xta_status status = xta__gather(f->communicator, value, sizeof *value, &all, &bytes, err);

    if (status == XTA_OK) {
        memcpy(value, all, sizeof *value);
    }
    free(all);
    free(bytes);
    return status;
}

xta_status xta__follow_maps_fit(xta_follow *f, bool *fit, xta_error *err)
{
    const xta_scene_info info = xta_scene_inquire(f->scene);
    xta_status status = XTA_OK;
    uint64_t fits = 1;

    for (int map = 0;
         map < N_MAPS && status == XTA_OK && xta_communicator_rank(f->communicator) == 0; map++) {
        xta_box bounds;
        bool there = false;
        status = bounds_of(f, map, &bounds, &there, err);
        fits = fits && (!there || lies_within(&bounds, &info));
    }
    XTA_TRY(xta__agree(f->communicator, status, err));
    XTA_TRY(share_bounds(f, &fits, err));
    *fit = fits != 0;
done:
    return status;
}

xta_status xta__follow_layers_fit(xta_follow *f, bool *fit, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t fits = 1;

    if (xta_communicator_rank(f->communicator) == 0) {
        xta_box bounds;
        bool there = false;
        status = bounds_of(f, MAP_ABUNDANCES, &bounds, &there, err);
        fits = status != XTA_OK || !there ||
               (bounds.ndim == 3 && bounds.hi[0] - bounds.lo[0] == (int64_t)f->endmembers.n);
    }
    XTA_TRY(xta__agree(f->communicator, status, err));
    XTA_TRY(share_bounds(f, &fits, err));
    *fit = fits != 0;
done:
    return status;
}
