/* The numbers of a chart: copied and freed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/chart_copy.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>
#include <xta/picture.h>

#include "charts/confusion.h"
#include "charts/spectra.h"
#include "report/texts.h"
#include "util/checked.h"

/* Copy n items that may be NULL. False: out of memory. */
static bool copy_items(const void *items, size_t n, size_t item_bytes, void *to)
{
    void *copy = items != NULL ? calloc(n, item_bytes) : NULL;

    if (copy != NULL) {
        memcpy(copy, items, n * item_bytes);
    }
    memcpy(to, &copy, sizeof copy);
    return items == NULL || copy != NULL;
}

/* Copy what `name` says of each of n things. */
static bool copy_names(const void *chart, size_t n,
                       const char *(*name)(const void *chart, size_t k, char own[32]), char ***to)
{
    char own[32];

    *to = calloc(n, sizeof **to);
    for (size_t k = 0; *to != NULL && k < n; k++) {
        (*to)[k] = xta__strdup(name(chart, k, own));
        if ((*to)[k] == NULL) {
            return false;
        }
    }
    return *to != NULL;
}

static const char *spectrum_name(const void *chart, size_t k, char own[32])
{
    return xta__spectra_name(chart, k, own);
}

static const char *row_name(const void *chart, size_t k, char own[32])
{
    return xta__confusion_row_name(chart, k, own);
}

static const char *column_name(const void *chart, size_t k, char own[32])
{
    return xta__confusion_column_name(chart, k, own);
}

static bool copy_colours(const xta_spectra_chart *c, chart_copy *to)
{
    to->colours = calloc(c->n_spectra, 3);
    for (size_t k = 0; to->colours != NULL && k < c->n_spectra; k++) {
        if (c->colours != NULL) {
            memcpy(to->colours + 3 * k, c->colours + 3 * k, 3);
        } else {
            xta_class_colour(k + 1, to->colours + 3 * k);
        }
    }
    return to->colours != NULL;
}

static bool copy_lines(const xta_spectra_chart *c, chart_copy *to)
{
    to->place = calloc(c->n_bands, sizeof *to->place);
    return to->place != NULL && xta__spectra_lines(c, to->place, &to->n_places);
}

bool xta__chart_copy_spectra(const xta_spectra_chart *chart, chart_copy *to)
{
    xta_spectra_chart c = XTA_SPECTRA_CHART_INIT;
    size_t n;

    if (xta_options_read(&c, sizeof c, chart, "xta_spectra_chart", NULL) != XTA_OK) {
        return false; // It was drawn, so this does not happen.
    }
    n = c.n_spectra;
    to->kind = CHART_SPECTRA;
    to->n_spectra = n;
    to->n_bands = c.n_bands;
    return copy_items(c.values, n * c.n_bands, sizeof *c.values, &to->values) &&
           copy_items(c.wavelength, c.n_bands, sizeof *c.wavelength, &to->wavelength) &&
           copy_items(c.band, c.n_bands, sizeof *c.band, &to->band) &&
           copy_items(c.dashed, n, sizeof *c.dashed, &to->dashed) &&
           copy_items(c.bad, c.n_bands, sizeof *c.bad, &to->bad) && copy_lines(&c, to) &&
           copy_colours(&c, to) && copy_names(&c, n, spectrum_name, &to->names) &&
           xta__report_copy_text(c.title, &to->title) && xta__report_copy_text(c.axis, &to->axis) &&
           xta__report_copy_text(c.unit, &to->unit) && xta__report_copy_text(c.label, &to->label);
}

bool xta__chart_copy_confusion(const xta_confusion_chart *chart, chart_copy *to)
{
    xta_confusion_chart c = XTA_CONFUSION_CHART_INIT;

    if (xta_options_read(&c, sizeof c, chart, "xta_confusion_chart", NULL) != XTA_OK) {
        return false; // It was drawn, so this does not happen.
    }
    to->kind = CHART_CONFUSION;
    to->n_rows = c.n_rows;
    to->n_columns = c.n_columns;
    return copy_items(c.counts, c.n_rows * c.n_columns, sizeof *c.counts, &to->counts) &&
           copy_items(c.producer, c.n_rows, sizeof *c.producer, &to->producer) &&
           copy_items(c.user, c.n_columns, sizeof *c.user, &to->user) &&
           copy_items(c.scores, 3, sizeof *c.scores, &to->scores) &&
           copy_names(&c, c.n_rows, row_name, &to->row_names) &&
           copy_names(&c, c.n_columns, column_name, &to->column_names) &&
           xta__report_copy_text(c.title, &to->title) && xta__report_copy_text(c.note, &to->note);
}

void xta__chart_copy_clear(chart_copy *chart)
{
    free(chart->title);
    free(chart->values);
    free(chart->wavelength);
    free(chart->band);
    xta__report_free_texts(chart->names, chart->n_spectra);
    free(chart->colours);
    free(chart->dashed);
    free(chart->bad);
    free(chart->place);
    free(chart->axis);
    free(chart->unit);
    free(chart->label);
    free(chart->counts);
    xta__report_free_texts(chart->row_names, chart->n_rows);
    xta__report_free_texts(chart->column_names, chart->n_columns);
    free(chart->producer);
    free(chart->user);
    free(chart->scores);
    free(chart->note);
    memset(chart, 0, sizeof *chart);
}
