/* Spectral libraries: what all formats share, and spectra at other wavelengths.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "spectra_parts.h"

#include <xta/options.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <xta/wavelength.h>

#include "util/replace.h"

/* How far beyond the last wavelength one may be asked for, in parts of itself: files round them. */
#define BEYOND 1e-6

/* ---- memory ---- */

bool xta__spectra_new(xta_spectra *s, size_t n_spectra, size_t n_bands, bool wavelengths)
{
    memset(s, 0, sizeof *s);
    if ((double)n_spectra * (double)n_bands > 1e15) {
        return false;
    }
    s->values = calloc(n_spectra * n_bands + 1, sizeof *s->values);
    s->wavelength = wavelengths ? calloc(n_bands + 1, sizeof *s->wavelength) : NULL;
    s->names = calloc(n_spectra + 1, sizeof *s->names);
    s->n_bands = n_bands;
    bool good = s->values != NULL && s->names != NULL && (!wavelengths || s->wavelength != NULL);
    for (size_t k = 0; good && k < n_spectra; k++) {
        s->names[k] = calloc(1, 1);
        s->n_spectra = k + 1;
        good = s->names[k] != NULL;
    }
    if (!good) {
        xta_spectra_free(s);
    }
    return good;
}

void xta_spectra_free(xta_spectra *spectra)
{
    if (spectra == NULL) {
        return;
    }
    for (size_t k = 0; k < spectra->n_spectra && spectra->names != NULL; k++) {
        free(spectra->names[k]);
    }
    free(spectra->names);
    free(spectra->values);
    free(spectra->wavelength);
    free(spectra->wavelength_unit);
    memset(spectra, 0, sizeof *spectra);
}

/* A copy without the blanks around it. */
static char *trimmed(const char *text, size_t n)
{
    while (n > 0 && isspace((unsigned char)text[0])) {
        text++;
        n--;
    }
    while (n > 0 && (isspace((unsigned char)text[n - 1]) || text[n - 1] == '\0')) {
        n--;
    }
    char *copy = calloc(n + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
    }
    return copy;
}

bool xta__spectra_name(xta_spectra *s, size_t k, const char *text, size_t n)
{
    char *copy = trimmed(text, n);
    if (copy != NULL) {
        free(s->names[k]);
        s->names[k] = copy;
    }
    return copy != NULL;
}

bool xta__spectra_unit(xta_spectra *s, const char *text, size_t n)
{
    char *copy = trimmed(text, n);
    if (copy == NULL) {
        return false;
    }
    free(s->wavelength_unit);
    s->wavelength_unit = copy[0] != '\0' ? copy : NULL;
    if (s->wavelength_unit == NULL) {
        free(copy);
    }
    return true;
}

double xta__spectra_scale(const char *text, size_t n)
{
    char copy[SPECTRA_NUMBER_BYTES];
    char *end = NULL;
    snprintf(copy, sizeof copy, "%.*s", n < sizeof copy ? (int)n : (int)sizeof copy - 1, text);
    double scale = strtod(copy, &end);
    bool good = end != copy && (*end == '\0' || strchr(" \t\r\n,}", *end) != NULL);
    return good && isfinite(scale) && scale > 0 ? scale : 0;
}

const char *xta__spectra_number(double value, char text[SPECTRA_NUMBER_BYTES])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SPECTRA_NUMBER_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return text;
}

xta_status xta__spectra_doubles(const char *path, xta_type type, const void *cells, double *out,
                                size_t n, xta_error *err)
{
    size_t bad = 0;
    xta_status status = xta_type_convert(type, cells, XTA_F64, out, n, &bad);
    return status == XTA_OK ? XTA_OK
                            : xta_error_set(err, status, 0,
                                            "%s: number %zu of it, of type %s, is none that f64 "
                                            "can hold",
                                            path, bad + 1, xta_type_name(type));
}

/* ---- files ---- */

xta_status xta__spectra_text(const char *path, char **text, size_t *n_bytes, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_dense file = {.fd = -1};
    uint64_t bytes = 0;
    XTA_TRY(xta__dense_open(&file, path, &bytes, err));
    *text = bytes < SIZE_MAX / 2 ? calloc((size_t)bytes + 1, 1) : NULL;
    if (*text == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    *n_bytes = (size_t)bytes;
    status = xta__dense_bytes(&file, 0, *text, (size_t)bytes, err);
    if (status != XTA_OK) {
        free(*text);
        *text = NULL;
    }
done:
    xta__dense_close(&file);
    return status;
}

char *xta__spectra_part(const char *path)
{
    char *part = NULL;
    errno = xta__part_path(path, ".part", &part);
    return part;
}

xta_status xta__spectra_rename(const char *part, const char *path, xta_error *err)
{
    int code = xta__replace_file(part, path);
    if (code == 0) {
        return XTA_OK;
    }
    unlink(part);
    return xta_error_set(err, XTA_EIO, code, "%s: cannot replace it: %s", path, strerror(code));
}

/* ---- which format ---- */

typedef enum kind { KIND_NONE, KIND_CSV, KIND_ENVI, KIND_MATLAB } kind;

static xta_status kind_of(const char *path, const char *format, kind *out, xta_error *err)
{
    static const struct {
        const char *word;
        kind kind;
    } words[] = {{"csv", KIND_CSV},    {"txt", KIND_CSV},      {"envi", KIND_ENVI},
                 {"sli", KIND_ENVI},   {"hdr", KIND_ENVI},     {"slb", KIND_ENVI},
                 {"mat", KIND_MATLAB}, {"matlab", KIND_MATLAB}};
    char suffix[16];
    xta__bridge_suffix(path, suffix);
    const char *word = format != NULL ? format : suffix;
    *out = KIND_NONE;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        *out = strcasecmp(words[k].word, word) == 0 ? words[k].kind : *out;
    }
    return *out != KIND_NONE
               ? XTA_OK
               : xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: '%s' is no format of spectral libraries; there are .csv, .sli "
                               "(envi) and .mat (matlab)",
                               path, word);
}

