/* Morton order, the Z curve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_MORTON_H
#define XTA_GEOMETRY_ORDER_MORTON_H

#include "geometry/order/layout.h"

extern const xta__layout xta__layout_morton;

#endif
