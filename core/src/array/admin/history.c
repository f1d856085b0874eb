/* The history of an array: its journal replayed, step by step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/history.h"

#include <string.h>

#include "array/state/open_array.h"
#include "array/state/replay.h"
#include "array/state/structure.h"

typedef struct history_walk {
    xta__state state; /* replayed alongside, for the bounds after each step */
    int (*each)(void *user, const xta_step *step);
    void *user;
    bool ended;
    xta__growth_record pending; /* of several arrays; its COMMIT is being reported */
    uint64_t last;              /* of the handle: later steps are not reported */
} history_walk;

static void copy_growths(xta_step *step, const xta__growth_record *growth)
{
    step->n_growths = growth->n_growths;
    memcpy(step->growths, growth->growths, (size_t)growth->n_growths * sizeof growth->growths[0]);
}

static void describe_step(const history_walk *h, const xta__record *record, xta_step *step)
{
    xta__growth_record growth;
    xta__axis_record axis;
    const char *why = "";

    memset(step, 0, sizeof *step);
    step->step = h->state.structure->n_steps;
    step->bounds = xta__structure_bounds(h->state.structure);
    switch (record->type) {
    case XTA__RECORD_CREATE:
        step->kind = XTA_STEP_CREATE;
        break;
    case XTA__RECORD_COMMIT:
        step->kind = XTA_STEP_EXTEND;
        copy_growths(step, &h->pending);
        break;
    case XTA__RECORD_EXTEND:
    case XTA__RECORD_SHRINK:
        step->kind = record->type == XTA__RECORD_EXTEND ? XTA_STEP_EXTEND : XTA_STEP_SHRINK;
        if (xta__decode_growth(record, step->bounds.ndim, &growth, &why) == XTA_OK) {
            copy_growths(step, &growth);
        }
        break;
    case XTA__RECORD_ADD_AXIS:
        step->kind = XTA_STEP_ADD_AXIS;
        if (xta__decode_axis(record, step->bounds.ndim - 1, &axis, &why) == XTA_OK) {
            step->axis = axis.position;
        }
        break;
    default:
        step->kind = XTA_STEP_CHECKPOINT;
    }
}

static xta_status report_step(void *user, const xta__record *record, const char **why)
{
    history_walk *h = user;
    bool first = h->state.structure == NULL;
    uint64_t before = first ? 0 : h->state.structure->n_steps;
    xta_step step;

    if (record->type == XTA__RECORD_COMMIT && h->state.pending != NULL) {
        h->pending = h->state.pending->record.growth;
    }
    xta_status status = xta__state_apply(&h->state, record, why);
    bool structural = first || (status == XTA_OK && h->state.structure->n_steps != before);
    if (status != XTA_OK || !structural || h->state.structure->n_steps > h->last) {
        return status;
    }
    describe_step(h, record, &step);
    h->ended = h->each(h->user, &step) != 0;
    return h->ended ? XTA_ECANCELLED : XTA_OK;
}

xta_status xta_array_history(xta_array *array, int (*each)(void *user, const xta_step *step),
                             void *user, xta_error *err)
{
    xta_status status = XTA_OK;
    history_walk h = {.each = each, .user = user, .state = {.table_limit = 0}};
    xta__journal journal = {.file = XTA__FILE_CLOSED};
    xta_error local = {0};

    XTA_TRY(xta__begin(array, err));
    h.last = xta__structure_of(array)->n_steps;
    if (array->in_memory) {
        xta_step step = {.kind = XTA_STEP_CREATE, .bounds = xta_array_bounds(array)};
        h.ended = each(user, &step) != 0;
    } else {
        XTA_TRY(xta__journal_open(xta__journal_of(array), false, false, &journal, err));
        status = xta__journal_read(&journal, report_step, &h, &local);
        if (status == XTA_OK && h.state.pending != NULL && h.state.structure->n_steps < h.last) {
            // The handle knows from another array's journal that this growth has happened.
            const xta__record commit = {.type = XTA__RECORD_COMMIT,
                                        .payload = h.state.pending->record.group,
                                        .payload_bytes = XTA__UUID_BYTES};
            const char *why = "";
            status = report_step(&h, &commit, &why);
        }
        if (status != XTA_OK && !h.ended) {
            XTA_TRY(xta__fail(err, status, local.os_errno, "%s", local.text));
        }
        status = XTA_OK;
    }
    if (h.ended) {
        XTA_TRY(xta__fail(err, XTA_ECANCELLED, 0, "%s: the walk over the history was ended",
                          xta__array_name(array)));
    }

done:
    xta__journal_close(&journal);
    xta__state_clear(&h.state);
    return status;
}
