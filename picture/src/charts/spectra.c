/* Spectra as lines against wavelength.
 *
 * charts/spectra_lines.c says which bands are joined; a missing value breaks its own line, too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "charts/spectra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "charts/spectra_lines.h"
#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "drawing/date_ticks.h"
#include "drawing/number_text.h"
#include "util/try.h"

#define UNIT        13.0 /* size of letters */
#define MOST        4096
#define LEGEND_NAME 190.0
#define LINE        1.5

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb faint = {0.88, 0.89, 0.91};

typedef struct spectra_layout {
    const xta_spectra_chart *chart;
    band_place *place; /* in the order in which they are drawn */
    size_t n_places;
    double left, top, width, height; /* of the plot */
    double page_width, page_height;
    double x_low, x_high, y_low, y_high;
    picture_ticks across, up;
    double names;  /* width of the widest name */
    int n_columns; /* columns of the legend, if it is below; 0: it is on the right */
    char x_label[PICTURE_TEXT_BYTES];
    char y_label[PICTURE_TEXT_BYTES];
    char title[PICTURE_TEXT_BYTES];
} spectra_layout;

/* ---- bands ---- */

static xta_status place_bands(spectra_layout *p, xta_error *err)
{
    const xta_spectra_chart *c = p->chart;
    p->place = malloc(c->n_bands * sizeof *p->place);
    if (p->place == NULL || !xta__spectra_lines(c, p->place, &p->n_places)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "spectra: out of memory");
    }
    if (p->n_places == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "spectra: all %zu bands are bad, so nothing can be drawn", c->n_bands);
    }
    p->x_low = p->x_high = p->place[0].x;
    for (size_t j = 1; j < p->n_places; j++) {
        p->x_low = fmin(p->x_low, p->place[j].x);
        p->x_high = fmax(p->x_high, p->place[j].x);
    }
    return XTA_OK;
}

static xta_status check_chart(const xta_spectra_chart *c, xta_error *err)
{
    if (c->n_spectra < 1 || c->n_spectra > MOST || c->n_bands < 1 || c->values == NULL) {
        return xta_error_set(err, XTA_EARG, 0,
                             "spectra: %zu spectra of %zu bands cannot be drawn; give 1 to %d of 1 "
                             "or more",
                             c->n_spectra, c->n_bands, MOST);
    }
    for (size_t k = 0; k < c->n_bands && c->wavelength != NULL; k++) {
        if (!isfinite(c->wavelength[k])) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "spectra: the wavelength of band %zu is no finite number; leave "
                                 "the wavelengths out",
                                 k);
        }
    }
    bool fits = (c->width == 0 || (c->width >= 320 && c->width <= MOST)) &&
                (c->height == 0 || (c->height >= 200 && c->height <= MOST));
    if (!fits) {
        return xta_error_set(err, XTA_EARG, 0,
                             "spectra: a chart of %g by %g is too small or too large; give 320 to "
                             "%d by 200 to %d",
                             c->width, c->height, MOST, MOST);
    }
    return XTA_OK;
}

/* ---- layout ---- */

const char *xta__spectra_name(const xta_spectra_chart *c, size_t k, char own[32])
{
    if (c->names != NULL && c->names[k] != NULL) {
        return c->names[k];
    }
    snprintf(own, 32, "%zu", k + 1);
    return own;
}

static picture_rgb colour_of(const xta_spectra_chart *c, size_t k)
{
    if (c->colours == NULL) {
        return xta__picture_class_colour(k + 1);
    }
    const unsigned char *rgb = c->colours + 3 * k;
    return (picture_rgb){rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0};
}

/* Lowest and highest value; 0 is shown if it is near. */
static void find_range(spectra_layout *p)
{
    const xta_spectra_chart *c = p->chart;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < c->n_spectra * p->n_places; k++) {
        const double *spectrum = c->values + k / p->n_places * c->n_bands;
        double value = spectrum[p->place[k % p->n_places].k];
        if (isfinite(value)) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    low = low > 0 && low < 0.5 * high ? 0 : low;
    if (low == high) {
        low -= fabs(low) > 0 ? 0.5 * fabs(low) : 0.5;
        high += fabs(high) > 0 ? 0.5 * fabs(high) : 0.5;
    }
    double space = 0.04 * (high - low);
    p->y_low = low == 0 ? 0 : low - space;
    p->y_high = high + space;
    if (p->x_low == p->x_high) {
        p->x_low -= 0.5;
        p->x_high += 0.5;
    }
}

