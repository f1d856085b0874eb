/* Marks: rings round cells, with a few letters, drawn over an image.
 *
 * A ring is dark with a light rim, so that it is visible on any background, and never smaller than
 * a few pixels, however small the cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/marks.h"

#include <math.h>

#include "quicklook/axes.h"

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

static int64_t coordinate_lo(const picture_quicklook *q, int axis)
{
    return axis < 0 ? 0 : q->box.lo[axis];
}

static bool is_shown(const picture_quicklook *q, int axis, int64_t coord)
{
    return axis < 0 ? coord == 0 : coord >= q->box.lo[axis] && coord < q->box.hi[axis];
}

static void draw_mark(picture_canvas *canvas, const picture_quicklook *q,
                      const xta_picture_mark *mark, double left, double top)
{
    const picture_axes *axes = &q->axes;
    int longer = q->width > q->height ? q->width : q->height;
    double u = fmin(fmax(longer / 60.0, 9), 34);
    double rows = (double)(mark->row - coordinate_lo(q, axes->rows));
    double columns = (double)(mark->column - coordinate_lo(q, axes->columns));
    double x = (floor(columns / (double)q->sample.column_step) + 0.5) * q->cell_width;
    double y = (floor(rows / (double)q->sample.row_step) + 0.5) * q->cell_height;
    y = q->flipped ? q->height - y : y;
    double widest = q->cell_width > q->cell_height ? q->cell_width : q->cell_height;
    double radius = fmax(0.75 * widest, 0.55 * u);
    draw_ring(canvas->cairo, left + x, top + y, radius, u / 7);
    if (mark->text == NULL || mark->text[0] == '\0') {
        return;
    }
    double text = xta__canvas_text_width(u, true, mark->text);
    double gap = radius + 0.35 * u;
    bool to_the_left = x + gap + text > q->width;
    canvas->halo = true;
    cairo_set_source_rgb(canvas->cairo, 0.05, 0.05, 0.07);
    xta__canvas_text(canvas, left + x + (to_the_left ? -gap : gap), top + y,
                     to_the_left ? PICTURE_RIGHT : PICTURE_LEFT, u, true, mark->text);
    canvas->halo = false;
}

void xta__picture_draw_marks(picture_canvas *canvas, const picture_quicklook *q, double x, double y)
{
    const xta_quicklook_options *o = &q->options;
    for (size_t k = 0; k < o->n_marks && o->marks != NULL; k++) {
        const xta_picture_mark *mark = &o->marks[k];
        if (is_shown(q, q->axes.rows, mark->row) && is_shown(q, q->axes.columns, mark->column)) {
            draw_mark(canvas, q, mark, x, y);
        }
    }
}
