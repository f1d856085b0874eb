/* Replaying the journal: each record is applied to the state of the array.
 *
 * The journal is the history of the array, and replaying its records gives the state. Opening an
 * array replays from the newest checkpoint, a handle that catches up replays what is new, and a
 * reader of an earlier step stops there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/replay.h"

#include <stdlib.h>
#include <string.h>

static xta_status apply_create(xta__state *state, const xta__record *record, const char **why)
{
    xta__create_record create;

    if (state->structure != NULL) {
        *why = "the array is created twice";
        return XTA_ECORRUPT;
    }
    xta_status status = xta__decode_create(record, &create, why);
    if (status != XTA_OK) {
        return status;
    }
    status = xta__structure_new(&create.constants, create.ndim, create.chunk, create.bounds,
                                state->table_limit, &state->structure, why);
    if (status != XTA_OK) {
        free(create.constants.fill);
        return status == XTA_ENOMEM ? status : XTA_ECORRUPT;
    }
    state->constants = create.constants;
    state->chunk_bytes = state->structure->grid.n_cells * create.constants.cell_bytes;
    return XTA_OK;
}

static xta_status apply_work_begin(xta__state *state, const xta__record *record, int ndim,
                                   const char **why)
{
    xta__work_record *work = xta__calloc(1, sizeof *work);

    if (work == NULL) {
        *why = "no memory for a piece of unfinished work";
        return XTA_ENOMEM;
    }
    xta_status status = xta__decode_work(record, ndim, work, why);
    if (status == XTA_OK) {
        *why = "unfinished work begins twice, or there is too much of it";
        status = xta__works_add(&state->works, work);
    }
    free(work);
    return status;
}

static xta_status apply_work_end(xta__state *state, const xta__record *record, const char **why)
{
    uint8_t id[XTA__UUID_BYTES];

    xta_status status = xta__decode_work_end(record, id, why);
    if (status == XTA_OK) {
        xta__works_remove(&state->works, id);
    }
    return status;
}

/* A checkpoint that is read first is the whole state; one that is read later contains nothing
 * new. */
static xta_status apply_checkpoint(xta__state *state, const xta__record *record, const char **why)
{
    xta__checkpoint_record checkpoint;
    xta_status status = XTA_OK;

    if (state->structure != NULL) {
        return XTA_OK;
    }
    status = xta__decode_checkpoint(record, &checkpoint, why);
    if (status != XTA_OK) {
        return status;
    }
    XTA_TRY(xta__structure_import(&checkpoint, state->table_limit, &state->structure, why));
    state->constants = checkpoint.constants;
    checkpoint.constants.fill = NULL;
    state->chunk_bytes = state->structure->grid.n_cells * state->constants.cell_bytes;

    const uint8_t *at = checkpoint.nested;
    for (uint32_t k = 0; k < checkpoint.n_nested; k++) {
        xta__record nested;
        xta__attribute_record attribute;
        *why = "an attribute of the checkpoint is damaged";
        XTA_TRY(xta__decode_nested(&at, checkpoint.nested + checkpoint.nested_bytes, &nested));
        if (nested.type == XTA__RECORD_WORK_BEGIN) {
            XTA_TRY(apply_work_begin(state, &nested, checkpoint.ndim, why));
            continue;
        }
        if (nested.type != XTA__RECORD_ATTRIBUTE && nested.type != XTA__RECORD_AXIS_NAME &&
            nested.type != XTA__RECORD_AXIS_UNIT) {
            XTA_TRY(XTA_ECORRUPT);
        }
        XTA_TRY(xta__decode_attribute(&nested, checkpoint.ndim, &attribute, why));
        XTA_TRY(xta__attributes_apply(&state->attributes, nested.type, &attribute));
    }
    if (at != checkpoint.nested + checkpoint.nested_bytes) {
        *why = "the record has a wrong length";
        XTA_TRY(XTA_ECORRUPT);
    }

done:
    free(checkpoint.constants.fill);
    free(checkpoint.records);
    return status;
}

