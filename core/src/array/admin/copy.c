/* Copying cells from array to array, chunk by chunk in the order of the source's file, through a
 * buffer. A chunk that is larger than the buffer is halved on its slowest axes until it fits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "array/admin/replacement.h"
#include "array/io/cell.h"
#include "array/io/check_call.h"
#include "array/state/open_array.h"

#define BUFFER_BYTES ((uint64_t)4 << 20)

/* What a copy of cells needs on the way. */
typedef struct copy_job {
    xta_array *from, *to;
    const xta_box *box;
    int64_t shift[XTA_MAX_NDIM]; // from coordinates of the source to those of the target
    xta_copy_options options;
    xta_io_options io; // cells in memory are of the target's type
    size_t cell_bytes; // of the target
    uint64_t most_cells;
    uint8_t *cells;
    uint64_t n_done, n_cells;
    xta_status status; // of the walk over chunks
    xta_error *err;
} copy_job;

/* Whether all of `n` cells hold the fill value of the target. */
static bool is_fill(const copy_job *job, uint64_t n)
{
    size_t bytes = job->cell_bytes;

    return memcmp(job->cells, xta_array_fill_value(job->to), bytes) == 0 &&
           memcmp(job->cells, job->cells + bytes, (size_t)(n - 1) * bytes) == 0;
}

static xta_status move_cells(copy_job *job, const xta_box *box, uint64_t n)
{
    xta_box target = *box;
    xta_status status = XTA_OK;

    if (job->options.progress != NULL &&
        job->options.progress(job->options.user, job->n_done, job->n_cells) != 0) {
        return xta__fail(job->err, XTA_ECANCELLED, 0, "%s: the copy was stopped",
                         xta__array_name(job->to));
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        target.lo[axis] += job->shift[axis];
        target.hi[axis] += job->shift[axis];
    }
    XTA_TRY(xta_array_read(job->from, box, &job->io, job->cells, job->err));
    if (!job->options.fresh || !is_fill(job, n)) {
        XTA_TRY(xta_array_write(job->to, &target, NULL, job->cells, job->err));
    }
    job->n_done += n;

done:
    return status;
}

/* Copy a box within one chunk, in halves if it exceeds the buffer. */
static xta_status copy_box(copy_job *job, const xta_box *box)
{
    uint64_t n = 0;
    int axis = 0;
    xta_status status = xta_box_cells(box, &n);

    if (status != XTA_OK || n == 0) {
        return status;
    }
    if (n <= job->most_cells) {
        return move_cells(job, box, n);
    }
    while (box->hi[axis] - box->lo[axis] == 1) {
        axis++;
    }
    xta_box half = *box;
    half.hi[axis] = box->lo[axis] + (box->hi[axis] - box->lo[axis]) / 2;
    status = copy_box(job, &half);
    if (status == XTA_OK) {
        half.lo[axis] = half.hi[axis];
        half.hi[axis] = box->hi[axis];
        status = copy_box(job, &half);
    }
    return status;
}

static int copy_chunk(void *user, const xta_chunk *chunk)
{
    copy_job *job = user;
    const xta_box box = xta_box_intersect(&chunk->cells, job->box);

    job->status = copy_box(job, &box);
    return job->status != XTA_OK;
}

/* The options and the buffer of a copy of cells. */
static xta_status begin_job(copy_job *job, const int64_t lo[], const xta_copy_options *options,
                            xta_error *err)
{
    static const xta_copy_options defaults = XTA_COPY_OPTIONS_INIT;
    static const xta_io_options io = XTA_IO_OPTIONS_INIT;
    int ndim = xta_array_ndim(job->from);
    xta_status status = XTA_OK;

    job->err = err;
    job->options = defaults;
    job->io = io;
    XTA_TRY(xta_options_read(&job->options, sizeof job->options, options, "xta_copy_options", err));
    if (xta_array_ndim(job->to) != ndim || job->box->ndim != ndim || job->from == job->to) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: cells of %d axes in a box of %d cannot be copied to %s, of %d",
                          xta__array_name(job->from), ndim, job->box->ndim,
                          xta__array_name(job->to), xta_array_ndim(job->to)));
    }
    if (xta_box_cells(job->box, &job->n_cells) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_EOVERFLOW, 0, "%s: the box has more than 2^63 cells",
                          xta__array_name(job->from)));
    }
    for (int axis = 0; axis < ndim; axis++) {
        job->shift[axis] = lo != NULL ? lo[axis] - job->box->lo[axis] : 0;
    }
    job->io.type = xta_array_type(job->to);
    job->cell_bytes = xta_array_cell_bytes(job->to);
    uint64_t bytes = job->options.buffer_bytes > 0 ? job->options.buffer_bytes : BUFFER_BYTES;
    bytes = bytes < SIZE_MAX / 2 ? bytes : SIZE_MAX / 2;
    job->most_cells = bytes / job->cell_bytes > 0 ? bytes / job->cell_bytes : 1;
    job->most_cells = job->most_cells < job->n_cells ? job->most_cells : job->n_cells;
    job->cells = xta__calloc((size_t)job->most_cells + 1, job->cell_bytes);
    if (job->cells == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRIu64 " cells",
                          xta__array_name(job->from), job->most_cells));
    }

