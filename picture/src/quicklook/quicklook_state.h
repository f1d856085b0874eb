/* The state of a quicklook that is being drawn.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_QUICKLOOK_STATE_H
#define XTA_PICTURE_QUICKLOOK_QUICKLOOK_STATE_H

#include <stdbool.h>

#include <cairo.h>

#include <xta/array.h>
#include <xta/picture.h>

#include "drawing/colour.h"
#include "quicklook/axes.h"
#include "quicklook/bands.h"
#include "quicklook/cell_meaning.h"
#include "quicklook/class_legend.h"
#include "quicklook/sample.h"
#include "util/text.h"

typedef struct picture_quicklook {
    xta_array *array;
    const char *path;
    xta__text *to;                  /* receives the file; NULL: it goes to `path` */
    const picture_classes *classes; /* NULL: cells are numbers, not classes */
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

#endif