/* Where the bounds would be after the growths of a record; false if they exceed 2^62. */
static bool grown_bounds(const xta__structure *s, const xta__growth_record *record, xta_box *bounds)
{
    xta__structure_bounds_into(s, bounds);
    for (int k = 0; k < record->n_growths; k++) {
        const xta_growth *growth = &record->growths[k];
        bounds->hi[growth->axis] += growth->side == XTA_BACK ? growth->by : 0;
        bounds->lo[growth->axis] -= growth->side == XTA_FRONT ? growth->by : 0;
        if (bounds->hi[growth->axis] >= XTA__COORD_LIMIT ||
            bounds->lo[growth->axis] <= -XTA__COORD_LIMIT) {
            return false;
        }
    }
    return true;
}

/* Whether the chunks allocated hold the cells of the bounds. Axis by axis: another axis may still
 * have length 0. */
static bool are_allocated(const xta__structure *s, const xta_box *bounds)
{
    for (int axis = 0; axis < s->ndim; axis++) {
        int64_t lo = bounds->lo[axis], hi = bounds->hi[axis], chunk = s->axis[axis].chunk;
        if (hi > lo && (xta__floor_div(lo, chunk) < s->mapping.lo[axis] ||
                        xta__floor_div(hi - 1, chunk) >= s->mapping.hi[axis])) {
            return false;
        }
    }
    return true;
}

/* The allocations are taken from the record. They are not planned again, and only have to contain
 * the bounds. */
static xta_status apply_extend(xta__state *state, const xta__growth_record *record,
                               const char **why)
{
    xta__structure *s = state->structure;
    xta_box bounds;

    if (!grown_bounds(s, record, &bounds)) {
        *why = "the bounds grow beyond 2^62";
        return XTA_ECORRUPT;
    }
    xta_status status = xta__structure_reserve(s, &state->constants, record);
    if (status != XTA_OK) {
        *why = "the addresses grow beyond 2^62, or memory has run out";
        return status == XTA_ENOMEM ? status : XTA_ECORRUPT;
    }
    xta__structure_allocate(s, record);
    if (!are_allocated(s, &bounds)) {
        *why = "the chunks allocated do not hold the bounds";
        return XTA_ECORRUPT;
    }
    xta__structure_publish(s, &bounds);
    return XTA_OK;
}

static xta_status apply_shrink(xta__state *state, const xta__growth_record *record,
                               const char **why)
{
    xta_box bounds;
    int which = 0;

    if (record->n_allocations != 0 ||
        xta__structure_plan_shrink(state->structure, record->growths, record->n_growths, &bounds,
                                   why, &which) != XTA_OK) {
        *why = "the array shrinks by more cells than it has";
        return XTA_ECORRUPT;
    }
    xta__structure_publish(state->structure, &bounds);
    state->shrunk = true;
    return XTA_OK;
}

static xta_status apply_add_axis(xta__state *state, const xta__record *record, const char **why)
{
    xta__axis_record axis;
    xta__structure *wider = NULL;

    xta_status status = xta__decode_axis(record, state->structure->ndim, &axis, why);
    if (status != XTA_OK) {
        return status;
    }
    status = xta__structure_add_axis(state->structure, &state->constants, axis.position, &wider);
    if (status != XTA_OK) {
        *why = "the new axis could not be put in";
        return status;
    }
    // Running calls of other threads may still read the old one, so it is freed only with the
    // array.
    wider->retired = state->structure;
    state->structure = wider;
    xta__works_add_axis(&state->works, axis.position);
    xta__attributes_add_axis(&state->attributes, axis.position);
    xta__attribute_record name = {.axis = axis.position};
    memcpy(name.name, axis.name, sizeof name.name);
    return xta__attributes_apply(&state->attributes, XTA__RECORD_AXIS_NAME, &name);
}

