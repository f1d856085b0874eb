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
#include "array/change/extend.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/change/exclusive_writer.h"
#include "array/change/growth.h"
#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/state/structure.h"

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
                     ? xta__change_nothing(array, after)
                     : xta__grow_with(array, growths, n_growths, NULL, after, err);
    }
    xta__change_end(array);

done:
    return status;
}
