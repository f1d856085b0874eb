/* Exporting a data set to a file, which appears when it is complete.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/export_set.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>
#include <xta/work.h>

#include "common/local_path.h"
#include "description/format.h"
#include "netcdf/netcdf.h"
#include "sets/target.h"
#include "transfer/destination.h"
#include "transfer/slabs.h"
#include "util/try.h"

typedef struct set_export {
    xta_dataset_export_options options;
    bridge_format format;
    set_target target;
    bridge_destination to;
    uint64_t done_bytes, total_bytes;
} set_export;

static xta_status add_progress(set_export *job, uint64_t bytes, xta_error *err)
{
    const xta_progress *progress = &job->options.progress;

    job->done_bytes += bytes;
    if (progress->report != NULL &&
        progress->report(progress->user, job->done_bytes, job->total_bytes) != 0) {
        return xta_error_set(err, XTA_ECANCELLED, 0, "%s: export was stopped after %llu bytes",
                             job->target.path, (unsigned long long)job->done_bytes);
    }
    return XTA_OK;
}

static xta_status export_regular(set_export *job, const set_target_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box box = {.ndim = 1, .lo = {0}, .hi = {v->hi - v->lo}};
    size_t bytes = (size_t)(v->hi - v->lo) * xta_type_bytes(v->regular.type);
    void *values = malloc(bytes + 1);

    if (values == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->target.path, err));
    }
    xta_regular_values(&v->regular, v->lo, v->hi, values);
    XTA_TRY(xta__set_write(&job->target, v, &box, values, err));

done:
    free(values);
    return status;
}

static xta_status export_member(set_export *job, const set_target_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_box bounds = v->box;
    xta_box slab, box;
    xta_array_info info;
    bridge_slabs slabs;
    uint64_t n = 0;
    size_t cell_bytes = xta_array_cell_bytes(v->array);
    void *cells = NULL;

    if (!job->options.allow_unfinished) {
        XTA_TRY(xta_array_check_finished(v->array, err));
    }
    XTA_TRY(xta_array_inquire(v->array, &info, err));
    xta__slabs_init(&slabs, &bounds, info.chunk, v->what.slow, cell_bytes,
                    job->options.memory_bytes);
    cells = malloc((size_t)(slabs.cells * cell_bytes) + 1);
    if (cells == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->target.path, err));
    }
    while (xta__slabs_next(&slabs, &slab)) {
        XTA_TRY(xta_array_read(v->array, &slab, NULL, cells, err));
        box = slab;
        for (int axis = 0; axis < box.ndim; axis++) {
            box.lo[axis] -= bounds.lo[axis];
            box.hi[axis] -= bounds.lo[axis];
        }
        XTA_TRY(xta__set_write(&job->target, v, &box, cells, err));
        XTA_TRY(xta_box_cells(&slab, &n));
        XTA_TRY(add_progress(job, n * cell_bytes, err));
    }

done:
    free(cells);
    return status;
}

static uint64_t bytes_of(const set_target *target)
{
    uint64_t bytes = 0, n = 0;

    for (size_t k = 0; k < target->n_variables; k++) {
        xta_array *array = target->variables[k].array;
        if (array != NULL) {
            bytes += xta_box_cells(&target->variables[k].box, &n) == XTA_OK
                         ? n * xta_array_cell_bytes(array)
                         : 0;
        }
    }
    return bytes;
}

static xta_status export_all(set_export *job, xta_dataset *set, const char *local, xta_error *err)
{
    xta_status status = XTA_OK;

    job->target.select = job->options.select;
    job->target.history = job->options.history;
    XTA_TRY(xta__set_define(set, local, job->options.format, &job->target, err));
    job->total_bytes = bytes_of(&job->target);
    for (size_t k = 0; k < job->target.n_variables; k++) {
        const set_target_variable *v = &job->target.variables[k];
        XTA_TRY(v->array != NULL ? export_member(job, v, err) : export_regular(job, v, err));
    }

done:
    return status;
}

xta_status xta_dataset_export(xta_dataset *set, const char *destination,
                              const xta_dataset_export_options *options, xta_error *err)
{
    set_export job = {.target = {.path = destination, .file = -1}};
    xta_status status = XTA_OK;
    char *path = NULL, *local = NULL;

    job.options = (xta_dataset_export_options)XTA_DATASET_EXPORT_OPTIONS_INIT;
    XTA_TRY(xta_options_read(&job.options, sizeof job.options, options,
                             "xta_dataset_export_options", err));
    if (job.options.memory_bytes == 0) {
        job.options.memory_bytes = BRIDGE_MEMORY_BYTES;
    }
    // A whole file is replaced, not added to.
    job.format = xta__bridge_netcdf;
    job.format.add = NULL;
    XTA_TRY(xta__destination_begin(&job.to, destination, &job.format, job.options.overwrite, err));
    path = xta__destination_file(&job.to);
    local = path != NULL ? xta__local_path(path) : NULL;
    if (local == NULL) {
        XTA_TRY(xta__bridge_no_memory(destination, err));
    }
    status = export_all(&job, set, local, err);
    xta_status closed = xta__set_finish(&job.target, status == XTA_OK, err);
    status = status == XTA_OK ? closed : status;
    if (status == XTA_OK) {
        status = xta__destination_commit(&job.to, err);
    }
    if (status != XTA_OK) {
        xta__destination_correct_error(&job.to, err);
    }

done:
    xta__destination_end(&job.to);
    free(path);
    free(local);
    return status;
}