static xta_status apply_growth(xta__state *state, const xta__record *record, const char **why)
{
    xta__growth_record growth;

    xta_status status = xta__decode_growth(record, state->structure->ndim, &growth, why);
    if (status != XTA_OK) {
        return status;
    }
    if (record->type == XTA__RECORD_WRITE_INTENT) {
        xta_box bounds;
        if (!grown_bounds(state->structure, &growth, &bounds)) {
            *why = "the cells reached lie beyond 2^62";
            return XTA_ECORRUPT;
        }
        xta__structure_reach(state->structure, &bounds);
        return XTA_OK;
    }
    return record->type == XTA__RECORD_EXTEND ? apply_extend(state, &growth, why)
                                              : apply_shrink(state, &growth, why);
}

/* ---- growths of several arrays ---- */

void xta__state_drop_pending(xta__state *state)
{
    free(state->pending);
    state->pending = NULL;
}

xta_status xta__state_apply_pending(xta__state *state, const char **why)
{
    if (state->pending->taken) {
        return XTA_OK;
    }
    if (state->at_step && state->structure->n_steps == state->step) {
        state->reached_step = true;
        return XTA_ECANCELLED;
    }
    xta_status status = apply_extend(state, &state->pending->record.growth, why);
    if (status == XTA_OK) {
        state->pending->taken = true;
        state->structure->n_steps++;
    }
    return status;
}

static xta_status apply_prepare(xta__state *state, const xta__record *record, const char **why)
{
    xta__pending *pending = xta__calloc(1, sizeof *pending);

    if (pending == NULL) {
        *why = "no memory for a growth of several arrays";
        return XTA_ENOMEM;
    }
    xta_status status = xta__decode_prepare(record, state->structure->ndim, &pending->record, why);
    if (status != XTA_OK) {
        free(pending);
        return status;
    }
    state->pending = pending;
    return XTA_OK;
}

/* A COMMIT without its PREPARE only records what happened: a compaction kept it for the other
 * arrays. */
static xta_status apply_commit(xta__state *state, const xta__record *record, const char **why)
{
    uint8_t group[XTA__UUID_BYTES];

    xta_status status = xta__decode_group(record, group, why);
    if (status == XTA_OK && state->pending != NULL &&
        memcmp(state->pending->record.group, group, sizeof group) == 0) {
        status = xta__state_apply_pending(state, why);
        if (status == XTA_OK) {
            xta__state_drop_pending(state);
        }
    }
    return status;
}

/* A PREPARE that is followed by anything but its COMMIT did not happen. */
static xta_status pass_over_pending(xta__state *state, const xta__record *record, const char **why)
{
    if (state->pending != NULL && record->type != XTA__RECORD_COMMIT) {
        if (state->pending->taken) {
            *why = "a growth of several arrays that was seen to happen was not taken up; was the "
                   "array that leads it put aside? Close and open again";
            return XTA_ESTATE;
        }
        xta__state_drop_pending(state);
    }
    return XTA_OK;
}

