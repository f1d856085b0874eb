/* Moving boxes between chunks and the caller's memory: one read or one write.
 *
 * Reading through pointers goes line by line or chunk by chunk, in the order of memory; everything
 * else in the order of the file. Plan and run are apart: which chunks, which cells of them and in
 * which runs is decided by plan/, and what is left here is dull.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/ahead.h"
#include "array/slabs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "private/transfer.h"

#define STREAM_BYTES   ((uint64_t)32 << 20) /* targets larger than this spare the caches */
#define PREFETCH_BYTES ((uint64_t)256 << 10)

static uint64_t find_address(const xta__structure *structure, const int64_t chunk[],
                             pthread_mutex_t *lock)
{
    uint64_t address = 0;

    if (!xta__mapping_try_address(&structure->mapping, chunk, &address)) {
        xta__mapping *mapping = (xta__mapping *)(uintptr_t)&structure->mapping;
        pthread_mutex_lock(lock);
        address = xta__mapping_address(mapping, chunk);
        pthread_mutex_unlock(lock);
    }
    return address;
}

uint64_t xta__address(xta_array *array, const xta__structure *structure, const int64_t chunk[])
{
    return find_address(structure, chunk, &array->lock);
}

uint64_t xta__address_in(const xta__transfer_call *t, const int64_t chunk[])
{
    return find_address(t->structure, chunk, t->lock);
}

/* ---- checks ---- */

xta_status xta__check_box(xta_array *array, const xta_box *box, const xta_box *bounds,
                          xta_error *err)
{
    char text[256];

    if (box->ndim != bounds->ndim) {
        return xta__fail(err, XTA_EBOX, 0, "%s: a box of %d axes; the array has %d",
                         xta__array_name(array), box->ndim, bounds->ndim);
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] > box->hi[axis] || box->lo[axis] < bounds->lo[axis] ||
            box->hi[axis] > bounds->hi[axis]) {
            return xta__fail(err, XTA_EBOX, 0,
                             "%s: axis %d: box %" PRId64 ":%" PRId64
                             " leaves the bounds; stay within %s",
                             xta__array_name(array), axis, box->lo[axis], box->hi[axis],
                             xta__box_text(bounds, text, sizeof text));
        }
    }
    return XTA_OK;
}

xta_status xta__take_io_options(const xta_io_options **options, xta_io_options *own, xta_error *err)
{
    // Mostly the caller is of this release.
    if (*options == NULL || (*options)->struct_size == sizeof *own) {
        return XTA_OK;
    }
    xta_status status = xta_options_take(own, sizeof *own, *options, "xta_io_options", err);
    *options = own;
    return status;
}

xta_status xta__check_options(const xta_array *array, int ndim, const xta_io_options *options,
                              xta_error *err)
{
    int threads = options != NULL ? options->threads : 0;

    if (threads < 0 || threads > XTA__MOST_THREADS) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %d threads: give 1 to %d, or 0 for as many as XTA_THREADS says",
                         xta__array_name(array), threads, XTA__MOST_THREADS);
    }
    if (threads == 0 && array->threads < 0) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: when it was opened the variable XTA_THREADS was no number from 1 to "
                         "%d; correct it, or say how many threads in the options",
                         xta__array_name(array), XTA__MOST_THREADS);
    }
    if (options == NULL) {
        return XTA_OK;
    }
    if (options->type != XTA_TYPE_SAME) {
        size_t bad = 0;
        if (!xta__is_cell_type((unsigned)options->type) ||
            (options->type != array->state.constants.type &&
             xta_type_convert(array->state.constants.type, NULL, options->type, NULL, 0, &bad) !=
                 XTA_OK)) {
            return xta__fail(err, XTA_ETYPE, 0, "%s: cells of type %s cannot be taken as %s",
                             xta__array_name(array), xta_type_name(array->state.constants.type),
                             xta_type_name(options->type));
        }
    }
    if (options->order != XTA_ROW && options->order != XTA_COLUMN) {
        return xta__fail(err, XTA_EARG, 0, "memory order %d: give row or column",
                         (int)options->order);
    }
    for (int axis = 0; options->step != NULL && axis < ndim; axis++) {
        if (options->step[axis] < 1) {
            return xta__fail(err, XTA_EARG, 0, "axis %d: step %" PRId64 ": give 1 or more", axis,
                             options->step[axis]);
        }
    }
    return XTA_OK;
}

