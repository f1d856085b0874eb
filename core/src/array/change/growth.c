/* The growth transaction: everything that can fail is done first, then the growth is published or
 * undone.
 *
 *   prepare   plan the new bounds and chunks, reserve memory, give addresses, lengthen the data
 *             file, reset cells that come back. Readers see nothing of this.
 *   record    the caller appends a record to the journal. From then on the growth has happened.
 *   publish   readers see the new bounds. Or, if the record could not be written,
 *   undo      the mapping is what it was before.
 *
 * A growth may cover cells that were within the bounds before and were removed by a shrink. The
 * shrink resets them, but its process may have been killed before that, or another process that had
 * not noticed the shrink may have written since. So they are reset again, durably, before the
 * record. Arrays that never shrank have no such cells and pay nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/growth.h"

#include <inttypes.h>

#include "array/handle/write_guard.h"
#include "array/io/cell.h"
#include "array/io/fill.h"
#include "array/state/structure.h"

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

/* A change by zero cells is not a step: it gets no record. The lock is held. */
xta_status xta__change_nothing(const xta_array *array, xta_box *after)
{
    if (after != NULL) {
        *after = xta__structure_bounds(array->state.structure);
    }
    return XTA_OK;
}

/* Whether all cells that ever were within the bounds still are. */
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
static xta_status reset_regrown(xta_array *array, const xta_box *bounds, const xta_box *grown,
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
    // After this, nothing writes deferred cells that a shrink removed, neither this handle nor
    // others.
    XTA_TRY(xta__flush(array, err));
    XTA_TRY(xta__guard_wait_for_others(array, err));
    xta__guard_widen(array, grown);
    // A box minus another box is at most two slabs for each axis.
    for (int axis = 0; axis < s->ndim; axis++) {
        xta_box below = again, above = again;
        below.hi[axis] = bounds->lo[axis] < below.hi[axis] ? bounds->lo[axis] : below.hi[axis];
        above.lo[axis] = bounds->hi[axis] > above.lo[axis] ? bounds->hi[axis] : above.lo[axis];
        XTA_TRY(xta__fill_box(array, &below, NULL, grown, err));
        XTA_TRY(xta__fill_box(array, &above, NULL, grown, err));
        any = any || !xta_box_empty(&below) || !xta_box_empty(&above);
    }
    if (any) {
        XTA_TRY(array->chunk_store->ops->sync(array->chunk_store, err));
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

/* After a power loss the disk may have kept cells of a growth, but not its record. Such cells lie
 * outside the bounds, and must not appear when a growth covers them. So once after each boot of the
 * system, before the first growth, the data file is searched for them. */
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
    XTA_TRY(array->chunk_store->ops->sync(array->chunk_store, err));
    XTA_TRY(xta__journal_set_boot(&array->journal, err));
    array->in_order = true;

done:
    return status;
}

/* An interrupted append has left cells in slots that have no chunk yet. These slots now go to new
 * chunks, which may lie elsewhere in the array than the append intended. */
static xta_status empty_slots(xta_array *array, uint64_t first, xta_error *err)
{
    xta__chunk_store *chunk_store = array->chunk_store;
    uint64_t used = first;
    xta_status status = XTA_OK;

    // New memory is empty, unless an append of this handle has failed.
    if (chunk_store->n_chunks > first && (!array->in_memory || array->has_leftovers)) {
        XTA_TRY(chunk_store->ops->next_used(chunk_store, first, &used, err));
        if (used < chunk_store->n_chunks) {
            XTA_TRY(
                chunk_store->ops->discard(chunk_store, first, chunk_store->n_chunks - first, err));
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
        XTA_TRY(array->chunk_store->ops->resize(array->chunk_store, s->mapping.n_chunks, err));
    }
    if (!never_shrank(s, &g->before)) {
        XTA_TRY(empty_slots(array, g->n_chunks, err));
        XTA_TRY(reset_regrown(array, &g->before, &g->after, err));
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
    xta__select_accessors(g->array, s);
    s->n_steps++;
}

void xta__grow_undo(xta__growing *g)
{
    if (g->allocated) {
        g->array->chunk_store->n_chunks = g->n_chunks;
        if (!xta__mapping_undo(&g->array->state.structure->mapping, &g->mark)) {
            xta__break(g->array);
        }
        g->allocated = false;
    }
    xta__guard_widen(g->array, &g->before);
}