static xta_status apply(xta__state *state, const xta__record *record, const char **why)
{
    xta__attribute_record attribute;
    uint8_t group[XTA__UUID_BYTES];
    bool structural = record->type >= XTA__RECORD_EXTEND && record->type <= XTA__RECORD_ADD_AXIS;
    xta_status status = XTA_OK;

    if (record->type == XTA__RECORD_CREATE) {
        return apply_create(state, record, why);
    }
    if (record->type == XTA__RECORD_CHECKPOINT) {
        return apply_checkpoint(state, record, why);
    }
    if (state->structure == NULL) {
        *why = "the journal does not begin with the creation of the array or a checkpoint";
        return XTA_ECORRUPT;
    }
    if (structural && state->at_step && state->structure->n_steps == state->step) {
        state->reached_step = true;
        return XTA_ECANCELLED;
    }
    status = pass_over_pending(state, record, why);
    if (status != XTA_OK) {
        return status;
    }
    switch (record->type) {
    case XTA__RECORD_PREPARE:
        return apply_prepare(state, record, why);
    case XTA__RECORD_COMMIT:
        return apply_commit(state, record, why);
    case XTA__RECORD_SETTLED:
        return xta__decode_group(record, group, why);
    case XTA__RECORD_EXTEND:
    case XTA__RECORD_SHRINK:
    case XTA__RECORD_WRITE_INTENT:
        status = apply_growth(state, record, why);
        break;
    case XTA__RECORD_ADD_AXIS:
        status = apply_add_axis(state, record, why);
        break;
    case XTA__RECORD_WORK_BEGIN:
        return apply_work_begin(state, record, state->structure->ndim, why);
    case XTA__RECORD_WORK_END:
        return apply_work_end(state, record, why);
    default:
        status = xta__decode_attribute(record, state->structure->ndim, &attribute, why);
        if (status == XTA_OK) {
            *why = "an attribute grows that is not there, is of another type, or gets too long";
            status = xta__attributes_apply(&state->attributes, record->type, &attribute);
        }
    }
    if (status == XTA_OK && structural) {
        state->structure->n_steps++;
    }
    return status;
}

/* Work is announced and its growth recorded under one lock. So if another process has the lock and
 * the announcement is the newest record, it was interrupted. */
static void take_announcement(xta__state *state, const xta__record *record)
{
    const xta__works *works = &state->works;

    state->announced = false;
    if (record->type == XTA__RECORD_WORK_BEGIN && works->n > 0) {
        const xta__work_record *newest = works->items[works->n - 1];
        xta_box bounds = xta__structure_bounds(state->structure);
        state->announced = !newest->created && !xta_box_contains(&bounds, &newest->box);
        memcpy(state->announced_id, newest->id, sizeof state->announced_id);
    }
}

xta_status xta__state_apply(void *user, const xta__record *record, const char **why)
{
    xta__state *state = user;
    xta_status status = apply(state, record, why);

    if (status == XTA_OK) {
        take_announcement(state, record);
    }
    if (status == XTA_OK && record->offset < state->synced_bytes) {
        state->durable_chunks = state->structure->mapping.n_chunks;
    }
    return status;
}

void xta__state_clear(xta__state *state)
{
    xta__state_drop_pending(state);
    xta__works_clear(&state->works);
    xta__structure_free(state->structure);
    xta__attributes_clear(&state->attributes);
    free(state->constants.fill);
    memset(state, 0, sizeof *state);
}

xta_status xta__state_checkpoint(const xta__state *state, xta__bytes *payload)
{
    const xta__structure *s = state->structure;
    xta__bytes nested = {0};
    xta__checkpoint_record record = {.constants = state->constants,
                                     .ndim = s->ndim,
                                     .bounds = xta__structure_bounds(s),
                                     .n_steps = s->n_steps,
                                     .n_chunks = s->mapping.n_chunks,
                                     .n_records = s->mapping.n_records,
                                     .records = s->mapping.records};

    record.reached = xta_box_make(s->ndim, s->reached_lo, s->reached_hi);
    xta__mapping_first_box(&s->mapping, &record.first);
    for (int axis = 0; axis < s->ndim; axis++) {
        record.chunk[axis] = s->axis[axis].chunk;
    }
    xta_status status = xta__attributes_encode(&state->attributes, &nested, &record.n_nested);
    if (status == XTA_OK) {
        status = xta__works_encode(&state->works, &nested, &record.n_nested);
    }
    record.nested = nested.bytes;
    record.nested_bytes = nested.n;
    if (status == XTA_OK) {
        xta__encode_checkpoint(&record, payload);
        status = payload->failed ? XTA_ENOMEM : XTA_OK;
    }
    xta__bytes_clear(&nested);
    return status;
}
