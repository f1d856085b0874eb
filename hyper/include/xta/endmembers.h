/** @file
 * Endmembers: pixels of a scene that are purest, so that the others are mixtures of them. Library
 * libxta_hyper.
 *
 * Two kinds of objects live beside a scene and follow its growth:
 *
 * - `xta_ppi`, the pixel purity index: how often a pixel is an extreme of a projection on a random
 *   direction, a skewer. Pixels with high counts are candidates, not endmembers: often many of them
 *   are the same corner. Pass them to xta_candidates_select;
 * - `xta_simplex`: a selection of endmembers, by N-FINDR, SGA or VCA.
 *
 * `_update` reads what is new in the scene since the last update and does only the work that this
 * requires. The result is bit for bit that of a new object whose first update is with the grown
 * scene, for any number of threads and processes. If the scene was not merely lengthened (other
 * bands, other samples, lines removed), everything is computed again, and the work report says so.
 *
 * Selections work in the space of all bands in use unless a frozen basis is given. Ties go to the
 * lowest pixel, by line and then sample. Minimum-volume methods (for scenes without pure pixels:
 * SISAL, MVSA) are not provided.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ENDMEMBERS_H
#define XTA_ENDMEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A frozen basis; see xta/moments.h. */
typedef struct xta_basis xta_basis;

/** Endmembers found. Free with xta_endmembers_free; start from zeros. */
typedef struct xta_endmembers {
    size_t n;          /**< how many there are */
    size_t n_wanted;   /**< how many were asked for; n is less if the pixels do not span more */
    size_t n_bands;    /**< bands in use */
    double *spectra;   /**< n x n_bands, row-major, as in the scene (never in a basis) */
    int64_t *line;     /**< n */
    int64_t *sample;   /**< n */
    double *score;     /**< n: squared distance for which SGA or VCA chose it (of the first: squared
                            length), or the squared height above the others in N-FINDR's simplex */
    double log_volume; /**< natural logarithm of the volume of the simplex in the space searched;
                             0 for one endmember */
    uint64_t n_steps;  /**< selections made, each an extreme over all pixels */
    uint32_t n_sweeps; /**< of N-FINDR, over all runs; 0 for the others */
    bool converged;    /**< false: N-FINDR stopped at the bound on its sweeps */
    uint32_t best_run; /**< of N-FINDR with restarts: the run that had the largest volume */
} xta_endmembers;

/** Free the contents and make the struct empty. Zeros are allowed. Not collective. */
XTA_API void xta_endmembers_free(xta_endmembers *endmembers);

/** What the last update had to do. */
typedef struct xta_endmembers_work {
    bool from_start;     /**< no earlier result could be used */
    uint64_t lines_new;  /**< lines that were not covered before */
    uint64_t lines_read; /**< lines read by the whole communicator, each counted as often as it was
                         read */
    uint64_t steps_kept; /**< steps whose outcome the new lines did not change */
    uint64_t steps_rescanned; /**< steps done over the whole scene */
    bool kept;                /**< products with the endmembers were kept between steps; without
                                   memory for this, each step costs n times as much */
} xta_endmembers_work;

/* ---- selection of a simplex ---- */

/** How endmembers are chosen. */
typedef enum xta_simplex_method {
    /** The simplex of largest volume, by exchange: one position after the other is given the pixel
     * that makes the volume largest, until a sweep over all positions changes nothing. */
    XTA_SIMPLEX_NFINDR = 0,
    /** Greedy: the longest pixel, then always the pixel farthest from the affine hull of those
     * chosen (simplex growing). */
    XTA_SIMPLEX_SGA = 1,
    /** Greedy: the longest pixel on a random direction, then always the extreme on a random
     * direction orthogonal to the affine hull of those chosen (vertex component analysis, without
     * its reduction unless a basis is given). Depends on the seed. */
    XTA_SIMPLEX_VCA = 2
} xta_simplex_method;

/** How to select. Start from XTA_SIMPLEX_OPTIONS_INIT. */
typedef struct xta_simplex_options {
    size_t struct_size; /**< sizeof(xta_simplex_options) */
    size_t n;           /**< endmembers wanted, 1 to 1024; must be set */
    xta_simplex_method method;
    uint64_t seed;          /**< of VCA and of restarts */
    const xta_basis *basis; /**< work on components in this basis; copied; NULL: on all bands */
    uint32_t n_restarts;    /**< N-FINDR: 0 starts from SGA alone, else also from VCA with the
                               seeds seed, seed + 1, ... and keeps the run with the largest volume
                               (SGA's, then the lowest, if they agree to 1e-9); 0 to 10000 */
    uint32_t max_sweeps;    /**< N-FINDR: bound on the sweeps of one run; 0: 100 */
    bool keep_nothing;      /**< compute everything again in each step, as if memory were short;
                               the result is the same */
} xta_simplex_options;
#define XTA_SIMPLEX_OPTIONS_INIT                                              \
    {                                                                         \
        sizeof(xta_simplex_options), 0, XTA_SIMPLEX_NFINDR, 0, 0, 0, 0, false \
    }

