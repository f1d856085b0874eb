/* Drawing an allocation map, after [DRX] Fig. 1: a square for each chunk with its address, one
 * colour for each segment, chunk coordinates in the margins, the bounds as a heavy line.
 *
 * What lies outside the bounds is paler: ghost cells and chunks allocated ahead. A dashed line
 * marks coordinate 0, so that growth at the front appears to the left of it or above it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "maps/allocation_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "facts/array_facts.h"
#include "util/try.h"

#define PNG_SCALE    2 /* pixels for each unit: a printer needs more than a screen */
#define EDGE         20.0
#define ROW_HEIGHT   19.0
#define LETTER       12.0
#define FEWEST_LINES 12 /* of the legend, before it omits segments */
#define MOST_LINES   40

static const picture_rgb white = {1, 1, 1};
static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb bounds_ink = {0.10, 0.12, 0.25};

/* Columns of the legend. */
enum { COLUMN_NUMBER, COLUMN_SIDE, COLUMN_CHUNKS, COLUMN_BASE, N_COLUMNS };
static const char *const headings[N_COLUMNS] = {"segment", "grown", "chunks", "first address"};

typedef struct legend {
    uint64_t n_first, n_last; /* number of segments listed from either end; all if n_last is 0 */
    double right[N_COLUMNS];  /* edges of the columns, from the legend's left */
    double width, height;
} legend;

typedef struct sheet {
    picture_canvas canvas;
    const picture_map *map;
    double x, y, w, h; /* position of the map on the page */
    double page_w, page_h;
    double row_labels;     /* width of the coordinates on the left */
    int64_t label_step[2]; /* distance between labelled coordinates */
    legend legend;
    char about[3][2 * PICTURE_TEXT_BYTES];
} sheet;

/* ---- words ---- */

static void side_text(const picture_map *map, const xta_segment *s, char text[PICTURE_TEXT_BYTES])
{
    char name[PICTURE_TEXT_BYTES];
    if (s->initial) {
        snprintf(text, PICTURE_TEXT_BYTES, "first allocation");
        return;
    }
    xta__picture_axis_name(map->array, s->axis, name);
    xta__canvas_fit(LETTER, false, 110, name);
    snprintf(text, PICTURE_TEXT_BYTES, "%.120s, %s", name, s->side == XTA_FRONT ? "front" : "back");
}

static void cell_text(const picture_map *map, uint64_t k, int column, char text[PICTURE_TEXT_BYTES])
{
    const picture_map_segment *s = &map->segments[k];
    switch (column) {
    case COLUMN_NUMBER:
        snprintf(text, PICTURE_TEXT_BYTES, "%" PRIu64, s->number);
        break;
    case COLUMN_SIDE:
        side_text(map, &s->segment, text);
        break;
    case COLUMN_CHUNKS:
        xta__picture_count_text(s->segment.n_chunks, text);
        break;
    default:
        xta__picture_count_text(s->segment.base, text);
    }
}

static void append_text(char text[], size_t capacity, const char *more)
{
    size_t n = strlen(text);
    snprintf(text + n, capacity - n, "%s", more);
}

static void describe_map(sheet *s)
{
    const picture_map *map = s->map;
    const xta_array_info *info = &map->info;
    char number[32], chunk[PICTURE_TEXT_BYTES], one[2 * PICTURE_TEXT_BYTES];
    xta_box shape = {info->ndim, {0}, {0}};
    memcpy(shape.hi, info->chunk, sizeof shape.hi);
    xta__picture_shape_text(map->array, &shape, 0, chunk);
    snprintf(s->about[0], sizeof s->about[0], "%s chunks of %s cells",
             xta__picture_count_text(info->n_chunks, number), chunk);
    snprintf(s->about[1], sizeof s->about[1], "bounds ");
    for (int axis = 0; axis < info->ndim; axis++) {
        char lo[32], hi[32];
        snprintf(one, sizeof one, "%s%s:%s", axis > 0 ? ", " : "",
                 xta__picture_integer_text(info->bounds.lo[axis], lo),
                 xta__picture_integer_text(info->bounds.hi[axis], hi));
        append_text(s->about[1], sizeof s->about[1], one);
    }
    for (int axis = 0, n = 0; axis < info->ndim; axis++) {
        char name[PICTURE_TEXT_BYTES], coord[32];
        if (axis != map->rows && axis != map->columns) {
            xta__picture_axis_name(map->array, axis, name);
            snprintf(one, sizeof one, "%s%.100s %s", n++ > 0 ? ", " : "slice at chunk coordinate ",
                     name, xta__picture_integer_text(map->at[axis], coord));
            append_text(s->about[2], sizeof s->about[2], one);
        }
    }
}

