/* The formats of spectral libraries: each file here (csv.c, envi.c, matlab.c) reads and writes one.
 * without_matlab.c takes the place of matlab.c in builds without MATLAB's files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SPECTRA_FORMATS_H
#define XTA_FORMATS_SPECTRA_FORMATS_H

#include <xta/spectra.h>

/* The name of the scale in text files. */
#define SPECTRA_SCALE "reflectance scale factor"

xta_status xta__spectra_read_csv(const char *path, xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_csv(const char *path, const xta_spectra *s, xta_error *err);
xta_status xta__spectra_read_envi(const char *path, xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_envi(const char *path, const xta_spectra *s, xta_error *err);
xta_status xta__spectra_read_matlab(const char *path, const xta_spectra_options *options,
                                    xta_spectra *out, xta_error *err);
xta_status xta__spectra_write_matlab(const char *path, const xta_spectra *s, xta_error *err);

#endif
