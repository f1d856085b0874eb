/* Import: cells and attributes from a foreign file into an array, slab by slab.
 *
 * First everything is checked, and the import refused if necessary; then attributes are set, the
 * array grows, and cells are written. An advisory lock is held from the checks to the growth, so
 * that of two imports the later one compares its coordinates with the earlier one's.
 *
 * An append that fits in memory is one call: after a kill either all of it is in the array or none.
 * An append whose rows along the growing axis are larger than memory is also one append, but
 * written in pieces: if its bounds were published first, they would promise a row that is
 * incomplete for a long time. Other processes that append wait meanwhile. Every other import is
 * recorded as unfinished work (import_work.c) together with the growth, so that no other import
 * uses the same place; cells are then written without a lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/bridge.h>

#include <xta/options.h>

#include <stdlib.h>
#include <string.h>

#include "description/check_meaning.h"
#include "description/copy_attributes.h"
#include "description/description.h"
#include "description/export_coordinates.h"
#include "description/format.h"
#include "description/import_coordinates.h"
#include "description/placement.h"
#include "registry/registry.h"
#include "transfer/cut_source.h"
#include "transfer/fold_axis.h"
#include "transfer/import_work.h"
#include "transfer/slabs.h"
#include "util/try.h"

/* The chunk shape of the source is used if its chunks have this many bytes; smaller or larger
 * chunks suit other kinds of storage. */
#define LEAST_CHUNK_BYTES 16384.0
#define MOST_CHUNK_BYTES  8388608.0

/* How long to wait for another import that is choosing its place. It holds the lock while it writes
 * cells only if it is a single append. */
#define LOCK_TIMEOUT_MS 600000

static xta_status no_such_axis(const import_job *job, xta_error *err)
{
    return xta_error_set(err, XTA_EARG, 0,
                         "%s: appending needs the name or number of an axis of array %s",
                         job->source, job->path);
}

static xta_status open_target(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    how.writable = true;
    XTA_TRY(xta_array_open(job->path, &how, &job->array, err));
    XTA_TRY(xta_array_inquire(job->array, &job->info, err));
    if (job->options.resume != NULL) {
        XTA_TRY(xta__import_resume_work(job, err));
    } else if (job->options.placement == XTA_PLACE_APPEND) {
        const char *axis = job->options.axis;
        if (axis == NULL) {
            status = no_such_axis(job, err);
            goto done;
        }
        job->side = axis[0] == '-' ? XTA_FRONT : XTA_BACK;
        XTA_TRY(
            xta_axis_find(job->array, axis[0] == '-' ? axis + 1 : axis, &job->append_axis, err));
    }
done:
    return status;
}

/* Where the source says that its first cell is. */
static xta_status read_origin(import_job *job, int64_t said[], xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta__origin_read(&job->what, job->format->origin, said, job->source, err));
    if (!job->options.no_coordinates && job->options.placement == XTA_PLACE_CREATE) {
        XTA_TRY(xta__origin_check(&job->what, said, job->source, err));
    } else {
        memset(said, 0, (size_t)job->what.ndim * sizeof said[0]);
    }
done:
    return status;
}

/* A new array begins there. Folded axes begin at 0. */
static void place_origin(import_job *job, int ndim, const int64_t said[])
{
    int n = job->options.n_fold;
    for (int axis = 0; axis < ndim && job->options.placement == XTA_PLACE_CREATE; axis++) {
        bool behind = n > 0 && axis > job->options.fold_axis;
        bool folded = n > 0 && axis == job->options.fold_axis;
        int to = axis + (behind ? n - 1 : 0);
        if (!folded && to < XTA_MAX_NDIM) {
            job->origin[to] = said[axis];
        }
    }
}

