/* The image of a sample: each cell becomes a rectangle of pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/image.h"

#include <math.h>
#include <string.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "drawing/number_text.h"
#include "facts/array_facts.h"
#include "quicklook/class_legend.h"
#include "quicklook/figure.h"
#include "quicklook/marks.h"
#include "quicklook/north.h"
#include "quicklook/sample.h"

#define SMALL_PIXELS 960 /* smaller scenes are enlarged towards this size */
#define MOST_ZOOM    64
#define STRIP_PIXELS 24 /* thickness of a strip, since a single line would not be visible */

/* Cells of a diagram: both sides become about as long as a page allows, with more width. */
static void choose_oblong(picture_quicklook *q, int64_t most)
{
    int64_t wide = most < SMALL_PIXELS ? most : SMALL_PIXELS;
    int64_t width = wide / q->sample.columns, height = wide * 5 / 8 / q->sample.rows;
    q->cell_width = (int)(width > 1 ? width : 1);
    q->cell_height = (int)(height > 1 ? height : 1);
}

/* A cell is a square of whole pixels, so that enlarged scenes stay sharp; a strip of a few lines is
 * made thick enough to be visible. */
static void choose_zoom(picture_quicklook *q, int64_t most)
{
    int64_t rows = q->sample.rows, columns = q->sample.columns;
    int64_t longest = rows > columns ? rows : columns;
    int64_t zoom = q->options.zoom;
    if (zoom == 0) {
        int64_t wanted = most < SMALL_PIXELS ? most : SMALL_PIXELS;
        zoom = wanted / longest;
        zoom = zoom < 1 ? 1 : zoom > MOST_ZOOM ? MOST_ZOOM : zoom;
    }
    q->cell_width = q->cell_height = (int)zoom;
    if (q->options.zoom == 0 && rows * zoom < STRIP_PIXELS && most >= STRIP_PIXELS) {
        q->cell_height = (int)(STRIP_PIXELS / rows);
    }
    if (q->options.zoom == 0 && columns * zoom < STRIP_PIXELS && most >= STRIP_PIXELS) {
        q->cell_width = (int)(STRIP_PIXELS / columns);
    }
    if (q->options.free_aspect) {
        choose_oblong(q, most);
    }
    q->width = (int)columns * q->cell_width;
    q->height = (int)rows * q->cell_height;
}

/* The position of a value in the stretch, 0 to 255; `low` may be greater than `high`. */
static unsigned level(double value, double low, double high)
{
    double t = low == high ? 0.5 : (value - low) / (high - low);
    return (unsigned)lround(255 * fmin(fmax(t, 0), 1));
}

static uint32_t pixel_of(const picture_quicklook *q, int64_t k)
{
    const picture_sample *s = &q->sample;
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
    if (q->classes != NULL) {
        return xta__picture_class_pixel(q->classes, s->plane[0][k]);
    }
    bool logarithmic = q->options.log_counts;
    picture_rgb c = q->colormap[level(xta__picture_scaled(logarithmic, s->plane[0][k]),
                                      xta__picture_scaled(logarithmic, s->low[0]),
                                      xta__picture_scaled(logarithmic, s->high[0]))];
    return 0xff000000U | (uint32_t)lround(255 * c.r) << 16 | (uint32_t)lround(255 * c.g) << 8 |
           (uint32_t)lround(255 * c.b);
}

static xta_status fill_image(picture_quicklook *q, xta_error *err)
{
    q->image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, q->width, q->height);
    if (cairo_surface_status(q->image) != CAIRO_STATUS_SUCCESS) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for an image of %d by %d pixels",
                             q->path, q->width, q->height);
    }
    cairo_surface_flush(q->image);
    unsigned char *bytes = cairo_image_surface_get_data(q->image);
    size_t stride = (size_t)cairo_image_surface_get_stride(q->image);
    for (int64_t row = 0; row < q->sample.rows; row++) {
        int64_t from = q->flipped ? q->sample.rows - 1 - row : row;
        size_t top = (size_t)row * (size_t)q->cell_height;
        uint32_t *line = (uint32_t *)(void *)(bytes + top * stride);
        for (int x = 0; x < q->width; x++) {
            line[x] = x % q->cell_width != 0
                          ? line[x - 1]
                          : pixel_of(q, from * q->sample.columns + x / q->cell_width);
        }
        for (int copy = 1; copy < q->cell_height; copy++) {
            memcpy(bytes + (top + (size_t)copy) * stride, line, stride);
        }
    }
    cairo_surface_mark_dirty(q->image);
    return XTA_OK;
}

/* The image alone: its pixels are the pixels of the file. */
static xta_status draw_plain(const picture_quicklook *q, xta_error *err)
{
    picture_canvas canvas;
    char title[PICTURE_TEXT_BYTES], about[PICTURE_TEXT_BYTES];
    xta_status status = xta__canvas_open(&canvas, q->path, q->width, q->height, 1, err);
    if (status == XTA_OK) {
        cairo_set_source_surface(canvas.cairo, q->image, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(canvas.cairo), CAIRO_FILTER_NEAREST);
        cairo_paint(canvas.cairo);
        canvas.to = q->to;
        xta__picture_draw_marks(&canvas, q, 0, 0);
        xta__picture_title(q->array, q->options.title, title);
        xta__picture_shape_text(q->array, &q->box, 0, about);
        status = xta__canvas_finish(&canvas, title, about, err);
    }
    xta__canvas_clear(&canvas);
    return status;
}

xta_status xta__picture_make_image(picture_quicklook *q, int64_t most, xta_error *err)
{
    choose_zoom(q, most);
    q->flipped = q->options.flip_rows || xta__picture_northwards(q->array, &q->axes, &q->box);
    return fill_image(q, err);
}

xta_status xta__picture_draw_image(picture_quicklook *q, int64_t most, xta_error *err)
{
    xta_status status = xta__picture_make_image(q, most, err);
    if (status == XTA_OK) {
        status = q->options.legend ? xta__picture_figure(q, err) : draw_plain(q, err);
    }
    if (q->image != NULL) {
        cairo_surface_destroy(q->image);
        q->image = NULL;
    }
    return status;
}
