/* The other variables along dimensions that grow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_NETCDF_NEIGHBOURS_H
#define XTA_FORMATS_MAP_NETCDF_NEIGHBOURS_H

#include "map/handle.h"
#include "map/netcdf/move_cells.h"
#include "netcdf/select_variable.h"

/* Coordinates of an axis that grows, as they will be. */
typedef struct map_coordinates {
    int group;
    int variable;
    int64_t length;
    void *values;
} map_coordinates;

typedef struct map_neighbours {
    map_move *moves;
    size_t n_moves, moves_capacity;
    map_coordinates *coordinates;
    size_t n_coordinates, coordinates_capacity;
    void *buffer;
} map_neighbours;

/* Under the lock. Find what has to follow when the variable's box changes from `was` to that of the
 * array, refuse what cannot, and take all memory. Writes nothing. */
xta_status xta__mapping_neighbours_find(const netcdf_source *source, const xta_mapping *map,
                                        const xta_box *was, map_neighbours *out, xta_error *err);
/* Under the lock. Move cells and write coordinates; codes of NetCDF's. */
int xta__mapping_neighbours_write(const map_neighbours *n, uint64_t memory_bytes);
/* Under the lock, in define mode. Their origins. */
int xta__mapping_neighbours_write_origins(const map_neighbours *n);
/* Under the lock, in define mode. */
int xta__mapping_put_origin(int group, int variable, int ndim, const int64_t origin[]);
void xta__mapping_neighbours_clear(map_neighbours *n);

#endif
