/* Endmembers of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_FINDING_H
#define XTA_PYTHON_HYPER_FINDING_H

#include <xta/endmembers.h>

#include "support/common.h"

/* find_simplex(scene, method, count, seed, basis or None, restarts, sweeps, means), find_ppi(scene,
 * count, seed, basis or None, skewers, directions or None, threshold, least, means) and
 * find_amee(scene, count, radius, iterations, candidates, means) -> (n, n_bands, spectra, lines,
 * samples, scores, index or None, region sizes or None, facts).
 *
 * method: of xta_simplex_method; directions: float64 (skewers, bands); means: None or (angle,
 * radius). The lists are bytearrays of int64 and float64. */
PyObject *find_simplex(PyObject *module, PyObject *args);
PyObject *find_ppi(PyObject *module, PyObject *args);
PyObject *find_amee(PyObject *module, PyObject *args);

/* The tuple that the first two return. Takes over references to `index` and `regions`. */
PyObject *endmembers_to_python(const xta_endmembers *found, PyObject *index, PyObject *regions,
                               size_t n_candidates);

#endif
