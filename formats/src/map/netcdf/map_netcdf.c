/* A variable of NetCDF as an array, and back ([CXA] 7.3).
 *
 * A write goes in two halves, as that of HDF5: checks and memory first, then the file. The box of
 * the array must contain that of the variable, since NetCDF cannot shorten a dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/map_netcdf.h>

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "map/attributes.h"
#include "map/handle.h"
#include "map/netcdf/handle_netcdf.h"
#include "map/netcdf/neighbours.h"
#include "map/netcdf/objects_netcdf.h"
#include "map/transfer.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/variable.h"
#include "netcdf/write_attributes.h"
#include "util/try.h"

xta_mapping *xtaNetCDFmap(const void *datap, int ncid, int varid,
                          const xta_mapping_options *options, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    int64_t origin[XTA_MAX_NDIM];
    netcdf_source *source = NULL;
    xta_mapping *map = NULL;
    xta__clear(err);
    xta__description_init(&what);
    XTA_TRY(xta__mapping_new(MAP_NETCDF, options, &map, err));
    XTA_TRY(xta__mapping_open_netcdf(ncid, varid, &what, origin, &source, err));
    map->group = ncid;
    map->source = xta__mapping_netcdf_path(ncid);
    if (map->source == NULL) {
        status = xta__bridge_no_memory(source->path, err);
        goto done;
    }
    XTA_TRY(xta__mapping_create_array(map, &what, origin, source->path, err));
    XTA_TRY(xta__mapping_netcdf_objects(source, map, err));
    XTA_TRY(xta__mapping_load(map, &what, datap, xta__netcdf_read, source, source->path, err));
done:
    xta__mapping_netcdf_free(source);
    xta__description_clear(&what);
    if (status != XTA_OK) {
        xta__mapping_discard(map);
        map = NULL;
    }
    return map;
}

/* What one write needs. */
typedef struct write_job {
    xta_mapping *map;
    netcdf_source *source;
    bridge_description there; /* the variable as it is */
    bridge_description now;   /* the attributes that are to change */
    int64_t origin[XTA_MAX_NDIM];
    xta_box was; /* in coordinates of the array */
    xta_box bounds;
    map_neighbours neighbours;
    map_slabs slabs;
} write_job;

/* The numbers of a closed file may be those of another one by now. */
static xta_status check_file(const xta_mapping *map, xta_error *err)
{
    xta__netcdf_lock();
    bool open = nc_inq_path(map->group, NULL, NULL) == NC_NOERR;
    char *path = open ? xta__mapping_netcdf_path(map->group) : NULL;
    xta__netcdf_unlock();
    if (open && path == NULL) {
        return xta__bridge_no_memory(map->source, err);
    }
    bool same = open && strcmp(path, map->source) == 0;
    free(path);
    return same ? XTA_OK
                : xta_error_set(err, XTA_EARG, 0,
                                "%s: was closed since it was mapped (ncid %d); keep it open, or "
                                "map it again",
                                map->source, map->group);
}

static xta_status check_axis(const write_job *job, int axis, xta_error *err)
{
    const xta_box *was = &job->was;
    const xta_box *now = &job->bounds;
    const char *name = xta_axis_name(job->map->array, axis);
    const char *path = job->source->path;
    long long have = (long long)(was->hi[axis] - was->lo[axis]);
    long long want = (long long)(now->hi[axis] - now->lo[axis]);
    if (now->lo[axis] > was->lo[axis] || now->hi[axis] < was->hi[axis]) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: dimension %d (%s): the array has cells [%lld, %lld) and the "
                             "variable [%lld, %lld); NetCDF cannot shorten a dimension: write to a "
                             "new file, or grow the array over them",
                             path, axis, name, (long long)now->lo[axis], (long long)now->hi[axis],
                             (long long)was->lo[axis], (long long)was->hi[axis]);
    }
    if (want != have && xta__description_text(&job->there, axis, NC_UNLIMITED_AXIS) == NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: dimension %d (%s): the array has %lld cells and the dimension is "
                             "fixed at %lld; define it with NC_UNLIMITED in a new file and write "
                             "to that",
                             path, axis, name, want, have);
    }
    for (int d = 0; d < axis; d++) {
        bool differs = now->lo[d] - was->lo[d] != now->lo[axis] - was->lo[axis] ||
                       now->hi[d] - was->hi[d] != now->hi[axis] - was->hi[axis];
        if (job->source->dimension[d] == job->source->dimension[axis] && differs) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: axes %d and %d are one dimension and must grow alike", path,
                                 d, axis);
        }
    }
    return XTA_OK;
}

/* Under the lock. Whether the file can be written; a file in define mode is left in it. */
static xta_status check_writable(const write_job *job, xta_error *err)
{
    int code = nc_redef(job->source->root);
    if (code == NC_EPERM) {
        return xta_error_set(err, XTA_EACCESS, 0,
                             "%s: the file was opened read-only; open it with NC_WRITE",
                             job->source->path);
    }
    return xta__netcdf_status(code == NC_EINDEFINE ? NC_NOERR : code, job->source->path,
                              "cannot write to it", err);
}

