/* Export: a box of an array to a foreign file, slab by slab. destination.c decides what may be
 * replaced, and moves the files into place when all of them are complete.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/bridge.h>

#include <xta/options.h>
#include <xta/work.h>

#include <stdlib.h>
#include <string.h>

#include "description/copy_attributes.h"
#include "description/description.h"
#include "description/export_coordinates.h"
#include "description/format.h"
#include "description/history.h"
#include "registry/registry.h"
#include "transfer/destination.h"
#include "transfer/slabs.h"
#include "util/try.h"

typedef struct export_job {
    xta_array *array;
    const char *destination;
    xta_export_options options;
    const bridge_format *format;
    bridge_description what;
    void *state;
    xta_box box;
    bridge_destination to;
    char *cells;
} export_job;

/* The name of the foreign variable: the requested one, else the source's, else the array's. */
static xta_status name_variable(export_job *job, xta_error *err)
{
    const char *name = job->options.variable;
    if (name == NULL) {
        name = xta__description_text(&job->what, XTA_ON_ARRAY, BRIDGE_VARIABLE);
    }
    if (name == NULL) {
        const char *path = xta_array_path(job->array);
        const char *slash = strrchr(path, '/');
        name = slash != NULL ? slash + 1 : path;
        name = name[0] != '\0' ? name : "array";
    }
    job->what.variable = xta__bridge_copy(name);
    return job->what.variable != NULL ? XTA_OK : xta__bridge_no_memory(job->destination, err);
}

static xta_status describe_export(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description *what = &job->what;
    xta_box bounds = xta_array_bounds(job->array);
    job->box = job->options.box != NULL ? *job->options.box : bounds;
    if (job->box.ndim != bounds.ndim || !xta_box_contains(&bounds, &job->box)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: the box to export leaves the bounds of array %s; see its bounds "
                             "and give a smaller one",
                             job->destination, xta_array_path(job->array));
    }
    what->type = xta_array_type(job->array);
    what->cell_bytes = xta_array_cell_bytes(job->array);
    what->ndim = bounds.ndim;
    for (int axis = 0; axis < what->ndim; axis++) {
        what->lo[axis] = job->box.lo[axis];
        what->bounds[axis] = job->box.hi[axis] - job->box.lo[axis];
    }
    XTA_TRY(xta__copy_attributes_from(job->array, what, err));
    if (job->options.no_coordinates) {
        xta__coordinates_drop(what);
    } else {
        XTA_TRY(xta__coordinates_complete(job->array, what, err));
        XTA_TRY(xta__origin_put(what, job->format->origin, job->destination, err));
    }
    XTA_TRY(xta__coordinates_cover(what, job->format->coordinates, xta_array_path(job->array),
                                   job->destination, err));
    XTA_TRY(name_variable(job, err));
done:
    return status;
}

/* The command as the first line of the history of a new file, where the format has a place for it:
 * above that of the file which the array came from, else above that of the array, which moves
 * there. */
static xta_status put_history(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *name = job->format->name;
    const char *own = xta__description_text(&job->what, XTA_ON_ARRAY, "history");
    bool of_file = xta__description_find(&job->what, XTA_ON_ARRAY, "global/history") != NULL;

    if (job->options.history == NULL || job->to.add ||
        (strcmp(name, "netcdf") != 0 && strcmp(name, "hdf5") != 0)) {
        return XTA_OK;
    }
    XTA_TRY(
        xta__description_add_history(&job->what, "global/history", job->options.history, own, err));
    if (own != NULL && !of_file) {
        xta__description_remove(&job->what, XTA_ON_ARRAY, "history");
    }

done:
    return status;
}

static xta_status open_destination(export_job *job, xta_error *err)
{
    char *path = xta__destination_file(&job->to);
    if (path == NULL) {
        return xta__bridge_no_memory(job->destination, err);
    }
    xta_status status =
        job->to.add ? job->format->add(path, &job->options, &job->what, &job->state, err)
                    : job->format->create(path, &job->options, &job->what, &job->state, err);
    free(path);
    return status;
}

static xta_status report_progress(const export_job *job, uint64_t done_bytes, uint64_t total_bytes,
                                  xta_error *err)
{
    const xta_progress *progress = &job->options.progress;
    if (progress->report != NULL &&
        progress->report(progress->user, done_bytes, total_bytes) != 0) {
        return xta_error_set(err, XTA_ECANCELLED, 0, "%s: export was stopped after %llu bytes",
                             job->destination, (unsigned long long)done_bytes);
    }
    return XTA_OK;
}

static xta_status export_cells(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_slabs slabs;
    xta_array_info info;
    xta_box slab;
    uint64_t n = 0;
    uint64_t total = 0;
    uint64_t done_bytes = 0;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.order = job->what.order;

    XTA_TRY(xta_array_inquire(job->array, &info, err));
    XTA_TRY(xta_box_cells(&job->box, &total));
    xta__slabs_init(&slabs, &job->box, info.chunk, job->what.slow, job->what.cell_bytes,
                    job->options.memory_bytes);
    job->cells = malloc((size_t)(slabs.cells * job->what.cell_bytes) + 1);
    if (job->cells == NULL) {
        status = xta__bridge_no_memory(job->destination, err);
        goto done;
    }
    while (xta__slabs_next(&slabs, &slab)) {
        XTA_TRY(xta_array_read(job->array, &slab, &io, job->cells, err));
        XTA_TRY(xta_box_cells(&slab, &n));
        for (int axis = 0; axis < slab.ndim; axis++) {
            slab.lo[axis] -= job->box.lo[axis];
            slab.hi[axis] -= job->box.lo[axis];
        }
        XTA_TRY(job->format->write(job->state, &slab, job->cells, err));
        done_bytes += n * job->what.cell_bytes;
        XTA_TRY(report_progress(job, done_bytes, total * job->what.cell_bytes, err));
    }
done:
    return status;
}

static xta_status export_run(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    if (!job->options.allow_unfinished) {
        XTA_TRY(xta_array_check_finished(job->array, err));
    }
    XTA_TRY(xta__format_for_export(job->destination, job->options.format, &job->format, err));
    XTA_TRY(describe_export(job, err));
    XTA_TRY(xta__destination_begin(&job->to, job->destination, job->format, job->options.overwrite,
                                   err));
    XTA_TRY(put_history(job, err));
    XTA_TRY(open_destination(job, err));
    XTA_TRY(export_cells(job, err));
    status = job->format->finish(job->state, err);
    job->state = NULL;
    if (status == XTA_OK) {
        XTA_TRY(xta__destination_commit(&job->to, err));
    }
done:
    return status;
}

xta_status xta_export(xta_array *array, const char *destination, const xta_export_options *options,
                      xta_error *err)
{
    export_job job = {.array = array, .destination = destination};
    job.options = (xta_export_options)XTA_EXPORT_OPTIONS_INIT;
    xta_status status =
        xta_options_read(&job.options, sizeof job.options, options, "xta_export_options", err);
    if (status != XTA_OK) {
        return status;
    }
    if (job.options.memory_bytes == 0) {
        job.options.memory_bytes = BRIDGE_MEMORY_BYTES;
    }
    xta__description_init(&job.what);

    status = export_run(&job, err);

    if (job.state != NULL) {
        job.format->abandon(job.state);
    }
    if (status != XTA_OK) {
        xta__destination_correct_error(&job.to, err);
    }
    xta__destination_end(&job.to);
    free(job.cells);
    xta__description_clear(&job.what);
    return status;
}
