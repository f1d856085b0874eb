/* A quicklook as a figure: title, coordinates, and a legend that maps colours to values.
 *
 * Everything is measured in `u`, the size of ordinary letters, which grows with the image, so that
 * a figure can be read when it is made to fit a page. Margins are measured before anything is
 * drawn.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "drawing/number_text.h"
#include "facts/array_facts.h"
#include "facts/coordinates.h"
#include "quicklook/axes.h"
#include "quicklook/class_legend.h"
#include "quicklook/colour_bar.h"
#include "quicklook/graticule.h"
#include "quicklook/marks.h"
#include "quicklook/sample.h"
#include "quicklook/sides.h"

#define LEGEND_BYTES 256

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb no_data = {0.89, 0.90, 0.92};
static const picture_rgb channel_colours[] = {
    {0.84, 0.19, 0.19}, {0.18, 0.58, 0.24}, {0.16, 0.36, 0.80}};

typedef struct layout {
    double u;
    double left, top, right, bottom; /* margins round the image */
    double width, height;            /* of the page */
    picture_side down, across;
    picture_bar bar; /* right of the image */
    char title[PICTURE_TEXT_BYTES];
    char about[2 * PICTURE_TEXT_BYTES];
    int n_lines; /* under the image */
    char line[5][LEGEND_BYTES];
    picture_class_legend legend; /* of classes */
} layout;

/* ---- texts ---- */

/* Describe the slice: the coordinate on each axis that is not shown. */
static void describe_figure(const picture_quicklook *q, layout *p)
{
    const picture_axes *axes = &q->axes;
    char shape[PICTURE_TEXT_BYTES];
    xta_box shown = q->box;
    uint32_t left_out = 0;
    size_t n = 0;
    p->about[0] = '\0';
    for (int axis = 0; axis < shown.ndim; axis++) {
        char cell[2 * PICTURE_TEXT_BYTES];
        bool one_band = axis == axes->bands && q->bands.n == 1;
        if (axis == axes->rows || axis == axes->columns || (axis == axes->bands && !one_band)) {
            continue;
        }
        left_out |= UINT32_C(1) << axis;
        xta__picture_cell_text(q->array, axis, one_band ? q->bands.coord[0] : shown.lo[axis], cell);
        int more = snprintf(p->about + n, sizeof p->about - n, "%.80s \u00b7 ", cell);
        n = more > 0 && n + (size_t)more < sizeof p->about ? n + (size_t)more : n;
    }
    if (q->bands.n == 1 && isfinite(q->bands.nm[0])) {
        int more = snprintf(p->about + n, sizeof p->about - n, "%.4g nm \u00b7 ", q->bands.nm[0]);
        n = more > 0 && n + (size_t)more < sizeof p->about ? n + (size_t)more : n;
    }
    xta__picture_shape_text(q->array, &shown, left_out, shape);
    snprintf(p->about + n, sizeof p->about - n, "%s", shape);
}

static void describe_channel(const picture_quicklook *q, int k, char line[LEGEND_BYTES])
{
    static const char *const names[] = {"red", "green", "blue"};
    char low[32], high[32], coord[32], wave[32] = "";
    xta__picture_number_text(q->sample.low[k], low);
    xta__picture_number_text(q->sample.high[k], high);
    xta__picture_integer_text(q->bands.coord[k], coord);
    if (isfinite(q->bands.nm[k])) {
        snprintf(wave, sizeof wave, "%.4g nm, ", q->bands.nm[k]);
    }
    snprintf(line, LEGEND_BYTES, "%s: %sband %s, %s to %s %.40s", names[k], wave, coord, low, high,
             q->meaning.unit);
}

static void describe_legend(const picture_quicklook *q, layout *p)
{
    const picture_sample *s = &q->sample;
    for (int k = 0; k < 3 && s->n == 3; k++) {
        describe_channel(q, k, p->line[p->n_lines++]);
    }
    if (s->n == 3 && q->meaning.label[0] != '\0') { // else it stands beside the colour bar
        snprintf(p->line[p->n_lines++], LEGEND_BYTES, "values: %.150s", q->meaning.label);
    }
    if (s->row_step > 1 || s->column_step > 1) {
        char down[32], across[32];
        xta__picture_count_text((uint64_t)s->row_step, down);
        xta__picture_count_text((uint64_t)s->column_step, across);
        snprintf(p->line[p->n_lines++], LEGEND_BYTES,
                 q->options.log_counts ? "sampled: the largest of %s cells down, %s across"
                                       : "sampled: one cell in %s down, one in %s across",
                 down, across);
    }
}

