/* Adding an axis to an array. The contract is in <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_ADD_AXIS_H
#define XTA_ARRAY_CHANGE_ADD_AXIS_H

#include <xta/array.h>

#endif
