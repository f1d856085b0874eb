/* Scenes with known truth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_SYNTHESIS_H
#define XTA_PYTHON_HYPER_SYNTHESIS_H

#include "support/common.h"

/* synthesize(labels, (line shift, sample shift), materials, bands, library, options, type, lines,
 * samples) -> (cells, abundances), float64 in bytearrays.
 *
 * labels: a path, or (code, cell_bytes, dense row-major array); library: float64 (materials,
 * bands); options: (mixing radius, variation, brightness, noise in dB, scale, seed); lines,
 * samples: (lo, hi) with lo <= hi. */
PyObject *synthesize(PyObject *module, PyObject *args);

#endif
