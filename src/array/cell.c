/* One cell at a time: no plan, no lock, no memory.
 *
 * The way of a coordinate: a bounds check; division by the chunk length, done by multiplication
 * with a reciprocal and one correction; F*; a pointer from the address; one load. What cannot go
 * this way (a chunk cache, trees, the first store into a slot) goes through the holder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <string.h>

/* The address of a cell's chunk and the byte of the cell in it; false outside the bounds. Any
 * array. */
static bool find_cell(xta_array *array, const int64_t coord[], uint64_t *address, size_t *offset)
{
    xta__structure *s = xta__structure_of(array);
    int64_t chunk[XTA_MAX_NDIM], within[XTA_MAX_NDIM];
    uint64_t position = 0;

    for (int k = 0; k < s->ndim; k++) {
        if (coord[k] < atomic_load_explicit(&s->axis[k].lo, memory_order_acquire) ||
            coord[k] >= atomic_load_explicit(&s->axis[k].hi, memory_order_acquire)) {
            return false;
        }
        chunk[k] = xta__floor_div(coord[k], s->axis[k].chunk);
        within[k] = coord[k] - chunk[k] * s->axis[k].chunk;
        position = position * (uint64_t)s->axis[k].chunk + (uint64_t)within[k];
    }
    const uint32_t *places = xta__places(array, s);
    position = places != NULL ? places[position] : xta__grid_position(&s->grid, within);
    *offset = (size_t)position * array->cell_bytes;
    *address = xta__address(array, s, chunk);
    return true;
}

/* The fast way: a pointer to the cell, or NULL where anything is out of the ordinary (outside the
 * bounds, trees, a chunk cache, a window that was not opened yet).
 *
 * The quotient by a chunk length d that is no power of two: with m = floor(2^64 / d) the product u
 * m / 2^64 is at most one below u / d for every u < 2^64, so one comparison of the remainder mends
 * it. */
static inline __attribute__((always_inline)) uint8_t *
fast_cell(const xta_array *array, const int64_t coord[], int ndim, bool shifts, uint64_t *address)
{
    const xta__structure *s = xta__structure_of(array);
    const xta__windows *windows = array->holder->windows;
    uint64_t offset = 0;
    int64_t chunk[8];

#pragma GCC unroll 8
    for (int k = 0; k < ndim; k++) {
        const xta__axis *axis = &s->axis[k];
        int64_t c = coord[k];
        uint64_t r;
        if (c < atomic_load_explicit(&axis->lo, memory_order_acquire) ||
            c >= atomic_load_explicit(&axis->hi, memory_order_acquire)) {
            return NULL;
        }
        if (shifts) {
            chunk[k] = c >> axis->shift;
            r = (uint64_t)c & axis->rest;
        } else {
            uint64_t u = (uint64_t)(c + axis->bias);
            uint64_t q = (uint64_t)(((xta__u128)u * axis->magic) >> 64);
            r = u - q * (uint64_t)axis->chunk;
            uint64_t over = r >= (uint64_t)axis->chunk;
            r -= over * (uint64_t)axis->chunk;
            chunk[k] = (int64_t)(q + over) - axis->bias_chunks;
        }
        offset += r * (uint64_t)axis->stride_bytes;
    }
    if (windows == NULL || !xta__address_of_axes(&s->mapping, chunk, ndim, address)) {
        return NULL;
    }
    uint8_t *slot = xta__window_slot(windows, *address);
    return slot == NULL ? NULL : slot + offset;
}

