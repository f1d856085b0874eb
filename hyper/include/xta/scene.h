/** @file
 * A scene: an array of numbers seen as pixels with spectra, lines x samples x bands. Library
 * libxta_hyper.
 *
 * Coordinates are those of the array and never change when it grows; a pixel is (line, sample), and
 * pixels are ordered by line, then sample. Which bands are in use and which pixels are valid is
 * decided here, once, for every method:
 *
 * - a band is left out if the attribute `bbl` of the band axis is 0 there, if the caller leaves it
 *   out, or if it is no-data in every pixel of the anchor line that has data in some band. The
 *   anchor line is the line nearest to coordinate 0 (0 itself unless it was cut away), so that
 *   growth at either end does not change the decision;
 * - a pixel is valid if none of its bands in use is NaN, infinite or no-data. No-data values are
 *   the attributes `_FillValue`, `missing_value`, `nodata` and `data ignore value` of the array,
 *   and the caller's. Pixels that are zero in every band are valid cells but have no direction:
 *   methods that work with angles leave them out, and say so.
 *
 * All functions of this library that take a scene are **collective** over its communicator: every
 * member calls them with the same arguments and gets the same result and the same status. A scene
 * is used by one thread at a time; its worker threads are internal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SCENE_H
#define XTA_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/communicator.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xta_scene xta_scene;

/** Receives the progress of a long call: `done` of `total` units of work. Return false to stop it:
 * the call then fails with XTA_ECANCELLED on every member. Called on rank 0 and by one thread
 * only. */
typedef bool xta_hyper_progress(void *user, const char *what, uint64_t done, uint64_t total);

/** How to read an array as a scene. Start from XTA_SCENE_OPTIONS_INIT. */
typedef struct xta_scene_options {
    size_t struct_size;  /**< sizeof(xta_scene_options) */
    const char *lines;   /**< axis of lines: name or number; NULL: chosen by name (line, lines, row,
                            rows, y, lat...), else the slower one of the two that remain */
    const char *samples; /**< axis of samples; NULL: chosen (sample, samples, column, x, lon...) */
    const char *bands;   /**< axis of bands; NULL: chosen by name (band, wavelength, channel), else
                            by an attribute `wavelength` or `bbl`, else the last of three; an array
                            of two axes has one band */
    const int64_t *use;  /**< coordinates of the bands to use, ascending; NULL: all good ones */
    size_t n_use;
    bool bad_bands_too;   /**< use also bands that `bbl` marks as bad */
    const double *nodata; /**< further no-data values */
    size_t n_nodata;
    uint64_t memory_bytes; /**< memory budget of tiles, caches and results on this member; 0: 1
                                GiB. From 1 GiB on, up to 64 MiB more are kept for later scenes */
    int n_threads;         /**< worker threads of this member; 0: 1 */
    const xta_communicator *communicator; /**< borrowed until the scene is closed; NULL: one
                                               process */
    xta_hyper_progress *progress;         /**< NULL: none */
    void *progress_user;
} xta_scene_options;
#define XTA_SCENE_OPTIONS_INIT                                               \
    {                                                                        \
        sizeof(xta_scene_options), 0, 0, 0, 0, 0, false, 0, 0, 0, 0, 0, 0, 0 \
    }

/** Cells that are not in an array file: in memory, or in a global array. */
typedef struct xta_scene_source {
    size_t struct_size; /**< sizeof(xta_scene_source) */
    void *context;
    const char *name;         /**< for messages; copied */
    int64_t lo[3], hi[3];     /**< bounds: line, sample, band */
    xta_type type;            /**< type of the cells; whole numbers are treated exactly */
    const double *wavelength; /**< one for each band; copied; NULL: none */
    /** Not collective. Reads the cells [lo, hi) as doubles, row-major (line, sample, band). Called
     * by several threads at once if the scene has several. */
    xta_status (*read)(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                       xta_error *err);
    /** Reads the new bounds, as for xta_array_refresh. NULL: the bounds do not change. */
    xta_status (*refresh)(void *context, int64_t lo[3], int64_t hi[3], xta_error *err);
} xta_scene_source;

