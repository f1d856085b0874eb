/* Growing several arrays in one step: all of them, or none. The contract is in <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_GROUP_H
#define XTA_ARRAY_CHANGE_GROUP_H

#include <xta/array.h>

#endif