done:
    return status;
}

/* Whether the cells will fit: asked before any of them is moved. */
static xta_status check_target(const copy_job *job, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(job->to);

    for (int axis = 0; !xta_box_empty(job->box) && axis < bounds.ndim; axis++) {
        int64_t lo = job->box->lo[axis] + job->shift[axis];
        int64_t hi = job->box->hi[axis] + job->shift[axis];
        if (lo < bounds.lo[axis] || hi > bounds.hi[axis]) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: axis %d: cells %" PRId64 ":%" PRId64
                             " to be copied leave its bounds %" PRId64 ":%" PRId64,
                             xta__array_name(job->to), axis, lo, hi, bounds.lo[axis],
                             bounds.hi[axis]);
        }
    }
    return XTA_OK;
}

xta_status xta_array_copy_cells(xta_array *from, const xta_box *box, xta_array *to,
                                const int64_t lo[], const xta_copy_options *options, xta_error *err)
{
    copy_job job = {.from = from, .to = to, .box = box};
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(begin_job(&job, lo, options, err));
    XTA_TRY(check_target(&job, err));
    status = xta_array_each_chunk(from, box, copy_chunk, &job, err);
    // The text of the failure is already there; that the walk was ended is no news.
    status = job.status != XTA_OK ? job.status : status;

done:
    free(job.cells);
    return status;
}

/* ---- arrays ---- */

/* Copy into the array that replaces the one at `path`. */
static xta_status copy_over(xta_array *source, const char *path, const xta_box *box,
                            const xta_copy_options *o, xta_error *err)
{
    const xta__like how = {.changes = o->changes, .box = box, .type = o->type};
    xta_replacement *replacement = NULL;
    xta_array *fresh = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_replacement_begin(path, &replacement, err));
    const xta_array *old = xta_replacement_old(replacement);
    if (source->journal_file != NULL && strcmp(source->journal_file, old->journal_file) == 0) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: it cannot be replaced by a copy of itself; give another name",
                          path));
    }
    XTA_TRY(xta__replacement_create_from(replacement, source, how, &fresh, err));
    XTA_TRY(xta_array_copy_cells(source, box, fresh, NULL, o, err));
    XTA_TRY(xta_replacement_commit(replacement, err));

done:
    xta_replacement_end(replacement, false);
    return status;
}

/* Copy into a new array, which does not stay after a failure. */
static xta_status copy_new(xta_array *source, const char *path, const xta_box *box,
                           const xta_copy_options *o, xta_error *err)
{
    xta_array *array = NULL;
    xta_work *work = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_work_create_copy(source, path, o, XTA_WORK_OTHER, &array, &work, err));
    status = xta_array_copy_cells(source, box, array, NULL, o, err);
    if (status == XTA_OK) {
        status = xta_work_end(array, work, err);
        work = NULL;
    }
    xta_work_abandon(work);
    if (status != XTA_OK) {
        (void)xta_array_close(array, NULL);
        (void)!xta_array_delete(path, NULL);
    } else {
        status = xta_array_close(array, err);
    }

done:
    return status;
}

static bool exists(const char *path)
{
    xta_array *array = NULL;
    bool there = xta_array_open(path, NULL, &array, NULL) != XTA_ENOENT;

    (void)xta_array_close(array, NULL);
    return there;
}

xta_status xta_array_copy(xta_array *source, const char *path, const xta_copy_options *options,
                          xta_error *err)
{
    xta_copy_options o = XTA_COPY_OPTIONS_INIT;
    xta_box box = xta_array_bounds(source);
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_copy_options", err));
    if (o.box != NULL) {
        XTA_TRY(xta__check_box(source, o.box, &box, err));
        box = *o.box;
    }
    o.fresh = true;
    status = o.overwrite && exists(path) ? copy_over(source, path, &box, &o, err)
                                         : copy_new(source, path, &box, &o, err);

done:
    return status;
}
