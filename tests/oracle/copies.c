/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/copies.h"

#include <string.h>

void oracle_copy_bytes(uint8_t *to, const uint8_t *from, size_t n, const xta__coding *coding,
                       size_t unit)
{
    for (size_t i = 0; i < n; i++) {
        size_t number = i / unit * unit, mirrored = number + unit - 1 - (i - number);
        size_t in_memory = (coding->storing ? mirrored : i) % coding->cell_bytes;
        to[i] = from[mirrored] ^ (coding->mask != NULL ? coding->mask[in_memory] : 0);
    }
}

size_t oracle_own_unit(const xta__coding *coding)
{
    return XTA__BIG_ENDIAN ? coding->unit : 1;
}

static void copy_cell(uint8_t *to, const uint8_t *from, size_t cell_bytes,
                      const xta__coding *coding)
{
    if (coding == NULL) {
        memcpy(to, from, cell_bytes);
    } else {
        oracle_copy_bytes(to, from, cell_bytes, coding, oracle_own_unit(coding));
    }
}

/* The next index in row-major order; 0 after the last. */
static int next_index(int ndim, const size_t count[], size_t index[])
{
    for (int axis = ndim - 1; axis >= 0; axis--) {
        if (++index[axis] < count[axis]) {
            return 1;
        }
        index[axis] = 0;
    }
    return 0;
}

void oracle_copy(int ndim, size_t cell_bytes, const size_t count[], const ptrdiff_t to_stride[],
                 const ptrdiff_t from_stride[], const xta__coding *coding, uint8_t *to,
                 const uint8_t *from)
{
    size_t index[XTA_MAX_NDIM] = {0};

    do {
        ptrdiff_t target = 0, source = 0;
        for (int axis = 0; axis < ndim; axis++) {
            target += (ptrdiff_t)index[axis] * to_stride[axis];
            source += (ptrdiff_t)index[axis] * from_stride[axis];
        }
        copy_cell(to + target, from + source, cell_bytes, coding);
    } while (next_index(ndim, count, index));
}

void oracle_curve_copy(const xta__curve_box *box, int storing, uint8_t *chunk, uint8_t *memory,
                       uint8_t *written)
{
    const xta__grid *grid = &box->curve->grid;
    size_t index[XTA_MAX_NDIM] = {0};

    do {
        int64_t coord[XTA_MAX_NDIM];
        ptrdiff_t at = 0;
        for (int axis = 0; axis < grid->ndim; axis++) {
            coord[axis] = box->first[axis] + (int64_t)index[axis] * box->step[axis];
            at += (ptrdiff_t)index[axis] * box->stride[axis];
        }
        size_t position = (size_t)xta__grid_position(grid, coord);
        uint8_t *there = chunk + position * box->cell_bytes;
        copy_cell(storing ? there : memory + at, storing ? memory + at : there, box->cell_bytes,
                  box->coding);
        if (written != NULL) {
            written[position] = 1;
        }
    } while (next_index(grid->ndim, box->count, index));
}
