/* Which bands a quicklook shows.
 *
 * If the band axis has wavelengths, red, green and blue are the usable bands nearest to these
 * colours; a sensor that lacks one of them is shown in false colours, with bands spread evenly from
 * long to short. Without wavelengths, three or four bands are a photograph, and bands of an axis
 * called band are spread in the same way; anything else is shown one band at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/bands.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <xta/wavelength.h>

#include "drawing/number_text.h"
#include "facts/array_facts.h"
#include "util/try.h"

#define RED_NM      650
#define GREEN_NM    550
#define BLUE_NM     470
#define FURTHEST_NM 60 /* a band further away has another colour */

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The unit of wavelength in nanometres: from an attribute, or guessed from the numbers. */
static double nanometres(xta_array *array, int axis, const picture_series *wavelengths)
{
    static const char *const names[] = {"wavelength_units", "wavelength_unit", "wavelengths_units",
                                        "units"};
    char unit[PICTURE_TEXT_BYTES];
    bool said = false;
    for (int k = 0; k < 4 && !said; k++) {
        said = xta__picture_text(array, axis, names[k], unit) ||
               (k < 3 && xta__picture_text(array, XTA_ON_ARRAY, names[k], unit));
    }
    if (!said) {
        strncpy(unit, xta_axis_unit(array, axis), sizeof unit - 1);
        unit[sizeof unit - 1] = '\0';
    }
    double nm = xta_wavelength_nanometres(unit);
    if (nm > 0) {
        return nm;
    }
    const char *guess = xta_wavelength_guess(wavelengths->values, (size_t)wavelengths->n);
    return guess != NULL ? xta_wavelength_nanometres(guess) : 1;
}

static bool read_wavelengths(xta_array *array, int axis, picture_series *wavelengths)
{
    static const char *const names[] = {"wavelength", "wavelengths", "Wavelength", "Wavelengths",
                                        "values"};
    bool called_so = starts_with(xta_axis_name(array, axis), "wavelength") ||
                     starts_with(xta_axis_name(array, axis), "Wavelength");
    memset(wavelengths, 0, sizeof *wavelengths);
    for (int k = 0; k < (called_so ? 5 : 4); k++) {
        if (!xta__picture_series(array, axis, names[k], wavelengths)) {
            return false;
        }
        if (wavelengths->n > 0) {
            break;
        }
    }
    double factor = nanometres(array, axis, wavelengths);
    for (int64_t k = 0; k < wavelengths->n; k++) {
        wavelengths->values[k] *= factor;
    }
    return true;
}

/* The usable band nearest to a wavelength; `none` if there is none. */
static int64_t nearest(const picture_series *wavelengths, const picture_series *good, int64_t lo,
                       int64_t hi, double nm, int64_t none)
{
    double best = INFINITY;
    int64_t found = none;
    for (int64_t coord = lo; coord < hi; coord++) {
        double away = fabs(xta__picture_series_at(wavelengths, coord) - nm);
        bool usable = good->n == 0 || xta__picture_series_at(good, coord) != 0;
        if (usable && away < best) { // not NaN
            best = away;
            found = coord;
        }
    }
    return found;
}

/* Choose three bands spread evenly, the longest wavelength first. */
static void spread_bands(const picture_series *wavelengths, int64_t lo, int64_t hi,
                         picture_bands *bands)
{
    int64_t n = hi - lo;
    bool shortens =
        xta__picture_series_at(wavelengths, lo) > xta__picture_series_at(wavelengths, hi - 1);
    for (int k = 0; k < 3; k++) {
        int64_t step = (2 * (shortens ? k : 2 - k) + 1) * n / 6;
        bands->coord[k] = lo + step;
    }
}

static void choose_unnamed(const picture_axes *axes, const picture_series *wavelengths,
                           const picture_series *good, bool photograph, int64_t lo, int64_t hi,
                           picture_bands *bands)
{
    static const double wanted[] = {RED_NM, GREEN_NM, BLUE_NM};
    int64_t n = hi - lo;
    bands->n = 3;
    bool visible = wavelengths->n > 0;
    for (int k = 0; k < 3 && visible; k++) {
        bands->coord[k] = nearest(wavelengths, good, lo, hi, wanted[k], lo);
        double nm = xta__picture_series_at(wavelengths, bands->coord[k]);
        visible = fabs(nm - wanted[k]) <= FURTHEST_NM;
    }
    if (visible && bands->coord[0] != bands->coord[1] && bands->coord[1] != bands->coord[2]) {
        return;
    }
    if ((n == 3 || n == 4) && (axes->named || photograph) && wavelengths->n == 0) {
        bands->coord[0] = lo;
        bands->coord[1] = lo + 1;
        bands->coord[2] = lo + 2;
    } else if (n >= 3 && (wavelengths->n > 0 || axes->named)) {
        spread_bands(wavelengths, lo, hi, bands);
    } else {
        bands->n = 1;
        bands->coord[0] = lo;
    }
}

static xta_status use_given_bands(xta_array *array, const picture_axes *axes,
                                  const xta_quicklook_options *options, picture_bands *bands,
                                  xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    int axis = axes->bands;
    if (options->n_rgb != 1 && options->n_rgb != 3) {
        return xta_error_set(err, XTA_EARG, 0, "%s: %d bands cannot be shown; give 1 or 3",
                             xta_array_path(array), options->n_rgb);
    }
    if (axis < 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: bands were given, but no axis is one of bands; name it",
                             xta_array_path(array));
    }
    bands->n = options->n_rgb;
    for (int k = 0; k < bands->n; k++) {
        bands->coord[k] = options->rgb[k];
        if (options->rgb[k] < bounds.lo[axis] || options->rgb[k] >= bounds.hi[axis]) {
            char name[PICTURE_TEXT_BYTES];
            xta__picture_axis_name(array, axis, name);
            return xta_error_set(
                err, XTA_EBOX, 0,
                "%s: band %" PRId64 " is not on %s, which has %" PRId64 " to %" PRId64,
                xta_array_path(array), options->rgb[k], name, bounds.lo[axis], bounds.hi[axis] - 1);
        }
    }
    return XTA_OK;
}

xta_status xta__picture_choose_bands(xta_array *array, const picture_axes *axes,
                                     const xta_quicklook_options *options, const xta_box *box,
                                     picture_bands *bands, xta_error *err)
{
    xta_status status = XTA_OK;
    picture_series wavelengths = {NULL, 0, 0}, good = {NULL, 0, 0};
    int axis = axes->bands;
    *bands = (picture_bands){1, {0, 0, 0}, {NAN, NAN, NAN}};
    if (options->n_rgb != 0) {
        XTA_TRY(use_given_bands(array, axes, options, bands, err));
    }
    if (axis < 0) {
        goto done;
    }
    if (!read_wavelengths(array, axis, &wavelengths) ||
        !xta__picture_series(array, axis, "bbl", &good)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
        goto done;
    }
    if (options->n_rgb == 0) {
        bool bytes = xta_array_type(array) == XTA_U8 && xta_axis_name(array, axis)[0] == '\0';
        choose_unnamed(axes, &wavelengths, &good, bytes, box->lo[axis], box->hi[axis], bands);
    }
    for (int k = 0; k < bands->n; k++) {
        bands->nm[k] = xta__picture_series_at(&wavelengths, bands->coord[k]);
    }
done:
    xta__picture_series_clear(&wavelengths);
    xta__picture_series_clear(&good);
    return status;
}
