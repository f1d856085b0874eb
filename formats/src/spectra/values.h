/* Spectra in memory: values, names, unit, scale.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SPECTRA_VALUES_H
#define XTA_FORMATS_SPECTRA_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/spectra.h>
#include <xta/type.h>

#define SPECTRA_NUMBER_BYTES 40

/* Allocate zeroed values, wavelengths if requested, and empty names. False: out of memory. */
bool xta__spectra_new(xta_spectra *s, size_t n_spectra, size_t n_bands, bool wavelengths);
/* Name a spectrum: `n` bytes of text, without surrounding blanks. False: out of memory. */
bool xta__spectra_set_name(xta_spectra *s, size_t k, const char *text, size_t n);
/* Set the unit in the same way; an empty text sets nothing. */
bool xta__spectra_set_unit(xta_spectra *s, const char *text, size_t n);
/* Parse the scale at the beginning of a text; 0 if it is not a number above zero. */
double xta__spectra_parse_scale(const char *text, size_t n);
/* A number as the shortest text from which it can be read back exactly. */
const char *xta__spectra_format_number(double value, char text[SPECTRA_NUMBER_BYTES]);
/* Convert cells to doubles. */
xta_status xta__spectra_doubles(const char *path, xta_type type, const void *cells, double *out,
                                size_t n, xta_error *err);

#endif
