/** @file
 * Spectral libraries: reading and writing files of named spectra over common bands. Library
 * libxta_formats.
 *
 * ENVI (`.sli` with its `.hdr`), MATLAB (a matrix of a `.mat` file) and CSV. All values are doubles
 * here and are not scaled; the scale that a file states is kept as a separate number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SPECTRA_H
#define XTA_SPECTRA_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Spectra in memory. All zeros is an empty library. */
typedef struct xta_spectra {
    size_t n_spectra;
    size_t n_bands;
    double *values;        /**< n_spectra x n_bands, row-major: a spectrum is a row */
    double *wavelength;    /**< n_bands; NULL: not known */
    char *wavelength_unit; /**< such as "nm" or "Micrometers"; NULL: not known */
    char **names;          /**< n_spectra texts, "" for a spectrum without a name */
    double scale;          /**< values divided by this are reflectances; 0: not known */
} xta_spectra;

/** How to read or write. Start from XTA_SPECTRA_OPTIONS_INIT. */
typedef struct xta_spectra_options {
    size_t struct_size;   /**< sizeof(xta_spectra_options) */
    const char *format;   /**< "envi", "matlab", "csv"; NULL: by suffix */
    const char *variable; /**< .mat: the matrix; NULL: the name after the path's colon, else the
                               only one */
    const char *names;    /**< .mat: a cell array of texts or a matrix of characters; NULL: the one
                               that has as many names as there are spectra */
    const char
        *wavelengths; /**< .mat: a vector with one number for each band; NULL: `wavelength` or
                           `wavelengths`, if there is one of the right length */
    bool transposed;  /**< .mat: a row is a spectrum; otherwise a column is one */
    size_t wavelength_column; /**< .mat: this column (from 1) holds the wavelengths; 0: none */
    size_t skip;              /**< .mat: number of columns before the first spectrum */
    const char *unit;         /**< unit of the wavelengths, if the file does not state it */
} xta_spectra_options;
#define XTA_SPECTRA_OPTIONS_INIT                                \
    {                                                           \
        sizeof(xta_spectra_options), 0, 0, 0, 0, false, 0, 0, 0 \
    }

/** Read a spectral library.
 *
 * The path may end in `:VARIABLE` and, after that, `,transposed`, `,wavelength=N`, `,skip=N`,
 * `,unit=UNIT` and `,names=NAME`, which set the options of these names: `end3.mat:M`,
 * `USGS.mat:datalib,wavelength=1,skip=3,unit=um`. ENVI: the path of the cells or of the header.
 * CSV: the first line names the columns, `wavelength` or `wavelength (UNIT)` (or `band`, whose
 * values are ignored) and the spectra; then one line for each band. Names with commas or quotes are
 * quoted; an empty field is NaN; lines that begin with # are skipped.
 *
 * The scale is the key `reflectance scale factor` in an ENVI header, a line `# reflectance scale
 * factor: NUMBER` in CSV, the number `reflectance_scale_factor` in .mat.
 *
 * @param[in]  path     file to read
 * @param[in]  options  NULL for the defaults
 * @param[out] out      for xta_spectra_free; zeros on failure
 * @param[out] err      why it failed
 * @retval XTA_ENOENT       no such file or variable
 * @retval XTA_EFORMAT      the file is damaged, or shorter than it says
 * @retval XTA_EARG         options that do not fit the file
 * @retval XTA_EUNSUPPORTED complex spectra, or a format that this build lacks */
XTA_API XTA_MUST_CHECK xta_status xta_spectra_read(const char *path,
                                                   const xta_spectra_options *options,
                                                   xta_spectra *out, xta_error *err);

/** Write a spectral library, replacing a file of that name. Reading it back gives the same values
 * bit for bit. Names may change: ENVI does not allow commas or braces in them, so these become
 * blanks.
 * @param[in]  path     `.csv`, `.sli` (with the header `.hdr` beside it), `.mat` (`M`, bands x
 *                      spectra, `wavelength`, `names`)
 * @param[in]  options  NULL for the defaults: format by suffix
 * @param[in]  spectra  what to write; at least one spectrum of one band
 * @param[out] err      why it failed; an old file is then kept */
XTA_API XTA_MUST_CHECK xta_status xta_spectra_write(const char *path,
                                                    const xta_spectra_options *options,
                                                    const xta_spectra *spectra, xta_error *err);

/** Resample spectra to other wavelengths, linearly between neighbours.
 *
 * Units are converted. Wavelengths whose unit is missing or "Unknown" are in the unit that
 * xta_wavelength_guess returns, if the other unit is a unit of wavelength.
 * @param[in]  from        spectra with wavelengths, in any order, all different
 * @param[in]  wavelength  n_bands wavelengths
 * @param[in]  n_bands     number of wavelengths
 * @param[in]  unit        their unit; NULL: not known
 * @param[out] out         for xta_spectra_free; zeros on failure
 * @param[out] err         why it failed
 * @retval XTA_EARG    `from` has no wavelengths, or has one of them twice; or its unit cannot be
 *                     converted to `unit` (the text names both)
 * @retval XTA_ERANGE  a wavelength lies beyond those of `from` (by more than a millionth of it) */
XTA_API XTA_MUST_CHECK xta_status xta_spectra_resample(const xta_spectra *from,
                                                       const double *wavelength, size_t n_bands,
                                                       const char *unit, xta_spectra *out,
                                                       xta_error *err);

/** The factor that converts the wavelengths of one list to the unit of another, as
 * xta_spectra_resample does.
 * @param[in]  from    wavelengths
 * @param[in]  n_from  how many
 * @param[in]  unit    their unit; NULL: not known
 * @param[in]  to      the others
 * @param[in]  n_to    how many
 * @param[in]  to_unit their unit; NULL: not known
 * @return 0 if the units are different and cannot be converted */
XTA_API double xta_spectra_unit_factor(const double *from, size_t n_from, const char *unit,
                                       const double *to, size_t n_to, const char *to_unit);

/** Free the contents of a library and make it empty. NULL and empty libraries are allowed. */
XTA_API void xta_spectra_free(xta_spectra *spectra);

#ifdef __cplusplus
}
#endif
#endif
