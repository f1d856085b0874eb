/* Positions of cells in chunks, and copies between chunks and memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "blocks/array_grid.h"

#include <stdlib.h>
#include <string.h>

#include "chunk/chunk.h"

static void chunk_coord(const xta__array_grid *grid, const int64_t block[], int64_t chunk[])
{
    for (int a = 0; a < grid->ndim; a++) {
        chunk[a] = grid->chunks.lo[a] + block[a];
    }
}

uint64_t xta__chunk_offset(void *self, const int64_t block[])
{
    const xta__array_grid *b = self;
    int64_t chunk[XTA_MAX_NDIM];

    chunk_coord(b, block, chunk);
    return xta__address(b->array, b->structure, chunk) * b->slot;
}

xta_box xta__grid_cells(const xta__array_grid *grid, const int64_t block[])
{
    int64_t chunk[XTA_MAX_NDIM];

    chunk_coord(grid, block, chunk);
    const xta_box all = xta__structure_cells_of(grid->structure, chunk);
    return xta_box_intersect(&all, &grid->bounds);
}

void xta__dense_strides(const xta_box *box, size_t cell, ptrdiff_t strides[])
{
    ptrdiff_t step = (ptrdiff_t)cell;

    for (int a = box->ndim - 1; a >= 0; a--) {
        strides[a] = step;
        step *= (ptrdiff_t)(box->hi[a] - box->lo[a]);
    }
}

size_t xta__slice_begin(const xta__array_grid *grid, const int64_t block[], const xta_box *slice)
{
    size_t begin = 0;

    for (int a = 0; a < grid->ndim; a++) {
        begin += (size_t)(slice->lo[a] - (grid->chunks.lo[a] + block[a]) * grid->chunk[a]) *
                 (size_t)grid->stride[a];
    }
    return begin;
}

/* ---- between a chunk's bytes and cells in memory ---- */

static const xta__coding *coding_of(const xta__array_grid *grid, bool reading)
{
    return reading ? grid->array->decode : grid->array->encode;
}

static void copy_cell(uint8_t *to, const uint8_t *from, size_t n, const xta__coding *coding)
{
    if (coding != NULL) {
        xta__copy_bytes(to, from, n, coding);
    } else if (n == 1) {
        *to = *from;
    } else if (n == 2) {
        memcpy(to, from, 2);
    } else if (n == 4) {
        memcpy(to, from, 4);
    } else if (n == 8) {
        memcpy(to, from, 8);
    } else {
        memcpy(to, from, n);
    }
}

/* Cell by cell: Morton and Hilbert. `image` is the whole chunk. */
static void copy_curve_slice(const xta__array_grid *grid, const int64_t block[],
                             const xta_box *slice, uint8_t *image, uint8_t *cells,
                             const ptrdiff_t strides[], bool reading)
{
    int64_t at[XTA_MAX_NDIM], within[XTA_MAX_NDIM];
    bool more = true;

    memcpy(at, slice->lo, sizeof at);
    while (more) {
        uint64_t row = 0;
        uint8_t *cell = cells;
        for (int a = 0; a < grid->ndim; a++) {
            within[a] = at[a] - (grid->chunks.lo[a] + block[a]) * grid->chunk[a];
            row = row * (uint64_t)grid->chunk[a] + (uint64_t)within[a];
            cell += (at[a] - slice->lo[a]) * strides[a];
        }
        uint64_t position = grid->curve_table != NULL
                                ? grid->curve_table[row]
                                : xta__grid_position(&grid->structure->grid, within);
        uint8_t *stored = image + position * grid->cell;
        copy_cell(reading ? cell : stored, reading ? stored : cell, grid->cell,
                  coding_of(grid, reading));
        int a = grid->ndim - 1;
        while (a >= 0 && ++at[a] == slice->hi[a]) {
            at[a] = slice->lo[a];
            a--;
        }
        more = a >= 0;
    }
}

void xta__copy_slice(const xta__array_grid *grid, const int64_t block[], const xta_box *slice,
                     uint8_t *image, size_t begin, uint8_t *cells, const ptrdiff_t strides[],
                     bool reading)
{
    size_t count[XTA_MAX_NDIM];
    xta__copy_plan plan;

    if (!grid->strided) {
        copy_curve_slice(grid, block, slice, image, cells, strides, reading);
        return;
    }
    for (int a = 0; a < grid->ndim; a++) {
        count[a] = (size_t)xta__box_length(slice, a);
    }
    uint8_t *stored = image + (xta__slice_begin(grid, block, slice) - begin);
    xta__copy_plan_init(&plan, grid->ndim, grid->cell, count, reading ? strides : grid->stride,
                        reading ? grid->stride : strides, coding_of(grid, reading), false);
    xta__copy_run(&plan, reading ? cells : stored, reading ? stored : cells);
}

xta_status xta__make_bounce(xta__array_grid *grid, xta_error *err)
{
    if (grid->bounce == NULL) {
        grid->bounce = malloc(grid->bounce_bytes);
    }
    return grid->bounce != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes of cells",
                           xta__array_name(grid->array), grid->bounce_bytes);
}

/* ---- the file ---- */

xta_status xta__grid_read(xta__array_grid *grid, uint64_t offset, void *bytes, size_t n,
                          xta_error *err)
{
    grid->n_calls[0]++;
    return xta__chunk_io_read(&grid->io, offset, bytes, n, err);
}

xta_status xta__grid_write(xta__array_grid *grid, uint64_t offset, const void *bytes, size_t n,
                           xta_error *err)
{
    grid->n_calls[1]++;
    return xta__chunk_io_write(&grid->io, offset, bytes, n, err);
}
