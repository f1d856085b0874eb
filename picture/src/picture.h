/* The room header of the pictures: what the files of this folder share.
 *
 * A picture is made in steps that can be looked at one by one. choose.c decides which axes are
 * shown, spectrum.c which bands; sample.c reads the cells and finds the stretch; quicklook.c turns
 * them into pixels, figure.c puts a legend round them. allocation.c gathers the segments of a slice
 * and decides how large a square is, allocation_draw.c draws. canvas.c and output.c alone know that
 * there are two kinds of file. plan.c walks the operations of a plan and counts what is held,
 * plan_draw.c draws them. classes.c maps classes by way of the quicklook; chart_*.c are
 * charts of plain numbers; report.c puts all of them into a page.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_ROOM_H
#define XTA_PICTURE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cairo.h>

#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/chart.h>
#include <xta/picture.h>

/* Go to the label `done` unless the call went well. This floor sees public headers only, so it has
 * the macro of base/ again. */
#define XTA_TRY(call)           \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

#define PICTURE_TEXT_BYTES   160
#define PICTURE_DRAWN_BYTES  1024 /* of one line of text */
#define PICTURE_MOST_MISSING 8
#define PICTURE_MOST_TICKS   16
#define PICTURE_MOST_PIXELS  16384 /* Cairo's images end at 32767 pixels */

/* ---- colour.c: colours from lightness, chroma and hue; pure ---- */

typedef struct picture_rgb {
    double r, g, b; /* sRGB, 0 to 1 */
} picture_rgb;

extern const char xta__picture_colormap_names[];
/* Fill in a colour map, low end first; false if there is none of this name. */
bool xta__picture_colormap(const char *name, picture_rgb table[256]);
/* The colour of segment `k` of `n`: light, so that black letters can be read on it. */
picture_rgb xta__picture_segment_colour(uint64_t k, uint64_t n);
/* The colour of class `k`, as of xta_class_colour. */
picture_rgb xta__picture_class_colour(size_t k);

/* ---- number.c: tick values and numbers as text; pure ---- */

typedef struct picture_ticks {
    int n;
    double value[PICTURE_MOST_TICKS];
    int decimals; /* after division by 10^exponent */
    int exponent; /* 0 unless numbers are very large or very small */
} picture_ticks;

/* At most `most` round values between `low` and `high` (in either order), at least `finest` apart.
 */
void xta__picture_ticks(double low, double high, int most, double finest, picture_ticks *ticks);
/* The same for a scale of log(1 + value): 0, 1, 2, 5, 10 and so on. */
void xta__picture_count_ticks(double low, double high, int most, picture_ticks *ticks);
void xta__picture_tick_text(const picture_ticks *ticks, int k, char text[32]);
/* A number with about four digits, a true minus sign, and no needless zeros. */
const char *xta__picture_number_text(double value, char text[32]);
const char *xta__picture_integer_text(int64_t value, char text[32]);
/* Write `count` with thin gaps between groups of three digits. */
const char *xta__picture_count_text(uint64_t count, char text[32]);
/* "degree_C" becomes a degree sign and C, and so on; other units stay as they are. */
const char *xta__picture_unit_text(const char *unit);

/* ---- output.c: bytes that become a file ---- */

typedef struct picture_bytes {
    unsigned char *bytes;
    size_t n, capacity;
    bool failed; /* memory ran out; then the rest is lost */
} picture_bytes;

void xta__picture_bytes_add(picture_bytes *out, const void *bytes, size_t n);
void xta__picture_bytes_printf(picture_bytes *out, const char *format, ...) XTA_PRINTF(2, 3);
void xta__picture_bytes_clear(picture_bytes *out);
/* What stands for bytes that are no UTF-8, such as names in an older encoding. */
#define PICTURE_UNKNOWN "\xef\xbf\xbd"

/* Bytes of the character that a text begins with; 0: these are no UTF-8. */
size_t xta__picture_character(const char *text);
/* The same text, with PICTURE_UNKNOWN for what is no UTF-8, cut at the end of a character. Cairo
 * refuses to draw anything else. */
void xta__picture_plain(const char *text, char *out, size_t capacity);
/* Text for XML: characters that mean something are written as entities, and what is no UTF-8 as
 * PICTURE_UNKNOWN. */
