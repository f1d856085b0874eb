/* The extension module xta._hyper: calls of libxta_hyper.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HYPER_MODULE_H
#define XTA_PYTHON_HYPER_MODULE_H

#include "support/common.h"

/* What Python calls when the module is imported. */
PyMODINIT_FUNC PyInit__hyper(void);

#endif
