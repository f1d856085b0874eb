/* Reductions of libxta_reduce.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_REDUCTION_H
#define XTA_PYTHON_REDUCTION_H

#include "support/common.h"

/* reduce(source, box, axes, groups, missing, propagate_nan, min_count, ddof, threads, memory_bytes,
 * statistics) -> [(code, bounds, bytearray), ...], one for each statistic.
 *
 * source: a path, or (code, cell_bytes, dense row-major array); axes: None for all; groups: None,
 * (axis, int64 labels) or (axis, length); missing: None or the bytes of a cell. */
PyObject *reduction_run(PyObject *module, PyObject *args);

#endif
