/* A scene: opened, refreshed, read.
 *
 * Each member of a communicator has its own handle of the array, and these may have been refreshed
 * at different times. So all members use the bounds that rank 0 sees, and all must arrive at the
 * same signature.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "scene/scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "parallel/communicator.h"
#include "scene/axes.h"
#include "scene/bands.h"
#include "scene/cells.h"
#include "scene/scene_private.h"
#include "scene/strips.h"
#include "scene/tile.h"
#include "util/checked.h"

#define DEFAULT_BYTES (UINT64_C(1) << 30)

/* ---- agreement of the members ---- */

/* What one member sees before it gets the bounds of rank 0. */
typedef struct view {
    int64_t lo[3], hi[3];
    int64_t axis[3];
} view;

static view view_of(const xta_scene *scene)
{
    view v;

    for (int role = 0; role < 3; role++) {
        v.axis[role] = scene->axis[role];
        v.lo[role] = scene->source.lo[role];
        v.hi[role] = scene->source.hi[role];
    }
    if (scene->array != NULL) {
        xta_box box = xta_array_bounds(scene->array);
        for (int role = 0; role < 3; role++) {
            int axis = scene->axis[role];
            v.lo[role] = axis >= 0 ? box.lo[axis] : 0;
            v.hi[role] = axis >= 0 ? box.hi[axis] : 1;
        }
    }
    return v;
}

/* Collective. The values of all members in the order of their ranks; NULL after a failure, which is
 * agreed. */
static void *gather_all(const xta_communicator *communicator, const void *mine, size_t bytes,
                        xta_status *status, xta_error *err)
{
    void *all = calloc((size_t)xta_communicator_size(communicator), bytes);

    *status = all == NULL ? xta_error_set(err, XTA_ENOMEM, 0, "no memory for a communicator of %d",
                                          xta_communicator_size(communicator))
                          : XTA_OK;
    *status = xta__agree(communicator, *status, err);
    if (*status == XTA_OK && communicator != NULL) {
        *status = communicator->gather(communicator->context, mine, bytes, all, err);
    } else if (*status == XTA_OK) {
        memcpy(all, mine, bytes);
    }
    if (*status != XTA_OK) {
        free(all);
        return NULL;
    }
    return all;
}

/* Collective. Set scene->now to the bounds that rank 0 sees. */
static xta_status share_bounds(xta_scene *scene, xta_error *err)
{
    view mine = view_of(scene);
    xta_status status = XTA_OK;
    view *all = gather_all(scene->communicator, &mine, sizeof mine, &status, err);

    if (all == NULL) {
        return status;
    }
    for (int role = 0; role < 3; role++) {
        scene->now.lo[role] = all[0].lo[role];
        scene->now.hi[role] = all[0].hi[role];
    }
    for (int r = 1; r < xta_communicator_size(scene->communicator) && status == XTA_OK; r++) {
        bool good = memcmp(all[r].axis, all[0].axis, sizeof all[r].axis) == 0;
        for (int role = 0; role < 3; role++) {
            good = good && all[r].lo[role] <= all[0].lo[role] && all[r].hi[role] >= all[0].hi[role];
        }
        if (!good) {
            status =
                xta_error_set(err, XTA_ESTATE, 0,
                              "%s: member %d of the communicator does not see what member 0 sees: "
                              "other axes, or less of them; open the same array on all",
                              scene->name, r);
        }
    }
    free(all);
    return status;
}

/* Collective. Agree on the status, and check that all members have the same signature. */
static xta_status share_decision(xta_scene *scene, xta_status status, xta_error *err)
{
    uint64_t mine = scene->now.signature, *all = NULL;

    status = xta__agree(scene->communicator, status, err);
    if (status != XTA_OK) {
        return status;
    }
    all = gather_all(scene->communicator, &mine, sizeof mine, &status, err);
    for (int r = 1;
         all != NULL && r < xta_communicator_size(scene->communicator) && status == XTA_OK; r++) {
        if (all[r] != all[0]) {
            status =
                xta_error_set(err, XTA_ESTATE, 0,
                              "%s: members 0 and %d of the communicator see other bands or no-data "
                              "values; open the same array with the same options on all",
                              scene->name, r);
        }
    }
    free(all);
    return status;
}

/* ---- open and close ---- */

