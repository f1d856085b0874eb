/* The formats of spectral libraries: csv.c, envi.c and matlab.c each read and write one.
 * without_matlab.c replaces matlab.c in builds without the MATLAB format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SPECTRA_FORMATS_H
#define XTA_FORMATS_SPECTRA_FORMATS_H

#include <xta/spectra.h>

/* The name of the reflectance scale in text files. */
#define SPECTRA_SCALE "reflectance scale factor"

xta_status xta__spectra_read_csv(const char *path, xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_csv(const char *path, const xta_spectra *s, xta_error *err);
xta_status xta__spectra_read_envi(const char *path, xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_envi(const char *path, const xta_spectra *s, xta_error *err);
xta_status xta__spectra_read_matlab(const char *path, const xta_spectra_options *options,
                                    xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_matlab(const char *path, const xta_spectra *s, xta_error *err);

#endif
