/* The shape of chunks for requests that are known.
 *
 * A chunk is read and written whole, so requests should consist of whole chunks: along an axis the
 * chunk is the request cut into equal parts, or taken several times. The same holds for the blocks
 * of a global array, whose process then shares its chunks with nobody. A chunk that is too large is
 * cut along its longest axis, if possible into a number of parts that divides the length; of equal
 * axes the first is cut, so that the last stays long in memory. A chunk that is too small is
 * multiplied along its shortest axis, whatever the bounds: an array that is small at first will
 * grow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/layout/shape.h"

#include <string.h>

#include <xta/pexta.h>

#include "util/checked.h"
#include "util/compiler.h"

#define MOST_BYTES  ((uint64_t)1 << 20)
#define LEAST_BYTES ((uint64_t)64 << 10)

typedef struct shape {
    int ndim;
    uint64_t most_cells, least_cells;
    int64_t want[PEXTA_MAX_NDIM]; /* not above 0: unknown */
    int64_t dims[PEXTA_MAX_NDIM]; /* so far */
    int64_t parts[PEXTA_MAX_NDIM];
    int64_t chunk[PEXTA_MAX_NDIM];
} shape;

static bool known(const shape *s, int axis)
{
    return s->want[axis] > 0;
}

/* Cells of a chunk; never above 2^64, as each axis is at most most_cells (2^20) long when it is
 * asked for and more than that on all axes counts as "too many". */
static xta__u128 cells_of(const shape *s)
{
    xta__u128 cells = 1;

    for (int axis = 0; axis < s->ndim; axis++) {
        cells *= (xta__u128)s->chunk[axis];
        cells = cells > (xta__u128)1 << 64 ? (xta__u128)1 << 64 : cells;
    }
    return cells;
}

static void set_parts(shape *s, int axis, int64_t parts)
{
    s->parts[axis] = parts;
    s->chunk[axis] = s->want[axis] / parts + (s->want[axis] % parts != 0);
}

static int longest_axis(const shape *s)
{
    int longest = 0;

    for (int axis = 1; axis < s->ndim; axis++) {
        if (s->chunk[axis] > s->chunk[longest]) {
            longest = axis;
        }
    }
    return longest;
}

/* `parts`, or a somewhat greater number that divides the length. */
static int64_t dividing(int64_t length, int64_t parts)
{
    for (int64_t more = parts; more < 2 * parts && more < parts + 64; more++) {
        if (length % more == 0) {
            return more;
        }
    }
    return parts;
}

/* Cut an axis, whose chunk has more than one cell, into more parts: shorter by a sixteenth at
 * least, so that long axes take few steps. */
static void cut_more(shape *s, int axis)
{
    int64_t length = s->chunk[axis] - (s->chunk[axis] < 32 ? 1 : s->chunk[axis] / 16);
    int64_t fewest = 1 + (s->want[axis] - 1) / length;

    set_parts(s, axis, dividing(s->want[axis], fewest));
}

/* Cut the chunk, which is a whole request at first, until it is small enough. */
static void cut(shape *s)
{
    for (int axis = 0; axis < s->ndim; axis++) {
        if (known(s, axis)) {
            int64_t fewest = 1 + (s->want[axis] - 1) / (int64_t)s->most_cells;
            set_parts(s, axis, dividing(s->want[axis], fewest));
        } else {
            s->chunk[axis] = 1;
        }
    }
    while (cells_of(s) > s->most_cells) {
        cut_more(s, longest_axis(s));
    }
}

/* The shortest axis among those whose request is known (or not), the last of equals; -1 if all are
 * done. */
static int shortest_axis(const shape *s, bool of_known, const bool done[])
{
    int shortest = -1;

    for (int axis = 0; axis < s->ndim; axis++) {
        if (known(s, axis) == of_known && !done[axis] &&
            (shortest < 0 || s->chunk[axis] <= s->chunk[shortest])) {
            shortest = axis;
        }
    }
    return shortest;
}

/* The length of an axis after its next step: longer by the request or, if that is unknown, doubled,
 * but not beyond `limit`. */
static int64_t longer(const shape *s, int axis, int64_t limit)
{
    int64_t length = s->chunk[axis] + (known(s, axis) ? s->want[axis] : s->chunk[axis]);

    return length < limit ? length : limit;
}

/* Lengthen the axes whose request is known (or not) while the chunk has fewer than `cells` cells;
 * if `within`, axes of unknown requests do not exceed the lengths of the array. */
static void lengthen(shape *s, bool of_known, bool within, uint64_t cells)
{
    bool done[PEXTA_MAX_NDIM] = {false};
    int axis;

    while (cells_of(s) < cells && (axis = shortest_axis(s, of_known, done)) >= 0) {
        int64_t before = s->chunk[axis];
        s->chunk[axis] = longer(s, axis, within ? s->dims[axis] : INT64_MAX);
        // What is cut stays cut: a chunk is a part of the request, or a multiple of it.
        done[axis] = s->chunk[axis] <= before || s->parts[axis] > 1 || cells_of(s) > s->most_cells;
        s->chunk[axis] = done[axis] ? before : s->chunk[axis];
    }
}

bool xta__request_chunk(size_t cell_bytes, int ndim, const int64_t dims[], const int64_t request[],
                        const int64_t block[], int64_t chunk[])
{
    shape s = {.ndim = ndim};
    bool any = false;

    s.most_cells = MOST_BYTES / cell_bytes > 0 ? MOST_BYTES / cell_bytes : 1;
    s.least_cells = LEAST_BYTES / cell_bytes;
    for (int axis = 0; axis < ndim; axis++) {
        s.want[axis] = request[axis] > 0 ? request[axis] : block[axis];
        s.want[axis] = s.want[axis] < XTA__COORD_LIMIT ? s.want[axis] : XTA__COORD_LIMIT;
        s.dims[axis] = dims[axis];
        s.parts[axis] = 1;
        any = any || known(&s, axis);
    }
    if (!any) {
        return false;
    }
    cut(&s);
    lengthen(&s, false, true, s.most_cells);
    lengthen(&s, false, false, s.least_cells);
    lengthen(&s, true, false, s.least_cells);
    memcpy(chunk, s.chunk, (size_t)ndim * sizeof chunk[0]);
    return true;
}