static void write_labels(spectra_layout *p)
{
    const xta_spectra_chart *c = p->chart;
    const char *unit = c->unit != NULL ? xta__picture_unit_text(c->unit) : "";
    const char *label = c->label != NULL ? c->label : "";
    const char *axis = c->axis != NULL ? c->axis : c->wavelength != NULL ? "wavelength" : "band";
    char factor[48] = "";
    if (p->across.exponent != 0) {
        snprintf(factor, sizeof factor, "10^%d ", p->across.exponent);
    }
    if (c->wavelength != NULL && (unit[0] != '\0' || factor[0] != '\0')) {
        snprintf(p->x_label, sizeof p->x_label, "%.60s [%s%.60s]", axis, factor, unit);
    } else {
        snprintf(p->x_label, sizeof p->x_label, "%.150s", axis);
    }
    if (p->up.exponent != 0) {
        snprintf(p->y_label, sizeof p->y_label, "%.120s [10^%d]", label, p->up.exponent);
    } else {
        snprintf(p->y_label, sizeof p->y_label, "%.150s", label);
    }
    snprintf(p->title, sizeof p->title, "%.150s", c->title != NULL ? c->title : "");
}

/* A single line without a name needs no legend. */
static bool has_legend(const xta_spectra_chart *c)
{
    char own[32];

    return c->n_spectra != 1 || xta__spectra_name(c, 0, own)[0] != '\0';
}

/* The legend is on the right if it is short and there is enough space, else below. */
static double plan_legend(spectra_layout *p, double space)
{
    const xta_spectra_chart *c = p->chart;
    char own[32];
    if (!has_legend(c)) {
        return UNIT;
    }
    for (size_t k = 0; k < c->n_spectra; k++) {
        p->names =
            fmax(p->names, xta__canvas_text_width(UNIT, false, xta__spectra_name(c, k, own)));
    }
    p->names = fmin(p->names, LEGEND_NAME);
    double entry = 2.6 * UNIT + p->names;
    bool to_the_right = (double)c->n_spectra * LINE * UNIT <= space && entry < 0.3 * p->page_width;
    if (to_the_right) {
        return entry + 1.5 * UNIT;
    }
    int columns = (int)((p->page_width - 5 * UNIT) / (entry + 1.5 * UNIT));
    p->n_columns = columns < 1 ? 1 : columns;
    return 0;
}

static void plan(spectra_layout *p)
{
    const xta_spectra_chart *c = p->chart;
    char text[32];
    double widest = 0;
    p->page_width = c->width > 0 ? c->width : 960;
    p->page_height = c->height > 0 ? c->height : 480;
    p->top = c->title != NULL && c->title[0] != '\0' ? 3.4 * UNIT : 1.6 * UNIT;
    p->height = p->page_height - p->top - 4.6 * UNIT;
    find_range(p);
    xta__picture_ticks(p->y_low, p->y_high, (int)(p->height / (2.6 * UNIT)), 0, &p->up);
    for (int k = 0; k < p->up.n; k++) {
        xta__picture_tick_text(&p->up, k, text);
        widest = fmax(widest, xta__canvas_text_width(UNIT, false, text));
    }
    double right = plan_legend(p, p->height);
    bool named = c->label != NULL && c->label[0] != '\0';
    p->left = 1.2 * UNIT + (named || p->up.exponent != 0 ? 1.9 * UNIT : 0) + widest + 0.7 * UNIT;
    p->width = p->page_width - p->left - 1.6 * UNIT - right;
    if (p->n_columns > 0) {
        size_t rows = (c->n_spectra + (size_t)p->n_columns - 1) / (size_t)p->n_columns;
        p->page_height += LINE * UNIT * (double)rows + 0.5 * UNIT;
    }
    xta__picture_ticks(p->x_low, p->x_high, (int)(p->width / (5.5 * UNIT)),
                       c->wavelength == NULL ? 1 : 0, &p->across);
    if (c->time != NULL && c->wavelength != NULL) {
        xta__picture_date_ticks(c->time, p->x_low, p->x_high, (int)(p->width / (9 * UNIT)),
                                &p->across);
    }
    write_labels(p);
    xta__canvas_fit(UNIT, false, p->height, p->y_label);
    xta__canvas_fit(UNIT, false, p->width, p->x_label);
    xta__canvas_fit(1.2 * UNIT, true, p->page_width - 3 * UNIT, p->title);
}

