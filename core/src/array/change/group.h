/* Growing several arrays in one step: all of them, or none. The contracts are in <xta/array.h> and
 * <xta/append.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_GROUP_H
#define XTA_ARRAY_CHANGE_GROUP_H

#include <xta/append.h>
#include <xta/array.h>

#endif
