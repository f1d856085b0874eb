/* Drawing a plan: two faces and a time line.
 *
 * The faces show the same front of the array, on the left as it is read and on the right as it is
 * written; the colour of a piece shows when it is moved. On both, blocks of the source are outlined
 * in blue and those of the target in orange, so that dependencies can be seen. Below, time runs to
 * the right in bytes moved: memory in use, below the limit, and which bytes were read and which
 * written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "maps/plan_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "maps/plan_blocks.h"

#define PNG_SCALE     2
#define EDGE          26.0
#define LETTER        12.0
#define FACE          400.0 /* width of a face, and its height if the axes are of one length */
#define LEAST_FACE    120.0
#define GAP           84.0
#define TIME_HEIGHT   230.0
#define STRIP         15.0
#define N_BINS        1800
#define MOST_LETTERED 1500
#define LEAST_CELL    6.0 /* least distance of cuts, in units, to be drawn */
#define LEAST_OTHER   9.0 /* the same for the other side's cuts */

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb nothing = {0.92, 0.93, 0.94};
static const picture_rgb source_ink = {0.13, 0.36, 0.78};
static const picture_rgb target_ink = {0.86, 0.42, 0.05};
static const picture_rgb live_colour = {0.36, 0.58, 0.62};
static const picture_rgb buffer_colour = {0.82, 0.87, 0.88};
static const picture_rgb limit_ink = {0.78, 0.12, 0.16};

/* The memory in use in one narrow column of the time line. */
typedef struct bin {
    double live, allocated;
    bool reads, writes;
} bin;

typedef struct sheet {
    picture_canvas canvas;
    const picture_plan *plan;
    double x, y, w, h; /* position of the left face */
    double time_x, time_y, time_w;
    double page_w, page_h;
    double top; /* bytes at the top of the time line */
    size_t n_shown;
    bin bins[N_BINS];
    picture_rgb colours[256];
    char about[3][2 * PICTURE_TEXT_BYTES];
} sheet;

static const char *bytes_text(double bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int k = 0;
    while (bytes >= 1024 && k < 6) {
        bytes /= 1024;
        k++;
    }
    snprintf(text, 32, k == 0 ? "%.0f %s" : "%.2f %s", bytes, units[k]);
    return text;
}

/* The power of 1024 for which a number of bytes is easy to read, and its name. */
static double unit_of(double bytes, const char **name)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double unit = 1;
    int k = 0;
    while (bytes / unit >= 1024 && k < 6) {
        unit *= 1024;
        k++;
    }
    *name = units[k];
    return unit;
}

/* ---- words ---- */

static void describe_plan(sheet *s)
{
    const picture_plan *p = s->plan;
    const xta_rechunk_facts *f = p->facts;
    char a[32], b[32], c[32];
    snprintf(s->about[0], sizeof s->about[0],
             "%s, by %s, holding %s: %s operations, %s runs; at least %s are needed",
             xta_rechunk_strategy_name(f->strategy), f->way,
             f->hold == XTA_HOLD_FRAGMENTS ? "parts" : "pieces",
             xta__picture_count_text(p->n_all, a),
             xta__picture_count_text(f->read_runs + f->write_runs, b),
             xta__picture_count_text(f->n_from + f->n_to, c));
    snprintf(s->about[1], sizeof s->about[1], "limit %s of %s; at most %s alive, %s allocated",
             bytes_text((double)p->problem->memory_bytes, a),
             p->problem->account == XTA_ACCOUNT_LIVE ? "cells alive" : "allocated buffers",
             bytes_text((double)f->peak_live_bytes, b),
             bytes_text((double)f->peak_allocated_bytes, c));
    if (p->n_ops < p->n_all) {
        snprintf(s->about[2], sizeof s->about[2],
                 "shown: the first %s operations, in %s of %s components",
                 xta__picture_count_text(p->n_ops, a), xta__picture_count_text(p->n_components, b),
                 xta__picture_count_text(f->n_components, c));
    } else if (f->n_components > 1) {
        snprintf(s->about[2], sizeof s->about[2], "%s components, which share no block",
                 xta__picture_count_text(f->n_components, a));
    }
}

/* ---- layout ---- */

static void axis_limits(const picture_plan *p, int side, int64_t *lo, int64_t *hi)
{
    int axis = side == 0 ? p->rows : p->columns;
    *lo = axis < 0 ? 0 : p->problem->bounds.lo[axis];
    *hi = axis < 0 ? 1 : p->problem->bounds.hi[axis];
}