/* ---- layout ---- */

static void plan_legend(sheet *s)
{
    const picture_map *map = s->map;
    legend *l = &s->legend;
    char text[PICTURE_TEXT_BYTES];
    double lines = floor((s->h - 3 * ROW_HEIGHT) / ROW_HEIGHT);
    uint64_t most = (uint64_t)fmin(fmax(lines, FEWEST_LINES), MOST_LINES);
    l->n_first = map->n_shown;
    if (map->n_shown > most) {
        l->n_last = most / 3;
        l->n_first = most - 1 - l->n_last;
    }
    for (int column = 0; column < N_COLUMNS; column++) {
        double widest = xta__canvas_text_width(LETTER, false, headings[column]);
        for (uint64_t k = 0; k < map->n_shown; k++) {
            if (k == l->n_first && l->n_last > 0) {
                k = map->n_shown - l->n_last;
            }
            cell_text(map, k, column, text);
            widest = fmax(widest, xta__canvas_text_width(LETTER, false, text));
        }
        l->right[column] = (column == 0 ? 22 : l->right[column - 1] + 18) + widest;
    }
    l->width = l->right[N_COLUMNS - 1];
    double n = (double)(l->n_first + l->n_last + (l->n_last > 0 ? 1 : 0));
    l->height = (n + 1) * ROW_HEIGHT + 4 * ROW_HEIGHT;
}

/* The smallest 1, 2 or 5 times a power of ten for which labels of this size do not touch. */
static int64_t choose_step(double cell, double needed)
{
    int64_t step = 1;
    for (int k = 0; (double)step * cell < needed && step < INT64_C(1) << 60; k++) {
        step = k % 3 == 1 ? step / 2 * 5 : step * 2;
    }
    return step;
}

static double widest_coord(const picture_map *map, int side)
{
    char text[32];
    double first =
        xta__canvas_text_width(map->margin, false, xta__picture_integer_text(map->lo[side], text));
    double last = xta__canvas_text_width(
        map->margin, false, xta__picture_integer_text(map->lo[side] + map->n[side] - 1, text));
    return fmax(first, last);
}

static void plan(sheet *s)
{
    const picture_map *map = s->map;
    double about = xta__canvas_text_width(LETTER, false, s->about[0]);
    for (int k = 1; k < 3; k++) {
        about = fmax(about, xta__canvas_text_width(LETTER, false, s->about[k]));
    }
    s->w = map->cell[1] * (double)map->n[1];
    s->h = map->cell[0] * (double)map->n[0];
    s->row_labels = widest_coord(map, 0);
    double space = map->letter > 0 ? 0 : 1.2 * map->margin; // fine maps need fewer labels
    s->label_step[0] = choose_step(map->cell[0], 1.3 * map->margin + space);
    s->label_step[1] = choose_step(map->cell[1], widest_coord(map, 1) + 0.6 * map->margin + space);
    plan_legend(s);
    int about_lines = s->about[2][0] != '\0' ? 3 : 2;
    s->x = ceil(EDGE + 20 + s->row_labels + 12);
    s->y = ceil(EDGE + 22 + about_lines * 17 + 52);
    double title = fmin(xta__canvas_text_width(17, true, map->title), 700);
    s->page_w =
        ceil(fmax(s->x + s->w + 36 + s->legend.width + EDGE, EDGE + fmax(about, title) + EDGE));
    s->page_h = ceil(s->y + fmax(s->h, s->legend.height) + EDGE);
}

