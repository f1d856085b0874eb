/* Coordinates that an axis of an array holds, as a variable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/axis_coordinates.h"

#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "model/attributes.h"
#include "model/variables.h"
#include "util/text.h"

xta_status xta__nc_read_axis_coordinates(netcdf_variable *v, xta_error *err)
{
    xta_coordinates *coordinates = NULL;
    xta_status status = XTA_OK;

    if (v->host->array == NULL) {
        return XTA_OK;
    }
    status = xta_coordinates_read(v->host->array, v->axis, &coordinates, err);
    if (status == XTA_OK) {
        xta_coordinates_free(v->coordinates);
        v->coordinates = coordinates;
        v->lo[0] = xta_coordinates_lo(coordinates);
    }
    return status;
}

/* What the coordinates say that no attribute does. */
static int put_missing(int group, int id, const char *name, const char *text)
{
    return text[0] != '\0' && nc_inq_attid(group, id, name, NULL) == NC_ENOTATT
               ? nc_put_att_text(group, id, name, strlen(text), text)
               : NC_NOERR;
}

int xta__nc_add_axis_coordinates(netcdf_file *file, int group, netcdf_variable *host, int axis,
                                 int id, const char *name)
{
    const netcdf_owner owner = {.array = host->array, .axis = axis};
    netcdf_variable about = {.kind = NETCDF_LISTED, .host = host, .axis = axis};
    int used = 0;

    if (nc_inq_varid(file->shadow | group, name, &used) == NC_NOERR ||
        xta__nc_read_axis_coordinates(&about, NULL) != XTA_OK) {
        return NC_NOERR; // an axis without them is an axis
    }
    xta_type type = xta_coordinates_type(about.coordinates);
    nc_type foreign = type == XTA_TEXT ? NC_STRING : xta__nc_type(type);
    netcdf_variable *v = xta__nc_add_variable(file, group);
    if (v == NULL) {
        xta_coordinates_free(about.coordinates);
        return NC_ENOMEM;
    }
    about.id = v->id;
    *v = about;
    v->name = xta__string("%s", name);
    v->type = foreign;
    v->strings = type == XTA_TEXT;
    v->cell_type = type == XTA_F16 ? XTA_F32 : type;
    v->cell_bytes = xta_type_bytes(v->cell_type);
    v->ndim = v->n_axes = 1;
    v->dimension[0] = id;
    v->chunk[0] = file->dimensions[id].length;
    int code = v->name != NULL && foreign != NC_NAT
                   ? xta__nc_define_variable(file, group, v, v->name, &owner)
                   : NC_ENOMEM;
    if (code == NC_NOERR) {
        code =
            put_missing(file->shadow | group, v->id, "units", xta_coordinates_unit(v->coordinates));
    }
    if (code == NC_NOERR) {
        code = put_missing(file->shadow | group, v->id, "calendar",
                           xta_coordinates_calendar(v->coordinates));
    }
    return code;
}
