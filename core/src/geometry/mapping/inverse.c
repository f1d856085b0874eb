/* F*^-1 and the list of segments.
 *
 * Bases ascend with the record number, so the segment of an address is found by bisection. Inside
 * it the address minus the base is a mixed-radix number: the digit of the grown axis first, then
 * those of the other axes in ascending order, each found by one division. O(ndim + log E), [CXA]
 * 3.4.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/inverse.h"

#include <assert.h>

static uint32_t record_of_address(const xta__mapping *mapping, uint64_t address)
{
    uint32_t low = 0, high = mapping->n_records;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (mapping->records[middle].base <= address) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void xta__mapping_inverse(const xta__mapping *mapping, uint64_t address, int64_t coord[])
{
    assert(address < mapping->n_chunks);
    uint32_t r = record_of_address(mapping, address);
    const xta__axial_record *record = &mapping->records[r];
    const uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    const uint64_t *coefficient = rows + r * xta__row_words(mapping->ndim) + 1;
    const uint64_t *lowest = coefficient + mapping->ndim;
    uint64_t rest = address - record->base;

    uint64_t slab =
        record->side == XTA_BACK ? coefficient[record->axis] : 0 - coefficient[record->axis];
    uint64_t k = rest / slab;
    rest %= slab;
    coord[record->axis] = record->side == XTA_BACK ? (int64_t)(lowest[record->axis] + k)
                                                   : (int64_t)(lowest[record->axis] - k);
    for (int axis = 0; axis < mapping->ndim; axis++) {
        if (axis == record->axis) {
            continue;
        }
        // An axis inserted later has coefficient 0: the segment lies at its coordinate 0.
        uint64_t stride = coefficient[axis];
        coord[axis] = (int64_t)(lowest[axis] + (stride > 0 ? rest / stride : 0));
        rest = stride > 0 ? rest % stride : rest;
    }
}

void xta__mapping_segment(const xta__mapping *mapping, uint32_t k, uint64_t *n_chunks,
                          xta_box *chunks)
{
    assert(k < mapping->n_records);
    const xta__axial_record *record = &mapping->records[k];
    const uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    const uint64_t *coefficient = rows + k * xta__row_words(mapping->ndim) + 1;
    const uint64_t *lowest = coefficient + mapping->ndim;
    uint64_t end = k + 1 < mapping->n_records ? mapping->records[k + 1].base : mapping->n_chunks;
    uint64_t slab =
        record->side == XTA_BACK ? coefficient[record->axis] : 0 - coefficient[record->axis];
    int64_t slabs = (int64_t)((end - record->base) / slab);
    uint64_t above = slab;

    *n_chunks = end - record->base;
    chunks->ndim = mapping->ndim;
    for (int axis = 0; axis < mapping->ndim; axis++) {
        int64_t low = (int64_t)lowest[axis];
        if (axis == record->axis) {
            chunks->lo[axis] = record->side == XTA_BACK ? low : low - slabs + 1;
            chunks->hi[axis] = record->side == XTA_BACK ? low + slabs : low + 1;
        } else if (coefficient[axis] == 0) {
            chunks->lo[axis] = low;
            chunks->hi[axis] = low + 1;
        } else {
            chunks->lo[axis] = low;
            chunks->hi[axis] = low + (int64_t)(above / coefficient[axis]);
            above = coefficient[axis];
        }
    }
}
