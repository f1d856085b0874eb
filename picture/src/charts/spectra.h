/* Charts of spectra.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_CHARTS_SPECTRA_H
#define XTA_PICTURE_CHARTS_SPECTRA_H

#include <xta/chart.h>

#include "util/text.h"

/* As xta_chart_spectra, but if `to` is not NULL the file goes to memory, and `path` only says which
 * kind of file it is. */
xta_status xta__chart_spectra_to(const xta_spectra_chart *chart, const char *path, xta__text *to,
                                 xta_error *err);

/* The name of a spectrum: the given one, else its number, which is written to `own`. */
const char *xta__spectra_name(const xta_spectra_chart *c, size_t k, char own[32]);

#endif
