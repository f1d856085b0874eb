/* Selected cells of the axes of a foreign dataset.
 *
 * Naive: read each selected cell. Libraries read boxes, and a call for each cell costs more than
 * cells that are not wanted. So each axis is cut into runs of ascending cells that are near each
 * other, and the box of each product of runs is read; cells between the selected ones are left out
 * in memory. Near are cells in one chunk or in chunks side by side, which hold no others, and
 * without chunks those with less than a page between them, which the disk reads anyway. So nothing
 * is read but what shares its chunk, or its page, with a selected cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "selected/selected_cells.h"

#include <stdlib.h>
#include <string.h>

#include "util/try.h"

enum { PAGE_BYTES = 4096, BUFFER_BYTES = 16 << 20 };

void xta__selected_init(xta_selection *selection, int axis, int64_t begin, int64_t of,
                        selected_cells *cells)
{
    int64_t lo = selection->box.lo[axis], hi = selection->box.hi[axis];
    int64_t step = selection->step[axis];

    *cells = (selected_cells){.lo = lo - begin, .step = step, .of = of};
    cells->list = selection->list[axis];
    selection->list[axis] = NULL;
    if (cells->list != NULL) {
        cells->n = selection->n_list[axis];
        for (int64_t k = 0; k < cells->n; k++) {
            cells->list[k] -= begin;
        }
    } else {
        cells->n = hi > lo ? (hi - lo - 1) / step + 1 : 0;
    }
    if (cells->n == 1) {
        cells->step = 1;
    }
}

void xta__selected_clear(selected_cells *cells)
{
    free(cells->list);
    *cells = (selected_cells){0};
}

int64_t xta__selected_at(const selected_cells *cells, int64_t k)
{
    if (cells == NULL) {
        return k;
    }
    return cells->list != NULL ? cells->list[k] : cells->lo + k * cells->step;
}

bool xta__selected_is_range(const selected_cells *cells)
{
    for (int64_t k = 1; cells->list != NULL && k < cells->n; k++) {
        if (cells->list[k] != cells->list[0] + k) {
            return false;
        }
    }
    return cells->list != NULL || cells->step == 1;
}

int xta__selected_direction(const selected_cells *cells)
{
    bool up = true, down = cells->n > 1 && cells->list != NULL;

    for (int64_t k = 1; cells->list != NULL && k < cells->n; k++) {
        up = up && cells->list[k] > cells->list[k - 1];
        down = down && cells->list[k] < cells->list[k - 1];
    }
    return up ? 1 : down ? -1 : 0;
}

/* ---- reading ---- */

typedef struct reading {
    const selected_source *from;
    xta_box box; /* the whole box, in numbers of selected cells */
    unsigned char *to;
    int64_t stride[XTA_MAX_NDIM]; /* between cells in `to` */
    unsigned char *buffer;
    size_t buffer_bytes;
    xta_error *err;
} reading;

/* The axes from the slowest in memory to the fastest. */
static int axis_by_speed(const selected_source *from, int ndim, int k)
{
    return from->order == XTA_COLUMN ? ndim - 1 - k : k;
}

/* How far neighbours are apart in a dense box. Returns its cells. */
static int64_t strides_of(const selected_source *from, int ndim, const int64_t length[],
                          int64_t stride[])
{
    int64_t cells = 1;

    for (int k = ndim - 1; k >= 0; k--) {
        int axis = axis_by_speed(from, ndim, k);
        stride[axis] = cells;
        cells *= length[axis];
    }
    return cells;
}

/* Bytes between a cell and its neighbour in a dataset without chunks. */
static double distance_of(const selected_source *from, int ndim, int axis)
{
    double bytes = (double)from->cell_bytes;

    for (int k = 0; k < ndim; k++) {
        bool faster = from->order == XTA_COLUMN ? k < axis : k > axis;
        bytes *= faster ? (double)from->bounds[k] : 1;
    }
    return bytes;
}

/* How many cells from number `first` on, of at most `n`, are read together on an axis. */
static int64_t run_of(const reading *job, int axis, int64_t first, int64_t n)
{
    const selected_source *from = job->from;
    const selected_cells *cells = from->cells[axis];
    double distance = distance_of(from, job->box.ndim, axis);
    int64_t k = 1;
    int64_t chunk = from->chunk != NULL && from->chunk[axis] > 0 ? from->chunk[axis] : 0;

    if (cells == NULL || (cells->list == NULL && cells->step == 1)) {
        return n;
    }
    for (; k < n; k++) {
        int64_t a = xta__selected_at(cells, first + k - 1);
        int64_t b = xta__selected_at(cells, first + k);
        bool near =
            chunk > 0 ? b / chunk - a / chunk <= 1 : (double)(b - a - 1) * distance < PAGE_BYTES;
        if (b <= a || (b != a + 1 && !near)) {
            break;
        }
    }
    return k;
}

/* Whether the cells of a part are one range of `to`. */
static bool is_contiguous(const reading *job, const int64_t n[])
{
    bool begun = false, whole = true;

    for (int k = 0; k < job->box.ndim; k++) {
        int axis = axis_by_speed(job->from, job->box.ndim, k);
        whole = whole && (!begun || n[axis] == job->box.hi[axis] - job->box.lo[axis]);
        begun = begun || n[axis] > 1;
    }
    return whole;
}