/* All that can be refused. Nothing is written here. */
static xta_status prepare_write(write_job *job, int varid, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta__mapping_check_format(job->map, MAP_NETCDF, "xtaNetCDFmap", err));
    XTA_TRY(check_file(job->map, err));
    XTA_TRY(xta__mapping_open_netcdf(job->map->group, varid, &job->there, job->origin, &job->source,
                                     err));
    XTA_TRY(xta__mapping_check_cells(job->map, &job->there, job->source->path, err));
    job->bounds = xta_array_bounds(job->map->array);
    job->was.ndim = job->there.ndim;
    for (int axis = 0; axis < job->there.ndim; axis++) {
        job->was.lo[axis] = job->origin[axis];
        job->was.hi[axis] = job->origin[axis] + job->there.bounds[axis];
        XTA_TRY(check_axis(job, axis, err));
    }
    XTA_TRY(xta__mapping_slabs_init(&job->slabs, job->map, job->source->path, err));
    XTA_TRY(xta__mapping_changed_attributes(job->map->array, &job->there, &job->now, err));
    xta__netcdf_lock();
    status = xta__mapping_neighbours_find(job->source, job->map, &job->was, &job->neighbours, err);
    if (status == XTA_OK) {
        status = check_writable(job, err);
    }
    xta__netcdf_unlock();
done:
    return status;
}

/* Under the lock. Leave define mode, for cells. */
static int end_definitions(const write_job *job)
{
    int code = nc_enddef(job->source->root);
    return code == NC_ENOTINDEFINE ? NC_NOERR : code;
}

static xta_status write_box(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    const netcdf_source *source = state;
    xta__netcdf_lock();
    int code = xta__netcdf_put(source->group, source->variable, source->ndim, box, cells);
    xta__netcdf_unlock();
    return xta__netcdf_status(code, source->path, "cannot write cells", err);
}

/* Under the lock. Enter define mode, for attributes. */
static int begin_definitions(const write_job *job)
{
    int code = nc_redef(job->source->root);
    return code == NC_EINDEFINE ? NC_NOERR : code;
}

/* Under the lock. Origins of all that moved; that of the variable unless it is 0 and always was. */
static int write_origins(const write_job *job)
{
    const netcdf_source *source = job->source;
    bool moved = false;
    for (int axis = 0; axis < source->ndim; axis++) {
        moved = moved || job->bounds.lo[axis] != 0 || job->origin[axis] != 0;
    }
    int code = begin_definitions(job);
    if (code == NC_NOERR && moved) {
        code =
            xta__mapping_put_origin(source->group, source->variable, source->ndim, job->bounds.lo);
    }
    if (code == NC_NOERR) {
        code = xta__mapping_neighbours_write_origins(&job->neighbours);
    }
    return code == NC_NOERR ? end_definitions(job) : code;
}

/* Under the lock. Attributes that differ. */
static int write_attributes(write_job *job)
{
    const netcdf_source *source = job->source;
    int format = 0;
    nc_inq_format(source->root, &format);
    netcdf_target target = {.file = source->root, .group = source->group, .what = &job->now};
    target.has_storage = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
    target.has_strings = format == NC_FORMAT_NETCDF4;
    target.classic_model = format != NC_FORMAT_NETCDF4 && format != NC_FORMAT_CDF5;
    int code = begin_definitions(job);
    if (code == NC_NOERR) {
        code =
            xta__netcdf_write_attributes(&target, source->variable, source->type, XTA_ON_ARRAY, "");
    }
    code = code == NC_NOERR ? end_definitions(job) : code;
    return code == NC_NOERR ? nc_sync(source->root) : code;
}

/* Coordinates, other variables and origins first, so that from then on they agree, whatever happens
 * while the cells follow. */
static xta_status run_write(write_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__netcdf_lock();
    int code = end_definitions(job);
    if (code == NC_NOERR) {
        code = xta__mapping_neighbours_write(&job->neighbours, job->map->memory_bytes);
    }
    code = code == NC_NOERR ? write_origins(job) : code;
    xta__netcdf_unlock();
    XTA_TRY(xta__netcdf_status(code, job->source->path, "cannot write its coordinates", err));
    XTA_TRY(xta__mapping_store(job->map, &job->slabs, write_box, job->source, err));
    xta__netcdf_lock();
    code = write_attributes(job);
    xta__netcdf_unlock();
    XTA_TRY(xta__netcdf_status(code, job->source->path, "cannot write its attributes", err));
done:
    return status;
}

xta_status xtaNetCDFwrite(xta_mapping *xta_ndcf, int varid)
{
    xta_status status = XTA_OK;
    xta_error unused = {0};
    xta_error *err = xta_ndcf != NULL ? &xta_ndcf->error : &unused;
    write_job job = {.map = xta_ndcf};
    memset(err, 0, sizeof *err);
    xta__description_init(&job.there);
    xta__description_init(&job.now);
    XTA_TRY(prepare_write(&job, varid, err));
    XTA_TRY(run_write(&job, err));
done:
    xta__mapping_neighbours_clear(&job.neighbours);
    xta__mapping_netcdf_free(job.source);
    xta__mapping_slabs_clear(&job.slabs);
    xta__description_clear(&job.there);
    xta__description_clear(&job.now);
    return status;
}
