/* Marks over an image.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_MARKS_H
#define XTA_PICTURE_QUICKLOOK_MARKS_H

#include "drawing/canvas.h"
#include "quicklook/quicklook_state.h"

/* Rings round cells, drawn over an image whose corner is at x, y. */
void xta__picture_draw_marks(picture_canvas *canvas, const picture_quicklook *q, double x,
                             double y);

#endif