/* ---- layout ---- */

/* Whether the legend needs a line that explains the grey of no data; a class legend has its own. */
static bool names_gaps(const picture_quicklook *q)
{
    return q->sample.gaps && q->classes == NULL;
}

static void plan_classes(const picture_quicklook *q, layout *p)
{
    if (q->classes == NULL) {
        return;
    }
    xta__picture_class_legend_plan(q->classes, q->sample.gaps, p->u, q->width, q->height,
                                   &p->legend);
    if (p->legend.below) {
        p->bottom += 0.9 * p->u + p->legend.height;
    } else {
        p->right += 1.3 * p->u + p->legend.width;
        p->bottom = fmax(p->bottom, p->legend.height - q->height + 1.2 * p->u);
    }
}

static void plan(const picture_quicklook *q, layout *p)
{
    int longer = q->width > q->height ? q->width : q->height;
    double u = fmin(fmax(longer / 52.0, 14), 40);
    memset(p, 0, sizeof *p);
    p->u = u;
    xta__picture_side(q, q->axes.rows, true, u, &p->down);
    xta__picture_side(q, q->axes.columns, false, u, &p->across);
    xta__picture_bar_plan(q, q->height, u, &p->bar);
    xta__picture_title(q->array, q->options.title, p->title);
    describe_figure(q, p);
    describe_legend(q, p);
    xta__canvas_fit(u, false, q->height + 2 * u, p->down.label);
    xta__canvas_fit(u, false, fmax(q->width, 10 * u), p->across.label);

    p->left = 1.2 * u + (p->down.label[0] != '\0' ? 1.8 * u : 0) + p->down.widest + 0.9 * u;
    p->top = 4.8 * u;
    p->right = 1.6 * u + p->bar.width;
    bool legend_below = p->n_lines > 0 || names_gaps(q);
    p->bottom = 1.2 * u + 1.7 * u + (p->across.label[0] != '\0' ? 1.7 * u : 0) +
                (legend_below ? 0.9 * u : 0) + 1.55 * u * (p->n_lines + (names_gaps(q) ? 1 : 0));
    double widest = xta__canvas_text_width(0.95 * u, false, p->about);
    for (int k = 0; k < p->n_lines; k++) {
        widest = fmax(widest, 1.5 * u + xta__canvas_text_width(0.95 * u, false, p->line[k]));
    }
    widest = fmax(widest, fmin(xta__canvas_text_width(1.35 * u, true, p->title), 40 * u));
    plan_classes(q, p);
    if (p->legend.below) {
        widest = fmax(widest, p->legend.width);
    }
    double page = p->left + q->width + p->right;
    p->width = ceil(fmax(page, p->left + widest + 1.2 * u));
    p->height = ceil(p->top + q->height + p->bottom);
    xta__canvas_fit(1.35 * u, true, p->width - p->left - 1.2 * u, p->title);
}

/* ---- drawing ---- */

