/* Marks: rings round cells, with a few letters, drawn over an image.
 *
 * A ring is dark with a light rim, so that it is seen on any ground, and never smaller than a few
 * pixels, however small the cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include <math.h>

#define FULL_TURN 6.28318530717958647693

static void draw_ring(cairo_t *cairo, double x, double y, double radius, double line)
{
    cairo_new_path(cairo);
    cairo_arc(cairo, x, y, radius, 0, FULL_TURN);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_set_line_width(cairo, 2.6 * line);
    cairo_stroke_preserve(cairo);
    cairo_set_source_rgb(cairo, 0.05, 0.05, 0.07);
    cairo_set_line_width(cairo, line);
    cairo_stroke(cairo);
}

static int64_t coordinate_lo(const picture_quicklook *look, int axis)
{
    return axis < 0 ? 0 : look->box.lo[axis];
}

static bool is_shown(const picture_quicklook *look, int axis, int64_t coord)
{
    return axis < 0 ? coord == 0 : coord >= look->box.lo[axis] && coord < look->box.hi[axis];
}

static void draw_mark(picture_canvas *canvas, const picture_quicklook *look,
                      const xta_picture_mark *mark, double left, double top)
{
    const picture_axes *axes = &look->axes;
    int longer = look->width > look->height ? look->width : look->height;
    double u = fmin(fmax(longer / 60.0, 9), 34);
    double rows = (double)(mark->row - coordinate_lo(look, axes->rows));
    double columns = (double)(mark->column - coordinate_lo(look, axes->columns));
    double x = (floor(columns / (double)look->sample.column_step) + 0.5) * look->cell_width;
    double y = (floor(rows / (double)look->sample.row_step) + 0.5) * look->cell_height;
    y = look->flipped ? look->height - y : y;
    double widest = look->cell_width > look->cell_height ? look->cell_width : look->cell_height;
    double radius = fmax(0.75 * widest, 0.55 * u);
    draw_ring(canvas->cairo, left + x, top + y, radius, u / 7);
    if (mark->text == NULL || mark->text[0] == '\0') {
        return;
    }
    double text = xta__canvas_text_width(u, true, mark->text);
    double gap = radius + 0.35 * u;
    bool to_the_left = x + gap + text > look->width;
    canvas->halo = true;
    cairo_set_source_rgb(canvas->cairo, 0.05, 0.05, 0.07);
    xta__canvas_text(canvas, left + x + (to_the_left ? -gap : gap), top + y,
                     to_the_left ? PICTURE_RIGHT : PICTURE_LEFT, u, true, mark->text);
    canvas->halo = false;
}

void xta__picture_draw_marks(picture_canvas *canvas, const picture_quicklook *look, double x,
                             double y)
{
    const xta_quicklook_options *o = &look->options;
    for (size_t k = 0; k < o->n_marks && o->marks != NULL; k++) {
        const xta_picture_mark *mark = &o->marks[k];
        if (is_shown(look, look->axes.rows, mark->row) &&
            is_shown(look, look->axes.columns, mark->column)) {
            draw_mark(canvas, look, mark, x, y);
        }
    }
}
