/** @file
 * Automated morphological endmember extraction: which pixels are purest among their neighbours.
 * Library libxta_hyper.
 *
 * In the window of every pixel, D of a member is the sum of its angles to the other members. The
 * member with the largest D is the purest (dilation), the one with the smallest D is the most mixed
 * (erosion), and the angle between the two is the eccentricity of the window. The eccentricity is
 * assigned to the purest member: the morphological eccentricity index (MEI) of a pixel is the
 * largest eccentricity assigned to it. Then every pixel is replaced by the purest pixel of its
 * window and the steps are repeated, I times. Only the pixel that a spectrum is read from is
 * replaced; no spectrum is ever computed.
 *
 * Windows end at the border of the scene. Pixels that are zero or not valid have no angles: they
 * are left out of every sum, and there is no window around them. On ties the lowest pixel wins.
 *
 * An MEI depends on 2 r I lines on either side, so after growth only the new lines and the 2 r I
 * next to them are computed, with the same bits as a computation from the start.
 *
 * @par Source
 * [PLAZA02]; docs/ERRATA.md says why this is not [CXA] Algorithm 11 as printed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_AMEE_H
#define XTA_AMEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to compute MEI. Start from XTA_AMEE_OPTIONS_INIT. */
typedef struct xta_amee_options {
    size_t struct_size; /**< sizeof(xta_amee_options) */
    int radius;         /**< r: windows are 2 r + 1 pixels wide; 1 to 15; 0: 1 */
    int iterations;     /**< I, 1 to 64; 0: 3 */
    /** If above `radius`: the older variant, in which the window grows from `radius` to this in
     * steps of 1 and pixels are not replaced; `iterations` is then not used. 0: not the older
     * variant. */
    int radius_last;
    /** Where the MEI of every pixel is stored: a map of f32 or f64 from xta_scene_map_open,
     * borrowed until xta_amee_free; with f32 all later steps use the rounded numbers. NULL: in the
     * memory of every member, 8 bytes for each pixel. Valid pixels that no window chose have 0,
     * pixels without an angle NaN. */
    xta_array *map;
} xta_amee_options;
#define XTA_AMEE_OPTIONS_INIT                \
    {                                        \
        sizeof(xta_amee_options), 0, 0, 0, 0 \
    }

/** MEI of a scene. Opaque. */
typedef struct xta_amee xta_amee;

/** State of an MEI computation, and what the last update did. */
typedef struct xta_amee_info {
    int radius, iterations, radius_last;
    int64_t reach;            /**< lines on either side that an MEI depends on: 2 r I */
    int64_t line_lo, line_hi; /**< lines covered; equal: none yet */
    int64_t n_lines_computed; /**< by the last update */
    bool restarted; /**< the last update started over: something other than lines had changed */
} xta_amee_info;

/** Create an MEI computation. Not collective.
 * @param[in]  options  NULL for the defaults
 * @param[out] amee     for xta_amee_free; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG  a radius or iterations out of range, or the map is not f32 or f64 with two
 *                   axes */
XTA_API XTA_MUST_CHECK xta_status xta_amee_new(const xta_amee_options *options, xta_amee **amee,
                                               xta_error *err);

/** Free; NULL is allowed. The map is left as it is. */
XTA_API void xta_amee_free(xta_amee *amee);

/** Update the MEI for a scene: computes the new lines and the 2 r I lines next to them; everything
 * at the first update or if the scene is a different one (bands, no-data values or samples have
 * changed, or lines are gone).
 *
 * **Collective** over the scene's communicator.
 *
 * @param[in]  amee   always used with the same scene, unless it is meant to start over
 * @param[in]  scene  refreshed by the caller if necessary
 * @param[out] err    why it failed; lines covered before are no longer covered: the next update
 *                    starts over
 * @retval XTA_ENOMEM the scene's memory does not hold a slab of lines with its margins (the text
 *                    says how much is needed)
 * @par Cost
 * For each pixel 2 r (2 r + 1) * 2 dot products in the first iteration and at most as many in each
 * further one (12 for a window of 3 x 3). Slabs of lines are read with 2 r I more at either side;
 * each thread holds one slab. */
XTA_API XTA_MUST_CHECK xta_status xta_amee_update(xta_amee *amee, xta_scene *scene, xta_error *err);

/** Describe an MEI computation. Not collective. Never fails. */
XTA_API xta_amee_info xta_amee_inquire(const xta_amee *amee);

/** Read the MEI of pixels. Not collective.
 * @param[in]  amee     updated
 * @param[in]  lines    [lines[0], lines[1]) of those covered
 * @param[in]  samples  [samples[0], samples[1]) of the scene
 * @param[out] mei      row-major; see xta_amee_options.map
 * @param[out] err      why it failed
 * @retval XTA_EBOX  not covered */
XTA_API XTA_MUST_CHECK xta_status xta_amee_read(xta_amee *amee, const int64_t lines[2],
                                                const int64_t samples[2], double *mei,
                                                xta_error *err);

/** Otsu's threshold: cuts a histogram so that the variance between the two classes is largest.
 *
 * Values > 0 are counted in 256 bins of equal width between 0 and the largest: bin
 * floor(256 v / max), the largest in the last. The cut after bin k is the one that maximises
 * (n m - w s)^2 / (w (n - w)), the lowest k on ties, where w of n values lie in the bins up to k
 * and their bin numbers add up to m of s; the threshold is max (k + 1) / 256. Pure, with the same
 * bits everywhere.
 *
 * @param[in] counts   number of values in each of the 256 bins
 * @param[in] max      the largest value
 * @return the threshold; 0 if there are no values, 255/256 of `max` if all are in one bin
 * @par Source
 * [OTSU79]. */
