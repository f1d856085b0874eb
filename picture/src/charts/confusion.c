/* A confusion matrix: rows are the true classes, columns the labels, and cells have numbers.
 *
 * A cell is coloured by its share of the row: blue on the diagonal, where labels are right, orange
 * off it, so that right and wrong can be seen at a glance. Cells are as wide as the longest number;
 * names above columns are written upwards if they do not fit side by side.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "charts/confusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "drawing/number_text.h"
#include "util/try.h"

#define UNIT      13.0
#define MOST_ROWS 256
#define NAME      170.0 /* names are truncated to this width */

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb faint_ink = {0.66, 0.68, 0.71};
static const picture_rgb grid = {0.82, 0.83, 0.86};
static const picture_rgb right = {0.05, 0.27, 0.52};
static const picture_rgb wrong = {0.76, 0.30, 0.02};

typedef struct matrix_layout {
    const xta_confusion_chart *chart;
    double cell_width, cell_height;
    double left, top;     /* of the top left cell */
    double width, height; /* of all cells */
    double page_width, page_height;
    double row_names, column_names; /* width of the widest name */
    bool turned;                    /* column names are written upwards */
    double shares;                  /* width of the column of producer's accuracies; 0: none */
    char title[PICTURE_TEXT_BYTES];
    char scores[PICTURE_TEXT_BYTES];
    char note[2][PICTURE_TEXT_BYTES];
} matrix_layout;

const char *xta__confusion_row_name(const xta_confusion_chart *c, size_t row, char own[32])
{
    if (c->row_names != NULL && c->row_names[row] != NULL) {
        return c->row_names[row];
    }
    snprintf(own, 32, "%zu", row + 1);
    return own;
}

const char *xta__confusion_column_name(const xta_confusion_chart *c, size_t column, char own[32])
{
    if (c->column_names != NULL && c->column_names[column] != NULL) {
        return c->column_names[column];
    }
    if (c->column_names == NULL && column < c->n_rows) {
        return xta__confusion_row_name(c, column, own);
    }
    snprintf(own, 32, "none");
    return own;
}

static double share_of_row(const xta_confusion_chart *c, size_t row, size_t column)
{
    double sum = 0;
    for (size_t k = 0; k < c->n_columns; k++) {
        sum += (double)c->counts[row * c->n_columns + k];
    }
    return sum > 0 ? (double)c->counts[row * c->n_columns + column] / sum : 0;
}

static void share_text(double share, char text[32])
{
    if (isnan(share)) {
        text[0] = '\0';
    } else {
        snprintf(text, 32, "%.1f %%", 100 * share);
    }
}

/* ---- layout ---- */

static void write_scores(matrix_layout *p)
{
    static const char *const names[] = {"OA", "AA", "kappa"};
    const double *scores = p->chart->scores;
    size_t n = 0;
    for (int k = 0; k < 3 && scores != NULL; k++) {
        char value[32];
        if (isnan(scores[k])) {
            continue;
        }
        if (k < 2) {
            share_text(scores[k], value);
        } else {
            snprintf(value, sizeof value, "%.4f", scores[k]);
        }
        int more = snprintf(p->scores + n, sizeof p->scores - n, "%s%s %s", n > 0 ? "     " : "",
                            names[k], value);
        n += more > 0 ? (size_t)more : 0;
    }
}

/* Break a sentence into two lines where it is too long for one. */
static void break_note(matrix_layout *p, double width)
{
    const char *note = p->chart->note != NULL ? p->chart->note : "";
    size_t end = strlen(note);
    char *first = p->note[0];
    snprintf(first, PICTURE_TEXT_BYTES, "%s", note);
    size_t at = strlen(first);
    while (at > 0 && (xta__canvas_text_width(0.95 * UNIT, false, first) > width ||
                      at == PICTURE_TEXT_BYTES - 1)) {
        do {
            at--;
        } while (at > 0 && first[at] != ' ');
        first[at] = '\0';
    }
    if (at < end) {
        snprintf(p->note[1], PICTURE_TEXT_BYTES, "%s", note + at + (note[at] == ' '));
        xta__canvas_fit(0.95 * UNIT, false, width, p->note[1]);
    }
}