/* One word behind the variable's name. */
static bool take_word(const char *word, xta_spectra_options *options)
{
    const char *value = strchr(word, '=');
    size_t n = value != NULL ? (size_t)(value - word) : strlen(word);
    char *end = NULL;
    if (strcmp(word, "transposed") == 0) {
        options->transposed = true;
        return true;
    }
    if (value == NULL || value[1] == '\0') {
        return false;
    }
    if (n == 5 && strncmp(word, "names", n) == 0) {
        options->names = value + 1;
        return true;
    }
    if (n == 4 && strncmp(word, "unit", n) == 0) {
        options->unit = value + 1;
        return true;
    }
    unsigned long long number = strtoull(value + 1, &end, 10);
    bool good = isdigit((unsigned char)value[1]) && *end == '\0' && number < 1u << 30;
    if (good && n == 4 && strncmp(word, "skip", n) == 0) {
        options->skip = (size_t)number;
    } else if (good && n == 10 && strncmp(word, "wavelength", n) == 0) {
        options->wavelength_column = (size_t)number;
    } else {
        return false;
    }
    return true;
}

/* Take what stands behind the colon of a path off it; `file` is changed. */
static xta_status split_path(char *file, xta_spectra_options *options, xta_error *err)
{
    const char *slash = strrchr(file, '/');
    char *colon = strrchr(slash != NULL ? slash : file, ':');
    if (colon == NULL || colon == file || access(file, F_OK) == 0) {
        return XTA_OK;
    }
    *colon = '\0';
    options->variable = colon[1] != '\0' && colon[1] != ',' ? colon + 1 : options->variable;
    for (char *comma = strchr(colon + 1, ','); comma != NULL;) {
        char *next = strchr(comma + 1, ',');
        *comma = '\0';
        if (next != NULL) {
            *next = '\0';
        }
        if (!take_word(comma + 1, options)) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: '%s' is none of transposed, wavelength=N, skip=N, unit=UNIT, "
                                 "names=NAME",
                                 file, comma + 1);
        }
        comma = next;
    }
    return XTA_OK;
}

xta_status xta_spectra_read(const char *path, const xta_spectra_options *options, xta_spectra *out,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    xta_spectra_options o = XTA_SPECTRA_OPTIONS_INIT;
    kind which;
    char *file = xta__bridge_copy(path);
    memset(out, 0, sizeof *out);
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    XTA_TRY(xta_options_take(&o, sizeof o, options, "xta_spectra_options", err));
    XTA_TRY(split_path(file, &o, err));
    XTA_TRY(kind_of(file, o.format, &which, err));
    status = which == KIND_CSV    ? xta__spectra_read_csv(file, out, err)
             : which == KIND_ENVI ? xta__spectra_read_envi(file, out, err)
                                  : xta__spectra_read_matlab(file, &o, out, err);
    if (status == XTA_OK && out->wavelength != NULL && out->wavelength_unit == NULL &&
        o.unit != NULL && !xta__spectra_unit(out, o.unit, strlen(o.unit))) {
        status = xta__bridge_no_memory(path, err);
    }
    if (status != XTA_OK) {
        xta_spectra_free(out);
    }
done:
    free(file);
    return status;
}

xta_status xta_spectra_write(const char *path, const xta_spectra_options *options,
                             const xta_spectra *spectra, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_spectra_options o = XTA_SPECTRA_OPTIONS_INIT;
    kind which;
    if (spectra->n_spectra == 0 || spectra->n_bands == 0) {
        return xta_error_set(err, XTA_EARG, 0, "%s: there are no spectra to write", path);
    }
    XTA_TRY(xta_options_take(&o, sizeof o, options, "xta_spectra_options", err));
    XTA_TRY(kind_of(path, o.format, &which, err));
    status = which == KIND_CSV    ? xta__spectra_write_csv(path, spectra, err)
             : which == KIND_ENVI ? xta__spectra_write_envi(path, spectra, err)
                                  : xta__spectra_write_matlab(path, spectra, err);
done:
    return status;
}

/* ---- other wavelengths ---- */

static bool no_unit(const char *unit)
{
    return unit == NULL || unit[0] == '\0' || strcasecmp(unit, "unknown") == 0;
}

/* Nanometres in the unit of a list; one without a unit is in the unit that it looks like. */
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
    // Index, wavenumber: the same as itself, and as a list that does not say what it is.
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

/* The last band whose wavelength is not above `w`, but never the very last one of several. */
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

static void between(const xta_spectra *from, const band *bands, double w, size_t b,
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
        between(from, bands, w, b, out);
    }
    for (size_t k = 0; k < from->n_spectra; k++) {
        if (!xta__spectra_name(out, k, from->names[k], strlen(from->names[k]))) {
            status = xta__bridge_no_memory("spectra at other wavelengths", err);
            goto done;
        }
    }
    out->scale = from->scale;
    const char *said = unit != NULL ? unit : from->wavelength_unit;
    if (said != NULL && !xta__spectra_unit(out, said, strlen(said))) {
        status = xta__bridge_no_memory("spectra at other wavelengths", err);
    }
done:
    free(bands);
    if (status != XTA_OK) {
        xta_spectra_free(out);
    }
    return status;
}
