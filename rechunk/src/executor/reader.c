/* Reading pieces into memory; adjacent ones are read by one call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/reader.h"

#include <inttypes.h>
#include <string.h>

#include "executor/copy_box.h"
#include "util/try.h"

/* Pieces that are read by one call. */
typedef struct batch {
    size_t n;
    uint64_t bytes; /* of cells */
    uint64_t runs;
    uint64_t next_place;
    xta__piece *piece[XTA__MOST_JOINED];
} batch;

/* Whether all output blocks that the piece intersects are already finished. */
static bool is_unwanted(const xta__run *run, const xta_rechunk_op *op)
{
    int64_t block[XTA_MAX_NDIM];
    xta_box blocks;

    if (run->verifying || run->finished.n == 0) {
        return false;
    }
    xta__cut_blocks(&run->to_cuts, &op->piece, &blocks);
    memcpy(block, blocks.lo, (size_t)blocks.ndim * sizeof block[0]);
    do {
        if (!xta__is_finished(run, xta__cut_number(&run->to_cuts, block))) {
            return false;
        }
    } while (xta__cut_next(&blocks, block));
    return true;
}

/* Whether a piece fits in the budget now. */
static bool fits_now(const xta__run *run, uint64_t bytes)
{
    uint64_t tables =
        run->pending_pieces.n * xta__piece_table_bytes(run->pending_pieces.from->ndim);

    // Tables are counted as in the plan.
    bytes += tables > XTA_RECHUNK_FREE_TABLES ? tables - XTA_RECHUNK_FREE_TABLES : 0;
    return bytes <= run->ahead_bytes && run->budget.used <= run->ahead_bytes - bytes;
}

/* Reserve memory for a piece. With `wait`, wait until there is some; without, *piece is NULL if
 * there is none now. */
static xta_status reserve_piece(xta__run *run, const xta_rechunk_op *op, bool wait,
                                xta__piece **piece, xta_error *err)
{
    uint64_t bytes = xta__piece_bytes(&run->pending_pieces, &op->piece);
    bool alone = run->options.n_threads == 1;
    xta_status status = XTA_OK;

    *piece = NULL;
    pthread_mutex_lock(&run->lock);
    // A writer that waits for reads releases no memory, so waiting for it would never end.
    while (wait && !alone && !run->stop && run->writer_needs <= run->reads_done &&
           !fits_now(run, bytes)) {
        pthread_cond_wait(&run->changed, &run->lock);
    }
    if (run->stop) {
        status = XTA_ECANCELLED;
    } else if (wait ? xta__budget_fits(&run->budget, bytes) : fits_now(run, bytes)) {
        *piece =
            xta__piece_new(&run->pending_pieces, op,
                           run->verifying || run->finished.n == 0 ? NULL : xta__is_finished, run);
        if (*piece == NULL) {
            status = xta__fail(err, XTA_ENOMEM, 0,
                               "%s: the system has no memory for %" PRIu64 " bytes of cells; give "
                               "a smaller limit",
                               run->from->name, bytes);
        }
    } else if (wait) {
        status = xta__fail(err, XTA_ENOMEM, 0,
                           "%s: the plan holds more than %" PRIu64 " bytes; give a larger limit",
                           run->from->name, run->budget.limit);
    }
    pthread_mutex_unlock(&run->lock);
    return status;
}

/* Read one piece slice by slice, and distribute it to its fragments. */
static xta_status read_slices(xta__run *run, const xta_rechunk_op *op, xta__piece *piece,
                              uint64_t *calls, xta_error *err)
{
    bool whole = run->from->home == XTA_BLOCKS_WHOLE || run->from->calls->prefers_whole;
    uint64_t bytes = xta__box_count(&op->piece) * run->from->cell_bytes;
    xta_status status = XTA_OK;
    xta__slices slices;

    xta__slices_begin(&slices, &op->piece, run->from->cell_bytes, run->from->column,
                      xta__slice_bytes(run, bytes, whole));
    while (status == XTA_OK && xta__slices_next(&slices)) {
        xta__enter_grid(run);
        status = run->from->calls->read(run->from->self, op->block, &slices.now, run->read_staging,
                                        NULL, err);
        xta__leave_grid(run);
        *calls += 1;
        if (status == XTA_OK) {
            xta__piece_distribute(&run->pending_pieces, piece, &slices.now, run->read_staging);
        }
    }
    return status;
}

static xta_status read_one(xta__run *run, const xta_rechunk_op *op, xta__piece *piece,
                           uint64_t *calls, xta_error *err)
{
    if (run->pending_pieces.hold == XTA_HOLD_FRAGMENTS) {
        return read_slices(run, op, piece, calls, err);
    }
    xta__enter_grid(run);
    xta_status status =
        run->from->calls->read(run->from->self, op->block, &op->piece, piece->cells, NULL, err);
    xta__leave_grid(run);
    *calls += 1;
    return status;
}

