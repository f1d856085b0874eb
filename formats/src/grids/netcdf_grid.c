/* A variable of a NetCDF file as a grid of blocks.
 *
 * The library may use HDF5's, which is not thread-safe: calls are made one at a time. Its chunk
 * cache is turned off, since each block is moved only once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/grid_kind.h"

#include <netcdf.h>
#include <string.h>

#include "description/description.h"
#include "description/format.h"
#include "grids/common/format_grid.h"
#include "grids/common/target_spec.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/netcdf.h"
#include "netcdf/select_variable.h"
#include "netcdf/target.h"
#include "util/try.h"

static bool is_compressed(const bridge_description *what)
{
    const bridge_attribute *filters = xta__description_find(what, XTA_ON_ARRAY, NC_OWN NC_FILTERS);
    const bridge_attribute *chunks = xta__description_find(what, XTA_ON_ARRAY, NC_OWN NC_CHUNKS);
    bool any = false;
    for (size_t k = 0; k < 3 && chunks != NULL; k++) { // shuffle, deflate, checksum
        any = any || xta__attribute_number(filters, k, 0) != 0;
    }
    return any;
}

/* No chunk is needed twice, and a cache would use memory that is not counted. */
static bool prepare_source(void *state, const bridge_description *what)
{
    const netcdf_source *source = state;
    xta__netcdf_lock();
    int ignored = nc_set_var_chunk_cache(source->group, source->variable, 1, 1, 0.75F);
    xta__netcdf_unlock();
    (void)ignored; // classic files have none
    return is_compressed(what);
}

static bool prepare_target(void *state, const bridge_description *what)
{
    const netcdf_target *target = state;
    xta__netcdf_lock();
    int ignored = nc_set_var_chunk_cache(target->group, target->cells, 1, 1, 0.75F);
    xta__netcdf_unlock();
    (void)ignored;
    return is_compressed(what);
}

static xta_status netcdf_open(const char *path, const xta_blocks_options *options,
                              xta_blocks *blocks, xta_error *err)
{
    return xta__format_grid_open(&xta__bridge_netcdf, path, options, prepare_source, blocks, err);
}

static xta_status netcdf_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    XTA_TRY(xta__target_spec_describe(spec, &what, err));
    XTA_TRY(xta__target_spec_check_coordinates(spec, xta__bridge_netcdf.coordinates, &what, err));
    XTA_TRY(xta__format_grid_set_chunks(spec, NC_OWN NC_CHUNKS, &what, err));
    /* The classic kinds have no chunks. */
    const char *kind = xta__description_text(&what, XTA_ON_ARRAY, NC_FORMAT);
    bool old = kind != NULL && strcmp(kind, "netCDF-4 classic model") == 0 &&
               xta__netcdf_is_classic_type(xta__netcdf_from_xta(what.type));
    XTA_TRY(xta__format_grid_create(&xta__bridge_netcdf, spec,
                                    old ? "netcdf-4-classic" : "netcdf-4", &what, prepare_target,
                                    blocks, err));
done:
    xta__description_clear(&what);
    return status;
}

const blocks_kind xta__blocks_netcdf = {
    .name = "netcdf",
    .open = netcdf_open,
    .create = netcdf_create,
};
