/* Choosing the axes that a picture shows, if the caller does not.
 *
 * Names decide first: latitude, y, line run down; longitude, x, sample run right; band, wavelength
 * are colours. Otherwise positions decide: the last two axes are the image, as in every format that
 * stores images in row-major order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/axes.h"

#include <ctype.h>
#include <string.h>

#include <xta/attribute.h>

#include "util/try.h"

static const char *const row_names[] = {"y",    "lat",  "latitude", "line",     "lines", "row",
                                        "rows", "rlat", "nav_lat",  "northing", "yc",    NULL};
static const char *const column_names[] = {"x",      "lon",     "longitude", "sample", "samples",
                                           "column", "columns", "col",       "rlon",   "nav_lon",
                                           "xc",     "easting", NULL};
static const char *const band_names[] = {"band",     "bands",    "wavelength", "wavelengths",
                                         "channel",  "channels", "lambda",     "wl",
                                         "spectral", "spectrum", NULL};
static const char *const time_names[] = {"t",     "date", "month", "months", "year",
                                         "years", "day",  "days",  NULL};

static void to_lower(const char *name, char text[64])
{
    size_t n = 0;
    for (; name[n] != '\0' && n < 63; n++) {
        text[n] = (char)tolower((unsigned char)name[n]);
    }
    text[n] = '\0';
}

static bool is_one_of(const char *name, const char *const names[])
{
    char text[64];
    to_lower(name, text);
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(text, names[k]) == 0) {
            return true;
        }
    }
    return false;
}

bool xta__picture_is_row(const char *name)
{
    return is_one_of(name, row_names);
}

bool xta__picture_is_time(const char *name)
{
    char text[64] = "";
    to_lower(name, text);
    return memcmp(text, "time", 4) == 0 || is_one_of(name, time_names);
}

/* The requested axis, or -1. */
static xta_status find_asked_axis(xta_array *array, const char *text, const char *what, int taken_a,
                                  int taken_b, int *axis, xta_error *err)
{
    *axis = -1;
    if (text == NULL) {
        return XTA_OK;
    }
    xta_status status = xta_axis_find(array, text, axis, err);
    if (status == XTA_OK && (*axis == taken_a || *axis == taken_b)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: axis '%s' cannot be the %s as well; name three different axes",
                             xta_array_path(array), text, what);
    }
    return status;
}

static int named_like(xta_array *array, const char *const names[], const picture_axes *axes)
{
    for (int axis = 0; axis < xta_array_ndim(array); axis++) {
        if (axis != axes->rows && axis != axes->columns && axis != axes->bands &&
            is_one_of(xta_axis_name(array, axis), names)) {
            return axis;
        }
    }
    return -1;
}

/* The last axis that is not taken; a time axis only if there is no other. */
static int last_free(xta_array *array, const picture_axes *axes)
{
    int found = -1;
    for (int axis = xta_array_ndim(array) - 1; axis >= 0; axis--) {
        if (axis == axes->rows || axis == axes->columns || axis == axes->bands) {
            continue;
        }
        if (!xta__picture_is_time(xta_axis_name(array, axis))) {
            return axis;
        }
        found = found < 0 ? axis : found;
    }
    return found;
}

/* Whether the array has the shape of a photograph as most libraries store it: rows, columns and
 * three or four bytes, no names. */
static bool looks_like_photograph(xta_array *array, const xta_quicklook_options *options)
{
    xta_box bounds = xta_array_bounds(array);
    bool plain = options->rows == NULL && options->columns == NULL && options->bands == NULL;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        plain = plain && xta_axis_name(array, axis)[0] == '\0';
    }
    int64_t last = bounds.hi[bounds.ndim - 1] - bounds.lo[bounds.ndim - 1];
    return plain && bounds.ndim == 3 && (last == 3 || last == 4) && xta_array_type(array) == XTA_U8;
}

xta_status xta__picture_choose_axes(xta_array *array, const xta_quicklook_options *options,
                                    picture_axes *axes, xta_error *err)
{
    xta_status status = XTA_OK;
    int ndim = xta_array_ndim(array);
    *axes = (picture_axes){-1, -1, -1, false};
    if (looks_like_photograph(array, options)) {
        *axes = (picture_axes){0, 1, 2, false};
        return XTA_OK;
    }
    XTA_TRY(find_asked_axis(array, options->rows, "rows", -1, -1, &axes->rows, err));
    XTA_TRY(
        find_asked_axis(array, options->columns, "columns", axes->rows, -1, &axes->columns, err));
    XTA_TRY(find_asked_axis(array, options->bands, "bands", axes->rows, axes->columns, &axes->bands,
                            err));
    axes->named = axes->bands >= 0;
    if (axes->bands < 0 && ndim >= 3) {
        axes->bands = named_like(array, band_names, axes);
        axes->named = axes->bands >= 0;
    }
    if (axes->columns < 0) {
        axes->columns = named_like(array, column_names, axes);
    }
    if (axes->rows < 0) {
        axes->rows = named_like(array, row_names, axes);
    }
    if (axes->columns < 0) {
        axes->columns = last_free(array, axes);
    }
    if (axes->rows < 0) {
        axes->rows = last_free(array, axes);
    }
    if (axes->bands < 0 && ndim == 3) {
        axes->bands = 3 - axes->rows - axes->columns;
    }
done:
    return status;
}

/* Axes of a single chunk make poor pictures: prefer two axes with more chunks, in their order. */
static int next_long(const xta_box *allocated, int from, int taken)
{
    for (int axis = from; axis < allocated->ndim; axis++) {
        if (axis != taken && allocated->hi[axis] - allocated->lo[axis] > 1) {
            return axis;
        }
    }
    return -1;
}

static int next_any(const xta_box *allocated, int taken)
{
    for (int axis = 0; axis < allocated->ndim; axis++) {
        if (axis != taken) {
            return axis;
        }
    }
    return -1;
}

xta_status xta__picture_choose_map(xta_array *array, const xta_map_options *options,
                                   const xta_box *allocated, int *rows, int *columns,
                                   xta_error *err)
{
    xta_status status = find_asked_axis(array, options->rows, "rows", -1, -1, rows, err);
    if (status == XTA_OK) {
        status = find_asked_axis(array, options->columns, "columns", *rows, -1, columns, err);
    }
    if (status != XTA_OK) {
        return status;
    }
    if (allocated->ndim == 1) {
        *columns = *rows < 0 ? 0 : -1;
        return XTA_OK;
    }
    bool chosen_both = *rows < 0 && *columns < 0;
    if (*rows < 0) {
        *rows = next_long(allocated, 0, *columns);
        *rows = *rows < 0 ? next_any(allocated, *columns) : *rows;
    }
    if (*columns < 0) {
        *columns = next_long(allocated, *rows + 1, *rows);
        *columns = *columns < 0 ? next_long(allocated, 0, *rows) : *columns;
        *columns = *columns < 0 ? next_any(allocated, *rows) : *columns;
    }
    if (chosen_both && *rows > *columns) {
        int first = *columns;
        *columns = *rows;
        *rows = first;
    }
    return XTA_OK;
}