static void measure_layout(matrix_layout *p)
{
    const xta_confusion_chart *c = p->chart;
    char own[32], text[32];
    double number = 0;
    for (size_t k = 0; k < c->n_rows * c->n_columns; k++) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)c->counts[k]);
        number = fmax(number, xta__canvas_text_width(UNIT, false, text));
    }
    for (size_t k = 0; k < c->n_rows; k++) {
        p->row_names = fmax(
            p->row_names, xta__canvas_text_width(UNIT, false, xta__confusion_row_name(c, k, own)));
    }
    for (size_t k = 0; k < c->n_columns; k++) {
        p->column_names =
            fmax(p->column_names,
                 xta__canvas_text_width(UNIT, false, xta__confusion_column_name(c, k, own)));
    }
    if (c->user != NULL) {
        number = fmax(number, xta__canvas_text_width(0.9 * UNIT, false, "100.0 %"));
        p->row_names = fmax(p->row_names, xta__canvas_text_width(UNIT, false, "user's accuracy"));
    }
    p->row_names = fmin(p->row_names, NAME);
    p->column_names = fmin(p->column_names, NAME);
    p->cell_height = 2.1 * UNIT;
    p->cell_width = fmax(number + 1.1 * UNIT, 2.6 * UNIT);
    // A few wide columns are better than names that are written upwards.
    double wide = p->column_names + 1.1 * UNIT;
    p->turned = wide > p->cell_width && wide * (double)c->n_columns > 48 * UNIT;
    p->cell_width = p->turned ? p->cell_width : fmax(p->cell_width, wide);
    p->shares =
        c->producer != NULL ? xta__canvas_text_width(UNIT, false, "producer's") + 3 * UNIT : 0;
}

static void plan(matrix_layout *p)
{
    const xta_confusion_chart *c = p->chart;
    measure_layout(p);
    snprintf(p->title, sizeof p->title, "%.150s", c->title != NULL ? c->title : "");
    write_scores(p);
    double names = p->turned ? p->column_names : UNIT;
    p->left = 1.2 * UNIT + 2.0 * UNIT + p->row_names + 0.8 * UNIT;
    p->top = (p->title[0] != '\0' ? 3.2 * UNIT : 1.2 * UNIT) + 1.8 * UNIT + names + 0.9 * UNIT;
    p->width = p->cell_width * (double)c->n_columns;
    p->height = p->cell_height * (double)c->n_rows;
    p->page_width = p->left + p->width + p->shares + 1.6 * UNIT;
    double wanted = fmax(xta__canvas_text_width(1.2 * UNIT, true, p->title),
                         xta__canvas_text_width(1.1 * UNIT, true, p->scores));
    p->page_width = fmax(p->page_width, fmin(wanted, 50 * UNIT) + 2.8 * UNIT);
    p->page_width = fmax(p->page_width, c->note != NULL ? 34 * UNIT : 0);
    xta__canvas_fit(1.2 * UNIT, true, p->page_width - 2.4 * UNIT, p->title);
    break_note(p, p->page_width - 2.4 * UNIT);
    p->page_height = p->top + p->height + (c->user != NULL ? p->cell_height : 0) + 1.2 * UNIT +
                     (p->scores[0] != '\0' ? 2 * UNIT : 0) +
                     (p->note[0][0] != '\0' ? 1.6 * UNIT : 0) +
                     (p->note[1][0] != '\0' ? 1.6 * UNIT : 0);
}

/* ---- drawing ---- */

