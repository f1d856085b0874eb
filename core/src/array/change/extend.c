/* Structural change: extend, shrink, refresh; append.c has growth with cells, axis.c the new axis.
 *
 * Each is: take the locks, read what others did, plan (all that can be refused), make room (all
 * that can fail), commit one record, publish. Before the commit nothing is visible, after it
 * everything is.
 *
 * A growth may come over cells that were within the bounds before and were shrunk away. They were
 * reset then, but a kill may have come between, or a process that had not noticed the shrink may
 * have written since. So they are reset again, durably, before the growth is committed. Arrays that
 * never shrank have no such cells and pay nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading what others did ---- */

/* The journal was compacted by another process: read the new one from the begin. */
static xta_status start_again(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__journal fresh;
    xta__state state = {.table_limit = array->state.table_limit};

    XTA_TRY(xta__journal_open(xta__journal_of(array), array->writable, true, &fresh, err));
    status = xta__journal_read(&fresh, xta__state_apply, &state, err);
    if (status == XTA_OK && memcmp(fresh.uuid, array->journal.uuid, sizeof fresh.uuid) != 0) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: another array has taken this one's place; "
                           "close and open again",
                           array->journal_path);
    }
    if (status != XTA_OK || state.structure == NULL) {
        xta__journal_close(&fresh);
        xta__state_clear(&state);
        XTA_TRY(status != XTA_OK
                    ? status
                    : xta__fail(err, XTA_ECORRUPT, 0, "%s: no whole record", array->journal_path));
    }
    xta__journal_lock_like(&fresh, &array->journal.lock);
    // A gate that was closed for this array is closed for the new journal.
    fresh.gate = array->journal.gate;
    array->journal.gate = (xta__file)XTA__FILE_CLOSED;
    xta__journal old = array->journal;
    array->journal = fresh;
    array->n_moves++;
    array->checkpoint_due = 0;
    xta__attributes_clear(&array->state.attributes);
    array->state.attributes = state.attributes;
    xta__works_clear(&array->state.works);
    array->state.works = state.works;
    array->state.announced = state.announced;
    memcpy(array->state.announced_id, state.announced_id, sizeof state.announced_id);
    // The fill value never changes, and the coding of get and put points to the old copy.
    free(state.constants.fill);
    xta__state_drop_pending(&array->state);
    array->state.pending = state.pending;
    // Where the new journal tells of a new axis there are already two.
    xta__structure *first = state.structure;
    while (first->retired != NULL) {
        first = first->retired;
    }
    first->retired = array->state.structure;
    array->state.structure = state.structure;
    array->state.shrunk = true;
    xta__guard_settle(array);
    xta__journal_close(&old);

done:
    return status;
}

xta_status xta__adopt_growth(xta_array *array, uint64_t n_before, xta_error *err)
{
    uint64_t n = array->state.structure->mapping.n_chunks, bytes = 0;
    bool replaced = false;
    xta_status status = XTA_OK;

    if (n > n_before) {
        const xta__file *data = xta__chunks_file(array->holder);
        XTA_TRY(xta__file_sizes(data, &bytes, NULL, err));
        if (bytes < n * array->holder->slot_bytes) {
            // A client of a network file system may remember an earlier length.
            XTA_TRY(xta__file_revalidate(data, &replaced, err));
            XTA_TRY(xta__file_sizes(data, &bytes, NULL, err));
        }
        if (bytes < n * array->holder->slot_bytes) {
            XTA_TRY(xta__fail(err, XTA_ECORRUPT, 0,
                              "%s: offset %" PRIu64 ": the file ends, but the journal gives it "
                              "%" PRIu64 " chunks",
                              array->data_path, array->state.constants.data_offset + bytes, n));
        }
    }
    array->holder->n_chunks = n;
    // With the bounds come the cells: copies of what others have changed are forgotten.
    if ((array->state.shrunk || array->holder->windows == NULL) &&
        array->holder->ops->refresh != NULL) {
        XTA_TRY(array->holder->ops->refresh(array->holder, err));
    }
    xta__guard_settle(array);
    xta__choose_ways(array, array->state.structure);
    atomic_store_explicit(&array->structure, array->state.structure, memory_order_release);

done:
    return status;
}

/* Before the structure changes, what is deferred is written: as long as it can be told what of it
 * was taken away, and as long as a failure (a full disk, say) leaves everything as it was. */
