/** @file
 * Moments of the pixels of a scene, and what follows from them alone: principal components, minimum
 * noise fraction, how many endmembers there may be, and projection on a basis. Library
 * libxta_hyper.
 *
 * Bringing moments up to date with a grown scene costs only the new lines, and gives the same bits
 * as computing them all at once, whatever the number of processes and threads. Bases and counts are
 * functions of the moments. *Projections* on a basis cannot be kept exact at that cost: every new
 * pixel changes the basis. So a basis is a separate object, which can be written to a file and does
 * not change (is frozen) while the scene grows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_MOMENTS_H
#define XTA_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- moments ---- */

/** Number, sums and sums of products of the valid pixels of a scene. Opaque. */
typedef struct xta_moments xta_moments;

/** Which moments to compute. Start from XTA_MOMENTS_OPTIONS_INIT. */
typedef struct xta_moments_options {
    size_t struct_size; /**< sizeof(xta_moments_options) */
    bool noise;         /**< also those of the differences between neighbours in a line, which
                           xta_mnf needs; twice the work */
} xta_moments_options;
#define XTA_MOMENTS_OPTIONS_INIT           \
    {                                      \
        sizeof(xta_moments_options), false \
    }

/** State of the moments, and what the last update did. */
typedef struct xta_moments_info {
    size_t n_bands;           /**< bands in use; 0 before the first update */
    uint64_t n_pixels;        /**< valid pixels */
    uint64_t n_differences;   /**< pairs of valid neighbours; 0 without `noise` */
    bool noise;               /**< whether moments of the differences are computed */
    int64_t line_lo, line_hi; /**< lines covered; equal: none */
    int64_t n_lines_read;     /**< by the last update */
    bool restarted;           /**< the last update started over: something other than lines
                                   changed */
} xta_moments_info;

/** Create moments. Not collective.
 * @param[in]  options  NULL for the defaults
 * @param[out] moments  for xta_moments_free; NULL on failure
 * @param[out] err      why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_moments_new(const xta_moments_options *options,
                                                  xta_moments **moments, xta_error *err);

/** Free; NULL is allowed. Not collective. */
XTA_API void xta_moments_free(xta_moments *moments);

/** Bring the moments up to date with a scene: reads the new lines, and the strips of 32 lines at
 * the ends that were not complete before; everything the first time, or if the scene is a different
 * one (bands, no-data values or samples have changed, or lines are gone).
 *
 * **Collective** over the scene's communicator.
 *
 * @param[in]  moments  always used with the same scene, unless they are meant to start over
 * @param[in]  scene    refreshed by the caller if necessary
 * @param[out] err      why it failed; the moments are then unchanged
 * @retval XTA_ENOMEM   the scene's memory does not hold the matrices (the text says how much is
 *                      needed)
 * @par Cost
 * One pass over the new lines; n_bands^2 multiplications and additions for each pixel, twice that
 * with `noise`. Memory: about 4 n_bands^2 bytes (8 with noise) for each doubling of the number of
 * strips. */
XTA_API XTA_MUST_CHECK xta_status xta_moments_update(xta_moments *moments, xta_scene *scene,
                                                     xta_error *err);

/** Describe the moments. Not collective. Never fails. */
XTA_API xta_moments_info xta_moments_inquire(const xta_moments *moments);

/** Mean spectrum. Not collective, like all functions below that do not say otherwise.
 * @param[in]  moments  updated
 * @param[out] mean     n_bands numbers
 * @param[out] err      why it failed
 * @retval XTA_EARG     there is no valid pixel */
XTA_API XTA_MUST_CHECK xta_status xta_moments_mean(const xta_moments *moments, double *mean,
                                                   xta_error *err);

/** Covariance, divided by n - 1.
 * @param[in]  moments     updated
 * @param[out] covariance  n_bands x n_bands, exactly symmetric
 * @param[out] err         why it failed
 * @retval XTA_EARG        there are fewer than 2 valid pixels */
XTA_API XTA_MUST_CHECK xta_status xta_moments_covariance(const xta_moments *moments,
                                                         double *covariance, xta_error *err);

