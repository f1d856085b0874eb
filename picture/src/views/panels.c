/* Small multiples: a quicklook for each cell of an axis, with one colour scale.
 *
 * Each panel is settled and sampled as a quicklook of its own; then all get one range of values,
 * and are drawn side by side. Axes stand at the outer sides, where they belong to all panels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/picture.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "drawing/canvas.h"
#include "facts/array_facts.h"
#include "facts/coordinates.h"
#include "quicklook/colour_bar.h"
#include "quicklook/extent.h"
#include "quicklook/graticule.h"
#include "quicklook/image.h"
#include "quicklook/quicklook.h"
#include "quicklook/sample.h"
#include "quicklook/sides.h"
#include "util/try.h"

#define MOST_PANELS 64
#define PAGE_PIXELS 1400 /* width of all panels together */
#define ASPECT      1.4  /* of the page */

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb no_data = {0.89, 0.90, 0.92};

typedef struct panels_page {
    xta_array *array;
    const char *path;
    xta_quicklook_options options; /* of every panel */
    int axis;
    int n, columns, rows;
    picture_quicklook *panel; /* n */
    double u;                 /* size of letters */
    double left, top, gap, head;
    double width, height; /* of the page */
    picture_side down, across;
    picture_bar bar;
    bool gaps;
    char title[PICTURE_TEXT_BYTES], about[2 * PICTURE_TEXT_BYTES];
} panels_page;

/* ---- the panels ---- */

static xta_status choose_panels(panels_page *p, const xta_panels_options *o, xta_box *box,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    const char *path = xta_array_path(p->array);
    XTA_TRY(xta_options_read(&p->options, sizeof p->options, o->quicklook, "xta_quicklook_options",
                             err));
    if (o->axis == NULL) {
        return xta_error_set(err, XTA_EARG, 0, "%s: panels need an axis; name it", path);
    }
    XTA_TRY(xta_axis_find(p->array, o->axis, &p->axis, err));
    XTA_TRY(xta__picture_choose_box(p->array, p->options.box, box, err));
    int64_t n = box->hi[p->axis] - box->lo[p->axis];
    if (n > MOST_PANELS) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: axis '%s' has %" PRId64 " cells, which are too many panels; give "
                             "a box with up to %d of them",
                             path, o->axis, n, MOST_PANELS);
    }
    p->n = (int)n;
    p->panel = calloc((size_t)n, sizeof *p->panel);
    if (p->panel == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %d panels", path, p->n);
    }
    p->options.legend = true;
    p->options.marks = NULL;
    p->options.n_marks = 0;
    p->options.zoom = 0;
done:
    return status;
}

static xta_status settle_panel(panels_page *p, int k, const xta_box *box, xta_error *err)
{
    picture_quicklook *q = &p->panel[k];
    xta_quicklook_options own = p->options;
    xta_box one = *box;
    one.lo[p->axis] = box->lo[p->axis] + k;
    one.hi[p->axis] = one.lo[p->axis] + 1;
    own.box = &one;
    q->array = p->array;
    q->path = p->path;
    xta_status status = xta__picture_settle(q, &own, err);
    q->options.box = NULL; // it is q->box now
    if (status == XTA_OK && (q->axes.rows == p->axis || q->axes.columns == p->axis)) {
        char name[PICTURE_TEXT_BYTES];
        xta__picture_axis_name(p->array, p->axis, name);
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: %s runs along a side of the panels; name another axis, or other "
                             "rows and columns",
                             xta_array_path(p->array), name);
    }
    return status;
}

/* As many panels in a row as give the page its aspect. */
static void choose_grid(panels_page *p)
{
    const picture_quicklook *q = &p->panel[0];
    const xta_box *box = &q->box;
    double high = q->axes.rows < 0 ? 1 : (double)(box->hi[q->axes.rows] - box->lo[q->axes.rows]);
    double wide =
        q->axes.columns < 0 ? 1 : (double)(box->hi[q->axes.columns] - box->lo[q->axes.columns]);
    double ratio = fmin(fmax(high / wide, 0.1), 10);
    p->columns = (int)ceil(sqrt(p->n * ASPECT * ratio) - 1e-9);
    p->columns += p->n % p->columns != 0 && p->n % (p->columns + 1) == 0; // no hole
    p->columns = p->columns > p->n ? p->n : p->columns;
    p->rows = (p->n + p->columns - 1) / p->columns;
    p->columns = (p->n + p->rows - 1) / p->rows; // no hole where fewer columns do
}

