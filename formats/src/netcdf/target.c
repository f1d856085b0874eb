/* The destination of an export to NetCDF: memory for the definitions, and writing the cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/target.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "netcdf/library.h"
#include "netcdf/variable.h"

xta_status xta__netcdf_check_type(const netcdf_target *target, xta_error *err)
{
    const bridge_description *what = target->what;
    nc_type type = xta__netcdf_from_xta(what->type);
    if (type == NC_NAT || (type == NC_CHAR && what->cell_bytes != 1)) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: NetCDF has no cells of type %s; export to npy, or convert them",
                             target->path, xta_type_name(what->type));
    }
    return XTA_OK;
}

xta_status xta__netcdf_enter_group(netcdf_target *target, xta_error *err)
{
    int format = 0;
    const char *name = target->what->variable;
    int code = nc_inq_format(target->file, &format);
    target->group = target->file;
    while (code == NC_NOERR && format == NC_FORMAT_NETCDF4 && strchr(name, '/') != NULL) {
        char one[NC_MAX_NAME + 1];
        size_t n = strcspn(name, "/");
        snprintf(one, sizeof one, "%.*s", (int)(n < NC_MAX_NAME ? n : NC_MAX_NAME), name);
        name += n + 1;
        if (n > 0 && nc_inq_grp_ncid(target->group, one, &target->group) != NC_NOERR) {
            code = nc_def_grp(target->group, one, &target->group);
        }
    }
    return xta__netcdf_status(code, target->path, "cannot make the group of the variable", err);
}

static void free_target(netcdf_target *target)
{
    free(target->dimensions);
    free(target->variables);
    free(target->path);
    free(target);
}

void xta__netcdf_abandon(void *state)
{
    netcdf_target *target = state;
    xta__netcdf_lock();
    if (target->file >= 0) {
        nc_abort(target->file);
    }
    xta__netcdf_unlock();
    free_target(target);
}

xta_status xta__netcdf_new_target(const char *path, bridge_description *what, netcdf_target **out,
                                  xta_error *err)
{
    size_t most = (size_t)what->ndim + what->n_attributes + 1;
    netcdf_target *target = calloc(1, sizeof *target);
    *out = NULL;
    if (target == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    target->file = -1;
    target->what = what;
    target->path = xta__bridge_copy(path);
    target->variables = calloc(most, sizeof *target->variables);
    target->dimensions = calloc(most * BRIDGE_SPREAD_NDIM, sizeof *target->dimensions);
    if (target->path == NULL || target->variables == NULL || target->dimensions == NULL) {
        free_target(target);
        return xta__bridge_no_memory(path, err);
    }
    *out = target;
    return XTA_OK;
}

xta_status xta__netcdf_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    const netcdf_target *target = state;
    int ndim = target->is_scalar ? 0 : box->ndim;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__netcdf_lock();
    int code = xta__netcdf_put(target->group, target->cells, ndim, box, cells);
    xta__netcdf_unlock();
    return xta__netcdf_status(code, target->path, "cannot write cells", err);
}

xta_status xta__netcdf_read_back(void *state, const xta_box *box, void *cells, xta_error *err)
{
    const netcdf_target *target = state;
    int ndim = target->is_scalar ? 0 : box->ndim;
    xta__netcdf_lock();
    int code = xta__netcdf_get(target->group, target->cells, ndim, box, cells);
    xta__netcdf_unlock();
    return xta__netcdf_status(code, target->path, "cannot read cells back", err);
}

xta_status xta__netcdf_finish(void *state, xta_error *err)
{
    netcdf_target *target = state;
    xta__netcdf_lock();
    int code = nc_close(target->file);
    xta__netcdf_unlock();
    xta_status status = xta__netcdf_status(code, target->path, "cannot close it", err);
    free_target(target);
    return status;
}
