/* The extension module xta._xta.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_MODULE_H
#define XTA_PYTHON_MODULE_H

#include "support/common.h"

/* What Python calls when the module is imported. */
PyMODINIT_FUNC PyInit__xta(void);

#endif
