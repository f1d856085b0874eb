/* Choosing the bands to show.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_BANDS_H
#define XTA_PICTURE_QUICKLOOK_BANDS_H

#include <stdint.h>

#include <xta/array.h>
#include <xta/picture.h>

#include "quicklook/axes.h"

typedef struct picture_bands {
    int n;            /* 3: red, green, blue; 1: one, with a colour map */
    int64_t coord[3]; /* on the band axis */
    double nm[3];     /* wavelength; NaN if not known */
} picture_bands;

/* The bands nearest to 650, 550 and 470 nm if the axis has wavelengths; otherwise what the axis
 * suggests. */
xta_status xta__picture_choose_bands(xta_array *array, const picture_axes *axes,
                                     const xta_quicklook_options *options, const xta_box *box,
                                     picture_bands *bands, xta_error *err);

#endif
