/* Row-major order, the last axis fastest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_ROW_H
#define XTA_GEOMETRY_ORDER_ROW_H

#include "geometry/order/layout.h"

extern const xta__layout xta__layout_row;

#endif
