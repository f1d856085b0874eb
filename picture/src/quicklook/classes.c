/* Maps of classes: a quicklook whose numbers are names.
 *
 * Sampling, coordinates and files are those of a quicklook; here a number becomes the colour of its
 * class, and the legend lists the classes that occur, with their share of what is labelled.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include <xta/options.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CLASSES 65536
#define LINE         1.55 /* of the legend, in sizes of letters */
#define PATCH        1.5
#define SHARE_BYTES  16

static const picture_rgb ink = {0.13, 0.14, 0.16};
static const picture_rgb soft_ink = {0.38, 0.40, 0.44};
static const picture_rgb not_labelled = {0.89, 0.90, 0.92};

uint32_t xta__picture_class_pixel(const picture_classes *classes, double cell)
{
    picture_rgb c = classes->entry[(size_t)cell].colour;
    return 0xff000000U | (uint32_t)lround(255 * c.r) << 16 | (uint32_t)lround(255 * c.g) << 8 |
           (uint32_t)lround(255 * c.b);
}

/* ---- which classes there are ---- */

/* Give each number its class; 0 and gaps become NaN. */
static xta_status take_cells(xta_array *array, picture_sample *sample, bool zero_is_class,
                             size_t *n_classes, xta_error *err)
{
    *n_classes = 1;
    for (int64_t k = 0; k < sample->rows * sample->columns; k++) {
        double *cell = &sample->plane[0][k];
        if (*cell == 0 && !zero_is_class) {
            *cell = NAN;
            sample->gaps = true;
        }
        if (isnan(*cell)) {
            continue;
        }
        if (!(*cell >= 0 && *cell < MOST_CLASSES && *cell == floor(*cell))) {
            return xta_error_set(err, XTA_ERANGE, 0,
                                 "%s: a cell is %g, which is no class; want whole numbers from 0 "
                                 "to %d",
                                 xta_array_path(array), *cell, MOST_CLASSES - 1);
        }
        *n_classes = (size_t)*cell >= *n_classes ? (size_t)*cell + 1 : *n_classes;
    }
    return XTA_OK;
}

static void count_cells(const picture_sample *sample, picture_classes *classes)
{
    for (int64_t k = 0; k < sample->rows * sample->columns; k++) {
        double cell = sample->plane[0][k];
        if (!isnan(cell)) {
            classes->entry[(size_t)cell].n++;
            classes->n_labelled++;
        }
    }
}

