/* Unfinished work: announced before its first cell is written, ended when its last one is durable.
 *
 * Whether work is live is not in the file, which outlives its writers, but a lock on one byte of
 * the data file far behind its end: one byte for each piece of work, by its id. The kernel lets go
 * of it when the process ends, however it ends. The lock belongs to an open file description of its
 * own, so closing other handles of the file does not lose it, and compaction, which replaces the
 * journal, does not touch it.
 *
 * The order of things, and what a kill leaves between them:
 *
 *   lock | WORK_BEGIN, growth, sync of the journal | cells | sync of cells | WORK_END | unlock
 *        |                                         |       |               |
 *     nothing          announced, perhaps not grown: the bounds are as they were; or
 *                      announced and grown: interrupted work, to be resumed or undone
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>
#include <xta/work.h>

struct xta_work {
    uint8_t id[XTA__UUID_BYTES];
    xta__file lock;
};

/* The byte of the lock of an id: behind all cells, and spread over 2^61 bytes. The byte behind them
 * is that of the advisory lock. */
static uint64_t lock_byte(const uint8_t id[XTA__UUID_BYTES])
{
    return XTA__OFFSET_LIMIT + (xta__get_u64(id) >> 3);
}

#define EDIT_BYTE (XTA__OFFSET_LIMIT + (1ULL << 61))

const uint8_t *xta_work_id(const xta_work *work)
{
    return work->id;
}

void xta_work_abandon(xta_work *work)
{
    if (work != NULL) {
        xta__file_close(&work->lock);
        free(work);
    }
}

/* A piece of work whose lock is held. XTA_EBUSY if another process has it. */
static xta_status work_new(xta__path data, const uint8_t id[XTA__UUID_BYTES], xta_work **out,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    xta_work *work = xta__calloc(1, sizeof *work);
    bool got = false;

    *out = NULL;
    if (work == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a piece of work", data.name);
    }
    memcpy(work->id, id, sizeof work->id);
    work->lock = (xta__file)XTA__FILE_CLOSED;
    XTA_TRY(xta__file_open_at(data, XTA__FILE_WRITE, &work->lock, err));
    XTA_TRY(xta__file_locks_reach(&work->lock, err));
    XTA_TRY(xta__file_try_lock_byte(&work->lock, lock_byte(id), &got, err));
    if (!got) {
        XTA_TRY(xta__fail(err, XTA_EBUSY, 0,
                          "%s: this work goes on in another process; wait for its end", data.name));
    }
    XTA_TRY(xta__file_prove_lock_byte(&work->lock, lock_byte(id), err));
    *out = work;

done:
    if (status != XTA_OK) {
        xta_work_abandon(work);
    }
    return status;
}

/* The box that one growth adds, or all of the bounds. */
static xta_box default_box(const xta_work_plan *plan, const xta_box *after)
{
    xta_box box = *after;

    if (plan->n_growths == 1) {
        const xta_growth *growth = &plan->growths[0];
        int axis = growth->axis;
        box.lo[axis] = growth->side == XTA_BACK ? after->hi[axis] - growth->by : after->lo[axis];
        box.hi[axis] = box.lo[axis] + growth->by;
    }
    return box;
}

xta_status xta__work_plan_take(xta_work_plan *plan, const xta_work_plan *given, xta_error *err)
{
    const xta_work_plan defaults = XTA_WORK_PLAN_INIT;

    *plan = defaults;
    xta_status status = xta_options_take(plan, sizeof *plan, given, "xta_work_plan", err);
    plan->verb = plan->verb != 0 ? plan->verb : XTA_WORK_OTHER;
    plan->n_growths = plan->growths != NULL ? plan->n_growths : 0;
    return status;
}

/* A text as far as there is room for it, not cut inside a character. */
static void copy_text(char *to, size_t capacity, const char *from)
{
    size_t n = from != NULL ? strlen(from) : 0;

    if (n >= capacity) {
        n = capacity - 1;
        while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80) {
            n--;
        }
    }
    memcpy(to, from != NULL ? from : "", n);
    to[n] = '\0';
}

void xta__work_describe(const xta_work_plan *plan, bool created, const xta_box *before,
                        const xta_box *after, const uint8_t id[XTA__UUID_BYTES],
                        xta__work_record *record)
{
    memset(record, 0, sizeof *record);
    memcpy(record->id, id, XTA__UUID_BYTES);
    record->verb = (uint32_t)plan->verb;
    record->created = created;
    record->process = xta__process_number();
    record->begun = xta__now();
    record->boot = xta__boot();
    xta__host_name(record->host, sizeof record->host);
    copy_text(record->source, sizeof record->source, plan->source);
    record->box = plan->box != NULL ? *plan->box : default_box(plan, after);
    record->before = *before;
}

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
        // It is in the journal and not in the list: whoever opens the array again sees it.
        xta__break(array);
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a piece of work", array->path));
    }

