/** @file
 * Charts of spectra and of confusion matrices, as PNG or SVG. Library libxta_picture.
 *
 * Charts take plain numbers, so they can show any data. Maps of pixels are in xta/picture.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_CHART_H
#define XTA_CHART_H

#include <stddef.h>
#include <stdint.h>

#include <xta/calendar.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Spectra as lines against wavelength. Start from XTA_SPECTRA_CHART_INIT. */
typedef struct xta_spectra_chart {
    size_t struct_size;       /**< sizeof(xta_spectra_chart) */
    size_t n_spectra;         /**< 1 to 4096 */
    size_t n_bands;           /**< at least 1 */
    const double *values;     /**< n_spectra x n_bands, row-major; NaN: a gap */
    const double *wavelength; /**< n_bands finite numbers; NULL: bands by number. Up to 4 detectors,
                                   each with its wavelengths in order (up or down), are drawn as
                                   separate lines; bands in no order are sorted */
    const char *unit;         /**< of the wavelengths, such as "nm"; NULL: none */
    const int64_t *band;      /**< n_bands coordinates, ascending: where they jump, bands are
                                   missing, and the lines are broken; with wavelengths, also where a
                                   step is more than 4 times the median. NULL: 0, 1... */
    const char *const *names; /**< n_spectra; NULL: "1", "2"... */
    const unsigned char *colours; /**< 3 bytes for each spectrum; NULL: xta_class_colour(k + 1) */
    const unsigned char
        *dashed;       /**< n_spectra, not 0: drawn as a thin dashed line (a reference); NULL:
                            none */
    const char *title; /**< NULL: none */
    const char *label; /**< of the values, such as "reflectance"; NULL: none */
    double width;      /**< width of the chart in units, 320 to 4096; 0: 960 */
    double height;     /**< height in units, 200 to 4096; 0: 480 */
    const unsigned char *bad; /**< n_bands, not 0: the band is not drawn, and lines are broken there
                                   (a dead detector, light that water vapour absorbs); NULL: none */
    const char *axis; /**< what the lines run along, if not wavelengths or bands, such as "time";
                           `wavelength` are its coordinates then. NULL: "wavelength", or "band" */
    const xta_time_unit *time; /**< of the coordinates: ticks are at dates; NULL: they are no
                                    times */
} xta_spectra_chart;
#define XTA_SPECTRA_CHART_INIT                                                    \
    {                                                                             \
        sizeof(xta_spectra_chart), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
    }

/** Draw spectra. A PNG has two pixels for each unit. Thread-safe.
 * @param[in]  chart  what to draw
 * @param[in]  path   ends in .png or .svg; replaced only on success
 * @param[out] err    why it failed
 * @retval XTA_EARG   nothing to draw (also if all bands are bad), wavelengths that are not finite,
 *                    sizes out of range */
XTA_API XTA_MUST_CHECK xta_status xta_chart_spectra(const xta_spectra_chart *chart,
                                                    const char *path, xta_error *err);

/** Flag the bands in which water vapour absorbs all light of the sun: 1350 to 1450 and 1790 to 1960
 * nm. What a scene has there is noise, also where its product calls a band good.
 *
 * Not collective. Pure; thread-safe.
 *
 * @param[in]  n           how many bands
 * @param[in]  wavelength  n numbers
 * @param[in]  unit        of them; NULL or unknown: guessed as by xta_wavelength_guess
 * @param[out] opaque      n flags, 1 for such bands, else 0; all 0 if every band is one
 * @return how many flags are 1 */
XTA_API size_t xta_chart_opaque(size_t n, const double *wavelength, const char *unit,
                                unsigned char *opaque);

/** A table of counts: true classes against labels given. Start from
 * XTA_CONFUSION_CHART_INIT. */
typedef struct xta_confusion_chart {
    size_t struct_size;              /**< sizeof(xta_confusion_chart) */
    size_t n_rows;                   /**< classes, 1 to 256 */
    size_t n_columns;                /**< labels, 1 to 257: those of the classes, then others */
    const uint64_t *counts;          /**< n_rows x n_columns, row-major */
    const char *const *row_names;    /**< n_rows; NULL: "1", "2"... */
    const char *const *column_names; /**< n_columns; NULL: as the rows, the rest "none" */
    const double *producer; /**< n_rows: a column of shares right of the counts; NULL: none */
    const double *user;     /**< n_columns: a row of shares below, NaN left empty; NULL: none */
    const double *scores;   /**< OA, AA and kappa, written below, without those that are NaN; NULL:
                               none */
    const char *title;      /**< NULL: none */
    const char *note;       /**< a sentence below; NULL: none */
} xta_confusion_chart;
#define XTA_CONFUSION_CHART_INIT                                  \
    {                                                             \
        sizeof(xta_confusion_chart), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
    }

/** Draw a confusion matrix: rows are true classes, columns are labels; a cell is coloured by its
 * share of the row, blue on the diagonal and orange off it. Thread-safe.
 * @param[in]  chart  what to draw
 * @param[in]  path   ends in .png or .svg; replaced only on success
 * @param[out] err    why it failed
 * @retval XTA_EARG   nothing to draw, or too many rows or columns */
XTA_API XTA_MUST_CHECK xta_status xta_chart_confusion(const xta_confusion_chart *chart,
                                                      const char *path, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