/* ---- setting up ---- */

static void set_strides(xta__transfer_call *t, const xta_io_options *o)
{
    int ndim = t->region.ndim;
    ptrdiff_t stride = (ptrdiff_t)t->memory_cell;

    for (int k = 0; k < ndim; k++) {
        int axis = o->order == XTA_COLUMN ? k : ndim - 1 - k;
        t->to[axis] = o->strides != NULL ? (ptrdiff_t)o->strides[axis] : stride;
        stride *= (ptrdiff_t)t->region.count[axis];
    }
    for (int axis = 0; axis < ndim; axis++) {
        // A step may be longer than any chunk: then it is never taken, whatever the product is.
        t->from[axis] = (ptrdiff_t)((uint64_t)t->structure->axis[axis].stride_bytes *
                                    (uint64_t)t->region.step[axis]);
    }
}

/* What parts go through on their way: as much as the largest needs that the region takes. */
static xta_status make_scratch(xta__transfer_call *t, xta_error *err)
{
    size_t cells = 1;

    if (!t->convert && t->strided) {
        return XTA_OK;
    }
    for (int axis = 0; axis < t->region.ndim; axis++) {
        int64_t most = t->region.chunk[axis] < t->region.count[axis] ? t->region.chunk[axis]
                                                                     : t->region.count[axis];
        cells *= (size_t)most;
    }
    bool failed = false;
    if (!t->strided) {
        // Now, and not while a chunk is pinned: making it waits for the array's lock.
        t->curve = xta__curve_of(t->array, (xta__structure *)(uintptr_t)t->structure);
        failed = t->curve == NULL;
        t->tile_bytes = failed ? 0 : xta__curve_tile_bytes(t->curve, t->array->cell_bytes, cells);
        t->tile = xta__calloc(t->tile_bytes, 1);
        failed = failed || t->tile == NULL;
    }
    if (t->convert) {
        t->scratch = xta__calloc(cells, t->array->cell_bytes);
        t->converted = xta__calloc(cells, t->memory_cell);
        failed = failed || t->scratch == NULL || t->converted == NULL;
    }
    return failed ? xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a chunk of %zu cells",
                              xta__array_name(t->array), cells)
                  : XTA_OK;
}

static xta_status set_up(xta__transfer_call *t, const xta_box *box, const xta_io_options *options,
                         xta_error *err)
{
    static const xta_io_options defaults = XTA_IO_OPTIONS_INIT;
    const xta_io_options *o = options != NULL ? options : &defaults;
    int64_t chunk[XTA_MAX_NDIM];
    xta_type own = t->array->state.constants.type;

    for (int axis = 0; axis < box->ndim; axis++) {
        chunk[axis] = t->structure->axis[axis].chunk;
    }
    if (xta__region_init(&t->region, box, o->step, chunk) != XTA_OK) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: the box has more than 2^63 - 1 cells",
                         xta__array_name(t->array));
    }
    t->memory_type = o->type == XTA_TYPE_SAME ? own : o->type;
    t->convert = t->memory_type != own;
    t->memory_cell = t->convert ? xta_type_bytes(t->memory_type) : t->array->cell_bytes;
    t->strided = xta__grid_is_strided(&t->structure->grid);
    uint64_t bytes = t->region.n_cells * t->memory_cell;
    t->stream = t->direction == XTA__READ && bytes >= STREAM_BYTES;
    t->prefetch = t->direction == XTA__READ && bytes >= PREFETCH_BYTES &&
                  t->array->holder->ops->will_need != NULL;
    set_strides(t, o);
    t->n_threads = xta__threads_for(t, o->threads > 0 ? o->threads : t->array->threads);
    t->ahead.wanted = xta__ahead_is_worth(t);
    t->ahead.fetching = NULL;
    return make_scratch(t, err);
}

static void tear_down(xta__transfer_call *t)
{
    free(t->tile);
    free(t->scratch);
    free(t->converted);
    xta__drop_staging(t);
}

