/* Classes with their colours and counts, and the legend of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_CLASS_LEGEND_H
#define XTA_PICTURE_QUICKLOOK_CLASS_LEGEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"

typedef struct picture_class {
    picture_rgb colour;
    uint64_t n; /* cells shown */
    const char *name;
    char own_name[32]; /* for `name`, if the class has no name */
} picture_class;

typedef struct picture_classes {
    picture_class *entry; /* of class k, from 0 */
    size_t n;
    uint64_t n_labelled; /* labelled cells shown */
    char *names;         /* text of the attribute */
    bool zero_is_class;
} picture_classes;

/* How the legend of classes is laid out; everything in units of the page. */
typedef struct picture_class_legend {
    bool below; /* below the image, else to its right */
    int n, n_columns, n_rows;
    double column, width, height;
} picture_class_legend;

/* The colour of a cell as a pixel of a Cairo image. */
uint32_t xta__picture_class_pixel(const picture_classes *classes, double cell);
/* Lay out the legend. `u` is the size of letters; `gaps`: there are cells without a label, which
 * get an entry of their own. */
void xta__picture_class_legend_plan(const picture_classes *classes, bool gaps, double u,
                                    double image_width, double image_height,
                                    picture_class_legend *legend);
void xta__picture_class_legend_draw(picture_canvas *canvas, const picture_classes *classes,
                                    bool gaps, const picture_class_legend *legend, double u,
                                    double x, double y);

#endif
