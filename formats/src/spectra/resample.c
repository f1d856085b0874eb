/* Resampling spectra to other wavelengths: units are converted, values are interpolated linearly.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/spectra.h>

#include <xta/wavelength.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "description/description.h"
#include "spectra/values.h"
#include "util/try.h"

/* How far a requested wavelength may lie beyond the last one, as a fraction of it: files contain
 * rounded wavelengths. */
#define BEYOND 1e-6

static bool no_unit(const char *unit)
{
    return unit == NULL || unit[0] == '\0' || strcasecmp(unit, "unknown") == 0;
}

/* Nanometres in the unit of a list; if the list has none, in the unit guessed from the numbers. */
static double nanometres(const double *wavelengths, size_t n, const char *unit)
{
    return xta_wavelength_nanometres(no_unit(unit) ? xta_wavelength_guess(wavelengths, n) : unit);
}

double xta_spectra_unit_factor(const double *from, size_t n_from, const char *unit,
                               const double *to, size_t n_to, const char *to_unit)
{
    double nm_from = nanometres(from, n_from, unit);
    double nm_to = nanometres(to, n_to, to_unit);
    bool both = !no_unit(unit) && !no_unit(to_unit);
    if (nm_from > 0 && nm_to > 0) {
        return nm_from / nm_to;
    }
    // Such as index or wavenumber: converts only to itself, or to or from an unknown unit.
    return !both || strcasecmp(unit, to_unit) == 0 ? 1 : 0;
}

/* A band of the library, to be sorted. */
typedef struct band {
    double wavelength;
    size_t k;
} band;

static int by_wavelength(const void *a, const void *b)
{
    double x = ((const band *)a)->wavelength;
    double y = ((const band *)b)->wavelength;
    return (x > y) - (x < y);
}

static xta_status sorted_bands(const xta_spectra *from, double factor, band **out, xta_error *err)
{
    band *bands = malloc((from->n_bands + 1) * sizeof *bands);
    if (bands == NULL) {
        return xta__bridge_no_memory("spectra at other wavelengths", err);
    }
    for (size_t k = 0; k < from->n_bands; k++) {
        bands[k] = (band){from->wavelength[k] * factor, k};
    }
    qsort(bands, from->n_bands, sizeof *bands, by_wavelength);
    for (size_t k = 1; k < from->n_bands; k++) {
        if (!(bands[k].wavelength > bands[k - 1].wavelength)) {
            xta_status status = xta_error_set(
                err, XTA_EARG, 0, "spectra: wavelength %g is there twice, as bands %zu and %zu",
                from->wavelength[bands[k].k], bands[k - 1].k + 1, bands[k].k + 1);
            free(bands);
            return status;
        }
    }
    *out = bands;
    return XTA_OK;
}

/* The last band whose wavelength is not above `w`, but not the last one of several. */
static size_t band_below(const band *bands, size_t n, double w)
{
    size_t lo = 0;
    size_t hi = n > 1 ? n - 1 : 1;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (bands[middle].wavelength <= w) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static void interpolate(const xta_spectra *from, const band *bands, double w, size_t b,
                        xta_spectra *out)
{
    size_t below = band_below(bands, from->n_bands, w);
    size_t above = below + 1 < from->n_bands ? below + 1 : below;
    double length = bands[above].wavelength - bands[below].wavelength;
    double share = length > 0 ? (w - bands[below].wavelength) / length : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (size_t k = 0; k < from->n_spectra; k++) {
        double x = from->values[k * from->n_bands + bands[below].k];
        double y = from->values[k * from->n_bands + bands[above].k];
        out->values[k * out->n_bands + b] = share <= 0 ? x : share >= 1 ? y : x + share * (y - x);
    }
}

xta_status xta_spectra_resample(const xta_spectra *from, const double *wavelength, size_t n_bands,
                                const char *unit, xta_spectra *out, xta_error *err)
{
    xta_status status = XTA_OK;
    band *bands = NULL;
    memset(out, 0, sizeof *out);
    if (from->wavelength == NULL || from->n_bands == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "spectra: their wavelengths are not known, so they cannot be had at "
                             "other ones");
    }
    double factor = xta_spectra_unit_factor(from->wavelength, from->n_bands, from->wavelength_unit,
                                            wavelength, n_bands, unit);
    if (factor == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "spectra: their wavelengths are in '%s', which cannot be converted "
                             "to '%s'",
                             from->wavelength_unit, unit);
    }
    XTA_TRY(sorted_bands(from, factor, &bands, err));
    if (!xta__spectra_new(out, from->n_spectra, n_bands, true)) {
        status = xta__bridge_no_memory("spectra at other wavelengths", err);
        goto done;
    }
    for (size_t b = 0; b < n_bands; b++) {
        double w = wavelength[b];
        double first = bands[0].wavelength;
        double last = bands[from->n_bands - 1].wavelength;
        if (!(w >= first - BEYOND * fabs(first) && w <= last + BEYOND * fabs(last))) {
            status = xta_error_set(err, XTA_ERANGE, 0,
                                   "spectra: wavelength %g is not between %g and %g, where they "
                                   "have values; leave that band out",
                                   w, first, last);
            goto done;
        }
        out->wavelength[b] = w;
        interpolate(from, bands, w, b, out);
    }
    for (size_t k = 0; k < from->n_spectra; k++) {
        if (!xta__spectra_set_name(out, k, from->names[k], strlen(from->names[k]))) {
            status = xta__bridge_no_memory("spectra at other wavelengths", err);
            goto done;
        }
    }
    out->scale = from->scale;
    const char *said = unit != NULL ? unit : from->wavelength_unit;
    if (said != NULL && !xta__spectra_set_unit(out, said, strlen(said))) {
        status = xta__bridge_no_memory("spectra at other wavelengths", err);
    }
done:
    free(bands);
    if (status != XTA_OK) {
        xta_spectra_free(out);
    }
    return status;
}
