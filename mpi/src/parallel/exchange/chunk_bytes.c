/* Which bytes of a chunk hold the cells of a box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/exchange/chunk_bytes.h"

void xta__bytes_of_chunk(const xta_array *array, const xta_box *cells, const int64_t chunk[],
                         size_t *begin, size_t *end)
{
    const xta__structure *st = xta__structure_of(array);

    *begin = 0;
    *end = (size_t)array->chunk_store->chunk_bytes;
    if (!xta__grid_is_strided(&st->grid)) {
        return;
    }
    *end = array->cell_bytes;
    for (int axis = 0; axis < st->ndim; axis++) {
        int64_t lo = chunk[axis] * st->axis[axis].chunk, hi = lo + st->axis[axis].chunk;
        int64_t first = cells->lo[axis] > lo ? cells->lo[axis] : lo;
        int64_t last = (cells->hi[axis] < hi ? cells->hi[axis] : hi) - 1;
        if (first > last) {
            *begin = *end = 0;
            return;
        }
        *begin += (size_t)((first - lo) * st->axis[axis].stride_bytes);
        *end += (size_t)((last - lo) * st->axis[axis].stride_bytes);
    }
}
