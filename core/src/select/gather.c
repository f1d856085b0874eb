/* Selected cells as an array of their own. Each axis is cut into runs of cells at equal distances;
 * each product of runs is read with steps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/select.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "array/admin/axis_list.h"
#include "array/admin/create_like.h"
#include "array/state/open_array.h"
#include "base/base.h"
#include "select/selected_cells.h"

#define BUFFER_BYTES ((uint64_t)4 << 20)

typedef struct gather {
    xta_array *from, *to;
    const xta_selection *selection;
    xta_box bounds;               // of the copy
    int64_t first[XTA_MAX_NDIM];  // of the run on each axis: number of its first selected cell
    int64_t n[XTA_MAX_NDIM];      // how many cells
    int64_t stride[XTA_MAX_NDIM]; // how far apart
    uint8_t *cells;
    uint64_t most_cells;
    xta_error *err;
} gather;

/* The run that begins with selected cell `first` of an axis. */
static void find_run(gather *job, int axis, int64_t first)
{
    const xta_selection *s = job->selection;
    int64_t count = xta__selected_count(s, axis), n = 1, stride = 1;

    if (s->list[axis] == NULL) {
        n = count;
        stride = s->step[axis];
    } else if (first + 1 < count && s->list[axis][first + 1] > s->list[axis][first]) {
        const int64_t *list = s->list[axis] + first;
        stride = list[1] - list[0];
        while (first + n < count && list[n] - list[n - 1] == stride) {
            n++;
        }
    }
    job->first[axis] = first;
    job->n[axis] = n;
    job->stride[axis] = stride;
}

/* Copy cells `at` to `at + n` of the run, in halves if they exceed the buffer. */
static xta_status copy_run(const gather *job, const int64_t at[], const int64_t n[])
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box source = {.ndim = job->bounds.ndim}, target = source;
    int64_t half_at[XTA_MAX_NDIM], half_n[XTA_MAX_NDIM];
    uint64_t cells = 1;
    int longest = 0;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < source.ndim; axis++) {
        int64_t k = job->first[axis] + at[axis];
        source.lo[axis] = xta__selected_cell(job->selection, axis, k);
        source.hi[axis] = source.lo[axis] + (n[axis] - 1) * job->stride[axis] + 1;
        target.lo[axis] = job->bounds.lo[axis] + k;
        target.hi[axis] = target.lo[axis] + n[axis];
        cells *= (uint64_t)n[axis];
        longest = n[axis] > n[longest] ? axis : longest;
    }
    if (cells <= job->most_cells) {
        io.step = job->stride;
        XTA_TRY(xta_array_read(job->from, &source, &io, job->cells, job->err));
        return xta_array_write(job->to, &target, NULL, job->cells, job->err);
    }
    memcpy(half_at, at, sizeof half_at);
    memcpy(half_n, n, sizeof half_n);
    half_n[longest] = n[longest] / 2;
    XTA_TRY(copy_run(job, half_at, half_n));
    half_at[longest] += half_n[longest];
    half_n[longest] = n[longest] - half_n[longest];
    status = copy_run(job, half_at, half_n);
done:
    return status;
}

/* All products of runs, the last axis fastest. */
static xta_status copy_cells(gather *job)
{
    static const int64_t zero[XTA_MAX_NDIM];
    int ndim = job->bounds.ndim, axis;
    xta_status status = XTA_OK;

    for (axis = 0; axis < ndim; axis++) {
        find_run(job, axis, 0);
    }
    do {
        XTA_TRY(copy_run(job, zero, job->n));
        for (axis = ndim - 1; axis >= 0; axis--) {
            int64_t next = job->first[axis] + job->n[axis];
            bool more = next < xta__selected_count(job->selection, axis);
            find_run(job, axis, more ? next : 0);
            if (more) {
                break;
            }
        }
    } while (axis >= 0);
done:
    return status;
}

