/* Unfinished work: announced before its first cell is written, ended when its last one is durable.
 *
 * A lock on one byte of the data file shows whether work is live: see state/work_lock.c.
 *
 * The order of events, and what a kill leaves between them:
 *
 *   lock | WORK_BEGIN, growth, sync of the journal | cells | sync of cells | WORK_END | unlock
 *        |                                         |       |               |
 *     nothing          announced, perhaps not grown: the bounds are as they were; or
 *                      announced and grown: interrupted work, to be resumed or undone
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "array/change/extend.h"
#include "array/change/growth.h"
#include "array/handle/change_lock.h"
#include "array/handle/choose_lock.h"
#include "array/handle/commit.h"
#include "array/io/cell.h"
#include "array/state/replay.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"
#include "array/state/work_lock.h"

/* Where the bounds will be after the growths, which have been checked one by one. */
static xta_status bounds_after(xta_array *array, const xta_work_plan *plan, xta_box *after,
                               xta_error *err)
{
    xta__structure_bounds_into(array->state.structure, after);
    after->ndim = array->state.structure->ndim;
    for (int k = 0; k < plan->n_growths; k++) {
        const xta_growth *growth = &plan->growths[k];
        bool back = growth->side == XTA_BACK;
        int64_t *end = back ? &after->hi[growth->axis] : &after->lo[growth->axis];
        if (growth->by >= XTA__COORD_LIMIT - (back ? *end : -*end)) {
            return xta__fail(err, XTA_EOVERFLOW, 0,
                             "%s: axis %d: by %" PRId64 ": the bounds would pass 2^62; grow by "
                             "less",
                             xta__array_name(array), growth->axis, growth->by);
        }
        *end += back ? growth->by : -growth->by;
    }
    return XTA_OK;
}

static xta_status commit_begin(xta_array *array, const xta__work_record *record, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes payload = {0};

    if (xta__works_reserve(&array->state.works) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: there are %d pieces of unfinished work already; end them or undo "
                          "them",
                          xta__array_name(array), XTA__MOST_WORKS));
    }
    xta__encode_work(record, &payload);
    XTA_TRY(xta__commit(array, XTA__RECORD_WORK_BEGIN, &payload, err));
    if (xta__works_add(&array->state.works, record) != XTA_OK) {
        // It is in the journal but not in the list: whoever reopens the array sees it.
        xta__break(array);
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a piece of work", array->path));
    }

done:
    xta__bytes_clear(&payload);
    return status;
}

/* The part of beginning work that happens with the locks held. */
static xta_status begin_locked(xta_array *array, const xta_work_plan *plan, const xta_work *work,
                               xta__work_record *record, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box before = xta__structure_bounds(array->state.structure), after;
    char at[200], text[200];

    if (plan->n_growths > 0) {
        XTA_TRY(xta__check_growths(array, plan->growths, plan->n_growths, err));
    }
    XTA_TRY(bounds_after(array, plan, &after, err));
    xta__work_describe(plan, false, &before, &after, xta_work_id(work), record);
    if (record->box.ndim != after.ndim || !xta_box_contains(&after, &record->box)) {
        XTA_TRY(xta__fail(err, XTA_EBOX, 0, "%s: box %s of the work is outside the bounds %s",
                          xta__array_name(array), xta__box_text(&record->box, at, sizeof at),
                          xta__box_text(&after, text, sizeof text)));
    }
    XTA_TRY(commit_begin(array, record, err));
    if (plan->n_growths > 0) {
        status = xta__grow(array, plan->growths, plan->n_growths, NULL, err);
    }
    if (status == XTA_OK) {
        // Other processes may see cells of the work before its end is recorded.
        status = xta__file_sync(&array->journal.file, err);
    }
    if (status != XTA_OK) {
        xta_error ignored = {0};
        if (xta__commit_work_end(array, xta_work_id(work), true, &ignored) != XTA_OK) {
            memcpy(array->state.announced_id, xta_work_id(work), XTA__UUID_BYTES);
            array->state.announced = true; // tried again by the next change
        }
    }

done:
    return status;
}

xta_status xta_work_begin(xta_array *array, const xta_work_plan *given, xta_box *box,
                          xta_work **out, xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t id[XTA__UUID_BYTES];
    xta_work *work = NULL;
    xta__work_record *record = NULL;
    xta_work_plan plan;

    *out = NULL;
    XTA_TRY(xta__begin_change(array, "begin work that fills it", err));
    XTA_TRY(xta__work_plan_copy(&plan, given, err));
    XTA_TRY(xta__refuse_by_lock_file(array, "work in several steps", err));
    if (array->in_memory) {
        XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0,
                          "%s: unfinished work is kept in files only; write to it directly",
                          xta__array_name(array)));
    }
    record = xta__calloc(1, sizeof *record);
    if (record == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a piece of work", array->path));
    }
    XTA_TRY(xta__random_uuid(id, err));
    XTA_TRY(xta__work_new(xta__data_of(array), id, &work, err));
    XTA_TRY(xta__change_begin(array, err));
    status = begin_locked(array, &plan, work, record, err);
    xta__change_end(array);
    XTA_TRY(status);
    if (box != NULL) {
        *box = record->box;
    }
    *out = work;
    work = NULL;

done:
    xta_work_abandon(work);
    free(record);
    return status;
}

xta_status xta__work_end_locked(xta_array *array, const uint8_t id[XTA__UUID_BYTES],
                                bool taken_back, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__commit_work_end(array, id, taken_back, err));
    XTA_TRY(xta__file_sync(&array->journal.file, err));

