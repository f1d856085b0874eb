/* Cells of many points in one call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_POINTS_H
#define XTA_PYTHON_POINTS_H

#include "object/array_object.h"

/* _points(axes, coordinates, box, memory, write): `coordinates` is an int64 array of n points times
 * one column for each of `axes`; on the other axes the cells are those of `box`. `memory` is dense
 * and row-major: the points, then the other axes. */
PyObject *points_transfer(PyObject *self, PyObject *args);

#endif