/* Each operation marks the columns that it spans; a column shows the highest value. */
static void fill_bins(sheet *s)
{
    const picture_plan *p = s->plan;
    for (size_t k = 0; k < p->n_ops; k++) {
        const picture_plan_op *op = &p->ops[k];
        int first = (int)floor(op->moved / p->moved * N_BINS);
        int last = (int)ceil(op->end / p->moved * N_BINS) - 1;
        last = last < first ? first : last;
        for (int at = first; at <= last && at < N_BINS; at++) {
            bin *b = &s->bins[at];
            b->live = fmax(b->live, op->live);
            b->allocated = fmax(b->allocated, op->allocated);
            b->reads = b->reads || !op->write;
            b->writes = b->writes || op->write;
        }
        s->n_shown += op->shown;
        s->top = fmax(s->top, fmax(op->live, op->allocated));
    }
}

static void plan_sheet(sheet *s)
{
    const picture_plan *p = s->plan;
    int64_t lo[2], hi[2];
    for (int side = 0; side < 2; side++) {
        axis_limits(p, side, &lo[side], &hi[side]);
    }
    double rows = (double)(hi[0] - lo[0]), columns = (double)(hi[1] - lo[1]);
    s->w = FACE;
    s->h = p->rows < 0 ? LEAST_FACE / 2 : fmin(fmax(FACE * rows / columns, LEAST_FACE), FACE);
    int n_about = s->about[2][0] != '\0' ? 3 : 2;
    s->x = EDGE + 66;
    s->y = EDGE + 24 + 17 * n_about + 50;
    s->time_x = s->x;
    s->time_y = s->y + s->h + 104;
    s->time_w = 2 * s->w + GAP;
    s->page_w = s->x + s->time_w + EDGE + 76;
    s->page_h = s->time_y + TIME_HEIGHT + 2 * STRIP + 84;
    double limit = (double)p->problem->memory_bytes;
    s->top = limit > 2.5 * s->top ? 1.18 * s->top : fmax(1.1 * s->top, 1.1 * limit);
    s->top = fmax(s->top, 1);
}

/* ---- faces ---- */

typedef struct face {
    double x, y;
    bool written;
    int64_t lo[2], hi[2];
} face;

static double place_on_face(const sheet *s, const face *f, int side, int64_t coordinate)
{
    double share = (double)(coordinate - f->lo[side]) / (double)(f->hi[side] - f->lo[side]);
    return side == 0 ? f->y + share * s->h : f->x + share * s->w;
}

static picture_rgb colour_at(const sheet *s, double moved)
{
    int k = s->plan->moved > 0 ? (int)(255 * moved / s->plan->moved) : 0;
    return s->colours[k < 0 ? 0 : k > 255 ? 255 : k];
}

static void draw_piece(sheet *s, const face *f, const picture_plan_op *op)
{
    char text[96];
    double x = place_on_face(s, f, 1, op->lo[1]), y = place_on_face(s, f, 0, op->lo[0]);
    double w = place_on_face(s, f, 1, op->hi[1]) - x, h = place_on_face(s, f, 0, op->hi[0]) - y;
    xta__canvas_colour(&s->canvas, colour_at(s, (op->moved + op->end) / 2));
    cairo_set_antialias(s->canvas.cairo, CAIRO_ANTIALIAS_NONE); // avoids seams between neighbours
    xta__canvas_fill(&s->canvas, x, y, w, h);
    cairo_set_antialias(s->canvas.cairo, CAIRO_ANTIALIAS_DEFAULT);
    if (w >= 6 && h >= 6) {
        xta__canvas_colour(&s->canvas, white);
        xta__canvas_frame(&s->canvas, x, y, w, h, 0.6);
    }
    if (s->n_shown <= MOST_LETTERED) {
        snprintf(text, sizeof text, "%s %" PRIu64 ", after %.0f bytes moved",
                 op->write ? "write" : "read", op->number, op->moved);
        xta__canvas_hint(&s->canvas, x, y, w, h, text);
    }
}

/* The number of a piece in its list, if it fits. */
static void letter_piece(sheet *s, const face *f, const picture_plan_op *op)
{
    char text[32];
    double x = place_on_face(s, f, 1, op->lo[1]), y = place_on_face(s, f, 0, op->lo[0]);
    double w = place_on_face(s, f, 1, op->hi[1]) - x, h = place_on_face(s, f, 0, op->hi[0]) - y;
    snprintf(text, sizeof text, "%" PRIu64, op->number);
    if (h >= 13 && w >= xta__canvas_text_width(10, false, text) + 6) {
        xta__canvas_text(&s->canvas, x + w / 2, y + h / 2, PICTURE_MIDDLE, 10, false, text);
    }
}

