/* Attributes of a mapped dataset, compared with those of its array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/attributes.h"

#include <string.h>

#include "description/copy_attributes.h"
#include "description/description.h"
#include "map/handle.h"
#include "util/try.h"

#define VALUES "values"

static bool same_attribute(const bridge_attribute *a, const bridge_attribute *b)
{
    return a->type == b->type && a->cell_bytes == b->cell_bytes && a->count == b->count &&
           memcmp(a->values, b->values, a->count * (a->type == XTA_TEXT ? 1 : a->cell_bytes)) == 0;
}

/* An array's georeference is of the cell at 0; that of a dataset is of its first cell. */
static void to_first_cell(bridge_description *now)
{
    for (size_t k = 0; k < now->n_attributes && now->ndim >= 2; k++) {
        bridge_attribute *a = &now->attributes[k];
        if (a->axis == XTA_ON_ARRAY && strcmp(a->name, BRIDGE_GEOTRANSFORM) == 0 &&
            a->type == XTA_F64 && a->count == 6) {
            double *g = a->values;
            double y = (double)now->lo[now->ndim - 2];
            double x = (double)now->lo[now->ndim - 1];
            g[0] += x * g[1] + y * g[2];
            g[3] += x * g[4] + y * g[5];
        }
    }
}

xta_status xta__mapping_changed_attributes(xta_array *array, const bridge_description *there,
                                           bridge_description *now, xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    now->type = xta_array_type(array);
    now->cell_bytes = xta_array_cell_bytes(array);
    now->ndim = bounds.ndim;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        now->lo[axis] = bounds.lo[axis];
        now->bounds[axis] = bounds.hi[axis] - bounds.lo[axis];
    }
    xta_status status = xta__copy_attributes_from(array, now, err);
    if (status != XTA_OK) {
        return status;
    }
    to_first_cell(now);
    for (size_t k = now->n_attributes; k-- > 0;) {
        const bridge_attribute *a = &now->attributes[k];
        const bridge_attribute *old = xta__description_find(there, a->axis, a->name);
        if (a->axis == XTA_ON_ARRAY && strchr(a->name, '/') == NULL && old != NULL &&
            same_attribute(a, old)) {
            xta__description_remove(now, XTA_ON_ARRAY, a->name);
        }
    }
    return XTA_OK;
}

xta_status xta__mapping_axis_values(xta_array *array, int axis, int64_t lo, int64_t hi,
                                    xta_type type, void *out, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description kept;
    bridge_attribute *a = NULL;
    xta__description_init(&kept);
    XTA_TRY(xta__copy_attribute_from(array, axis, VALUES, &kept, &a, err));
    bool usable = a != NULL && a->ndim == 1 && a->along[0] == axis && a->type != XTA_TEXT &&
                  a->type != XTA_BYTES && a->count == (size_t)(a->hi[0] - a->lo[0]);
    if (!usable) {
        goto done;
    }
    int64_t from = a->lo[0] > lo ? a->lo[0] : lo;
    int64_t to = a->hi[0] < hi ? a->hi[0] : hi;
    if (from >= to) {
        goto done;
    }
    const char *values = (const char *)a->values + (size_t)(from - a->lo[0]) * a->cell_bytes;
    char *into = (char *)out + (size_t)(from - lo) * xta_type_bytes(type);
    if (xta_type_convert(a->type, values, type, into, (size_t)(to - from), NULL) != XTA_OK) {
        status = xta_error_set(err, XTA_ERANGE, 0,
                               "axis %d: its attribute %s has numbers that do not fit the type %s "
                               "of the dataset's coordinates",
                               axis, VALUES, xta_type_name(type));
    }
done:
    xta__description_clear(&kept);
    return status;
}
