/* Arrays as grids of blocks: the chunks.
 *
 * Chunks of a file are moved by large calls at their offsets, past mapping and cache: piece by
 * piece (piece_plan.c chooses how) or, if whole, as many adjacent ones as possible in one call.
 * Arrays in memory are read and written through the public calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/block_grid.h>

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "blocks/array_grid.h"
#include "blocks/transfer_piece.h"

#define LEAST_BOUNCE_BYTES ((size_t)1 << 20)
#define MOST_BOUNCE_BYTES  ((size_t)4 << 20)

static uint64_t n_calls_of(const void *self, bool wrote)
{
    return ((const xta__array_grid *)self)->n_calls[wrote];
}

/* ---- pieces ---- */

static xta_status read_piece(void *self, const int64_t block[], const xta_box *piece, void *cells,
                             const int64_t strides[], xta_error *err)
{
    return xta__transfer_piece(self, block, piece, cells, strides, true, err);
}

static xta_status write_piece(void *self, const int64_t block[], const xta_box *piece,
                              const void *cells, const int64_t strides[], xta_error *err)
{
    return xta__transfer_piece(self, block, piece, (uint8_t *)(uintptr_t)cells, strides, false,
                               err);
}

/* ---- runs of whole chunks ---- */

/* How many chunks from the first on have the same layout in memory as in the file. */
static size_t plain_run(const xta__array_grid *b, size_t n, const int64_t *const block[],
                        const uint8_t *const cells[])
{
    size_t k = 0;

    for (; b->plain && k < n; k++) {
        if (k > 0 && cells[k] != cells[k - 1] + b->slot) {
            break;
        }
        for (int a = 0; a < b->ndim; a++) {
            int64_t first = (b->chunks.lo[a] + block[k][a]) * b->chunk[a];
            if (first < b->bounds.lo[a] || first + b->chunk[a] > b->bounds.hi[a]) {
                return k;
            }
        }
    }
    return k;
}

/* Transfer as many chunks as fit into the bounce buffer by one call. */
static xta_status transfer_bounced_run(xta__array_grid *b, size_t n, const int64_t *const block[],
                                       uint8_t *const cells[], bool reading, xta_error *err)
{
    uint64_t offset = xta__chunk_offset(b, block[0]);
    size_t bytes = (n - 1) * b->slot + b->chunk_bytes;
    xta_status status = XTA_OK;

    XTA_TRY(xta__make_bounce(b, err));
    if (reading) {
        XTA_TRY(xta__grid_read(b, offset, b->bounce, bytes, err));
    } else {
        memset(b->bounce, 0, bytes);
    }
    for (size_t k = 0; k < n; k++) {
        const xta_box all = xta__grid_cells(b, block[k]);
        ptrdiff_t strides[XTA_MAX_NDIM];
        xta__dense_strides(&all, b->cell, strides);
        xta__copy_slice(b, block[k], &all, b->bounce + k * b->slot, 0, cells[k], strides, reading);
    }
    if (!reading) {
        XTA_TRY(xta__grid_write(b, offset, b->bounce, bytes, err));
    }

done:
    return status;
}

static xta_status transfer_run(xta__array_grid *b, size_t n, const int64_t *const block[],
                               uint8_t *const cells[], bool reading, xta_error *err)
{
    size_t most = b->bounce_bytes / b->slot;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < n && status == XTA_OK;) {
        size_t run = plain_run(b, n - k, block + k, (const uint8_t *const *)cells + k);
        // A single small chunk is not worth a call of its own.
        if (run > 0 && (run > 1 || b->slot >= XTA__DIRECT_BYTES || k + 1 == n)) {
            uint64_t offset = xta__chunk_offset(b, block[k]);
            status = reading ? xta__grid_read(b, offset, cells[k], run * b->slot, err)
                             : xta__grid_write(b, offset, cells[k], run * b->slot, err);
        } else if (most <= 1) {
            const xta_box all = xta__grid_cells(b, block[k]);
            status = xta__transfer_piece(b, block[k], &all, cells[k], NULL, reading, err);
            run = 1;
        } else {
            run = n - k < most ? n - k : most;
            status = transfer_bounced_run(b, run, block + k, cells + k, reading, err);
        }
        k += run;
    }
    return status;
}

