/* Spectra brought to the bands and to the scale of a scene, or to the bands of other spectra.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/wavelength.h>

#include "support/scale.h"

/* Wavelengths that differ by less than this fraction are the same, also beyond the last one of a
 * library. */
#define SAME_WAVELENGTH 1e-6

/* The target bands, by their wavelengths, with the name of their source. */
typedef struct bands {
    const char *name;
    const double *wavelength;
    const char *unit;
    const int64_t *coord; // NULL: 0, 1, ...
    size_t n;
} bands;

static bands bands_of_scene(const xta_scene_info *info)
{
    return (bands){info->name, info->wavelength, info->wavelength_unit, info->band, info->n_bands};
}

/* ---- units ---- */

static bool has_unit(const char *unit)
{
    return unit != NULL && xta_wavelength_nanometres(unit) > 0;
}

/* Note which unit was guessed, if it matters: one of two lists has none, or both have none and seem
 * different. */
static void say_unit(cli_spectra *spectra, const bands *wanted)
{
    const char *own = xta_wavelength_guess(spectra->wavelength, spectra->n_bands);
    const char *other = xta_wavelength_guess(wanted->wavelength, wanted->n);
    bool own_known = has_unit(spectra->unit), other_known = has_unit(wanted->unit);

    if (own == NULL || other == NULL || (own_known && other_known) ||
        (!own_known && !other_known && strcmp(own, other) == 0)) {
        return;
    }
    if (!own_known) {
        cli_notes_add(&spectra->notes,
                      "%s states no unit of its wavelengths; by their magnitude they are taken "
                      "for %s",
                      spectra->path, own);
    }
    if (!other_known) {
        cli_notes_add(&spectra->notes,
                      "%s states no unit of its wavelengths; by their magnitude they are taken "
                      "for %s",
                      wanted->name, other);
    }
}

/* ---- bands that a library does not cover ---- */

/* The range [lo, hi] that spectra cover, in the unit of the target bands; false: the units cannot
 * be converted. */
static bool range_of(const cli_spectra *spectra, const bands *wanted, double range[2])
{
    double factor = cli_spectra_unit_factor(spectra, wanted->wavelength, wanted->n, wanted->unit);

    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t k = 0; k < spectra->n_bands; k++) {
        range[0] = fmin(range[0], spectra->wavelength[k] * factor);
        range[1] = fmax(range[1], spectra->wavelength[k] * factor);
    }
    return factor > 0;
}

static bool covers(const double range[2], double wavelength)
{
    return wavelength >= range[0] - SAME_WAVELENGTH * fabs(range[0]) &&
           wavelength <= range[1] + SAME_WAVELENGTH * fabs(range[1]);
}

static int64_t coord_of(const bands *wanted, size_t k)
{
    return wanted->coord != NULL ? wanted->coord[k] : (int64_t)k;
}

/* Refuse spectra that do not cover all bands, and name the missing bands; the units are known to
 * agree. */
static xta_status check_covered(const cli_spectra *spectra, const bands *wanted, bool offer,
                                cli_error *err)
{
    double range[2];
    char list[160] = "";
    size_t n = 0, at = 0;

    if (!range_of(spectra, wanted, range)) {
        return XTA_OK; // resampling reports it
    }
    for (size_t k = 0; k < wanted->n; k++) {
        if (covers(range, wanted->wavelength[k])) {
            continue;
        }
        if (n < 4) {
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%" PRId64 " (%g)",
                                   n > 0 ? ", " : "", coord_of(wanted, k), wanted->wavelength[k]);
        }
        n++;
    }
    if (n == 0) {
        return XTA_OK;
    }
    return cli_fail(err, XTA_ERANGE, 0,
                    "%s: has values from %g to %g%s%s; %zu of the %zu bands of %s lie outside: "
                    "%s%s%s",
                    spectra->path, range[0], range[1], wanted->unit[0] != '\0' ? " " : "",
                    wanted->unit, n, wanted->n, wanted->name, list, n > 4 ? ", ..." : "",
                    offer ? "; leave them out with --use-bands overlap" : "");
}

/* Find which of the target bands are covered; returns their number. */
static size_t overlap_of(const cli_spectra *spectra, const bands *wanted, size_t *which)
{
    double range[2];
    size_t n = 0;

    if (!range_of(spectra, wanted, range)) {
        return 0;
    }
    for (size_t k = 0; k < wanted->n; k++) {
        if (covers(range, wanted->wavelength[k])) {
            which[n++] = k;
        }
    }
    return n;
}

