/* Column-major order, the first axis fastest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_COLUMN_H
#define XTA_GEOMETRY_ORDER_COLUMN_H

#include "geometry/order/layout.h"

extern const xta__layout xta__layout_column;

#endif
