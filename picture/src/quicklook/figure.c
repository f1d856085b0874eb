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
#include "quicklook/array_facts.h"
#include "quicklook/axes.h"
#include "quicklook/class_legend.h"
#include "quicklook/marks.h"
#include "quicklook/sample.h"

#define LEGEND_BYTES 256

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb no_data = {0.89, 0.90, 0.92};
static const picture_rgb channel_colours[] = {
    {0.84, 0.19, 0.19}, {0.18, 0.58, 0.24}, {0.16, 0.36, 0.80}};

/* Ticks along one side of the image. */
typedef struct side {
    picture_ticks ticks;
    double place[PICTURE_MOST_TICKS]; /* pixels from the left, or from the top */
    double widest;
    char label[LEGEND_BYTES];
} side;

typedef struct layout {
    double u;
    double left, top, right, bottom; /* margins round the image */
    double width, height;            /* of the page */
    side down, across;
    picture_ticks scale; /* of the colour bar */
    double scale_widest;
    char scale_label[3 * PICTURE_TEXT_BYTES];
    char title[PICTURE_TEXT_BYTES];
    char about[2 * PICTURE_TEXT_BYTES];
    int n_lines; /* under the image */
    char line[4][LEGEND_BYTES];
    bool bar;                    /* a colour bar, right of the image */
    picture_class_legend legend; /* of classes */
} layout;

/* ---- sides ---- */

/* The position of coordinate value `v` among values that strictly increase or decrease, in cells
 * from lo; NaN if it is outside. */
static double place_among(const picture_series *values, int64_t lo, int64_t hi, double v)
{
    bool falls = xta__picture_series_at(values, hi - 1) < xta__picture_series_at(values, lo);
    int64_t a = lo, b = hi - 1;
    while (b - a > 1) {
        int64_t middle = a + (b - a) / 2;
        bool beyond = xta__picture_series_at(values, middle) <= v;
        if (beyond != falls) {
            a = middle;
        } else {
            b = middle;
        }
    }
    double at_a = xta__picture_series_at(values, a), at_b = xta__picture_series_at(values, b);
    double t = (v - at_a) / (at_b - at_a);
    return t < -0.5 || t > 1.5 ? NAN : (double)(a - lo) + t;
}

static bool monotonic(const picture_series *values, int64_t lo, int64_t hi)
{
    double direction = xta__picture_series_at(values, hi - 1) - xta__picture_series_at(values, lo);
    for (int64_t k = lo + 1; k < hi; k++) {
        double step = xta__picture_series_at(values, k) - xta__picture_series_at(values, k - 1);
        if (!(step * direction > 0)) { // also false for NaN
            return false;
        }
    }
    return hi - lo > 1;
}

static void write_label(xta_array *array, int axis, bool physical, side *s)
{
    char name[PICTURE_TEXT_BYTES];
    const char *unit = xta__picture_unit_text(xta_axis_unit(array, axis));
    char factor[48] = "";
    xta__picture_axis_name(array, axis, name);
    if (s->ticks.exponent != 0) {
        snprintf(factor, sizeof factor, "10^%d ", s->ticks.exponent);
    }
    if (physical && (unit[0] != '\0' || factor[0] != '\0')) {
        snprintf(s->label, sizeof s->label, "%.120s [%s%.40s]", name, factor, unit);
    } else {
        snprintf(s->label, sizeof s->label, "%.150s", name);
    }
}

