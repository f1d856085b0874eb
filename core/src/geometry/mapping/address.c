/* F* if an axis needs its runs or trees: the slow path of address.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/mapping/address.h"

#include "geometry/mapping/search.h"

uint64_t xta__mapping_address(xta__mapping *mapping, const int64_t coord[])
{
    uint64_t address = 0;
    uint32_t owner = 0;

    if (xta__mapping_try_address(mapping, coord, &address)) {
        return address;
    }
    for (int axis = 0; axis < mapping->ndim; axis++) {
        uint32_t record = xta__search_record(&mapping->search[axis], coord[axis]);
        owner = record > owner ? record : owner;
    }
    const uint64_t *rows = atomic_load_explicit(&mapping->rows, memory_order_relaxed);
    const uint64_t *row = rows + owner * xta__row_words(mapping->ndim);
    address = row[0];
    for (int axis = 0; axis < mapping->ndim; axis++) {
        address += row[1 + axis] * (uint64_t)coord[axis];
    }
    if (atomic_load_explicit(&mapping->search_by, memory_order_relaxed) == XTA__BY_RUNS &&
        ++mapping->run_look_ups == XTA__RUN_LOOK_UPS) {
        xta__mapping_enter_runs(mapping);
    }
    return address;
}