/** Correlation about the origin: the mean of x x^T. (Not Pearson's.)
 * @param[in]  moments      updated
 * @param[out] correlation  n_bands x n_bands, exactly symmetric
 * @param[out] err          why it failed
 * @retval XTA_EARG         there is no valid pixel */
XTA_API XTA_MUST_CHECK xta_status xta_moments_correlation(const xta_moments *moments,
                                                          double *correlation, xta_error *err);

/** Covariance of the noise: half that of the differences between pixels and their right neighbours.
 * @param[in]  moments  updated, with `noise`
 * @param[out] noise    n_bands x n_bands, exactly symmetric
 * @param[out] err      why it failed
 * @retval XTA_EARG     without `noise`, or fewer than 2 differences */
XTA_API XTA_MUST_CHECK xta_status xta_moments_noise(const xta_moments *moments, double *noise,
                                                    xta_error *err);

/* ---- how many endmembers ---- */

/** Harsanyi, Farrand and Chang: how many eigenvalues of the correlation about the origin differ
 * from those of the covariance by more than chance. A hint, often far too high: choosing p remains
 * your decision.
 * @param[in]  moments  updated
 * @param[in]  p_false  probability of a false alarm, above 0 and below 1; 1e-3 is usual
 * @param[out] n        0 to n_bands
 * @param[out] err      why it failed
 * @retval XTA_EARG     p_false is out of range, or fewer than 2 valid pixels
 * @par Source
 * [HARSANYI93]. */
XTA_API XTA_MUST_CHECK xta_status xta_count_hfc(const xta_moments *moments, double p_false,
                                                size_t *n, xta_error *err);

/** HySime: the dimension of the subspace that holds more signal than noise, where the noise of a
 * band is what the other bands do not explain. Needs no second pass, since that noise is linear in
 * the pixels. A hint, like xta_count_hfc.
 * @param[in]  moments  updated
 * @param[out] n        0 to n_bands
 * @param[out] err      why it failed
 * @retval XTA_EARG     there is no valid pixel
 * @par Source
 * [BIOUCAS08]. */
XTA_API XTA_MUST_CHECK xta_status xta_count_hysime(const xta_moments *moments, size_t *n,
                                                   xta_error *err);

/* ---- bases ---- */

/** A frozen basis: a mean and vectors to project on. Opaque; never changes. */
typedef struct xta_basis xta_basis;

/** Description of a basis. Pointers are valid until the basis is freed. */
typedef struct xta_basis_info {
    const char *name;          /**< name given to it */
    const char *kind;          /**< "pct", "pct-uncentred" or "mnf" */
    size_t n_bands;            /**< length of a vector */
    size_t n_components;       /**< number of vectors, 1 to n_bands */
    const int64_t *band;       /**< band coordinates in the array, n_bands */
    const double *mean;        /**< subtracted from a pixel first; zeros for an uncentred basis */
    const double *vectors;     /**< n_components x n_bands, row-major; the component of largest
                                  magnitude is positive, the lowest on ties */
    const double *eigenvalues; /**< all n_bands of them, descending: variances, or variances
                                    relative to the noise */
} xta_basis_info;

/** How to make a basis. Start from XTA_BASIS_OPTIONS_INIT. */
typedef struct xta_basis_options {
    size_t struct_size;  /**< sizeof(xta_basis_options) */
    const char *name;    /**< 1 to 63 bytes; NULL: its kind */
    size_t n_components; /**< 0: all */
    bool uncentred;      /**< principal components about the origin, of the correlation: angles
                            between spectra survive; no effect on xta_mnf */
} xta_basis_options;
#define XTA_BASIS_OPTIONS_INIT                 \
    {                                          \
        sizeof(xta_basis_options), 0, 0, false \
    }

/** Principal components: orthonormal, by descending variance.
 * @param[in]  moments  updated
 * @param[in]  options  NULL for the defaults
 * @param[out] basis    for xta_basis_free; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG     more components than bands, or too few valid pixels
 * @par Cost
 * n_bands^3. @par Source [CXA] 9.3.1; docs/ERRATA.md on Algorithm 8. */
