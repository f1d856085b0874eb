/* The internals of a classifier: a basis, discriminants in its components, and the pixels that it
 * was trained on.
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
    uint64_t key; /* random; a class is trained on its pixels with the lowest keys */
    int32_t class_number;
    int32_t unused;
} labelled_pixel;

struct xta_classifier {
    size_t n_bands, n_components;
    int64_t *band;   /* n_bands: the bands it was trained with */
    double *vectors; /* n_components x n_bands; NULL: the bands themselves */
    discriminant model;
    int32_t *class_number;   /* of each class of the model, ascending */
    labelled_pixel *trained; /* ordered by line, then sample */
    size_t n_trained;
};

/* Components of a tile: TILE_PIXELS x n_components, always by a product of one shape. The mean is
 * not subtracted, as discriminants do not change under a shift. */
void xta__classifier_features(const xta_classifier *c, const double *x, double *features);

/* The index of a pixel among those trained on; n_trained if it is not one of them. */
size_t xta__classifier_find(const xta_classifier *c, int64_t line, int64_t sample);

#endif