static xta_status sample_panels(panels_page *p, xta_error *err)
{
    xta_status status = XTA_OK;
    picture_sample *samples[MOST_PANELS];
    int64_t cells = 0;
    int64_t most = xta__picture_longest_side(&p->options, &cells);
    most = most < PAGE_PIXELS ? most : PAGE_PIXELS;
    most = most / p->columns > 16 ? most / p->columns : 16;
    for (int k = 0; k < p->n; k++) {
        picture_quicklook *q = &p->panel[k];
        samples[k] = &q->sample;
        XTA_TRY(xta__picture_sample(p->array, &q->axes, &q->bands, &q->meaning, &q->options,
                                    &q->box, most, &q->sample, err));
        p->gaps = p->gaps || q->sample.gaps;
    }
    if (!xta__picture_share_range(samples, (size_t)p->n, &p->options)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for the cells of %d panels",
                             xta_array_path(p->array), p->n);
    }
    for (int k = 0; k < p->n; k++) {
        XTA_TRY(xta__picture_make_image(&p->panel[k], most, err));
    }
done:
    return status;
}

/* ---- layout ---- */

static void describe_page(panels_page *p)
{
    const picture_quicklook *q = &p->panel[0];
    size_t n = 0;
    xta__picture_title(p->array, p->options.title, p->title);
    for (int axis = 0; axis < q->box.ndim; axis++) {
        char cell[2 * PICTURE_TEXT_BYTES];
        if (axis == q->axes.rows || axis == q->axes.columns || axis == p->axis ||
            (axis == q->axes.bands && q->bands.n == 3)) {
            continue;
        }
        xta__picture_cell_text(p->array, axis,
                               axis == q->axes.bands ? q->bands.coord[0] : q->box.lo[axis], cell);
        int more =
            snprintf(p->about + n, sizeof p->about - n, "%s%.80s", n > 0 ? " \u00b7 " : "", cell);
        n = more > 0 && n + (size_t)more < sizeof p->about ? n + (size_t)more : n;
    }
    if (n == 0) {
        snprintf(p->about, sizeof p->about, "%d panels", p->n);
    }
}

static void plan(panels_page *p)
{
    const picture_quicklook *q = &p->panel[0];
    double u = fmin(fmax(p->columns * q->width / 70.0, 12), 20);
    p->u = u;
    p->gap = 1.2 * u;
    p->head = 1.9 * u;
    xta__picture_side(q, q->axes.rows, true, u, &p->down);
    xta__picture_side(q, q->axes.columns, false, u, &p->across);
    double images = p->rows * (q->height + p->head) - p->head + (p->rows - 1) * 0.6 * u;
    xta__picture_bar_plan(q, fmin(images, 40 * u), u, &p->bar);
    describe_page(p);
    p->left = ceil(1.2 * u + (p->down.label[0] != '\0' ? 1.8 * u : 0) + p->down.widest + 0.9 * u);
    p->top = ceil(4.8 * u + p->head);
    p->width =
        ceil(p->left + p->columns * q->width + (p->columns - 1) * p->gap + p->bar.width + 1.6 * u);
    p->height = ceil(p->top + images + 2.9 * u + (p->across.label[0] != '\0' ? 1.7 * u : 0) +
                     (p->gaps ? 1.9 * u : 0));
    xta__canvas_fit(1.35 * u, true, p->width - p->left - 1.2 * u, p->title);
    xta__canvas_fit(0.95 * u, false, p->width - p->left - 1.2 * u, p->about);
}

/* ---- drawing ---- */

static void draw_ticks(picture_canvas *canvas, const panels_page *p, double x, double y, bool first,
                       bool lowest)
{
    const picture_quicklook *q = &p->panel[0];
    char text[32];
    double u = p->u, low = y + q->height;
    xta__canvas_colour(canvas, ink);
    for (int k = 0; k < p->down.ticks.n && first; k++) {
        double place = y + p->down.place[k];
        xta__picture_side_text(&p->down, k, text);
        xta__canvas_line(canvas, x - 0.4 * u, place, x, place, u / 12);
        xta__canvas_text(canvas, x - 0.7 * u, place, PICTURE_RIGHT, u, false, text);
    }
    for (int k = 0; k < p->across.ticks.n && lowest; k++) {
        double place = x + p->across.place[k];
        xta__picture_side_text(&p->across, k, text);
        xta__canvas_line(canvas, place, low, place, low + 0.4 * u, u / 12);
        xta__canvas_text(canvas, place, low + 1.2 * u, PICTURE_MIDDLE, u, false, text);
    }
}

