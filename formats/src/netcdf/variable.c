/* An open variable of NetCDF: its description, reading and writing boxes of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/variable.h"

#include <netcdf.h>

#include "description/description.h"
#include "netcdf/library.h"
#include "netcdf/read_attributes.h"
#include "netcdf/select_variable.h"
#include "util/try.h"

xta_status xta__netcdf_describe(netcdf_source *source, bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int class = 0;
    XTA_TRY(xta__netcdf_status(nc_inq_var(source->group, source->variable, name, &type,
                                          &source->ndim, source->dimension, NULL),
                               source->path, "cannot look at the variable", err));
    source->type = type;
    if (type >= NC_FIRSTUSERTYPEID &&
        nc_inq_user_type(source->group, type, NULL, NULL, &source->type, NULL, &class) ==
            NC_NOERR &&
        class != NC_ENUM) {
        source->type = NC_NAT;
    }
    what->type = xta__netcdf_to_xta(source->type);
    what->cell_bytes = what->type == XTA_BYTES ? 1 : xta_type_bytes(what->type);
    what->ndim = source->ndim > 0 ? source->ndim : 1;
    what->bounds[0] = 1;
    if (what->type == XTA_TYPE_SAME || source->ndim > XTA_MAX_NDIM) {
        status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: variable %s has cells that are not of one fixed length "
                               "(strings, compounds), or more than %d dimensions",
                               source->path, name, XTA_MAX_NDIM);
        goto done;
    }
    if (source->ndim == 0 &&
        xta__description_add_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") == NULL) {
        status = xta__bridge_no_memory(source->path, err);
        goto done;
    }
    status = xta__netcdf_status(xta__netcdf_read_attributes(source, what), source->path,
                                "cannot read what belongs to the variable", err);
done:
    return status;
}

int xta__netcdf_get(int group, int variable, int ndim, const xta_box *box, void *cells)
{
    size_t start[NC_MAX_VAR_DIMS];
    size_t count[NC_MAX_VAR_DIMS];
    for (int d = 0; d < ndim; d++) {
        start[d] = (size_t)box->lo[d];
        count[d] = (size_t)(box->hi[d] - box->lo[d]);
    }
    return ndim > 0 ? nc_get_vara(group, variable, start, count, cells)
                    : nc_get_var(group, variable, cells);
}

int xta__netcdf_put(int group, int variable, int ndim, const xta_box *box, const void *cells)
{
    size_t start[NC_MAX_VAR_DIMS];
    size_t count[NC_MAX_VAR_DIMS];
    for (int d = 0; d < ndim; d++) {
        start[d] = (size_t)box->lo[d];
        count[d] = (size_t)(box->hi[d] - box->lo[d]);
    }
    return ndim > 0 ? nc_put_vara(group, variable, start, count, cells)
                    : nc_put_var(group, variable, cells);
}

xta_status xta__netcdf_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    const netcdf_source *source = state;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    xta__netcdf_lock();
    int code = xta__netcdf_get(source->group, source->variable, source->ndim, box, cells);
    xta__netcdf_unlock();
    return xta__netcdf_status(code, source->path, "cannot read cells", err);
}