XTA_API XTA_MUST_CHECK xta_status xta_pct(const xta_moments *moments,
                                          const xta_basis_options *options, xta_basis **basis,
                                          xta_error *err);

/** Minimum noise fraction: components whose noise has variance 1 and is not correlated, by
 * descending variance. 1e-9 of the mean noise variance is added to each band's, so that bands
 * without noise do no harm.
 * @param[in]  moments  updated, with `noise`
 * @param[in]  options  NULL for the defaults
 * @param[out] basis    for xta_basis_free; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG     as xta_pct; without `noise`; or no band has any noise
 * @par Source
 * [GREEN88]. */
XTA_API XTA_MUST_CHECK xta_status xta_mnf(const xta_moments *moments,
                                          const xta_basis_options *options, xta_basis **basis,
                                          xta_error *err);

/** Free; NULL is allowed. */
XTA_API void xta_basis_free(xta_basis *basis);

/** Describe a basis. Never fails. */
XTA_API xta_basis_info xta_basis_inquire(const xta_basis *basis);

/** Write a basis to a file, which appears complete or not at all. Every member of a communicator
 * that calls this writes the file, so call it on rank 0 only.
 * @param[in]  basis  any
 * @param[in]  path   replaced if it exists
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_basis_write(const xta_basis *basis, const char *path,
                                                  xta_error *err);

/** Read a basis written by xta_basis_write.
 * @param[in]  path   a file
 * @param[out] basis  for xta_basis_free, with the bits that were written; NULL on failure
 * @param[out] err    why it failed
 * @retval XTA_ENOENT   no such file
 * @retval XTA_EFORMAT  not a basis, or of another version
 * @retval XTA_ECORRUPT truncated or damaged */
XTA_API XTA_MUST_CHECK xta_status xta_basis_read(const char *path, xta_basis **basis,
                                                 xta_error *err);

/** Project pixels. Thread-safe. The last bits of a pixel may depend on how many pixels are passed.
 * @param[in]  basis   any
 * @param[in]  n       number of pixels
 * @param[in]  pixels  n x n_bands
 * @param[out] scores  n x n_components */
XTA_API void xta_basis_apply(const xta_basis *basis, size_t n, const double *pixels,
                             double *scores);

/** Where xta_basis_project writes. Start from XTA_BASIS_PROJECT_OPTIONS_INIT. */
typedef struct xta_basis_project_options {
    size_t struct_size;   /**< sizeof(xta_basis_project_options) */
    bool components_last; /**< the array's axes are line, sample, component; else component, line,
                             sample (as xta_scene_map_open makes them) */
    const int64_t *lines; /**< only lines [lines[0], lines[1]); NULL: all */
} xta_basis_project_options;
#define XTA_BASIS_PROJECT_OPTIONS_INIT              \
    {                                               \
        sizeof(xta_basis_project_options), false, 0 \
    }

/** Project a scene into an array: NaN where a pixel is not valid. Each cell is written by one
 * member of the communicator, so an array in memory gets only that member's cells.
 *
 * **Collective** over the scene's communicator, each member with a writable handle of its own.
 *
 * @param[in]  basis    for the bands that the scene uses
 * @param[in]  scene    the scene
 * @param[in]  options  NULL for the defaults
 * @param[in]  out      floating-point cells; bounds contain the scene's lines and samples, and the
 *                      components from its lowest coordinate on
 * @param[out] err      why it failed; each cell is then old or new
 * @retval XTA_EARG   the bands are not those of the basis, or `out` does not fit (the text says
 *                    how)
 * @retval XTA_ETYPE  the cells of `out` are not of a floating type
 * @par Cost
 * One pass; n_bands * n_components multiplications and additions for each pixel. */
XTA_API XTA_MUST_CHECK xta_status xta_basis_project(const xta_basis *basis, xta_scene *scene,
                                                    const xta_basis_project_options *options,
                                                    xta_array *out, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
