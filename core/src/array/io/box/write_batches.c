/* Writing in file order: whole chunks with consecutive addresses are written by one system call.
 *
 * A box touches chunks in row-major order, but their addresses have the order in which they were
 * allocated. The chunks of a batch are sorted by address; runs of whole ones are gathered in
 * staging memory, or stored into pages that exist, and written together. Slices of chunks are
 * stored cell by cell where they belong, or, if long runs of them are contiguous, written run by
 * run. Nothing else of a chunk is ever touched: it may belong to another writer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/write_batches.h"

#include <stdlib.h>
#include <string.h>

#include "array/io/box/chunk_slice.h"
#include "array/io/box/direction.h"
#include "array/io/box/gather_rows.h"
#include "array/io/box/read_ahead.h"
#include "array/io/box/staging.h"
#include "array/state/open_array.h"
#include "geometry/region/plan.h"

#define RUN_BYTES   ((size_t)1 << 20)   /* of small chunks that one call writes */
#define LINE_BYTES  ((size_t)16 << 20)  /* of large ones, which are gathered line by line */
#define LARGE_BYTES ((size_t)512 << 10) /* slots from here on are written in pieces */
/* Of a large chunk. The page cache stores what one call writes in pages as large as the piece, up
 * to 2 MiB, and one fault maps one such page. */
#define PIECE_BYTES XTA__STAGING_BYTES

static uint64_t address_of(void *user, const int64_t coord[])
{
    xta__transfer_call *t = user;

    return xta__address_in(t, coord);
}

/* How many of the n whole chunks from `first` on lie on one line. */
static size_t line_length(const xta__transfer_call *t, int line, const xta__batch *batch,
                          size_t first, size_t n)
{
    size_t ndim = (size_t)t->region.ndim, k = 1;
    const int64_t *begin = batch->coords + first * ndim;

    for (; line >= 0 && k < n && k < XTA__MOST_PIECES; k++) {
        const int64_t *chunk = begin + k * ndim;
        for (size_t axis = 0; axis < ndim; axis++) {
            if (chunk[axis] != begin[axis] + ((int)axis == line ? (int64_t)k : 0)) {
                return k;
            }
        }
    }
    return k;
}

/* n whole chunks of one line, row by row across all of them; `stream`: past the processor's
 * caches. */
static void gather_line(xta__transfer_call *t, int line, const xta__batch *batch, size_t first,
                        size_t n, uint8_t *bytes, bool stream)
{
    size_t slot = (size_t)t->array->chunk_store->slot_bytes;
    const uint8_t *from[XTA__MOST_PIECES];
    uint8_t *to[XTA__MOST_PIECES];
    size_t row_bytes[XTA__MOST_PIECES];
    xta__copy_plan plan;
    xta__chunk_slice slice;

    for (size_t k = 0; k < n; k++) {
        xta__find_slice(t, batch->coords + (first + k) * (size_t)t->region.ndim, &slice);
        from[k] = t->memory + slice.memory_at;
        to[k] = bytes + k * slot;
        row_bytes[k] = slice.count[line] * t->array->cell_bytes;
    }
    xta__plan_rows(t, line, &slice, &plan);
    plan.stream = stream && plan.coding == NULL;
    xta__copy_rows(&plan, (int)n, to, from, row_bytes);
}

/* Gather one whole chunk into staging memory. */
static xta_status gather_chunk(xta__transfer_call *t, const int64_t chunk[], uint8_t *staging,
                               xta_error *err)
{
    xta__chunk_slice slice;
    xta__pin pin = {.bytes = staging};

    xta__find_slice(t, chunk, &slice);
    if (t->strided && !t->convert) {
        xta__copy_run(xta__plan_for(t, &slice), staging, t->memory + slice.memory_at);
        return XTA_OK;
    }
    xta_status status = xta__gather_scratch(t, &slice, chunk, err);
    if (status == XTA_OK) {
        xta__scratch_to_chunk(t, &slice, &pin);
    }
    return status;
}

/* Gather n whole chunks into memory where they are a slot apart: staging memory, or (`stream`)
 * pages. */
