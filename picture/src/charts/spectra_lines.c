/* The lines of a chart of spectra.
 *
 * A straight line across bands that are left out would be mistaken for a measurement, and a line
 * that jumps between two detectors with the same wavelengths for noise. So a new line begins
 *
 * - after a bad band;
 * - where the coordinates of bands jump;
 * - where a step of wavelength is far above the usual one, since products leave out bands without
 *   saying so;
 * - where wavelengths change direction: another detector begins, which overlaps the one before.
 *   Detectors may count up or down.
 *
 * Wavelengths that change direction more often than detectors do are in no order; they are sorted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "charts/spectra_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/wavelength.h>

#define WIDE_STEP      4.0 /* in medians */
#define MOST_DETECTORS 4
#define FEWEST_BANDS   4 /* of a detector, on average */

static int by_x(const void *a, const void *b)
{
    const band_place *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : p->k < q->k ? -1 : p->k > q->k;
}

static int by_value(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The widest step that is not a gap. */
static double widest_step(const band_place place[], size_t n, double scratch[])
{
    size_t n_steps = 0;
    for (size_t j = 1; j < n; j++) {
        double step = fabs(place[j].x - place[j - 1].x);
        if (step > 0) {
            scratch[n_steps++] = step;
        }
    }
    if (n_steps < 3) {
        return INFINITY;
    }
    qsort(scratch, n_steps, sizeof *scratch, by_value);
    return WIDE_STEP * scratch[n_steps / 2];
}

/* Begin a line where a step is wide, and where the direction changes. Returns how often it does. */
static size_t split_by_wavelength(band_place place[], size_t n, double widest)
{
    size_t turns = 0;
    int direction = 0; // of this line; 0: not known yet
    for (size_t j = 1; j < n; j++) {
        double step = place[j].x - place[j - 1].x;
        int sign = (step > 0) - (step < 0);
        bool turn = direction != 0 && sign == -direction;
        place[j].after_gap = turn || fabs(step) > widest;
        direction = place[j].after_gap ? 0 : direction != 0 ? direction : sign;
        turns += turn;
    }
    return turns;
}

/* Begin a line after each bad band, and where the coordinates of neighbours jump. */
static void split_by_band(const xta_spectra_chart *c, band_place place[], size_t n)
{
    for (size_t j = 1; j < n; j++) {
        size_t before = place[j - 1].k, here = place[j].k;
        bool neighbours = here == before + 1 || before == here + 1;
        if (c->bad != NULL && c->bad[before] != 0) {
            place[j].after_gap = true;
        }
        if (c->band != NULL && neighbours) {
            int64_t step = c->band[here] - c->band[before];
            place[j].after_gap = place[j].after_gap || (step != 1 && step != -1);
        }
    }
}

/* Keep the bands that are not bad. Returns their number. */
static size_t drop_bad(const xta_spectra_chart *c, band_place place[], size_t n)
{
    size_t kept = 0;
    bool gap = true; // before the next one that is kept
    for (size_t j = 0; j < n; j++) {
        gap = gap || place[j].after_gap;
        if (c->bad == NULL || c->bad[place[j].k] == 0) {
            place[kept] = place[j];
            place[kept++].after_gap = gap;
            gap = false;
        }
    }
    return kept;
}

/* [nm] */
static const double opaque_nm[][2] = {{1350, 1450}, {1790, 1960}};

size_t xta_chart_opaque(size_t n, const double *wavelength, const char *unit, unsigned char *opaque)
{
    double nm = xta_wavelength_nanometres(unit);
    size_t n_opaque = 0;
    if (!(nm > 0)) {
        nm = xta_wavelength_nanometres(xta_wavelength_guess(wavelength, n));
    }
    for (size_t k = 0; k < n; k++) {
        double at = nm * wavelength[k];
        opaque[k] = (at >= opaque_nm[0][0] && at <= opaque_nm[0][1]) ||
                    (at >= opaque_nm[1][0] && at <= opaque_nm[1][1]);
        n_opaque += opaque[k];
    }
    if (n_opaque == n) {
        memset(opaque, 0, n);
        return 0;
    }
    return n_opaque;
}

bool xta__spectra_lines(const xta_spectra_chart *c, band_place place[], size_t *n)
{
    size_t n_bands = c->n_bands;
    double *scratch = malloc(n_bands * sizeof *scratch);

    *n = 0;
    if (scratch == NULL) {
        return false;
    }
    for (size_t k = 0; k < n_bands; k++) {
        double number = c->band != NULL ? (double)c->band[k] : (double)k;
        place[k] = (band_place){c->wavelength != NULL ? c->wavelength[k] : number, k, false};
    }
    if (c->wavelength != NULL) {
        double widest = widest_step(place, n_bands, scratch);
        size_t turns = split_by_wavelength(place, n_bands, widest);
        if (turns >= MOST_DETECTORS || n_bands < FEWEST_BANDS * (turns + 1)) {
            qsort(place, n_bands, sizeof *place, by_x);
            widest = widest_step(place, n_bands, scratch);
            split_by_wavelength(place, n_bands, widest);
        }
    }
    split_by_band(c, place, n_bands);
    *n = drop_bad(c, place, n_bands);
    free(scratch);
    return true;
}
