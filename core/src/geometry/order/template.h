/* A template for new orders; no array uses it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_ORDER_TEMPLATE_H
#define XTA_GEOMETRY_ORDER_TEMPLATE_H

#include "geometry/order/layout.h"

extern const xta__layout xta__layout_template;

#endif
