/* Regular coordinates of an axis of an array. The contract is in <xta/coordinates.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_COORDINATES_AXIS_REGULAR_H
#define XTA_COORDINATES_AXIS_REGULAR_H

#include <xta/attribute.h>
#include <xta/coordinates.h>

/* Attributes of an axis: origin and step, and the list with its box and names of dimensions. */
#define XTA__REGULAR           "values//regular"
#define XTA__VALUES            "values"
#define XTA__VALUES_BOX        "values//box"
#define XTA__VALUES_DIMENSIONS "values//dimensions"

#endif
