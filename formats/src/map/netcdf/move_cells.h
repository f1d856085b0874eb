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

/* A variable some dimensions of which grow, at the front where there is a shift. */
typedef struct map_move {
    int group;
    int variable;
    size_t cell_bytes;           /* 0: strings, which grow at the back only */
    xta_box was;                 /* its cells before */
    int64_t now[XTA_MAX_NDIM];   /* lengths of its dimensions afterwards */
    int64_t shift[XTA_MAX_NDIM]; /* >= 0 */
    int64_t chunk[XTA_MAX_NDIM];
} map_move;

/* Bytes of the buffer that moving takes, in about `memory_bytes`. */
uint64_t xta__mapping_move_bytes(const map_move *move, uint64_t memory_bytes);
/* Under the lock. Move all cells and put the variable's fill value in front of them; a code of
 * NetCDF's. `buffer` has xta__mapping_move_bytes. */
int xta__mapping_move_cells(const map_move *move, uint64_t memory_bytes, void *buffer);

/* Under the lock. Make a variable as long as its dimensions are, by a fill value in its last cell;
 * a code of NetCDF's. `buffer` has xta__mapping_move_bytes, and a cell. */
int xta__mapping_lengthen(const map_move *move, void *buffer);

#endif
