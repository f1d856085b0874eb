/* Cells along an axis as lines: a time series at a point, the spectrum of a pixel.
 *
 * Each line is one read. What the cells mean is decided as for a quicklook; the chart is that of
 * spectra, so lines break as theirs do.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/picture.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/chart.h>
#include <xta/options.h>

#include "facts/array_facts.h"
#include "facts/coordinates.h"
#include "quicklook/axes.h"
#include "quicklook/bands.h"
#include "quicklook/cell_meaning.h"
#include "quicklook/extent.h"
#include "util/checked.h"
#include "util/try.h"

#define MOST_CELLS  16384
#define MOST_POINTS 4096

typedef struct series_plan {
    xta_array *array;
    xta_series_options options;
    xta_box box;
    int axis;
    size_t n_points, n_cells;
    int64_t step;          /* between the cells drawn */
    const int64_t *points; /* n_points x ndim */
    int64_t first[XTA_MAX_NDIM];
    double *values; /* n_points x n_cells */
    double *x;      /* of the cells */
    int64_t *cell;
    unsigned char *bad;
    char **names;
    bool has_x, wavelengths;
    bool dated; /* x are times of this unit */
    xta_time_unit time;
    char unit[PICTURE_TEXT_BYTES], axis_name[PICTURE_TEXT_BYTES + 64];
    char label[2 * PICTURE_TEXT_BYTES], title[PICTURE_TEXT_BYTES];
} series_plan;

/* ---- what is drawn ---- */

static xta_status choose_axis(series_plan *p, xta_error *err)
{
    int ndim = xta_array_ndim(p->array);
    p->axis = 0;
    if (p->options.axis != NULL) {
        return xta_axis_find(p->array, p->options.axis, &p->axis, err);
    }
    for (int axis = ndim - 1; axis >= 0; axis--) {
        if (xta__picture_is_time(xta_axis_name(p->array, axis))) {
            p->axis = axis;
        }
    }
    return XTA_OK;
}

static xta_status check_points(const series_plan *p, xta_error *err)
{
    xta_box bounds = xta_array_bounds(p->array);
    for (size_t k = 0; k < p->n_points; k++) {
        for (int axis = 0; axis < bounds.ndim; axis++) {
            int64_t coord = p->points[k * (size_t)bounds.ndim + (size_t)axis];
            if (axis == p->axis || (coord >= bounds.lo[axis] && coord < bounds.hi[axis])) {
                continue;
            }
            char name[PICTURE_TEXT_BYTES];
            xta__picture_axis_name(p->array, axis, name);
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: point %zu has %s %" PRId64 ", which the array has from "
                                 "%" PRId64 " to %" PRId64,
                                 xta_array_path(p->array), k + 1, name, coord, bounds.lo[axis],
                                 bounds.hi[axis] - 1);
        }
    }
    return XTA_OK;
}

static xta_status choose_cells(series_plan *p, xta_error *err)
{
    xta_status status = XTA_OK;
    if (p->options.n_points > MOST_POINTS) {
        return xta_error_set(err, XTA_EARG, 0, "%s: %zu points are too many lines; give up to %d",
                             xta_array_path(p->array), p->options.n_points, MOST_POINTS);
    }
    XTA_TRY(xta__picture_check_type(p->array, err));
    XTA_TRY(xta__picture_choose_box(p->array, p->options.box, &p->box, err));
    XTA_TRY(choose_axis(p, err));
    int64_t length = p->box.hi[p->axis] - p->box.lo[p->axis];
    memcpy(p->first, p->box.lo, sizeof p->first);
    p->n_points = p->options.n_points > 0 ? p->options.n_points : 1;
    p->points = p->options.n_points > 0 ? p->options.points : p->first;
    p->step = (length + MOST_CELLS - 1) / MOST_CELLS;
    p->n_cells = (size_t)((length + p->step - 1) / p->step);
    XTA_TRY(check_points(p, err));
done:
    return status;
}

static bool allocate(series_plan *p)
{
    p->values = calloc(p->n_points * p->n_cells, sizeof *p->values);
    p->x = calloc(p->n_cells, sizeof *p->x);
    p->cell = calloc(p->n_cells, sizeof *p->cell);
    p->bad = calloc(p->n_cells, 1);
    p->names = calloc(p->n_points, sizeof *p->names);
    return p->values != NULL && p->x != NULL && p->cell != NULL && p->bad != NULL &&
           p->names != NULL;
}

