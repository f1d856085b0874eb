/* Matching the blocks of two grids.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_MATCH_CUTS_H
#define XTA_FORMATS_GRIDS_MATCH_CUTS_H

#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

/* Runs for two dense files of opposite orders, pure: `slow` lists the axes of the first file,
 * slowest first. */
void xta__blocks_tiles(const xta_box *box, const int slow[], size_t cell_bytes,
                       uint64_t memory_bytes, int64_t one[], int64_t other[]);

#endif
