/* Where arrays begin.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/origin.h"

#include "base/names.h"

static int put_origin(const netcdf_file *file, size_t group, const netcdf_variable *v,
                      const bool told[])
{
    long long origin[XTA_MAX_NDIM] = {0};
    int shadow = file->shadow | (int)group;
    bool any = false;

    for (int axis = 0; axis < v->n_axes; axis++) {
        origin[axis] = told[axis] ? v->lo[axis] : 0;
        any = any || origin[axis] != 0;
    }
    if (any) {
        return nc_put_att_longlong(shadow, v->id, NAME_ORIGIN, NC_INT64, (size_t)v->n_axes, origin);
    }
    return nc_inq_attid(shadow, v->id, NAME_ORIGIN, NULL) == NC_NOERR
               ? nc_del_att(shadow, v->id, NAME_ORIGIN)
               : NC_NOERR;
}

/* Whether a bare axis of a single array does not begin at 0. */
static bool is_needed(const netcdf_variable *cells)
{
    bool needed = false;

    for (int axis = 0; axis < cells->n_axes; axis++) {
        needed = needed || (cells->bare[axis] && cells->lo[axis] != 0);
    }
    return needed;
}

int xta__nc_put_origins(const netcdf_file *file)
{
    bool all[XTA_MAX_NDIM];
    bool needed = file->array != NULL && is_needed(file->groups[0].variables[0]);
    int code = NC_NOERR;

    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        all[axis] = needed;
    }
    for (size_t g = 0; g < file->n_groups; g++) {
        const netcdf_group *group = &file->groups[g];
        for (size_t k = 0; k < group->n_variables && code == NC_NOERR; k++) {
            const netcdf_variable *v = group->variables[k];
            if (file->array != NULL || v->kind == NETCDF_CELLS) {
                code = put_origin(file, g, v, file->array != NULL ? all : v->bare);
            }
        }
    }
    return code;
}
