/* Quicklooks: a box of cells as an image.
 *
 * Options are settled first, then axes, bands and cells; what is left is to give each cell its
 * pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include <xta/options.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS       1600 /* longest side, unless told otherwise */
#define SMALL_PIXELS 960  /* scenes smaller than this are enlarged towards it */
#define MOST_ZOOM    64
#define STRIP_PIXELS 24 /* an image of one line would not be seen */

static xta_status check_options(xta_array *array, const xta_quicklook_options *o, xta_error *err)
{
    const char *path = xta_array_path(array);
    if (isnan(o->low) || isnan(o->high) || isinf(o->low) || isinf(o->high)) {
        return xta_error_set(err, XTA_EARG, 0, "%s: low and high must be finite numbers", path);
    }
    if (!(o->percent >= 0 && o->percent < 50)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: %g percent cannot be cut at either end; give 0 to 49", path,
                             o->percent);
    }
    if (o->max_pixels < 0 || o->max_pixels > PICTURE_MOST_PIXELS) {
        return xta_error_set(err, XTA_EARG, 0, "%s: max_pixels is %d; give 1 to %d", path,
                             o->max_pixels, PICTURE_MOST_PIXELS);
    }
    if (o->zoom < 0 || o->zoom > PICTURE_MOST_PIXELS) {
        return xta_error_set(err, XTA_EARG, 0, "%s: zoom is %d; give 1 to %d", path, o->zoom,
                             PICTURE_MOST_PIXELS);
    }
    return XTA_OK;
}

xta_status xta__picture_check_type(xta_array *array, xta_error *err)
{
    xta_type type = xta_array_type(array);
    if (type == XTA_C64 || type == XTA_C128 || type == XTA_BYTES) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: cells of type %s are not real numbers and have no colour",
                             xta_array_path(array), xta_type_name(type));
    }
    return XTA_OK;
}

xta_status xta__picture_settle_box(xta_array *array, const xta_box *wanted, xta_box *box,
                                   xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    *box = wanted != NULL ? *wanted : bounds;
    if (box->ndim != bounds.ndim) {
        return xta_error_set(err, XTA_EBOX, 0, "%s: the box has %d axes, the array %d",
                             xta_array_path(array), box->ndim, bounds.ndim);
    }
    for (int axis = 0; axis < bounds.ndim; axis++) {
        char name[PICTURE_TEXT_BYTES];
        xta__picture_axis_name(array, axis, name);
        if (box->lo[axis] >= box->hi[axis]) {
            return xta_error_set(err, XTA_EBOX, 0, "%s: there are no cells to show on %s",
                                 xta_array_path(array), name);
        }
        if (box->lo[axis] < bounds.lo[axis] || box->hi[axis] > bounds.hi[axis]) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: on %s the box is %" PRId64 ":%" PRId64 ", the array %" PRId64
                                 ":%" PRId64,
                                 xta_array_path(array), name, box->lo[axis], box->hi[axis],
                                 bounds.lo[axis], bounds.hi[axis]);
        }
    }
    return XTA_OK;
}

/* A cell is a square of whole pixels, so that enlarged scenes stay crisp; a strip of few lines is
 * made thick enough to be seen. */
static void choose_zoom(picture_quicklook *look, int64_t most)
{
    int64_t rows = look->sample.rows, columns = look->sample.columns;
    int64_t longest = rows > columns ? rows : columns;
    int64_t zoom = look->options.zoom;
    if (zoom == 0) {
        int64_t wanted = most < SMALL_PIXELS ? most : SMALL_PIXELS;
        zoom = wanted / longest;
        zoom = zoom < 1 ? 1 : zoom > MOST_ZOOM ? MOST_ZOOM : zoom;
    }
    look->cell_width = look->cell_height = (int)zoom;
    if (look->options.zoom == 0 && rows * zoom < STRIP_PIXELS && most >= STRIP_PIXELS) {
        look->cell_height = (int)(STRIP_PIXELS / rows);
    }
    if (look->options.zoom == 0 && columns * zoom < STRIP_PIXELS && most >= STRIP_PIXELS) {
        look->cell_width = (int)(STRIP_PIXELS / columns);
    }
    look->width = (int)columns * look->cell_width;
    look->height = (int)rows * look->cell_height;
}

double xta__picture_scaled(bool log_counts, double value)
{
    return log_counts ? log1p(fmax(value, 0)) : value;
}

/* Where a value lies in the stretch, 0 to 255; `low` may be above `high`. */
static unsigned level(double value, double low, double high)
{
    double t = low == high ? 0.5 : (value - low) / (high - low);
    return (unsigned)lround(255 * fmin(fmax(t, 0), 1));
}

static uint32_t pixel_of(const picture_quicklook *look, int64_t k)
{
    const picture_sample *s = &look->sample;
    if (isnan(s->plane[0][k])) {
        return 0;
    }
    if (s->n == 3) {
        unsigned rgb[3];
        for (int band = 0; band < 3; band++) {
            rgb[band] = level(s->plane[band][k], s->low[band], s->high[band]);
        }
        return 0xff000000U | rgb[0] << 16 | rgb[1] << 8 | rgb[2];
    }
    if (look->classes != NULL) {
        return xta__picture_class_pixel(look->classes, s->plane[0][k]);
    }
    bool logarithmic = look->options.log_counts;
    picture_rgb c = look->colormap[level(xta__picture_scaled(logarithmic, s->plane[0][k]),
                                         xta__picture_scaled(logarithmic, s->low[0]),
                                         xta__picture_scaled(logarithmic, s->high[0]))];
    return 0xff000000U | (uint32_t)lround(255 * c.r) << 16 | (uint32_t)lround(255 * c.g) << 8 |
           (uint32_t)lround(255 * c.b);
}