/* Read whole consecutive blocks. */
static xta_status read_joined(xta__run *run, const batch *b, uint64_t *calls, xta_error *err)
{
    int64_t blocks[XTA__MOST_JOINED][XTA_MAX_NDIM];
    const int64_t *block[XTA__MOST_JOINED];
    void *cells[XTA__MOST_JOINED];
    bool parts = run->pending_pieces.hold == XTA_HOLD_FRAGMENTS;
    size_t at = 0;
    xta_box box;

    for (size_t k = 0; k < b->n; k++) {
        xta__piece_box(&run->pending_pieces, b->piece[k], &box);
        xta__cut_unnumber(&run->from_cuts, b->piece[k]->block, blocks[k]);
        block[k] = blocks[k];
        cells[k] = parts ? run->read_staging + at : b->piece[k]->cells;
        at += (size_t)(xta__box_count(&box) * run->from->cell_bytes);
    }
    xta__enter_grid(run);
    xta_status status = run->from->calls->read_run(run->from->self, b->n, block, cells, err);
    xta__leave_grid(run);
    *calls += 1;
    for (size_t k = 0; k < b->n && parts && status == XTA_OK; k++) {
        xta__piece_box(&run->pending_pieces, b->piece[k], &box);
        xta__piece_distribute(&run->pending_pieces, b->piece[k], &box, cells[k]);
    }
    return status;
}

static bool can_join(const xta__run *run, const xta_rechunk_op *op)
{
    const xta_blocks_calls *calls = run->from->calls;

    return op->whole && calls->read_run != NULL && calls->place != NULL;
}

static void add_to_batch(xta__run *run, batch *b, const xta_rechunk_op *op, xta__piece *piece)
{
    b->piece[b->n++] = piece;
    b->bytes += xta__box_count(&op->piece) * run->from->cell_bytes;
    b->runs += op->runs;
    if (can_join(run, op)) {
        b->next_place =
            run->from->calls->place(run->from->self, op->block) + run->from->block_bytes;
    }
}

/* Add the next reads to the batch, as long as their blocks follow those in it. */
static xta_status join_more(xta__run *run, uint64_t until, batch *b, xta_error *err)
{
    uint64_t most =
        run->pending_pieces.hold == XTA_HOLD_FRAGMENTS && run->staging_bytes < XTA__JOIN_BYTES
            ? run->staging_bytes
            : XTA__JOIN_BYTES;
    xta__side *side = &run->reader;

    while (b->n < XTA__MOST_JOINED && xta__side_next(side) && side->reads < until) {
        const xta_rechunk_op *op = &side->op;
        uint64_t bytes = xta__box_count(&op->piece) * run->from->cell_bytes;
        xta__piece *piece = NULL;
        if (!can_join(run, op) || b->bytes + bytes > most || is_unwanted(run, op) ||
            run->from->calls->place(run->from->self, op->block) != b->next_place) {
            break;
        }
        xta_status status = reserve_piece(run, op, false, &piece, err);
        if (status != XTA_OK || piece == NULL) {
            return status;
        }
        add_to_batch(run, b, op, piece);
        side->ready = false;
    }
    return XTA_OK;
}

/* Add the pieces to the table or, after a failure, free them. */
static void publish(xta__run *run, const batch *b, uint64_t calls, xta_status status)
{
    pthread_mutex_lock(&run->lock);
    for (size_t k = 0; k < b->n; k++) {
        if (status == XTA_OK) {
            xta__pending_add(&run->pending_pieces, b->piece[k]);
        } else {
            xta__piece_free(&run->pending_pieces, b->piece[k]);
        }
    }
    if (status == XTA_OK) {
        run->reads_done += b->n;
    }
    if (!run->verifying) {
        run->calls_read += calls;
        run->bytes_read += status == XTA_OK ? b->bytes : 0;
        run->runs_read += status == XTA_OK ? b->runs : 0;
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
}

xta_status xta__read_some(xta__run *run, uint64_t until, bool *end, xta_error *err)
{
    xta__side *side = &run->reader;
    xta_status status = XTA_OK;
    batch b = {.n = 0};
    uint64_t calls = 0;

    *end = !xta__side_next(side);
    if (*end) {
        return XTA_OK;
    }
    if (is_unwanted(run, &side->op)) {
        side->ready = false;
        pthread_mutex_lock(&run->lock);
        run->reads_done++;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
        return XTA_OK;
    }
    const xta_rechunk_op op = side->op;
    xta__piece *piece = NULL;
    XTA_TRY(reserve_piece(run, &op, true, &piece, err));
    add_to_batch(run, &b, &op, piece);
    side->ready = false;
    if (can_join(run, &op)) {
        XTA_TRY(join_more(run, until, &b, err));
    }
    XTA_TRY(b.n > 1 ? read_joined(run, &b, &calls, err) : read_one(run, &op, piece, &calls, err));

done:
    publish(run, &b, calls, status);
    return status;
}

void *xta__reader_main(void *user_run)
{
    xta__run *run = user_run;
    xta_status status = XTA_OK;
    xta_error err = {0};
    bool end = false;

    while (!end && status == XTA_OK) {
        status = xta__read_some(run, UINT64_MAX, &end, &err);
    }
    pthread_mutex_lock(&run->lock);
    run->reader_ended = true;
    run->reader_status = status;
    run->reader_err = err;
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}
