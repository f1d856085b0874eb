/** @file
 * How good a result is: spectral angles, one-to-one assignment, errors of abundances and of the
 * reconstruction, confusion matrices and the measures computed from them. Library libxta_hyper.
 *
 * Everything here works on plain memory, is not collective, is thread-safe for different objects
 * and adds in a fixed order, so that equal inputs give equal bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SCORE_H
#define XTA_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The angle between two spectra in radians, 0 to pi: acos of the cosine clamped to [-1, 1].
 * NaN if either is zero everywhere (it has no direction) or holds NaN. Never fails. */
XTA_API double xta_spectral_angle(const double *a, const double *b, size_t n_bands);

/** The assignment of rows to columns, one to one, of least total cost (Hungarian method with
 * potentials). With more rows than columns, some rows get no column, and vice versa.
 * @param[in]  n_rows     at least 1
 * @param[in]  n_columns  at least 1
 * @param[in]  cost       n_rows x n_columns, row-major, finite
 * @param[out] column_of  n_rows: the column of each row, -1 for none
 * @param[out] err        why it failed
 * @retval XTA_EARG    a cost is not finite (the text names row and column)
 * @par Cost
 * O(m^2 M) time for m = min and M = max of rows and columns; O(m M) memory.
 * @par Source
 * [KUHN55] in the form of successive shortest paths. */
XTA_API XTA_MUST_CHECK xta_status xta_assign(size_t n_rows, size_t n_columns, const double *cost,
                                             int64_t *column_of, xta_error *err);

/** Endmembers against references. */
typedef struct xta_endmember_score {
    size_t n_references;
    int64_t *endmember_of; /**< n_references: the endmember of each reference, -1 for none */
    double *angle;         /**< n_references: SAD in radians; NaN where there is none */
    double mean, max;      /**< over the references that have one */
} xta_endmember_score;

/** Match endmembers to references one to one by the least sum of angles.
 * @param[in]  n_endmembers  rows of `endmembers`
 * @param[in]  endmembers    n_endmembers x n_bands
 * @param[in]  n_references  rows of `references`
 * @param[in]  references    n_references x n_bands
 * @param[in]  n_bands       of both
 * @param[out] score         for xta_endmember_score_clear
 * @param[out] err           why it failed
 * @retval XTA_EARG  a spectrum is zero or not finite (the text names which) */
XTA_API XTA_MUST_CHECK xta_status xta_score_endmembers(size_t n_endmembers,
                                                       const double *endmembers,
                                                       size_t n_references,
                                                       const double *references, size_t n_bands,
                                                       xta_endmember_score *score, xta_error *err);

/** Free the contents of a score; does nothing to zeros. */
XTA_API void xta_endmember_score_clear(xta_endmember_score *score);

/** A root mean square that is accumulated block by block; start from zeros. */
typedef struct xta_rms {
    double sum; /**< of squares */
    uint64_t n;
} xta_rms;

/** Add the squares of n differences. Pairs with a NaN are left out. Never fails. */
XTA_API void xta_rms_add(xta_rms *rms, const double *a, const double *b, size_t n);

/** sqrt(sum / n); NaN if nothing was added. aRMSE is this over the abundances of all pixels and
 * matched endmembers, rRMSE over the cells of the scene and of its reconstruction. */
XTA_API double xta_rms_value(const xta_rms *rms);

/** Counts of (true class, label given). Opaque. Pixels whose class is 0 are not labelled and are
 * left out; the label 0 means that none was given, and counts as wrong. */
typedef struct xta_confusion xta_confusion;

/** Create an empty confusion matrix.
 * @param[out] confusion  for xta_confusion_free; NULL on failure
 * @param[out] err        why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_confusion_new(xta_confusion **confusion, xta_error *err);
XTA_API void xta_confusion_free(xta_confusion *confusion);

/** Count pixels.
 * @param[in]  confusion  the counts
 * @param[in]  truth      n classes, 0 for not labelled
 * @param[in]  labels     n labels, 0 for none
 * @param[in]  n          pixels
 * @param[out] err        why it failed
 * @retval XTA_ERANGE  a class or label below 0 or above 65535 */
XTA_API XTA_MUST_CHECK xta_status xta_confusion_add(xta_confusion *confusion, const int32_t *truth,
                                                    const int32_t *labels, size_t n,
                                                    xta_error *err);

/** How labels are matched to classes. */
typedef enum xta_matching {
    XTA_MATCH_ONE_TO_ONE = 0, /**< the assignment with the most correct pixels (labels left over
                                   belong to no class and count as wrong) */
    XTA_MATCH_SAME = 1        /**< label k is class k: supervised results */
} xta_matching;

/** Measures computed from a confusion matrix. Classes ascend by their number in the truth. */
typedef struct xta_accuracy {
    size_t n_classes;
    int32_t *class_number; /**< n_classes */
    int32_t *label_of;     /**< n_classes: the label matched to it, -1 for none */
    uint64_t *counts;      /**< n_classes x (n_classes + 1): row by class, column by class of the
                              label; the last column: labels of no class, and pixels without a
                              label */
    double *producer;      /**< n_classes: correct / pixels of the class */
    double *user; /**< n_classes: correct / pixels given this label; NaN if there are none */
    uint64_t n;   /**< labelled pixels */
    uint64_t correct;
    double overall;    /**< OA: correct / n */
    double average;    /**< AA: mean of the producer accuracies */
    double kappa;      /**< (OA - pe) / (1 - pe), pe = sum row * column / n^2; NaN if pe is 1 */
    double class_size; /**< the score of [CXA] 9.4: 1 - sum |n_c - g_c| / sum g_c; may be negative.
                            **Ignores where the pixels are**: labels distributed at random over
                            the scene in the right numbers score 1 */
    double class_overlap; /**< sum min(n_c, g_c) / sum g_c; also ignores where the pixels are */
} xta_accuracy;

/** Compute the measures of a confusion matrix.
 * @param[in]  confusion  the counts
 * @param[in]  matching   how labels are matched to classes
 * @param[out] accuracy   for xta_accuracy_clear
 * @param[out] err        why it failed
 * @retval XTA_EARG  there is no labelled pixel
 * @par Source
 * Kappa: [COHEN60]. Class-size score: [CXA] Tables 9.4 and 9.5; see docs/ERRATA.md. */
XTA_API XTA_MUST_CHECK xta_status xta_confusion_read(const xta_confusion *confusion,
                                                     xta_matching matching, xta_accuracy *accuracy,
                                                     xta_error *err);

/** Free the contents of an accuracy; does nothing to zeros. */
XTA_API void xta_accuracy_clear(xta_accuracy *accuracy);

/** The sentence that must accompany the class-size score. Static memory. */
XTA_API const char *xta_class_size_caveat(void);

/** The class-size score alone, from sizes of classes: [CXA] Tables 9.4 and 9.5 as arithmetic.
 * @param[in] n_classes  of both
 * @param[in] found      pixels given each label
 * @param[in] truth      pixels of each class
 * @param[in] total      the divisor; 0: sum of `truth`
 * @return 1 - sum |found - truth| / total; NaN if the total is 0 */
XTA_API double xta_class_size_score(size_t n_classes, const int64_t *found, const int64_t *truth,
                                    int64_t total);

#ifdef __cplusplus
}
#endif
#endif