/* ---- the axis ---- */

/* Wavelengths are in an attribute of their own, if the axis has no other coordinates. */
static bool find_x(series_plan *p)
{
    int64_t lo = p->box.lo[p->axis], hi = p->box.hi[p->axis];
    picture_coordinates c;
    picture_series wavelength = {NULL, 0, 0};
    bool all = true;
    if (!xta__picture_coordinates(p->array, p->axis, lo, hi, &c)) {
        return false;
    }
    if (!c.known && !xta__picture_series(p->array, p->axis, "wavelength", &wavelength)) {
        return false;
    }
    for (size_t k = 0; k < p->n_cells; k++) {
        p->cell[k] = lo + (int64_t)k * p->step;
        p->x[k] = c.known ? xta__picture_coordinate_at(&c, p->cell[k])
                          : xta__picture_series_at(&wavelength, p->cell[k]);
        all = all && isfinite(p->x[k]);
    }
    p->has_x = all;
    memcpy(p->unit, c.unit, sizeof p->unit);
    p->dated = all && c.dated;
    p->time = c.time;
    if (all && !c.known && !xta__picture_text(p->array, p->axis, "wavelength_units", p->unit)) {
        xta__picture_text(p->array, XTA_ON_ARRAY, "wavelength_units", p->unit);
    } else if (all && !c.known) { // a line for each band
        p->unit[strcspn(p->unit, " ")] = '\0';
    }
    for (size_t k = 0; k < p->n_cells && !all && p->step > 1; k++) {
        p->x[k] = (double)p->cell[k];
    }
    xta__picture_axis_name(p->array, p->axis, p->axis_name);
    if (all && !c.known) {
        snprintf(p->axis_name, sizeof p->axis_name, "wavelength");
        p->wavelengths = true;
    }
    xta__picture_coordinates_clear(&c);
    xta__picture_series_clear(&wavelength);
    return true;
}

/* Bands that `bbl` marks, and of wavelengths, unless that is all of them, opaque ones. */
static bool find_bad(series_plan *p)
{
    picture_series good;
    if (p->options.bad_bands_too) {
        return true;
    }
    if (p->wavelengths) {
        xta_chart_opaque(p->n_cells, p->x, p->unit, p->bad);
    }
    if (!xta__picture_series(p->array, p->axis, "bbl", &good)) {
        return false;
    }
    for (size_t k = 0; k < p->n_cells; k++) {
        p->bad[k] |= xta__picture_series_at(&good, p->cell[k]) == 0; // false for NaN
    }
    xta__picture_series_clear(&good);
    return true;
}

/* ---- the lines ---- */

static xta_status read_line(series_plan *p, size_t k, xta_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int64_t step[XTA_MAX_NDIM];
    xta_box line = p->box;
    for (int axis = 0; axis < line.ndim; axis++) {
        step[axis] = axis == p->axis ? p->step : 1;
        if (axis != p->axis) {
            line.lo[axis] = p->points[k * (size_t)line.ndim + (size_t)axis];
            line.hi[axis] = line.lo[axis] + 1;
        }
    }
    io.type = XTA_F64;
    io.step = step;
    return xta_array_read(p->array, &line, &io, p->values + k * p->n_cells, err);
}

/* Cells become physical values; those without data become NaN. Rasters have a scale for each band:
 * then the band is a point's, or the axis is that of the bands. */
