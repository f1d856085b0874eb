/* A page on which Cairo draws, and which becomes a PNG or an SVG.
 *
 * Cairo writes the letters of an SVG as outlines: every viewer shows the same, but nobody can
 * search them. So an SVG contains its texts a second time, invisible and in place, and short
 * descriptions that appear when the pointer rests on a square.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drawing/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cairo-svg.h>

#include "drawing/number_text.h"
#include "drawing/output.h"

static cairo_status_t append_bytes(void *closure, const unsigned char *bytes, unsigned int n)
{
    xta__text *file = closure;
    xta__text_add(file, bytes, n);
    return file->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* Desktop settings must not change a picture: no hinting, no coloured edges. */
static void set_font(cairo_t *cairo, double size, bool bold)
{
    cairo_font_options_t *plain = cairo_font_options_create();
    cairo_font_options_set_antialias(plain, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(plain, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(plain, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, plain);
    cairo_font_options_destroy(plain);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

xta_status xta__canvas_open(picture_canvas *canvas, const char *path, double width, double height,
                            double scale, xta_error *err)
{
    memset(canvas, 0, sizeof *canvas);
    canvas->path = path;
    canvas->width = width;
    canvas->height = height;
    xta_status status = xta__picture_suffix(path, &canvas->svg, err);
    if (status != XTA_OK) {
        return status;
    }
    if (canvas->svg) {
        canvas->surface =
            cairo_svg_surface_create_for_stream(append_bytes, &canvas->file, width, height);
        cairo_svg_surface_set_document_unit(canvas->surface, CAIRO_SVG_UNIT_PX);
    } else {
        canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)ceil(width * scale),
                                                     (int)ceil(height * scale));
    }
    canvas->cairo = cairo_create(canvas->surface);
    if (!canvas->svg) {
        cairo_scale(canvas->cairo, scale, scale);
    }
    if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a picture of %.0f by %.0f",
                             path, width * scale, height * scale);
    }
    return XTA_OK;
}

/* Add to the SVG what Cairo does not write: a description, the texts, and hints. */
static void complete_svg(picture_canvas *canvas, const char *title, const char *about,
                         xta__text *out)
{
    static const char closing[] = "</svg>";
    size_t end = canvas->file.n;
    while (end > 0 && memcmp(canvas->file.bytes + end - 1, "<", 1) != 0) {
        end--;
    }
    canvas->file.n = end > 0 ? end - 1 : 0;
    xta__picture_number_ids(&canvas->file, out);
    xta__text_printf(out, "<title>");
    xta__picture_add_escaped(out, title);
    xta__text_printf(out, "</title>\n<desc>");
    xta__picture_add_escaped(out, about);
    xta__text_printf(out, "</desc>\n<g fill-opacity=\"0\">\n");
    xta__text_add(out, canvas->hints.bytes, canvas->hints.n);
    xta__text_printf(out, "</g>\n<g fill-opacity=\"0\" pointer-events=\"none\" "
                          "font-family=\"sans-serif\">\n");
    xta__text_add(out, canvas->labels.bytes, canvas->labels.n);
    xta__text_printf(out, "</g>\n%s\n", closing);
}

xta_status xta__canvas_finish(picture_canvas *canvas, const char *title, const char *about,
                              xta_error *err)
{
    cairo_status_t drawn = cairo_status(canvas->cairo);
    xta__text whole = {NULL, 0, 0, false};
    xta__text *file = &canvas->file;
    if (drawn == CAIRO_STATUS_SUCCESS && !canvas->svg) {
        drawn = cairo_surface_write_to_png_stream(canvas->surface, append_bytes, &canvas->file);
    } else if (drawn == CAIRO_STATUS_SUCCESS) {
        cairo_surface_finish(canvas->surface);
        drawn = cairo_surface_status(canvas->surface);
        complete_svg(canvas, title, about, &whole);
        whole.failed = whole.failed || canvas->labels.failed || canvas->hints.failed;
        file = &whole;
    }
    xta_status status = XTA_OK;
    if (file->failed || canvas->file.failed || drawn == CAIRO_STATUS_NO_MEMORY) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", canvas->path);
    } else if (drawn != CAIRO_STATUS_SUCCESS) {
        status = xta_error_set(err, XTA_EFOREIGN, 0, "%s: Cairo says: %s", canvas->path,
                               cairo_status_to_string(drawn));
    } else {
        status = xta__picture_write_output(canvas->path, file, canvas->to, err);
    }
    xta__text_clear(&whole);
    return status;
}

void xta__canvas_clear(picture_canvas *canvas)
{
    if (canvas->cairo != NULL) {
        cairo_destroy(canvas->cairo);
    }
    if (canvas->surface != NULL) {
        cairo_surface_destroy(canvas->surface);
    }
    xta__text_clear(&canvas->file);
    xta__text_clear(&canvas->labels);
    xta__text_clear(&canvas->hints);
    memset(canvas, 0, sizeof *canvas);
}

void xta__canvas_colour(picture_canvas *canvas, picture_rgb colour)
{
    cairo_set_source_rgb(canvas->cairo, colour.r, colour.g, colour.b);
}