/* Ticks at round coordinates, or at round values if the axis has values. */
static void plan_side(const picture_quicklook *q, int axis, bool down, double u, side *s)
{
    picture_series values = {NULL, 0, 0};
    int64_t lo = q->box.lo[axis], hi = q->box.hi[axis];
    int64_t step = down ? q->sample.row_step : q->sample.column_step;
    double pixels = down ? q->cell_height : q->cell_width;
    double length = down ? q->height : q->width;
    int most = (int)(length / (u * (down ? 2.6 : 4.6)));
    bool physical = strstr(xta_axis_unit(q->array, axis), "since") == NULL &&
                    xta__picture_series(q->array, axis, "values", &values) &&
                    monotonic(&values, lo, hi);
    if (physical) {
        xta__picture_ticks(xta__picture_series_at(&values, lo),
                           xta__picture_series_at(&values, hi - 1), most, 0, &s->ticks);
    } else {
        xta__picture_ticks((double)lo, (double)(hi - 1), most, 1, &s->ticks);
    }
    int kept = 0;
    for (int k = 0; k < s->ticks.n; k++) {
        double cell = physical ? place_among(&values, lo, hi, s->ticks.value[k])
                               : s->ticks.value[k] - (double)lo;
        double place = (cell / (double)step + 0.5) * pixels;
        place = down && q->flipped ? length - place : place;
        if (place >= 0 && place <= length) { // not NaN
            s->ticks.value[kept] = s->ticks.value[k];
            s->place[kept++] = place;
        }
    }
    s->ticks.n = kept;
    write_label(q->array, axis, physical, s);
    for (int k = 0; k < kept; k++) {
        char text[32];
        xta__picture_tick_text(&s->ticks, k, text);
        s->widest = fmax(s->widest, xta__canvas_text_width(u, false, text));
    }
    xta__picture_series_clear(&values);
}

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
        char name[PICTURE_TEXT_BYTES], number[32];
        bool one_band = axis == axes->bands && q->bands.n == 1;
        if (axis == axes->rows || axis == axes->columns || (axis == axes->bands && !one_band)) {
            continue;
        }
        left_out |= UINT32_C(1) << axis;
        xta__picture_axis_name(q->array, axis, name);
        xta__picture_integer_text(one_band ? q->bands.coord[0] : shown.lo[axis], number);
        int more = snprintf(p->about + n, sizeof p->about - n, "%.40s %s \u00b7 ", name, number);
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
    if (s->row_step > 1 || s->column_step > 1) {
        char down[32], across[32];
        xta__picture_count_text((uint64_t)s->row_step, down);
        xta__picture_count_text((uint64_t)s->column_step, across);
        snprintf(p->line[p->n_lines++], LEGEND_BYTES,
                 q->options.log_counts ? "sampled: the largest of %s cells down, %s across"
                                       : "sampled: one cell in %s down, one in %s across",
                 down, across);
    }
    const char *label = q->meaning.label;
    const char *unit = q->meaning.unit;
    char factor[48] = "";
    if (p->scale.exponent != 0) {
        snprintf(factor, sizeof factor, "10^%d ", p->scale.exponent);
    }
    if (unit[0] != '\0' || factor[0] != '\0') {
        snprintf(p->scale_label, sizeof p->scale_label, "%s%s[%s%s]", label,
                 label[0] != '\0' ? " " : "", factor, unit);
    } else {
        snprintf(p->scale_label, sizeof p->scale_label, "%s", label);
    }
}

/* ---- layout ---- */

static void plan_scale(const picture_quicklook *q, layout *p)
{
    int most = (int)(q->height / (2.4 * p->u));
    p->bar = q->sample.n == 1 && q->classes == NULL;
    if (!p->bar) {
        return;
    }
    if (q->options.log_counts) {
        xta__picture_count_ticks(q->sample.low[0], q->sample.high[0], most, &p->scale);
    } else {
        xta__picture_ticks(q->sample.low[0], q->sample.high[0], most, 0, &p->scale);
    }
    for (int k = 0; k < p->scale.n; k++) {
        char text[32];
        xta__picture_tick_text(&p->scale, k, text);
        p->scale_widest = fmax(p->scale_widest, xta__canvas_text_width(p->u, false, text));
    }
}

/* Whether the legend needs a line that explains the grey of no data; a class legend has its own. */
static bool names_gaps(const picture_quicklook *q)
{
    return q->sample.gaps && q->classes == NULL;
}

static double bar_width(const layout *p)
{
    return 1.1 * p->u;
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
    double u = fmin(fmax(longer / 52.0, 11), 40);
    memset(p, 0, sizeof *p);
    p->u = u;
    if (q->axes.rows >= 0) {
        plan_side(q, q->axes.rows, true, u, &p->down);
    }
    if (q->axes.columns >= 0) {
        plan_side(q, q->axes.columns, false, u, &p->across);
    }
    plan_scale(q, p);
    xta__picture_title(q->array, q->options.title, p->title);
    describe_figure(q, p);
    describe_legend(q, p);
    xta__canvas_fit(u, false, q->height + 2 * u, p->scale_label);
    xta__canvas_fit(u, false, q->height + 2 * u, p->down.label);
    xta__canvas_fit(u, false, fmax(q->width, 10 * u), p->across.label);

    p->left = 1.2 * u + (p->down.label[0] != '\0' ? 1.8 * u : 0) + p->down.widest + 0.9 * u;
    p->top = 4.8 * u;
    p->right = 1.6 * u;
    if (p->bar) {
        p->right += 1.1 * u + bar_width(p) + 0.8 * u + p->scale_widest +
                    (p->scale_label[0] != '\0' ? 2.0 * u : 0);
    }
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
    xta__canvas_frame(canvas, x - 0.5, y - 0.5, q->width + 1, q->height + 1, p->u / 12);
}