XTA_API double xta_otsu_threshold(const uint64_t counts[256], double max);

/** Pixels that may be endmembers. Start from zero; freed by xta_amee_candidates_clear. */
typedef struct xta_amee_candidates {
    size_t n;
    size_t n_above;   /**< pixels at or above the threshold; more than n if there were too many */
    double threshold; /**< Otsu's */
    int64_t *line;    /**< ordered by line, then sample */
    int64_t *sample;
    double *mei;
    size_t n_bands;
    double *spectra; /**< n x n_bands */
} xta_amee_candidates;

/** The pixels whose MEI is at or above Otsu's threshold, with their spectra.
 * **Collective** over the scene's communicator.
 * @param[in]  amee        updated with this scene
 * @param[in]  scene       the scene
 * @param[in]  most        at most this many: those with the largest MEI, on ties the lowest pixels;
 *                         0: 4096
 * @param[out] candidates  filled completely; nothing to clear on failure
 * @param[out] err         why it failed
 * @retval XTA_EARG    amee does not cover this scene: update first
 * @retval XTA_ENOMEM  their spectra do not fit into the scene's memory (the text says how many
 *                     would) */
XTA_API XTA_MUST_CHECK xta_status xta_amee_candidates_get(xta_amee *amee, xta_scene *scene,
                                                          size_t most,
                                                          xta_amee_candidates *candidates,
                                                          xta_error *err);

/** Free the contents of a list. Does nothing to a list of zeros. */
XTA_API void xta_amee_candidates_clear(xta_amee_candidates *candidates);

/** The endmembers found. Start from zero; freed by xta_amee_result_clear. */
typedef struct xta_amee_result {
    size_t p;
    size_t n_bands;
    int64_t *line, *sample; /**< the pixels, in the order of selection */
    double *mei;
    size_t *region;     /**< pixels in the region of each; 1 without regions */
    double *endmembers; /**< p x n_bands: spectra of the pixels, or means of the regions */
    size_t n_candidates;
    double threshold;
} xta_amee_result;

/** Which pixels belong to the region of a pixel. Start from XTA_REGION_MEANS_INIT. */
typedef struct xta_region_means_options {
    size_t struct_size; /**< sizeof(xta_region_means_options) */
    double angle;   /**< angle to the pixel that members of its region stay below, in radians; 0:
                         0.05 */
    int64_t radius; /**< lines and samples that a region may reach from its pixel; 0: 64 */
} xta_region_means_options;
#define XTA_REGION_MEANS_INIT                  \
    {                                          \
        sizeof(xta_region_means_options), 0, 0 \
    }

/** The means of the regions of pixels, such as those that were chosen as endmembers by any method:
 * a region holds the pixels that are connected to its pixel, through the eight neighbours of each,
 * and at a small angle to it. **Collective** over the scene's communicator.
 * @param[in]  scene    the scene
 * @param[in]  n        pixels
 * @param[in]  line     n
 * @param[in]  sample   n
 * @param[in]  options  NULL for the defaults
 * @param[out] means    n x n_bands, row-major
 * @param[out] counts   n: pixels in each region; NULL if not wanted
 * @param[out] err      why it failed
 * @retval XTA_EBOX  a pixel lies outside the scene
 * @retval XTA_EARG  a pixel is zero or not valid, or an option is below 0
 * @par Cost
 * A square of 2 radius + 1 pixels a side around each pixel is read twice. */
XTA_API XTA_MUST_CHECK xta_status xta_region_means(xta_scene *scene, size_t n, const int64_t line[],
                                                   const int64_t sample[],
                                                   const xta_region_means_options *options,
                                                   double *means, size_t counts[], xta_error *err);

/** How endmembers are chosen. Start from XTA_AMEE_SELECT_INIT. */
typedef struct xta_amee_select_options {
    size_t struct_size; /**< sizeof(xta_amee_select_options) */
    size_t most;        /**< candidates; as for xta_amee_candidates_get */
    bool regions;       /**< return the means of regions: see xta_region_means */
    double region_angle;
    int64_t region_radius;
} xta_amee_select_options;
#define XTA_AMEE_SELECT_INIT                            \
    {                                                   \
        sizeof(xta_amee_select_options), 0, false, 0, 0 \
    }

/** Choose p endmembers: the corners of the largest simplex among the candidates above Otsu's
 * threshold (greedy growing, then sweeps of N-FINDR in the full band space, xta/endmembers.h); with
 * `regions`, the mean of the 8-connected region of similar pixels around each. **Collective** over
 * the scene's communicator.
 * @param[in]  amee     updated with this scene
 * @param[in]  scene    the scene
 * @param[in]  p        how many, >= 1
 * @param[in]  options  NULL for the defaults
 * @param[out] result   filled completely; nothing to clear on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG  fewer candidates than p, or they span fewer dimensions (the text says how
 *                   many) */
XTA_API XTA_MUST_CHECK xta_status xta_amee_select(xta_amee *amee, xta_scene *scene, size_t p,
                                                  const xta_amee_select_options *options,
                                                  xta_amee_result *result, xta_error *err);

/** Free the contents of a result. Does nothing to a result of zeros. */
XTA_API void xta_amee_result_clear(xta_amee_result *result);

#ifdef __cplusplus
}
#endif
#endif
