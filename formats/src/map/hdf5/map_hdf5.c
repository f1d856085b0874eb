/* A dataset of HDF5 as an array, and back ([CXA] 7.3).
 *
 * A write goes in two halves: what can be refused, and all memory, come first and touch nothing;
 * then the dataset is resized, scales and the origin are written, and then cells and attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/map_hdf5.h>

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/origin.h"
#include "hdf5/base/library.h"
#include "hdf5/dataset.h"
#include "hdf5/write_attributes.h"
#include "map/attributes.h"
#include "map/handle.h"
#include "map/hdf5/handle_hdf5.h"
#include "map/hdf5/objects_hdf5.h"
#include "map/hdf5/scales.h"
#include "map/transfer.h"
#include "util/try.h"

xta_mapping *xtaHDFmap(hid_t dathdl, const xta_mapping_options *options, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    int64_t origin[XTA_MAX_NDIM];
    hdf5_file *f = NULL;
    xta_mapping *map = NULL;
    xta__clear(err);
    xta__description_init(&what);
    XTA_TRY(xta__mapping_new(MAP_HDF5, options, &map, err));
    XTA_TRY(xta__mapping_open_hdf5(dathdl, &what, origin, &f, err));
    XTA_TRY(xta__mapping_create_array(map, &what, origin, f->path, err));
    XTA_TRY(xta__mapping_hdf5_objects(f, map, err));
    XTA_TRY(xta__mapping_load(map, &what, NULL, xta__hdf5_read, f, f->path, err));
done:
    if (f != NULL) {
        xta__hdf5_close(f);
    }
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
    hdf5_file *f;
    bridge_description there; /* the dataset as it is */
    bridge_description now;   /* the attributes that are to change */
    int64_t origin[XTA_MAX_NDIM];
    xta_box was; /* in coordinates of the array */
    xta_box bounds;
    map_scales scales;
    map_slabs slabs;
} write_job;

/* Under the lock. */
static xta_status check_axis(const write_job *job, int axis, hsize_t most, xta_error *err)
{
    const hdf5_file *f = job->f;
    unsigned long long have = f->bounds[axis];
    unsigned long long want = (unsigned long long)(job->bounds.hi[axis] - job->bounds.lo[axis]);
    const char *name = xta_axis_name(job->map->array, axis);
    if (have == want) {
        return XTA_OK;
    }
    if (H5Pget_layout(f->properties) != H5D_CHUNKED) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: axis %d (%s): the array has %llu cells and the dataset %llu, "
                             "which is not chunked and cannot be resized; create a chunked one "
                             "with maximum H5S_UNLIMITED and write to that",
                             f->path, axis, name, want, have);
    }
    if (most != H5S_UNLIMITED && want > most) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: axis %d (%s): the array has %llu cells and the dataset can have "
                             "%llu at most; create one with maximum H5S_UNLIMITED there and write "
                             "to that",
                             f->path, axis, name, want, (unsigned long long)most);
    }
    return XTA_OK;
}

/* Under the lock. */
static xta_status check_target(write_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_file *f = job->f;
    hsize_t most[XTA_MAX_NDIM];
    unsigned intent = 0;
    if (H5Fget_intent(f->file, &intent) < 0 || (intent & H5F_ACC_RDWR) == 0) {
        return xta_error_set(err, XTA_EACCESS, 0,
                             "%s: the file was opened read-only; open it with H5F_ACC_RDWR",
                             f->path);
    }
    H5Sget_simple_extent_dims(f->space, NULL, most);
    for (int axis = 0; axis < f->ndim; axis++) {
        XTA_TRY(check_axis(job, axis, most[axis], err));
    }
    XTA_TRY(xta__mapping_scales_find(f, job->map, &job->was, &job->scales, err));
done:
    return status;
}

