/* The image of a sample.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_IMAGE_H
#define XTA_PICTURE_QUICKLOOK_IMAGE_H

#include <stdint.h>

#include "quicklook/quicklook_state.h"

/* Make the image, for cairo_surface_destroy: choose the pixels of a cell, so that the image is at
 * most `most` pixels long, and which way up it is. */
xta_status xta__picture_make_image(picture_quicklook *q, int64_t most, xta_error *err);
/* Draw the sample: make the image, draw it into the file, and free it. */
xta_status xta__picture_draw_image(picture_quicklook *q, int64_t most, xta_error *err);

#endif