static picture_rgb mix_colours(picture_rgb a, picture_rgb b, double t)
{
    return (picture_rgb){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

static void draw_cell(picture_canvas *canvas, const matrix_layout *p, size_t row, size_t column)
{
    const xta_confusion_chart *c = p->chart;
    uint64_t count = c->counts[row * c->n_columns + column];
    double share = share_of_row(c, row, column);
    double x = p->left + p->cell_width * (double)column;
    double y = p->top + p->cell_height * (double)row;
    char text[32];
    // A few pixels must be visible too: any count but 0 starts a step away from white.
    double t = count == 0 ? 0 : 0.06 + 0.94 * sqrt(share);
    xta__canvas_colour(canvas, mix_colours(white, row == column ? right : wrong, t));
    xta__canvas_fill(canvas, x, y, p->cell_width, p->cell_height);
    xta__canvas_colour(canvas, count == 0 ? faint_ink : t > 0.55 ? white : ink);
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    xta__canvas_text(canvas, x + p->cell_width / 2, y + p->cell_height / 2, PICTURE_MIDDLE, UNIT,
                     row == column, text);
}

static void draw_grid(picture_canvas *canvas, const matrix_layout *p)
{
    const xta_confusion_chart *c = p->chart;
    xta__canvas_colour(canvas, grid);
    for (size_t k = 0; k <= c->n_rows; k++) {
        double y = p->top + p->cell_height * (double)k;
        xta__canvas_line(canvas, p->left, y, p->left + p->width, y, 1);
    }
    for (size_t k = 0; k <= c->n_columns; k++) {
        double x = p->left + p->cell_width * (double)k;
        xta__canvas_line(canvas, x, p->top, x, p->top + p->height, 1);
    }
}

static void draw_column_name(picture_canvas *canvas, const matrix_layout *p, size_t column)
{
    char own[32], text[PICTURE_TEXT_BYTES];
    double x = p->left + p->cell_width * ((double)column + 0.5);
    snprintf(text, sizeof text, "%.150s", xta__confusion_column_name(p->chart, column, own));
    xta__canvas_fit(UNIT, false, p->column_names + 1, text);
    if (p->turned) {
        double length = xta__canvas_text_width(UNIT, false, text);
        xta__canvas_text_upwards(canvas, x, p->top - 0.5 * UNIT - length / 2, UNIT, text);
    } else {
        xta__canvas_text(canvas, x, p->top - 1.0 * UNIT, PICTURE_MIDDLE, UNIT, false, text);
    }
}

static void draw_names(picture_canvas *canvas, const matrix_layout *p)
{
    const xta_confusion_chart *c = p->chart;
    char own[32], text[PICTURE_TEXT_BYTES];
    double names = p->turned ? p->column_names : UNIT;
    xta__canvas_colour(canvas, ink);
    for (size_t k = 0; k < c->n_rows; k++) {
        snprintf(text, sizeof text, "%.150s", xta__confusion_row_name(c, k, own));
        xta__canvas_fit(UNIT, false, p->row_names + 1, text);
        xta__canvas_text(canvas, p->left - 0.6 * UNIT, p->top + p->cell_height * ((double)k + 0.5),
                         PICTURE_RIGHT, UNIT, false, text);
    }
    for (size_t k = 0; k < c->n_columns; k++) {
        draw_column_name(canvas, p, k);
    }
    xta__canvas_colour(canvas, soft_ink);
    xta__canvas_text(canvas, p->left, p->top - names - 1.5 * UNIT, PICTURE_LEFT, 0.95 * UNIT, false,
                     "label");
    xta__canvas_text_upwards(canvas, 1.7 * UNIT, p->top + p->height / 2, 0.95 * UNIT, "truth");
    xta__canvas_colour(canvas, ink);
    xta__canvas_text(canvas, 1.2 * UNIT, 1.7 * UNIT, PICTURE_LEFT, 1.2 * UNIT, true, p->title);
}

static void draw_shares(picture_canvas *canvas, const matrix_layout *p)
{
    const xta_confusion_chart *c = p->chart;
    double x = p->left + p->width + p->shares - 0.4 * UNIT;
    double y = p->top + p->height + p->cell_height / 2;
    char text[32];
    xta__canvas_colour(canvas, soft_ink);
    if (c->producer != NULL) {
        xta__canvas_text(canvas, x, p->top - 1.0 * UNIT, PICTURE_RIGHT, 0.95 * UNIT, false,
                         "producer's");
    }
    for (size_t k = 0; k < c->n_rows && c->producer != NULL; k++) {
        share_text(c->producer[k], text);
        xta__canvas_text(canvas, x, p->top + p->cell_height * ((double)k + 0.5), PICTURE_RIGHT,
                         0.9 * UNIT, false, text);
    }
    if (c->user != NULL) {
        xta__canvas_text(canvas, p->left - 0.6 * UNIT, y, PICTURE_RIGHT, 0.95 * UNIT, false,
                         "user's accuracy");
    }
    for (size_t k = 0; k < c->n_columns && c->user != NULL; k++) {
        share_text(c->user[k], text);
        xta__canvas_text(canvas, p->left + p->cell_width * ((double)k + 0.5), y, PICTURE_MIDDLE,
                         0.9 * UNIT, false, text);
    }
}

static void draw_words(picture_canvas *canvas, const matrix_layout *p)
{
    double y = p->top + p->height + (p->chart->user != NULL ? p->cell_height : 0) + 1.2 * UNIT;
    if (p->scores[0] != '\0') {
        y += 0.4 * UNIT;
        xta__canvas_colour(canvas, ink);
        xta__canvas_text(canvas, 1.2 * UNIT, y, PICTURE_LEFT, 1.1 * UNIT, true, p->scores);
        y += 1.6 * UNIT;
    }
    xta__canvas_colour(canvas, soft_ink);
    for (int k = 0; k < 2; k++) {
        xta__canvas_text(canvas, 1.2 * UNIT, y + 1.6 * UNIT * k, PICTURE_LEFT, 0.95 * UNIT, false,
                         p->note[k]);
    }
}

xta_status xta__chart_confusion_to(const xta_confusion_chart *chart, const char *path,
                                   xta__text *to, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_confusion_chart c = XTA_CONFUSION_CHART_INIT;
    picture_canvas canvas;
    matrix_layout p;
    char about[PICTURE_TEXT_BYTES];
    memset(&canvas, 0, sizeof canvas);
    memset(&p, 0, sizeof p);
    XTA_TRY(xta_options_read(&c, sizeof c, chart, "xta_confusion_chart", err));
    p.chart = &c;
    if (c.n_rows < 1 || c.n_rows > MOST_ROWS || c.n_columns < 1 || c.n_columns > MOST_ROWS + 1 ||
        c.counts == NULL) {
        status =
            xta_error_set(err, XTA_EARG, 0,
                          "confusion matrix: %zu by %zu cannot be drawn; give 1 to %d rows and "
                          "at most one column more",
                          c.n_rows, c.n_columns, MOST_ROWS);
        goto done;
    }
    plan(&p);
    XTA_TRY(xta__canvas_open(&canvas, path, ceil(p.page_width), ceil(p.page_height), 2, err));
    canvas.to = to;
    xta__canvas_colour(&canvas, white);
    cairo_paint(canvas.cairo);
    for (size_t k = 0; k < c.n_rows * c.n_columns; k++) {
        draw_cell(&canvas, &p, k / c.n_columns, k % c.n_columns);
    }
    draw_grid(&canvas, &p);
    draw_names(&canvas, &p);
    draw_shares(&canvas, &p);
    draw_words(&canvas, &p);
    snprintf(about, sizeof about, "%zu classes, %zu labels. %.100s", c.n_rows, c.n_columns,
             p.scores);
    status = xta__canvas_finish(&canvas, p.title, about, err);
done:
    xta__canvas_clear(&canvas);
    return status;
}

xta_status xta_chart_confusion(const xta_confusion_chart *chart, const char *path, xta_error *err)
{
    return xta__chart_confusion_to(chart, path, NULL, err);
}
