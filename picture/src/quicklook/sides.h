/* Ticks along the sides of a quicklook.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_SIDES_H
#define XTA_PICTURE_QUICKLOOK_SIDES_H

#include "drawing/number_text.h"
#include "facts/coordinates.h"
#include "quicklook/quicklook_state.h"

/* Ticks along one side of the image. */
typedef struct picture_side {
    picture_ticks ticks;
    double place[PICTURE_MOST_TICKS]; /* pixels from the left, or from the top */
    double widest;                    /* of their texts */
    picture_meridian meridian;        /* of which the ticks are degrees */
    char label[256];
} picture_side;

/* Plan ticks at round coordinates, or at round cells if the axis has none or the options say so.
 * `u` is the size of letters; axis -1 has no ticks. */
void xta__picture_side(const picture_quicklook *q, int axis, bool down, double u, picture_side *s);
void xta__picture_side_text(const picture_side *s, int k, char text[32]);

#endif
