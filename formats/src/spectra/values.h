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

/* Allocate values, wavelengths if wanted, all zero, and empty names. False: out of memory. */
bool xta__spectra_new(xta_spectra *s, size_t n_spectra, size_t n_bands, bool wavelengths);
/* Name a spectrum with `n` bytes, without the blanks around them. False: out of memory. */
bool xta__spectra_set_name(xta_spectra *s, size_t k, const char *text, size_t n);
/* The unit, likewise; nothing if it is empty. */
bool xta__spectra_set_unit(xta_spectra *s, const char *text, size_t n);
/* The scale that the first bytes of a text say; 0 if that is no number above zero. */
double xta__spectra_parse_scale(const char *text, size_t n);
/* A number as the shortest text that gives it back. */
const char *xta__spectra_format_number(double value, char text[SPECTRA_NUMBER_BYTES]);
/* Cells as doubles. */
xta_status xta__spectra_doubles(const char *path, xta_type type, const void *cells, double *out,
                                size_t n, xta_error *err);

#endif
