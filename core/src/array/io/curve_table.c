/* Where the cells of a chunk along a Morton or Hilbert curve lie: tables that are made at the first
 * use and stay with the structure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/curve_table.h"

#include <stdlib.h>

#include "array/state/structure.h"

const uint32_t *xta__curve_table(xta_array *array, xta__structure *structure)
{
    const uint64_t most = (uint64_t)1 << 22;
    uint32_t *table = atomic_load_explicit(&structure->curve_table, memory_order_acquire);

    if (table != NULL || xta__grid_is_strided(&structure->grid) || structure->grid.n_cells > most) {
        return table;
    }
    pthread_mutex_lock(&array->lock);
    table = atomic_load_explicit(&structure->curve_table, memory_order_acquire);
    if (table == NULL) {
        // If there is no memory for it, positions are computed one by one.
        table = xta__calloc((size_t)structure->grid.n_cells, sizeof table[0]);
        int64_t coord[XTA_MAX_NDIM] = {0};
        for (uint64_t i = 0; table != NULL && i < structure->grid.n_cells; i++) {
            table[i] = (uint32_t)xta__grid_position(&structure->grid, coord);
            int axis = structure->ndim - 1;
            while (axis >= 0 && ++coord[axis] == structure->axis[axis].chunk) {
                coord[axis--] = 0;
            }
        }
        atomic_store_explicit(&structure->curve_table, table, memory_order_release);
    }
    pthread_mutex_unlock(&array->lock);
    return table;
}

const xta__curve *xta__curve_of(xta_array *array, xta__structure *structure)
{
    xta__curve *curve = atomic_load_explicit(&structure->curve, memory_order_acquire);

    if (curve != NULL || xta__grid_is_strided(&structure->grid)) {
        return curve;
    }
    pthread_mutex_lock(&array->lock);
    curve = atomic_load_explicit(&structure->curve, memory_order_acquire);
    if (curve == NULL) {
        curve = xta__calloc(1, sizeof *curve);
        if (curve != NULL && xta__curve_init(curve, &structure->grid) != XTA_OK) {
            free(curve);
            curve = NULL;
        }
        atomic_store_explicit(&structure->curve, curve, memory_order_release);
    }
    pthread_mutex_unlock(&array->lock);
    return curve;
}