static xta_status write_deferred(xta_array *array, xta_error *err)
{
    uint8_t probe;
    size_t got = 0;

    if (array->guard == NULL) {
        return XTA_OK;
    }
    xta_status status =
        array->journal.moved
            ? XTA_OK
            : xta__file_read_at(&array->journal.file, array->journal.end, &probe, 1, &got, err);
    return status == XTA_OK && (got > 0 || array->journal.moved)
               ? array->holder->ops->refresh(array->holder, err)
               : status;
}

xta_status xta__catch_up(xta_array *array, bool *changed, xta_error *err)
{
    uint64_t before = array->journal.end;
    uint64_t n_before = array->holder->n_chunks;
    xta_status status = XTA_OK;

    *changed = false;
    array->state.shrunk = false;
    if (array->journal.sole) {
        return XTA_OK;
    }
    status = write_deferred(array, err);
    if (status != XTA_OK) {
        return status;
    }
    // Already known to have been replaced, it may be gone from the server.
    if (!array->journal.moved) {
        XTA_TRY(xta__journal_read(&array->journal, xta__state_apply, &array->state, err));
    }
    while (array->journal.moved) {
        XTA_TRY(start_again(array, err));
        before = 0;
    }
    *changed = array->journal.end != before;
    XTA_TRY(xta__group_look(array, changed, err));
    if (*changed) {
        XTA_TRY(xta__adopt_growth(array, n_before, err));
    }

done:
    if (status != XTA_OK && status != XTA_EIO && status != XTA_ENOMEM) {
        xta__break(array);
    }
    return status;
}

/* A MOVED record whose rename was cut off: whoever opens the path next ends it (see replace.c), and
 * what is changed here would be lost. */
static xta_status refuse_replaced(xta_array *array, xta_error *err)
{
    if (!array->journal.torn || !xta__replacement_waits(array->journal_file)) {
        return XTA_OK;
    }
    xta__break(array);
    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: another array is taking this one's place; close and open again",
                     array->journal_path);
}

xta_status xta__refuse_unknown(xta_array *array, xta_error *err)
{
    return xta__fail(err, XTA_EFORMAT, 0,
                     "%s: a record of type %u, which this library does not know: the array can be "
                     "read, not changed; use a newer release",
                     array->journal_path, array->journal.unknown_type);
}

/* The lock, with everything read that others did. */
static xta_status lock_and_catch_up(xta_array *array, unsigned patience_ms, xta_error *err)
{
    bool news = false, changed = false;
    xta_status status =
        xta__journal_lock(&array->journal, xta__data_of(array), patience_ms, &news, err);

    // A journal that was replaced is locked again under its new file.
    while (status == XTA_OK && news) {
        // Not by its descriptor: after two moves the third journal may have that of the first.
        uint64_t moves = array->n_moves;
        status = xta__catch_up(array, &changed, err);
        if (status == XTA_OK && array->journal.unknown_type != 0) {
            status = xta__refuse_unknown(array, err);
        }
        if (status == XTA_OK && array->n_moves != moves) {
            status =
                xta__journal_lock(&array->journal, xta__data_of(array), patience_ms, &news, err);
            continue;
        }
        if (status != XTA_OK) {
            xta__journal_unlock(&array->journal);
        }
        break;
    }
    return status;
}

xta_status xta__change_begin_soon(xta_array *array, unsigned patience_ms, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&array->lock);
    if (array->appending) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: cells of an append are being written; change the structure and "
                           "attributes before or after it",
                           xta__array_name(array));
        pthread_mutex_unlock(&array->lock);
        return status;
    }
    if (array->in_memory) {
        return XTA_OK;
    }
    if (!array->journal.sole) {
        status = lock_and_catch_up(array, patience_ms, err);
    }
    if (status == XTA_OK &&
        (array->journal.torn || array->state.pending != NULL || array->state.announced)) {
        status = refuse_replaced(array, err);
        status = status == XTA_OK ? xta__group_settle(array, err) : status;
        status = status == XTA_OK ? xta__work_settle(array, err) : status;
        if (status != XTA_OK) {
            xta__journal_unlock(&array->journal);
        }
    }
    if (status != XTA_OK) {
        pthread_mutex_unlock(&array->lock);
    } else {
        xta__guard_enter(array);
    }
    return status;
}

xta_status xta__change_begin(xta_array *array, xta_error *err)
{
    return xta__change_begin_soon(array, XTA__LOCK_PATIENCE_MS, err);
}

void xta__change_end(xta_array *array)
{
    if (!array->in_memory) {
        xta__checkpoint_after_change(array);
        if (array->journal.unsure) {
            xta__break(array);
        }
        xta__guard_leave(array);
        xta__journal_unlock(&array->journal);
    }
    pthread_mutex_unlock(&array->lock);
}