static xta_status copy_options(xta_scene *scene, const xta_scene_options *o, xta_error *err)
{
    if (o->n_threads < 0 || o->n_threads > 1024) {
        return xta_error_set(err, XTA_EARG, 0, "%s: %d threads; take 1 to 1024", scene->name,
                             o->n_threads);
    }
    scene->n_threads = o->n_threads > 0 ? o->n_threads : 1;
    scene->memory_bytes = o->memory_bytes > 0 ? o->memory_bytes : DEFAULT_BYTES;
    scene->progress = o->progress;
    scene->progress_user = o->progress_user;
    scene->bad_bands_too = o->bad_bands_too;
    scene->n_use = o->use != NULL ? o->n_use : 0;
    scene->n_asked_nodata = o->nodata != NULL ? o->n_nodata : 0;
    scene->use = o->use != NULL ? malloc((o->n_use + 1) * sizeof *scene->use) : NULL;
    scene->asked_nodata = malloc((scene->n_asked_nodata + 1) * sizeof(double));
    if (scene->asked_nodata == NULL || (o->use != NULL && scene->use == NULL)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for the options", scene->name);
    }
    if (scene->n_use > 0) {
        memcpy(scene->use, o->use, o->n_use * sizeof *scene->use);
    }
    if (scene->n_asked_nodata > 0) {
        memcpy(scene->asked_nodata, o->nodata, o->n_nodata * sizeof(double));
    }
    return XTA_OK;
}

static void choose_types(xta_scene *scene)
{
    static const xta_type narrow[] = {XTA_I8, XTA_U8, XTA_I16, XTA_U16, XTA_F32};

    scene->kept = XTA_F64;
    for (size_t k = 0; k < 5 && scene->array != NULL; k++) {
        scene->kept = scene->type == narrow[k] ? narrow[k] : scene->kept;
    }
    // 1024 products of 32-bit numbers would exceed 2^53.
    scene->whole = scene->type == XTA_BOOL || scene->type == XTA_I8 || scene->type == XTA_U8 ||
                   scene->type == XTA_I16 || scene->type == XTA_U16;
}

static xta_status use_array(xta_scene *scene, xta_array *array, const xta_scene_options *options,
                            xta_error *err)
{
    const char *path = array != NULL ? xta_array_path(array) : "";

    scene->array = array;
    scene->name = strdup(path[0] != '\0' ? path : "array in memory");
    if (array == NULL || scene->name == NULL) {
        return array == NULL ? xta_error_set(err, XTA_EARG, 0, "a scene needs an array")
                             : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a scene");
    }
    scene->type = xta_array_type(array);
    if (scene->type < XTA_BOOL || scene->type > XTA_F64) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: cells of type %s are not real numbers; convert it first",
                             scene->name, xta_type_name(scene->type));
    }
    xta_status status = copy_options(scene, options, err);
    return status == XTA_OK ? xta__scene_axes(scene, options, err) : status;
}

static xta_status use_source(xta_scene *scene, const xta_scene_source *source,
                             const xta_scene_options *options, xta_error *err)
{
    xta_scene_source own = {0};

    xta_status taken = xta_options_read(&own, sizeof own, source, "xta_scene_source", err);
    if (taken != XTA_OK) {
        return taken;
    }
    source = &own;
    scene->source = *source;
    scene->name = strdup(source->name != NULL && source->name[0] != '\0' ? source->name : "source");
    scene->type = source->type;
    scene->source.wavelength = NULL;
    if (scene->name == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a scene");
    }
    if (source->read == NULL || source->type < XTA_BOOL || source->type > XTA_F64) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: a source has a function to read, and cells that are real "
                             "numbers",
                             scene->name);
    }
    for (int role = 0; role < 3; role++) {
        scene->axis[role] = role;
        if (source->lo[role] > source->hi[role] ||
            (role == BANDS && source->lo[role] >= source->hi[role])) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: bounds [%" PRId64 ", %" PRId64 ") of axis %d make no sense",
                                 scene->name, source->lo[role], source->hi[role], role);
        }
    }
    size_t n = (size_t)(source->hi[BANDS] - source->lo[BANDS]);
    if (source->wavelength != NULL) {
        double *copy = malloc(n * sizeof *copy);
        if (copy == NULL) {
            return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu wavelengths",
                                 scene->name, n);
        }
        memcpy(copy, source->wavelength, n * sizeof *copy);
        scene->source.wavelength = copy;
    }
    return copy_options(scene, options, err);
}

/* Collective. Find the bounds, the bands and the plan of strips. */
static xta_status begin_scene(xta_scene *scene, xta_error *err)
{
    xta_status status = share_bounds(scene, err);

    if (status != XTA_OK) {
        return status;
    }
    status = xta__scene_decide(scene, err);
    if (status == XTA_OK) {
        status = xta__strips_plan(scene, err);
    }
    if (status == XTA_OK) {
        status = xta__strips_refresh(scene, false, err);
    }
    return share_decision(scene, status, err);
}