/* All that can be refused. Nothing is written here. */
static xta_status prepare_write(write_job *job, hid_t dathdl, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta__mapping_check_format(job->map, MAP_HDF5, "xtaHDFmap", err));
    XTA_TRY(xta__mapping_open_hdf5(dathdl, &job->there, job->origin, &job->f, err));
    XTA_TRY(xta__mapping_check_cells(job->map, &job->there, job->f->path, err));
    job->bounds = xta_array_bounds(job->map->array);
    job->was.ndim = job->there.ndim;
    for (int axis = 0; axis < job->there.ndim; axis++) {
        job->was.lo[axis] = job->origin[axis];
        job->was.hi[axis] = job->origin[axis] + job->there.bounds[axis];
    }
    XTA_TRY(xta__mapping_slabs_init(&job->slabs, job->map, job->f->path, err));
    XTA_TRY(xta__mapping_changed_attributes(job->map->array, &job->there, &job->now, err));
    xta__hdf5_enter();
    status = check_target(job, err);
    xta__hdf5_leave();
done:
    return status;
}

/* Under the lock. */
static xta_status resize(write_job *job, xta_error *err)
{
    hdf5_file *f = job->f;
    bool same = true;
    for (int axis = 0; axis < f->ndim; axis++) {
        hsize_t length = (hsize_t)(job->bounds.hi[axis] - job->bounds.lo[axis]);
        same = same && length == f->bounds[axis];
        f->bounds[axis] = length;
    }
    if (!same) {
        bool good = H5Dset_extent(f->dataset, f->bounds) >= 0;
        H5Sclose(f->space);
        f->space = H5Dget_space(f->dataset);
        if (!good) {
            return xta__hdf5_failed(f->path, "cannot resize it", err);
        }
    }
    return XTA_OK;
}

/* Under the lock. The coordinates of the first cell, unless they are all 0 and always were. */
static bool write_origin(const write_job *job)
{
    hid_t dataset = job->f->dataset;
    hsize_t n = (hsize_t)job->f->ndim;
    bool there = H5Aexists(dataset, BRIDGE_ORIGIN) > 0;
    bool moved = false;
    for (int axis = 0; axis < job->f->ndim; axis++) {
        moved = moved || job->bounds.lo[axis] != 0;
    }
    if (!there && !moved) {
        return true;
    }
    if (there && H5Adelete(dataset, BRIDGE_ORIGIN) < 0) {
        return false;
    }
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t attribute =
        H5Acreate2(dataset, BRIDGE_ORIGIN, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, job->bounds.lo) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return good;
}

/* Under the lock. Bounds, scales and origin, so that from then on they agree, whatever happens
 * while the cells follow. */
static xta_status write_frame(write_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(resize(job, err));
    XTA_TRY(xta__mapping_scales_write(&job->scales, job->f->path, err));
    if (!write_origin(job)) {
        status = xta__hdf5_failed(job->f->path, "cannot write its origin", err);
    }
done:
    return status;
}

/* Under the lock. */
static xta_status finish(const write_job *job, xta_error *err)
{
    bool good = xta__hdf5_write_attributes(job->f->dataset, &job->now, XTA_ON_ARRAY, "") &&
                H5Fflush(job->f->dataset, H5F_SCOPE_LOCAL) >= 0;
    return good ? XTA_OK : xta__hdf5_failed(job->f->path, "cannot write its attributes", err);
}

static xta_status run_write(write_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    status = write_frame(job, err);
    xta__hdf5_leave();
    if (status != XTA_OK) {
        return status;
    }
    XTA_TRY(xta__mapping_store(job->map, &job->slabs, xta__hdf5_write_box, job->f, err));
    xta__hdf5_enter();
    status = finish(job, err);
    xta__hdf5_leave();
done:
    return status;
}

xta_status xtaHDFwrite(xta_mapping *xta_hdf, hid_t dathdl)
{
    xta_status status = XTA_OK;
    xta_error unused = {0};
    xta_error *err = xta_hdf != NULL ? &xta_hdf->error : &unused;
    write_job job = {.map = xta_hdf};
    memset(err, 0, sizeof *err);
    xta__description_init(&job.there);
    xta__description_init(&job.now);
    XTA_TRY(prepare_write(&job, dathdl, err));
    XTA_TRY(run_write(&job, err));
done:
    xta__hdf5_enter();
    xta__mapping_scales_clear(&job.scales);
    xta__hdf5_leave();
    if (job.f != NULL) {
        xta__hdf5_close(job.f);
    }
    xta__mapping_slabs_clear(&job.slabs);
    xta__description_clear(&job.there);
    xta__description_clear(&job.now);
    return status;
}
