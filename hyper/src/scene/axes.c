/* Which axis of an array is lines, which samples, which bands: decided by what the caller says,
 * then by name, then by attributes that only a band axis has, and finally by order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "scene/axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <xta/attribute.h>

#include "scene/scene_private.h"
#include "util/try.h"

static const char *const line_names[] = {"line", "lines", "row",      "rows",
                                         "y",    "lat",   "latitude", NULL};
static const char *const sample_names[] = {"sample", "samples", "column", "columns",   "col",
                                           "cols",   "x",       "lon",    "longitude", NULL};
static const char *const band_names[] = {"band",    "bands",    "wavelength", "wavelengths",
                                         "channel", "channels", NULL};

typedef struct choice {
    xta_scene *scene;
    xta_box bounds;
    bool taken[XTA_MAX_NDIM];
} choice;

static void assign_role(choice *c, int role, int axis)
{
    c->scene->axis[role] = axis;
    c->taken[axis] = true;
}

static int64_t length_of(const choice *c, int axis)
{
    return c->bounds.hi[axis] - c->bounds.lo[axis];
}

static xta_status assign_requested(choice *c, int role, const char *text, const char *what,
                                   xta_error *err)
{
    int axis = -1;

    if (text == NULL) {
        return XTA_OK;
    }
    xta_status status = xta_axis_find(c->scene->array, text, &axis, err);
    if (status != XTA_OK) {
        return status == XTA_ENOENT ? XTA_EARG : status;
    }
    if (c->taken[axis]) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: axis %d ('%s') cannot be that of the %s as well; name another",
                             c->scene->name, axis, text, what);
    }
    assign_role(c, role, axis);
    return XTA_OK;
}

static void assign_by_name(choice *c, int role, const char *const names[])
{
    for (int k = 0; c->scene->axis[role] < 0 && names[k] != NULL; k++) {
        for (int axis = 0; axis < c->bounds.ndim; axis++) {
            if (!c->taken[axis] &&
                strcasecmp(xta_axis_name(c->scene->array, axis), names[k]) == 0) {
                assign_role(c, role, axis);
                break;
            }
        }
    }
}

/* An axis with wavelengths or a list of bad bands is one of bands. */
static void assign_by_attribute(choice *c)
{
    static const char *const marks[] = {"wavelength", "bbl"};
    xta_attribute found;

    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        for (int k = 0; k < 2 && c->scene->axis[BANDS] < 0 && !c->taken[axis]; k++) {
            if (xta_attribute_get(c->scene->array, axis, marks[k], &found, NULL) == XTA_OK) {
                assign_role(c, BANDS, axis);
            }
        }
    }
}

static int n_left(const choice *c)
{
    int n = 0;

    for (int axis = 0; axis < c->bounds.ndim; axis++) {
        n += !c->taken[axis];
    }
    return n;
}

static int n_missing(const choice *c)
{
    return (c->scene->axis[LINES] < 0) + (c->scene->axis[SAMPLES] < 0);
}

/* "0 'band' (4), 1 'y' (7), ..." for the error message. */
static void list_axes(const choice *c, char *text, size_t n)
{
    size_t at = 0;

    text[0] = '\0';
    for (int axis = 0; axis < c->bounds.ndim && at + 1 < n; axis++) {
        int more = snprintf(text + at, n - at, "%s%d '%s' (%" PRId64 ")", axis > 0 ? ", " : "",
                            axis, xta_axis_name(c->scene->array, axis), length_of(c, axis));
        at += more > 0 ? (size_t)more : 0;
    }
}

/* The axes that no name decides on: lines before samples, bands last. Axes of length 1 are left out
 * first. */
static void assign_rest(choice *c)
{
    int *axis = c->scene->axis;

    for (int k = 0; k < c->bounds.ndim && n_left(c) > n_missing(c) + (axis[BANDS] < 0); k++) {
        c->taken[k] = c->taken[k] || length_of(c, k) == 1;
    }
    for (int k = c->bounds.ndim - 1; k >= 0 && axis[BANDS] < 0 && n_left(c) > n_missing(c); k--) {
        if (!c->taken[k]) {
            assign_role(c, BANDS, k);
        }
    }
    for (int k = 0; k < c->bounds.ndim; k++) {
        if (!c->taken[k] && n_missing(c) > 0) {
            assign_role(c, axis[LINES] < 0 ? LINES : SAMPLES, k);
        }
    }
}

xta_status xta__scene_axes(xta_scene *scene, const xta_scene_options *options, xta_error *err)
{
    choice c = {.scene = scene, .bounds = xta_array_bounds(scene->array)};
    char axes[256];
    xta_status status = XTA_OK;

    scene->ndim = c.bounds.ndim;
    scene->axis[LINES] = scene->axis[SAMPLES] = scene->axis[BANDS] = -1;
    XTA_TRY(assign_requested(&c, LINES, options->lines, "lines", err));
    XTA_TRY(assign_requested(&c, SAMPLES, options->samples, "samples", err));
    XTA_TRY(assign_requested(&c, BANDS, options->bands, "bands", err));
    assign_by_name(&c, BANDS, band_names);
    assign_by_name(&c, LINES, line_names);
    assign_by_name(&c, SAMPLES, sample_names);
    assign_by_attribute(&c);
    assign_rest(&c);
    for (int k = 0; k < c.bounds.ndim; k++) {
        c.taken[k] = c.taken[k] || length_of(&c, k) == 1;
    }
    if (n_missing(&c) > 0 || n_left(&c) > 0) {
        list_axes(&c, axes, sizeof axes);
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: cannot tell lines, samples and bands among its axes %s; name "
                               "them (lines, samples, bands), and extract a part of arrays with "
                               "more axes",
                               scene->name, axes);
    }
done:
    return status;
}
