/* Sampling the cells to show.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_SAMPLE_H
#define XTA_PICTURE_QUICKLOOK_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/picture.h>

#include "quicklook/axes.h"
#include "quicklook/bands.h"
#include "quicklook/cell_meaning.h"

typedef struct picture_sample {
    int64_t rows, columns;         /* of the planes */
    int64_t row_step, column_step; /* distance of sampled cells in the array */
    int n;
    double *plane[3]; /* rows * columns each, row-major; NaN for no data */
    double low[3];    /* values at the ends of the stretch */
    double high[3];
    double least[3]; /* of all finite values */
    double greatest[3];
    bool gaps; /* whether any cell has no data */
} picture_sample;

xta_status xta__picture_sample(xta_array *array, const picture_axes *axes,
                               const picture_bands *bands, const picture_meaning *meaning,
                               const xta_quicklook_options *options, const xta_box *box,
                               int64_t most, picture_sample *sample, xta_error *err);
/* Give samples of the same number of bands one range of values: that of all their cells. False if
 * out of memory. */
bool xta__picture_share_range(picture_sample *const samples[], size_t n,
                              const xta_quicklook_options *options);
void xta__picture_sample_clear(picture_sample *sample);

#endif