/** A selection that follows a scene. Opaque. */
typedef struct xta_simplex xta_simplex;

/** Create a selection. Not collective, but every member of a communicator must use the same
 * options.
 * @param[in]  options  copied
 * @param[out] simplex  for xta_simplex_free; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG  no such number of endmembers, method or basis */
XTA_API XTA_MUST_CHECK xta_status xta_simplex_new(const xta_simplex_options *options,
                                                  xta_simplex **simplex, xta_error *err);

/** Bring a selection up to date with a scene.
 *
 * **Collective** over the scene's communicator. After a failure the selection is as it was before.
 *
 * Earlier steps are checked on the new lines alone; the scene is read again only from the first
 * step whose outcome they change. A step costs one pass over the scene, which is kept in memory if
 * it fits (see xta_endmembers_work): 4 or 8 bytes a cell, 2 for 16-bit cells.
 *
 * If the pixels span fewer dimensions than n - 1 (to 1e-6 of the largest distance between the first
 * endmember and a pixel) fewer endmembers are found: xta_endmembers.n says how many. Pixels that
 * are not valid are left out; pixels that are zero take part.
 *
 * @param[in]  simplex  the selection
 * @param[in]  scene    the scene; always the same array; earlier results are used only if the bands
 *                      are the same
 * @param[out] err      why it failed
 * @retval XTA_EARG    the scene has no valid pixel, or other bands than the basis
 * @retval XTA_ENOMEM  the scene's memory limit is below the minimum that this needs
 * @par Source
 * docs/HYPERSPECTRAL.md has the formulas and the cost of each step. */
XTA_API XTA_MUST_CHECK xta_status xta_simplex_update(xta_simplex *simplex, xta_scene *scene,
                                                     xta_error *err);

/** Copy the endmembers found. Not collective.
 * @param[in]  simplex     after a successful update
 * @param[out] endmembers  for xta_endmembers_free; its earlier contents are not freed
 * @param[out] err         why it failed
 * @retval XTA_EARG  there has been no update yet */
XTA_API XTA_MUST_CHECK xta_status xta_simplex_result(const xta_simplex *simplex,
                                                     xta_endmembers *endmembers, xta_error *err);

/** What the last update did. Not collective. Never fails. */
XTA_API xta_endmembers_work xta_simplex_work(const xta_simplex *simplex);

/** Free a selection. NULL is allowed. Not collective. */
XTA_API void xta_simplex_free(xta_simplex *simplex);

/** Select endmembers among candidates only: pixels with high PPI counts, or those that AMEE found.
 *
 * **Collective** over the scene's communicator; every member passes the same candidates.
 *
 * @param[in]  scene         the scene
 * @param[in]  n_candidates  how many; the order does not matter, and neither do repetitions
 * @param[in]  line          n_candidates
 * @param[in]  sample        n_candidates
 * @param[in]  options       as for xta_simplex_new
 * @param[out] endmembers    for xta_endmembers_free
 * @param[out] err           why it failed
 * @retval XTA_EARG    no candidate is a valid pixel
 * @retval XTA_EBOX    a candidate lies outside the scene
 * @retval XTA_ENOMEM  the candidates' spectra take more than the scene's memory limit
 * @par Cost
 * Reads the candidates one by one. */
XTA_API XTA_MUST_CHECK xta_status xta_candidates_select(xta_scene *scene, size_t n_candidates,
                                                        const int64_t line[],
                                                        const int64_t sample[],
                                                        const xta_simplex_options *options,
                                                        xta_endmembers *endmembers, xta_error *err);

/** Select among spectra in memory, such as means of regions. Not collective; one thread.
 * @param[in]  n_pixels   spectra
 * @param[in]  n_bands    bands of each
 * @param[in]  pixels     n_pixels x n_bands, row-major; on ties the first is chosen
 * @param[in]  options    as for xta_simplex_new, but without a basis
 * @param[out] chosen     options->n rows, of which the first *n_chosen are filled
 * @param[out] n_chosen   fewer than options->n if the spectra span fewer dimensions
 * @param[out] err        why it failed
 * @retval XTA_EARG  no spectra, or invalid options */
XTA_API XTA_MUST_CHECK xta_status xta_simplex_of_pixels(size_t n_pixels, size_t n_bands,
                                                        const double *pixels,
                                                        const xta_simplex_options *options,
                                                        size_t chosen[], size_t *n_chosen,
                                                        xta_error *err);

