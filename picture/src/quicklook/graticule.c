/* Meridians and parallels over a quicklook.
 *
 * On a curvilinear grid each cell has a latitude and a longitude, and lines of equal degrees are
 * found square by square: between the centres of four neighbouring cells a line enters and leaves
 * where the degree lies between two corners. Longitudes of one square are first brought within half
 * a turn of each other, since they jump by 360 somewhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/graticule.h"

#include <math.h>
#include <string.h>

#include "drawing/number_text.h"
#include "facts/coordinates.h"

#define MOST_LEVELS  40
#define WANTED_LINES 7
#define STEEP        20.0 /* degrees of latitude between two cells: no grid, but missing numbers */

/* Where a line is labelled. */
typedef struct graticule_label {
    double degree;
    double x, y; /* pixels of the image */
} graticule_label;

/* One family of lines, and where they are drawn. */
typedef struct family {
    picture_canvas *canvas;
    const picture_quicklook *q;
    picture_field field;
    bool latitude;
    double left, top; /* of the image */
    double step;      /* between lines, degrees */
    int n_labels;
    graticule_label label[MOST_LEVELS];
} family;

/* ---- squares ---- */

typedef struct corner {
    double x, y, degree;
} corner;

static corner corner_at(const family *f, int64_t row, int64_t column)
{
    const picture_quicklook *q = f->q;
    corner c;
    c.x = ((double)column + 0.5) * q->cell_width;
    c.y = ((double)row + 0.5) * q->cell_height;
    c.y = q->flipped ? q->height - c.y : c.y;
    c.degree = xta__picture_field_at(&f->field, q->box.lo[q->axes.rows] + row * q->sample.row_step,
                                     q->box.lo[q->axes.columns] + column * q->sample.column_step);
    return c;
}

/* Read the corners of a square, going round it. False if it has no place on the globe. */
static bool read_square(const family *f, int64_t row, int64_t column, corner c[4])
{
    c[0] = corner_at(f, row, column);
    c[1] = corner_at(f, row, column + 1);
    c[2] = corner_at(f, row + 1, column + 1);
    c[3] = corner_at(f, row + 1, column);
    bool good = isfinite(c[0].degree) && fabs(c[0].degree) <= 720;
    for (int k = 1; k < 4; k++) {
        double away = c[k].degree - c[0].degree;
        if (!f->latitude) {
            c[k].degree -= 360 * round(away / 360);
        }
        good = good && isfinite(away) && (!f->latitude || fabs(away) < STEEP);
    }
    return good;
}

/* The label of a line is where it begins: a parallel at the left, a meridian at the bottom. */
static void note_label(family *f, double degree, double x, double y)
{
    degree = f->latitude ? degree : degree - 360 * floor((degree + 180) / 360);
    int k = 0;
    while (k < f->n_labels && fabs(f->label[k].degree - degree) > 1e-6) {
        k++;
    }
    if (k == MOST_LEVELS) {
        return;
    }
    bool further = k < f->n_labels && (f->latitude ? x < f->label[k].x : y > f->label[k].y);
    if (k == f->n_labels || further) {
        f->label[k] = (graticule_label){degree, x, y};
        f->n_labels = k == f->n_labels ? k + 1 : f->n_labels;
    }
}

/* Add the line of one degree through a square to the path. */
static void cross_square(family *f, const corner c[4], double degree)
{
    double x[4], y[4];
    int n = 0;
    for (int k = 0; k < 4; k++) {
        const corner *a = &c[k], *b = &c[(k + 1) % 4];
        if ((a->degree < degree) != (b->degree < degree)) {
            double t = (degree - a->degree) / (b->degree - a->degree);
            x[n] = a->x + t * (b->x - a->x);
            y[n++] = a->y + t * (b->y - a->y);
        }
    }
    for (int k = 0; k + 1 < n; k += 2) {
        cairo_move_to(f->canvas->cairo, f->left + x[k], f->top + y[k]);
        cairo_line_to(f->canvas->cairo, f->left + x[k + 1], f->top + y[k + 1]);
        note_label(f, degree, x[k], y[k]);
        note_label(f, degree, x[k + 1], y[k + 1]);
    }
}

static void add_square(family *f, int64_t row, int64_t column)
{
    corner c[4];
    if (!read_square(f, row, column, c)) {
        return;
    }
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 4; k++) {
        low = fmin(low, c[k].degree);
        high = fmax(high, c[k].degree);
    }
    for (double k = ceil(low / f->step); k * f->step <= high && high - low < 180; k += 1) {
        cross_square(f, c, k * f->step);
    }
}

/* ---- families ---- */

/* How many degrees of the circle are covered: all but the widest gap between longitudes. */
static int arc_of(const bool covered[360])
{
    int widest = 0, gap = 0;
    for (int k = 0; k < 720; k++) { // twice round, since a gap may begin anywhere
        gap = covered[k % 360] ? 0 : gap + 1;
        widest = gap > widest ? gap : widest;
    }
    return widest >= 360 ? 0 : 360 - widest;
}

