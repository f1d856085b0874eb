/* Choosing a chunk shape.
 *
 * Nothing is known of how the array will be read, so no axis is to be worse than another: a cube,
 * which touches the fewest chunks over boxes of all shapes, cut to the lengths there are.
 *
 * Starting from one cell, the shortest axis is doubled as long as the chunk stays within its
 * bytes; among equals the last, whose cells lie side by side in row-major order. An axis stops at
 * its whole length. Powers of two make lines of cells fit pages and cache lines.
 *
 * An axis of length 1 keeps chunk length 1 where the others fill a chunk (one picture of a
 * series, to which others will be appended one by one). Where all the axes are short, their
 * lengths say nothing about what the array will be, and one chunk for each of the first few cells
 * would cost dearly later: so the chunk goes on growing, beyond the lengths, to the floor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tune/tune.h"

#include <string.h>

/* No limit: above every length that can be reached. */
#define LONG ((int64_t)1 << 61)

static int64_t power_of_two_from(int64_t length)
{
    int64_t power = 1;

    while (power < length) {
        power *= 2;
    }
    return power;
}

/* The length of an axis after its next step. */
static int64_t longer(int64_t length, int64_t limit)
{
    return length > limit / 2 ? limit : 2 * length;
}

/* The shortest axis that is not done, the last of equals; -1 if all are done. */
static int shortest_axis(int ndim, const int64_t chunk[], const bool done[])
{
    int shortest = -1;

    for (int axis = 0; axis < ndim; axis++) {
        if (!done[axis] && (shortest < 0 || chunk[axis] <= chunk[shortest])) {
            shortest = axis;
        }
    }
    return shortest;
}

/* Lengthen the chunk up to `limit` on each axis and `max_cells` in all. `cells` is their number. */
static uint64_t lengthen(int ndim, const int64_t limit[], uint64_t max_cells, uint64_t cells,
                         int64_t chunk[])
{
    bool done[XTA_MAX_NDIM] = {false};
    int axis;

    while ((axis = shortest_axis(ndim, chunk, done)) >= 0) {
        int64_t length = longer(chunk[axis], limit[axis]);
        uint64_t others = cells / (uint64_t)chunk[axis];
        if (length == chunk[axis] || (uint64_t)length > max_cells / others) {
            done[axis] = true;
        } else {
            chunk[axis] = length;
            cells = others * (uint64_t)length;
        }
    }
    return cells;
}

xta_status xta__chunk_shape(size_t cell_bytes, int ndim, const int64_t bounds[],
                            uint64_t chunk_bytes, bool powers_of_two, int64_t chunk[])
{
    int64_t limit[XTA_MAX_NDIM];
    int64_t shape[XTA_MAX_NDIM];

    if (cell_bytes == 0 || ndim < 1 || ndim > XTA_MAX_NDIM) {
        return XTA_EARG;
    }
    if (chunk_bytes == 0) {
        chunk_bytes = XTA__CHUNK_BYTES;
    }
    for (int axis = 0; axis < ndim; axis++) {
        if (bounds[axis] < 0) {
            return XTA_EARG;
        }
        shape[axis] = 1;
        limit[axis] = bounds[axis] == 0 || bounds[axis] > LONG ? LONG : bounds[axis];
        if (powers_of_two) {
            limit[axis] = power_of_two_from(limit[axis]);
        }
    }
    uint64_t max_cells = chunk_bytes / cell_bytes;
    if (max_cells > (uint64_t)LONG) {
        max_cells = (uint64_t)LONG;
    }
    uint64_t cells = lengthen(ndim, limit, max_cells, 1, shape);

    uint64_t floor_cells = XTA__CHUNK_BYTES_FLOOR / cell_bytes;
    if (cells < floor_cells && cells < max_cells) {
        for (int axis = 0; axis < ndim; axis++) {
            limit[axis] = LONG;
        }
        lengthen(ndim, limit, max_cells < floor_cells ? max_cells : floor_cells, cells, shape);
    }
    memcpy(chunk, shape, (size_t)ndim * sizeof chunk[0]);
    return XTA_OK;
}
