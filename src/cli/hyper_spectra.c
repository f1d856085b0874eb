/* Spectra on a command line: read and resampled by the bridges, brought to the bands that are in
 * use, and written.
 *
 * CSV is written here: it says more than a library does, in comments and by the coordinates of the
 * bands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "hyper_spectra.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/spectra.h>

#include "bridge_door.h"
#include "output.h"

/* Wavelengths that differ by less than this share are the same. */
#define SAME_WAVELENGTH 1e-6

/* ---- from and to the bridges ---- */

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);

    if (copy != NULL) {
        memcpy(copy, text, strlen(text) + 1);
    }
    return copy;
}

/* The name of spectrum k; those without one are numbered. */
static char *copy_name(const xta_spectra *from, size_t k)
{
    char number[40];

    snprintf(number, sizeof number, "em%zu", k + 1);
    return copy_text(from->names != NULL && from->names[k] != NULL && from->names[k][0] != '\0'
                         ? from->names[k]
                         : number);
}

static double *copy_numbers(const double *numbers, size_t n)
{
    double *copy = malloc((n + 1) * sizeof *copy);

    if (copy != NULL) {
        memcpy(copy, numbers, n * sizeof *copy);
    }
    return copy;
}

/* Take over what the bridges have made; what was there before goes. */
static xta_status take(cli_spectra *spectra, const xta_spectra *from, cli_error *err)
{
    const char *path = spectra->path;
    bool failed;

    cli_spectra_clear(spectra);
    spectra->path = path;
    spectra->n_bands = from->n_bands;
    spectra->values = copy_numbers(from->values, from->n_spectra * from->n_bands);
    spectra->names = calloc(from->n_spectra + 1, sizeof spectra->names[0]);
    failed = spectra->values == NULL || spectra->names == NULL;
    for (; !failed && spectra->n < from->n_spectra; spectra->n++) {
        spectra->names[spectra->n] = copy_name(from, spectra->n);
        failed = spectra->names[spectra->n] == NULL;
    }
    if (from->wavelength != NULL) {
        spectra->wavelength = copy_numbers(from->wavelength, from->n_bands);
        failed = failed || spectra->wavelength == NULL;
    }
    if (from->wavelength_unit != NULL) {
        spectra->unit = copy_text(from->wavelength_unit);
        failed = failed || spectra->unit == NULL;
    }
    return failed ? cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu spectra", path,
                             from->n_spectra)
                  : XTA_OK;
}

/* As the bridges want it; nothing is copied. */
static xta_spectra view(const cli_spectra *spectra)
{
    return (xta_spectra){.n_spectra = spectra->n,
                         .n_bands = spectra->n_bands,
                         .values = spectra->values,
                         .wavelength = spectra->wavelength,
                         .wavelength_unit = spectra->unit,
                         .names = spectra->names};
}

xta_status cli_spectra_read(const char *path, cli_spectra *spectra, cli_error *err)
{
    xta_spectra read = {0};
    cli_bridges bridges;
    xta_status status = XTA_OK;

    *spectra = (cli_spectra){.path = path};
    CLI_TRY(cli_bridges_load(&bridges, &err->error));
    CLI_TRY(bridges.spectra_read(path, NULL, &read, &err->error));
    status = take(spectra, &read, err);
    bridges.spectra_free(&read);
done:
    return status;
}

void cli_spectra_clear(cli_spectra *spectra)
{
    for (size_t k = 0; spectra->names != NULL && k < spectra->n; k++) {
        free(spectra->names[k]);
    }
    free(spectra->names);
    free(spectra->values);
    free(spectra->wavelength);
    free(spectra->band);
    free(spectra->unit);
    *spectra = (cli_spectra){0};
}

/* ---- other bands ---- */

static xta_status resample(cli_spectra *spectra, const double *wavelength, size_t n_bands,
                           const char *unit, cli_error *err)
{
    xta_spectra from = view(spectra), made = {0};
    char text[XTA_ERROR_TEXT_BYTES];
    cli_bridges bridges;
    xta_status status = XTA_OK;

    CLI_TRY(cli_bridges_load(&bridges, &err->error));
    status =
        bridges.spectra_resample(&from, wavelength, n_bands,
                                 unit != NULL && unit[0] != '\0' ? unit : NULL, &made, &err->error);
    if (status != XTA_OK) {
        snprintf(text, sizeof text, "%s", err->error.text);
        return cli_fail(err, status, 0, "%s: %s", spectra->path, text);
    }
    status = take(spectra, &made, err);
    bridges.spectra_free(&made);
done:
    return status;
}

/* Whether wavelengths are the same, in units that are the same or not known. */
static bool same_wavelengths(const double *a, const char *unit_a, const double *b,
                             const char *unit_b, size_t n)
{
    bool same_unit = unit_a == NULL || unit_b == NULL || unit_a[0] == '\0' || unit_b[0] == '\0' ||
                     strcmp(unit_a, unit_b) == 0;

    for (size_t k = 0; same_unit && k < n; k++) {
        if (!(fabs(a[k] - b[k]) <= SAME_WAVELENGTH * fabs(b[k]))) {
            return false;
        }
    }
    return same_unit;
}

/* Keep the bands of the whole array that are in use. */
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

