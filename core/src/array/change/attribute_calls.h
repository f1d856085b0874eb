/* The calls on attributes, axis names and units. The contracts are in <xta/attribute.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_ATTRIBUTE_CALLS_H
#define XTA_ARRAY_CHANGE_ATTRIBUTE_CALLS_H

#include <xta/attribute.h>

#endif
