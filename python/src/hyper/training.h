/* Classifiers that are trained on labelled pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_TRAINING_H
#define XTA_PYTHON_HYPER_TRAINING_H

#include "support/common.h"

/* classify(scene, truth, lines and samples that it is shifted by or None: by the corner of the
 * scene, method, train, components, full, seed, equal_priors, path or None) -> (labels, accuracy of
 * scoring.h, number of pixels that it was trained on).
 *
 * truth: as the source of reduction_run; labels: as the results of mapping.h. */
PyObject *training_run(PyObject *module, PyObject *args);

#endif
