/* Cells of a variable, moved towards the back of its dimensions, within a memory limit.
 *
 * Blocks are moved in the reverse of their row-major order. A block moved by a shift that is
 * nowhere negative covers only cells that are, on each axis, not before its own; so what it covers
 * belongs to itself or to blocks that were moved already. The reverse order comes from cutting the
 * mirrored box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/netcdf/move_cells.h"

#include <stdlib.h>
#include <string.h>

#include "netcdf/variable.h"
#include "transfer/slabs.h"

static void cut(bridge_slabs *slabs, const map_move *move, const xta_box *box,
                uint64_t memory_bytes)
{
    int slow[XTA_MAX_NDIM];
    for (int d = 0; d < box->ndim; d++) {
        slow[d] = d;
    }
    xta__slabs_init(slabs, box, move->chunk, slow, move->cell_bytes, memory_bytes);
}

/* The front of dimension `d`, along all cells of the others. */
static xta_box front_of(const map_move *move, int d)
{
    xta_box box = {.ndim = move->was.ndim};
    memcpy(box.hi, move->now, sizeof box.hi);
    box.hi[d] = move->shift[d];
    return box;
}

uint64_t xta__mapping_move_bytes(const map_move *move, uint64_t memory_bytes)
{
    bridge_slabs slabs;
    cut(&slabs, move, &move->was, memory_bytes);
    uint64_t cells = slabs.cells;
    for (int d = 0; d < move->was.ndim; d++) {
        xta_box box = front_of(move, d);
        if (move->shift[d] > 0) {
            cut(&slabs, move, &box, memory_bytes);
            cells = slabs.cells > cells ? slabs.cells : cells;
        }
    }
    return cells * move->cell_bytes + 1;
}

/* One fill value; types of the file's author may have none. */
static void read_fill(const map_move *move, char *cell)
{
    int no_fill = 0;
    memset(cell, 0, move->cell_bytes);
    if (nc_inq_var_fill(move->group, move->variable, &no_fill, cell) != NC_NOERR) {
        memset(cell, 0, move->cell_bytes);
    }
}

static int fill_front(const map_move *move, int d, uint64_t memory_bytes, char *buffer)
{
    bridge_slabs slabs;
    xta_box slab;
    xta_box box = front_of(move, d);
    cut(&slabs, move, &box, memory_bytes);
    read_fill(move, buffer);
    for (uint64_t k = 1; k < slabs.cells; k++) {
        memcpy(buffer + k * move->cell_bytes, buffer, move->cell_bytes);
    }
    int code = NC_NOERR;
    while (code == NC_NOERR && xta__slabs_next(&slabs, &slab)) {
        code = xta__netcdf_put(move->group, move->variable, slab.ndim, &slab, buffer);
    }
    return code;
}

int xta__mapping_move_cells(const map_move *move, uint64_t memory_bytes, void *buffer)
{
    bridge_slabs slabs;
    xta_box mirrored;
    int code = NC_NOERR;
    cut(&slabs, move, &move->was, memory_bytes);
    while (code == NC_NOERR && xta__slabs_next(&slabs, &mirrored)) {
        xta_box from = mirrored;
        for (int d = 0; d < from.ndim; d++) {
            from.lo[d] = move->was.hi[d] - mirrored.hi[d];
            from.hi[d] = move->was.hi[d] - mirrored.lo[d];
        }
        xta_box to = from;
        for (int d = 0; d < to.ndim; d++) {
            to.lo[d] += move->shift[d];
            to.hi[d] += move->shift[d];
        }
        code = xta__netcdf_get(move->group, move->variable, from.ndim, &from, buffer);
        if (code == NC_NOERR) {
            code = xta__netcdf_put(move->group, move->variable, to.ndim, &to, buffer);
        }
    }
    for (int d = 0; d < move->was.ndim && code == NC_NOERR; d++) {
        if (move->shift[d] > 0) {
            code = fill_front(move, d, memory_bytes, buffer);
        }
    }
    return code;
}

/* NetCDF reads a variable that is shorter than its dimensions with fill values behind what is
 * there, as if only the first of them were short (4.9.0: NC4_get_vars); on others the cells would
 * come out at wrong places. */
int xta__mapping_lengthen(const map_move *move, void *buffer)
{
    xta_box last = {.ndim = move->was.ndim};
    bool grown = false; // at the back: the last cell is new
    for (int d = 0; d < last.ndim; d++) {
        if (move->now[d] == 0) {
            return NC_NOERR;
        }
        last.lo[d] = move->now[d] - 1;
        last.hi[d] = move->now[d];
        grown = grown || move->now[d] > move->was.hi[d] + move->shift[d];
    }
    if (!grown) {
        return NC_NOERR;
    }
    const char *empty = "";
    if (move->cell_bytes == 0) {
        return xta__netcdf_put(move->group, move->variable, last.ndim, &last, &empty);
    }
    read_fill(move, buffer);
    return xta__netcdf_put(move->group, move->variable, last.ndim, &last, buffer);
}
