/* Followers as capsules: results beside a growing scene, kept up to date.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_FOLLOWING_H
#define XTA_PYTHON_HYPER_FOLLOWING_H

#include "support/common.h"

/* follow_open(scene, folder, keep, finding, amee, results, again) -> capsule, which keeps the
 * scene.
 *
 * keep: bits XTA_FOLLOW_...
 * finding: (method, count, endmembers or None, seed, restarts, sweeps, basis or None, skewers,
 * directions or None, threshold, least); endmembers: float64 (count, bands); directions: float64
 * (skewers, dimensions)
 * amee: (radius, iterations, regions)
 * results: (labels by abundance, unmixing method, normalise, components, noise) */
PyObject *follow_open(PyObject *module, PyObject *args);

/* follow_update(capsule) -> what was done, as a dict */
PyObject *follow_update(PyObject *module, PyObject *capsule);

/* follow_endmembers(capsule) -> as of find_simplex; None: there are none */
PyObject *follow_endmembers(PyObject *module, PyObject *capsule);

/* follow_close(capsule) */
PyObject *follow_close(PyObject *module, PyObject *capsule);

#endif
