/* Numbers for each pixel of a scene: components, abundances and labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_MAPPING_H
#define XTA_PYTHON_HYPER_MAPPING_H

#include "support/common.h"

/* Each result is an array of a path, which must be new and of which None is returned, or memory:
 * (code, bounds, bytearray). After a failure there is no new array.
 *
 * project(scene, basis, path or None, type) -> components
 * unmix(scene, endmembers, n, names or None, method, normalise, path or None, type, path of the
 * residual, "" in memory or None) -> (abundances, residual)
 * label(scene, endmembers, n, names or None, method, normalise, path or None, path of the angles,
 * "" in memory or None) -> (labels, angles); method: of xta_unmix_method; -1: the smallest angle */
PyObject *mapping_project(PyObject *module, PyObject *args);
PyObject *mapping_unmix(PyObject *module, PyObject *args);
PyObject *mapping_label(PyObject *module, PyObject *args);

#endif