/* Copy the selected cells of a span that was read. */
static void pick(const reading *job, const xta_box *span, const int64_t at[], const int64_t n[])
{
    const selected_source *from = job->from;
    int64_t length[XTA_MAX_NDIM], stride[XTA_MAX_NDIM], index[XTA_MAX_NDIM] = {0};
    int ndim = span->ndim, k;

    for (int axis = 0; axis < ndim; axis++) {
        length[axis] = span->hi[axis] - span->lo[axis];
    }
    strides_of(from, ndim, length, stride);
    do {
        int64_t in = 0, out = 0;
        for (int axis = 0; axis < ndim; axis++) {
            int64_t number = at[axis] + index[axis];
            in += (xta__selected_at(from->cells[axis], number) - span->lo[axis]) * stride[axis];
            out += (number - job->box.lo[axis]) * job->stride[axis];
        }
        memcpy(job->to + (size_t)out * from->cell_bytes,
               job->buffer + (size_t)in * from->cell_bytes, from->cell_bytes);
        for (k = ndim - 1; k >= 0; k--) {
            int axis = axis_by_speed(from, ndim, k);
            if (++index[axis] < n[axis]) {
                break;
            }
            index[axis] = 0;
        }
    } while (k >= 0);
}

static xta_status reserve(reading *job, size_t bytes)
{
    if (bytes <= job->buffer_bytes) {
        return XTA_OK;
    }
    free(job->buffer);
    job->buffer = malloc(bytes);
    job->buffer_bytes = job->buffer != NULL ? bytes : 0;
    return job->buffer != NULL
               ? XTA_OK
               : xta_error_set(job->err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes",
                               job->from->path, bytes);
}

/* The axis on which a part that is too large is halved: the slowest with more than one cell; -1:
 * there is none. */
static int axis_to_halve(const reading *job, const int64_t n[])
{
    for (int k = 0; k < job->box.ndim; k++) {
        int axis = axis_by_speed(job->from, job->box.ndim, k);
        if (n[axis] > 1) {
            return axis;
        }
    }
    return -1;
}

/* Read n cells from number `at` on, one run on each axis. */
static xta_status read_part(reading *job, const int64_t at[], const int64_t n[])
{
    const selected_source *from = job->from;
    xta_box span = {.ndim = job->box.ndim};
    int64_t half_at[XTA_MAX_NDIM], half_n[XTA_MAX_NDIM], out = 0;
    double bytes = (double)from->cell_bytes;
    bool dense = true;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < span.ndim; axis++) {
        span.lo[axis] = xta__selected_at(from->cells[axis], at[axis]);
        span.hi[axis] = xta__selected_at(from->cells[axis], at[axis] + n[axis] - 1) + 1;
        dense = dense && span.hi[axis] - span.lo[axis] == n[axis];
        bytes *= (double)(span.hi[axis] - span.lo[axis]);
        out += (at[axis] - job->box.lo[axis]) * job->stride[axis];
    }
    if (dense && is_contiguous(job, n)) {
        return from->read(from->user, &span, job->to + (size_t)out * from->cell_bytes, job->err);
    }
    int halved = bytes > BUFFER_BYTES ? axis_to_halve(job, n) : -1;
    if (halved < 0) {
        XTA_TRY(reserve(job, (size_t)bytes));
        XTA_TRY(from->read(from->user, &span, job->buffer, job->err));
        pick(job, &span, at, n);
        return XTA_OK;
    }
    memcpy(half_at, at, sizeof half_at);
    memcpy(half_n, n, sizeof half_n);
    half_n[halved] = n[halved] / 2;
    XTA_TRY(read_part(job, half_at, half_n));
    half_at[halved] += half_n[halved];
    half_n[halved] = n[halved] - half_n[halved];
    status = read_part(job, half_at, half_n);

done:
    return status;
}

xta_status xta__selected_read(const selected_source *source, const xta_box *box, void *cells,
                              xta_error *err)
{
    reading job = {.from = source, .box = *box, .to = cells, .err = err};
    int64_t at[XTA_MAX_NDIM] = {0}, n[XTA_MAX_NDIM] = {0}, length[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    int k;

    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        length[axis] = box->hi[axis] - box->lo[axis];
        at[axis] = box->lo[axis];
        n[axis] = run_of(&job, axis, at[axis], length[axis]);
    }
    strides_of(source, box->ndim, length, job.stride);
    do { // all products of runs, the fastest axis first
        XTA_TRY(read_part(&job, at, n));
        for (k = box->ndim - 1; k >= 0; k--) {
            int axis = axis_by_speed(source, box->ndim, k);
            bool more = at[axis] + n[axis] < box->hi[axis];
            at[axis] = more ? at[axis] + n[axis] : box->lo[axis];
            n[axis] = run_of(&job, axis, at[axis], box->hi[axis] - at[axis]);
            if (more) {
                break;
            }
        }
    } while (k >= 0);

done:
    free(job.buffer);
    return status;
}
