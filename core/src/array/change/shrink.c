/* Shrinking: one record removes cells; then they become fill, and whole chunks free their space.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/shrink.h"

#include <inttypes.h>
#include <string.h>

#include "array/change/growth.h"
#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/handle/write_guard.h"
#include "array/io/cell.h"
#include "array/io/fill.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"

/* Cells between the old bounds and the new ones become fill, and whole chunks free their space. The
 * shrink has already happened; what fails here is done by the growth that next covers these
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

static xta_status shrink_array(xta_array *array, const xta_growth *shrinks, int n, xta_box *after,
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
    xta__select_accessors(array, s);
    s->n_steps++;
    give_back(array, &before, &bounds);
    // The zeros that were stored are written out while nobody else can put cells in their place.
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
    status = xta__grows_nothing(shrinks, n_shrinks)
                 ? xta__change_nothing(array, after)
                 : shrink_array(array, shrinks, n_shrinks, after, err);
    xta__change_end(array);

done:
    return status;
}