static xta_status open_source(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    int along = job->append_axis >= 0 ? job->append_axis : job->resumed_axis;
    bridge_target target = {job->array != NULL ? &job->info : NULL, along};
    const bridge_description *what = &job->what;
    int64_t said[XTA_MAX_NDIM] = {0};
    XTA_TRY(xta__format_for_import(job->source, &job->options, &job->format, err));
    XTA_TRY(job->format->open(job->source, &job->options, &target, &job->what, &job->state, err));
    XTA_TRY(read_origin(job, said, err));
    XTA_TRY(xta__cut_source(&job->options, job->format, job->source, job->state, &job->what, said,
                            &job->cut, err));
    place_origin(job, what->ndim, said);
    XTA_TRY(xta__fold_axis(&job->options, job->source, &job->what, &job->fold, err));
    if (job->fold.n > 0) { // folding needs as much again
        job->options.memory_bytes = job->options.memory_bytes / 2 + 1;
        job->fold.memory_bytes = job->options.memory_bytes;
    }
    if (job->options.type != XTA_TYPE_SAME && job->options.type != what->type) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: says itself that its type is %s; a type can be given for raw "
                               "cells only",
                               job->source, xta_type_name(what->type));
        goto done;
    }
    if (what->variable != NULL &&
        xta__description_add_text(&job->what, XTA_ON_ARRAY, BRIDGE_VARIABLE, what->variable) ==
            NULL) {
        status = xta__bridge_no_memory(job->source, err);
        goto done;
    }
    double bytes = (double)what->cell_bytes;
    for (int axis = 0; axis < what->ndim; axis++) {
        bytes *= (double)what->bounds[axis];
    }
    job->total_bytes = (uint64_t)bytes;
done:
    return status;
}

static bool chunk_fits(const import_job *job)
{
    const bridge_description *what = &job->what;
    double bytes = (double)what->cell_bytes;
    for (int axis = 0; axis < what->ndim; axis++) {
        bytes *= (double)what->chunk[axis];
    }
    bool powers = job->options.order != XTA_ROW && job->options.order != XTA_COLUMN;
    return !powers && bytes >= LEAST_CHUNK_BYTES && bytes <= MOST_CHUNK_BYTES;
}

static xta_status create_target(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    const bridge_description *what = &job->what;
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    xta_box box = {.ndim = what->ndim};
    int64_t first[XTA_MAX_NDIM];
    how.order = job->options.order;
    how.fill = what->fill;
    how.names = (const char *const *)what->name;
    how.cell_bytes = (uint32_t)what->cell_bytes;
    how.chunk = job->options.chunk;
    if (how.chunk == NULL && chunk_fits(job)) {
        how.chunk = what->chunk;
    }
    plan.verb = XTA_WORK_IMPORT;
    plan.source = job->source;
    plan.box = &box;
    for (int axis = 0; axis < what->ndim; axis++) {
        job->axes[axis] = axis;
        job->at[axis] = job->origin[axis];
        box.lo[axis] = job->origin[axis];
        box.hi[axis] = job->origin[axis] + what->bounds[axis];
    }
    xta__origin_first_bounds(what->ndim, box.hi, first);
    XTA_TRY(xta_work_create_array(job->path, what->type, what->ndim, first, &how, &plan,
                                  &job->array, &job->work, err));
    job->created = true;
    XTA_TRY(xta__origin_move_bounds(job->array, box.lo, box.hi, err));
    XTA_TRY(xta_array_inquire(job->array, &job->info, err));
done:
    return status;
}

/* Appended cells must cover the other axes completely. */
static xta_status check_cover(const import_job *job, xta_error *err)
{
    const xta_box *bounds = &job->info.bounds;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        long long have = (long long)(job->box.hi[axis] - job->box.lo[axis]);
        long long need = (long long)(bounds->hi[axis] - bounds->lo[axis]);
        if (axis != job->append_axis && have != need) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: has %lld cells on axis %d (%s) of array %s, which has %lld; "
                                 "give coordinates to place it elsewhere",
                                 job->source, have, axis, xta_axis_name(job->array, axis),
                                 job->path, need);
        }
    }
    return XTA_OK;
}

