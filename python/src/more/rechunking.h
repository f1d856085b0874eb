/* Repartitioning by libxta_rechunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_RECHUNKING_H
#define XTA_PYTHON_RECHUNKING_H

#include "support/common.h"

/* rechunk(path, target or None, ndim, options of create_array, memory_bytes, threads, verify) ->
 * {"bytes_read": ..., ...}. Target None: in place. */
PyObject *rechunking_run(PyObject *module, PyObject *args);

#endif
