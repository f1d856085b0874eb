/* Axial vectors, F* and its inverse: what other folders use. Pure integer arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_MAPPING_MAPPING_H
#define XTA_GEOMETRY_MAPPING_MAPPING_H

#include "geometry/mapping/address.h"
#include "geometry/mapping/axial.h"
#include "geometry/mapping/import.h"
#include "geometry/mapping/inverse.h"

#endif
