/* A box cut into slabs of bounded memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TRANSFER_SLABS_H
#define XTA_FORMATS_TRANSFER_SLABS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

typedef struct bridge_slabs {
    xta_box box;                /* the whole box */
    int64_t step[XTA_MAX_NDIM]; /* spacing of the grid of cuts on each axis */
    int slow[XTA_MAX_NDIM];
    int64_t at[XTA_MAX_NDIM]; /* start of the next slab */
    bool over;
    uint64_t cells; /* of the largest slab */
} bridge_slabs;

void xta__slabs_init(bridge_slabs *slabs, const xta_box *box, const int64_t chunk[],
                     const int slow[], size_t cell_bytes, uint64_t memory_bytes);
/* The next slab; false when there are no more. */
bool xta__slabs_next(bridge_slabs *slabs, xta_box *slab);

#endif