void xta__picture_bytes_escaped(picture_bytes *out, const char *text);
/* Number the ids of an SVG in order of appearance: Cairo counts them through the life of the
 * process, and the same picture is to be the same file. */
void xta__picture_number_ids(const picture_bytes *svg, picture_bytes *out);
/* Which kind of file: true for .svg.
 * Fails with XTA_EARG where it is neither. */
xta_status xta__picture_suffix(const char *path, bool *svg, xta_error *err);
/* Hand the bytes over to `to`, or, if that is NULL, write them to `path`. */
xta_status xta__picture_deliver(const char *path, picture_bytes *bytes, picture_bytes *to,
                                xta_error *err);
/* Put the bytes into a new file beside `path` and rename it. */
xta_status xta__picture_replace(const char *path, const picture_bytes *bytes, xta_error *err);

/* ---- canvas.c: a page on which Cairo draws ---- */

typedef enum picture_align { PICTURE_LEFT, PICTURE_MIDDLE, PICTURE_RIGHT } picture_align;

typedef struct picture_canvas {
    cairo_surface_t *surface;
    cairo_t *cairo;
    const char *path;
    bool svg;
    double width, height; /* in units; a unit is `scale` pixels of a PNG */
    bool halo;            /* texts are drawn with a light rim, to be read on any ground */
    picture_bytes *to;    /* where the file goes instead of `path`; NULL: there */
    picture_bytes file;
    picture_bytes labels; /* SVG only: the texts, to be searched and read aloud */
    picture_bytes hints;  /* SVG only: what shows when the pointer rests on a square */
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
/* Text whose digits are centred on y. */
void xta__canvas_text(picture_canvas *canvas, double x, double y, picture_align align, double size,
                      bool bold, const char *given);
/* The same, turned to read upwards, centred on both. */
void xta__canvas_text_upwards(picture_canvas *canvas, double x, double y, double size,
                              const char *given);
void xta__canvas_hint(picture_canvas *canvas, double x, double y, double w, double h,
                      const char *text);
/* How wide a text is. */
double xta__canvas_text_width(double size, bool bold, const char *given);
/* Shorten a text with three dots until it is no wider than `width`. */
void xta__canvas_fit(double size, bool bold, double width, char *text);

/* ---- facts.c: what an array says about itself ---- */

/* The first value of a numeric attribute; false if there is no such number. */
bool xta__picture_number(xta_array *array, int axis, const char *name, double *value);
/* The text of an attribute, cut to PICTURE_TEXT_BYTES - 1; "" and false if there is none. */
bool xta__picture_text(xta_array *array, int axis, const char *name, char text[PICTURE_TEXT_BYTES]);
/* What to call the array: title given, else its name. */
void xta__picture_title(xta_array *array, const char *given, char text[PICTURE_TEXT_BYTES]);
/* What an axis is called: its name, or "axis 2". */
void xta__picture_axis_name(xta_array *array, int axis, char text[PICTURE_TEXT_BYTES]);
/* "64 y x 96 x": the lengths of a box with the names of its axes, without those in the set
 * `left_out` (a bit each). */
void xta__picture_shape_text(xta_array *array, const xta_box *box, uint32_t left_out,
                             char text[PICTURE_TEXT_BYTES]);

/* Numbers along an axis: values[k] belongs to coordinate lo + k. */
typedef struct picture_series {
    double *values;
    int64_t lo;
    int64_t n;
} picture_series;

/* The attribute `name` of an axis, if it has a number for each coordinate; n = 0 if not. False
 * where there is no memory. */
bool xta__picture_series(xta_array *array, int axis, const char *name, picture_series *series);
/* The number at a coordinate; NaN if there is none. */
double xta__picture_series_at(const picture_series *series, int64_t coord);
void xta__picture_series_clear(picture_series *series);

/* How a stored number becomes one that means something, and which numbers mean nothing. */
typedef struct picture_meaning {
    double scale[3], offset[3]; /* of each band shown */
    double fill;                /* cells nobody wrote; NaN if the fill value is NaN */
    int n_missing;
    double missing[PICTURE_MOST_MISSING]; /* as a cell of the array's type holds them */
    char label[PICTURE_TEXT_BYTES];       /* "Sea Surface Temperature"; may be "" */
    char unit[PICTURE_TEXT_BYTES];
} picture_meaning;

/* ---- choose.c: which axes ---- */

typedef struct picture_axes {
    int rows; /* -1: none (an array of one axis) */
    int columns;
    int bands;  /* -1: none */
    bool named; /* the band axis was asked for, or is called so */
} picture_axes;

bool xta__picture_is_row(const char *name);
bool xta__picture_is_time(const char *name);
xta_status xta__picture_choose_axes(xta_array *array, const xta_quicklook_options *options,
                                    picture_axes *axes, xta_error *err);
/* Rows and columns of an allocation map. */
xta_status xta__picture_choose_map(xta_array *array, const xta_map_options *options,
                                   const xta_box *allocated, int *rows, int *columns,
                                   xta_error *err);

/* ---- spectrum.c: which bands ---- */

typedef struct picture_bands {
    int n;            /* 3: red, green, blue; 1: one, with a colour map */
    int64_t coord[3]; /* on the band axis */
    double nm[3];     /* wavelength; NaN if not known */
} picture_bands;

/* Bands nearest to 650, 550 and 470 nm where the axis has wavelengths, else what the axis suggests.
 */
xta_status xta__picture_choose_bands(xta_array *array, const picture_axes *axes,
                                     const xta_quicklook_options *options, const xta_box *box,
                                     picture_bands *bands, xta_error *err);

void xta__picture_meaning(xta_array *array, int band_axis, const picture_bands *bands,
                          picture_meaning *meaning);

/* ---- north.c ---- */

/* Whether the first row belongs at the bottom: latitudes, or whatever runs down, increase. */
bool xta__picture_northwards(xta_array *array, const picture_axes *axes, const xta_box *box);

/* ---- sample.c: cells ---- */

typedef struct picture_sample {
    int64_t rows, columns;         /* of the planes */
    int64_t row_step, column_step; /* every so many cells of the array */
    int n;
    double *plane[3]; /* rows * columns each, row-major; NaN where there is no data */
    double low[3];    /* the stretch */
    double high[3];
    double least[3]; /* of all finite values */
    double greatest[3];
    bool gaps; /* whether any cell has no data */
} picture_sample;

xta_status xta__picture_sample(xta_array *array, const picture_axes *axes,
                               const picture_bands *bands, const picture_meaning *meaning,
                               const xta_quicklook_options *options, const xta_box *box,
                               int64_t most, picture_sample *sample, xta_error *err);
void xta__picture_sample_clear(picture_sample *sample);

/* ---- classes.c: maps of classes, and their legend ---- */

typedef struct picture_class {
    picture_rgb colour;
    uint64_t n; /* cells shown */
    const char *name;
    char own_name[32]; /* what `name` points to where nobody named it */
} picture_class;

typedef struct picture_classes {
    picture_class *entry; /* of class k, from 0 */
    size_t n;
    uint64_t n_labelled; /* cells shown */
    char *names;         /* of the attribute */
    bool zero_is_class;
} picture_classes;

/* How the legend of classes is laid out; everything in units of the page. */
typedef struct picture_class_legend {
    bool below; /* the image; else to the right of it */
    int n, n_columns, n_rows;
    double column, width, height;
} picture_class_legend;

uint32_t xta__picture_class_pixel(const picture_classes *classes, double cell);
/* `u` is the size of letters. `gaps`: there are cells without a label, which the legend names. */
void xta__picture_class_legend_plan(const picture_classes *classes, bool gaps, double u,
                                    double image_width, double image_height,
                                    picture_class_legend *legend);
void xta__picture_class_legend_draw(picture_canvas *canvas, const picture_classes *classes,
                                    bool gaps, const picture_class_legend *legend, double u,
                                    double x, double y);

/* ---- figure.c: an image with axes, title and legend ---- */

typedef struct picture_quicklook {
    xta_array *array;
    const char *path;
    picture_bytes *to;              /* where the file goes instead; NULL: to `path` */
    const picture_classes *classes; /* NULL: numbers */
    xta_quicklook_options options;
    xta_box box;
    picture_axes axes;
    picture_bands bands;
    picture_meaning meaning;
    picture_sample sample;
    picture_rgb colormap[256];
    bool flipped;
    int cell_width, cell_height; /* pixels */
    int width, height;           /* of the image */
    cairo_surface_t *image;
} picture_quicklook;

xta_status xta__picture_figure(const picture_quicklook *look, xta_error *err);

/* ---- quicklook.c ---- */

xta_status xta__picture_check_type(xta_array *array, xta_error *err);
xta_status xta__picture_settle_box(xta_array *array, const xta_box *wanted, xta_box *box,
                                   xta_error *err);
/* The longest side in pixels, and in cells. */
int64_t xta__picture_most(const xta_quicklook_options *options, int64_t *cells);
/* Draw what is sampled: the image is made, drawn and given up. */
xta_status xta__picture_show(picture_quicklook *look, int64_t most, xta_error *err);
/* What is stretched: the value, or log(1 + value). */
double xta__picture_scaled(bool log_counts, double value);

/* The public functions, with the file going to memory if `to` is not NULL; `path` then only says
 * which kind it is. */
xta_status xta__picture_quicklook_to(xta_array *array, const xta_quicklook_options *options,
                                     const char *path, picture_bytes *to, xta_error *err);
xta_status xta__picture_classes_to(xta_array *array, const xta_classes_options *options,
                                   const char *path, picture_bytes *to, xta_error *err);
xta_status xta__chart_spectra_to(const xta_spectra_chart *chart, const char *path,
                                 picture_bytes *to, xta_error *err);
xta_status xta__chart_confusion_to(const xta_confusion_chart *chart, const char *path,
                                   picture_bytes *to, xta_error *err);

/* ---- mark.c ---- */

/* Rings round cells, drawn over an image whose corner is at x, y. */
void xta__picture_draw_marks(picture_canvas *canvas, const picture_quicklook *look, double x,
                             double y);

/* ---- allocation_draw.c ---- */

typedef struct picture_map_segment {
    uint64_t number; /* in growth order */
    xta_segment segment;
} picture_map_segment;

typedef struct picture_map {
    xta_array *array;
    const char *path;
    xta_array_info info;
    int rows, columns; /* axes; rows is -1 for an array of one axis */
    int64_t at[XTA_MAX_NDIM];
    int64_t lo[2], n[2];           /* chunk coordinates shown: rows, columns */
    picture_map_segment *segments; /* that meet the slice, in growth order */
    uint64_t n_shown;
    char title[PICTURE_TEXT_BYTES];
    double cell[2]; /* height and width of a square, in units */
    double letter;  /* size of the addresses; 0: none */
    double margin;  /* size of the coordinates */
} picture_map;

xta_status xta__picture_map_draw(const picture_map *map, xta_error *err);

/* ---- plan.c, plan_draw.c ---- */

/* One operation of a plan, as far as it is drawn. */
typedef struct picture_plan_op {
    bool write;
    bool shown;           /* its piece is on the front face, and lies there at: */
    int64_t lo[2], hi[2]; /* rows, columns */
    uint64_t number;      /* among the reads, or among the writes, from 1 */
    double moved;         /* bytes moved by all before it, and by it */
    double end;
    double live; /* bytes held after a read, or just before a write lets them go */
    double allocated;
} picture_plan_op;

typedef struct picture_plan {
    const xta_rechunk_problem *problem;
    const xta_rechunk_plan *plan;
    const xta_rechunk_facts *facts;
    const char *path;
    int rows, columns;    /* axes; rows is -1 for an array of one axis */
    picture_plan_op *ops; /* those shown */
    size_t n_ops;
    uint64_t n_all;        /* operations of the whole plan */
    uint64_t n_components; /* shown in part or whole */
    double moved;          /* bytes, by all that are shown */
    char title[PICTURE_TEXT_BYTES];
} picture_plan;

xta_status xta__picture_plan_draw(const picture_plan *plan, xta_error *err);
/* Block `k` of an axis begins here; k may be the number of blocks, then it is the end. */
int64_t xta__picture_cut(const xta_cuts *cuts, int64_t lo, int64_t hi, int64_t k);
/* How many blocks [lo, hi) is cut into. */
int64_t xta__picture_n_blocks(const xta_cuts *cuts, int64_t lo, int64_t hi);
/* "3.28 GiB". */
const char *xta__picture_bytes_text(double bytes, char text[32]);

#endif
