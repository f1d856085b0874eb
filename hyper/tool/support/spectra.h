/* Spectra on a command line: endmembers, references, libraries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_SPECTRA_H
#define XTA_CLI_HYPER_SPECTRA_H

#include "support/options.h"
#include "support/spectra_notes.h"

/* Spectra and where they come from. Start from zeros. */
typedef struct cli_spectra {
    const char *path; // for messages; borrowed
    size_t n, n_bands;
    double *values;     // n x n_bands
    char **names;       // n, none NULL
    double *wavelength; // n_bands; NULL: not known
    int64_t *band;      // n_bands coordinates, if there are no wavelengths; NULL: 0, 1...
    char *unit;         // of the wavelengths; NULL: not known
    double scale;       // values divided by it are reflectances; 0: not known
    double factor;      // factor that was applied to the values since they were read; 0: none
    cli_notes notes;    // what was guessed when they were brought to other bands or scales
} cli_spectra;

/* Read a .csv, an ENVI library or FILE.mat:VARIABLE (see xta/spectra.h). Not collective. */
xta_status cli_spectra_read(const char *path, cli_spectra *spectra, cli_error *err);

/* The factor that converts the wavelengths to the unit of others; 0: not known. */
double cli_spectra_unit_factor(const cli_spectra *spectra, const double *wavelength, size_t n_bands,
                               const char *unit);

/* Bring spectra that have wavelengths to other wavelengths. */
xta_status cli_spectra_resample(cli_spectra *spectra, const double *wavelength, size_t n_bands,
                                const char *unit, cli_error *err);

/* Write a new file in the format of its suffix. `notes`: n texts, one line about each spectrum,
 * written as comments or beside the file; NULL: none. */
xta_status cli_spectra_write(const cli_spectra *spectra, const char *const notes[], cli_error *err);

/* Check that a file of this name can be written, before any work is done for it. */
xta_status cli_spectra_check_path(const char *path, cli_error *err);

void cli_spectra_clear(cli_spectra *spectra);

#endif
