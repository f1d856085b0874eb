/* The orders of cells inside a chunk: what other folders use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_ORDER_H
#define XTA_GEOMETRY_ORDER_ORDER_H

#include "geometry/order/curve.h"
#include "geometry/order/grid.h"

#endif
