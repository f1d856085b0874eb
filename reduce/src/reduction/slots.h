/* Blocks and groups of a reduced axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_REDUCTION_SLOTS_H
#define XTA_REDUCE_REDUCTION_SLOTS_H

#include "reduction/reduction.h"

/* The slots of a reduced axis without groups, whose `axis`, `lo` and `hi` are set. */
xta_status xta__slots_of_blocks(xta__slot_axis *axis, xta_error *err);

/* The slots of the grouped axis, and the groups; options have been checked. */
xta_status xta__slots_of_groups(xta__reduction *r, xta__slot_axis *axis, xta_error *err);

void xta__slots_clear(xta__slot_axis *axis);

#endif