static xta_status gather_run(xta__transfer_call *t, int line, const xta__batch *batch, size_t first,
                             size_t n, uint8_t *bytes, bool stream, xta_error *err)
{
    size_t slot = (size_t)t->array->chunk_store->slot_bytes, ndim = (size_t)t->region.ndim;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < n && status == XTA_OK;) {
        size_t length = line_length(t, line, batch, first + k, n - k);
        if (length > 1) {
            gather_line(t, line, batch, first + k, length, bytes + k * slot, stream);
        } else {
            status = gather_chunk(t, batch->coords + (first + k) * ndim, bytes + k * slot, err);
        }
        k += length;
    }
    return status;
}

/* Gather whole chunks into the pages that they have; false if system calls have to write them. */
static bool store_run(xta__transfer_call *t, int line, const xta__batch *batch, size_t first,
                      size_t n, xta_status *status, xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    xta__pin pin = {.ndim = t->region.ndim};
    xta__chunk_slice slice;
    xta__rows rows;
    xta__method_ask ask;

    if (chunk_store->ops->pin_in_place == NULL) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        xta__find_slice(t, batch->coords + (first + k) * (size_t)t->region.ndim, &slice);
        if (xta__method_of_slice(t, batch->addresses[first + k], &slice, &rows, &ask) !=
            XTA__IN_PLACE) {
            return false;
        }
    }
    *status = chunk_store->ops->pin_in_place(chunk_store, batch->addresses[first], 0,
                                             n * (size_t)chunk_store->slot_bytes, false, &pin, err);
    if (*status == XTA_OK && pin.bytes != NULL) {
        *status = gather_run(t, line, batch, first, n, pin.bytes, true, err);
        chunk_store->ops->unpin(chunk_store, &pin);
    }
    return *status != XTA_OK || pin.bytes != NULL;
}

/* Write one large whole chunk, some planes at a time: what is gathered is still in the processor's
 * cache when it is written, so memory is read only once. */
static xta_status write_in_pieces(xta__transfer_call *t, uint64_t address, const int64_t chunk[],
                                  xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    int ndim = t->region.ndim;
    int slow = xta__is_column(t) ? ndim - 1 : 0;
    ptrdiff_t plane = t->from[slow];
    size_t most = chunk_store->run_bytes > 0 ? (size_t)chunk_store->run_bytes : PIECE_BYTES;
    size_t planes = most / (size_t)plane;
    xta__copy_plan plan;
    xta__chunk_slice slice;

    xta__find_slice(t, chunk, &slice);
    size_t left = slice.count[slow], done = 0;
    planes = planes > 0 ? planes : 1;
    xta_status status = xta__make_staging(t, planes * (size_t)plane, err);
    while (status == XTA_OK && left > 0) {
        slice.count[slow] = left < planes ? left : planes;
        if (done == 0 || slice.count[slow] < planes) {
            xta__copy_plan_init(&plan, ndim, t->array->cell_bytes, slice.count, t->from, t->to,
                                t->array->encode, false);
        }
        xta__copy_run(&plan, t->staging,
                      t->memory + slice.memory_at + (ptrdiff_t)done * t->to[slow]);
        status = chunk_store->ops->write_part(chunk_store, address, done * (size_t)plane,
                                              t->staging, slice.count[slow] * (size_t)plane, err);
        done += slice.count[slow];
        left -= slice.count[slow];
    }
    return status;
}

