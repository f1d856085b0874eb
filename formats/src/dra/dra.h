/* The format of Disk Resident Arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DRA_DRA_H
#define XTA_FORMATS_DRA_DRA_H

#include "description/format.h"

extern const bridge_format xta__bridge_dra;

#endif