/* Memory of a thread of its own, for a call that is set up. */
static xta_status begin_slabs(xta__transfer_call *t, xta_error *err)
{
    t->tile = t->scratch = t->converted = t->staging = NULL;
    t->staging_room = 0;
    xta_status status = make_scratch(t, err);
    if (status != XTA_OK) {
        tear_down(t);
    }
    return status;
}

/* ---- one call ---- */

/* Chunk by chunk, in the order of the region: for holders whose chunks are reached by pointers. */
static xta_status move_in_order(xta__transfer_call *t, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta__part p;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    xta__ahead_begin(t, -1);
    do {
        xta__take_part(t, chunk, &p);
        (void)xta__ahead_step(t, chunk, 1);
        if (p.n_cells > 0) {
            uint64_t address = xta__address_in(t, chunk);
            if (t->prefetch) {
                t->array->holder->ops->will_need(t->array->holder, address);
            }
            status = xta__move_chunk(t, chunk, address, &p, err);
        }
    } while (status == XTA_OK && !xta__is_cut_short(t) && xta__next_chunk(t, -1, chunk));
    xta__ahead_end(t);
    return status;
}

/* A write that converts looks at every value before it touches the first chunk. */
static xta_status check_values(xta__transfer_call *t, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta__part p;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    do {
        xta__take_part(t, chunk, &p);
        if (p.n_cells > 0) {
            status = xta__gather_scratch(t, &p, chunk, err);
        }
    } while (status == XTA_OK && !xta__is_cut_short(t) && xta__next_chunk(t, -1, chunk));
    return status;
}

static xta_status move_all(xta__transfer_call *t, xta_error *err)
{
    xta__holder *holder = t->array->holder;
    int line = xta__line_axis(t);

    if (t->region.n_chunks == 1) {
        xta__part p;
        xta__take_part(t, t->region.chunks.lo, &p);
        if (p.n_cells == 0) {
            return XTA_OK;
        }
        if (!(t->direction == XTA__WRITE && p.whole && holder->ops->write_run != NULL)) {
            uint64_t address = xta__address_in(t, t->region.chunks.lo);
            return xta__move_chunk(t, t->region.chunks.lo, address, &p, err);
        }
        // One whole chunk: a batch without its tables.
        uint64_t address = xta__address_in(t, t->region.chunks.lo);
        const xta__batch batch = {.n = 1, .addresses = &address, .coords = t->region.chunks.lo};
        return xta__write_run(t, -1, &batch, 0, 1, err);
    }
    if (line >= 0 && holder->windows != NULL && t->direction == XTA__READ) {
        return xta__read_lines(t, line, err);
    }
    if (holder->windows != NULL && (t->direction == XTA__READ || holder->ops->write_run == NULL)) {
        return move_in_order(t, err);
    }
    return xta__move_in_file_order(t, line, err);
}

static xta_status move_by(xta__slab_move *move, xta__transfer_call *t, xta_error *err)
{
    const xta__slab_ops ops = {.begin = begin_slabs, .move = move, .end = tear_down};

    return t->n_threads > 1 ? xta__move_slabs(t, t->n_threads, &ops, err) : move(t, err);
}

/* The large members are filled as they are needed: a small box must not pay for clearing them. */
static void begin_call(xta__transfer_call *t, xta_array *array, xta__direction direction,
                       void *memory)
{
    t->array = array;
    t->structure = xta__structure_of(array);
    t->direction = direction;
    t->memory = memory;
    t->planned = false;
    t->tile = t->scratch = t->converted = t->staging = NULL;
    t->staging_room = 0;
    t->skips = NULL;
    t->locked = false;
    t->lock = &array->lock;
    t->failed = NULL;
}

static xta_status run_call(xta__transfer_call *t, const xta_box *box, const xta_io_options *options,
                           uint64_t of_cells, xta_error *err)
{
    xta_status status = XTA_OK;

    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    XTA_TRY(set_up(t, box, options, err));
    t->stream =
        t->stream || (t->direction == XTA__READ && of_cells > STREAM_BYTES / 8 / t->memory_cell);
    if (t->direction == XTA__WRITE && t->convert) {
        XTA_TRY(move_by(check_values, t, err));
    }
    XTA_TRY(move_by(move_all, t, err));

done:
    tear_down(t);
    return status;
}

