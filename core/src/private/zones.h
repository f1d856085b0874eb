/* Regions of chunks, and zones axis by axis: which rows of the process grid hold which cells.
 * libxta exports only the functions marked XTA_PRIVATE_API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_ZONES_H
#define XTA_PRIVATE_ZONES_H

#include "geometry/grid/zones.h"
#include "geometry/region/region.h"

#endif