xta_status xta__commit(xta_array *array, unsigned type, const xta__bytes *payload, xta_error *err)
{
    if (array->in_memory) {
        return XTA_OK;
    }
    if (payload->failed) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a record", array->journal_path);
    }
    return xta__journal_append(&array->journal, type, payload, err);
}

/* ---- growing ---- */

xta_status xta__make_step(xta_array *array, xta_error *err)
{
    array->step = array->step != NULL ? array->step : xta__calloc(1, sizeof *array->step);
    return array->step != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a step", xta__array_name(array));
}

xta_status xta__check_growths(xta_array *array, const xta_growth *growths, int n, xta_error *err)
{
    int ndim = xta__structure_of(array)->ndim;

    if (n < 1 || n > 2 * XTA_MAX_NDIM) {
        return xta__fail(err, XTA_EARG, 0, "%s: %d growths in one step; give 1 to %d",
                         xta__array_name(array), n, 2 * XTA_MAX_NDIM);
    }
    for (int k = 0; k < n; k++) {
        if (growths[k].axis < 0 || growths[k].axis >= ndim) {
            return xta__fail(err, XTA_EARG, 0, "%s: axis %d: the array has axes 0 to %d",
                             xta__array_name(array), growths[k].axis, ndim - 1);
        }
        if (growths[k].by < 0 || (unsigned)growths[k].side > XTA_FRONT) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: axis %d: by %" PRId64 ": give 0 or more cells, at back or front",
                             xta__array_name(array), growths[k].axis, growths[k].by);
        }
    }
    return XTA_OK;
}

bool xta__grows_nothing(const xta_growth *growths, int n)
{
    for (int k = 0; k < n; k++) {
        if (growths[k].by != 0) {
            return false;
        }
    }
    return true;
}

/* A change by no cells is no step: it gets no record. The lock is held. */
static xta_status change_nothing(const xta_array *array, xta_box *after)
{
    if (after != NULL) {
        *after = xta__structure_bounds(array->state.structure);
    }
    return XTA_OK;
}

/* Whether no cell was ever within the bounds that is not now. */
static bool never_shrank(const xta__structure *s, const xta_box *bounds)
{
    for (int axis = 0; axis < s->ndim; axis++) {
        if (s->reached_lo[axis] < bounds->lo[axis] || s->reached_hi[axis] > bounds->hi[axis]) {
            return false;
        }
    }
    return true;
}

/* Reset the cells of `grown` that were within the bounds once but are not now. */
static xta_status scrub(xta_array *array, const xta_box *bounds, const xta_box *grown,
                        xta_error *err)
{
    xta__structure *s = array->state.structure;
    xta_box reached = xta_box_make(s->ndim, s->reached_lo, s->reached_hi);
    xta_box again = xta_box_intersect(&reached, grown);
    bool any = false;
    xta_status status = XTA_OK;

    if (xta_box_contains(bounds, &again)) {
        return XTA_OK;
    }
    // What this handle has deferred of cells that are gone goes, and so does what others have.
    XTA_TRY(xta__flush(array, err));
    XTA_TRY(xta__guard_wait_for_others(array, err));
    xta__guard_widen(array, grown);
    // What is left of a box without another is at most two slabs for each axis.
    for (int axis = 0; axis < s->ndim; axis++) {
        xta_box below = again, above = again;
        below.hi[axis] = bounds->lo[axis] < below.hi[axis] ? bounds->lo[axis] : below.hi[axis];
        above.lo[axis] = bounds->hi[axis] > above.lo[axis] ? bounds->hi[axis] : above.lo[axis];
        XTA_TRY(xta__fill_box(array, &below, NULL, grown, err));
        XTA_TRY(xta__fill_box(array, &above, NULL, grown, err));
        any = any || !xta_box_empty(&below) || !xta_box_empty(&above);
    }
    if (any) {
        XTA_TRY(array->holder->ops->sync(array->holder, err));
    }

done:
    return status;
}

static xta_status describe_overflow(xta_array *array, xta_status status, const char *why,
                                    xta_error *err)
{
    return xta__fail(err, status, 0, "%s: %s; grow by less", xta__array_name(array),
                     status == XTA_ENOMEM ? "no memory to grow" : why);
}

/* The disk may have kept cells of a growth and lost its record. Then the cells lie outside the
 * bounds, and they must not be seen when the bounds come over them. It takes a loss of power, so
 * once for each boot of the system, before the first growth, the data file is looked through. */
