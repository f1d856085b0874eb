/** @file
 * Supervised classes: linear discriminant analysis and Gaussian maximum likelihood on components of
 * a scene, with a split into training pixels and pixels to score. Library libxta_hyper.
 *
 * Unsupervised labels, by angle and by abundance, are in xta/unmix.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_CLASSIFY_H
#define XTA_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>
#include <xta/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Classes of pixels: an array of whole numbers with a line and a sample axis (others of length 1
 * are ignored). Its cell at (line - line_shift, sample - sample_shift) belongs to the scene's pixel
 * (line, sample); pixels outside it are not labelled. */
typedef struct xta_label_map {
    xta_array *array; /**< borrowed */
    int64_t line_shift, sample_shift;
} xta_label_map;

/** Read classes. Not collective; thread-safe as xta_array_read.
 * @param[in]  map      the map
 * @param[in]  lines    [lo, hi) in the scene's coordinates, may extend beyond the map
 * @param[in]  samples  [lo, hi) likewise
 * @param[out] classes  row-major; 0 outside the map
 * @param[out] err      why it failed
 * @retval XTA_EARG    the array does not have (at most) two axes longer than 1 cell
 * @retval XTA_ERANGE  a class below 0 or above 65535 */
XTA_API XTA_MUST_CHECK xta_status xta_label_map_read(const xta_label_map *map,
                                                     const int64_t lines[2],
                                                     const int64_t samples[2], int32_t *classes,
                                                     xta_error *err);

typedef enum xta_classifier_method {
    XTA_LDA = 0,        /**< one covariance for all classes: linear discriminants */
    XTA_GAUSSIAN_ML = 1 /**< a covariance for each class that has more training pixels than
                           components + 1, else the common one: quadratic discriminants */
} xta_classifier_method;

/** How to train. Start from XTA_CLASSIFIER_OPTIONS_INIT. */
typedef struct xta_classifier_options {
    size_t struct_size; /**< sizeof(xta_classifier_options) */
    xta_classifier_method method;
    double train;        /**< share of each class' pixels to train on, 0 < train < 1; 0: 0.1 */
    size_t n_components; /**< first components of the PCT of the whole scene; 0: 30, or all bands if
                            there are fewer */
    bool full_band;      /**< use the bands themselves instead of components */
    uint64_t seed;       /**< of the split */
    bool equal_priors;   /**< give all classes the same prior; false: their shares of the training
                              pixels */
} xta_classifier_options;
#define XTA_CLASSIFIER_OPTIONS_INIT                                    \
    {                                                                  \
        sizeof(xta_classifier_options), XTA_LDA, 0, 0, false, 0, false \
    }

/** A trained classifier. Opaque. */
typedef struct xta_classifier xta_classifier;

/** Train on some of the labelled pixels: of each class the ceil(train * n) pixels with the lowest
 * random keys (at least 1, and at least one is left to be scored). Keys are a function of seed,
 * line and sample only.
 *
 * **Collective** over the scene's communicator; the same bits for any communicator and number of
 * threads.
 * @param[in]  scene       the scene
 * @param[in]  truth       classes
 * @param[in]  options     NULL for the defaults
 * @param[out] classifier  for xta_classifier_free; NULL on failure
 * @param[out] err         why it failed
 * @retval XTA_EARG    an option out of range; fewer than two classes; a class with a single pixel
 * @retval XTA_ENOMEM  the training pixels exceed the memory limit (the text says how much is
 *                     needed)
 * @par Cost
 * One pass over the scene for the components, one over the labelled tiles, memory for the training
 * pixels' components; D^3 for each class.
 * @par Source
 * [FISHER36]; Gaussian discriminants as in any textbook. A ridge of 1e-9 of the mean variance keeps
 * constant components harmless. */
XTA_API XTA_MUST_CHECK xta_status xta_classifier_train(xta_scene *scene, const xta_label_map *truth,
                                                       const xta_classifier_options *options,
                                                       xta_classifier **classifier, xta_error *err);

/** Label every pixel, and score the labelled ones that were not trained on.
 *
 * **Collective** over the scene's communicator; each tile is written by the member that owns it.
 * @param[in]  classifier  trained
 * @param[in]  scene       with the same bands
 * @param[in]  labels      array of whole numbers (line, sample) that contains the scene's pixels,
 *                         writable, opened by each member; pixels that are not valid get 0; NULL:
 *                         none is written
 * @param[in]  truth       what to score against; NULL: nothing
 * @param[in]  confusion   the same counts are added on every member; NULL: none
 * @param[out] err         why it failed
 * @retval XTA_EARG  other bands, or labels that do not contain the scene */
XTA_API XTA_MUST_CHECK xta_status xta_classifier_apply(const xta_classifier *classifier,
                                                       xta_scene *scene, xta_array *labels,
                                                       const xta_label_map *truth,
                                                       xta_confusion *confusion, xta_error *err);

/** Number of pixels that a classifier was trained on. */
XTA_API size_t xta_classifier_n_trained(const xta_classifier *classifier);

/** Whether a classifier was trained on a pixel. */
XTA_API bool xta_classifier_trained_on(const xta_classifier *classifier, int64_t line,
                                       int64_t sample);

/** Free; NULL is allowed. */
XTA_API void xta_classifier_free(xta_classifier *classifier);

#ifdef __cplusplus
}
#endif
#endif
