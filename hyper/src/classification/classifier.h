/* What a classifier is inside: a basis, discriminants in its components, and who was trained on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_CLASSIFICATION_CLASSIFIER_H
#define XTA_HYPER_CLASSIFICATION_CLASSIFIER_H

#include <stddef.h>
#include <stdint.h>

#include <xta/classify.h>

#include "classification/discriminant.h"

/* A labelled pixel. */
typedef struct labelled_pixel {
    int64_t line, sample;
    uint64_t key; /* random; the lowest of a class are trained on */
    int32_t class_number;
    int32_t unused;
} labelled_pixel;

struct xta_classifier {
    size_t n_bands, n_components;
    int64_t *band;   /* n_bands: what it was trained with */
    double *vectors; /* n_components x n_bands; NULL: the bands themselves */
    discriminant model;
    int32_t *class_number;   /* of each class of the model, ascending */
    labelled_pixel *trained; /* ordered by line, then sample */
    size_t n_trained;
};

/* Components of a tile: TILE_PIXELS x n_components, always by a product of one shape. The mean is
 * not taken off: discriminants do not change under a shift. */
void xta__classifier_features(const xta_classifier *c, const double *x, double *features);

/* The place of a pixel among those trained on; n_trained if it is not there. */
size_t xta__classifier_find(const xta_classifier *c, int64_t line, int64_t sample);

#endif