static xta_status read_run(void *self, size_t n, const int64_t *const block[], void *const cells[],
                           xta_error *err)
{
    return transfer_run(self, n, block, (uint8_t *const *)cells, true, err);
}

static xta_status write_run(void *self, size_t n, const int64_t *const block[],
                            const void *const cells[], xta_error *err)
{
    return transfer_run(self, n, block, (uint8_t *const *)(uintptr_t)cells, false, err);
}

/* ---- life ---- */

static xta_status sync_array(void *self, xta_error *err)
{
    return xta_array_sync(((xta__array_grid *)self)->array, err);
}

static xta_status close_array(void *self, bool complete, xta_error *err)
{
    xta__array_grid *b = self;
    xta_status status = b->raw ? xta__chunk_io_end(&b->io, err) : XTA_OK;

    (void)complete;
    free(b->bounce);
    free(b);
    return status;
}

#define FILE_CALLS(whole)                                                                       \
    {                                                                                           \
        .place = xta__chunk_offset, .read = read_piece, .read_run = read_run,                   \
        .write = write_piece, .write_run = write_run, .sync = sync_array, .close = close_array, \
        .prefers_whole = (whole), .n_calls = n_calls_of                                         \
    }

static const xta_blocks_calls strided_calls = FILE_CALLS(false);
static const xta_blocks_calls curve_calls = FILE_CALLS(true);
static const xta_blocks_calls memory_calls = {
    .read = read_piece, .write = write_piece, .sync = sync_array, .close = close_array};

/* Strides and what follows from them. */
static void set_order(xta__array_grid *b, xta_order order)
{
    const xta__structure *s = b->structure;

    b->strided = xta__grid_is_strided(&s->grid);
    b->plain = order == XTA_ROW && b->array->decode == NULL && b->slot == b->chunk_bytes;
    for (int a = 0; a < b->ndim; a++) {
        b->chunk[a] = s->axis[a].chunk;
        b->stride[a] = (ptrdiff_t)s->axis[a].stride_bytes;
        b->by_stride[a] = order == XTA_COLUMN ? b->ndim - 1 - a : a;
    }
    b->curve_table = b->strided ? NULL : xta__curve_table(b->array, b->structure);
    b->bounce_bytes = b->slot < LEAST_BOUNCE_BYTES  ? LEAST_BOUNCE_BYTES
                      : b->slot > MOST_BOUNCE_BYTES ? MOST_BOUNCE_BYTES
                                                    : (size_t)b->slot;
}

static xta_status make_blocks(xta_array *array, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__array_grid *b = xta__calloc(1, sizeof *b);

    *blocks = (xta_blocks){.calls = NULL};
    if (b == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its blocks",
                         xta__array_name(array));
    }
    b->array = array;
    b->structure = xta__structure_of(array);
    b->ndim = b->structure->ndim;
    b->cell = array->cell_bytes;
    b->bounds = xta__structure_bounds(b->structure);
    b->chunks = xta__structure_chunks_of(b->structure, &b->bounds);
    b->slot = array->state.constants.slot_bytes;
    b->chunk_bytes = array->state.chunk_bytes;
    set_order(b, array->state.constants.order);
    b->raw = xta__chunk_io_begin(array, &b->io, &status, err);
    XTA_TRY(status);
    *blocks = (xta_blocks){.self = b,
                           .calls = !b->raw      ? &memory_calls
                                    : b->strided ? &strided_calls
                                                 : &curve_calls,
                           .name = xta__array_name(array),
                           .bounds = b->bounds,
                           .partition = xta_partition_regular(b->ndim, b->chunk, NULL),
                           .home = XTA_BLOCKS_CHUNKS,
                           .column = array->state.constants.order == XTA_COLUMN,
                           .type = array->state.constants.type,
                           .cell_bytes = array->cell_bytes,
                           .block_bytes = b->slot};

done:
    if (status != XTA_OK) {
        free(b);
    }
    return status;
}

xta_status xta_blocks_of_array(xta_array *array, xta_blocks *blocks, xta_error *err)
{
    xta_status status = xta__begin(array, err);

    return status == XTA_OK ? make_blocks(array, blocks, err) : status;
}

xta_status xta_blocks_into_array(xta_array *array, xta_blocks *blocks, xta_error *err)
{
    xta_status status = xta__begin_change(array, "repartition into it", err);

    return status == XTA_OK ? make_blocks(array, blocks, err) : status;
}