/* ---- the pixel purity index ---- */

/** How to count. Start from XTA_PPI_OPTIONS_INIT. */
typedef struct xta_ppi_options {
    size_t struct_size; /**< sizeof(xta_ppi_options) */
    size_t n_skewers;   /**< directions; must be set */
    uint64_t seed;      /**< of random skewers, whose entries are nearly Gaussian whole numbers: for
                             a scene of whole numbers every projection is exact */
    const double
        *skewers;     /**< n_skewers x n_dims, row-major, to use instead; copied; NULL: random */
    size_t n_dims;    /**< columns of `skewers`: bands in use, or dimensions of the basis */
    double threshold; /**< count also pixels within this distance of an extreme, in units of the
                                 cells, along the skewer scaled to length one; 0: the extreme alone,
                                 on ties the lowest pixel */
    const xta_basis *basis; /**< project components in this basis; copied; NULL: all bands */
} xta_ppi_options;
#define XTA_PPI_OPTIONS_INIT                      \
    {                                             \
        sizeof(xta_ppi_options), 0, 0, 0, 0, 0, 0 \
    }

/** Purity counts that follow a scene. Opaque. */
typedef struct xta_ppi xta_ppi;

/** A pixel that was an extreme. */
typedef struct xta_ppi_pixel {
    int64_t line;
    int64_t sample;
    uint64_t count; /**< skewers on which it is the minimum, plus those on which it is the
                         maximum */
} xta_ppi_pixel;

/** Create purity counts. Not collective, but every member of a communicator must use the same
 * options.
 * @param[in]  options  copied
 * @param[out] ppi      for xta_ppi_free; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG  no skewers, a negative threshold, skewers that do not fit the basis */
XTA_API XTA_MUST_CHECK xta_status xta_ppi_new(const xta_ppi_options *options, xta_ppi **ppi,
                                              xta_error *err);

/** Bring the counts up to date with a scene: reads the new lines only.
 * **Collective** over the scene's communicator. After a failure the counts are as they were before.
 * @param[in]  ppi    the counts
 * @param[in]  scene  the scene
 * @param[out] err    why it failed
 * @retval XTA_EARG    skewers or basis do not fit the bands of the scene
 * @retval XTA_ENOMEM  with a threshold: more pixels lie within it than the memory limit holds
 * @par Cost
 * One matrix multiplication for each tile and 256 skewers; 2 n_pixels n_skewers n_bands flops.
 */
XTA_API XTA_MUST_CHECK xta_status xta_ppi_update(xta_ppi *ppi, xta_scene *scene, xta_error *err);

/** The pixels that were an extreme at least once, by descending count, then by pixel.
 * Not collective.
 * @param[in]  ppi     after a successful update; a scene without a valid pixel has none
 * @param[out] pixels  borrowed until the next update; NULL if there are none
 * @param[out] n       how many */
XTA_API void xta_ppi_pixels(const xta_ppi *ppi, const xta_ppi_pixel **pixels, size_t *n);

/** Read a box of the image of counts.
 * Not collective. Never fails.
 * @param[in]  ppi      after a successful update
 * @param[in]  lines    [lines[0], lines[1])
 * @param[in]  samples  [samples[0], samples[1])
 * @param[out] counts   n_lines * n_samples numbers, row-major; 0 for pixels that were never an
 *                      extreme */
XTA_API void xta_ppi_image(const xta_ppi *ppi, const int64_t lines[2], const int64_t samples[2],
                           uint32_t *counts);

/** Endmembers among the pixels that were an extreme `least` times or more, by
 * xta_candidates_select. **Collective** over the scene's communicator.
 * @param[in]  ppi         after a successful update with this scene
 * @param[in]  scene       the scene
 * @param[in]  least       count of a candidate; 0 means 1
 * @param[in]  options     as for xta_simplex_new
 * @param[out] endmembers  for xta_endmembers_free; its earlier contents are not freed
 * @param[out] err         why it failed; as for xta_candidates_select */
XTA_API XTA_MUST_CHECK xta_status xta_ppi_select(const xta_ppi *ppi, xta_scene *scene,
                                                 uint64_t least, const xta_simplex_options *options,
                                                 xta_endmembers *endmembers, xta_error *err);

/** What the last update did. Not collective. Never fails. */
XTA_API xta_endmembers_work xta_ppi_work(const xta_ppi *ppi);

/** Free the counts. NULL is allowed. Not collective. */
XTA_API void xta_ppi_free(xta_ppi *ppi);

#ifdef __cplusplus
}
#endif
#endif
