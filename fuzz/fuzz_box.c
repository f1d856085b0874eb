/* Everything that takes boxes or coordinates, and everything that changes bounds, on an array in
 * memory.
 *
 * The bytes are a short program: each step grows, shrinks, reads, writes, fills or asks, with
 * numbers mostly near the bounds and sometimes anywhere in 64 bits. Buffers are allocated to the
 * byte, so a sanitizer detects the first cell beyond the end; cells must read back as written,
 * through any strides.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

enum { MAX_STEPS = 24, MAX_CELLS = 1 << 14, MAX_LENGTH = 12 };

static xta_array *make_array(fuzz_source *source)
{
    static const xta_type types[] = {XTA_U8, XTA_I16, XTA_F32, XTA_F64, XTA_C128, XTA_BYTES};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t bounds[XTA_MAX_NDIM] = {0}, chunk[XTA_MAX_NDIM];
    xta_array *array = NULL;
    xta_error err;
    int ndim = 1 + fuzz_below(source, 4);

    options.order = (xta_order)fuzz_below(source, 4);
    for (int axis = 0; axis < ndim; axis++) {
        bounds[axis] = fuzz_below(source, MAX_LENGTH);
        chunk[axis] =
            options.order >= XTA_MORTON ? 1 << fuzz_below(source, 3) : 1 + fuzz_below(source, 5);
    }
    options.chunk = fuzz_below(source, 8) == 0 ? NULL : chunk;
    options.chunk_bytes = 4096;
    options.policy = (xta_policy)fuzz_below(source, 5);
    options.cell_bytes = 3;
    xta_status status =
        xta_array_new(types[fuzz_below(source, 6)], ndim, bounds, &options, &array, &err);
    FUZZ_PROMISE((status == XTA_OK) == (array != NULL));
    return array;
}

static xta_box make_box(fuzz_source *source, const xta_array *array)
{
    xta_box bounds = xta_array_bounds(array), box = bounds;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        // A length that fits is likelier than one that does not, or most steps would be refused.
        int64_t length = bounds.hi[axis] - bounds.lo[axis];
        uint8_t kind = fuzz_u8(source);
        if (kind < 224 && length > 0) {
            box.lo[axis] = bounds.lo[axis] + fuzz_u8(source) % length;
            box.hi[axis] = box.lo[axis] + fuzz_u8(source) % (bounds.hi[axis] - box.lo[axis] + 1);
        } else {
            box.lo[axis] = fuzz_coord(source);
            box.hi[axis] = fuzz_coord(source);
        }
    }
    if (fuzz_below(source, 64) == 63) {
        box.ndim = fuzz_below(source, XTA_MAX_NDIM + 1);
    }
    return box;
}

/* Cells on each axis after `step`; false if the box is not within the array, or has more cells than
 * the fuzzer allows. */
static bool count_cells(const xta_array *array, const xta_box *box, const int64_t step[],
                        size_t lengths[], size_t *n)
{
    xta_box bounds = xta_array_bounds(array);

    *n = 1;
    if (box->ndim != bounds.ndim) {
        return false;
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] > box->hi[axis] || box->lo[axis] < bounds.lo[axis] ||
            box->hi[axis] > bounds.hi[axis] || box->hi[axis] - box->lo[axis] > MAX_CELLS) {
            return false;
        }
        lengths[axis] = (size_t)((box->hi[axis] - box->lo[axis] + step[axis] - 1) / step[axis]);
        *n *= lengths[axis];
        if (*n > MAX_CELLS) {
            return false;
        }
    }
    return true;
}

/* Strides of a buffer with the axes in any order and direction. Returns the offset of its first
 * cell. */
