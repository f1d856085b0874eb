/* Moving boxes between chunks and the caller's memory: one read or one write.
 *
 * Where chunks are reached by pointers, a read goes line by line or chunk by chunk, in the order of
 * memory; everything else goes in the order of the file. Plan and run are separate:
 * geometry/region/ decides which chunks, which of their cells and in which runs; this file decides
 * only the order of work. Large boxes are divided among threads (slabs.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/box_transfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/io/box/chunk_slice.h"
#include "array/io/box/gather_rows.h"
#include "array/io/box/prepare_call.h"
#include "array/io/box/read_ahead.h"
#include "array/io/box/slabs.h"
#include "array/io/box/transfer_call.h"
#include "array/io/box/write_batches.h"
#include "array/io/check_call.h"
#include "geometry/region/plan.h"

/* Give a thread its own memory, for a call that is set up. */
static xta_status begin_slabs(xta__transfer_call *t, xta_error *err)
{
    t->tile = t->scratch = t->converted = t->staging = NULL;
    t->staging_bytes = 0;
    xta_status status = xta__call_make_scratch(t, err);
    if (status != XTA_OK) {
        xta__call_clear(t);
    }
    return status;
}

/* Chunk by chunk, in the order of the region: for chunk stores whose chunks are accessed by
 * pointers. */
static xta_status move_in_order(xta__transfer_call *t, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta__chunk_slice slice;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    xta__ahead_begin(t, -1);
    do {
        xta__find_slice(t, chunk, &slice);
        (void)xta__ahead_step(t, chunk, 1);
        if (slice.n_cells > 0) {
            uint64_t address = xta__address_in(t, chunk);
            if (t->prefetch) {
                t->array->chunk_store->ops->will_need(t->array->chunk_store, address);
            }
            status = xta__move_chunk(t, chunk, address, &slice, err);
        }
    } while (status == XTA_OK && !xta__is_cut_short(t) && xta__next_chunk(t, -1, chunk));
    xta__ahead_end(t);
    return status;
}

/* A write that converts tries every value before it touches the first chunk. */
static xta_status check_values(xta__transfer_call *t, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta__chunk_slice slice;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    do {
        xta__find_slice(t, chunk, &slice);
        if (slice.n_cells > 0) {
            status = xta__gather_scratch(t, &slice, chunk, err);
        }
    } while (status == XTA_OK && !xta__is_cut_short(t) && xta__next_chunk(t, -1, chunk));
    return status;
}

static xta_status move_all(xta__transfer_call *t, xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    int line = xta__line_axis(t);

    if (t->region.n_chunks == 1) {
        xta__chunk_slice slice;
        xta__find_slice(t, t->region.chunks.lo, &slice);
        if (slice.n_cells == 0) {
            return XTA_OK;
        }
        if (!(t->direction == XTA__WRITE && slice.whole && chunk_store->ops->write_run != NULL)) {
            uint64_t address = xta__address_in(t, t->region.chunks.lo);
            return xta__move_chunk(t, t->region.chunks.lo, address, &slice, err);
        }
        // One whole chunk: a batch without the tables of one.
        uint64_t address = xta__address_in(t, t->region.chunks.lo);
        const xta__batch batch = {.n = 1, .addresses = &address, .coords = t->region.chunks.lo};
        return xta__write_run(t, -1, &batch, 0, 1, err);
    }
    if (line >= 0 && chunk_store->windows != NULL && t->direction == XTA__READ) {
        return xta__read_lines(t, line, err);
    }
    if (chunk_store->windows != NULL &&
        (t->direction == XTA__READ || chunk_store->ops->write_run == NULL)) {
        return move_in_order(t, err);
    }
    return xta__move_in_file_order(t, line, err);
}

static xta_status move_by(xta__slab_move *move, xta__transfer_call *t, xta_error *err)
{
    const xta__slab_ops ops = {.begin = begin_slabs, .move = move, .end = xta__call_clear};

    return t->n_threads > 1 ? xta__move_slabs(t, t->n_threads, &ops, err) : move(t, err);
}

/* Inlined into its two callers: for a small box one more call would cost about 1 % of the
 * instructions. */
static inline __attribute__((always_inline)) xta_status run_call(xta__transfer_call *t,
                                                                 const xta_box *box,
                                                                 const xta_io_options *options,
                                                                 uint64_t of_cells, xta_error *err)
{
    xta_status status = XTA_OK;

    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    XTA_TRY(xta__call_prepare(t, box, options, err));
    t->n_threads = xta__threads_for(t, options != NULL && options->threads > 0 ? options->threads
                                                                               : t->array->threads);
    t->ahead.wanted = xta__ahead_is_worth(t);
    t->stream = t->stream ||
                (t->direction == XTA__READ && of_cells > XTA__STREAM_BYTES / 8 / t->memory_cell);
    if (t->direction == XTA__WRITE && t->convert) {
        XTA_TRY(move_by(check_values, t, err));
    }
    XTA_TRY(move_by(move_all, t, err));

done:
    xta__call_clear(t);
    return status;
}

xta_status xta__transfer(xta_array *array, const xta_box *box, const xta_io_options *options,
                         xta__direction direction, void *memory, xta_error *err)
{
    return xta__transfer_box_piece(array, box, options, direction, memory, 0, NULL, NULL, err);
}

xta_status xta__transfer_box_piece(xta_array *array, const xta_box *box,
                                   const xta_io_options *options, xta__direction direction,
                                   void *memory, uint64_t of_cells, xta__skips *skips,
                                   void *skips_user, xta_error *err)
{
    xta__transfer_call t;

    xta__call_begin(&t, array, direction, memory);
    t.skips = skips;
    t.skips_user = skips_user;
    return run_call(&t, box, options, of_cells, err);
}

xta_status xta__write_locked(xta_array *array, const xta_box *box, const xta_io_options *options,
                             const void *memory, xta_error *err)
{
    xta__transfer_call t;

    xta__call_begin(&t, array, XTA__WRITE, (void *)(uintptr_t)memory);
    t.locked = true;
    return run_call(&t, box, options, 0, err);
}

xta_status xta__check_cells(xta_array *array, const xta_box *box, const xta_io_options *options,
                            const void *cells, xta_error *err)
{
    xta__transfer_call t;

    xta__call_begin(&t, array, XTA__WRITE, (void *)(uintptr_t)cells);
    xta_status status = xta__call_prepare(&t, box, options, err);

    if (status == XTA_OK && t.convert) {
        status = check_values(&t, err);
    }
    xta__call_clear(&t);
    return status;
}

void xta_array_watch(xta_array *array, xta_array_watcher *watch, void *user)
{
    array->watch = watch;
    array->watch_user = user;
}

static void notify_watcher(xta_array *array, bool write, const xta_box *box,
                           const xta_io_options *options)
{
    if (array->watch != NULL) {
        array->watch(array->watch_user, array, write, box, options != NULL ? options->step : NULL);
    }
}

xta_status xta_array_read(xta_array *array, const xta_box *box, const xta_io_options *options,
                          void *out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_io_options own;

    XTA_TRY(xta__begin(array, err));
    XTA_TRY(xta__check_call(array, box, &options, &own, err));
    notify_watcher(array, false, box, options);
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
    notify_watcher(array, true, box, options);
    XTA_TRY(xta__transfer(array, box, options, XTA__WRITE, (void *)(uintptr_t)in, err));

done:
    return status;
}