static xta_status make_image(picture_quicklook *look, xta_error *err)
{
    look->image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, look->width, look->height);
    if (cairo_surface_status(look->image) != CAIRO_STATUS_SUCCESS) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for an image of %d by %d pixels",
                             look->path, look->width, look->height);
    }
    cairo_surface_flush(look->image);
    unsigned char *bytes = cairo_image_surface_get_data(look->image);
    size_t stride = (size_t)cairo_image_surface_get_stride(look->image);
    for (int64_t row = 0; row < look->sample.rows; row++) {
        int64_t from = look->flipped ? look->sample.rows - 1 - row : row;
        size_t top = (size_t)row * (size_t)look->cell_height;
        uint32_t *line = (uint32_t *)(void *)(bytes + top * stride);
        for (int x = 0; x < look->width; x++) {
            line[x] = x % look->cell_width != 0
                          ? line[x - 1]
                          : pixel_of(look, from * look->sample.columns + x / look->cell_width);
        }
        for (int copy = 1; copy < look->cell_height; copy++) {
            memcpy(bytes + (top + (size_t)copy) * stride, line, stride);
        }
    }
    cairo_surface_mark_dirty(look->image);
    return XTA_OK;
}

/* The image alone: its pixels are the pixels of the file. */
static xta_status draw_plain(const picture_quicklook *look, xta_error *err)
{
    picture_canvas canvas;
    char title[PICTURE_TEXT_BYTES], about[PICTURE_TEXT_BYTES];
    xta_status status = xta__canvas_open(&canvas, look->path, look->width, look->height, 1, err);
    if (status == XTA_OK) {
        cairo_set_source_surface(canvas.cairo, look->image, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(canvas.cairo), CAIRO_FILTER_NEAREST);
        cairo_paint(canvas.cairo);
        canvas.to = look->to;
        xta__picture_draw_marks(&canvas, look, 0, 0);
        xta__picture_title(look->array, look->options.title, title);
        xta__picture_shape_text(look->array, &look->box, 0, about);
        status = xta__canvas_finish(&canvas, title, about, err);
    }
    xta__canvas_clear(&canvas);
    return status;
}

static xta_status settle(picture_quicklook *look, const xta_quicklook_options *options,
                         xta_error *err)
{
    xta_status status = XTA_OK;
    bool svg = false;
    XTA_TRY(xta_options_take(&look->options, sizeof look->options, options, "xta_quicklook_options",
                             err));
    const xta_quicklook_options *o = &look->options;
    const char *colormap = o->colormap != NULL ? o->colormap : "viridis";
    XTA_TRY(xta__picture_suffix(look->path, &svg, err));
    XTA_TRY(xta__picture_check_type(look->array, err));
    XTA_TRY(check_options(look->array, o, err));
    if (!xta__picture_colormap(colormap, look->colormap)) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: no colour map is called '%s'; there are %s",
                               xta_array_path(look->array), colormap, xta__picture_colormap_names);
        goto done;
    }
    XTA_TRY(xta__picture_settle_box(look->array, o->box, &look->box, err));
    XTA_TRY(xta__picture_choose_axes(look->array, o, &look->axes, err));
    XTA_TRY(xta__picture_choose_bands(look->array, &look->axes, o, &look->box, &look->bands, err));
    xta__picture_meaning(look->array, look->axes.bands, &look->bands, &look->meaning);
    if (o->fill_is_data) {
        look->meaning.fill = NAN;
    }
    if (o->label != NULL) {
        look->meaning.unit[0] = '\0';
        snprintf(look->meaning.label, sizeof look->meaning.label, "%s", o->label);
    }
done:
    return status;
}

xta_status xta__picture_show(picture_quicklook *look, int64_t most, xta_error *err)
{
    choose_zoom(look, most);
    look->flipped =
        look->options.flip_rows || xta__picture_northwards(look->array, &look->axes, &look->box);
    xta_status status = make_image(look, err);
    if (status == XTA_OK) {
        status = look->options.legend ? xta__picture_figure(look, err) : draw_plain(look, err);
    }
    if (look->image != NULL) {
        cairo_surface_destroy(look->image);
        look->image = NULL;
    }
    return status;
}

int64_t xta__picture_most(const xta_quicklook_options *options, int64_t *cells)
{
    int64_t most = options->max_pixels > 0 ? options->max_pixels : PIXELS;
    *cells = options->zoom > 0 ? most / options->zoom : most;
    *cells = *cells < 1 ? 1 : *cells;
    return most;
}

xta_status xta__picture_quicklook_to(xta_array *array, const xta_quicklook_options *options,
                                     const char *path, picture_bytes *to, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t cells = 0;
    picture_quicklook *look = calloc(1, sizeof *look);
    if (look == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    look->array = array;
    look->path = path;
    look->to = to;
    XTA_TRY(settle(look, options, err));

    int64_t most = xta__picture_most(&look->options, &cells);
    XTA_TRY(xta__picture_sample(array, &look->axes, &look->bands, &look->meaning, &look->options,
                                &look->box, cells, &look->sample, err));
    status = xta__picture_show(look, most, err);
done:
    xta__picture_sample_clear(&look->sample);
    free(look);
    return status;
}

xta_status xta_picture_quicklook(xta_array *array, const xta_quicklook_options *options,
                                 const char *path, xta_error *err)
{
    return xta__picture_quicklook_to(array, options, path, NULL, err);
}
