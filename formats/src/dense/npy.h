/* The format of NumPy's .npy files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DENSE_NPY_H
#define XTA_FORMATS_DENSE_NPY_H

#include "description/format.h"

extern const bridge_format xta__bridge_npy;

#endif