static xta_status after_power_loss(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;

    if (array->in_memory || array->in_order) {
        return XTA_OK;
    }
    if (xta__journal_same_boot(&array->journal)) {
        array->in_order = true;
        return XTA_OK;
    }
    XTA_TRY(xta__flush(array, err));
    xta__guard_widen(array, NULL);
    XTA_TRY(xta__scrub_outside(array, err));
    XTA_TRY(array->holder->ops->sync(array->holder, err));
    XTA_TRY(xta__journal_set_boot(&array->journal, err));
    array->in_order = true;

done:
    return status;
}

/* An append that was cut off has left cells in slots that had no chunk yet. They are given out now,
 * perhaps to chunks in other places than the append had in mind. */
static xta_status empty_slots(xta_array *array, uint64_t first, xta_error *err)
{
    xta__holder *holder = array->holder;
    uint64_t used = first;
    xta_status status = XTA_OK;

    // New memory is empty, unless an append of this handle has failed.
    if (holder->n_chunks > first && (!array->in_memory || array->littered)) {
        XTA_TRY(holder->ops->next_used(holder, first, &used, err));
        if (used < holder->n_chunks) {
            XTA_TRY(holder->ops->discard(holder, first, holder->n_chunks - first, err));
        }
    }

done:
    return status;
}

xta_status xta__grow_prepare(xta__growing *g, xta_array *array, const xta_growth *growths, int n,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta__structure *s = array->state.structure;
    const char *why = "addresses would pass 2^62 bytes";

    g->array = array;
    g->allocated = false;
    g->record = NULL;
    xta__structure_bounds_into(s, &g->before);
    g->n_chunks = s->mapping.n_chunks;
    XTA_TRY(xta__make_step(array, err));
    g->record = array->step;
    status = xta__structure_plan_growth(s, &array->state.constants, growths, n, g->record,
                                        &g->after, &why);
    if (status == XTA_OK) {
        status = xta__structure_reserve(s, &array->state.constants, g->record);
    }
    if (status != XTA_OK) {
        XTA_TRY(describe_overflow(array, status, why, err));
    }
    XTA_TRY(after_power_loss(array, err));
    xta__mapping_mark_here(&s->mapping, &g->mark);
    g->allocated = true;
    xta__structure_allocate(s, g->record);
    if (s->mapping.n_chunks > g->n_chunks) {
        if (g->n_chunks < atomic_load(&array->fresh_from)) {
            atomic_store(&array->fresh_from, g->n_chunks);
        }
        XTA_TRY(array->holder->ops->resize(array->holder, s->mapping.n_chunks, err));
    }
    if (!never_shrank(s, &g->before)) {
        XTA_TRY(empty_slots(array, g->n_chunks, err));
        XTA_TRY(scrub(array, &g->before, &g->after, err));
    }
    xta__guard_widen(array, &g->after);

done:
    if (status != XTA_OK) {
        xta__grow_undo(g);
    }
    return status;
}

void xta__grow_publish(xta__growing *g)
{
    xta__structure *s = g->array->state.structure;

    xta__structure_publish(s, &g->after);
    xta__choose_ways(g->array, s);
    s->n_steps++;
}

void xta__grow_undo(xta__growing *g)
{
    if (g->allocated) {
        g->array->holder->n_chunks = g->n_chunks;
        if (!xta__mapping_undo(&g->array->state.structure->mapping, &g->mark)) {
            xta__break(g->array);
        }
        g->allocated = false;
    }
    xta__guard_widen(g->array, &g->before);
}

xta_status xta__grow_with(xta_array *array, const xta_growth *growths, int n, const xta__slab *with,
                          xta_box *after, xta_error *err)
{
    xta__growing g;
    bool was_littered = array->littered;
    uint8_t small[256];
    xta__bytes payload = {.bytes = small, .room = sizeof small, .borrowed = true};

    xta_status status = xta__grow_prepare(&g, array, growths, n, err);
    if (status != XTA_OK) {
        return status;
    }
    xta__encode_growth(g.record, &payload);
    if (with != NULL) {
        status = xta__write_slab(array, with, growths, &g.after, err);
        array->littered = true; // until the record is there
    }
    if (status == XTA_OK) {
        status = xta__commit(array, XTA__RECORD_EXTEND, &payload, err);
    }
    if (status == XTA_OK) {
        xta__grow_publish(&g);
        array->littered = was_littered;
    } else {
        xta__grow_undo(&g);
    }
    if (status == XTA_OK && after != NULL) {
        *after = xta__structure_bounds(array->state.structure);
    }
    xta__bytes_clear(&payload);
    return status;
}

XTA__HOT xta_status xta__grow(xta_array *array, const xta_growth *growths, int n, xta_box *after,
                              xta_error *err)
{
    return xta__grow_with(array, growths, n, NULL, after, err);
}

