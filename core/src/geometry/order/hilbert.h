/* Hilbert order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_HILBERT_H
#define XTA_GEOMETRY_ORDER_HILBERT_H

#include "geometry/order/layout.h"

extern const xta__layout xta__layout_hilbert;

#endif
