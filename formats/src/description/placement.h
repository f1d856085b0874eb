/* Where the cells of a source go: which axes of the array are its own, and at which coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_PLACEMENT_H
#define XTA_FORMATS_DESCRIPTION_PLACEMENT_H

#include "description/description.h"

xta_status xta__placement_match_axes(xta_array *array, const bridge_description *what,
                                     const char *source, int axes[], xta_error *err);
/* Refuse a source whose georeference puts its cells elsewhere than at `at`. */
xta_status xta__placement_check(xta_array *array, const bridge_description *what, const int axes[],
                                const int64_t at[], const char *source, xta_error *err);
/* Coordinates from two georeferences. */
xta_status xta__placement_locate(xta_array *array, const bridge_description *what, const int axes[],
                                 const char *source, int64_t at[], xta_error *err);

/* The axis of a FITS image, from 1, that a keyword for a pixel is about (CRPIX1, CRPIX2A, LTV1);
 * 0: it is another keyword. */
int xta__placement_pixel_axis(const char *name);

#endif