static void draw_image(picture_canvas *canvas, const picture_quicklook *q, const layout *p)
{
    double x = floor(p->left), y = floor(p->top);
    if (q->sample.gaps) {
        xta__canvas_colour(canvas, no_data);
        xta__canvas_fill(canvas, x, y, q->width, q->height);
    }
    cairo_set_source_surface(canvas->cairo, q->image, x, y);
    cairo_pattern_set_filter(cairo_get_source(canvas->cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(canvas->cairo, x, y, q->width, q->height);
    cairo_fill(canvas->cairo);
    xta__canvas_colour(canvas, ink);
    double line = p->u / 12; // outside, so that it covers no cell
    xta__canvas_frame(canvas, x - line / 2, y - line / 2, q->width + line, q->height + line, line);
}

static void draw_sides(picture_canvas *canvas, const picture_quicklook *q, const layout *p)
{
    char text[32];
    double u = p->u, x = floor(p->left), y = floor(p->top);
    double low = y + q->height;
    xta__canvas_colour(canvas, ink);
    for (int k = 0; k < p->down.ticks.n; k++) {
        xta__picture_side_text(&p->down, k, text);
        xta__canvas_line(canvas, x - 0.4 * u, y + p->down.place[k], x, y + p->down.place[k],
                         u / 12);
        xta__canvas_text(canvas, x - 0.7 * u, y + p->down.place[k], PICTURE_RIGHT, u, false, text);
    }
    for (int k = 0; k < p->across.ticks.n; k++) {
        xta__picture_side_text(&p->across, k, text);
        xta__canvas_line(canvas, x + p->across.place[k], low, x + p->across.place[k], low + 0.4 * u,
                         u / 12);
        xta__canvas_text(canvas, x + p->across.place[k], low + 1.2 * u, PICTURE_MIDDLE, u, false,
                         text);
    }
    if (p->down.label[0] != '\0') {
        xta__canvas_text_upwards(canvas, 1.7 * u, y + q->height / 2.0, u, p->down.label);
    }
    xta__canvas_text(canvas, x + q->width / 2.0, low + 2.9 * u, PICTURE_MIDDLE, u, false,
                     p->across.label);
}

static void draw_words(picture_canvas *canvas, const picture_quicklook *q, const layout *p)
{
    double u = p->u, x = floor(p->left);
    double y = floor(p->top) + q->height + 2.9 * u + (p->across.label[0] != '\0' ? 1.9 * u : 0);
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, x, 1.7 * u, PICTURE_LEFT, 1.35 * u, true, p->title);
    xta__canvas_colour(canvas, soft_ink);
    xta__canvas_text(canvas, x, 3.5 * u, PICTURE_LEFT, 0.95 * u, false, p->about);
    for (int k = 0; k < p->n_lines; k++) {
        bool channel = q->sample.n == 3 && k < 3;
        if (channel) {
            xta__canvas_colour(canvas, channel_colours[k]);
            xta__canvas_fill(canvas, x, y - 0.45 * u, 0.9 * u, 0.9 * u);
        }
        xta__canvas_colour(canvas, ink);
        xta__canvas_text(canvas, channel ? x + 1.5 * u : x, y, PICTURE_LEFT, 0.95 * u, false,
                         p->line[k]);
        y += 1.55 * u;
    }
    if (q->classes != NULL) {
        const picture_class_legend *legend = &p->legend;
        double right = x + q->width + 1.3 * u;
        xta__picture_class_legend_draw(canvas, q->classes, q->sample.gaps, legend, u,
                                       legend->below ? x : right,
                                       legend->below ? y : floor(p->top));
    }
    if (names_gaps(q)) {
        xta__canvas_colour(canvas, no_data);
        xta__canvas_fill(canvas, x, y - 0.45 * u, 0.9 * u, 0.9 * u);
        xta__canvas_colour(canvas, soft_ink);
        xta__canvas_frame(canvas, x, y - 0.45 * u, 0.9 * u, 0.9 * u, u / 16);
        xta__canvas_colour(canvas, ink);
        xta__canvas_text(canvas, x + 1.5 * u, y, PICTURE_LEFT, 0.95 * u, false, "no data");
    }
}

xta_status xta__picture_figure(const picture_quicklook *q, xta_error *err)
{
    picture_canvas canvas;
    layout *p = malloc(sizeof *p);
    if (p == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", q->path);
    }
    plan(q, p);
    xta_status status = xta__canvas_open(&canvas, q->path, p->width, p->height, 1, err);
    if (status == XTA_OK) {
        xta__canvas_colour(&canvas, white);
        cairo_paint(canvas.cairo);
        canvas.to = q->to;
        draw_image(&canvas, q, p);
        xta__picture_graticule(&canvas, q, &p->down, &p->across, floor(p->left), floor(p->top),
                               p->u);
        xta__picture_draw_marks(&canvas, q, floor(p->left), floor(p->top));
        draw_sides(&canvas, q, p);
        xta__picture_bar_draw(&canvas, q, &p->bar, floor(p->left) + q->width, floor(p->top));
        draw_words(&canvas, q, p);
        status = xta__canvas_finish(&canvas, p->title, p->about, err);
    }
    xta__canvas_clear(&canvas);
    free(p);
    return status;
}
