/* How a stored number becomes one that means something, and which numbers mean nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_CELL_MEANING_H
#define XTA_PICTURE_QUICKLOOK_CELL_MEANING_H

#include <xta/array.h>

#include "drawing/number_text.h"
#include "quicklook/bands.h"

#define PICTURE_MOST_MISSING 8

/* How a stored number becomes one that means something, and which numbers mean nothing. */
typedef struct picture_meaning {
    double scale[3], offset[3]; /* of each band shown */
    double fill;                /* cells nobody wrote; NaN if the fill value is NaN */
    int n_missing;
    double missing[PICTURE_MOST_MISSING]; /* as a cell of the array's type holds them */
    char label[PICTURE_TEXT_BYTES];       /* "Sea Surface Temperature"; may be "" */
    char unit[PICTURE_TEXT_BYTES];
} picture_meaning;

void xta__picture_meaning(xta_array *array, int band_axis, const picture_bands *bands,
                          picture_meaning *meaning);

#endif
