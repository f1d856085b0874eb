/* What the parts of the spectral libraries share: spectra.c is the API, spectra_csv.c,
 * spectra_envi.c and spectra_matlab.c read and write the formats (spectra_no_matlab.c where that
 * bridge is not built).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_SPECTRA_PARTS_H
#define XTA_BRIDGE_SPECTRA_PARTS_H

#include <xta/spectra.h>

#include "description/format.h"

#define SPECTRA_NUMBER_BYTES 40
/* How files of text call the scale. */
#define SPECTRA_SCALE "reflectance scale factor"

/* ---- spectra.c ---- */

/* Room for values, and for wavelengths if asked for, of zeros, and empty names. False: no
 * memory. */
bool xta__spectra_new(xta_spectra *s, size_t n_spectra, size_t n_bands, bool wavelengths);
/* Name a spectrum with `n` bytes, without the blanks around them. False: no memory. */
bool xta__spectra_name(xta_spectra *s, size_t k, const char *text, size_t n);
/* The unit, likewise; nothing if it is empty. */
bool xta__spectra_unit(xta_spectra *s, const char *text, size_t n);
/* The scale that the first bytes of a text say; 0 if that is no number above zero. */
double xta__spectra_scale(const char *text, size_t n);
/* A number as the shortest text that gives it back. */
const char *xta__spectra_number(double value, char text[SPECTRA_NUMBER_BYTES]);
/* Cells as doubles. */
xta_status xta__spectra_doubles(const char *path, xta_type type, const void *cells, double *out,
                                size_t n, xta_error *err);
/* A whole file as one text, ended by a zero; the caller frees. */
xta_status xta__spectra_text(const char *path, char **text, size_t *n_bytes, xta_error *err);
/* PATH.part, to be renamed when it is whole; NULL: no memory. */
char *xta__spectra_part(const char *path);
xta_status xta__spectra_rename(const char *part, const char *path, xta_error *err);

/* ---- the formats ---- */

xta_status xta__spectra_read_csv(const char *path, xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_csv(const char *path, const xta_spectra *s, xta_error *err);
xta_status xta__spectra_read_envi(const char *path, xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_envi(const char *path, const xta_spectra *s, xta_error *err);
xta_status xta__spectra_read_matlab(const char *path, const xta_spectra_options *options,
                                    xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_matlab(const char *path, const xta_spectra *s, xta_error *err);

#endif