static xta_status refresh_own(xta_scene *scene, xta_error *err)
{
    if (scene->array != NULL) {
        return xta_array_refresh(scene->array, NULL, err);
    }
    if (scene->source.refresh == NULL) {
        return XTA_OK;
    }
    return scene->source.refresh(scene->source.context, scene->source.lo, scene->source.hi, err);
}

static xta_status open_scene(xta_array *array, const xta_scene_source *source,
                             const xta_scene_options *options, xta_scene **out, xta_error *err)
{
    xta_scene_options own = XTA_SCENE_OPTIONS_INIT;

    *out = NULL;
    xta_status status = xta_options_read(&own, sizeof own, options, "xta_scene_options", err);
    if (status != XTA_OK) {
        return status; // Without options it is not known with which communicator to agree.
    }
    options = &own;
    xta_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a scene");
    } else {
        scene->communicator = options->communicator;
        status = source != NULL ? use_source(scene, source, options, err)
                                : use_array(scene, array, options, err);
    }
    status = xta__agree(options->communicator, status, err);
    if (status == XTA_OK && xta_communicator_size(options->communicator) > 1) {
        // A member that opened a growing array before rank 0 did may see less of it.
        status =
            xta_communicator_rank(options->communicator) > 0 ? refresh_own(scene, err) : XTA_OK;
        status = xta__agree(options->communicator, status, err);
    }
    if (status == XTA_OK) {
        choose_types(scene);
        status = begin_scene(scene, err);
    }
    if (status != XTA_OK) {
        xta_scene_close(scene);
        return status;
    }
    *out = scene;
    return XTA_OK;
}

xta_status xta_scene_open(xta_array *array, const xta_scene_options *options, xta_scene **scene,
                          xta_error *err)
{
    return open_scene(array, NULL, options, scene, err);
}

xta_status xta_scene_of_source(const xta_scene_source *source, const xta_scene_options *options,
                               xta_scene **scene, xta_error *err)
{
    return open_scene(NULL, source, options, scene, err);
}

void xta_scene_close(xta_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    xta__strips_clear(scene);
    xta__snapshot_clear(&scene->now);
    free((void *)scene->source.wavelength);
    free(scene->use);
    free(scene->asked_nodata);
    free(scene->name);
    free(scene);
}

/* ---- refresh ---- */

/* Rank 0 refreshes first: the others then see at least what it sees. */
static xta_status refresh_all(xta_scene *scene, xta_error *err)
{
    bool first = xta_communicator_rank(scene->communicator) == 0;
    xta_status status =
        xta__agree(scene->communicator, first ? refresh_own(scene, err) : XTA_OK, err);

    if (status == XTA_OK) {
        status = xta__agree(scene->communicator, first ? XTA_OK : refresh_own(scene, err), err);
    }
    return status;
}

xta_status xta_scene_refresh(xta_scene *scene, bool *changed, xta_error *err)
{
    scene_snapshot before = scene->now;
    xta_status status = refresh_all(scene, err);
    bool same = false;

    if (status != XTA_OK) {
        return status;
    }
    scene->now = (scene_snapshot){0};
    status = share_bounds(scene, err);
    if (status == XTA_OK) {
        status = xta__scene_decide(scene, err);
        same = status == XTA_OK && scene->now.signature == before.signature;
        if (status == XTA_OK) {
            status = xta__strips_plan(scene, err);
        }
        status = share_decision(scene, status, err);
    }
    if (status == XTA_OK) {
        status = xta__agree(scene->communicator, xta__strips_refresh(scene, same, err), err);
    }
    if (status != XTA_OK) {
        // The scene stays as it was before, without the strips in memory.
        xta__snapshot_clear(&scene->now);
        scene->now = before;
        xta__strips_clear(scene);
        return status;
    }
    if (changed != NULL) {
        *changed = !same || memcmp(scene->now.lo, before.lo, sizeof before.lo) != 0 ||
                   memcmp(scene->now.hi, before.hi, sizeof before.hi) != 0;
    }
    xta__snapshot_clear(&before);
    return XTA_OK;
}

/* ---- inquire and read ---- */

