/* Meridians and parallels over a quicklook.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_GRATICULE_H
#define XTA_PICTURE_QUICKLOOK_GRATICULE_H

#include "drawing/canvas.h"
#include "quicklook/quicklook_state.h"
#include "quicklook/sides.h"

/* Draw meridians and parallels, if the array has latitudes and longitudes: straight ones at the
 * ticks of both sides, or those of a curvilinear grid, with their degrees. (x, y) is the upper left
 * corner of the image, `u` the size of letters. */
void xta__picture_graticule(picture_canvas *canvas, const picture_quicklook *q,
                            const picture_side *down, const picture_side *across, double x,
                            double y, double u);

#endif