/* ---- drawing ---- */

static double x_of(const sheet *s, double chunk)
{
    return s->x + (chunk - (double)s->map->lo[1]) * s->map->cell[1];
}

static double y_of(const sheet *s, double chunk)
{
    return s->y + (chunk - (double)s->map->lo[0]) * s->map->cell[0];
}

/* The rectangle on the page for chunks lo to hi of the two axes shown. */
static void place_of(const sheet *s, const xta_box *chunks, double place[4])
{
    int rows = s->map->rows, columns = s->map->columns;
    double top = rows < 0 ? 0 : (double)chunks->lo[rows];
    double low = rows < 0 ? 1 : (double)chunks->hi[rows];
    double left = columns < 0 ? 0 : (double)chunks->lo[columns];
    double right = columns < 0 ? 1 : (double)chunks->hi[columns];
    place[0] = x_of(s, left);
    place[1] = y_of(s, top);
    place[2] = x_of(s, right) - place[0];
    place[3] = y_of(s, low) - place[1];
}

/* Round both ends to whole pixels, so that neighbours touch despite rounding errors. */
static void snap_to_pixels(double *from, double *length)
{
    double to = round((*from + *length) * PNG_SCALE - 1e-6) / PNG_SCALE;
    *from = round(*from * PNG_SCALE - 1e-6) / PNG_SCALE;
    *length = to - *from;
}

static void draw_segments(sheet *s)
{
    const picture_map *map = s->map;
    cairo_antialias_t before = cairo_get_antialias(s->canvas.cairo);
    cairo_set_antialias(s->canvas.cairo, CAIRO_ANTIALIAS_NONE); // avoids seams between neighbours
    for (uint64_t k = 0; k < map->n_shown; k++) {
        double place[4];
        place_of(s, &map->segments[k].segment.chunks, place);
        snap_to_pixels(&place[0], &place[2]);
        snap_to_pixels(&place[1], &place[3]);
        xta__canvas_colour(&s->canvas, xta__picture_segment_colour(k, map->n_shown));
        xta__canvas_fill(&s->canvas, place[0], place[1], place[2], place[3]);
    }
    cairo_set_antialias(s->canvas.cairo, before);
}

/* Draw thin white lines between chunks and thin dark ones around segments, unless they are too
 * close. */
static void draw_grid(sheet *s)
{
    const picture_map *map = s->map;
    xta__canvas_colour(&s->canvas, white);
    for (int64_t k = 1; k < map->n[1] && map->cell[1] >= 5; k++) {
        double x = s->x + (double)k * map->cell[1];
        xta__canvas_line(&s->canvas, x, s->y, x, s->y + s->h, map->cell[1] >= 12 ? 1 : 0.5);
    }
    for (int64_t k = 1; k < map->n[0] && map->cell[0] >= 5; k++) {
        double y = s->y + (double)k * map->cell[0];
        xta__canvas_line(&s->canvas, s->x, y, s->x + s->w, y, map->cell[0] >= 12 ? 1 : 0.5);
    }
    double smaller = fmin(map->cell[0], map->cell[1]);
    xta__canvas_colour(&s->canvas, soft_ink);
    for (uint64_t k = 0; k < map->n_shown && smaller >= 5; k++) {
        double place[4];
        place_of(s, &map->segments[k].segment.chunks, place);
        xta__canvas_frame(&s->canvas, place[0], place[1], place[2], place[3], 0.8);
    }
}

/* The bounds in units of chunks: they may end inside one. */
static void bounds_place(const sheet *s, double place[4])
{
    const xta_array_info *info = &s->map->info;
    double lo[2] = {0, 0}, hi[2] = {1, 1};
    int axes[2] = {s->map->rows, s->map->columns};
    for (int side = 0; side < 2; side++) {
        if (axes[side] >= 0) {
            lo[side] = (double)info->bounds.lo[axes[side]] / (double)info->chunk[axes[side]];
            hi[side] = (double)info->bounds.hi[axes[side]] / (double)info->chunk[axes[side]];
        }
    }
    place[0] = x_of(s, lo[1]);
    place[1] = y_of(s, lo[0]);
    place[2] = x_of(s, hi[1]) - place[0];
    place[3] = y_of(s, hi[0]) - place[1];
}