static __attribute__((noinline)) void copy_other_cell(void *to, const void *from, uint32_t bytes,
                                                      const uint8_t *mask)
{
    if (mask != NULL) {
        xta__copy_bytes(to, from, bytes, mask, bytes);
        return;
    }
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

/* Eight bytes and no mask are by far the most frequent. */
static inline void copy_cell(void *to, const void *from, uint32_t bytes, const uint8_t *mask)
{
    if (bytes == 8 && mask == NULL) {
        memcpy(to, from, 8);
    } else {
        copy_other_cell(to, from, bytes, mask);
    }
}

static xta_status outside(xta_array *array, const int64_t coord[], xta_error *err)
{
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    char at[256], within[200];

    return xta__fail(err, XTA_EBOX, 0, "%s: cell %s is outside the bounds %s",
                     xta__array_name(array), xta__coord_text(coord, bounds.ndim, at, sizeof at),
                     xta__box_text(&bounds, within, sizeof within));
}

static __attribute__((noinline, cold)) xta_status
get_slowly(xta_array *array, const int64_t coord[], void *cell, xta_error *err)
{
    xta__pin pin = {0};
    uint64_t address = 0;
    size_t offset = 0;
    xta_status status = xta__begin(array, err);

    if (status != XTA_OK) {
        return status;
    }
    if (!find_cell(array, coord, &address, &offset)) {
        return outside(array, coord, err);
    }
    status = array->holder->ops->pin_read(array->holder, address, &pin, err);
    if (status == XTA_OK) {
        copy_cell(cell, pin.bytes + offset, array->cell_bytes, array->mask);
        if (array->holder->ops->unpin != NULL) {
            array->holder->ops->unpin(array->holder, &pin);
        }
    }
    return status;
}

static __attribute__((noinline, cold)) xta_status
put_slowly(xta_array *array, const int64_t coord[], const void *cell, xta_error *err)
{
    xta__pin pin = {0};
    uint64_t address = 0;
    size_t offset = 0;
    xta_status status = xta__begin_change(array, "put", err);

    if (status != XTA_OK) {
        return status;
    }
    if (!find_cell(array, coord, &address, &offset)) {
        return outside(array, coord, err);
    }
    status = array->holder->ops->pin_write(array->holder, address, false, &pin, err);
    if (status == XTA_OK) {
        copy_cell(pin.bytes + offset, cell, array->cell_bytes, array->mask);
        if (array->holder->ops->mark != NULL) {
            array->holder->ops->mark(array->holder, &pin, offset, array->cell_bytes);
        }
        if (array->holder->ops->unpin != NULL) {
            array->holder->ops->unpin(array->holder, &pin);
        }
    }
    return status;
}

/* One function for each number of axes, with chunk lengths that are powers of two or any: with both
 * known to the compiler everything stays in registers, which halves the time. Memory needs no
 * reservation; a slot of a file must be known to have its space before anything is stored there. */
typedef xta_status get_way(xta_array *array, const int64_t coord[], void *cell, xta_error *err);
typedef xta_status put_way(xta_array *array, const int64_t coord[], const void *cell,
                           xta_error *err);

#define CELL_WAY(n, shifts, name)                                                                 \
    static xta_status get_##name##_##n(xta_array *array, const int64_t coord[], void *cell,       \
                                       xta_error *err)                                            \
    {                                                                                             \
        uint64_t address;                                                                         \
        const uint8_t *from = fast_cell(array, coord, n, shifts, &address);                       \
        if (from == NULL) {                                                                       \
            return get_slowly(array, coord, cell, err);                                           \
        }                                                                                         \
        copy_cell(cell, from, array->cell_bytes, array->mask);                                    \
        return XTA_OK;                                                                            \
    }                                                                                             \
    static xta_status put_##name##_##n(xta_array *array, const int64_t coord[], const void *cell, \
                                       xta_error *err)                                            \
    {                                                                                             \
        uint64_t address;                                                                         \
        uint8_t *to = fast_cell(array, coord, n, shifts, &address);                               \
        if (to == NULL || !array->writable ||                                                     \
            (!array->in_memory && !xta__window_bit(array->holder->windows, address))) {           \
            return put_slowly(array, coord, cell, err);                                           \
        }                                                                                         \
        copy_cell(to, cell, array->cell_bytes, array->mask);                                      \
        return XTA_OK;                                                                            \
    }

CELL_WAY(1, false, any)
CELL_WAY(2, false, any)
CELL_WAY(3, false, any)
CELL_WAY(4, false, any)
CELL_WAY(5, false, any)
CELL_WAY(6, false, any)
CELL_WAY(7, false, any)
CELL_WAY(1, true, shift)
CELL_WAY(2, true, shift)
CELL_WAY(3, true, shift)
CELL_WAY(4, true, shift)
CELL_WAY(5, true, shift)
CELL_WAY(6, true, shift)
CELL_WAY(7, true, shift)

enum { N_WAYS = 16 };

/* By the structure's kind: 2 * ndim, plus 1 for powers of two; 0 where positions are not dot
 * products. */
static get_way *const get_ways[N_WAYS] = {get_slowly, get_slowly,  get_any_1, get_shift_1,
                                          get_any_2,  get_shift_2, get_any_3, get_shift_3,
                                          get_any_4,  get_shift_4, get_any_5, get_shift_5,
                                          get_any_6,  get_shift_6, get_any_7, get_shift_7};
static put_way *const put_ways[N_WAYS] = {put_slowly, put_slowly,  put_any_1, put_shift_1,
                                          put_any_2,  put_shift_2, put_any_3, put_shift_3,
                                          put_any_4,  put_shift_4, put_any_5, put_shift_5,
                                          put_any_6,  put_shift_6, put_any_7, put_shift_7};

/* A broken handle goes the slow way, which refuses. */
static inline unsigned kind_of(const xta_array *array)
{
    unsigned kind = xta__structure_of(array)->kind;

    return kind >= N_WAYS || atomic_load_explicit(&array->broken, memory_order_relaxed) ? 0 : kind;
}

xta_status xta_array_get(xta_array *array, const int64_t coord[], void *cell, xta_error *err)
{
    return get_ways[kind_of(array)](array, coord, cell, err);
}

xta_status xta_array_put(xta_array *array, const int64_t coord[], const void *cell, xta_error *err)
{
    return put_ways[kind_of(array)](array, coord, cell, err);
}