static size_t make_strides(fuzz_source *source, int ndim, const size_t lengths[], size_t cell_bytes,
                           int64_t strides[])
{
    int shift = fuzz_below(source, ndim);
    size_t stride = cell_bytes, first = 0;

    for (int k = 0; k < ndim; k++) {
        int axis = (k + shift) % ndim;
        strides[axis] = (int64_t)stride;
        if (fuzz_below(source, 2) == 1 && lengths[axis] > 0) {
            first += (lengths[axis] - 1) * stride;
            strides[axis] = -strides[axis];
        }
        stride *= lengths[axis] > 0 ? lengths[axis] : 1;
    }
    return first;
}

/* Write random cells, read them back in another way, and compare cell by cell. */
static void write_and_read(fuzz_source *source, xta_array *array, const xta_box *box, bool stepped)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM], step[XTA_MAX_NDIM];
    size_t lengths[XTA_MAX_NDIM], n = 0, bytes = xta_array_cell_bytes(array);
    xta_error err;
    uint8_t one[65536];

    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        step[axis] = stepped && fuzz_u8(source) % 2 ? 1 + fuzz_below(source, 4) : 1;
    }
    options.step = step;
    if (!count_cells(array, box, step, lengths, &n)) {
        // The call is refused before the buffer is touched, unless the box is valid and only too
        // large.
        xta_box bounds = xta_array_bounds(array);
        if (box->ndim != bounds.ndim || !xta_box_contains(&bounds, box)) {
            FUZZ_PROMISE(xta_array_read(array, box, &options, one, &err) != XTA_OK);
            FUZZ_PROMISE(xta_array_write(array, box, &options, one, &err) != XTA_OK);
        }
        return;
    }
    uint8_t *in = malloc(n * bytes + 1), *out = malloc(n * bytes + 1);
    FUZZ_PROMISE(in != NULL && out != NULL);
    for (size_t k = 0; k < n * bytes; k++) {
        in[k] = fuzz_u8(source);
    }
    memset(out, 0, n * bytes + 1);
    size_t first = make_strides(source, box->ndim, lengths, bytes, strides);
    if (fuzz_below(source, 2) == 1) {
        options.strides = strides;
    } else {
        first = 0;
        options.order = (xta_order)fuzz_below(source, 2);
    }
    FUZZ_PROMISE(xta_array_write(array, box, &options, in + first, &err) == XTA_OK);
    FUZZ_PROMISE(xta_array_read(array, box, &options, out + first, &err) == XTA_OK);
    FUZZ_PROMISE(memcmp(in, out, n * bytes) == 0);
    free(in);
    free(out);
}

static void ask(fuzz_source *source, xta_array *array)
{
    int64_t coord[XTA_MAX_NDIM], again[XTA_MAX_NDIM];
    xta_box bounds = xta_array_bounds(array);
    uint8_t cell[64];
    xta_location where;
    xta_chunk chunk;
    uint64_t address = 0;
    bool inside = true, ghost = true;
    xta_error err;

    for (int axis = 0; axis < bounds.ndim; axis++) {
        coord[axis] = fuzz_coord(source);
        inside = inside && coord[axis] >= bounds.lo[axis] && coord[axis] < bounds.hi[axis];
    }
    FUZZ_PROMISE((xta_array_get(array, coord, cell, &err) == XTA_OK) == inside);
    xta_status status = xta_array_locate(array, coord, &where, &err);
    FUZZ_PROMISE((status == XTA_OK) == inside);
    if (inside) {
        FUZZ_PROMISE(xta_array_put(array, coord, cell, &err) == XTA_OK);
        FUZZ_PROMISE(xta_array_cell_at(array, where.offset, again, &ghost, &err) == XTA_OK);
        FUZZ_PROMISE(!ghost);
        FUZZ_PROMISE(memcmp(coord, again, (size_t)bounds.ndim * sizeof coord[0]) == 0);
    }
    if (xta_array_chunk_address(array, coord, &address, &err) == XTA_OK) {
        FUZZ_PROMISE(xta_array_chunk_at(array, address, &chunk, &err) == XTA_OK);
        FUZZ_PROMISE(memcmp(chunk.chunk.lo, coord, (size_t)bounds.ndim * sizeof coord[0]) == 0);
    }
    address = (uint64_t)fuzz_i64(source);
    if (xta_array_chunk_at(array, address, &chunk, &err) == XTA_OK) {
        FUZZ_PROMISE(chunk.address == address);
    }
    if (xta_array_cell_at(array, (uint64_t)fuzz_i64(source), again, &ghost, &err) != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0');
    }
}

