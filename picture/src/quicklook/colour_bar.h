/* The colour bar of a quicklook.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_COLOUR_BAR_H
#define XTA_PICTURE_QUICKLOOK_COLOUR_BAR_H

#include "drawing/canvas.h"
#include "drawing/number_text.h"
#include "quicklook/quicklook_state.h"

/* A colour bar that stands right of an image, or of several. */
typedef struct picture_bar {
    double u;      /* size of letters */
    double height; /* with the points at its ends */
    double width;  /* with the space before it, ticks and label; 0: there is none */
    picture_ticks scale;
    double widest; /* of the texts of its ticks */
    char label[3 * PICTURE_TEXT_BYTES];
} picture_bar;

/* Plan the bar of a sample; three bands and classes have none. */
void xta__picture_bar_plan(const picture_quicklook *q, double height, double u, picture_bar *bar);
/* Draw it; (x, y) is the upper right corner of the image. */
void xta__picture_bar_draw(picture_canvas *canvas, const picture_quicklook *q,
                           const picture_bar *bar, double x, double y);

#endif