static xta_status find_placement(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box *bounds = &job->info.bounds;
    const bridge_description *what = &job->what;
    if (what->type != job->info.type && (what->type == XTA_BYTES || job->info.type == XTA_BYTES)) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: cells of type %s do not go into array %s of %s", job->source,
                             xta_type_name(what->type), job->path, xta_type_name(job->info.type));
    }
    if (what->type == XTA_BYTES && what->cell_bytes != job->info.cell_bytes) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: cells of %zu bytes do not go into array %s, whose have %zu",
                             job->source, what->cell_bytes, job->path, job->info.cell_bytes);
    }
    XTA_TRY(xta__placement_match_axes(job->array, what, job->source, job->axes, err));
    memcpy(job->at, bounds->lo, sizeof job->at);
    if (job->options.placement == XTA_PLACE_AT && job->options.at != NULL) {
        memcpy(job->at, job->options.at, (size_t)bounds->ndim * sizeof job->at[0]);
    } else if (job->options.placement == XTA_PLACE_AT) {
        XTA_TRY(xta__placement_locate(job->array, what, job->axes, job->source, job->at, err));
    } else {
        job->at[job->append_axis] = bounds->hi[job->append_axis];
    }
done:
    return status;
}

/* Compute the box of the cells; to append at the front, its length must be known first. */
static xta_status find_box(import_job *job, xta_error *err)
{
    const bridge_description *what = &job->what;
    int ndim = job->info.ndim;
    int64_t length[XTA_MAX_NDIM];
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        length[axis] = 1; // an axis that the source lacks
    }
    for (int k = 0; k < what->ndim; k++) {
        length[job->axes[k]] = what->bounds[k];
    }
    if (job->append_axis >= 0 && job->side == XTA_FRONT) {
        job->at[job->append_axis] =
            job->info.bounds.lo[job->append_axis] - length[job->append_axis];
    }
    job->box.ndim = ndim;
    for (int axis = 0; axis < ndim; axis++) {
        int64_t limit = INT64_MAX / 4;
        if (job->at[axis] > limit || job->at[axis] < -limit || length[axis] > limit) {
            return xta_error_set(err, XTA_EOVERFLOW, 0, "%s: axis %d: coordinate %lld is too large",
                                 job->source, axis, (long long)job->at[axis]);
        }
        job->box.lo[axis] = job->at[axis];
        job->box.hi[axis] = job->at[axis] + length[axis];
    }
    return job->append_axis >= 0 ? check_cover(job, err) : XTA_OK;
}

/* Read a box of the source. */
static xta_status read_box(import_job *job, const xta_box *box, xta_error *err)
{
    return job->fold.n > 0 ? xta__fold_read(&job->fold, &job->cut.source, box, job->cells, err)
                           : xta__selected_read(&job->cut.source, box, job->cells, err);
}

/* Read a slab, given in array coordinates, from the source. */
static xta_status read_slab(import_job *job, const xta_box *slab, xta_error *err)
{
    xta_box box;
    box.ndim = job->what.ndim;
    for (int k = 0; k < box.ndim; k++) {
        int axis = job->axes[k];
        box.lo[k] = slab->lo[axis] - job->at[axis];
        box.hi[k] = slab->hi[axis] - job->at[axis];
    }
    return read_box(job, &box, err);
}

static xta_status report_progress(const import_job *job, xta_error *err)
{
    const xta_progress *progress = &job->options.progress;
    if (progress->report != NULL &&
        progress->report(progress->user, job->done_bytes, job->total_bytes) != 0) {
        return xta_error_set(err, XTA_ECANCELLED, 0, "%s: import was stopped after %llu bytes",
                             job->source, (unsigned long long)job->done_bytes);
    }
    return XTA_OK;
}

static xta_status add_progress(import_job *job, const xta_box *slab, xta_error *err)
{
    uint64_t n = 0;
    if (xta_box_cells(slab, &n) != XTA_OK) {
        n = 0;
    }
    job->done_bytes += n * job->what.cell_bytes;
    return report_progress(job, err);
}

static xta_io_options memory_of(const import_job *job)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = job->what.type;
    io.order = job->what.order;
    return io;
}

static xta_status allocate_slab(import_job *job, uint64_t cells, xta_error *err)
{
    job->cells = malloc((size_t)(cells * job->what.cell_bytes) + 1);
    return job->cells != NULL ? XTA_OK : xta__bridge_no_memory(job->source, err);
}

/* Axes of the array from the slowest to the fastest in the source; those that it lacks come
 * first. */
