/* Spectra in memory: values, names, unit, scale.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "spectra/values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/json.h"

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
static char *trimmed_copy(const char *text, size_t n)
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

bool xta__spectra_set_name(xta_spectra *s, size_t k, const char *text, size_t n)
{
    char *copy = trimmed_copy(text, n);
    if (copy != NULL) {
        free(s->names[k]);
        s->names[k] = copy;
    }
    return copy != NULL;
}

bool xta__spectra_set_unit(xta_spectra *s, const char *text, size_t n)
{
    char *copy = trimmed_copy(text, n);
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

double xta__spectra_parse_scale(const char *text, size_t n)
{
    char copy[SPECTRA_NUMBER_BYTES];
    char *end = NULL;
    snprintf(copy, sizeof copy, "%.*s", n < sizeof copy ? (int)n : (int)sizeof copy - 1, text);
    double scale = strtod(copy, &end);
    bool good = end != copy && (*end == '\0' || strchr(" \t\r\n,}", *end) != NULL);
    return good && isfinite(scale) && scale > 0 ? scale : 0;
}

const char *xta__spectra_format_number(double value, char text[SPECTRA_NUMBER_BYTES])
{
    xta__real_text(value, text);
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