static void draw_cuts(sheet *s, const face *f, int side, const xta_partition *partition,
                      picture_rgb colour, bool own)
{
    const double dashes[2] = {4, 3};
    const picture_plan *p = s->plan;
    int axis = side == 0 ? p->rows : p->columns;
    if (axis < 0) {
        return;
    }
    const xta_cuts *cuts = &partition->axis[axis];
    int64_t n = xta__picture_n_blocks(cuts, f->lo[side], f->hi[side]);
    if ((side == 0 ? s->h : s->w) / (double)n < (own ? LEAST_CELL : LEAST_OTHER)) {
        return;
    }
    xta__canvas_colour(&s->canvas, colour);
    cairo_set_dash(s->canvas.cairo, dashes, own ? 0 : 2, 0);
    for (int64_t k = 1; k < n; k++) {
        double at = place_on_face(s, f, side, xta__picture_cut(cuts, f->lo[side], f->hi[side], k));
        double width = own ? 1.8 : 1.1;
        if (side == 0) {
            xta__canvas_line(&s->canvas, f->x, at, f->x + s->w, at, width);
        } else {
            xta__canvas_line(&s->canvas, at, f->y, at, f->y + s->h, width);
        }
    }
    cairo_set_dash(s->canvas.cairo, dashes, 0, 0);
}

static void draw_sides(sheet *s, const face *f)
{
    const picture_plan *p = s->plan;
    picture_ticks ticks;
    char text[32];
    xta__canvas_colour(&s->canvas, ink);
    for (int side = 0; side < 2; side++) {
        int axis = side == 0 ? p->rows : p->columns;
        if (axis < 0) {
            continue;
        }
        xta__picture_ticks((double)f->lo[side], (double)f->hi[side],
                           side == 0 ? (int)(s->h / 40) : 6, 1, &ticks);
        ticks.exponent = 0;
        for (int k = 0; k < ticks.n; k++) {
            double at = place_on_face(s, f, side, (int64_t)ticks.value[k]);
            xta__picture_integer_text((int64_t)ticks.value[k], text);
            if (side == 0) {
                xta__canvas_line(&s->canvas, f->x - 5, at, f->x, at, 1);
                xta__canvas_text(&s->canvas, f->x - 9, at, PICTURE_RIGHT, LETTER, false, text);
            } else {
                xta__canvas_line(&s->canvas, at, f->y + s->h, at, f->y + s->h + 5, 1);
                xta__canvas_text(&s->canvas, at, f->y + s->h + 15, PICTURE_MIDDLE, LETTER, false,
                                 text);
            }
        }
        snprintf(text, sizeof text, "axis %d", axis);
        if (side == 0) {
            xta__canvas_text_upwards(&s->canvas, f->x - 60, f->y + s->h / 2, LETTER, text);
        } else {
            xta__canvas_text(&s->canvas, f->x + s->w / 2, f->y + s->h + 33, PICTURE_MIDDLE, LETTER,
                             false, text);
        }
    }
}

static void draw_face(sheet *s, bool written)
{
    const picture_plan *p = s->plan;
    face f = {.x = written ? s->x + s->w + GAP : s->x, .y = s->y, .written = written};
    for (int side = 0; side < 2; side++) {
        axis_limits(p, side, &f.lo[side], &f.hi[side]);
    }
    xta__canvas_colour(&s->canvas, nothing);
    xta__canvas_fill(&s->canvas, f.x, f.y, s->w, s->h);
    for (size_t k = 0; k < p->n_ops; k++) {
        if (p->ops[k].shown && p->ops[k].write == written) {
            draw_piece(s, &f, &p->ops[k]);
        }
    }
    for (int side = 0; side < 2; side++) {
        draw_cuts(s, &f, side, written ? &p->problem->from : &p->problem->to,
                  written ? source_ink : target_ink, false);
        draw_cuts(s, &f, side, written ? &p->problem->to : &p->problem->from,
                  written ? target_ink : source_ink, true);
    }
    xta__canvas_colour(&s->canvas, ink);
    xta__canvas_frame(&s->canvas, f.x, f.y, s->w, s->h, 1);
    s->canvas.halo = true;
    for (size_t k = 0; k < p->n_ops && s->n_shown <= MOST_LETTERED; k++) {
        if (p->ops[k].shown && p->ops[k].write == written) {
            letter_piece(s, &f, &p->ops[k]);
        }
    }
    s->canvas.halo = false;
    draw_sides(s, &f);
    xta__canvas_colour(&s->canvas, written ? target_ink : source_ink);
    xta__canvas_text(&s->canvas, f.x, f.y - 16, PICTURE_LEFT, 13, true,
                     written ? "written: blocks of the target" : "read: blocks of the source");
}