static void slow_axes(const import_job *job, int slow[])
{
    bool taken[XTA_MAX_NDIM] = {false};
    int n = 0;
    for (int k = 0; k < job->what.ndim; k++) {
        taken[job->axes[k]] = true;
    }
    for (int axis = 0; axis < job->info.ndim; axis++) {
        if (!taken[axis]) {
            slow[n++] = axis;
        }
    }
    for (int k = 0; k < job->what.ndim; k++) {
        slow[n++] = job->axes[job->what.slow[k]];
    }
}

/* Import slab by slab, into the reserved place or, if `appending` is not NULL, as an append. */
static xta_status import_slabs(import_job *job, xta_appending *appending, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_slabs slabs;
    xta_box slab;
    int slow[XTA_MAX_NDIM];
    xta_io_options io = memory_of(job);

    slow_axes(job, slow);
    xta__slabs_init(&slabs, &job->box, job->info.chunk, slow, job->what.cell_bytes,
                    job->options.memory_bytes);
    XTA_TRY(allocate_slab(job, slabs.cells, err));
    while (xta__slabs_next(&slabs, &slab)) {
        XTA_TRY(read_slab(job, &slab, err));
        XTA_TRY(appending != NULL ? xta_append_write(appending, &slab, &io, job->cells, err)
                                  : xta_array_write(job->array, &slab, &io, job->cells, err));
        XTA_TRY(add_progress(job, &slab, err));
    }
done:
    return status;
}

static xta_status bring_slabs(void *user, xta_appending *appending, const xta_box *slab,
                              xta_error *err)
{
    import_job *job = user;
    xta_status status = xta__import_check_place(job, slab, err);
    return status == XTA_OK ? import_slabs(job, appending, err) : status;
}

/* Read the whole source, wherever it will go. */
static xta_status read_whole(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box box = {.ndim = job->what.ndim};
    memcpy(box.hi, job->what.bounds, (size_t)box.ndim * sizeof box.hi[0]);
    uint64_t cells = 0;
    XTA_TRY(xta_box_cells(&box, &cells));
    XTA_TRY(allocate_slab(job, cells, err));
    XTA_TRY(read_box(job, &box, err));
done:
    return status;
}

/* Whether this is a new append, not the continuation of an interrupted one. */
static bool appends_anew(const import_job *job)
{
    return job->options.placement == XTA_PLACE_APPEND && job->options.resume == NULL;
}

/* Whether the cells can be appended by one call. */
static bool fits_at_once(const import_job *job)
{
    return appends_anew(job) && job->total_bytes <= job->options.memory_bytes;
}

static xta_growth growth_of(const import_job *job)
{
    int axis = job->append_axis;
    return (xta_growth){axis, job->side, job->box.hi[axis] - job->box.lo[axis]};
}

/* Whether a single row of the append, which has at least one, exceeds the memory. */
static bool rows_are_large(const import_job *job)
{
    return appends_anew(job) &&
           job->total_bytes / (uint64_t)growth_of(job).by > job->options.memory_bytes;
}

/* Append in pieces; the array grows once all cells are written. */
static xta_status append_slabs(import_job *job, xta_error *err)
{
    xta_growth growth = growth_of(job);
    return xta_array_append_from(job->array, &growth, bring_slabs, job, NULL, err);
}

/* Append all cells and grow in one call. Programs that do not take the lock may append too; if one
 * did meanwhile, the cells are elsewhere, and their coordinates would be wrong. */
static xta_status append_whole(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    int axis = job->append_axis;
    xta_growth growth = growth_of(job);
    xta_io_options io = memory_of(job);
    xta_box after;
    XTA_TRY(xta_array_append(job->array, &growth, &io, job->cells, &after, err));
    int64_t first = job->side == XTA_FRONT ? after.lo[axis] : after.hi[axis] - growth.by;
    if (first != job->box.lo[axis]) {
        status = xta_error_set(err, XTA_ESTATE, 0,
                               "%s: another program appended to array %s on axis %d meanwhile: its "
                               "cells went to coordinate %lld and have no labels there; use "
                               "xta_array_lock in that program",
                               job->source, job->path, axis, (long long)first);
    }
done:
    return status;
}

