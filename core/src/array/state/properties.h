/* What an array is: its axes, type, bounds, fill value and path. The contracts stand in
 * <xta/array_structure.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_PROPERTIES_H
#define XTA_ARRAY_STATE_PROPERTIES_H

#include <xta/array.h>

#endif