/** Description of a scene. Pointers are valid until the next refresh or the close. */
typedef struct xta_scene_info {
    int64_t line_lo, line_hi;     /**< [lo, hi) */
    int64_t sample_lo, sample_hi; /**< [lo, hi) */
    int64_t band_lo, band_hi;     /**< [lo, hi) of the array */
    size_t n_bands;               /**< in use */
    const int64_t *band;          /**< coordinate of each band in use */
    const double *wavelength;     /**< of each band in use; NULL: none known */
    const char *wavelength_unit;  /**< such as "nm"; "" if not known */
    bool whole;     /**< cells are whole numbers: sums and products of a tile are exact in double */
    int64_t anchor; /**< the anchor line; see above */
    const char *name; /**< path of the array, or the source's name */
    /** Physical values are gain x cell + offset, each one number for each band in use; NULL: the
     * array does not say. They come from `reflectance_scale_factor` (cells divided by it are
     * reflectances), else `scale_factor` and `add_offset`, else GDAL's scale and offset of each
     * band. This library never scales pixels: gain and offset are for data that is compared with
     * them. */
    const double *gain, *offset;
    double reflectance_scale; /**< 0: the array has no such attribute */
} xta_scene_info;

/** Open an array as a scene.
 * **Collective** over options->communicator.
 * @param[in]  array    real numbers, 2 or 3 axes (further axes of length 1 are ignored); borrowed
 * @param[in]  options  NULL for the defaults
 * @param[out] scene    for xta_scene_close; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG   no such axis, too many axes (the text names them and the options), no band is
 *                    left
 * @retval XTA_ETYPE  cells are not real numbers
 * @par Cost
 * Reads the anchor line. */
XTA_API XTA_MUST_CHECK xta_status xta_scene_open(xta_array *array, const xta_scene_options *options,
                                                 xta_scene **scene, xta_error *err);

/** Open a source of cells as a scene; the axes and `bad_bands_too` of the options are not used.
 * **Collective** over options->communicator.
 * @param[in]  source   copied; its context is borrowed until the close
 * @param[in]  options  NULL for the defaults
 * @param[out] scene    for xta_scene_close; NULL on failure
 * @param[out] err      why it failed; as for xta_scene_open */
XTA_API XTA_MUST_CHECK xta_status xta_scene_of_source(const xta_scene_source *source,
                                                      const xta_scene_options *options,
                                                      xta_scene **scene, xta_error *err);

/** Close a scene (not the array). NULL is allowed. Not collective. */
XTA_API void xta_scene_close(xta_scene *scene);

/** Check whether the array has grown, and use its new bounds. **Collective**: all members use the
 * bounds that rank 0 sees.
 * @param[in]  scene    the scene
 * @param[out] changed  whether anything changed; NULL if not wanted
 * @param[out] err      why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_scene_refresh(xta_scene *scene, bool *changed,
                                                    xta_error *err);

/** Describe a scene. Not collective. Never fails. */
XTA_API xta_scene_info xta_scene_inquire(const xta_scene *scene);

/** Read pixels. Not collective; safe from several threads.
 * @param[in]  scene   the scene
 * @param[in]  lines   [lines[0], lines[1]) within the bounds
 * @param[in]  samples [samples[0], samples[1]) within the bounds
 * @param[out] pixels  n_lines * n_samples * n_bands doubles, row-major, bands in use only; cells of
 *                     pixels that are not valid are as they are stored
 * @param[out] valid   n_lines * n_samples bytes, 1 for a valid pixel; NULL if not wanted
 * @param[out] err     why it failed
 * @retval XTA_EBOX  outside the bounds */
XTA_API XTA_MUST_CHECK xta_status xta_scene_read(xta_scene *scene, const int64_t lines[2],
                                                 const int64_t samples[2], double *pixels,
                                                 unsigned char *valid, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
