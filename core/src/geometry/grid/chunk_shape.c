/* Choosing a chunk shape.
 *
 * Nothing is known about how the array will be read, so no axis should be worse than another: the
 * shape is a cube, which touches the fewest chunks over boxes of all shapes, clipped to the lengths
 * of the axes.
 *
 * Starting from one cell, the shortest axis is doubled as long as the chunk stays within its target
 * size; among equals the last one, whose cells are contiguous in row-major order. An axis stops at
 * its whole length. With powers of two, rows of cells fit pages and cache lines.
 *
 * An axis of length 1 keeps chunk length 1 if the others fill a chunk (one picture of a series, to
 * which others will be appended one by one). If all axes are short, their lengths say nothing about
 * the future array, and one chunk for each of the first few cells would be expensive later: so the
 * chunk grows further, beyond the lengths, up to a minimum size.
 *
 * Chunks of such lengths extend past the end of an axis: 300 x 400 x 400 cells in chunks of 64 per
 * side take a third more space than the cells need. So if the waste is more than a sixteenth, the
 * axes are divided evenly: into the same number n of chunks, of ceil(bound / n) cells each, which
 * wastes less than one cell per chunk. That makes chunks shorter, and the space gained goes to the
 * shortest axes, one chunk fewer at a time. If powers of two waste little they stay, as a
 * coordinate is then divided by a shift. An axis of unknown length, which will grow, keeps its
 * power of two.
 *
 * Slots may have to begin on page boundaries, so up to a page is counted for each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/grid/chunk_shape.h"

#include <math.h>
#include <string.h>

/* The largest waste allowed for powers of two. */
#define MOST_WASTE (1.0 / 16)

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

/* The shortest axis that is not done, among equals the last; -1 if all are done. */
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

static int64_t pieces(int64_t length, int64_t chunk)
{
    return (length - 1) / chunk + 1;
}

/* Bytes of slots per cell of the array (on axes of unknown length, per cell of a chunk): for
 * comparison with other shapes. */
static double slot_bytes(size_t cell_bytes, int ndim, const int64_t bounds[], const int64_t chunk[])
{
    double bytes = (double)cell_bytes, n = 1;

    for (int axis = 0; axis < ndim; axis++) {
        bytes *= (double)chunk[axis];
        n *= bounds[axis] > 0 ? (double)pieces(bounds[axis], chunk[axis]) : 1 / (double)chunk[axis];
    }
    double slot = ceil(bytes / XTA__CHUNK_BYTES_FLOOR) * XTA__CHUNK_BYTES_FLOOR;
    return n * (bytes < XTA__CHUNK_BYTES_FLOOR ? bytes : slot);
}

static double array_bytes(size_t cell_bytes, int ndim, const int64_t bounds[])
{
    double bytes = (double)cell_bytes;

    for (int axis = 0; axis < ndim; axis++) {
        bytes *= bounds[axis] > 0 ? (double)bounds[axis] : 1;
    }
    return bytes;
}

/* One chunk fewer on the axis; if its end is not known, twice the length. */
static int64_t one_fewer(int64_t chunk, int64_t bound)
{
    if (bound == 0) {
        return chunk > LONG / 2 ? chunk : 2 * chunk;
    }
    int64_t n = pieces(bound, chunk);
    return n > 1 ? pieces(bound, n - 1) : chunk;
}

/* Lengthen the chunk, the shortest axis first, up to `max_cells` in all: each time to the length
 * that `next` gives for the current one and the axis's entry in `limit`. `cells` is the number of
 * cells; the new number is returned. */
static uint64_t lengthen(int ndim, int64_t (*next)(int64_t chunk, int64_t limit),
                         const int64_t limit[], uint64_t max_cells, uint64_t cells, int64_t chunk[])
{
    bool done[XTA_MAX_NDIM] = {false};
    int axis;

    while ((axis = shortest_axis(ndim, chunk, done)) >= 0) {
        int64_t length = next(chunk[axis], limit[axis]);
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

/* Divide the axes evenly, and give the space gained to the shortest. */
static void divide(int ndim, const int64_t bounds[], uint64_t max_cells, int64_t chunk[])
{
    uint64_t cells = 1;

    for (int axis = 0; axis < ndim; axis++) {
        if (bounds[axis] > 0) {
            chunk[axis] = pieces(bounds[axis], pieces(bounds[axis], chunk[axis]));
        }
        cells *= (uint64_t)chunk[axis];
    }
    lengthen(ndim, one_fewer, bounds, max_cells, cells, chunk);
}

xta_status xta__chunk_shape(size_t cell_bytes, int ndim, const int64_t bounds[],
                            uint64_t chunk_bytes, bool powers_of_two, int64_t chunk[])
{
    int64_t limit[XTA_MAX_NDIM];
    int64_t shape[XTA_MAX_NDIM] = {0};

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
    uint64_t cells = lengthen(ndim, longer, limit, max_cells, 1, shape);

    uint64_t floor_cells = XTA__CHUNK_BYTES_FLOOR / cell_bytes;
    if (cells < floor_cells && cells < max_cells) {
        for (int axis = 0; axis < ndim; axis++) {
            limit[axis] = LONG;
        }
        lengthen(ndim, longer, limit, max_cells < floor_cells ? max_cells : floor_cells, cells,
                 shape);
    } else if (!powers_of_two) {
        double bytes = slot_bytes(cell_bytes, ndim, bounds, shape);
        int64_t even[XTA_MAX_NDIM];
        memcpy(even, shape, sizeof even);
        divide(ndim, bounds, max_cells, even);
        if (bytes > array_bytes(cell_bytes, ndim, bounds) * (1 + MOST_WASTE) &&
            slot_bytes(cell_bytes, ndim, bounds, even) < bytes) {
            memcpy(shape, even, sizeof shape);
        }
    }
    memcpy(chunk, shape, (size_t)ndim * sizeof chunk[0]);
    return XTA_OK;
}
