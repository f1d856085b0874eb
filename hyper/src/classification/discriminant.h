/* Discriminants of classes, on plain matrices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_CLASSIFICATION_DISCRIMINANT_H
#define XTA_HYPER_CLASSIFICATION_DISCRIMINANT_H

#include <xta/classify.h>

/* Training pixels: n rows of d components, ordered by pixel, each with the index of its class. */
typedef struct training {
    size_t n, d, n_classes;
    const double *features; /* n x d */
    const size_t *class_of; /* n, below n_classes; every class has at least one */
} training;

/* For class c: score = constant[c] + linear[c] . f                    (common covariance)
 *              score = constant[c] - |whiten[c] f - centre[c]|^2 / 2  (its own)        */
typedef struct discriminant {
    xta_classifier_method method;
    size_t d, n_classes;
    double *constant; /* n_classes */
    double *linear;   /* n_classes x d; NULL unless common */
    double *whiten;   /* n_classes x d x d, lower triangles; NULL unless own */
    double *centre;   /* n_classes x d */
} discriminant;

xta_status xta__discriminant_train(const training *t, xta_classifier_method method,
                                   bool equal_priors, discriminant *out, xta_error *err);
void xta__discriminant_clear(discriminant *d);

/* The best class of each of n rows; ties go to the lowest class. `scratch` has n * (d + n_classes)
 * doubles. Only calls with the same n give equal bits. */
void xta__discriminant_label(const discriminant *m, size_t n, const double *features,
                             double *scratch, size_t *label);

#endif
