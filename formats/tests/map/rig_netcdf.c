/* NetCDF for tests of mappings: a variable in a group, with coordinates of its first dimension and
 * another variable of the same dimensions. Variant 0 is netCDF-4, where all dimensions are
 * unlimited; 1 is classic, where the first one is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <netcdf.h>
#include <string.h>

#include <xta/map_netcdf.h>

#include "map/map_rig.h"
#include "netcdf/library.h"

#define GOOD(call) MUST((call) == NC_NOERR)

static const xta_type types[] = {XTA_I8, XTA_I16, XTA_I32, XTA_F32, XTA_F64,
                                 XTA_U8, XTA_U16, XTA_U32, XTA_I64, XTA_U64};

enum { FILE_ID, GROUP_ID, VARIABLE_ID };

static int n_growing(const rig_file *file)
{
    return file->variant == 0 ? file->ndim : 1;
}

static int find(const rig_file *file, const char *name)
{
    int id = 0;
    GOOD(nc_inq_varid((int)file->handle[GROUP_ID], name, &id));
    return id;
}

static void define(rig_file *file, const int64_t bounds[], int *time, int *data, int *companion)
{
    static const char *const names[] = {"time", "y", "x"};
    int dimensions[3];
    size_t chunk[3] = {RIG_CHUNK, RIG_CHUNK, RIG_CHUNK};
    int group = (int)file->handle[GROUP_ID];
    nc_type type = xta__netcdf_from_xta(file->type);
    for (int d = 0; d < file->ndim; d++) {
        bool unlimited = d < n_growing(file);
        GOOD(nc_def_dim(group, names[d], unlimited ? NC_UNLIMITED : (size_t)bounds[d],
                        &dimensions[d]));
    }
    GOOD(nc_def_var(group, "time", NC_DOUBLE, 1, dimensions, time));
    GOOD(nc_def_var(group, "data", type, file->ndim, dimensions, data));
    GOOD(nc_def_var(group, "companion", NC_INT, file->ndim, dimensions, companion));
    GOOD(nc_put_att(group, *data, "_FillValue", type, 1, file->fill));
    GOOD(nc_put_att_text(group, *data, "title", 4, "kept"));
    if (file->variant == 0) {
        GOOD(nc_def_var_chunking(group, *data, NC_CHUNKED, chunk));
        GOOD(nc_def_var_deflate(group, *data, 1, 1, 5));
        // By default a chunk of a variable that can grow in all directions is 16 MiB, all written.
        GOOD(nc_def_var_chunking(group, *companion, NC_CHUNKED, chunk));
    }
    GOOD(nc_enddef((int)file->handle[FILE_ID]));
}

static void create(rig_file *file, const int64_t bounds[], const void *cells)
{
    size_t start[3] = {0}, count[3] = {0}, n = 1;
    int id, group, time, data, companion;
    int32_t others[1024];
    double times[64];
    GOOD(nc_create(file->path, NC_CLOBBER | (file->variant == 0 ? NC_NETCDF4 : 0), &id));
    group = id;
    if (file->variant == 0) {
        GOOD(nc_def_grp(id, "inner", &group));
    }
    file->handle[FILE_ID] = id;
    file->handle[GROUP_ID] = group;
    define(file, bounds, &time, &data, &companion);
    file->handle[VARIABLE_ID] = data;
    for (int d = 0; d < file->ndim; d++) {
        count[d] = (size_t)bounds[d];
        n *= count[d];
    }
    for (size_t k = 0; k < n; k++) {
        others[k] = (int32_t)k + 1;
    }
    for (size_t k = 0; k < count[0]; k++) {
        times[k] = (double)k;
    }
    GOOD(nc_put_vara(group, data, start, count, cells));
    GOOD(nc_put_vara_int(group, companion, start, count, others));
    GOOD(nc_put_vara_double(group, time, start, count, times));
}

static void open_file(rig_file *file)
{
    int id = 0;
    int group = 0;
    GOOD(nc_open(file->path, NC_WRITE, &id));
    group = id;
    if (file->variant == 0) {
        GOOD(nc_inq_grp_ncid(id, "inner", &group));
    }
    file->handle[FILE_ID] = id;
    file->handle[GROUP_ID] = group;
    file->handle[VARIABLE_ID] = find(file, "data");
}

static void close_file(rig_file *file)
{
    GOOD(nc_close((int)file->handle[FILE_ID]));
}

/* Half of the mappings give the cells, as the thesis has it. */
static xta_mapping *map_file(rig_file *file, const xta_mapping_options *options, xta_error *err)
{
    static int turn;
    unsigned char cells[64 * 1024];
    int group = (int)file->handle[GROUP_ID];
    int variable = (int)file->handle[VARIABLE_ID];
    bool give = turn++ % 2 == 0;
    if (give) {
        GOOD(nc_get_var(group, variable, cells));
    }
    return xtaNetCDFmap(give ? cells : NULL, group, variable, options, err);
}

