/* Results against what is known: labels against classes, endmembers against references.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_SCORING_H
#define XTA_PYTHON_HYPER_SCORING_H

#include <xta/score.h>

#include "support/common.h"

/* score_labels(labels, truth, same): int32 in memory, as many of each -> accuracy */
PyObject *scoring_labels(PyObject *module, PyObject *args);

/* score_endmembers(endmembers, references, n_bands): float64 in memory -> (endmember of each
 * reference, or -1; int64, angles; float64, mean, largest) */
PyObject *scoring_endmembers(PyObject *module, PyObject *args);

/* {"n": ..., "overall": ..., lists in bytearrays}. NULL with an exception. */
PyObject *scoring_accuracy(const xta_accuracy *accuracy);

#endif
