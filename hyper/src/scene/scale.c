/* How cells become reflectances: what the attributes say about their scale.
 *
 * Files of counts state it in three ways: ENVI by one number for all bands, NetCDF by a factor and
 * an offset, GDAL by both for each band. Pixels stay as they are stored, since whole numbers are
 * exact; spectra that are compared with them are brought to the scale of the cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/attributes.h"
#include "scene/scene_private.h"
#include "util/try.h"

/* An attribute of the array as a number: its first item, or a text that begins with one. NaN if
 * there is none. */
static xta_status number_of(const xta_scene *scene, const char *name, double *value, xta_error *err)
{
    xta_attribute a;
    bool there = false;
    char text[64], *end = NULL;
    xta_status status = xta__scene_attribute(scene, XTA_ON_ARRAY, name, &a, &there, err);

    *value = NAN;
    if (status != XTA_OK || !there || a.count == 0) {
        return status;
    }
    if (a.type != XTA_TEXT) {
        if (xta_type_convert(a.type, a.values, XTA_F64, value, 1, NULL) != XTA_OK) {
            *value = NAN;
        }
        return XTA_OK;
    }
    size_t n = a.count < sizeof text ? a.count : sizeof text - 1;
    memcpy(text, a.values, n);
    text[n] = '\0';
    *value = strtod(text, &end);
    if (end == text) {
        *value = NAN;
    }
    return XTA_OK;
}

static void drop_gains(scene_snapshot *now)
{
    free(now->gain);
    free(now->offset);
    now->gain = now->offset = NULL;
}

/* Set the same gain and offset for all bands. */
static xta_status set_uniform_gain(xta_scene *scene, double gain, double offset, xta_error *err)
{
    scene_snapshot *now = &scene->now;

    now->gain = malloc((now->n_bands + 1) * sizeof *now->gain);
    now->offset = malloc((now->n_bands + 1) * sizeof *now->offset);
    if (now->gain == NULL || now->offset == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for its bands", scene->name);
    }
    for (size_t b = 0; b < now->n_bands; b++) {
        now->gain[b] = gain;
        now->offset[b] = offset;
    }
    return XTA_OK;
}

/* The band that the first line of the text belongs to: the first of the array, unless NAME//box
 * says otherwise. */
static int64_t first_band(const xta_scene *scene, const char *name)
{
    int64_t lo = scene->now.lo[BANDS];
    xta_attribute box;
    char box_name[64];

    snprintf(box_name, sizeof box_name, "%s//box", name);
    if (xta_attribute_get(scene->array, scene->axis[BANDS], box_name, &box, NULL) == XTA_OK &&
        box.type == XTA_I64 && box.count >= 2) {
        memcpy(&lo, (const char *)box.values + (box.count - 2) * sizeof lo, sizeof lo);
    }
    return lo;
}

/* Read the number in the line of each band in use. False if a line is missing, or has no number and
 * `otherwise` is not finite. */
static bool lines_of(const xta_scene *scene, const xta_attribute *a, double otherwise, double *into)
{
    const scene_snapshot *now = &scene->now;
    const char *text = a->values, *end = text + a->count;
    int64_t band = first_band(scene, a->name);
    size_t b = 0;

    if (band > now->band[0]) {
        return false;
    }

    while (b < now->n_bands) {
        char line[64], *behind = NULL;
        const char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
        size_t n = text < end ? (size_t)((stop != NULL ? stop : end) - text) : 0;
        if (now->band[b] == band) {
            snprintf(line, sizeof line, "%.*s", n < sizeof line ? (int)n : 0, n > 0 ? text : "");
            into[b] = strtod(line, &behind);
            into[b] = behind == line ? otherwise : into[b];
            if (!isfinite(into[b])) {
                return false;
            }
            b++;
        }
        text = stop != NULL ? stop + 1 : end;
        band++;
    }
    return true;
}

/* Read the scale and offset that GDAL gives for each band. */
static xta_status read_gdal_scale(xta_scene *scene, xta_error *err)
{
    scene_snapshot *now = &scene->now;
    xta_attribute gain, offset;
    bool there = false, shifted = false;
    xta_status status = XTA_OK;

    if (scene->axis[BANDS] < 0) {
        return XTA_OK;
    }
    XTA_TRY(xta__scene_attribute(scene, scene->axis[BANDS], "gdal/scale", &gain, &there, err));
    XTA_TRY(xta__scene_attribute(scene, scene->axis[BANDS], "gdal/offset", &offset, &shifted, err));
    if (!there || gain.type != XTA_TEXT) {
        return XTA_OK;
    }
    XTA_TRY(set_uniform_gain(scene, 1, 0, err));
    bool good = lines_of(scene, &gain, NAN, now->gain) &&
                (!shifted || offset.type != XTA_TEXT || lines_of(scene, &offset, 0, now->offset));
    for (size_t b = 0; b < now->n_bands; b++) {
        good = good && now->gain[b] != 0;
    }
    if (!good) {
        drop_gains(now);
    }
done:
    return status;
}

/* Some drivers write a scale of 1 without an offset when they know none; drop it. */
static void drop_identity(scene_snapshot *now)
{
    bool same = now->gain != NULL;

    for (size_t b = 0; same && b < now->n_bands; b++) {
        same = now->gain[b] == 1 && now->offset[b] == 0;
    }
    if (same) {
        drop_gains(now);
    }
}

/* Read the scale from the first attribute that has one. */
static xta_status read_scale(xta_scene *scene, xta_error *err)
{
    static const char *const names[] = {"reflectance_scale_factor", "reflectance scale factor"};
    double scale = NAN, gain = NAN, offset = NAN;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < 2 && !(scale > 0); k++) {
        XTA_TRY(number_of(scene, names[k], &scale, err));
    }
    if (scale > 0 && isfinite(scale)) {
        scene->now.scale = scale;
        return set_uniform_gain(scene, 1 / scale, 0, err);
    }
    XTA_TRY(number_of(scene, "scale_factor", &gain, err));
    XTA_TRY(number_of(scene, "add_offset", &offset, err));
    if (isfinite(gain) && gain != 0) {
        return set_uniform_gain(scene, gain, isfinite(offset) ? offset : 0, err);
    }
    status = read_gdal_scale(scene, err);
done:
    return status;
}

xta_status xta__scene_scale(xta_scene *scene, xta_error *err)
{
    xta_status status = scene->array != NULL ? read_scale(scene, err) : XTA_OK;

    if (scene->now.scale == 0) {
        drop_identity(&scene->now);
    }
    return status;
}