xta_scene_info xta_scene_inquire(const xta_scene *scene)
{
    const scene_snapshot *now = &scene->now;

    return (xta_scene_info){.line_lo = now->lo[LINES],
                            .line_hi = now->hi[LINES],
                            .sample_lo = now->lo[SAMPLES],
                            .sample_hi = now->hi[SAMPLES],
                            .band_lo = now->lo[BANDS],
                            .band_hi = now->hi[BANDS],
                            .n_bands = now->n_bands,
                            .band = now->band,
                            .wavelength = now->wavelength,
                            .wavelength_unit = now->unit,
                            .reflectance_scale = now->scale,
                            .gain = now->gain,
                            .offset = now->offset,
                            .whole = scene->whole,
                            .anchor = now->anchor,
                            .name = scene->name};
}

/* Read lines of one strip: from memory if the strip is there or is asked for as a whole, else from
 * the array. */
static xta_status read_lines(xta_scene *scene, int64_t strip, const int64_t lines[2],
                             const int64_t samples[2], double *pixels, xta_error *err)
{
    size_t n = (size_t)(samples[1] - samples[0]), kept = xta__scene_kept_pixel(scene);
    int64_t width = scene->now.hi[SAMPLES] - scene->now.lo[SAMPLES], own[2];
    const unsigned char *cells = xta__strip_kept(scene, strip);
    xta_status status = XTA_OK;

    xta__strip_lines(scene, strip, own);
    if (cells == NULL && samples[1] - samples[0] == width && lines[0] == own[0] &&
        lines[1] == own[1]) {
        status = xta__strip_load(scene, strip, &cells, err);
    }
    if (status != XTA_OK || cells == NULL) {
        return status != XTA_OK ? status
                                : xta__scene_cells(scene, lines, samples, XTA_F64, pixels, err);
    }
    cells += (size_t)(samples[0] - scene->now.lo[SAMPLES]) * kept;
    for (int64_t line = lines[0]; line < lines[1]; line++) {
        xta__scene_widen(scene, cells + (size_t)((line - own[0]) * width) * kept, n, pixels);
        pixels += n * scene->now.n_bands;
    }
    return XTA_OK;
}

xta_status xta_scene_read(xta_scene *scene, const int64_t lines[2], const int64_t samples[2],
                          double *pixels, unsigned char *valid, xta_error *err)
{
    const scene_snapshot *now = &scene->now;
    size_t at = 0;

    if (lines[0] > lines[1] || samples[0] > samples[1] || lines[0] < now->lo[LINES] ||
        lines[1] > now->hi[LINES] || samples[0] < now->lo[SAMPLES] ||
        samples[1] > now->hi[SAMPLES]) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: lines [%" PRId64 ", %" PRId64 "), samples [%" PRId64 ", %" PRId64
                             ") are not within [%" PRId64 ", %" PRId64 "), [%" PRId64 ", %" PRId64
                             ")",
                             scene->name, lines[0], lines[1], samples[0], samples[1],
                             now->lo[LINES], now->hi[LINES], now->lo[SAMPLES], now->hi[SAMPLES]);
    }
    size_t n_samples = (size_t)(samples[1] - samples[0]);
    for (int64_t line = lines[0]; line < lines[1];) {
        int64_t strip = xta__floor_div(line, TILE_LINES), own[2];
        xta__strip_lines(scene, strip, own);
        const int64_t in_strip[2] = {line, own[1] < lines[1] ? own[1] : lines[1]};
        xta_status status =
            read_lines(scene, strip, in_strip, samples, pixels + at * now->n_bands, err);
        if (status != XTA_OK) {
            return status;
        }
        at += n_samples * (size_t)(in_strip[1] - in_strip[0]);
        line = in_strip[1];
    }
    if (valid != NULL) {
        xta__scene_valid(scene, pixels, at, valid);
    }
    return XTA_OK;
}

/* ---- for the methods ---- */

int xta__scene_threads(const xta_scene *scene)
{
    return scene->n_threads;
}

const xta_communicator *xta__scene_communicator(const xta_scene *scene)
{
    return scene->communicator;
}

uint64_t xta__scene_memory(const xta_scene *scene)
{
    return scene->memory_bytes;
}

const double *xta__scene_shift(const xta_scene *scene)
{
    return scene->now.shift;
}

xta_status xta__scene_progress(xta_scene *scene, const char *what, uint64_t done, uint64_t total,
                               xta_error *err)
{
    if (scene->progress == NULL || xta_communicator_rank(scene->communicator) != 0 ||
        scene->progress(scene->progress_user, what, done, total)) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_ECANCELLED, 0, "%s: %s was stopped after %" PRIu64 " of %" PRIu64,
                         scene->name, what, done, total);
}
