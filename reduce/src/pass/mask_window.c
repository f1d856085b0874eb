/* A window on a mask, in which labels have been replaced by the numbers of their regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/mask_window.h"

#include "regions/mask_labels.h"

xta_status xta__window_show(xta__pass *pass, const xta_box *space)
{
    xta__window *w = &pass->window;
    const xta_regions *r = pass->regions;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    uint64_t n = 0;

    if (w->box.ndim > 0 && xta_box_contains(&w->box, space)) {
        return XTA_OK;
    }
    // If the whole mask fits, it is read only once.
    w->box = *space;
    if (xta_box_cells(&pass->space, &n) == XTA_OK && n <= w->capacity) {
        w->box = pass->space;
    } else if (xta_box_cells(space, &n) != XTA_OK || n > w->capacity) {
        return xta_error_set(pass->err, XTA_ENOMEM, 0, "no memory for a window on the mask");
    }
    xta_box box = w->box;
    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] -= r->shift[axis];
        box.hi[axis] -= r->shift[axis];
    }
    io.type = XTA_I64;
    io.threads = 1;
    xta_status status = xta_array_read(r->mask, &box, &io, w->region, pass->err);
    if (status != XTA_OK) {
        w->box.ndim = 0;
        return status;
    }
    for (uint64_t from = 0, to; from < n; from = to) {
        int64_t label = w->region[from];
        int64_t region = xta__region_of_label(r, label);
        for (to = from; to < n && w->region[to] == label; to++) {
            w->region[to] = region;
        }
    }
    return XTA_OK;
}