/* ---- drawing ---- */

static double place_x(const spectra_layout *p, double x)
{
    return p->left + p->width * (x - p->x_low) / (p->x_high - p->x_low);
}

static double place_y(const spectra_layout *p, double y)
{
    return p->top + p->height * (1 - (y - p->y_low) / (p->y_high - p->y_low));
}

static void draw_axes(picture_canvas *canvas, const spectra_layout *p)
{
    char text[32];
    double low = p->top + p->height;
    for (int k = 0; k < p->across.n; k++) {
        double x = place_x(p, p->across.value[k]);
        xta__canvas_colour(canvas, faint);
        xta__canvas_line(canvas, x, p->top, x, low, 1);
        xta__canvas_colour(canvas, ink);
        xta__canvas_line(canvas, x, low, x, low + 0.35 * UNIT, 1);
        xta__picture_tick_text(&p->across, k, text);
        xta__canvas_text(canvas, x, low + 1.1 * UNIT, PICTURE_MIDDLE, UNIT, false, text);
    }
    for (int k = 0; k < p->up.n; k++) {
        double y = place_y(p, p->up.value[k]);
        xta__canvas_colour(canvas, faint);
        xta__canvas_line(canvas, p->left, y, p->left + p->width, y, 1);
        xta__canvas_colour(canvas, ink);
        xta__canvas_line(canvas, p->left - 0.35 * UNIT, y, p->left, y, 1);
        xta__picture_tick_text(&p->up, k, text);
        xta__canvas_text(canvas, p->left - 0.6 * UNIT, y, PICTURE_RIGHT, UNIT, false, text);
    }
    xta__canvas_colour(canvas, soft_ink);
    xta__canvas_frame(canvas, p->left, p->top, p->width, p->height, 1);
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, p->left + p->width / 2, low + 2.9 * UNIT, PICTURE_MIDDLE, UNIT, false,
                     p->x_label);
    if (p->y_label[0] != '\0') {
        xta__canvas_text_upwards(canvas, 1.5 * UNIT, p->top + p->height / 2, UNIT, p->y_label);
    }
    xta__canvas_text(canvas, p->left, 1.6 * UNIT, PICTURE_LEFT, 1.2 * UNIT, true, p->title);
}

/* Set the style of a line: references are thin and dashed; with many lines, each further group of
 * eight has another pattern, so that colour is not the only difference. */
static void set_line(picture_canvas *canvas, const xta_spectra_chart *c, size_t k)
{
    static const double patterns[][4] = {{0, 0, 0, 0}, {9, 3, 9, 3}, {9, 3, 2, 3}};
    const double reference[] = {4, 3};
    bool dashed = c->dashed != NULL && c->dashed[k] != 0;
    size_t pattern = k / 8 % 3;
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(canvas->cairo, dashed ? 1.2 : 1.9);
    if (dashed) {
        cairo_set_dash(canvas->cairo, reference, 2, 0);
    } else {
        cairo_set_dash(canvas->cairo, patterns[pattern], pattern > 0 ? 4 : 0, 0);
    }
    xta__canvas_colour(canvas, colour_of(c, k));
}

/* A single band between two gaps is a point: a line of no length with round ends. */
static void end_stroke(picture_canvas *canvas, int n_points, double x, double y)
{
    if (n_points == 1) {
        cairo_new_path(canvas->cairo);
        cairo_arc(canvas->cairo, x, y, 1.6, 0, 6.28318530717958647693);
        cairo_fill(canvas->cairo);
    } else if (n_points > 1) {
        cairo_stroke(canvas->cairo);
    }
}

