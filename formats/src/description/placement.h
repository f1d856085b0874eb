/* Where the cells of a source go: the axes of the array that match its own, and the coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_PLACEMENT_H
#define XTA_FORMATS_DESCRIPTION_PLACEMENT_H

#include "description/description.h"

xta_status xta__placement_match_axes(xta_array *array, const bridge_description *what,
                                     const char *source, int axes[], xta_error *err);
/* Refuse a source whose georeference does not put its cells at `at`. */
xta_status xta__placement_check(xta_array *array, const bridge_description *what, const int axes[],
                                const int64_t at[], const char *source, xta_error *err);
/* Compute coordinates from the two georeferences. */
xta_status xta__placement_locate(xta_array *array, const bridge_description *what, const int axes[],
                                 const char *source, int64_t at[], xta_error *err);

/* The axis of a FITS image, from 1, that a pixel keyword (CRPIX1, CRPIX2A, LTV1) refers to; 0:
 * another keyword. */
int xta__placement_pixel_axis(const char *name);

#endif
