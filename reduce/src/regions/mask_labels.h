/* Private header: from a label of a mask to its region.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_MASK_LABELS_H
#define XTA_REDUCE_MASK_LABELS_H

#include "regions/regions.h"

/* The number of the region of a label, or -1. */
int64_t xta__region_of_label(const xta_regions *regions, int64_t label);

#endif