static void draw_sides(picture_canvas *canvas, const picture_quicklook *q, const layout *p)
{
    char text[32];
    double u = p->u, x = floor(p->left), y = floor(p->top);
    double low = y + q->height;
    xta__canvas_colour(canvas, ink);
    for (int k = 0; k < p->down.ticks.n; k++) {
        xta__picture_tick_text(&p->down.ticks, k, text);
        xta__canvas_line(canvas, x - 0.4 * u, y + p->down.place[k], x, y + p->down.place[k],
                         u / 12);
        xta__canvas_text(canvas, x - 0.7 * u, y + p->down.place[k], PICTURE_RIGHT, u, false, text);
    }
    for (int k = 0; k < p->across.ticks.n; k++) {
        xta__picture_tick_text(&p->across.ticks, k, text);
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

/* A triangle above or below the bar means that there are values beyond its end. */
static void draw_point(picture_canvas *canvas, double x, double y, double w, double tip,
                       picture_rgb colour, double line)
{
    cairo_t *cairo = canvas->cairo;
    cairo_move_to(cairo, x, y);
    cairo_line_to(cairo, x + w / 2, y + tip);
    cairo_line_to(cairo, x + w, y);
    xta__canvas_colour(canvas, colour);
    cairo_fill_preserve(cairo);
    xta__canvas_colour(canvas, ink);
    cairo_set_line_width(cairo, line);
    cairo_stroke(cairo);
}

static void draw_bar(picture_canvas *canvas, const picture_quicklook *q, const layout *p)
{
    const picture_sample *s = &q->sample;
    char text[32];
    double u = p->u, w = bar_width(p);
    double x = floor(p->left) + q->width + 1.1 * u;
    double tip = 0.8 * u;
    double y = floor(p->top) + tip, h = q->height - 2 * tip;
    bool falls = s->low[0] > s->high[0];
    bool below = falls ? s->greatest[0] > s->low[0] : s->least[0] < s->low[0];
    bool above = falls ? s->least[0] < s->high[0] : s->greatest[0] > s->high[0];
    if (above) {
        draw_point(canvas, x, y, w, -tip, q->colormap[255], u / 12);
    }
    if (below) {
        draw_point(canvas, x, y + h, w, tip, q->colormap[0], u / 12);
    }
    cairo_pattern_t *ramp = cairo_pattern_create_linear(0, y + h, 0, y);
    for (int k = 0; k < 256; k += 5) { // 255 is a multiple of 5, so both ends are included
        picture_rgb c = q->colormap[k];
        cairo_pattern_add_color_stop_rgb(ramp, k / 255.0, c.r, c.g, c.b);
    }
    cairo_set_source(canvas->cairo, ramp);
    xta__canvas_fill(canvas, x, y, w, h);
    cairo_pattern_destroy(ramp);
    xta__canvas_colour(canvas, ink);
    xta__canvas_frame(canvas, x, y, w, h, u / 12);
    for (int k = 0; k < p->scale.n; k++) {
        bool counts = q->options.log_counts;
        double low = xta__picture_scaled(counts, s->low[0]);
        double high = xta__picture_scaled(counts, s->high[0]);
        double value = xta__picture_scaled(counts, p->scale.value[k]);
        double t = low == high ? 0.5 : (value - low) / (high - low);
        double place = y + h * (1 - t);
        xta__picture_tick_text(&p->scale, k, text);
        xta__canvas_line(canvas, x + w, place, x + w + 0.35 * u, place, u / 12);
        xta__canvas_text(canvas, x + w + 0.6 * u, place, PICTURE_LEFT, u, false, text);
    }
    if (p->scale_label[0] != '\0') {
        xta__canvas_text_upwards(canvas, x + w + 0.6 * u + p->scale_widest + 1.3 * u, y + h / 2, u,
                                 p->scale_label);
    }
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
        xta__picture_draw_marks(&canvas, q, floor(p->left), floor(p->top));
        draw_sides(&canvas, q, p);
        if (p->bar) {
            draw_bar(&canvas, q, p);
        }
        draw_words(&canvas, q, p);
        status = xta__canvas_finish(&canvas, p->title, p->about, err);
    }
    xta__canvas_clear(&canvas);
    free(p);
    return status;
}