xta_status xta__begin_transfer(xta__transfer_call *t, xta_array *array, const xta_box *box,
                               const xta_io_options *options, xta__direction direction,
                               void *memory, xta_error *err)
{
    begin_call(t, array, direction, memory);
    return set_up(t, box, options, err);
}

void xta__end_transfer(xta__transfer_call *t)
{
    tear_down(t);
}

xta_status xta__transfer(xta_array *array, const xta_box *box, const xta_io_options *options,
                         xta__direction direction, void *memory, xta_error *err)
{
    return xta__transfer_part(array, box, options, direction, memory, 0, NULL, NULL, err);
}

xta_status xta__transfer_part(xta_array *array, const xta_box *box, const xta_io_options *options,
                              xta__direction direction, void *memory, uint64_t of_cells,
                              xta__skips *skips, void *skips_user, xta_error *err)
{
    xta__transfer_call t;

    begin_call(&t, array, direction, memory);
    t.skips = skips;
    t.skips_user = skips_user;
    return run_call(&t, box, options, of_cells, err);
}

xta_status xta__write_locked(xta_array *array, const xta_box *box, const xta_io_options *options,
                             const void *memory, xta_error *err)
{
    xta__transfer_call t;

    begin_call(&t, array, XTA__WRITE, (void *)(uintptr_t)memory);
    t.locked = true;
    return run_call(&t, box, options, 0, err);
}

xta_status xta__check_cells(xta_array *array, const xta_box *box, const xta_io_options *options,
                            const void *cells, xta_error *err)
{
    xta__transfer_call t;

    begin_call(&t, array, XTA__WRITE, (void *)(uintptr_t)cells);
    xta_status status = set_up(&t, box, options, err);

    if (status == XTA_OK && t.convert) {
        status = check_values(&t, err);
    }
    tear_down(&t);
    return status;
}

xta_status xta__each_part(xta_array *array, const xta_box *box, const xta_io_options *options,
                          xta__part_visit *visit, void *user, xta_error *err)
{
    xta__transfer_call t;
    int64_t chunk[XTA_MAX_NDIM];
    xta__part p;

    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    begin_call(&t, array, XTA__WRITE, NULL);
    xta_status status = set_up(&t, box, options, err);
    if (status == XTA_OK) {
        memcpy(chunk, t.region.chunks.lo, sizeof chunk);
        do {
            xta__take_part(&t, chunk, &p);
            if (p.n_cells > 0) {
                visit(user, &t, xta__address_in(&t, chunk), &p);
            }
        } while (xta__next_chunk(&t, -1, chunk));
    }
    tear_down(&t);
    return status;
}

void xta_array_watch(xta_array *array, xta_array_watcher *watch, void *user)
{
    array->watch = watch;
    array->watch_user = user;
}

static void tell_watcher(xta_array *array, bool write, const xta_box *box,
                         const xta_io_options *options)
{
    if (array->watch != NULL) {
        array->watch(array->watch_user, array, write, box, options != NULL ? options->step : NULL);
    }
}

xta_status xta__check_call(xta_array *array, const xta_box *box, const xta_io_options **options,
                           xta_io_options *own, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));

    XTA_TRY(xta__take_io_options(options, own, err));
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    XTA_TRY(xta__check_options(array, box->ndim, *options, err));

done:
    return status;
}

xta_status xta_array_read(xta_array *array, const xta_box *box, const xta_io_options *options,
                          void *out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_io_options own;

    XTA_TRY(xta__begin(array, err));
    XTA_TRY(xta__check_call(array, box, &options, &own, err));
    tell_watcher(array, false, box, options);
    XTA_TRY(xta__transfer(array, box, options, XTA__READ, out, err));

done:
    return status;
}

xta_status xta_array_write(xta_array *array, const xta_box *box, const xta_io_options *options,
                           const void *in, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_io_options own;

    XTA_TRY(xta__begin_change(array, "write", err));
    XTA_TRY(xta__check_call(array, box, &options, &own, err));
    tell_watcher(array, true, box, options);
    XTA_TRY(xta__transfer(array, box, options, XTA__WRITE, (void *)(uintptr_t)in, err));

done:
    return status;
}
