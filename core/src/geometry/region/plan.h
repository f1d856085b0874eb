/* What a transfer of a box decides before any I/O: which chunks and cells, their order in the file,
 * and what to fetch ahead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GEOMETRY_REGION_PLAN_H
#define XTA_GEOMETRY_REGION_PLAN_H

#include "geometry/region/batches.h"
#include "geometry/region/read_ahead.h"
#include "geometry/region/region.h"

#endif
