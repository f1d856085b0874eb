/* Moments of a scene, and bases as capsules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_BASIS_OBJECT_H
#define XTA_PYTHON_HYPER_BASIS_OBJECT_H

#include <xta/moments.h>

#include "support/common.h"

/* moments(scene, noise) -> (n_pixels, mean, covariance, correlation, noise or None), float64 in
 * bytearrays. */
PyObject *moments_run(PyObject *module, PyObject *args);

/* count(scene, p_false) -> (by HFC, by HySime) */
PyObject *count_run(PyObject *module, PyObject *args);

/* make_basis(scene, mnf, components, uncentred), read_basis(path) -> capsule */
PyObject *basis_make(PyObject *module, PyObject *args);
PyObject *basis_read(PyObject *module, PyObject *path);

/* write_basis(capsule, path) */
PyObject *basis_write(PyObject *module, PyObject *args);

/* inquire_basis(capsule) -> (kind, n_components, n_bands, bands, mean, vectors, eigenvalues) */
PyObject *basis_inquire(PyObject *module, PyObject *capsule);

/* The basis of a capsule; NULL with an exception. */
xta_basis *basis_of(PyObject *capsule);

#endif
