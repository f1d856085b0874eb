/* Variables of an open file: what cells are for NetCDF.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "model/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "base/names.h"
#include "model/names.h"
#include "util/text.h"

/* ---- cells ---- */

static size_t inner_length(const netcdf_variable *v)
{
    bool is_pair = v->cell_type == XTA_C64 || v->cell_type == XTA_C128;

    return is_pair ? 2 : v->cell_type == XTA_BYTES && !v->strings ? v->cell_bytes : 1;
}

int xta__nc_describe_cells(netcdf_variable *v)
{
    const netcdf_owner owner = {.array = v->array, .axis = XTA_ON_ARRAY};
    const xta_box bounds = xta_array_bounds(v->array);
    xta_type type = xta_array_type(v->array);
    xta_array_info info;
    xta_error err = {0};
    xta_status status = xta_array_inquire(v->array, &info, &err);

    if (status != XTA_OK) {
        return xta__nc_code(status, &err);
    }
    v->kind = NETCDF_CELLS;
    v->strings = type == XTA_BYTES && xta__nc_text_of(&owner, NAME_STRINGS) != NULL;
    v->type = v->strings ? NC_STRING : xta__nc_type(type);
    v->cell_type = type == XTA_F16 ? XTA_F32 : type;
    v->cell_bytes = type == XTA_F16 ? 4 : xta_array_cell_bytes(v->array);
    v->scalar = bounds.ndim == 1 && bounds.hi[0] - bounds.lo[0] == 1 &&
                xta__nc_text_of(&owner, NAME_SCALAR) != NULL;
    v->n_axes = v->scalar ? 0 : bounds.ndim;
    v->ndim = v->n_axes + (inner_length(v) > 1);
    memcpy(v->lo, bounds.lo, sizeof v->lo);
    for (int axis = 0; axis < bounds.ndim; axis++) {
        v->chunk[axis] = (size_t)info.chunk[axis];
    }
    return NC_NOERR;
}

/* ---- definition ---- */

/* The dimension inside cells: of both parts of a complex number one for all variables. */
static int add_inner(netcdf_file *file, int group, netcdf_variable *v, const char *name)
{
    size_t length = inner_length(v);
    bool is_pair = v->cell_type != XTA_BYTES;
    int *id = &v->dimension[v->n_axes];
    char *own = is_pair ? xta__string("complex") : xta__string("%.200s_bytes", name);
    const netcdf_dimension inner = {.length = length};
    int code = own != NULL ? NC_NOERR : NC_ENOMEM;

    v->chunk[v->n_axes] = length;
    for (size_t k = 0; k < file->n_dimensions && code == NC_NOERR && is_pair; k++) {
        const netcdf_dimension *d = &file->dimensions[k];
        if (d->set == NULL && d->length == 2 && d->name != NULL && strcmp(d->name, own) == 0) {
            *id = (int)k;
            free(own);
            return NC_NOERR;
        }
    }
    if (code == NC_NOERR) {
        netcdf_dimension named = inner;
        named.name = own;
        // In the root group, where all groups see it; of texts in their own group.
        code = xta__nc_add_dimension(file, is_pair ? 0 : group, own, &named, id);
    }
    free(own);
    return code;
}

/* A fill value that no attribute says. Zero is none, nor is the one that NetCDF takes unasked. */
static int put_fill(const netcdf_file *file, int group, const netcdf_variable *v,
                    const netcdf_owner *owner)
{
    static const unsigned char zero[16];
    unsigned char fill[16] = {0};
    unsigned char standard[16] = {0};
    xta_attribute told;
    int none = 0;

    if (v->kind != NETCDF_CELLS || v->ndim != v->n_axes || v->type == NC_CHAR || v->strings ||
        xta_attribute_get(owner->array, XTA_ON_ARRAY, "_FillValue", &told, NULL) == XTA_OK ||
        xta_type_convert(xta_array_type(v->array), xta_array_fill_value(v->array), v->cell_type,
                         fill, 1, NULL) != XTA_OK) {
        return NC_NOERR;
    }
    if (memcmp(fill, zero, v->cell_bytes) == 0 ||
        (v->type != NC_BYTE && v->type != NC_UBYTE &&
         nc_inq_var_fill(file->shadow | group, v->id, &none, standard) == NC_NOERR &&
         memcmp(fill, standard, v->cell_bytes) == 0)) {
        return NC_NOERR;
    }
    return nc_put_att(file->shadow | group, v->id, "_FillValue", v->type, 1, fill);
}

int xta__nc_define_variable(netcdf_file *file, int group, netcdf_variable *v, const char *name,
                            const netcdf_owner *owner)
{
    int id = -1;
    char *legal = xta__nc_legal_name(name);
    int code = legal != NULL ? NC_NOERR : NC_ENOMEM;

    if (code == NC_NOERR && v->ndim > v->n_axes) {
        code = add_inner(file, group, v, legal);
    }
    if (code == NC_NOERR) {
        do {
            code = nc_def_var(file->shadow | group, legal, v->type, v->ndim, v->dimension, &id);
        } while (xta__nc_try_other_name(code, &legal));
    }
    if (code == NC_NOERR && id != v->id) {
        code = NC_EVARMETA;
    }
    if (code == NC_NOERR) {
        code = put_fill(file, group, v, owner);
    }
    if (code == NC_NOERR) {
        code = xta__nc_copy_attributes(owner, "", file->shadow | group, v->id, v->type);
    }
    free(legal);
    return code;
}