/* Whether the slice lies within the bounds on the axes that are not shown. */
static bool slice_in_bounds(const picture_map *map)
{
    for (int axis = 0; axis < map->info.ndim; axis++) {
        if (axis == map->rows || axis == map->columns) {
            continue;
        }
        int64_t first = map->at[axis] * map->info.chunk[axis];
        if (first >= map->info.bounds.hi[axis] ||
            first + map->info.chunk[axis] <= map->info.bounds.lo[axis]) {
            return false;
        }
    }
    return !xta_box_empty(&map->info.bounds);
}

static void pale_outside(sheet *s)
{
    double place[4];
    cairo_t *cairo = s->canvas.cairo;
    bounds_place(s, place);
    cairo_save(cairo);
    cairo_set_fill_rule(cairo, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_rectangle(cairo, s->x, s->y, s->w, s->h);
    if (slice_in_bounds(s->map)) {
        cairo_rectangle(cairo, place[0], place[1], place[2], place[3]);
    }
    cairo_set_source_rgba(cairo, 1, 1, 1, 0.62);
    cairo_fill(cairo);
    cairo_restore(cairo);
}

static void draw_bounds(sheet *s)
{
    double place[4];
    if (!slice_in_bounds(s->map)) {
        return;
    }
    bounds_place(s, place);
    cairo_set_line_join(s->canvas.cairo, CAIRO_LINE_JOIN_MITER);
    xta__canvas_colour(&s->canvas, bounds_ink);
    xta__canvas_frame(&s->canvas, place[0], place[1], place[2], place[3], 3);
}

static void draw_origin(sheet *s)
{
    const double dashes[] = {5, 4};
    const picture_map *map = s->map;
    cairo_set_dash(s->canvas.cairo, dashes, 2, 0);
    xta__canvas_colour(&s->canvas, bounds_ink);
    if (map->lo[1] < 0 && map->lo[1] + map->n[1] > 0) {
        double x = x_of(s, 0);
        bool fits = map->cell[1] > widest_coord(map, 1) + 6; // otherwise it would cross a label
        xta__canvas_line(&s->canvas, x, s->y - (fits ? 24 : 0), x, s->y + s->h, 1.2);
    }
    if (map->lo[0] < 0 && map->lo[0] + map->n[0] > 0) {
        double y = y_of(s, 0);
        double out = map->cell[0] > 1.3 * map->margin ? s->row_labels + 10 : 0;
        xta__canvas_line(&s->canvas, s->x - out, y, s->x + s->w, y, 1.2);
    }
    cairo_set_dash(s->canvas.cairo, NULL, 0, 0);
}

static void label_side(sheet *s, int side)
{
    const picture_map *map = s->map;
    char text[32];
    int64_t step = s->label_step[side];
    int64_t first = map->lo[side] - map->lo[side] % step; // at or just above lo
    first = first < map->lo[side] ? first + step : first;
    for (int64_t c = first; c < map->lo[side] + map->n[side]; c += step) {
        xta__picture_integer_text(c, text);
        if (side == 0) {
            xta__canvas_text(&s->canvas, s->x - 8, y_of(s, (double)c + 0.5), PICTURE_RIGHT,
                             map->margin, false, text);
        } else {
            xta__canvas_text(&s->canvas, x_of(s, (double)c + 0.5), s->y - 13, PICTURE_MIDDLE,
                             map->margin, false, text);
        }
    }
}

static void draw_margins(sheet *s)
{
    char name[PICTURE_TEXT_BYTES];
    const picture_map *map = s->map;
    xta__canvas_colour(&s->canvas, soft_ink);
    if (map->columns >= 0) {
        label_side(s, 1);
        xta__picture_axis_name(map->array, map->columns, name);
        xta__canvas_fit(LETTER, false, fmax(s->w, 60), name);
        xta__canvas_colour(&s->canvas, ink);
        xta__canvas_text(&s->canvas, s->x + s->w / 2, s->y - 35, PICTURE_MIDDLE, LETTER, false,
                         name);
    }
    xta__canvas_colour(&s->canvas, soft_ink);
    if (map->rows >= 0) {
        label_side(s, 0);
        xta__picture_axis_name(map->array, map->rows, name);
        xta__canvas_fit(LETTER, false, fmax(s->h, 60), name);
        xta__canvas_colour(&s->canvas, ink);
        xta__canvas_text_upwards(&s->canvas, EDGE + 6, s->y + s->h / 2, LETTER, name);
    }
}

/* Whether the heavy line runs through a text centred on x, y: bounds may end inside a chunk. */
static bool bounds_cross(const sheet *s, double x, double y, const char *text)
{
    double place[4];
    double reach_x = 0.32 * s->map->letter * (double)strlen(text) + 3;
    double reach_y = 0.4 * s->map->letter + 3;
    bounds_place(s, place);
    bool near_x = fabs(x - place[0]) < reach_x || fabs(x - place[0] - place[2]) < reach_x;
    bool near_y = fabs(y - place[1]) < reach_y || fabs(y - place[1] - place[3]) < reach_y;
    return near_x || near_y;
}

static xta_status draw_letters(sheet *s, xta_error *err)
{
    const picture_map *map = s->map;
    int64_t chunk[XTA_MAX_NDIM];
    memcpy(chunk, map->at, sizeof chunk);
    xta__canvas_colour(&s->canvas, ink);
    for (int64_t k = 0; k < map->n[0] * map->n[1] && map->letter > 0; k++) {
        char text[32], hint[96];
        uint64_t address = 0;
        int64_t row = map->lo[0] + k / map->n[1], column = map->lo[1] + k % map->n[1];
        if (map->rows >= 0) {
            chunk[map->rows] = row;
        }
        if (map->columns >= 0) {
            chunk[map->columns] = column;
        }
        xta_status status = xta_array_chunk_address(map->array, chunk, &address, err);
        if (status != XTA_OK) {
            return status;
        }
        double x = x_of(s, (double)column), y = y_of(s, (double)row);
        snprintf(text, sizeof text, "%" PRIu64, address);
        snprintf(hint, sizeof hint, "chunk %" PRId64 ", %" PRId64 ": address %" PRIu64, row, column,
                 address);
        s->canvas.halo = bounds_cross(s, x + map->cell[1] / 2, y + map->cell[0] / 2, text);
        xta__canvas_text(&s->canvas, x + map->cell[1] / 2, y + map->cell[0] / 2, PICTURE_MIDDLE,
                         map->letter, false, text);
        xta__canvas_hint(&s->canvas, x, y, map->cell[1], map->cell[0], hint);
    }
    s->canvas.halo = false;
    return XTA_OK;
}

static void legend_line(sheet *s, double x, double y, uint64_t k)
{
    const picture_map *map = s->map;
    char text[PICTURE_TEXT_BYTES];
    xta__canvas_colour(&s->canvas, xta__picture_segment_colour(k, map->n_shown));
    xta__canvas_fill(&s->canvas, x, y - 6.5, 14, 13);
    xta__canvas_colour(&s->canvas, soft_ink);
    xta__canvas_frame(&s->canvas, x, y - 6.5, 14, 13, 0.6);
    xta__canvas_colour(&s->canvas, ink);
    for (int column = 0; column < N_COLUMNS; column++) {
        cell_text(map, k, column, text);
        bool words = column == COLUMN_SIDE;
        xta__canvas_text(&s->canvas,
                         x + s->legend.right[words ? column - 1 : column] + (words ? 18 : 0), y,
                         words ? PICTURE_LEFT : PICTURE_RIGHT, LETTER, false, text);
    }
}

static void draw_keys(sheet *s, double x, double y)
{
    const double dashes[] = {5, 4};
    const picture_map *map = s->map;
    xta__canvas_colour(&s->canvas, bounds_ink);
    xta__canvas_frame(&s->canvas, x + 1, y - 5.5, 12, 11, 2.4);
    xta__canvas_colour(&s->canvas, ink);
    xta__canvas_text(&s->canvas, x + 22, y, PICTURE_LEFT, LETTER, false, "bounds; paler outside");
    if (map->lo[0] < 0 || map->lo[1] < 0) {
        y += ROW_HEIGHT;
        cairo_set_dash(s->canvas.cairo, dashes, 2, 0);
        xta__canvas_colour(&s->canvas, bounds_ink);
        xta__canvas_line(&s->canvas, x, y, x + 14, y, 1.2);
        cairo_set_dash(s->canvas.cairo, NULL, 0, 0);
        xta__canvas_colour(&s->canvas, ink);
        xta__canvas_text(&s->canvas, x + 22, y, PICTURE_LEFT, LETTER, false,
                         "coordinate 0: before it, growth at the front");
    }
}

static void draw_legend(sheet *s)
{
    const picture_map *map = s->map;
    const legend *l = &s->legend;
    double x = s->x + s->w + 36, y = s->y + 8;
    xta__canvas_colour(&s->canvas, soft_ink);
    for (int column = 0; column < N_COLUMNS; column++) {
        bool words = column == COLUMN_SIDE;
        xta__canvas_text(&s->canvas, x + l->right[words ? column - 1 : column] + (words ? 18 : 0),
                         y, words ? PICTURE_LEFT : PICTURE_RIGHT, LETTER, false, headings[column]);
    }
    xta__canvas_line(&s->canvas, x, y + 10, x + l->width, y + 10, 0.8);
    y += ROW_HEIGHT + 3;
    for (uint64_t k = 0; k < map->n_shown; k++, y += ROW_HEIGHT) {
        if (k == l->n_first && l->n_last > 0) {
            char text[PICTURE_TEXT_BYTES], number[32];
            uint64_t left_out = map->n_shown - l->n_last - k;
            snprintf(text, sizeof text, "\u2026 %s more \u2026",
                     xta__picture_count_text(left_out, number));
            xta__canvas_colour(&s->canvas, soft_ink);
            xta__canvas_text(&s->canvas, x + 22, y, PICTURE_LEFT, LETTER, false, text);
            y += ROW_HEIGHT;
            k += left_out;
        }
        legend_line(s, x, y, k);
    }
    draw_keys(s, x, y + 0.6 * ROW_HEIGHT);
}

static void draw_words(sheet *s)
{
    char title[PICTURE_TEXT_BYTES];
    memcpy(title, s->map->title, sizeof title);
    xta__canvas_fit(17, true, s->page_w - 2 * EDGE, title);
    xta__canvas_colour(&s->canvas, ink);
    xta__canvas_text(&s->canvas, EDGE, EDGE + 8, PICTURE_LEFT, 17, true, title);
    xta__canvas_colour(&s->canvas, soft_ink);
    for (int k = 0; k < 3; k++) {
        xta__canvas_text(&s->canvas, EDGE, EDGE + 32 + 17 * k, PICTURE_LEFT, LETTER, false,
                         s->about[k]);
    }
}

xta_status xta__picture_map_draw(const picture_map *map, xta_error *err)
{
    xta_status status = XTA_OK;
    sheet *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", map->path);
    }
    s->map = map;
    describe_map(s);
    plan(s);
    XTA_TRY(xta__canvas_open(&s->canvas, map->path, s->page_w, s->page_h, PNG_SCALE, err));
    xta__canvas_colour(&s->canvas, white);
    cairo_paint(s->canvas.cairo);
    draw_segments(s);
    pale_outside(s);
    draw_grid(s);
    draw_origin(s);
    draw_bounds(s);
    XTA_TRY(draw_letters(s, err));
    draw_margins(s);
    draw_legend(s);
    draw_words(s);
    status = xta__canvas_finish(&s->canvas, map->title, s->about[0], err);
done:
    xta__canvas_clear(&s->canvas);
    free(s);
    return status;
}
