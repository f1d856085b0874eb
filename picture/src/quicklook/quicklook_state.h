/* A quicklook on its way from options to pixels.
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
    xta__text *to;                  /* where the file goes instead; NULL: to `path` */
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

#endif