/* Lists of an axis that has other cells now. */
static xta_status pick_lists(const gather *job, int axis)
{
    int64_t n = xta__selected_count(job->selection, axis);
    int64_t *cells = xta__calloc((size_t)n + 1, sizeof *cells);
    void *memory = NULL;
    xta_status status = XTA_OK;

    if (cells == NULL) {
        return xta__fail(job->err, XTA_ENOMEM, 0, "no memory for %" PRId64 " cells", n);
    }
    for (int64_t k = 0; k < n; k++) {
        cells[k] = xta__selected_cell(job->selection, axis, k);
    }
    for (size_t k = 0; k < xta_attribute_count(job->from, axis); k++) {
        xta_attribute a;
        XTA_TRY(xta_attribute_at(job->from, axis, k, &a, job->err));
        XTA_TRY(xta__axis_list_pick(job->from, axis, cells, n, &a, &memory, job->err));
        if (memory != NULL) {
            XTA_TRY(xta_attribute_set(job->to, axis, &a, job->err));
        }
        free(memory);
        memory = NULL;
    }
done:
    free(memory);
    free(cells);
    return status;
}

/* Axes of which all is selected keep their cells; cells of the others are counted from 0. */
static xta_status plan(gather *job, uint64_t most_bytes)
{
    const xta_selection *s = job->selection;
    const xta_box bounds = xta_array_bounds(job->from);
    uint64_t n = 0, bytes = xta_array_cell_bytes(job->from);

    job->bounds = bounds;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        int64_t count = xta__selected_count(s, axis);
        if (s->box.lo[axis] < bounds.lo[axis] || s->box.hi[axis] > bounds.hi[axis]) {
            return xta__fail(job->err, XTA_EBOX, 0,
                             "%s: axis %d: cells %" PRId64 ":%" PRId64 " leave the bounds %" PRId64
                             ":%" PRId64,
                             xta__array_name(job->from), axis, s->box.lo[axis], s->box.hi[axis],
                             bounds.lo[axis], bounds.hi[axis]);
        }
        if (count != bounds.hi[axis] - bounds.lo[axis] || s->list[axis] != NULL) {
            job->bounds.lo[axis] = 0;
            job->bounds.hi[axis] = count;
        }
    }
    if (xta_box_cells(&job->bounds, &n) != XTA_OK || (most_bytes > 0 && n > most_bytes / bytes)) {
        return xta__fail(job->err, XTA_ENOMEM, 0,
                         "%s: the selection has more than %" PRIu64
                         " bytes, and lists and steps are gathered in memory; select less at a "
                         "time, or a box",
                         xta__array_name(job->from), most_bytes > 0 ? most_bytes : UINT64_MAX);
    }
    job->most_cells = BUFFER_BYTES / bytes > 0 ? BUFFER_BYTES / bytes : 1;
    job->most_cells = n < job->most_cells ? n : job->most_cells;
    job->cells = xta__calloc((size_t)job->most_cells + 1, (size_t)bytes);
    return job->cells != NULL
               ? XTA_OK
               : xta__fail(job->err, XTA_ENOMEM, 0, "%s: no memory for %" PRIu64 " cells",
                           xta__array_name(job->from), job->most_cells);
}

xta_status xta_array_select(xta_array *array, const xta_selection *selection, uint64_t most_bytes,
                            xta_array **out, xta_error *err)
{
    gather job = {.from = array, .selection = selection, .err = err};
    const xta__like how = {.box = &job.bounds};
    const xta_box bounds = xta_array_bounds(array);
    xta_work *none = NULL;
    xta_status status = XTA_OK;

    xta__clear(err);
    *out = NULL;
    XTA_TRY(plan(&job, most_bytes));
    XTA_TRY(xta__array_create_like(array, NULL, &how, &job.to, &none, err));
    for (int axis = 0; axis < bounds.ndim; axis++) {
        bool part = xta__selected_count(selection, axis) != bounds.hi[axis] - bounds.lo[axis];
        if (part || selection->list[axis] != NULL) {
            XTA_TRY(pick_lists(&job, axis));
        }
    }
    if (!xta_box_empty(&job.bounds)) {
        XTA_TRY(copy_cells(&job));
    }
    for (int axis = 0; axis < bounds.ndim; axis++) {
        XTA_TRY(xta_coordinates_copy(array, axis, selection, job.to, axis, err));
    }
    *out = job.to;
    job.to = NULL;
done:
    free(job.cells);
    (void)xta_array_close(job.to, NULL);
    return status;
}