static xta_status write_file(rig_file *file, xta_mapping *map)
{
    return xtaNetCDFwrite(map, (int)file->handle[VARIABLE_ID]);
}

static void read_file(rig_file *file, int64_t bounds[], void *cells)
{
    int dimensions[NC_MAX_VAR_DIMS];
    int group = (int)file->handle[GROUP_ID];
    int variable = (int)file->handle[VARIABLE_ID];
    GOOD(nc_inq_vardimid(group, variable, dimensions));
    for (int d = 0; d < file->ndim; d++) {
        size_t length = 0;
        GOOD(nc_inq_dimlen(group, dimensions[d], &length));
        bounds[d] = (int64_t)length;
    }
    if (cells != NULL) {
        GOOD(nc_get_var(group, variable, cells));
    }
}

static void read_scale(rig_file *file, int64_t n, double *values)
{
    int64_t bounds[3];
    read_file(file, bounds, NULL);
    MUST(bounds[0] == n);
    GOOD(nc_get_var_double((int)file->handle[GROUP_ID], find(file, "time"), values));
}

static void read_companion(rig_file *file, int32_t *cells)
{
    GOOD(nc_get_var_int((int)file->handle[GROUP_ID], find(file, "companion"), cells));
}

/* The origin that a variable of so many dimensions says: exactly one whole number for each, and
 * only if some of its cells have moved; a variable that has none begins at 0. */
static void origin_of(const rig_file *file, const char *name, int ndim, int64_t origin[])
{
    size_t count = 0;
    long long numbers[3] = {0};
    bool moved = false;
    int group = (int)file->handle[GROUP_ID];
    int code = nc_inq_attlen(group, find(file, name), "xta_origin", &count);
    MUST(code == NC_NOERR || code == NC_ENOTATT);
    if (code == NC_NOERR) {
        MUST(count == (size_t)ndim);
        GOOD(nc_get_att_longlong(group, find(file, name), "xta_origin", numbers));
    }
    for (int d = 0; d < ndim; d++) {
        origin[d] = (int64_t)numbers[d];
        moved = moved || numbers[d] != 0;
    }
    MUST(moved == (code == NC_NOERR)); // growth at the back alone leaves none
}

/* The companion and the coordinates must say the same. */
static void read_origin(rig_file *file, int64_t origin[])
{
    int64_t others[3];
    int64_t first = 0;
    origin_of(file, "data", file->ndim, origin);
    origin_of(file, "companion", file->ndim, others);
    MUST(memcmp(origin, others, (size_t)file->ndim * sizeof origin[0]) == 0);
    origin_of(file, "time", 1, &first);
    MUST(first == origin[0]);
}

static bool storage_kept(rig_file *file)
{
    char title[16] = "";
    size_t chunk[3] = {0};
    int storage = 0, shuffle = 0, deflate = 0, level = 0;
    int group = (int)file->handle[GROUP_ID];
    int variable = (int)file->handle[VARIABLE_ID];
    GOOD(nc_get_att_text(group, variable, "title", title));
    bool kept = strcmp(title, "kept") == 0;
    if (file->variant == 0) {
        GOOD(nc_inq_var_chunking(group, variable, &storage, chunk));
        GOOD(nc_inq_var_deflate(group, variable, &shuffle, &deflate, &level));
        kept = kept && storage == NC_CHUNKED && shuffle == 1 && deflate == 1 && level == 5;
        for (int d = 0; d < file->ndim; d++) {
            kept = kept && chunk[d] == RIG_CHUNK;
        }
    }
    return kept;
}

const map_rig rig_netcdf = {
    .name = "netcdf",
    .types = types,
    .n_types = sizeof types / sizeof types[0],
    .n_types_of_1 = 5, // unsigned and 64-bit types are NetCDF-4's
    .n_variants = 2,
    .scales = true,
    .n_growing = n_growing,
    .create = create,
    .open = open_file,
    .close = close_file,
    .map = map_file,
    .write = write_file,
    .read = read_file,
    .read_scale = read_scale,
    .read_companion = read_companion,
    .read_origin = read_origin,
    .storage_kept = storage_kept,
    .scale_fill = NC_FILL_DOUBLE,
    .companion_fill = NC_FILL_INT,
};
