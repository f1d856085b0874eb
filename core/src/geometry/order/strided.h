/* Positions that are dot products: what row and column order share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_STRIDED_H
#define XTA_GEOMETRY_ORDER_STRIDED_H

#include "geometry/order/layout.h"

/* The dot product of coordinates and strides, for the `position` of strided orders. */
uint64_t xta__strided_position(const xta__grid *grid, const int64_t coord[]);

#endif
