/* Rolling interrupted work back.
 *
 * A pure function decides between three cases, from the current bounds and those of the record:
 *
 *   the work made the array, and nobody has changed its structure since     delete it
 *   the work grew one axis by the very slab that it was to fill, and that
 *   slab still is the outermost on its side                                 shrink back
 *   everything else                                                         the box becomes fill
 *
 * In the second case no other process can have put cells into the slab that are worth keeping: they
 * all belong to the box of this work. In the third case the bounds stay, since others may have
 * grown them further or written outside the box.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/work_undo.h"

#include <stdlib.h>
#include <string.h>

#include "array/change/work.h"
#include "array/handle/change_lock.h"
#include "array/io/cell.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"

/* How the slab can be removed, if at all. */
static bool slab_to_shrink(const xta__work_record *record, const xta_box *now, xta_growth *shrink)
{
    int n = 0;

    for (int axis = 0; axis < now->ndim; axis++) {
        int64_t lo = record->before.lo[axis], hi = record->before.hi[axis];
        bool front = record->box.lo[axis]<lo, back = record->box.hi[axis]> hi;
        if (front || back) {
            *shrink =
                (xta_growth){.axis = axis,
                             .side = front ? XTA_FRONT : XTA_BACK,
                             .by = front ? lo - record->box.lo[axis] : record->box.hi[axis] - hi};
            bool slab = front ? record->box.hi[axis] == lo && now->lo[axis] == record->box.lo[axis]
                              : record->box.lo[axis] == hi && now->hi[axis] == record->box.hi[axis];
            n += slab && !(front && back) ? 1 : 2;
        } else if (record->box.lo[axis] != now->lo[axis] || record->box.hi[axis] != now->hi[axis]) {
            return false;
        }
    }
    return n == 1;
}

/* Nobody else has changed the array that the work made: it has no steps, or only those that brought
 * its bounds to where the work wanted them. */
static bool array_to_delete(const xta_array *array, const xta__work_record *record)
{
    xta_box now = xta__structure_bounds(array->state.structure);

    return record->created && array->state.works.n == 1 &&
           (array->state.structure->n_steps == 0 || xta_box_equal(&now, &record->box));
}

static xta_status refuse_loss(const xta_array *array, const xta__work_record *record,
                              xta_error *err)
{
    xta_box old = xta_box_intersect(&record->box, &record->before);
    char text[200];

    if (xta_box_empty(&old)) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: cells %s were there before the work, and what they were cannot be "
                     "brought back; undo with --discard makes them fill, resuming writes them",
                     xta__array_name(array), xta__box_text(&old, text, sizeof text));
}

static xta_status fill_box(xta_array *array, const xta_box *box, xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);
    xta_box inside = xta_box_intersect(box, &bounds);
    xta_status status = XTA_OK;

    if (!xta_box_empty(&inside)) {
        XTA_TRY(xta_array_fill(array, &inside, xta_array_fill_value(array), err));
    }
    XTA_TRY(xta_array_sync(array, err));

done:
    return status;
}

static bool lies_outside(const xta__work_record *record, const xta_box *now)
{
    xta_box inside = xta_box_intersect(&record->box, now);

    return xta_box_empty(&inside);
}

/* Undo within an array that stays. The lock of the work is held. */
static xta_status undo_inside(xta_array *array, const xta__work_record *record, bool discard_cells,
                              xta_undo_result *result, xta_error *err)
{
    xta_box now = xta_array_bounds(array);
    xta_growth shrink = {0};
    xta_status status = XTA_OK;

    if (!record->created && slab_to_shrink(record, &now, &shrink)) {
        *result = XTA_UNDO_SHRUNK;
        XTA_TRY(xta_array_shrink(array, &shrink, 1, NULL, err));
        XTA_TRY(xta_array_sync(array, err));
    } else if (!record->created && lies_outside(record, &now)) {
        *result = XTA_UNDO_SHRUNK; // others have already removed its slab
    } else {
        *result = XTA_UNDO_FILLED;
        if (!discard_cells && !record->created) {
            XTA_TRY(refuse_loss(array, record, err));
        }
        XTA_TRY(fill_box(array, &record->box, err));
    }
    XTA_TRY(xta__change_begin(array, err));
    status = xta__work_end_locked(array, record->id, true, err);
    xta__change_end(array);

done:
    return status;
}

static xta_status copy_record(xta_array *array, const uint8_t id[16], xta__work_record *record,
                              bool *to_delete, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta__work_record *found = NULL;

    XTA_TRY(xta__change_begin(array, err));
    found = xta__works_find(&array->state.works, id);
    if (found != NULL) {
        *record = *found;
        *to_delete = array_to_delete(array, record);
    }
    xta__change_end(array);
    if (found == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: there is no unfinished work of this number",
                          xta__array_name(array)));
    }

done:
    return status;
}

xta_status xta_work_undo(const char *path, const uint8_t id[16], bool discard_cells,
                         xta_undo_result *result, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_work *work = NULL;
    xta_undo_result done_what = XTA_UNDO_DELETED;
    bool to_delete = false;
    xta__work_record *record = xta__calloc(1, sizeof *record);

    xta__clear(err);
    if (record == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to undo work", path));
    }
    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &array, err));
    XTA_TRY(xta_work_resume(array, id, &work, err));
    XTA_TRY(copy_record(array, id, record, &to_delete, err));
    if (to_delete) {
        XTA_TRY(xta_array_delete(path, err));
        // Nothing is left to be made durable.
        xta__break(array);
    } else {
        XTA_TRY(undo_inside(array, record, discard_cells, &done_what, err));
    }
    if (result != NULL) {
        *result = done_what;
    }

done:
    xta_work_abandon(work);
    if (array != NULL) {
        xta_status closed = xta_array_close(array, status == XTA_OK && !to_delete ? err : NULL);
        status = status == XTA_OK && !to_delete ? closed : status;
    }
    free(record);
    return status;
}