static void draw_panel(picture_canvas *canvas, const panels_page *p, int k)
{
    const picture_quicklook *q = &p->panel[k];
    char text[2 * PICTURE_TEXT_BYTES];
    double u = p->u;
    double x = floor(p->left + k % p->columns * (q->width + p->gap));
    int row = k / p->columns;
    double y = floor(p->top + row * (q->height + p->head + 0.6 * u));
    xta__picture_cell_text(p->array, p->axis, q->box.lo[p->axis], text);
    xta__canvas_fit(u, false, q->width + p->gap - 0.4 * u, text);
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, x, y - 0.9 * u, PICTURE_LEFT, u, false, text);
    xta__canvas_colour(canvas, no_data);
    xta__canvas_fill(canvas, x, y, q->width, q->height);
    cairo_set_source_surface(canvas->cairo, q->image, x, y);
    cairo_pattern_set_filter(cairo_get_source(canvas->cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(canvas->cairo, x, y, q->width, q->height);
    cairo_fill(canvas->cairo);
    xta__canvas_colour(canvas, ink);
    double line = u / 12; // outside, so that it covers no cell
    xta__canvas_frame(canvas, x - line / 2, y - line / 2, q->width + line, q->height + line, line);
    xta__picture_graticule(canvas, q, &p->down, &p->across, x, y, 0.8 * u);
    draw_ticks(canvas, p, x, y, k % p->columns == 0, k + p->columns >= p->n);
}

static void draw_words(picture_canvas *canvas, const panels_page *p)
{
    const picture_quicklook *q = &p->panel[0];
    double u = p->u, x = p->left;
    double low = p->top + p->rows * (q->height + p->head + 0.6 * u) - p->head - 0.6 * u;
    double end = x + p->columns * q->width + (p->columns - 1) * p->gap;
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, x, 1.7 * u, PICTURE_LEFT, 1.35 * u, true, p->title);
    if (p->down.label[0] != '\0') {
        xta__canvas_text_upwards(canvas, 1.7 * u, (p->top + low) / 2, u, p->down.label);
    }
    xta__canvas_text(canvas, (x + end) / 2, low + 2.9 * u, PICTURE_MIDDLE, u, false,
                     p->across.label);
    xta__canvas_colour(canvas, soft_ink);
    xta__canvas_text(canvas, x, 3.5 * u, PICTURE_LEFT, 0.95 * u, false, p->about);
    if (p->gaps) {
        double y = p->height - 1.3 * u;
        xta__canvas_colour(canvas, no_data);
        xta__canvas_fill(canvas, x, y - 0.45 * u, 0.9 * u, 0.9 * u);
        xta__canvas_colour(canvas, soft_ink);
        xta__canvas_frame(canvas, x, y - 0.45 * u, 0.9 * u, 0.9 * u, u / 16);
        xta__canvas_text(canvas, x + 1.5 * u, y, PICTURE_LEFT, 0.95 * u, false, "no data");
    }
    xta__picture_bar_draw(canvas, q, &p->bar, end, p->top);
}

static xta_status draw_page(const panels_page *p, xta_error *err)
{
    picture_canvas canvas;
    xta_status status = xta__canvas_open(&canvas, p->path, p->width, p->height, 1, err);
    if (status == XTA_OK) {
        xta__canvas_colour(&canvas, white);
        cairo_paint(canvas.cairo);
        for (int k = 0; k < p->n; k++) {
            draw_panel(&canvas, p, k);
        }
        draw_words(&canvas, p);
        status = xta__canvas_finish(&canvas, p->title, p->about, err);
    }
    xta__canvas_clear(&canvas);
    return status;
}

static void clear(panels_page *p)
{
    for (int k = 0; k < p->n && p->panel != NULL; k++) {
        xta__picture_sample_clear(&p->panel[k].sample);
        if (p->panel[k].image != NULL) {
            cairo_surface_destroy(p->panel[k].image);
        }
    }
    free(p->panel);
    free(p);
}

xta_status xta_picture_panels(xta_array *array, const xta_panels_options *options, const char *path,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    xta_panels_options o = XTA_PANELS_OPTIONS_INIT;
    xta_box box;
    panels_page *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    const xta_quicklook_options defaults = XTA_QUICKLOOK_OPTIONS_INIT;
    p->options = defaults;
    p->array = array;
    p->path = path;
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_panels_options", err));
    XTA_TRY(choose_panels(p, &o, &box, err));
    for (int k = 0; k < p->n; k++) {
        XTA_TRY(settle_panel(p, k, &box, err));
    }
    choose_grid(p);
    XTA_TRY(sample_panels(p, err));
    plan(p);
    status = draw_page(p, err);
done:
    clear(p);
    return status;
}
