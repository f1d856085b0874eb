/* The format of MATLAB files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_MATLAB_H
#define XTA_FORMATS_MATLAB_MATLAB_H

#include "description/format.h"

extern const bridge_format xta__bridge_matlab;

#endif
