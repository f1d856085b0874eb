/** @file
 * Scenes with known truth: a label map, a library of spectra, mixing and noise, all a function of
 * the seed and of the pixel's coordinates, so that a scene can be made in swaths, in parallel and
 * in any size. Library libxta_hyper.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SYNTH_H
#define XTA_SYNTH_H

#include <stddef.h>
#include <stdint.h>

#include <xta/classify.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What scene to make. Start from XTA_SYNTH_OPTIONS_INIT. */
typedef struct xta_synth_options {
    size_t struct_size; /**< sizeof(xta_synth_options) */
    int mixing_radius;  /**< abundances are shares of the materials in the window of this radius; 0:
                             pure pixels; at most 15 */
    double
        variation; /**< 0 to 1: largest share given to a random mixture of all materials; each pixel
                        gets a random part of it */
    double brightness;   /**< 0 to 1: each pixel is multiplied by 1 +- up to this */
    double noise_snr_db; /**< of each band relative to the library's mean in it; 0: no noise */
    double scale;        /**< cells are scale * mixture; 0: 1 */
    uint64_t seed;
} xta_synth_options;
#define XTA_SYNTH_OPTIONS_INIT                      \
    {                                               \
        sizeof(xta_synth_options), 0, 0, 0, 0, 0, 0 \
    }

/** Make lines of a scene.
 *
 * The label map is repeated over the plane. Class k is material ((k - 1) mod n_materials); pixels
 * of class 0 are a random mixture of all materials (uniform on the simplex up to rounding). Whole
 * number cells are rounded and clamped to their type.
 *
 * Not collective; threads and processes may make different lines at once.
 * @param[in]  labels      the map; its shifts are used
 * @param[in]  n_materials spectra in the library, 1 to 255
 * @param[in]  n_bands     bands of the library and of the scene
 * @param[in]  library     n_materials x n_bands
 * @param[in]  options     NULL for the defaults
 * @param[in]  lines       [lo, hi) to make
 * @param[in]  samples     [lo, hi) to make
 * @param[out] cells       lines x samples x bands doubles, before rounding; NULL: not wanted
 * @param[out] abundances  lines x samples x materials; NULL: not wanted
 * @param[out] err         why it failed
 * @retval XTA_EARG      an option out of range, an empty map
 * @retval XTA_EOVERFLOW more pixels, or farther from 0, than can be counted
 * @par Cost
 * O(pixels (bands * materials + window)). */
XTA_API XTA_MUST_CHECK xta_status xta_synth_pixels(const xta_label_map *labels, size_t n_materials,
                                                   size_t n_bands, const double *library,
                                                   const xta_synth_options *options,
                                                   const int64_t lines[2], const int64_t samples[2],
                                                   double *cells, double *abundances,
                                                   xta_error *err);

/** Round and clamp cells to the values of a whole number type; other types are left alone. Not
 * collective. Never fails.
 * @param[in]     type   of the array that they go into
 * @param[in,out] cells  n of them
 * @param[in]     n      how many */
XTA_API void xta_synth_round(xta_type type, double *cells, size_t n);

/** Make all pixels of an array's bounds and write them, a few lines at a time.
 * @param[in]  scene       writable, three axes line, sample, band (in this order) with n_bands
 *                         bands
 * @param[in]  truth       abundances, writable, axes material, line, sample with the same lines and
 *                         samples; NULL: not wanted
 * @param[in]  labels       as for xta_synth_pixels, like the next four
 * @param[in]  n_materials  spectra
 * @param[in]  n_bands      bands
 * @param[in]  library      n_materials x n_bands
 * @param[in]  options      NULL for the defaults
 * @param[in]  lines       [lo, hi) to make, within the bounds; NULL: all
 * @param[out] err         why it failed
 * @retval XTA_EARG  as for xta_synth_pixels, or bounds that do not fit (the text names axis and
 *                   lengths)
 * @return besides these, the errors of xta_array_write */
XTA_API XTA_MUST_CHECK xta_status xta_synth_scene(xta_array *scene, xta_array *truth,
                                                  const xta_label_map *labels, size_t n_materials,
                                                  size_t n_bands, const double *library,
                                                  const xta_synth_options *options,
                                                  const int64_t lines[2], xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