/* The distance between lines: about as many as wanted over the whole of the image. */
static double choose_step(const family *f)
{
    const picture_sample *s = &f->q->sample;
    picture_ticks ticks;
    bool covered[360] = {false};
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < s->rows * s->columns; k++) {
        double degree = corner_at(f, k / s->columns, k % s->columns).degree;
        if (isfinite(degree) && fabs(degree) <= 720) {
            low = fmin(low, degree);
            high = fmax(high, degree);
            covered[((int)floor(degree) + 720) % 360] = true;
        }
    }
    if (!(low < high)) {
        return NAN;
    }
    high = f->latitude ? high : fmin(high, low + arc_of(covered));
    // From 0, so that there are ticks, of which only the distance counts.
    xta__picture_degree_ticks(0, high - low, WANTED_LINES, &ticks);
    return ticks.n > 1 ? ticks.value[1] - ticks.value[0] : NAN;
}

/* A dark line in a light one can be seen on every colour. */
static void stroke(picture_canvas *canvas, double u)
{
    cairo_t *cairo = canvas->cairo;
    cairo_set_source_rgba(cairo, 1, 1, 1, 0.45);
    cairo_set_line_width(cairo, u / 5);
    cairo_stroke_preserve(cairo);
    cairo_set_source_rgba(cairo, 0.1, 0.1, 0.12, 0.65);
    cairo_set_line_width(cairo, u / 14);
    cairo_stroke(cairo);
}

/* Write the degrees of the lines; labels that would cover an earlier one are left out. */
static void draw_labels(const family *f, double u)
{
    f->canvas->halo = true;
    for (int k = 0; k < f->n_labels; k++) {
        const graticule_label *l = &f->label[k];
        char text[32];
        bool free = true;
        for (int j = 0; j < k; j++) {
            free = free && hypot(l->x - f->label[j].x, l->y - f->label[j].y) > 3 * u;
        }
        if (!free) {
            continue;
        }
        xta__picture_degree_text(l->degree, f->latitude, text);
        double half = xta__canvas_text_width(0.9 * u, false, text) / 2;
        double x = fmin(fmax(l->x, half + 0.3 * u), f->q->width - half - 0.3 * u);
        double y = fmin(fmax(l->y, 0.8 * u), f->q->height - 0.8 * u);
        cairo_set_source_rgb(f->canvas->cairo, 0.05, 0.05, 0.07);
        xta__canvas_text(f->canvas, f->left + x, f->top + y, PICTURE_MIDDLE, 0.9 * u, false, text);
    }
    f->canvas->halo = false;
}

static void draw_family(family *f, double u)
{
    f->step = choose_step(f);
    if (!(f->step > 0)) {
        return;
    }
    for (int64_t row = 0; row + 1 < f->q->sample.rows; row++) {
        for (int64_t column = 0; column + 1 < f->q->sample.columns; column++) {
            add_square(f, row, column);
        }
    }
    stroke(f->canvas, u);
}

static void draw_curved(picture_canvas *canvas, const picture_quicklook *q, double x, double y,
                        double u)
{
    static const picture_meridian meridians[] = {PICTURE_LATITUDE, PICTURE_LONGITUDE};
    family families[2];
    for (int k = 0; k < 2; k++) {
        memset(&families[k], 0, sizeof families[k]);
        families[k].canvas = canvas;
        families[k].q = q;
        families[k].left = x;
        families[k].top = y;
        families[k].latitude = meridians[k] == PICTURE_LATITUDE;
        if (!xta__picture_field(q->array, q->axes.rows, q->axes.columns, meridians[k], false,
                                &families[k].field)) {
            return; // one without the other is no graticule
        }
    }
    for (int k = 0; k < 2; k++) {
        draw_family(&families[k], u);
    }
    for (int k = 0; k < 2; k++) {
        draw_labels(&families[k], u);
    }
}

/* The ticks already have the degrees. */
static void draw_straight(picture_canvas *canvas, const picture_quicklook *q,
                          const picture_side *down, const picture_side *across, double x, double y,
                          double u)
{
    for (int k = 0; k < across->ticks.n; k++) {
        cairo_move_to(canvas->cairo, x + across->place[k], y);
        cairo_line_to(canvas->cairo, x + across->place[k], y + q->height);
    }
    for (int k = 0; k < down->ticks.n; k++) {
        cairo_move_to(canvas->cairo, x, y + down->place[k]);
        cairo_line_to(canvas->cairo, x + q->width, y + down->place[k]);
    }
    stroke(canvas, u);
}

void xta__picture_graticule(picture_canvas *canvas, const picture_quicklook *q,
                            const picture_side *down, const picture_side *across, double x,
                            double y, double u)
{
    if (q->options.no_graticule || q->options.cell_axes) {
        return;
    }
    if (down->meridian != PICTURE_NEITHER && across->meridian != PICTURE_NEITHER &&
        down->meridian != across->meridian) {
        draw_straight(canvas, q, down, across, x, y, u);
    } else {
        draw_curved(canvas, q, x, y, u);
    }
}
