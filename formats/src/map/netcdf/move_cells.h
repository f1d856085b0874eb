/* Cells of a variable, moved towards the back of its dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_NETCDF_MOVE_CELLS_H
#define XTA_FORMATS_MAP_NETCDF_MOVE_CELLS_H

#include <netcdf.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

#define MAP_MOST_TYPE_BYTES 65536

/* A variable some dimensions of which grow at the front. */
typedef struct map_move {
    int group;
    int variable;
    size_t cell_bytes;
    xta_box was;                 /* its cells before */
    int64_t now[XTA_MAX_NDIM];   /* lengths of its dimensions afterwards */
    int64_t shift[XTA_MAX_NDIM]; /* >= 0 */
    int64_t chunk[XTA_MAX_NDIM];
} map_move;

/* Bytes of the buffer that moving takes, in about `memory_bytes`. */
uint64_t xta__map_move_bytes(const map_move *move, uint64_t memory_bytes);
/* Under the lock. Move all cells and put the variable's fill value in front of them; a code of
 * NetCDF's. `buffer` has xta__map_move_bytes. */
int xta__map_move_cells(const map_move *move, uint64_t memory_bytes, void *buffer);

#endif
