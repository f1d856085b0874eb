/* The colour bar of a quicklook.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/colour_bar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In letters. */
#define SPACE 1.1 /* between image and bar */
#define BAR   1.1
#define TIP   0.8

static const picture_rgb ink = {0.13, 0.14, 0.16};

static void write_label(const picture_quicklook *q, picture_bar *bar)
{
    const char *label = q->meaning.label;
    const char *unit = q->meaning.unit;
    char factor[48] = "";
    if (bar->scale.exponent != 0) {
        snprintf(factor, sizeof factor, "10^%d ", bar->scale.exponent);
    }
    if (unit[0] != '\0' || factor[0] != '\0') {
        snprintf(bar->label, sizeof bar->label, "%s%s[%s%s]", label, label[0] != '\0' ? " " : "",
                 factor, unit);
    } else {
        snprintf(bar->label, sizeof bar->label, "%s", label);
    }
    xta__canvas_fit(bar->u, false, bar->height + 6 * bar->u, bar->label);
}

void xta__picture_bar_plan(const picture_quicklook *q, double height, double u, picture_bar *bar)
{
    int most = (int)(height / (2.4 * u));
    memset(bar, 0, sizeof *bar);
    if (q->sample.n != 1 || q->classes != NULL) {
        return;
    }
    bar->u = u;
    bar->height = height;
    if (q->options.log_counts) {
        xta__picture_count_ticks(q->sample.low[0], q->sample.high[0], most, &bar->scale);
    } else {
        xta__picture_ticks(q->sample.low[0], q->sample.high[0], most, 0, &bar->scale);
    }
    for (int k = 0; k < bar->scale.n; k++) {
        char text[32];
        xta__picture_tick_text(&bar->scale, k, text);
        bar->widest = fmax(bar->widest, xta__canvas_text_width(u, false, text));
    }
    write_label(q, bar);
    bar->width = (SPACE + BAR + 0.8) * u + bar->widest + (bar->label[0] != '\0' ? 2.0 * u : 0);
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

static void draw_ramp(picture_canvas *canvas, const picture_quicklook *q, double x, double y,
                      double w, double h)
{
    cairo_pattern_t *ramp = cairo_pattern_create_linear(0, y + h, 0, y);
    for (int k = 0; k < 256; k += 5) { // 255 is a multiple of 5, so both ends are included
        picture_rgb c = q->colormap[k];
        cairo_pattern_add_color_stop_rgb(ramp, k / 255.0, c.r, c.g, c.b);
    }
    cairo_set_source(canvas->cairo, ramp);
    xta__canvas_fill(canvas, x, y, w, h);
    cairo_pattern_destroy(ramp);
}

static void draw_ticks(picture_canvas *canvas, const picture_quicklook *q, const picture_bar *bar,
                       double x, double y, double h)
{
    const picture_sample *s = &q->sample;
    bool counts = q->options.log_counts;
    double low = xta__picture_scaled(counts, s->low[0]);
    double high = xta__picture_scaled(counts, s->high[0]);
    for (int k = 0; k < bar->scale.n; k++) {
        char text[32];
        double value = xta__picture_scaled(counts, bar->scale.value[k]);
        double t = low == high ? 0.5 : (value - low) / (high - low);
        double place = y + h * (1 - t);
        xta__picture_tick_text(&bar->scale, k, text);
        xta__canvas_line(canvas, x, place, x + 0.35 * bar->u, place, bar->u / 12);
        xta__canvas_text(canvas, x + 0.6 * bar->u, place, PICTURE_LEFT, bar->u, false, text);
    }
}

void xta__picture_bar_draw(picture_canvas *canvas, const picture_quicklook *q,
                           const picture_bar *bar, double x, double y)
{
    const picture_sample *s = &q->sample;
    double u = bar->u, w = BAR * u, tip = TIP * u;
    double h = bar->height - 2 * tip;
    if (bar->width == 0) {
        return;
    }
    x += SPACE * u;
    y += tip;
    bool falls = s->low[0] > s->high[0];
    bool below = falls ? s->greatest[0] > s->low[0] : s->least[0] < s->low[0];
    bool above = falls ? s->least[0] < s->high[0] : s->greatest[0] > s->high[0];
    if (above) {
        draw_point(canvas, x, y, w, -tip, q->colormap[255], u / 12);
    }
    if (below) {
        draw_point(canvas, x, y + h, w, tip, q->colormap[0], u / 12);
    }
    draw_ramp(canvas, q, x, y, w, h);
    xta__canvas_colour(canvas, ink);
    xta__canvas_frame(canvas, x, y, w, h, u / 12);
    draw_ticks(canvas, q, bar, x + w, y, h);
    if (bar->label[0] != '\0') {
        xta__canvas_text_upwards(canvas, x + w + 0.6 * u + bar->widest + 1.3 * u, y + h / 2, u,
                                 bar->label);
    }
}
