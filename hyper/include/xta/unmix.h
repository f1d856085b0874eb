/** @file
 * How much of each endmember is in a pixel: abundances by least squares, unconstrained or
 * non-negative, with or without a sum of one; and labels by the smallest angle and by the largest
 * abundance. Library libxta_hyper.
 *
 * A pixel x is modelled as a sum of p spectra, sum_i a_i e_i. All methods minimise |x - sum_i a_i
 * e_i|^2, exactly; the four methods differ in their constraints on a:
 *
 * | method    | a_i >= 0 | sum a_i = 1 | how |
 * |-----------|----------|-------------|-----|
 * | XTA_UCLS  | no       | no          | QR of the endmembers |
 * | XTA_SCLS  | no       | yes         | the same in their plane |
 * | XTA_NNLS  | yes      | no          | active set |
 * | XTA_FCLS  | yes      | yes         | active set, in the plane of its members |
 *
 * An endmember that was dropped re-enters when the Kuhn-Tucker conditions require it, so the
 * result is the minimum, not the point where an elimination happened to end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_UNMIX_H
#define XTA_UNMIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The largest number of endmembers that can be unmixed at once. */
#define XTA_UNMIX_MAX 256

typedef enum xta_unmix_method {
    XTA_FCLS = 0,
    XTA_NNLS = 1,
    XTA_SCLS = 2,
    XTA_UCLS = 3
} xta_unmix_method;

/** How to unmix. Start from XTA_UNMIX_OPTIONS_INIT. */
typedef struct xta_unmix_options {
    size_t struct_size; /**< sizeof(xta_unmix_options) */
    xta_unmix_method method;
    /** Unmix x / |x| with e_i / |e_i|: the shape of the spectra counts, and not their brightness.
     * Pixels that are zero have no abundances then. */
    bool normalise;
    const char *const *names; /**< of the endmembers, for messages; NULL: numbered from 1 */
} xta_unmix_options;
#define XTA_UNMIX_OPTIONS_INIT                        \
    {                                                 \
        sizeof(xta_unmix_options), XTA_FCLS, false, 0 \
    }

/** Endmembers prepared for unmixing. Immutable, so any number of threads may use one. */
typedef struct xta_unmixer xta_unmixer;

/** "fcls", "nnls", "scls", "ucls"; "?" for no method. Static memory. Thread-safe. */
XTA_API const char *xta_unmix_method_name(xta_unmix_method method);

/** The method with a name.
 * @param[in]  name    zero-terminated
 * @param[out] method  untouched on failure
 * @param[out] err     why it failed
 * @retval XTA_EARG  no such name; the text lists the names */
XTA_API XTA_MUST_CHECK xta_status xta_unmix_method_parse(const char *name, xta_unmix_method *method,
                                                         xta_error *err);

/** Prepare endmembers for unmixing.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  p           endmembers, 1 to XTA_UNMIX_MAX
 * @param[in]  n_bands     bands, >= 1
 * @param[in]  endmembers  p x n_bands, row-major; copied
 * @param[in]  options     NULL: FCLS without normalising
 * @param[out] unmixer     for xta_unmixer_free; NULL on failure
 * @param[out] err         why it failed
 * @retval XTA_EARG  the abundances would not be unique: two endmembers coincide (the text names
 *                   both), one is zero or not finite, or one is a combination of the others (the
 *                   text names it). Methods with a sum of one need points that span p - 1
 *                   dimensions (so p <= n_bands + 1, and a zero spectrum is allowed), the others p
 *                   independent spectra. A distance of less than 1e-10 of the largest counts as
 *                   dependent */
XTA_API XTA_MUST_CHECK xta_status xta_unmixer_new(size_t p, size_t n_bands,
                                                  const double *endmembers,
                                                  const xta_unmix_options *options,
                                                  xta_unmixer **unmixer, xta_error *err);

/** Free prepared endmembers; NULL is allowed. */
XTA_API void xta_unmixer_free(xta_unmixer *unmixer);

/** Number of endmembers. Never fails. */
XTA_API size_t xta_unmixer_count(const xta_unmixer *unmixer);

