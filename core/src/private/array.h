/* The open array, its structure, journal and chunk store, as the core itself sees them. libxta
 * exports only the functions marked XTA_PRIVATE_API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_ARRAY_H
#define XTA_PRIVATE_ARRAY_H

#include "array/array.h"
#include "geometry/mapping/inverse.h"
#include "geometry/order/grid.h"
#include "geometry/region/region.h"
#include "store/chunks/data_header.h"
#include "store/chunks/mapped_chunks.h"
#include "store/journal/bytes.h"
#include "store/journal/journal.h"

#endif