/* ---- the time line ---- */

static double height_of(const sheet *s, double bytes)
{
    return s->time_y + TIME_HEIGHT * (1 - bytes / s->top);
}

static void draw_area(sheet *s, bool live, picture_rgb colour)
{
    cairo_t *cairo = s->canvas.cairo;
    double step = s->time_w / N_BINS, base = s->time_y + TIME_HEIGHT;
    cairo_move_to(cairo, s->time_x, base);
    for (int k = 0; k < N_BINS; k++) {
        double value = live ? s->bins[k].live : s->bins[k].allocated;
        double before = k == 0 ? 0 : live ? s->bins[k - 1].live : s->bins[k - 1].allocated;
        double after = k + 1 == N_BINS ? 0 : live ? s->bins[k + 1].live : s->bins[k + 1].allocated;
        if (value != before) { // keeps the SVG from holding every column
            cairo_line_to(cairo, s->time_x + k * step, height_of(s, value));
        }
        if (value != after) {
            cairo_line_to(cairo, s->time_x + (k + 1) * step, height_of(s, value));
        }
    }
    cairo_line_to(cairo, s->time_x + s->time_w, base);
    cairo_close_path(cairo);
    xta__canvas_colour(&s->canvas, colour);
    cairo_fill(cairo);
}

/* Draw the columns that have reads, or writes; adjacent ones form one bar. */
static void draw_strip(sheet *s, bool writes, double y)
{
    double step = s->time_w / N_BINS;
    xta__canvas_colour(&s->canvas, nothing);
    xta__canvas_fill(&s->canvas, s->time_x, y, s->time_w, STRIP - 3);
    xta__canvas_colour(&s->canvas, writes ? target_ink : source_ink);
    for (int from = 0; from < N_BINS;) {
        int to = from;
        while (to < N_BINS && (writes ? s->bins[to].writes : s->bins[to].reads)) {
            to++;
        }
        if (to > from) {
            xta__canvas_fill(&s->canvas, s->time_x + from * step, y, (to - from) * step, STRIP - 3);
        }
        from = to + 1;
    }
    xta__canvas_text(&s->canvas, s->time_x - 9, y + STRIP / 2 - 1.5, PICTURE_RIGHT, LETTER, false,
                     writes ? "write" : "read");
}

static void draw_limit(sheet *s)
{
    const double dashes[2] = {7, 4};
    const picture_plan *p = s->plan;
    double limit = (double)p->problem->memory_bytes;
    char bytes[32], text[64];
    bool above = limit > s->top;
    double y = above ? s->time_y + 9 : height_of(s, limit);
    snprintf(text, sizeof text, "limit %s%s", bytes_text(limit, bytes), above ? ", far above" : "");
    xta__canvas_colour(&s->canvas, limit_ink);
    if (!above) {
        cairo_set_dash(s->canvas.cairo, dashes, 2, 0);
        xta__canvas_line(&s->canvas, s->time_x, y, s->time_x + s->time_w, y, 1.6);
        cairo_set_dash(s->canvas.cairo, dashes, 0, 0);
    }
    s->canvas.halo = true;
    xta__canvas_text(&s->canvas, s->time_x + s->time_w - 6, above ? y : y - 9, PICTURE_RIGHT,
                     LETTER, true, text);
    s->canvas.halo = false;
}

static void draw_time_sides(sheet *s)
{
    picture_ticks ticks;
    const char *name;
    char text[48], number[32];
    double unit = unit_of(s->top, &name);
    xta__canvas_colour(&s->canvas, ink);
    xta__canvas_frame(&s->canvas, s->time_x, s->time_y, s->time_w, TIME_HEIGHT, 1);
    xta__picture_ticks(0, s->top / unit, 6, 0, &ticks);
    for (int k = 0; k < ticks.n; k++) {
        double y = height_of(s, ticks.value[k] * unit);
        xta__picture_tick_text(&ticks, k, number);
        xta__canvas_line(&s->canvas, s->time_x - 5, y, s->time_x, y, 1);
        xta__canvas_text(&s->canvas, s->time_x - 9, y, PICTURE_RIGHT, LETTER, false, number);
    }
    snprintf(text, sizeof text, "held [%s]", name);
    xta__canvas_text_upwards(&s->canvas, s->time_x - 60, s->time_y + TIME_HEIGHT / 2, LETTER, text);
    double base = s->time_y + TIME_HEIGHT + 6 + 2 * STRIP;
    unit = unit_of(s->plan->moved, &name);
    xta__picture_ticks(0, s->plan->moved / unit, 10, 0, &ticks);
    for (int k = 0; k < ticks.n; k++) {
        double x = s->time_x + s->time_w * ticks.value[k] * unit / s->plan->moved;
        xta__picture_tick_text(&ticks, k, number);
        xta__canvas_line(&s->canvas, x, base, x, base + 5, 1);
        xta__canvas_text(&s->canvas, x, base + 15, PICTURE_MIDDLE, LETTER, false, number);
    }
    snprintf(text, sizeof text, "read and written so far [%s]", name);
    xta__canvas_text(&s->canvas, s->time_x + s->time_w / 2, base + 33, PICTURE_MIDDLE, LETTER,
                     false, text);
}

