/* A scene as a capsule. One thread uses it at a time: the lock is in xta.hyper.Scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_SCENE_OBJECT_H
#define XTA_PYTHON_HYPER_SCENE_OBJECT_H

#include <xta/scene.h>

#include "more/source.h"
#include "support/common.h"

typedef struct scene_object {
    PyObject *owner; /* the arguments, of which texts are borrowed */
    source from;
    Py_buffer use, nodata; /* obj NULL: none */
    xta_scene *scene;
} scene_object;

/* open_scene(source, names or None, snapshot or None, lines, samples, bands, use or None,
 * bad_bands_too, nodata, memory_bytes, threads) -> capsule.
 *
 * source: as of reduction_run; names: of the axes of memory; snapshot: (bounds, step) that the
 * array is to have; use: int64 in memory; nodata: float64 in memory. */
PyObject *scene_open(PyObject *module, PyObject *args);

/* inquire_scene(capsule) -> {...} */
PyObject *scene_inquire(PyObject *module, PyObject *capsule);

/* read_scene(capsule, lo, hi of lines, lo, hi of samples) -> (float64 and bool in bytearrays) */
PyObject *scene_read(PyObject *module, PyObject *args);

/* The scene of a capsule; NULL with an exception. */
scene_object *scene_of(PyObject *capsule);

#endif