static int some_chunks(void *user, const xta_chunk *chunk)
{
    int *left = user;
    (void)chunk;
    return --*left == 0;
}

/* Whether bounds of such a size are worth trying: small ones, and impossible ones. Those in between
 * would only fill the machine's memory. */
static bool is_small_or_absurd(const xta_box *bounds, const xta_growth growths[], int n)
{
    double longest = 1, all = 1;

    for (int axis = 0; axis < bounds->ndim; axis++) {
        double length = (double)bounds->hi[axis] - (double)bounds->lo[axis];
        for (int k = 0; k < n; k++) {
            length += growths[k].axis == axis ? (double)growths[k].by : 0;
        }
        longest = length > longest ? length : longest;
    }
    for (int axis = 0; axis < bounds->ndim; axis++) {
        all *= longest; // the cubical policy may allocate this much
    }
    return all < 1e6 || longest > 3e16;
}

/* A failed call leaves the bounds as they were. */
static void change(fuzz_source *source, xta_array *array, bool grow)
{
    xta_growth growths[4];
    xta_box before = xta_array_bounds(array), after;
    xta_error err;
    int n = fuzz_below(source, 5);

    for (int k = 0; k < n; k++) {
        growths[k].axis = fuzz_below(source, before.ndim + 1);
        growths[k].side = (xta_side)fuzz_below(source, 2);
        growths[k].by = fuzz_coord(source);
    }
    if (grow && !is_small_or_absurd(&before, growths, n)) {
        return;
    }
    xta_status status = grow ? xta_array_extend(array, growths, n, &after, &err)
                             : xta_array_shrink(array, growths, n, &after, &err);
    xta_box now = xta_array_bounds(array);
    FUZZ_PROMISE(xta_box_equal(&now, status == XTA_OK ? &after : &before));
}

static void one_step(fuzz_source *source, xta_array *array)
{
    xta_box box = make_box(source, array), bounds = xta_array_bounds(array), common;
    xta_error err;
    uint64_t n = 0;
    int left = 256;

    switch (fuzz_below(source, 8)) {
    case 0:
        change(source, array, true);
        break;
    case 1:
        change(source, array, false);
        break;
    case 2:
    case 3:
        write_and_read(source, array, &box, false);
        break;
    case 4:
        write_and_read(source, array, &box, true);
        break;
    case 5:
        if (box.ndim == bounds.ndim && xta_box_cells(&box, &n) == XTA_OK && n <= MAX_CELLS) {
            xta_status status = xta_array_fill(array, &box, xta_array_fill_value(array), &err);
            FUZZ_PROMISE(status != XTA_OK || xta_box_contains(&bounds, &box));
            common = xta_box_intersect(&bounds, &box);
            FUZZ_PROMISE(xta_box_contains(&box, &common));
        }
        break;
    case 6:
        ask(source, array);
        if (xta_array_each_chunk(array, &box, some_chunks, &left, &err) == XTA_OK) {
            FUZZ_PROMISE(left > 0);
        }
        break;
    default:
        if (fuzz_below(source, 4) == 0 &&
            xta_array_add_axis(array, fuzz_below(source, bounds.ndim + 2), NULL, &err) == XTA_OK) {
            FUZZ_PROMISE(xta_array_ndim(array) == bounds.ndim + 1);
        }
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_source source = {data, size};
    xta_array *array = make_array(&source);

    for (int k = 0; array != NULL && k < MAX_STEPS && source.left > 0; k++) {
        one_step(&source, array);
    }
    FUZZ_PROMISE(xta_array_close(array, NULL) == XTA_OK);
    return 0;
}
