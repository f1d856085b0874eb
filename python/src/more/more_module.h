/* The extension module xta._more: calls of the libraries above libxta.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_MORE_MODULE_H
#define XTA_PYTHON_MORE_MODULE_H

#include "support/common.h"

/* What Python calls when the module is imported. */
PyMODINIT_FUNC PyInit__more(void);

#endif