xta_status cli_spectra_fit(cli_spectra *spectra, const cli_scene *scene, cli_error *err)
{
    const xta_scene_info *info = &scene->info;

    if (spectra->wavelength != NULL && info->wavelength != NULL) {
        if (spectra->n_bands == info->n_bands &&
            same_wavelengths(spectra->wavelength, spectra->unit, info->wavelength,
                             info->wavelength_unit, info->n_bands)) {
            return XTA_OK;
        }
        return resample(spectra, info->wavelength, info->n_bands, info->wavelength_unit, err);
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

xta_status cli_spectra_match(cli_spectra *spectra, const cli_spectra *to, cli_error *err)
{
    if (spectra->wavelength != NULL && to->wavelength != NULL) {
        if (spectra->n_bands == to->n_bands &&
            same_wavelengths(spectra->wavelength, spectra->unit, to->wavelength, to->unit,
                             to->n_bands)) {
            return XTA_OK;
        }
        return resample(spectra, to->wavelength, to->n_bands, to->unit, err);
    }
    if (spectra->n_bands == to->n_bands) {
        return XTA_OK;
    }
    return cli_fail(err, XTA_EARG, 0,
                    "%s: has %zu bands, %s has %zu; without wavelengths on both sides the numbers "
                    "must agree",
                    spectra->path, spectra->n_bands, to->path, to->n_bands);
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
    CLI_TRY(resample(spectra, wavelength, n_bands, NULL, err));
    if (numbered) {
        free(spectra->wavelength);
        spectra->wavelength = NULL;
    }
done:
    free(wavelength);
    return status;
}

/* ---- writing ---- */

static const char *suffix(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && strchr(dot, '/') == NULL ? dot : "";
}

xta_status cli_spectra_check_path(const char *path, cli_error *err)
{
    const char *end = suffix(path), *slash = strrchr(path, '/');
    char folder[4096];

    if (strcmp(end, ".csv") != 0 && strcmp(end, ".sli") != 0 && strcmp(end, ".mat") != 0) {
        return cli_usage(
            err, "%s: spectra are written to .csv, .sli (ENVI) or .mat; say which by the suffix",
            path);
    }
    if (slash == NULL || slash == path) {
        return XTA_OK;
    }
    // Better now than after an hour.
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (access(folder, F_OK) != 0) {
        return cli_fail(err, XTA_ENOENT, errno, "%s: there is no folder %s; make it first", path,
                        folder);
    }
    return XTA_OK;
}

static void put_number(FILE *out, double value)
{
    char text[128];

    if (!isnan(value)) {
        cli_value_text(XTA_F64, sizeof value, &value, text);
        fputs(text, out);
    }
}

/* A name, in quotes if it has to be. */
static void put_name(FILE *out, const char *name)
{
    if (strpbrk(name, ",\"\n") == NULL) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (; *name != '\0'; name++) {
        fputs(*name == '"' ? "\"\"" : (char[2]){*name, '\0'}, out);
    }
    fputc('"', out);
}

static void put_csv(FILE *out, const cli_spectra *spectra, const char *const notes[])
{
    for (size_t k = 0; notes != NULL && k < spectra->n; k++) {
        fprintf(out, "# %s: %s\n", spectra->names[k], notes[k]);
    }
    fputs(spectra->wavelength != NULL ? "wavelength" : "band", out);
    if (spectra->wavelength != NULL && spectra->unit != NULL && spectra->unit[0] != '\0') {
        fprintf(out, " (%s)", spectra->unit);
    }
    for (size_t k = 0; k < spectra->n; k++) {
        fputc(',', out);
        put_name(out, spectra->names[k]);
    }
    fputc('\n', out);
    for (size_t band = 0; band < spectra->n_bands; band++) {
        if (spectra->wavelength != NULL) {
            put_number(out, spectra->wavelength[band]);
        } else {
            fprintf(out, "%" PRId64, spectra->band != NULL ? spectra->band[band] : (int64_t)band);
        }
        for (size_t k = 0; k < spectra->n; k++) {
            fputc(',', out);
            put_number(out, spectra->values[k * spectra->n_bands + band]);
        }
        fputc('\n', out);
    }
}

static xta_status write_text(const char *path, const cli_spectra *spectra,
                             const char *const notes[], bool whole, cli_error *err)
{
    cli_output output;
    xta_status status = cli_output_begin(&output, path, err);

    if (status == XTA_OK && whole) {
        put_csv(output.file, spectra, notes);
    }
    for (size_t k = 0; status == XTA_OK && !whole && k < spectra->n; k++) {
        fprintf(output.file, "%s: %s\n", spectra->names[k], notes[k]);
    }
    return cli_output_end(&output, status, err);
}

xta_status cli_spectra_write(const cli_spectra *spectra, const char *const notes[], cli_error *err)
{
    xta_spectra library = view(spectra);
    char *beside = NULL;
    cli_bridges bridges;
    xta_status status = XTA_OK;

    if (strcmp(suffix(spectra->path), ".csv") == 0) {
        return write_text(spectra->path, spectra, notes, true, err);
    }
    CLI_TRY(cli_bridges_load(&bridges, &err->error));
    CLI_TRY(bridges.spectra_write(spectra->path, NULL, &library, &err->error));
    if (notes == NULL) {
        return XTA_OK;
    }
    beside = malloc(strlen(spectra->path) + 8);
    if (beside == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", spectra->path);
    }
    sprintf(beside, "%s.txt", spectra->path);
    status = write_text(beside, spectra, notes, false, err);
done:
    free(beside);
    return status;
}
