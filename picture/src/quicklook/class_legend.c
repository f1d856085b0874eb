/* The legend of classes: those that occur, with their share of the labelled cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/class_legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawing/number_text.h"

#define LINE        1.55 /* of the legend, in sizes of letters */
#define PATCH       1.5
#define SHARE_BYTES 16

static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb not_labelled = {0.89, 0.90, 0.92};

uint32_t xta__picture_class_pixel(const picture_classes *classes, double cell)
{
    picture_rgb c = classes->entry[(size_t)cell].colour;
    return 0xff000000U | (uint32_t)lround(255 * c.r) << 16 | (uint32_t)lround(255 * c.g) << 8 |
           (uint32_t)lround(255 * c.b);
}

static void write_share(const picture_classes *classes, size_t k, char text[SHARE_BYTES])
{
    double share = 100.0 * (double)classes->entry[k].n / (double)classes->n_labelled;
    snprintf(text, SHARE_BYTES, share < 0.05 ? "< 0.1 %%" : "%.1f %%", share);
}

void xta__picture_class_legend_plan(const picture_classes *classes, bool gaps, double u,
                                    double image_width, double image_height,
                                    picture_class_legend *legend)
{
    double name = gaps ? xta__canvas_text_width(0.95 * u, false, "not labelled") - 3 * u : 0;
    memset(legend, 0, sizeof *legend);
    legend->n = gaps ? 1 : 0;
    for (size_t k = 0; k < classes->n; k++) {
        if (classes->entry[k].n > 0) {
            legend->n++;
            name = fmax(name, xta__canvas_text_width(0.95 * u, false, classes->entry[k].name));
        }
    }
    name = fmin(fmax(name, 2 * u), 18 * u);
    legend->column = PATCH * u + name + 1.0 * u + 3.6 * u;
    legend->below = LINE * u * legend->n > fmax(image_height, 1.2 * image_width) ||
                    (LINE * u * legend->n > image_height && image_width > 2 * legend->column);
    int fitting = (int)((image_width + 6 * u) / (legend->column + 1.8 * u));
    legend->n_columns = legend->below && fitting > 1 ? fitting : 1;
    legend->n_columns = legend->n_columns > legend->n ? legend->n : legend->n_columns;
    legend->n_columns = legend->n_columns < 1 ? 1 : legend->n_columns;
    legend->n_rows = (legend->n + legend->n_columns - 1) / legend->n_columns;
    legend->width = legend->n_columns * (legend->column + 1.8 * u) - 1.8 * u;
    legend->height = LINE * u * legend->n_rows;
}

static void draw_entry(picture_canvas *canvas, const picture_class_legend *legend, double u,
                       double x, double y, picture_rgb colour, const char *name, const char *share)
{
    char text[PICTURE_TEXT_BYTES];
    double middle = y + LINE * u / 2;
    snprintf(text, sizeof text, "%s", name);
    xta__canvas_fit(0.95 * u, false, legend->column - PATCH * u - (share[0] != '\0' ? 4.2 * u : 0),
                    text);
    xta__canvas_colour(canvas, colour);
    xta__canvas_fill(canvas, x, middle - 0.45 * u, 0.9 * u, 0.9 * u);
    xta__canvas_colour(canvas, soft_ink);
    xta__canvas_frame(canvas, x, middle - 0.45 * u, 0.9 * u, 0.9 * u, u / 16);
    xta__canvas_text(canvas, x + legend->column, middle, PICTURE_RIGHT, 0.95 * u, false, share);
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, x + PATCH * u, middle, PICTURE_LEFT, 0.95 * u, false, text);
}

void xta__picture_class_legend_draw(picture_canvas *canvas, const picture_classes *classes,
                                    bool gaps, const picture_class_legend *legend, double u,
                                    double x, double y)
{
    int place = 0;
    char share[SHARE_BYTES];
    for (size_t k = 0; k <= classes->n; k++) {
        bool last = k == classes->n;
        if (last ? !gaps : classes->entry[k].n == 0) {
            continue;
        }
        int columns_before = place / legend->n_rows, rows_before = place % legend->n_rows;
        double column = (legend->column + 1.8 * u) * columns_before;
        double row = LINE * u * rows_before;
        place++;
        if (last) {
            draw_entry(canvas, legend, u, x + column, y + row, not_labelled, "not labelled", "");
            continue;
        }
        write_share(classes, k, share);
        draw_entry(canvas, legend, u, x + column, y + row, classes->entry[k].colour,
                   classes->entry[k].name, share);
    }
}