/** Unmix pixels in memory.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  unmixer     endmembers
 * @param[in]  n           pixels
 * @param[in]  pixels      n x n_bands, row-major
 * @param[out] abundances  n x p, row-major; NaN for pixels that are not finite, or have no
 *                         direction where one is needed
 * @param[out] residual    n: root of the mean over the bands of (x - sum a_i e_i)^2, of what was
 *                         unmixed (so of x / |x| if normalised); NULL if not wanted
 * @param[out] err         why it failed
 * @retval XTA_ENOMEM  no memory; the outputs are unspecified
 * @par Cost
 * 2 n p n_bands operations in BLAS (twice that with `residual`) and a few steps of p^2 for each
 * pixel: everything that depends only on which endmembers are active is computed once for each such
 * set.
 * @par Source
 * [HEINZ01] for the problem; active sets with re-entry are [LAWSON74]. */
XTA_API XTA_MUST_CHECK xta_status xta_unmix_pixels(const xta_unmixer *unmixer, size_t n,
                                                   const double *pixels, double *abundances,
                                                   double *residual, xta_error *err);

/** Where the results for a scene are written. Each may be NULL. The arrays are like those that
 * xta_scene_map_open makes; under a communicator each member has its own handle of the same file,
 * and a memory array holds only what its member has computed. */
typedef struct xta_unmix_maps {
    size_t struct_size;    /**< sizeof(xta_unmix_maps) */
    xta_array *abundances; /**< p layers, f32 or f64; NaN for pixels without abundances */
    xta_array *residual;   /**< as for xta_unmix_pixels, f32 or f64 */
    xta_array *labels;     /**< whole numbers: 1 + the endmember of the largest abundance, the first
                              on ties; 0 for pixels that are not valid, are zero, or have no
                              abundance above 0 */
} xta_unmix_maps;
#define XTA_UNMIX_MAPS_INIT             \
    {                                   \
        sizeof(xta_unmix_maps), 0, 0, 0 \
    }

/** Unmix lines of a scene. The cells written do not depend on which lines are requested together,
 * on threads or on the communicator.
 *
 * **Collective** over the scene's communicator.
 *
 * @param[in]  scene    n_bands as the endmembers
 * @param[in]  lines    [lines[0], lines[1]) within the scene; NULL: all
 * @param[in]  unmixer  endmembers
 * @param[in]  maps     writable arrays that contain the requested lines
 * @param[out] err      why it failed
 * @retval XTA_EARG   bands or layers do not fit the endmembers, no such lines, or a map is too
 *                    small
 * @par Cost
 * The lines are read once. Each thread uses memory for a tile and for its stored sets of active
 * endmembers, at most a quarter of the scene's memory. */
XTA_API XTA_MUST_CHECK xta_status xta_unmix_scene(xta_scene *scene, const int64_t lines[2],
                                                  const xta_unmixer *unmixer,
                                                  const xta_unmix_maps *maps, xta_error *err);

/** Label pixels in memory by the endmember at the smallest angle.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  p           endmembers, 1 to 65535
 * @param[in]  n_bands     bands, >= 1
 * @param[in]  endmembers  p x n_bands, none zero
 * @param[in]  n           pixels
 * @param[in]  pixels      n x n_bands
 * @param[out] labels      n: 1 + the nearest endmember, the first on ties; 0 for pixels that are
 *                         zero or not finite
 * @param[out] angles      n: the angle in radians, NaN where the label is 0; NULL if not wanted
 * @param[out] err         why it failed
 * @retval XTA_EARG  an endmember is zero or not finite (the text names it) */
XTA_API XTA_MUST_CHECK xta_status xta_label_pixels(size_t p, size_t n_bands,
                                                   const double *endmembers, size_t n,
                                                   const double *pixels, uint16_t *labels,
                                                   double *angles, xta_error *err);

/** Label lines of a scene by the smallest angle. **Collective** over the scene's communicator.
 * @param[in]  scene       the scene
 * @param[in]  lines       as for xta_unmix_scene
 * @param[in]  p           endmembers, 1 to 65535
 * @param[in]  endmembers  p x n_bands of the scene
 * @param[in]  labels      a map of whole numbers that hold p, as for xta_unmix_maps; 0 also for
 *                         pixels that are not valid
 * @param[in]  angles      a map, f32 or f64; NULL if not wanted
 * @param[out] err         why it failed; as for xta_label_pixels and xta_unmix_scene */
XTA_API XTA_MUST_CHECK xta_status xta_label_scene(xta_scene *scene, const int64_t lines[2],
                                                  size_t p, const double *endmembers,
                                                  xta_array *labels, xta_array *angles,
                                                  xta_error *err);

/** The label of abundances: 1 + the largest, the first on ties; 0 if none is above 0 or they are
 * NaN. Pure. */
XTA_API size_t xta_label_of_abundances(size_t p, const double *abundances);

#ifdef __cplusplus
}
#endif
#endif
