/* The format of raw files: cells and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DENSE_RAW_H
#define XTA_FORMATS_DENSE_RAW_H

#include "description/format.h"

extern const bridge_format xta__bridge_raw;

#endif
