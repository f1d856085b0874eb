/* Spectra on a command line: endmembers, references, libraries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_SPECTRA_H
#define XTA_CLI_HYPER_SPECTRA_H

#include "hyper_options.h"

/* Begin with zeros. */
typedef struct cli_spectra {
    const char *path; // for messages; borrowed
    size_t n, n_bands;
    double *values;     // n x n_bands
    char **names;       // n, none NULL
    double *wavelength; // n_bands; NULL: not known
    int64_t *band;      // n_bands coordinates, where there are no wavelengths; NULL: 0, 1...
    char *unit;         // of the wavelengths; NULL: not known
} cli_spectra;

/* Read a .csv, an ENVI library or FILE.mat:VARIABLE (see xta/spectra.h). Not collective. */
xta_status cli_spectra_read(const char *path, cli_spectra *spectra, cli_error *err);

/* Bring spectra to the bands that a scene uses: by wavelength where both have some, else by number.
 * Not collective. */
xta_status cli_spectra_fit(cli_spectra *spectra, const cli_scene *scene, cli_error *err);

/* Bring spectra to n bands at equal distances between the first and the last wavelength, or,
 * without wavelengths, the first and the last band. */
xta_status cli_spectra_spread(cli_spectra *spectra, size_t n_bands, cli_error *err);

/* Bring spectra to the wavelengths of others, or check that there are as many bands. */
xta_status cli_spectra_match(cli_spectra *spectra, const cli_spectra *to, cli_error *err);

/* Write a new file of the kind that the suffix says. `notes`: n of them, one line about each
 * spectrum, as comments or beside the file; NULL: none. */
xta_status cli_spectra_write(const cli_spectra *spectra, const char *const notes[], cli_error *err);

/* Whether a file of this name can be written: before any work is done for it. */
xta_status cli_spectra_check_path(const char *path, cli_error *err);

void cli_spectra_clear(cli_spectra *spectra);

#endif