static xta_status convert_line(series_plan *p, size_t k, xta_error *err)
{
    picture_axes axes;
    picture_meaning meaning;
    xta_quicklook_options none = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_status status = xta__picture_choose_axes(p->array, &none, &axes, err);
    if (status != XTA_OK) {
        return status;
    }
    bool each_band = axes.named && axes.bands == p->axis;
    picture_bands band = {1, {0, 0, 0}, {NAN, NAN, NAN}};
    double *values = p->values + k * p->n_cells;
    for (size_t j = 0; j < p->n_cells; j++) {
        if (j == 0 || each_band) {
            size_t ndim = (size_t)p->box.ndim;
            band.coord[0] = each_band         ? p->cell[j]
                            : axes.bands >= 0 ? p->points[k * ndim + (size_t)axes.bands]
                                              : 0;
            xta__picture_meaning(p->array, axes.bands, &band, &meaning);
        }
        values[j] = xta__picture_is_missing(&meaning, values[j]) || values[j] == meaning.fill
                        ? NAN
                        : values[j] * meaning.scale[0] + meaning.offset[0];
    }
    if (k == 0) {
        bool named = meaning.label[0] != '\0';
        snprintf(p->label, sizeof p->label, "%.150s", meaning.label);
        if (meaning.unit[0] != '\0') {
            snprintf(p->label, sizeof p->label, "%.150s%s[%.150s]", meaning.label, named ? " " : "",
                     meaning.unit);
        }
    }
    return XTA_OK;
}

/* "y 3, x 5": where the line is, on the axes with more than one cell. */
static bool name_line(series_plan *p, size_t k)
{
    xta_box bounds = xta_array_bounds(p->array);
    char name[4 * PICTURE_TEXT_BYTES] = "", cell[2 * PICTURE_TEXT_BYTES];
    size_t n = 0;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        if (axis == p->axis || bounds.hi[axis] - bounds.lo[axis] == 1) {
            continue;
        }
        xta__picture_cell_text(p->array, axis, p->points[k * (size_t)bounds.ndim + (size_t)axis],
                               cell);
        int more = snprintf(name + n, sizeof name - n, "%s%.100s", n > 0 ? ", " : "", cell);
        n = more > 0 && n + (size_t)more < sizeof name ? n + (size_t)more : n;
    }
    p->names[k] = xta__strdup(name);
    return p->names[k] != NULL;
}

static xta_status fill(series_plan *p, xta_error *err)
{
    xta_status status = XTA_OK;
    if (!allocate(p) || !find_x(p) || !find_bad(p)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu lines of %zu cells",
                             xta_array_path(p->array), p->n_points, p->n_cells);
    }
    for (size_t k = 0; k < p->n_points; k++) {
        XTA_TRY(read_line(p, k, err));
        XTA_TRY(convert_line(p, k, err));
        if (!name_line(p, k)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(p->array));
        }
    }
done:
    return status;
}

static void clear(series_plan *p)
{
    for (size_t k = 0; k < p->n_points && p->names != NULL; k++) {
        free(p->names[k]);
    }
    free(p->names);
    free(p->values);
    free(p->x);
    free(p->cell);
    free(p->bad);
    free(p);
}

static xta_status draw(series_plan *p, const char *path, xta_error *err)
{
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    bool any_bad = memchr(p->bad, 1, p->n_cells) != NULL;
    if (p->step > 1) {
        size_t n = strlen(p->axis_name);
        snprintf(p->axis_name + n, sizeof p->axis_name - n, ", one cell in %" PRId64, p->step);
    }
    xta__picture_title(p->array, p->options.title, p->title);
    chart.n_spectra = p->n_points;
    chart.n_bands = p->n_cells;
    chart.values = p->values;
    chart.wavelength = p->has_x || p->step > 1 ? p->x : NULL;
    chart.band = p->step > 1 ? NULL : p->cell;
    chart.unit = p->dated ? NULL : p->unit;
    chart.time = p->dated ? &p->time : NULL;
    chart.axis = p->axis_name;
    chart.names = (const char *const *)p->names;
    chart.bad = any_bad ? p->bad : NULL;
    chart.title = p->title;
    chart.label = p->label;
    chart.width = p->options.width;
    chart.height = p->options.height;
    return xta_chart_spectra(&chart, path, err);
}

xta_status xta_picture_series(xta_array *array, const xta_series_options *options, const char *path,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    series_plan *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    p->array = array;
    const xta_series_options defaults = XTA_SERIES_OPTIONS_INIT;
    p->options = defaults;
    XTA_TRY(xta_options_read(&p->options, sizeof p->options, options, "xta_series_options", err));
    XTA_TRY(choose_cells(p, err));
    XTA_TRY(fill(p, err));
    status = draw(p, path, err);
done:
    clear(p);
    return status;
}