done:
    return status;
}

xta_status xta_work_end(xta_array *array, xta_work *work, xta_error *err)
{
    xta_status status = XTA_OK;

    if (work == NULL) {
        return XTA_OK;
    }
    XTA_TRY(xta_array_sync(array, err));
    XTA_TRY(xta__change_begin(array, err));
    status = xta__work_end_locked(array, xta_work_id(work), false, err);
    xta__change_end(array);

done:
    xta_work_abandon(work);
    return status;
}

xta_status xta_work_resume(xta_array *array, const uint8_t id[16], xta_work **out, xta_error *err)
{
    xta_status status = XTA_OK;
    bool known = false;

    *out = NULL;
    XTA_TRY(xta__begin_change(array, "resume work", err));
    XTA_TRY(xta__refuse_by_lock_file(array, "unfinished work", err));
    XTA_TRY(xta__change_begin(array, err));
    known = xta__works_find(&array->state.works, id) != NULL;
    xta__change_end(array);
    if (!known) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: there is no unfinished work of this number",
                          xta__array_name(array)));
    }
    XTA_TRY(xta__work_new(xta__data_of(array), id, out, err));

done:
    return status;
}

/* ---- asking ---- */

/* A copy of the list, so that the functions of the caller run without the lock. */
static xta_status copy_works(xta_array *array, xta__works *works, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&array->lock);
    const xta__state *state = &array->state;
    for (size_t k = 0; k < state->works.n && status == XTA_OK; k++) {
        // Work that was interrupted before its growth has written nothing.
        bool nothing = state->announced && memcmp(state->works.items[k]->id, state->announced_id,
                                                  sizeof state->announced_id) == 0;
        status = nothing ? XTA_OK : xta__works_add(works, state->works.items[k]);
    }
    pthread_mutex_unlock(&array->lock);
    return status == XTA_OK ? XTA_OK
                            : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for unfinished work",
                                        xta__array_name(array));
}

xta_status xta_array_unfinished(xta_array *array,
                                int (*each)(void *user, const xta_unfinished *work), void *user,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    xta__works works = {0};
    xta__file file = XTA__FILE_CLOSED;

    XTA_TRY(xta__begin(array, err));
    XTA_TRY(copy_works(array, &works, err));
    if (works.n > 0) {
        XTA_TRY(xta__file_open_at(xta__data_of(array), XTA__FILE_READ, &file, err));
    }
    for (size_t k = 0; k < works.n; k++) {
        const xta__work_record *record = works.items[k];
        xta_unfinished work = {.verb = (xta_work_verb)record->verb,
                               .created_array = record->created,
                               .process = record->process,
                               .begun = record->begun,
                               .host = record->host,
                               .source = record->source,
                               .box = record->box,
                               .before = record->before};
        memcpy(work.id, record->id, sizeof work.id);
        XTA_TRY(xta__work_is_live(&file, record->id, &work.live, err));
        if (each(user, &work) != 0) {
            XTA_TRY(xta__fail(err, XTA_ECANCELLED, 0, "%s: the walk over unfinished work was ended",
                              xta__array_name(array)));
        }
    }

done:
    xta__file_close(&file);
    xta__works_clear(&works);
    return status;
}

static int first_interrupted(void *user, const xta_unfinished *work)
{
    xta__work_record *found = user;

    if (work->live) {
        return 0;
    }
    found->verb = (uint32_t)work->verb;
    found->box = work->box;
    xta__copy_text(found->source, sizeof found->source, work->source);
    return 1;
}

xta_status xta_array_check_finished(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error walk = {0};
    char text[200];
    xta__work_record *found = xta__calloc(1, sizeof *found);

    if (found == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for unfinished work",
                         xta__array_name(array));
    }
    status = xta_array_unfinished(array, first_interrupted, found, &walk);
    if (status == XTA_ECANCELLED) {
        status = xta__fail(err, XTA_EUNFINISHED, 0,
                           "%s: %s of %.200s into %s was cut off; `xta info` shows it, resume it, "
                           "or `xta undo` takes it back",
                           xta__array_name(array), xta__work_verb_name(found->verb), found->source,
                           xta__box_text(&found->box, text, sizeof text));
    } else if (status != XTA_OK) {
        status = xta__fail(err, status, walk.os_errno, "%s", walk.text);
    }
    free(found);
    return status;
}

typedef struct work_search {
    xta_work_verb verb;
    uint8_t id[XTA__UUID_BYTES];
    size_t n, n_live;
} work_search;

static int count_verb(void *user, const xta_unfinished *work)
{
    work_search *s = user;

    if (work->verb == s->verb) {
        memcpy(s->id, work->id, sizeof s->id);
        s->n++;
        s->n_live += work->live ? 1 : 0;
    }
    return 0;
}

xta_status xta_work_resume_any(xta_array *array, xta_work_verb verb, xta_work **out, xta_error *err)
{
    xta_status status = XTA_OK;
    work_search found = {.verb = verb};

    *out = NULL;
    XTA_TRY(xta_array_unfinished(array, count_verb, &found, err));
    if (found.n == 0) {
        goto done;
    }
    if (found.n > 1) {
        XTA_TRY(xta__fail(err, found.n_live > 0 ? XTA_EBUSY : XTA_EARG, 0,
                          "%s: %zu pieces of such work are unfinished; undo all but one",
                          xta__array_name(array), found.n));
    }
    XTA_TRY(xta_work_resume(array, found.id, out, err));

done:
    return status;
}
