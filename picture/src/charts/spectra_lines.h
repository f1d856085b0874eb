/* The lines of a chart of spectra: which bands are joined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_CHARTS_SPECTRA_LINES_H
#define XTA_PICTURE_CHARTS_SPECTRA_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/chart.h>

/* A band that is drawn. */
typedef struct band_place {
    double x;       /* wavelength, or coordinate */
    size_t k;       /* number of the band */
    bool after_gap; /* it begins a line */
} band_place;

/* Find the bands that are drawn, in the order in which they are drawn, and where lines begin. The
 * first band begins a line, too; bad bands are left out.
 *
 * @param[in]  c      a chart whose wavelengths are finite
 * @param[out] place  n_bands
 * @param[out] n      how many are drawn; 0 if all are bad
 * @return whether there was enough memory */
bool xta__spectra_lines(const xta_spectra_chart *c, band_place place[], size_t *n);

#endif
