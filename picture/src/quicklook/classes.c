/* Maps of classes: a quicklook whose numbers are names.
 *
 * Sampling, coordinates and files are those of a quicklook; here a number becomes the colour of its
 * class, and the legend lists the classes that occur, with their share of the labelled cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/classes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/options.h>

#include "drawing/colour.h"
#include "drawing/output.h"
#include "quicklook/axes.h"
#include "quicklook/cell_meaning.h"
#include "quicklook/class_legend.h"
#include "quicklook/extent.h"
#include "quicklook/image.h"
#include "quicklook/quicklook_state.h"
#include "quicklook/sample.h"
#include "util/try.h"

#define MOST_CLASSES 65536
/* ---- which classes there are ---- */

/* Check that each number is a class; 0 and gaps become NaN. */
static xta_status read_classes(xta_array *array, picture_sample *sample, bool zero_is_class,
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
static xta_status read_class_names(xta_array *array, picture_classes *classes, xta_error *err)
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

static void read_class_colours(xta_array *array, picture_classes *classes)
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

static xta_status describe_classes(xta_array *array, const xta_classes_options *o, size_t n_classes,
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
    xta_status status = o->names == NULL ? read_class_names(array, classes, err) : XTA_OK;
    if (o->colours == NULL) {
        read_class_colours(array, classes);
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

static void clear_classes(picture_classes *classes)
{
    free(classes->entry);
    free(classes->names);
    memset(classes, 0, sizeof *classes);
}

/* ---- the picture ---- */

/* The options of the quicklook. The class options may be from an older caller, and shorter. */
static void make_quicklook_options(const xta_classes_options *o, xta_quicklook_options *q)
{
    const xta_quicklook_options none = XTA_QUICKLOOK_OPTIONS_INIT;
    *q = none;
    q->box = o->box;
    q->rows = o->rows;
    q->columns = o->columns;
    q->legend = o->legend;
    q->title = o->title;
    q->max_pixels = o->max_pixels;
    q->zoom = o->zoom;
    q->marks = o->marks;
    q->n_marks = o->n_marks;
    q->cell_axes = o->cell_axes;
    q->fill_is_data = o->zero_is_class;
}

static xta_status sample_classes(picture_quicklook *q, const xta_classes_options *o,
                                 picture_classes *classes, int64_t cells, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n_classes = 0;
    q->bands.n = 1;
    q->bands.nm[0] = NAN;
    if (q->axes.bands >= 0) {
        q->bands.coord[0] = q->box.lo[q->axes.bands];
    }
    xta__picture_meaning(q->array, q->axes.bands, &q->bands, &q->meaning);
    q->meaning.fill = o->zero_is_class ? NAN : q->meaning.fill;
    XTA_TRY(xta__picture_sample(q->array, &q->axes, &q->bands, &q->meaning, &q->options, &q->box,
                                cells, &q->sample, err));
    XTA_TRY(read_classes(q->array, &q->sample, o->zero_is_class, &n_classes, err));
    XTA_TRY(describe_classes(q->array, o, n_classes, classes, err));
    count_cells(&q->sample, classes);
    q->classes = classes;
done:
    return status;
}

xta_status xta__picture_classes_to(xta_array *array, const xta_classes_options *options,
                                   const char *path, xta__text *to, xta_error *err)
{
    xta_status status = XTA_OK;
    bool svg = false;
    int64_t cells = 0;
    xta_classes_options o = XTA_CLASSES_OPTIONS_INIT;
    picture_classes classes = {NULL, 0, 0, NULL, false};
    picture_quicklook *q = calloc(1, sizeof *q);
    if (q == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_classes_options", err));
    q->array = array;
    q->path = path;
    q->to = to;
    make_quicklook_options(&o, &q->options);
    XTA_TRY(xta__picture_suffix(path, &svg, err));
    XTA_TRY(xta__picture_check_type(array, err));
    XTA_TRY(xta__picture_choose_box(array, o.box, &q->box, err));
    XTA_TRY(xta__picture_choose_axes(array, &q->options, &q->axes, err));
    int64_t most = xta__picture_longest_side(&q->options, &cells);
    XTA_TRY(sample_classes(q, &o, &classes, cells, err));
    status = xta__picture_draw_image(q, most, err);
done:
    xta__picture_sample_clear(&q->sample);
    clear_classes(&classes);
    free(q);
    return status;
}

xta_status xta_picture_classes(xta_array *array, const xta_classes_options *options,
                               const char *path, xta_error *err)
{
    return xta__picture_classes_to(array, options, path, NULL, err);
}
