/* What an array is: its axes, type, bounds, fill value and path.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/properties.h"

#include "array/state/open_array.h"
#include "array/state/structure.h"

int xta_array_ndim(const xta_array *array)
{
    return xta__structure_of(array)->ndim;
}

xta_type xta_array_type(const xta_array *array)
{
    return array->state.constants.type;
}

size_t xta_array_cell_bytes(const xta_array *array)
{
    return array->cell_bytes;
}

xta_box xta_array_bounds(const xta_array *array)
{
    // The lock makes the answer consistent across axes while another thread grows several at once.
    pthread_mutex_t *lock = &((xta_array *)(uintptr_t)array)->lock;

    pthread_mutex_lock(lock);
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    pthread_mutex_unlock(lock);
    return bounds;
}

const void *xta_array_fill_value(const xta_array *array)
{
    return array->state.constants.fill;
}

const char *xta_array_path(const xta_array *array)
{
    return array->path;
}