static void draw_line(picture_canvas *canvas, const spectra_layout *p, size_t k)
{
    const xta_spectra_chart *c = p->chart;
    int n_points = 0;
    double x = 0, y = 0;
    set_line(canvas, c, k);
    for (size_t j = 0; j < p->n_places; j++) {
        double value = c->values[k * c->n_bands + p->place[j].k];
        if (n_points > 0 && (!isfinite(value) || p->place[j].after_gap)) {
            end_stroke(canvas, n_points, x, y);
            n_points = 0;
        }
        if (!isfinite(value)) {
            continue;
        }
        x = place_x(p, p->place[j].x);
        y = place_y(p, value);
        if (n_points == 0) {
            cairo_move_to(canvas->cairo, x, y);
        } else {
            cairo_line_to(canvas->cairo, x, y);
        }
        n_points++;
    }
    end_stroke(canvas, n_points, x, y);
    cairo_set_dash(canvas->cairo, NULL, 0, 0);
}

static void draw_legend(picture_canvas *canvas, const spectra_layout *p)
{
    const xta_spectra_chart *c = p->chart;
    char own[32], text[PICTURE_TEXT_BYTES];
    double entry = 2.6 * UNIT + p->names;
    double left = p->n_columns > 0 ? p->left : p->left + p->width + 1.5 * UNIT;
    double top = p->n_columns > 0 ? p->top + p->height + 4.8 * UNIT : p->top + 0.6 * UNIT;
    for (size_t k = 0; k < c->n_spectra && has_legend(c); k++) {
        size_t columns = p->n_columns > 0 ? (size_t)p->n_columns : 1;
        double x = left + (double)(k % columns) * (entry + 1.5 * UNIT);
        size_t row = k / columns;
        double y = top + (double)row * LINE * UNIT;
        set_line(canvas, c, k);
        cairo_move_to(canvas->cairo, x, y);
        cairo_line_to(canvas->cairo, x + 2 * UNIT, y);
        cairo_stroke(canvas->cairo);
        cairo_set_dash(canvas->cairo, NULL, 0, 0);
        snprintf(text, sizeof text, "%.150s", xta__spectra_name(c, k, own));
        xta__canvas_fit(UNIT, false, p->names + 1, text);
        xta__canvas_colour(canvas, ink);
        xta__canvas_text(canvas, x + 2.6 * UNIT, y, PICTURE_LEFT, UNIT, false, text);
    }
}

xta_status xta__chart_spectra_to(const xta_spectra_chart *chart, const char *path, xta__text *to,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    xta_spectra_chart c = XTA_SPECTRA_CHART_INIT;
    picture_canvas canvas;
    char about[PICTURE_TEXT_BYTES];
    spectra_layout p;
    memset(&canvas, 0, sizeof canvas);
    memset(&p, 0, sizeof p);
    XTA_TRY(xta_options_read(&c, sizeof c, chart, "xta_spectra_chart", err));
    p.chart = &c;
    XTA_TRY(check_chart(&c, err));
    XTA_TRY(place_bands(&p, err));
    plan(&p);
    XTA_TRY(xta__canvas_open(&canvas, path, p.page_width, p.page_height, 2, err));
    canvas.to = to;
    xta__canvas_colour(&canvas, white);
    cairo_paint(canvas.cairo);
    draw_axes(&canvas, &p);
    for (size_t k = 0; k < c.n_spectra; k++) {
        draw_line(&canvas, &p, k);
    }
    draw_legend(&canvas, &p);
    snprintf(about, sizeof about, "%zu spectra of %zu bands", c.n_spectra, c.n_bands);
    status = xta__canvas_finish(&canvas, p.title, about, err);
done:
    xta__canvas_clear(&canvas);
    free(p.place);
    return status;
}

xta_status xta_chart_spectra(const xta_spectra_chart *chart, const char *path, xta_error *err)
{
    return xta__chart_spectra_to(chart, path, NULL, err);
}