static xta_status check_options(import_job *job, const xta_import_options *options, xta_error *err)
{
    job->options = (xta_import_options)XTA_IMPORT_OPTIONS_INIT;
    xta_status status =
        xta_options_read(&job->options, sizeof job->options, options, "xta_import_options", err);
    if (status != XTA_OK) {
        return status;
    }
    if (job->options.memory_bytes == 0) {
        job->options.memory_bytes = BRIDGE_MEMORY_BYTES;
    }
    if (job->options.resume != NULL) {
        job->options.placement = XTA_PLACE_AT; // at the box of the interrupted work
    }
    return XTA_OK;
}

static void drop_coordinates(import_job *job)
{
    xta__coordinates_drop(&job->what);
    if (job->options.placement != XTA_PLACE_CREATE) {
        xta__description_remove(&job->what, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM);
    }
}

static xta_status check_placement(const import_job *job, xta_error *err)
{
    return job->options.no_coordinates ? XTA_OK
                                       : xta__coordinates_check(job->array, &job->what, job->axes,
                                                                job->at, job->source, err);
}

/* Choose where the cells go; the lock must be held. */
static xta_status choose_placement(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    if (!job->created) {
        XTA_TRY(xta_array_refresh(job->array, NULL, err));
        XTA_TRY(xta_array_inquire(job->array, &job->info, err));
        XTA_TRY(find_placement(job, err));
    }
    XTA_TRY(find_box(job, err));
    if (job->resumed.ndim > 0 && !xta_box_equal(&job->resumed, &job->box)) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: has another shape than what was to go into array %s; give the "
                               "same source and options as then, or undo the work",
                               job->source, job->path);
        goto done;
    }
    if (!job->created) {
        XTA_TRY(xta__check_meaning(job->array, &job->what, job->axes, job->at, job->source, err));
        XTA_TRY(check_placement(job, err));
    }
    // Before the array grows: coordinates beyond the bounds have no meaning, but cells without
    // coordinates would be wrong.
    XTA_TRY(xta__copy_attributes_to(job->array, &job->what, job->axes, job->at, err));
done:
    return status;
}

static xta_status claim_placement(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta_array_lock(job->array, LOCK_TIMEOUT_MS, &job->lock, err));
    XTA_TRY(choose_placement(job, err));
    if (xta_box_empty(&job->box)) {
        goto done;
    }
    if (fits_at_once(job)) {
        XTA_TRY(append_whole(job, err));
        xta_error too_late = {0};
        (void)!add_progress(job, &job->box, &too_late);
    } else if (rows_are_large(job)) {
        XTA_TRY(append_slabs(job, err));
    } else if (job->work == NULL) {
        XTA_TRY(xta__import_begin_work(job, err));
    }
done:
    xta_lock_release(job->lock);
    job->lock = NULL;
    return status;
}

static xta_status import_run(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    if (job->options.placement != XTA_PLACE_CREATE) {
        XTA_TRY(open_target(job, err));
    }
    XTA_TRY(open_source(job, err));
    if (job->options.no_coordinates) {
        drop_coordinates(job);
    }
    if (job->options.placement == XTA_PLACE_CREATE) {
        XTA_TRY(create_target(job, err));
    } else if (fits_at_once(job)) {
        // The source is read before other processes have to wait.
        XTA_TRY(read_whole(job, err));
        XTA_TRY(report_progress(job, err));
    }
    XTA_TRY(claim_placement(job, err));
    if (job->work != NULL) {
        XTA_TRY(import_slabs(job, NULL, err));
    }
done:
    return status;
}

xta_status xta_import(const char *source, const char *path, const xta_import_options *options,
                      xta_box *written, xta_error *err)
{
    import_job job = {.source = source, .path = path, .append_axis = -1, .resumed_axis = -1};
    xta_status status = check_options(&job, options, err);
    if (status != XTA_OK) {
        return status;
    }
    xta__description_init(&job.what);

    status = import_run(&job, err);

    if (job.state != NULL) {
        job.format->close(job.state);
    }
    status = xta__import_end_work(&job, status, err);
    if (status == XTA_OK && written != NULL) {
        *written = job.box;
    }
    free(job.cells);
    xta__cut_clear(&job.cut);
    xta__description_clear(&job.what);
    return status;
}
