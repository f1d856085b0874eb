/* The numbers of a chart, kept after it was drawn.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_CHART_COPY_H
#define XTA_PICTURE_REPORT_CHART_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/chart.h>

#include "charts/spectra_lines.h"

typedef enum chart_kind {
    CHART_NONE,
    CHART_SPECTRA,
    CHART_CONFUSION,
} chart_kind;

/* As in xta_spectra_chart and xta_confusion_chart, with the names and colours that were drawn in
 * the place of NULL; other members may be NULL. Start from zeros. */
typedef struct chart_copy {
    chart_kind kind;
    char *title;

    size_t n_spectra, n_bands;
    double *values;
    double *wavelength;
    int64_t *band;
    char **names;
    unsigned char *colours;
    unsigned char *dashed;
    unsigned char *bad;
    band_place *place; /* the bands that were drawn, and where lines begin */
    size_t n_places;
    char *axis, *unit, *label;

    size_t n_rows, n_columns;
    uint64_t *counts;
    char **row_names, **column_names;
    double *producer, *user;
    double *scores; /* 3 */
    char *note;
} chart_copy;

/* Copy a chart that has been drawn. False: out of memory; clear it then, too. */
bool xta__chart_copy_spectra(const xta_spectra_chart *chart, chart_copy *to);
bool xta__chart_copy_confusion(const xta_confusion_chart *chart, chart_copy *to);
void xta__chart_copy_clear(chart_copy *chart);

#endif
