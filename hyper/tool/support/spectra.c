/* Spectra on a command line: read and resampled by the bridges, and written.
 *
 * CSV is written here: it holds more than a spectral library does, in comments and in the
 * coordinates of the bands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "support/spectra.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/spectra.h>

#include "formats_loader.h"
#include "kit/cells/output.h"
#include "kit/escape.h"
#include "util/checked.h"

/* ---- from and to the bridges ---- */

/* The name of spectrum k; those without one are numbered. */
static char *copy_name(const xta_spectra *from, size_t k)
{
    char number[40];

    snprintf(number, sizeof number, "em%zu", k + 1);
    return xta__strdup(from->names != NULL && from->names[k] != NULL && from->names[k][0] != '\0'
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

/* Take ownership of spectra from the bridges; the earlier contents are freed. */
static xta_status take(cli_spectra *spectra, const xta_spectra *from, cli_error *err)
{
    const char *path = spectra->path;
    const cli_notes notes = spectra->notes;
    bool failed;

    cli_spectra_clear(spectra);
    spectra->path = path;
    spectra->notes = notes;
    spectra->scale = from->scale;
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
        spectra->unit = xta__strdup(from->wavelength_unit);
        failed = failed || spectra->unit == NULL;
    }
    return failed ? cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu spectra", path,
                             from->n_spectra)
                  : XTA_OK;
}

/* The spectra in the form of the bridges; nothing is copied. */
static xta_spectra view(const cli_spectra *spectra)
{
    return (xta_spectra){.n_spectra = spectra->n,
                         .n_bands = spectra->n_bands,
                         .values = spectra->values,
                         .wavelength = spectra->wavelength,
                         .wavelength_unit = spectra->unit,
                         .names = spectra->names,
                         .scale = spectra->scale};
}

xta_status cli_spectra_read(const char *path, cli_spectra *spectra, cli_error *err)
{
    xta_spectra read = {0};
    cli_formats bridges;
    xta_status status = XTA_OK;

    *spectra = (cli_spectra){.path = path};
    XTA_TRY(cli_formats_load(&bridges, &err->error));
    XTA_TRY(bridges.spectra_read(path, NULL, &read, &err->error));
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

double cli_spectra_unit_factor(const cli_spectra *spectra, const double *wavelength, size_t n_bands,
                               const char *unit)
{
    xta_error ignored;
    cli_formats bridges;

    // The bridges are loaded, since spectra cannot have been read without them.
    return cli_formats_load(&bridges, &ignored) == XTA_OK
               ? bridges.spectra_unit_factor(spectra->wavelength, spectra->n_bands, spectra->unit,
                                             wavelength, n_bands, unit)
               : 0;
}

xta_status cli_spectra_resample(cli_spectra *spectra, const double *wavelength, size_t n_bands,
                                const char *unit, cli_error *err)
{
    xta_spectra from = view(spectra), made = {0};
    char text[XTA_ERROR_TEXT_BYTES];
    cli_formats bridges;
    xta_status status = XTA_OK;

    XTA_TRY(cli_formats_load(&bridges, &err->error));
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
    // Fail now rather than after an hour.
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

static void put_csv(FILE *out, const cli_spectra *spectra, const char *const notes[])
{
    for (size_t k = 0; notes != NULL && k < spectra->n; k++) {
        fprintf(out, "# %s: %s\n", spectra->names[k], notes[k]);
    }
    if (spectra->scale > 0) {
        fputs("# reflectance scale factor: ", out);
        put_number(out, spectra->scale);
        fputc('\n', out);
    }
    fputs(spectra->wavelength != NULL ? "wavelength" : "band", out);
    if (spectra->wavelength != NULL && spectra->unit != NULL && spectra->unit[0] != '\0') {
        fprintf(out, " (%s)", spectra->unit);
    }
    for (size_t k = 0; k < spectra->n; k++) {
        fputc(',', out);
        cli_print_csv(out, spectra->names[k]);
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
    cli_formats bridges;
    xta_status status = XTA_OK;

    if (strcmp(suffix(spectra->path), ".csv") == 0) {
        return write_text(spectra->path, spectra, notes, true, err);
    }
    XTA_TRY(cli_formats_load(&bridges, &err->error));
    XTA_TRY(bridges.spectra_write(spectra->path, NULL, &library, &err->error));
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