/* The lines of the attribute class_names, each ended by a zero. */
static xta_status take_names(xta_array *array, picture_classes *classes, xta_error *err)
{
    xta_attribute a;
    if (xta_attribute_get(array, XTA_ON_ARRAY, "class_names", &a, NULL) != XTA_OK ||
        a.type != XTA_TEXT) {
        return XTA_OK;
    }
    classes->names = malloc(a.count + 1);
    if (classes->names == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    memcpy(classes->names, a.values, a.count);
    classes->names[a.count] = '\0';
    char *at = classes->names;
    for (size_t k = 0; k < classes->n && at != NULL; k++) {
        char *end = strchr(at, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        if (at[0] != '\0') {
            classes->entry[k].name = at;
        }
        at = end != NULL ? end + 1 : NULL;
    }
    return XTA_OK;
}

static void take_colours(xta_array *array, picture_classes *classes)
{
    xta_attribute a;
    if (xta_attribute_get(array, XTA_ON_ARRAY, "class_colours", &a, NULL) != XTA_OK ||
        a.type != XTA_U8) {
        return;
    }
    const unsigned char *rgb = a.values;
    for (size_t k = 0; k < classes->n && 3 * k + 2 < a.count; k++) {
        classes->entry[k].colour =
            (picture_rgb){rgb[3 * k] / 255.0, rgb[3 * k + 1] / 255.0, rgb[3 * k + 2] / 255.0};
    }
}

static xta_status describe(xta_array *array, const xta_classes_options *o, size_t n_classes,
                           picture_classes *classes, xta_error *err)
{
    classes->zero_is_class = o->zero_is_class;
    classes->entry = calloc(n_classes, sizeof *classes->entry);
    if (classes->entry == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    classes->n = n_classes;
    for (size_t k = 0; k < n_classes; k++) {
        picture_class *c = &classes->entry[k];
        snprintf(c->own_name, sizeof c->own_name, "class %zu", k);
        c->name = c->own_name;
        c->colour = xta__picture_class_colour(o->zero_is_class ? k + 1 : k);
    }
    xta_status status = o->names == NULL ? take_names(array, classes, err) : XTA_OK;
    if (o->colours == NULL) {
        take_colours(array, classes);
    }
    for (size_t k = 0; k < n_classes && k < o->n_classes; k++) {
        picture_class *c = &classes->entry[k];
        const unsigned char *rgb = o->colours != NULL ? o->colours + 3 * k : NULL;
        c->name = o->names != NULL && o->names[k] != NULL ? o->names[k] : c->name;
        if (rgb != NULL) {
            c->colour = (picture_rgb){rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0};
        }
    }
    return status;
}

static void clear(picture_classes *classes)
{
    free(classes->entry);
    free(classes->names);
    memset(classes, 0, sizeof *classes);
}

/* ---- the legend ---- */

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

/* ---- the picture ---- */

/* What a quicklook is told; options may be those of an older caller, and shorter. */
static void translate(const xta_classes_options *o, xta_quicklook_options *look)
{
    const xta_quicklook_options none = XTA_QUICKLOOK_OPTIONS_INIT;
    *look = none;
    look->box = o->box;
    look->rows = o->rows;
    look->columns = o->columns;
    look->legend = o->legend;
    look->title = o->title;
    look->max_pixels = o->max_pixels;
    look->zoom = o->zoom;
    look->marks = o->marks;
    look->n_marks = o->n_marks;
    look->fill_is_data = o->zero_is_class;
}

static xta_status sample_classes(picture_quicklook *look, const xta_classes_options *o,
                                 picture_classes *classes, int64_t cells, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n_classes = 0;
    look->bands.n = 1;
    look->bands.nm[0] = NAN;
    if (look->axes.bands >= 0) {
        look->bands.coord[0] = look->box.lo[look->axes.bands];
    }
    xta__picture_meaning(look->array, look->axes.bands, &look->bands, &look->meaning);
    look->meaning.fill = o->zero_is_class ? NAN : look->meaning.fill;
    XTA_TRY(xta__picture_sample(look->array, &look->axes, &look->bands, &look->meaning,
                                &look->options, &look->box, cells, &look->sample, err));
    XTA_TRY(take_cells(look->array, &look->sample, o->zero_is_class, &n_classes, err));
    XTA_TRY(describe(look->array, o, n_classes, classes, err));
    count_cells(&look->sample, classes);
    look->classes = classes;
done:
    return status;
}

xta_status xta__picture_classes_to(xta_array *array, const xta_classes_options *options,
                                   const char *path, picture_bytes *to, xta_error *err)
{
    xta_status status = XTA_OK;
    bool svg = false;
    int64_t cells = 0;
    xta_classes_options o = XTA_CLASSES_OPTIONS_INIT;
    picture_classes classes = {NULL, 0, 0, NULL, false};
    picture_quicklook *look = calloc(1, sizeof *look);
    if (look == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    XTA_TRY(xta_options_take(&o, sizeof o, options, "xta_classes_options", err));
    look->array = array;
    look->path = path;
    look->to = to;
    translate(&o, &look->options);
    XTA_TRY(xta__picture_suffix(path, &svg, err));
    XTA_TRY(xta__picture_check_type(array, err));
    XTA_TRY(xta__picture_settle_box(array, o.box, &look->box, err));
    XTA_TRY(xta__picture_choose_axes(array, &look->options, &look->axes, err));
    int64_t most = xta__picture_most(&look->options, &cells);
    XTA_TRY(sample_classes(look, &o, &classes, cells, err));
    status = xta__picture_show(look, most, err);
done:
    xta__picture_sample_clear(&look->sample);
    clear(&classes);
    free(look);
    return status;
}

xta_status xta_picture_classes(xta_array *array, const xta_classes_options *options,
                               const char *path, xta_error *err)
{
    return xta__picture_classes_to(array, options, path, NULL, err);
}
