/* A page on which Cairo draws.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_DRAWING_CANVAS_H
#define XTA_PICTURE_DRAWING_CANVAS_H

#include <stdbool.h>

#include <cairo.h>

#include <xta/status.h>

#include "drawing/colour.h"
#include "util/text.h"

#define PICTURE_DRAWN_BYTES 1024  /* bytes of one line of text */
#define PICTURE_MOST_PIXELS 16384 /* Cairo's images are limited to 32767 pixels */

typedef enum picture_align { PICTURE_LEFT, PICTURE_MIDDLE, PICTURE_RIGHT } picture_align;

typedef struct picture_canvas {
    cairo_surface_t *surface;
    cairo_t *cairo;
    const char *path;
    bool svg;
    double width, height; /* in units; a unit is `scale` pixels of a PNG */
    bool halo;            /* texts get a light rim, so that they can be read on any background */
    xta__text *to;        /* receives the file instead of `path`; NULL: `path` does */
    xta__text file;
    xta__text labels; /* SVG only: the texts, to be searched and read aloud */
    xta__text hints;  /* SVG only: texts that appear when the pointer rests on a square */
} picture_canvas;

xta_status xta__canvas_open(picture_canvas *canvas, const char *path, double width, double height,
                            double scale, xta_error *err);
/* Write the file. `title` and `about` describe the picture to those who cannot see it. */
xta_status xta__canvas_finish(picture_canvas *canvas, const char *title, const char *about,
                              xta_error *err);
void xta__canvas_clear(picture_canvas *canvas);
void xta__canvas_colour(picture_canvas *canvas, picture_rgb colour);
void xta__canvas_fill(picture_canvas *canvas, double x, double y, double w, double h);
void xta__canvas_line(picture_canvas *canvas, double x0, double y0, double x1, double y1,
                      double width);
void xta__canvas_frame(picture_canvas *canvas, double x, double y, double w, double h,
                       double width);
/* Draw text whose digits are centred on y. */
void xta__canvas_text(picture_canvas *canvas, double x, double y, picture_align align, double size,
                      bool bold, const char *given);
/* Draw text upwards, centred on both coordinates. */
void xta__canvas_text_upwards(picture_canvas *canvas, double x, double y, double size,
                              const char *given);
void xta__canvas_hint(picture_canvas *canvas, double x, double y, double w, double h,
                      const char *text);
/* The width of a text. */
double xta__canvas_text_width(double size, bool bold, const char *given);
/* Shorten a text with three dots until it is no wider than `width`. */
void xta__canvas_fit(double size, bool bold, double width, char *text);

#endif
