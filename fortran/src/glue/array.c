/* What module xta calls for arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "glue/array.h"

#include <stdlib.h>

#include <xta/attribute.h>
#include <xta/select.h>

#include "glue/fill.h"
#include "util/checked.h"
#include "util/try.h"

xta_status xtaf_array_open(const char *path, int writable, int64_t step, xta_array **out,
                           xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = writable != 0;
    options.at_step = step >= 0;
    options.step = step >= 0 ? (uint64_t)step : 0;
    return xta_array_open(path, &options, out, err);
}

xta_status xtaf_array_create(const char *path, int type, int ndim, const int64_t shape[],
                             const int64_t chunk[], const char *names, const CFI_cdesc_t *fill,
                             int cell_bytes, xta_array **out, xta_error *err)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t bounds[XTA_MAX_NDIM], chunks[XTA_MAX_NDIM];
    const char *split[XTA_MAX_NDIM] = {NULL};
    uint8_t cell[16];
    char *lines = names != NULL ? xta__strdup(names) : NULL;
    xta_status status = XTA_OK;

    if (ndim < 1 || ndim > XTA_MAX_NDIM) {
        XTA_TRY(
            xta_error_set(err, XTA_EARG, 0, "%s: %d axes; want 1 to %d", path, ndim, XTA_MAX_NDIM));
    }
    if (names != NULL && lines == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", path));
    }
    xta__fortran_reverse(ndim, shape, bounds);
    if (chunk != NULL) {
        xta__fortran_reverse(ndim, chunk, chunks);
        options.chunk = chunks;
    }
    if (lines != NULL) {
        XTA_TRY(xta__fortran_names(lines, ndim, split, err));
        options.names = split;
    }
    if (fill != NULL) {
        XTA_TRY(xta__fortran_fill(fill, (xta_type)type, cell_bytes, cell, &options.fill, err));
    }
    options.cell_bytes = (uint32_t)cell_bytes;
    status = xta_array_create(path, (xta_type)type, ndim, bounds, &options, out, err);

done:
    free(lines);
    return status;
}

void xtaf_array_bounds(const xta_array *array, int64_t lower[], int64_t upper[])
{
    const xta_box bounds = xta_array_bounds(array);

    xta__fortran_reverse(bounds.ndim, bounds.lo, lower);
    xta__fortran_reverse(bounds.ndim, bounds.hi, upper);
    for (int k = 0; k < bounds.ndim; k++) {
        upper[k]--;
    }
}

static xta_status growth_of(const xta_array *array, int number, int front, int64_t by,
                            xta_growth *out, xta_error *err)
{
    int axis = 0;
    xta_status status = xta__fortran_axis(array, number, 1, &axis, err);

    *out = (xta_growth){.axis = axis, .side = front ? XTA_FRONT : XTA_BACK, .by = by};
    return status;
}

xta_status xtaf_array_change(xta_array *array, int number, int front, int64_t by, int shrink,
                             xta_error *err)
{
    xta_growth growth;
    xta_status status = XTA_OK;

    XTA_TRY(growth_of(array, number, front, by, &growth, err));
    status = shrink ? xta_array_shrink(array, &growth, 1, NULL, err)
                    : xta_array_extend(array, &growth, 1, NULL, err);

done:
    return status;
}

xta_status xtaf_array_append(xta_array *array, int number, int front, const CFI_cdesc_t *values,
                             int64_t *first, xta_error *err)
{
    const xta_box bounds = xta_array_bounds(array);
    fortran_transfer transfer;
    xta_growth growth;
    xta_box after;
    xta_status status = XTA_OK;

    XTA_TRY(growth_of(array, number, front, 0, &growth, err));
    XTA_TRY(xta__fortran_transfer(array, values, NULL, NULL, &transfer, err));
    for (int axis = 0; axis < bounds.ndim; axis++) {
        int64_t n = transfer.box.hi[axis] - transfer.box.lo[axis];
        if (axis != growth.axis && n != bounds.hi[axis] - bounds.lo[axis]) {
            XTA_TRY(xta_error_set(err, XTA_EBOX, 0,
                                  "%s: %lld elements along axis %d, which has %lld cells; append "
                                  "along axis %d takes all cells of the others",
                                  xta_array_path(array), (long long)n, bounds.ndim - axis,
                                  (long long)(bounds.hi[axis] - bounds.lo[axis]), number));
        }
    }
    growth.by = transfer.box.hi[growth.axis] - transfer.box.lo[growth.axis];
    XTA_TRY(xta_array_append(array, &growth, &transfer.options, transfer.memory, &after, err));
    if (first != NULL) {
        *first = front ? after.lo[growth.axis] : after.hi[growth.axis] - growth.by;
    }

done:
    return status;
}

xta_status xtaf_array_read(xta_array *array, const int64_t lower[], const int64_t steps[],
                           const CFI_cdesc_t *values, xta_error *err)
{
    fortran_transfer transfer;
    xta_status status = xta__fortran_transfer(array, values, lower, steps, &transfer, err);

    return status == XTA_OK
               ? xta_array_read(array, &transfer.box, &transfer.options, transfer.memory, err)
               : status;
}

xta_status xtaf_array_write(xta_array *array, const int64_t lower[], const int64_t steps[],
                            const CFI_cdesc_t *values, xta_error *err)
{
    fortran_transfer transfer;
    xta_status status = xta__fortran_transfer(array, values, lower, steps, &transfer, err);

    return status == XTA_OK
               ? xta_array_write(array, &transfer.box, &transfer.options, transfer.memory, err)
               : status;
}

xta_status xtaf_array_refresh(xta_array *array, int *changed, xta_error *err)
{
    bool any = false;
    xta_status status = xta_array_refresh(array, &any, err);

    *changed = any;
    return status;
}

xta_status xtaf_array_select(xta_array *array, const char *text, int64_t lower[], int64_t shape[],
                             xta_error *err)
{
    xta_selection selection;
    xta_status status = xta_box_select(array, text, &selection, err);

    if (status != XTA_OK) {
        return status;
    }
    for (int axis = 0; axis < selection.box.ndim && status == XTA_OK; axis++) {
        int k = selection.box.ndim - 1 - axis;
        lower[k] = selection.box.lo[axis];
        shape[k] = selection.box.hi[axis] - selection.box.lo[axis];
        if (!xta_selection_is_box(&selection, axis)) {
            status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                   "%s: the labels of axis %d are no cells that follow each other; "
                                   "select ranges, and read with steps",
                                   xta_array_path(array), k + 1);
        }
    }
    xta_selection_clear(&selection);
    return status;
}

xta_status xtaf_axis_find(xta_array *array, const char *name, int *number, xta_error *err)
{
    int axis = 0;
    xta_status status = xta_axis_find(array, name, &axis, err);

    *number = status == XTA_OK ? xta_array_ndim(array) - axis : 0;
    return status;
}
