/* Growing an array by one step.
 *
 * A step is: take the locks, read what others did, prepare everything that can fail (growth.c),
 * append one record, publish. Before the record is in the journal nothing of the growth is visible,
 * afterwards all of it is. The cells of an append are written between prepare and record.
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
    bool had_leftovers = array->has_leftovers;
    uint8_t small[256];
    xta__bytes payload = {.bytes = small, .capacity = sizeof small, .borrowed = true};

    xta_status status = xta__grow_prepare(&g, array, growths, n, err);
    if (status != XTA_OK) {
        return status;
    }
    if (!array->in_memory) {
        xta__encode_growth(g.record, &payload);
    }
    if (with != NULL) {
        status = xta__write_slab(array, with, growths, &g.after, err);
        array->has_leftovers = true; // until the record is written
    }
    if (status == XTA_OK) {
        status = xta__commit(array, XTA__RECORD_EXTEND, &payload, err);
    }
    if (status == XTA_OK) {
        xta__grow_publish(&g);
        array->has_leftovers = had_leftovers;
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
    int ndim = 0;

    if (n_growths == 1 && array->exclusive_writer &&
        xta__extend_exclusively(array, growths, after)) {
        xta__clear(err);
        return XTA_OK;
    }
    XTA_TRY(xta__begin_change(array, "extend", err));
    ndim = xta_array_ndim(array);
    XTA_TRY(xta__check_growths(array, growths, n_growths, err));
    XTA_TRY(xta__change_begin(array, err));
    if (xta_array_ndim(array) != ndim) { // another process has added an axis meanwhile
        status = xta__check_growths(array, growths, n_growths, err);
    }
    if (status == XTA_OK) {
        status = xta__grows_nothing(growths, n_growths)
                     ? xta__change_nothing(array, after)
                     : xta__grow_with(array, growths, n_growths, NULL, after, err);
    }
    xta__change_end(array);

done:
    return status;
}