done:
    xta__bytes_clear(&payload);
    return status;
}

static xta_status commit_end(xta_array *array, const uint8_t id[XTA__UUID_BYTES], bool taken_back,
                             xta_error *err)
{
    xta__bytes payload = {0};

    xta__encode_work_end(id, taken_back, &payload);
    xta_status status = xta__commit(array, XTA__RECORD_WORK_END, &payload, err);
    if (status == XTA_OK) {
        xta__works_remove(&array->state.works, id);
    }
    xta__bytes_clear(&payload);
    return status;
}

xta_status xta__work_settle(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;

    if (array->state.announced) {
        XTA_TRY(commit_end(array, array->state.announced_id, true, err));
        array->state.announced = false;
    }

done:
    return status;
}

/* All of a beginning that happens with the locks held. */
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
    xta__work_describe(plan, false, &before, &after, work->id, record);
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
        // Other processes may see cells of the work before it says that it is done.
        status = xta__file_sync(&array->journal.file, err);
    }
    if (status != XTA_OK) {
        xta_error ignored = {0};
        if (commit_end(array, work->id, true, &ignored) != XTA_OK) {
            memcpy(array->state.announced_id, work->id, XTA__UUID_BYTES);
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
    XTA_TRY(xta__work_plan_take(&plan, given, err));
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
    XTA_TRY(work_new(xta__data_of(array), id, &work, err));
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

xta_status xta__work_of_new_array(xta__path data, const xta__work_record *record, xta_work **out,
                                  xta_error *err)
{
    return work_new(data, record->id, out, err);
}

xta_status xta__work_end_locked(xta_array *array, const uint8_t id[XTA__UUID_BYTES],
                                bool taken_back, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(commit_end(array, id, taken_back, err));
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
    status = xta__work_end_locked(array, work->id, false, err);
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
    XTA_TRY(work_new(xta__data_of(array), id, out, err));

done:
    return status;
}

/* ---- asking ---- */

xta_status xta__work_is_live(const xta__file *data, const uint8_t id[XTA__UUID_BYTES], bool *live,
                             xta_error *err)
{
    return xta__file_byte_is_locked(data, lock_byte(id), live, err);
}

/* A copy of the list, so that the functions of the caller run without the lock. */
static xta_status copy_works(xta_array *array, xta__works *works, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&array->lock);
    const xta__state *state = &array->state;
    for (size_t k = 0; k < state->works.n && status == XTA_OK; k++) {
        // One that was cut off before its growth has written nothing.
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
    copy_text(found->source, sizeof found->source, work->source);
    return 1;
}

const char *xta__work_verb_name(uint32_t verb)
{
    static const char *const names[] = {"work", "an import", "an append", "a repartition", "work"};

    return names[verb < sizeof names / sizeof names[0] ? verb : 0];
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

typedef struct search {
    xta_work_verb verb;
    uint8_t id[XTA__UUID_BYTES];
    size_t n, n_live;
} search;

static int count_verb(void *user, const xta_unfinished *work)
{
    search *s = user;

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
    search found = {.verb = verb};

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

/* ---- several calls that belong together ---- */

struct xta_lock {
    xta__file file;
};

xta_status xta_array_lock(xta_array *array, unsigned timeout_ms, xta_lock **out, xta_error *err)
{
    enum { PAUSE_MS = 2 };
    xta_status status = XTA_OK;
    xta_lock *taken = NULL;
    bool got = false;

    *out = NULL;
    XTA_TRY(xta__begin_change(array, "take the lock of", err));
    XTA_TRY(xta__refuse_by_lock_file(array, "a lock over several calls", err));
    if (array->in_memory) {
        XTA_TRY(xta__fail(err, XTA_EUNSUPPORTED, 0,
                          "%s: an array in memory has no lock; no other process sees it",
                          xta__array_name(array)));
    }
    taken = xta__calloc(1, sizeof *taken);
    if (taken == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a lock", xta__array_name(array)));
    }
    taken->file = (xta__file)XTA__FILE_CLOSED;
    XTA_TRY(xta__file_open_at(xta__data_of(array), XTA__FILE_WRITE, &taken->file, err));
    for (unsigned waited = 0; !got; waited += PAUSE_MS) {
        XTA_TRY(xta__file_try_lock_byte(&taken->file, EDIT_BYTE, &got, err));
        if (!got && waited >= timeout_ms) {
            XTA_TRY(xta__fail(err, XTA_EBUSY, 0,
                              "%s: another process has been changing it for %u ms; try again",
                              xta__array_name(array), timeout_ms));
        }
        if (!got) {
            xta__pause_ms(PAUSE_MS);
        }
    }
    *out = taken;
    taken = NULL;

done:
    xta_lock_release(taken);
    return status;
}

void xta_lock_release(xta_lock *lock)
{
    if (lock != NULL) {
        xta__file_close(&lock->file);
        free(lock);
    }
}
