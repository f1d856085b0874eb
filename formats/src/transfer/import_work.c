/* The mark of unfinished work that an import sets, until it is finished or undone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/import_work.h"

#include <string.h>

#include "description/origin.h"
#include "util/try.h"

/* The growth needed for a box, where it exceeds the bounds. */
static int growths_to(const xta_box *bounds, const xta_box *box, xta_growth growths[])
{
    int n = 0;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        if (box->lo[axis] < bounds->lo[axis]) {
            growths[n++] = (xta_growth){axis, XTA_FRONT, bounds->lo[axis] - box->lo[axis]};
        }
        if (box->hi[axis] > bounds->hi[axis]) {
            growths[n++] = (xta_growth){axis, XTA_BACK, box->hi[axis] - bounds->hi[axis]};
        }
    }
    return n;
}

xta_status xta__import_check_place(const import_job *job, const xta_box *got, xta_error *err)
{
    return xta_box_equal(got, &job->box)
               ? XTA_OK
               : xta_error_set(err, XTA_ESTATE, 0,
                               "%s: another program changed the bounds of array %s meanwhile; "
                               "import again, or use xta_array_lock in that program",
                               job->source, job->path);
}

xta_status xta__import_begin_work(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_growth growths[2 * XTA_MAX_NDIM];
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    xta_box got;

    plan.verb = XTA_WORK_APPEND;
    plan.source = job->source;
    plan.growths = growths;
    plan.n_growths = growths_to(&job->info.bounds, &job->box, growths);
    if (job->append_axis < 0) {
        plan.box = &job->box; // else the added cells, wherever they are placed
    }
    XTA_TRY(xta_work_begin(job->array, &plan, &got, &job->work, err));
    XTA_TRY(xta__import_check_place(job, &got, err));
done:
    return status;
}

/* ---- resuming ---- */

typedef struct wanted_work {
    const uint8_t *id;
    xta_box box;
    xta_box before;
    bool created;
    bool found;
} wanted_work;

static int find_resumed(void *user, const xta_unfinished *work)
{
    wanted_work *wanted = user;
    if (memcmp(work->id, wanted->id, sizeof work->id) == 0) {
        wanted->box = work->box;
        wanted->before = work->created_array ? work->box : work->before;
        wanted->created = work->created_array;
        wanted->found = true;
    }
    return 0;
}

/* Whether an array was created for this box and the import killed before it was moved there. */
static bool is_on_the_way(const xta_box *bounds, const xta_box *box)
{
    bool is = true;
    for (int axis = 0; axis < box->ndim; axis++) {
        is = is && bounds->hi[axis] == (box->hi[axis] > 0 ? box->hi[axis] : 0) &&
             (bounds->lo[axis] == 0 || bounds->lo[axis] == box->lo[axis]);
    }
    return is;
}

xta_status xta__import_resume_work(import_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    wanted_work wanted = {.id = job->options.resume};

    XTA_TRY(xta_work_resume(job->array, wanted.id, &job->work, err));
    XTA_TRY(xta_array_unfinished(job->array, find_resumed, &wanted, err));
    if (!wanted.found) {
        status = xta_error_set(err, XTA_ENOENT, 0, "%s: this work was ended meanwhile", job->path);
        goto done;
    }
    xta_box bounds = xta_array_bounds(job->array);
    if (wanted.created && is_on_the_way(&bounds, &wanted.box)) {
        XTA_TRY(xta__origin_move_bounds(job->array, wanted.box.lo, wanted.box.hi, err));
        XTA_TRY(xta_array_inquire(job->array, &job->info, err));
    }
    memcpy(job->resumed_at, wanted.box.lo, sizeof job->resumed_at);
    job->options.at = job->resumed_at;
    job->resumed = wanted.box;
    xta_growth growths[2 * XTA_MAX_NDIM];
    if (growths_to(&wanted.before, &wanted.box, growths) == 1) {
        job->resumed_axis = growths[0].axis;
    }
done:
    return status;
}

/* ---- the end ---- */

/* Append a sentence to an error message. */
static void add_to(xta_error *err, const char *more, const char *path)
{
    xta_error first;
    if (err != NULL) {
        first = *err;
        (void)!xta_error_set(err, first.status, first.os_errno, "%s; %s %s", first.text, more,
                             path);
    }
}

static void undo_growth(import_job *job, const uint8_t id[16], xta_error *err)
{
    if (job->options.resume != NULL) {
        add_to(err, "the work is still unfinished, see xta info", job->path);
    } else if (xta_work_undo(job->path, id, false, NULL, NULL) != XTA_OK) {
        // Existing cells may have been overwritten, and their old values are unknown.
        add_to(err,
               "what it wrote is marked as unfinished: import again with --resume, or xta undo",
               job->path);
    }
}

xta_status xta__import_end_work(import_job *job, xta_status status, xta_error *err)
{
    uint8_t id[16];
    bool marked = job->work != NULL;

    if (marked) {
        memcpy(id, xta_work_id(job->work), sizeof id);
    }
    if (status == XTA_OK && marked) {
        status = xta_work_end(job->array, job->work, err);
        job->work = NULL;
    }
    if (!job->created) {
        xta_work_abandon(job->work); // undoing the work needs its lock
        job->work = NULL;
    }
    xta_status closed = xta_array_close(job->array, status == XTA_OK ? err : NULL);
    status = status == XTA_OK ? closed : status;
    job->array = NULL;
    if (status != XTA_OK && job->created) {
        // only the first failure is reported
        xta_status deleted = xta_array_delete(job->path, NULL);
        (void)deleted;
    } else if (status != XTA_OK && marked) {
        undo_growth(job, id, err);
    }
    xta_work_abandon(job->work);
    job->work = NULL;
    return status;
}
