/* Ticks along the sides of a quicklook.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/sides.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/canvas.h"
#include "drawing/date_ticks.h"

static void write_label(xta_array *array, int axis, const picture_coordinates *c, picture_side *s)
{
    char name[PICTURE_TEXT_BYTES], factor[48] = "";
    xta__picture_axis_name(array, axis, name);
    if (s->ticks.exponent != 0) {
        snprintf(factor, sizeof factor, "10^%d ", s->ticks.exponent);
    }
    bool degrees = c->meridian != PICTURE_NEITHER; // the ticks say so
    if (c->known && !degrees && !s->ticks.dated && (c->unit[0] != '\0' || factor[0] != '\0')) {
        snprintf(s->label, sizeof s->label, "%.120s [%s%.80s]", name, factor, c->unit);
    } else {
        snprintf(s->label, sizeof s->label, "%.150s", name);
    }
}

static void choose_ticks(const picture_coordinates *c, int64_t lo, int64_t hi, int most,
                         picture_side *s)
{
    double first = xta__picture_coordinate_at(c, lo), last = xta__picture_coordinate_at(c, hi - 1);
    s->meridian = c->meridian;
    if (!c->known) {
        xta__picture_ticks((double)lo, (double)(hi - 1), most, 1, &s->ticks);
    } else if (c->dated) {
        xta__picture_date_ticks(&c->time, first, last, most, &s->ticks);
    } else if (c->meridian != PICTURE_NEITHER) {
        xta__picture_degree_ticks(first, last, most, &s->ticks);
    } else {
        xta__picture_ticks(first, last, most, 0, &s->ticks);
        xta__picture_ticks_in_full(&s->ticks);
    }
}

/* Find where the ticks stand; those outside the image are dropped. */
static void place_ticks(const picture_quicklook *q, int axis, bool down,
                        const picture_coordinates *c, picture_side *s)
{
    int64_t lo = q->box.lo[axis], hi = q->box.hi[axis];
    int64_t step = down ? q->sample.row_step : q->sample.column_step;
    double pixels = down ? q->cell_height : q->cell_width;
    double length = down ? q->height : q->width;
    int kept = 0;
    for (int k = 0; k < s->ticks.n; k++) {
        double value = s->ticks.value[k];
        double cell =
            c->known ? xta__picture_coordinate_place(c, lo, hi, value) : value - (double)lo;
        double place = (cell / (double)step + 0.5) * pixels;
        place = down && q->flipped ? length - place : place;
        if (place >= 0 && place <= length) { // not NaN
            s->ticks.value[kept] = value;
            s->place[kept++] = place;
        }
    }
    s->ticks.n = kept;
}

/* Whether the texts below the image would run into each other. */
static bool crowded(const picture_side *s, double u)
{
    bool close = false;
    for (int k = 1; k < s->ticks.n; k++) {
        close = close || fabs(s->place[k] - s->place[k - 1]) < s->widest + 0.8 * u;
    }
    return close;
}

static void measure(double u, picture_side *s)
{
    s->widest = 0;
    for (int k = 0; k < s->ticks.n; k++) {
        char text[32];
        xta__picture_side_text(s, k, text);
        s->widest = fmax(s->widest, xta__canvas_text_width(u, false, text));
    }
}

void xta__picture_side(const picture_quicklook *q, int axis, bool down, double u, picture_side *s)
{
    picture_coordinates c;
    memset(s, 0, sizeof *s);
    memset(&c, 0, sizeof c);
    if (axis < 0) {
        return;
    }
    int64_t lo = q->box.lo[axis], hi = q->box.hi[axis];
    if (!q->options.cell_axes && !xta__picture_coordinates(q->array, axis, lo, hi, &c)) {
        memset(&c, 0, sizeof c); // without memory, cells are counted
    }
    double length = down ? q->height : q->width;
    int most = (int)(length / (u * (down ? 2.6 : 4.6)));
    do {
        choose_ticks(&c, lo, hi, most, s);
        place_ticks(q, axis, down, &c, s);
        measure(u, s);
        most = (most < 16 ? most : 15) * 2 / 3;
    } while (!down && most > 2 && crowded(s, u));
    write_label(q->array, axis, &c, s);
    xta__picture_coordinates_clear(&c);
}

void xta__picture_side_text(const picture_side *s, int k, char text[32])
{
    if (s->meridian != PICTURE_NEITHER) {
        xta__picture_degree_text(s->ticks.value[k], s->meridian == PICTURE_LATITUDE, text);
    } else {
        xta__picture_tick_text(&s->ticks, k, text);
    }
}