xta_status xta__write_run(xta__transfer_call *t, int line, const xta__batch *batch, size_t first,
                          size_t n, xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    size_t slot = (size_t)chunk_store->slot_bytes, ndim = (size_t)t->region.ndim;
    xta_status status = XTA_OK;
    xta__chunk_slice slice;

    if (store_run(t, line, batch, first, n, &status, err)) {
        return status;
    }
    xta__find_slice(t, batch->coords + first * ndim, &slice);
    if (n == 1 && t->strided && !t->convert) {
        const xta__copy_plan *plan = xta__plan_for(t, &slice);
        if (plan->ndim == 0 && plan->coding == NULL && slot == plan->cell_bytes) {
            // The caller's memory is the chunk already.
            return chunk_store->ops->write_run(chunk_store, batch->addresses[first], 1,
                                               t->memory + slice.memory_at, err);
        }
    }
    // A call costs little for a local file; on other file systems large calls pay more.
    bool pieces = chunk_store->windows != NULL
                      ? slot >= LARGE_BYTES
                      : chunk_store->run_bytes > 0 && slot > chunk_store->run_bytes;
    if (pieces && t->strided && !t->convert && chunk_store->ops->write_part != NULL) {
        for (size_t k = 0; k < n && status == XTA_OK; k++) {
            status = write_in_pieces(t, batch->addresses[first + k],
                                     batch->coords + (first + k) * ndim, err);
        }
        return status;
    }
    status = xta__make_staging(t, n * slot, err);
    if (status == XTA_OK && !t->strided) {
        memset(t->staging, 0, n * slot); // an order may leave positions of a chunk unused
    }
    if (status == XTA_OK) {
        status = gather_run(t, line, batch, first, n, t->staging, false, err);
    }
    for (size_t k = 0; k < n && status == XTA_OK; k++) {
        memset(t->staging + k * slot + chunk_store->chunk_bytes, 0,
               slot - chunk_store->chunk_bytes);
    }
    if (status == XTA_OK) {
        status =
            chunk_store->ops->write_run(chunk_store, batch->addresses[first], n, t->staging, err);
    }
    return status;
}

/* How many whole chunks from `first` on, at most `most`, have consecutive addresses. */
static size_t whole_run(const xta__transfer_call *t, const xta__batch *batch, size_t first,
                        size_t most)
{
    size_t run = xta__batch_run(batch, first, most), n = 1;
    xta__chunk_slice slice;

    for (; n < run; n++) {
        xta__find_slice(t, batch->coords + (first + n) * (size_t)t->region.ndim, &slice);
        if (!slice.whole) {
            break;
        }
    }
    return n;
}

/* How many whole chunks from `address` on one call may write. */
static size_t most_of_run(const xta__chunk_store *chunk_store, int line, uint64_t address)
{
    uint64_t slot = chunk_store->slot_bytes;
    uint64_t bytes = slot > RUN_BYTES / 4 && line >= 0 ? LINE_BYTES : RUN_BYTES;

    if (chunk_store->run_bytes > 0) {
        // Only up to the next multiple, so that a call touches no more pages than it fills.
        bytes = chunk_store->run_bytes - address * slot % chunk_store->run_bytes;
    }
    return bytes > slot ? (size_t)(bytes / slot) : 1;
}

static xta_status move_batch(xta__transfer_call *t, int line, const xta__batch *batch,
                             xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    bool runs = t->direction == XTA__WRITE && chunk_store->ops->write_run != NULL;
    xta_status status = XTA_OK;
    xta__chunk_slice slice;

    for (size_t k = 0; k < batch->n && status == XTA_OK && !xta__is_cut_short(t);) {
        const int64_t *chunk = batch->coords + k * (size_t)t->region.ndim;
        size_t n = 1;
        xta__find_slice(t, chunk, &slice);
        xta__ahead_step_in(t, batch, k);
        if (runs && slice.whole) {
            n = whole_run(t, batch, k, most_of_run(chunk_store, line, batch->addresses[k]));
            status = xta__write_run(t, line, batch, k, n, err);
        } else if (slice.n_cells > 0) {
            status = xta__move_chunk(t, chunk, batch->addresses[k], &slice, err);
        }
        k += n;
    }
    return status;
}

xta_status xta__move_in_file_order(xta__transfer_call *t, int line, xta_error *err)
{
    xta__batches batches;
    const xta__batch *batch;
    xta_status status = XTA_OK;

    if (xta__batches_init(&batches, &t->region.chunks, address_of, t) != XTA_OK) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the plan of a transfer",
                         xta__array_name(t->array));
    }
    xta__ahead_begin(t, -1);
    while (status == XTA_OK && !xta__is_cut_short(t) &&
           (batch = xta__batches_next(&batches)) != NULL) {
        status = move_batch(t, line, batch, err);
    }
    xta__ahead_end(t);
    xta__batches_clear(&batches);
    return status;
}
