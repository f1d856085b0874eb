/* Cells between a mapped dataset and its array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_TRANSFER_H
#define XTA_FORMATS_MAP_TRANSFER_H

#include "map/handle.h"
#include "transfer/slabs.h"

/* Boxes of the dataset, whose first cell is 0 on each axis. */
typedef xta_status map_read_box(void *state, const xta_box *box, void *cells, xta_error *err);
typedef xta_status map_write_box(void *state, const xta_box *box, const void *cells,
                                 xta_error *err);

/* What a write needs besides the array; allocated before the file is touched. */
typedef struct map_slabs {
    bridge_slabs slabs;
    void *cells;
} map_slabs;

/* Make the array for a dataset whose first cell has the coordinates `lo`, with its attributes. */
xta_status xta__mapping_create_array(xta_mapping *map, const bridge_description *what,
                                     const int64_t lo[], const char *label, xta_error *err);
/* Bring in all cells: those of `cells`, or what `read` reads if that is NULL. */
xta_status xta__mapping_load(xta_mapping *map, const bridge_description *what, const void *cells,
                             map_read_box *read, void *state, const char *label, xta_error *err);

xta_status xta__mapping_slabs_init(map_slabs *s, const xta_mapping *map, const char *label,
                                   xta_error *err);
void xta__mapping_slabs_clear(map_slabs *s);
/* Write all cells. */
xta_status xta__mapping_store(xta_mapping *map, map_slabs *s, map_write_box *write, void *state,
                              xta_error *err);

#endif