static xta_status no_overlap(const char *path, const char *name, bool wavelengths, cli_error *err)
{
    return cli_fail(err, XTA_EARG, 0,
                    wavelengths ? "--use-bands overlap: %s and %s have no wavelength in common"
                                : "--use-bands overlap: needs wavelengths of both %s and %s",
                    path, name);
}

/* ---- scenes ---- */

/* Find the coordinates of the bands of an open scene that the library covers; the caller frees
 * them. */
static xta_status find_overlap(const char *library, const cli_scene *scene, int64_t **use,
                               size_t *n_use, cli_error *err)
{
    const bands wanted = bands_of_scene(&scene->info);
    cli_spectra spectra = {0};
    size_t *which = calloc(wanted.n + 1, sizeof *which);
    xta_status status = XTA_OK;

    *use = malloc((wanted.n + 1) * sizeof **use);
    if (which == NULL || *use == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu bands", wanted.n);
        goto done;
    }
    XTA_TRY(cli_spectra_read(library, &spectra, err));
    if (spectra.wavelength == NULL || wanted.wavelength == NULL) {
        status = no_overlap(library, wanted.name, false, err);
        goto done;
    }
    *n_use = overlap_of(&spectra, &wanted, which);
    for (size_t k = 0; k < *n_use; k++) {
        (*use)[k] = wanted.coord[which[k]];
    }
    if (*n_use == 0) {
        status = no_overlap(library, wanted.name, true, err);
    }
done:
    free(which);
    cli_spectra_clear(&spectra);
    return status;
}

xta_status cli_scene_open_with(const cli_args *args, const char *path, const char *library,
                               cli_scene *scene, cli_error *err)
{
    const char *text = cli_get(args, "use-bands");
    int64_t *use = NULL;
    size_t n_use = 0;
    xta_status status = XTA_OK;

    if (library == NULL || text == NULL || strcmp(text, CLI_OVERLAP) != 0) {
        return cli_scene_open(args, path, scene, err);
    }
    XTA_TRY(cli_scene_open_all(args, path, scene, err));
    status = find_overlap(library, scene, &use, &n_use, err);
    status = cli_hyper_agree(status, err);
    if (status == XTA_OK) {
        status = cli_scene_use(scene, use, n_use, err); // takes ownership of the list
        use = NULL;
    }
done:
    free(use);
    return status;
}

/* Of the bands of the array, keep those that are in use. */
static xta_status keep_bands(cli_spectra *spectra, const xta_scene_info *info, cli_error *err)
{
    double *values = malloc((spectra->n * info->n_bands + 1) * sizeof *values);

    if (values == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu spectra", spectra->path,
                        spectra->n);
    }
    for (size_t k = 0; k < spectra->n; k++) {
        for (size_t j = 0; j < info->n_bands; j++) {
            values[k * info->n_bands + j] =
                spectra->values[k * spectra->n_bands + (size_t)(info->band[j] - info->band_lo)];
        }
    }
    free(spectra->values);
    spectra->values = values;
    spectra->n_bands = info->n_bands;
    return XTA_OK;
}

/* Whether wavelengths are the same once they are in one unit. */
static bool same_wavelengths(const cli_spectra *spectra, const bands *wanted)
{
    double factor;

    if (spectra->n_bands != wanted->n) {
        return false;
    }
    factor = cli_spectra_unit_factor(spectra, wanted->wavelength, wanted->n, wanted->unit);
    for (size_t k = 0; k < wanted->n; k++) {
        if (!(fabs(spectra->wavelength[k] * factor - wanted->wavelength[k]) <=
              SAME_WAVELENGTH * fabs(wanted->wavelength[k]))) {
            return false;
        }
    }
    return factor > 0;
}

/* Bring spectra to bands by wavelength, which both have. */
static xta_status bring(cli_spectra *spectra, const bands *wanted, bool offer, cli_error *err)
{
    xta_status status = XTA_OK;

    say_unit(spectra, wanted);
    if (same_wavelengths(spectra, wanted)) {
        return XTA_OK;
    }
    XTA_TRY(check_covered(spectra, wanted, offer, err));
    XTA_TRY(cli_spectra_resample(spectra, wanted->wavelength, wanted->n, wanted->unit, err));
done:
    return status;
}

