/* The dispatch tables: NC_UDF0, data sets, and NC_UDF1, single arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/netcdf_format.h>

#include "base/codes.h"
#include "calls/calls.h"

/* What the files begin with. NetCDF's own search for it lets a program open `sst.xmd`, or
 * `ocean/dataset.xmd`, by its path alone. */
static char set_magic[] = "\x89XTS";
static char array_magic[] = "\x89XTA";

static const struct NC_Dispatch common = {
    .dispatch_version = NC_DISPATCH_VERSION,
    .create = NC_RO_create,
    .open = xta__nc_open,
    .redef = xta__nc_redef,
    ._enddef = xta__nc_enddef,
    .sync = xta__nc_sync,
    .abort = xta__nc_abort,
    .close = xta__nc_close,
    .set_fill = xta__nc_set_fill,
    .inq_format = xta__nc_inq_format,
    .inq_format_extended = xta__nc_inq_format_extended,
    .def_dim = xta__nc_def_dim,
    .inq_dim = xta__nc_inq_dim,
    .rename_dim = xta__nc_rename,
    .rename_att = xta__nc_rename_att,
    .del_att = xta__nc_del_att,
    .put_att = xta__nc_put_att,
    .def_var = xta__nc_def_var,
    .rename_var = xta__nc_rename,
    .get_vara = xta__nc_get_vara,
    .put_vara = xta__nc_put_vara,
    .get_vars = xta__nc_get_vars,
    .put_vars = xta__nc_put_vars,
    .get_varm = xta__nc_get_varm,
    .put_varm = xta__nc_put_varm,
    .inq_var_all = xta__nc_inq_var_all,
    .var_par_access = xta__nc_var_par_access,
    .def_var_fill = xta__nc_def_var_fill,
    .show_metadata = xta__nc_show_metadata,
    .def_grp = xta__nc_def_grp,
    .rename_grp = xta__nc_rename_grp,
    .def_compound = NC_NOTNC4_def_compound,
    .insert_compound = NC_NOTNC4_insert_compound,
    .insert_array_compound = NC_NOTNC4_insert_array_compound,
    .inq_compound_field = NC_NOTNC4_inq_compound_field,
    .inq_compound_fieldindex = NC_NOTNC4_inq_compound_fieldindex,
    .def_vlen = NC_NOTNC4_def_vlen,
    .put_vlen_element = NC_NOTNC4_put_vlen_element,
    .get_vlen_element = NC_NOTNC4_get_vlen_element,
    .def_enum = NC_NOTNC4_def_enum,
    .insert_enum = NC_NOTNC4_insert_enum,
    .inq_enum_member = NC_NOTNC4_inq_enum_member,
    .inq_enum_ident = NC_NOTNC4_inq_enum_ident,
    .def_opaque = NC_NOTNC4_def_opaque,
    .def_var_deflate = NC_NOTNC4_def_var_deflate,
    .def_var_fletcher32 = NC_NOTNC4_def_var_fletcher32,
    .def_var_chunking = NC_NOTNC4_def_var_chunking,
    .def_var_endian = NC_NOTNC4_def_var_endian,
    .def_var_filter = NC_NOTNC4_def_var_filter,
    .set_var_chunk_cache = xta__nc_set_var_chunk_cache,
    .get_var_chunk_cache = xta__nc_get_var_chunk_cache,
    .inq_var_filter_ids = NC_NOOP_inq_var_filter_ids,
    .inq_var_filter_info = NC_NOOP_inq_var_filter_info,
    .def_var_quantize = NC_NOTNC4_def_var_quantize,
    .inq_var_quantize = NC_NOTNC4_inq_var_quantize,
    .inq_filter_avail = NC_NOOP_inq_filter_avail,
};

static struct NC_Dispatch tables[2];

struct NC_Dispatch *xta__nc_table(int model)
{
    struct NC_Dispatch *table = &tables[model == NC_FORMATX_UDF1];

    *table = common;
    table->model = model;
    xta__nc_fill_forwards(table);
    return table;
}

int xta_netcdf_register(void)
{
    int code = nc_def_user_format(NC_UDF0, xta__nc_table(NC_FORMATX_UDF0), set_magic);

    return code == NC_NOERR
               ? nc_def_user_format(NC_UDF1, xta__nc_table(NC_FORMATX_UDF1), array_magic)
               : code;
}

/* Loading the library registers the formats. A NetCDF library that refuses them opens what it
 * always has. */
__attribute__((constructor)) static void register_formats(void)
{
    xta_error err = {0};

    if (xta_netcdf_register() != NC_NOERR) {
        (void)xta__nc_code(xta_error_set(&err, XTA_EUNSUPPORTED, 0,
                                         "NetCDF %s takes no format with a dispatch table of "
                                         "version %d; install netCDF-C 4.9",
                                         nc_inq_libvers(), NC_DISPATCH_VERSION),
                           &err);
    }
}