xta_status xta_array_extend(xta_array *array, const xta_growth *growths, int n_growths,
                            xta_box *after, xta_error *err)
{
    xta_status status = XTA_OK;

    if (n_growths == 1 && array->sole && xta__extend_shortly(array, growths, after)) {
        xta__clear(err);
        return XTA_OK;
    }
    XTA_TRY(xta__begin_change(array, "extend", err));
    XTA_TRY(xta__check_growths(array, growths, n_growths, err));
    XTA_TRY(xta__change_begin(array, err));
    // Another process may have put in an axis meanwhile.
    status = xta__check_growths(array, growths, n_growths, err);
    if (status == XTA_OK) {
        status = xta__grows_nothing(growths, n_growths)
                     ? change_nothing(array, after)
                     : xta__grow_with(array, growths, n_growths, NULL, after, err);
    }
    xta__change_end(array);

done:
    return status;
}

/* ---- shrinking ---- */

/* Cells between the old bounds and the new ones become fill, and whole chunks give back their
 * space. The shrink is committed; what fails here is done again by the growth that comes over these
 * cells. */
static void give_back(xta_array *array, const xta_box *before, const xta_box *after)
{
    xta_error ignored = {0};
    xta_box rest = *before;

    for (int axis = 0; axis < before->ndim; axis++) {
        xta_box below = rest, above = rest;
        below.hi[axis] = after->lo[axis];
        above.lo[axis] = after->hi[axis];
        if (xta__fill_box(array, &below, NULL, before, &ignored) != XTA_OK ||
            xta__fill_box(array, &above, NULL, before, &ignored) != XTA_OK) {
            return;
        }
        rest.lo[axis] = after->lo[axis];
        rest.hi[axis] = after->hi[axis];
    }
}

static xta_status shrink(xta_array *array, const xta_growth *shrinks, int n, xta_box *after,
                         xta_error *err)
{
    xta_status status = XTA_OK;
    xta__structure *s = array->state.structure;
    xta_box bounds, before = xta__structure_bounds(s);
    xta__bytes payload = {0};
    const char *why = "";
    int which = 0;

    XTA_TRY(xta__check_growths(array, shrinks, n, err));
    XTA_TRY(xta__make_step(array, err));
    status = xta__structure_plan_shrink(s, shrinks, n, &bounds, &why, &which);
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(err, status, 0,
                          "%s: axis %d: cannot shrink by %" PRId64 " cells: %s; it has %" PRId64,
                          xta__array_name(array), shrinks[which].axis, shrinks[which].by, why,
                          before.hi[shrinks[which].axis] - before.lo[shrinks[which].axis]));
    }
    memcpy(array->step->growths, shrinks, (size_t)n * sizeof shrinks[0]);
    array->step->n_growths = n;
    array->step->n_allocations = 0;
    xta__encode_growth(array->step, &payload);
    XTA_TRY(xta__commit(array, XTA__RECORD_SHRINK, &payload, err));
    xta__structure_publish(s, &bounds);
    xta__choose_ways(array, s);
    s->n_steps++;
    give_back(array, &before, &bounds);
    // The zeros that it stored are written while nobody else can put cells in their places.
    xta_error ignored = {0};
    (void)!xta__flush(array, &ignored);
    if (after != NULL) {
        *after = bounds;
    }

done:
    xta__bytes_clear(&payload);
    return status;
}

xta_status xta_array_shrink(xta_array *array, const xta_growth *shrinks, int n_shrinks,
                            xta_box *after, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__begin_change(array, "shrink", err));
    XTA_TRY(xta__check_growths(array, shrinks, n_shrinks, err));
    XTA_TRY(xta__change_begin(array, err));
    status = xta__grows_nothing(shrinks, n_shrinks) ? change_nothing(array, after)
                                                    : shrink(array, shrinks, n_shrinks, after, err);
    xta__change_end(array);

done:
    return status;
}

/* ---- refresh ---- */

xta_status xta_array_refresh(xta_array *array, bool *changed, xta_error *err)
{
    bool any = false;
    xta_status status = xta__begin(array, err);

    if (status == XTA_OK && !array->in_memory && !array->at_step && !array->replica) {
        pthread_mutex_lock(&array->lock);
        status = xta__catch_up(array, &any, err);
        if (status == XTA_OK && array->holder->windows == NULL &&
            array->holder->ops->refresh != NULL) {
            // Cells, too, may have been changed by others.
            status = array->holder->ops->refresh(array->holder, err);
        }
        pthread_mutex_unlock(&array->lock);
    }
    if (changed != NULL) {
        *changed = any;
    }
    return status;
}