static void draw_key(sheet *s)
{
    static const char *const words[] = {"cells alive", "allocated buffers"};
    const picture_rgb colours[] = {live_colour, buffer_colour};
    double x = s->time_x;
    for (int k = 0; k < 2; k++) {
        xta__canvas_colour(&s->canvas, colours[k]);
        xta__canvas_fill(&s->canvas, x, s->time_y - 23, 12, 12);
        xta__canvas_colour(&s->canvas, ink);
        xta__canvas_text(&s->canvas, x + 18, s->time_y - 17, PICTURE_LEFT, LETTER, false, words[k]);
        x += 18 + xta__canvas_text_width(LETTER, false, words[k]) + 24;
    }
}

/* Draw the colours of the faces as a ramp beside them. */
static void draw_ramp(sheet *s)
{
    double x = s->x + s->time_w + 18, w = 13;
    cairo_pattern_t *ramp = cairo_pattern_create_linear(0, s->y, 0, s->y + s->h);
    for (int k = 0; k < 256; k += 5) {
        picture_rgb c = s->colours[k];
        cairo_pattern_add_color_stop_rgb(ramp, k / 255.0, c.r, c.g, c.b);
    }
    cairo_set_source(s->canvas.cairo, ramp);
    xta__canvas_fill(&s->canvas, x, s->y, w, s->h);
    cairo_pattern_destroy(ramp);
    xta__canvas_colour(&s->canvas, ink);
    xta__canvas_frame(&s->canvas, x, s->y, w, s->h, 1);
    xta__canvas_text(&s->canvas, x + w + 7, s->y + 6, PICTURE_LEFT, LETTER, false, "first");
    xta__canvas_text(&s->canvas, x + w + 7, s->y + s->h - 6, PICTURE_LEFT, LETTER, false, "last");
}

static void draw_sheet(sheet *s)
{
    picture_canvas *canvas = &s->canvas;
    char title[PICTURE_TEXT_BYTES];
    xta__canvas_colour(canvas, white);
    cairo_paint(canvas->cairo);
    snprintf(title, sizeof title, "%s", s->plan->title);
    xta__canvas_fit(17, true, s->page_w - 2 * EDGE, title);
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, EDGE, EDGE + 6, PICTURE_LEFT, 17, true, title);
    xta__canvas_colour(canvas, soft_ink);
    for (int k = 0; k < 3; k++) {
        xta__canvas_text(canvas, EDGE, EDGE + 30 + 17 * k, PICTURE_LEFT, LETTER, false,
                         s->about[k]);
    }
    draw_face(s, false);
    draw_face(s, true);
    draw_ramp(s);
    draw_area(s, false, buffer_colour);
    draw_area(s, true, live_colour);
    draw_key(s);
    draw_time_sides(s);
    draw_limit(s);
    draw_strip(s, false, s->time_y + TIME_HEIGHT + 6);
    draw_strip(s, true, s->time_y + TIME_HEIGHT + 6 + STRIP);
}

xta_status xta__picture_plan_draw(const picture_plan *plan, xta_error *err)
{
    sheet *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", plan->path);
    }
    s->plan = plan;
    xta__picture_colormap("viridis", s->colours);
    describe_plan(s);
    fill_bins(s);
    plan_sheet(s);
    xta_status status =
        xta__canvas_open(&s->canvas, plan->path, s->page_w, s->page_h, PNG_SCALE, err);
    if (status == XTA_OK) {
        draw_sheet(s);
        status = xta__canvas_finish(&s->canvas, plan->title, s->about[0], err);
    }
    xta__canvas_clear(&s->canvas);
    free(s);
    return status;
}