static xta_status fit_bands(cli_spectra *spectra, const cli_scene *scene, cli_error *err)
{
    const xta_scene_info *info = &scene->info;

    if (spectra->wavelength != NULL && info->wavelength != NULL) {
        const bands wanted = bands_of_scene(info);
        return bring(spectra, &wanted, true, err);
    }
    if (spectra->n_bands == info->n_bands) {
        return XTA_OK;
    }
    if (spectra->n_bands == (size_t)(info->band_hi - info->band_lo)) {
        return keep_bands(spectra, info, err);
    }
    return cli_fail(err, XTA_EARG, 0,
                    "%s: has %zu bands; %s has %" PRId64 ", of which %zu are in use; without "
                    "wavelengths on both sides the numbers must agree",
                    spectra->path, spectra->n_bands, info->name, info->band_hi - info->band_lo,
                    info->n_bands);
}

xta_status cli_spectra_fit(cli_spectra *spectra, const cli_scene *scene, bool shapes,
                           cli_error *err)
{
    xta_status status = fit_bands(spectra, scene, err);

    return status == XTA_OK ? cli_spectra_scale(spectra, scene, shapes, err) : status;
}

/* Keep only these bands of some spectra. */
static xta_status cut_bands(cli_spectra *spectra, const size_t *which, size_t n, cli_error *err)
{
    double *values = malloc((spectra->n * n + 1) * sizeof *values);

    if (values == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bands", spectra->path, n);
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < spectra->n; i++) {
            values[i * n + k] = spectra->values[i * spectra->n_bands + which[k]];
        }
        spectra->wavelength[k] = spectra->wavelength[which[k]];
    }
    free(spectra->values);
    spectra->values = values;
    spectra->n_bands = n;
    return XTA_OK;
}

static xta_status cut_to_overlap(const cli_spectra *spectra, cli_spectra *to, cli_error *err)
{
    const bands wanted = {to->path, to->wavelength, to->unit != NULL ? to->unit : "", NULL,
                          to->n_bands};
    size_t *which = calloc(wanted.n + 1, sizeof *which);
    size_t n;
    xta_status status;

    if (which == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu bands", wanted.n);
    }
    n = overlap_of(spectra, &wanted, which);
    status = n == 0         ? no_overlap(spectra->path, to->path, true, err)
             : n < wanted.n ? cut_bands(to, which, n, err)
                            : XTA_OK;
    free(which);
    return status;
}

xta_status cli_spectra_match(cli_spectra *spectra, cli_spectra *to, bool overlap, cli_error *err)
{
    xta_status status = XTA_OK;

    if (spectra->wavelength != NULL && to->wavelength != NULL) {
        if (overlap) {
            XTA_TRY(cut_to_overlap(spectra, to, err));
        }
        const bands wanted = {to->path, to->wavelength, to->unit != NULL ? to->unit : "", NULL,
                              to->n_bands};
        return bring(spectra, &wanted, true, err);
    }
    if (overlap) {
        return no_overlap(spectra->path, to->path, false, err);
    }
    if (spectra->n_bands != to->n_bands) {
        status = cli_fail(err, XTA_EARG, 0,
                          "%s: has %zu bands, %s has %zu; without wavelengths on both sides the "
                          "numbers must agree",
                          spectra->path, spectra->n_bands, to->path, to->n_bands);
    }
done:
    return status;
}

xta_status cli_spectra_spread(cli_spectra *spectra, size_t n_bands, cli_error *err)
{
    bool numbered = spectra->wavelength == NULL;
    double *wavelength = malloc((n_bands + 1) * sizeof *wavelength);
    double first, last;
    xta_status status = XTA_OK;

    if (numbered) {
        spectra->wavelength = calloc(spectra->n_bands + 1, sizeof spectra->wavelength[0]);
    }
    if (wavelength == NULL || spectra->wavelength == NULL) {
        status =
            cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bands", spectra->path, n_bands);
        goto done;
    }
    for (size_t k = 0; numbered && k < spectra->n_bands; k++) {
        spectra->wavelength[k] = (double)k;
    }
    first = last = spectra->wavelength[0];
    for (size_t k = 1; k < spectra->n_bands; k++) {
        first = fmin(first, spectra->wavelength[k]);
        last = fmax(last, spectra->wavelength[k]);
    }
    for (size_t k = 0; k < n_bands; k++) {
        double share = n_bands > 1 ? (double)k / (double)(n_bands - 1) : 0;
        wavelength[k] = fmin(first + share * (last - first), last);
    }
    XTA_TRY(cli_spectra_resample(spectra, wavelength, n_bands, spectra->unit, err));
    if (numbered) {
        free(spectra->wavelength);
        spectra->wavelength = NULL;
    }
done:
    free(wavelength);
    return status;
}
