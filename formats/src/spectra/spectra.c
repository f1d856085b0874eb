/* Reading and writing spectral libraries: selecting the format by path, and parsing the options
 * after the path's colon. csv.c, envi.c and matlab.c are the formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/spectra.h>

#include <xta/options.h>
#include <xta/wavelength.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/path_suffix.h"
#include "description/description.h"
#include "spectra/formats.h"
#include "spectra/values.h"
#include "util/try.h"

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
    xta__path_suffix(path, suffix);
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

/* Parse one word after the variable's name. */
static bool parse_word(const char *word, xta_spectra_options *options)
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

/* Cut the options after the colon off a path and parse them; `file` is changed. */
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
        if (!parse_word(comma + 1, options)) {
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
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_spectra_options", err));
    XTA_TRY(split_path(file, &o, err));
    XTA_TRY(kind_of(file, o.format, &which, err));
    status = which == KIND_CSV    ? xta__spectra_read_csv(file, out, err)
             : which == KIND_ENVI ? xta__spectra_read_envi(file, out, err)
                                  : xta__spectra_read_matlab(file, &o, out, err);
    if (status == XTA_OK && out->wavelength != NULL && out->wavelength_unit == NULL &&
        o.unit != NULL && !xta__spectra_set_unit(out, o.unit, strlen(o.unit))) {
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
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_spectra_options", err));
    XTA_TRY(kind_of(path, o.format, &which, err));
    status = which == KIND_CSV    ? xta__spectra_write_csv(path, spectra, err)
             : which == KIND_ENVI ? xta__spectra_write_envi(path, spectra, err)
                                  : xta__spectra_write_matlab(path, spectra, err);
done:
    return status;
}
