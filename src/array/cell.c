/* One cell at a time: no plan, no lock, no memory.
 *
 * The way of a coordinate: a bounds check; division by the chunk length, done by multiplication with a
 * reciprocal and one correction; F*; a pointer from the address; one load. What cannot go this way (a
 * chunk cache, trees, the first store into a slot) goes through the holder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <string.h>

typedef struct place {
    int64_t chunk[XTA_MAX_NDIM];
    size_t offset; /* in the chunk, in bytes */
} place;

/* False: the coordinate is outside the bounds.
 *
 * With m = floor(2^64 / d) the product u m / 2^64 is at most one below u / d for every u < 2^64, so
 * one comparison of the remainder mends the quotient. */
static inline bool find_place(const xta__structure *s, uint32_t cell_bytes, const int64_t coord[],
                              place *p)
{
    size_t offset = 0;

    for (int k = 0; k < s->ndim; k++) {
        const xta__axis *axis = &s->axis[k];
        int64_t c = coord[k];
        if (c < atomic_load_explicit(&axis->lo, memory_order_acquire) ||
            c >= atomic_load_explicit(&axis->hi, memory_order_acquire)) {
            return false;
        }
        uint64_t u = (uint64_t)(c + axis->bias);
        uint64_t q = (uint64_t)(((xta__u128)u * axis->magic) >> 64);
        uint64_t r = u - q * (uint64_t)axis->chunk;
        if (r >= (uint64_t)axis->chunk) {
            q++;
            r -= (uint64_t)axis->chunk;
        }
        p->chunk[k] = (int64_t)q - axis->bias_chunks;
        offset += (size_t)r * (size_t)axis->stride_bytes;
    }
    p->offset = offset;
    if (s->axis[0].stride_bytes == 0) {
        int64_t within[XTA_MAX_NDIM];
        for (int k = 0; k < s->ndim; k++) {
            within[k] = coord[k] - p->chunk[k] * s->axis[k].chunk;
        }
        p->offset = (size_t)xta__grid_position(&s->grid, within) * cell_bytes;
    }
    return true;
}

static inline void copy_cell(void *to, const void *from, uint32_t bytes, const uint8_t *mask)
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
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

static xta_status outside(xta_array *array, const int64_t coord[], xta_error *err)
{
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    char at[256], within[200];

    return xta__fail(err, XTA_EBOX, 0, "%s: cell %s is outside the bounds %s", xta__array_name(array),
                     xta__coord_text(coord, bounds.ndim, at, sizeof at),
                     xta__box_text(&bounds, within, sizeof within));
}

static xta_status get_slowly(xta_array *array, uint64_t address, size_t offset, void *cell,
                             xta_error *err)
{
    xta__pin pin = {0};
    xta_status status = array->holder->ops->pin_read(array->holder, address, &pin, err);

    if (status == XTA_OK) {
        copy_cell(cell, pin.bytes + offset, array->cell_bytes, array->mask);
        if (array->holder->ops->unpin != NULL) {
            array->holder->ops->unpin(array->holder, &pin);
        }
    }
    return status;
}

xta_status xta_array_get(xta_array *array, const int64_t coord[], void *cell, xta_error *err)
{
    const xta__structure *s = xta__structure_of(array);
    const xta__windows *windows = array->holder->windows;
    place p;
    uint64_t address;

    if (atomic_load_explicit(&array->broken, memory_order_relaxed)) {
        return xta__begin(array, err);
    }
    if (!find_place(s, array->cell_bytes, coord, &p)) {
        xta__clear(err);
        return outside(array, coord, err);
    }
    if (!xta__mapping_try_address(&s->mapping, p.chunk, &address)) {
        address = xta__address(array, s, p.chunk);
    }
    const uint8_t *slot = windows != NULL ? xta__window_slot(windows, address) : NULL;
    if (slot == NULL) {
        xta__clear(err);
        return get_slowly(array, address, p.offset, cell, err);
    }
    copy_cell(cell, slot + p.offset, array->cell_bytes, array->mask);
    return XTA_OK;
}

static xta_status put_slowly(xta_array *array, uint64_t address, size_t offset, const void *cell,
                             xta_error *err)
{
    xta__pin pin = {0};
    xta_status status = array->holder->ops->pin_write(array->holder, address, false, &pin, err);

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

xta_status xta_array_put(xta_array *array, const int64_t coord[], const void *cell, xta_error *err)
{
    const xta__structure *s = xta__structure_of(array);
    const xta__windows *windows = array->holder->windows;
    place p;
    uint64_t address;

    if (!array->writable || atomic_load_explicit(&array->broken, memory_order_relaxed)) {
        return xta__begin_change(array, "put", err);
    }
    if (!find_place(s, array->cell_bytes, coord, &p)) {
        xta__clear(err);
        return outside(array, coord, err);
    }
    if (!xta__mapping_try_address(&s->mapping, p.chunk, &address)) {
        address = xta__address(array, s, p.chunk);
    }
    uint8_t *slot = windows != NULL ? xta__window_slot(windows, address) : NULL;
    // Memory needs no reservation; a slot of a file must be known to have its space.
    if (slot == NULL || (!array->in_memory && !xta__window_bit(windows, address))) {
        xta__clear(err);
        return put_slowly(array, address, p.offset, cell, err);
    }
    copy_cell(slot + p.offset, cell, array->cell_bytes, array->mask);
    return XTA_OK;
}