void xta__canvas_fill(picture_canvas *canvas, double x, double y, double w, double h)
{
    cairo_rectangle(canvas->cairo, x, y, w, h);
    cairo_fill(canvas->cairo);
}

void xta__canvas_line(picture_canvas *canvas, double x0, double y0, double x1, double y1,
                      double width)
{
    cairo_set_line_width(canvas->cairo, width);
    cairo_move_to(canvas->cairo, x0, y0);
    cairo_line_to(canvas->cairo, x1, y1);
    cairo_stroke(canvas->cairo);
}

void xta__canvas_frame(picture_canvas *canvas, double x, double y, double w, double h, double width)
{
    cairo_set_line_width(canvas->cairo, width);
    cairo_rectangle(canvas->cairo, x, y, w, h);
    cairo_stroke(canvas->cairo);
}

/* Half the height of a digit, which the eye sees as the middle of a line. */
static double half_height(cairo_t *cairo)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, "0", &extents);
    return -extents.y_bearing / 2;
}

static void add_label(picture_canvas *canvas, double x, double y, double size, double length,
                      const char *text, const char *turn)
{
    xta__text_printf(&canvas->labels,
                     "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" "
                     "textLength=\"%.2f\"%s>",
                     x, y, size, length, turn);
    xta__picture_add_escaped(&canvas->labels, text);
    xta__text_printf(&canvas->labels, "</text>\n");
}

static void draw_rim(cairo_t *cairo, double x, double y, double width, const char *text)
{
    cairo_save(cairo);
    cairo_move_to(cairo, x, y);
    cairo_text_path(cairo, text);
    cairo_set_source_rgba(cairo, 1, 1, 1, 0.85);
    cairo_set_line_width(cairo, width);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cairo);
    cairo_restore(cairo);
}

void xta__canvas_text(picture_canvas *canvas, double x, double y, picture_align align, double size,
                      bool bold, const char *given)
{
    cairo_text_extents_t extents;
    char text[PICTURE_DRAWN_BYTES];
    xta__picture_plain(given, text, sizeof text);
    set_font(canvas->cairo, size, bold);
    cairo_text_extents(canvas->cairo, text, &extents);
    double shift = align == PICTURE_LEFT ? 0 : align == PICTURE_MIDDLE ? 0.5 : 1;
    double left = x - shift * extents.x_advance;
    double base = y + half_height(canvas->cairo);
    if (canvas->halo) {
        draw_rim(canvas->cairo, left, base, size / 4, text);
    }
    cairo_move_to(canvas->cairo, left, base);
    cairo_show_text(canvas->cairo, text);
    cairo_new_path(canvas->cairo);
    if (canvas->svg && text[0] != '\0') {
        add_label(canvas, left, base, size, extents.x_advance, text, "");
    }
}

void xta__canvas_text_upwards(picture_canvas *canvas, double x, double y, double size,
                              const char *given)
{
    cairo_text_extents_t extents;
    char text[PICTURE_DRAWN_BYTES];
    xta__picture_plain(given, text, sizeof text);
    set_font(canvas->cairo, size, false);
    cairo_text_extents(canvas->cairo, text, &extents);
    double half = half_height(canvas->cairo);
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, x, y);
    cairo_rotate(canvas->cairo, -1.57079632679489661923);
    cairo_move_to(canvas->cairo, -extents.x_advance / 2, half);
    cairo_show_text(canvas->cairo, text);
    cairo_new_path(canvas->cairo);
    cairo_restore(canvas->cairo);
    if (canvas->svg && text[0] != '\0') {
        char turn[96];
        snprintf(turn, sizeof turn, " transform=\"translate(%.2f %.2f) rotate(-90)\"", x, y);
        add_label(canvas, -extents.x_advance / 2, half, size, extents.x_advance, text, turn);
    }
}

void xta__canvas_hint(picture_canvas *canvas, double x, double y, double w, double h,
                      const char *text)
{
    if (!canvas->svg) {
        return;
    }
    xta__text_printf(&canvas->hints,
                     "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>", x, y, w,
                     h);
    xta__picture_add_escaped(&canvas->hints, text);
    xta__text_printf(&canvas->hints, "</title></rect>\n");
}

double xta__canvas_text_width(double size, bool bold, const char *given)
{
    char text[PICTURE_DRAWN_BYTES];
    xta__picture_plain(given, text, sizeof text);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cairo = cairo_create(surface);
    cairo_text_extents_t extents;
    set_font(cairo, size, bold);
    cairo_text_extents(cairo, text, &extents);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return extents.x_advance;
}

void xta__canvas_fit(double size, bool bold, double width, char *text)
{
    static const char dots[] = "\u2026";
    size_t n = strlen(text);
    while (n > 0 && xta__canvas_text_width(size, bold, text) > width) {
        n = n < PICTURE_TEXT_BYTES - sizeof dots ? n - 1 : PICTURE_TEXT_BYTES - sizeof dots;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
            n--; // never inside a character
        }
        memcpy(text + n, dots, sizeof dots);
    }
}
