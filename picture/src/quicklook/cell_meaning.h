/* The meaning of a stored number: its scale and offset, its unit, and which numbers mean no data.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_CELL_MEANING_H
#define XTA_PICTURE_QUICKLOOK_CELL_MEANING_H

#include <stdbool.h>

#include <xta/array.h>

#include "drawing/number_text.h"
#include "quicklook/bands.h"

#define PICTURE_MOST_MISSING 8

/* The meaning of the cells of an array. */
typedef struct picture_meaning {
    double scale[3], offset[3]; /* for each band shown */
    double fill; /* the value of cells that were never written; NaN if the fill value is NaN */
    int n_missing;
    double missing[PICTURE_MOST_MISSING]; /* converted to the array's type */
    char label[PICTURE_TEXT_BYTES];       /* "Sea Surface Temperature"; may be "" */
    char unit[PICTURE_TEXT_BYTES];
} picture_meaning;

void xta__picture_meaning(xta_array *array, int band_axis, const picture_bands *bands,
                          picture_meaning *meaning);
/* Whether a stored number means that there is no data; the fill value alone does not. */
bool xta__picture_is_missing(const picture_meaning *meaning, double value);

#endif
