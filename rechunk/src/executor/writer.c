/* Writing cells gathered from pending pieces, adjacent blocks by one call; or comparing them, when
 * a run is verified.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/writer.h"

#include <string.h>

#include "executor/copy_box.h"
#include "executor/progress.h"
#include "executor/reader.h"
#include "util/box_text.h"
#include "util/try.h"

/* ---- waiting for reads ---- */

/* Whether the first `n` reads of the plan are done. */
static bool reads_are_done(xta__run *run, uint64_t n)
{
    pthread_mutex_lock(&run->lock);
    bool done = run->reads_done >= n;
    pthread_mutex_unlock(&run->lock);
    return done;
}

/* With one thread: do the reads now. */
static xta_status read_up_to(xta__run *run, uint64_t n, xta_error *err)
{
    xta_status status = XTA_OK;
    bool end = false;

    while (status == XTA_OK && !end && run->reads_done < n) {
        status = xta__read_some(run, n, &end, err);
    }
    return status;
}

static xta_status wait_for_reads(xta__run *run, uint64_t n, xta_error *err)
{
    xta_status status = XTA_OK;

    if (run->options.n_threads == 1) {
        return read_up_to(run, n, err);
    }
    pthread_mutex_lock(&run->lock);
    run->writer_needs = n;
    if (run->reads_done < n) {
        pthread_cond_broadcast(&run->changed);
    }
    while (run->reads_done < n && !run->reader_ended) {
        pthread_cond_wait(&run->changed, &run->lock);
    }
    run->writer_needs = 0;
    if (run->reads_done < n) {
        status = run->reader_status;
        if (err != NULL) {
            *err = run->reader_err;
        }
    }
    pthread_mutex_unlock(&run->lock);
    return status;
}

/* ---- cells ---- */

static xta_status find_sources(xta__run *run, const xta_rechunk_op *op, xta_error *err)
{
    xta__sources *s = &run->sources;

    pthread_mutex_lock(&run->lock);
    bool found = xta__pending_find(&run->pending_pieces, op, &s->items, &s->n, &s->capacity);
    pthread_mutex_unlock(&run->lock);
    return found ? XTA_OK
                 : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the table of a block",
                             run->to->name);
}

static void release_sources(xta__run *run, const xta_rechunk_op *op)
{
    pthread_mutex_lock(&run->lock);
    for (size_t k = 0; k < run->sources.n; k++) {
        xta__pending_release(&run->pending_pieces, &run->sources.items[k], &op->piece);
    }
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    run->sources.n = 0;
}

static xta_status not_covered(const xta__run *run, const xta_box *slice, xta_error *err)
{
    char text[256];

    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: the plan writes cells of %s that it has not read; this is a fault of the "
                     "library: report it, and take another strategy",
                     run->to->name, xta__box_text(slice, text, sizeof text));
}

/* The error for a cell that differs between the two sides. */
static xta_status differs(const xta__run *run, const int64_t coord[], xta_error *err)
{
    char text[256];

    return xta__fail(
        err, XTA_ECORRUPT, 0,
        "%s: cell %s differs from that of %s; do not use the target, repartition again",
        run->to->name, xta__coord_text(coord, run->to->bounds.ndim, text, sizeof text),
        run->from->name);
}

/* Gather a slice from the sources, or compare it with them. Row-major slices come in ascending
 * order, so sources that end before one on the first axis are not needed again. */
static xta_status gather_slice(xta__run *run, const xta_box *slice, size_t *first, uint8_t *cells,
                               xta_error *err)
{
    const xta__sources *s = &run->sources;
    size_t cell = run->to->cell_bytes;
    uint64_t covered = 0, all = xta__box_count(slice);
    int64_t coord[XTA_MAX_NDIM];
    xta_box common, own;

    while (!run->to->column && *first < s->n) {
        xta__source_box(&run->pending_pieces, &s->items[*first], &own);
        if (own.hi[0] > slice->lo[0]) {
            break;
        }
        ++*first;
    }
    for (size_t k = *first; k < s->n && covered < all; k++) {
        const xta__source *source = &s->items[k];
        xta__source_box(&run->pending_pieces, source, &own);
        uint64_t n = xta__blocks_met(slice, &own, &common);
        if (n == 0) {
            continue;
        }
        if (source->cells == NULL) {
            return not_covered(run, slice, err);
        }
        if (!run->verifying) {
            xta__copy_box(&common, cell, cells, slice, source->cells, &own);
        } else if (!xta__same_box(&common, cell, cells, slice, source->cells, &own, coord)) {
            return differs(run, coord, err);
        }
        covered += n;
    }
    return covered == all ? XTA_OK : not_covered(run, slice, err);
}

/* ---- one by one ---- */

static xta_status write_cells(xta__run *run, const int64_t block[], const xta_box *piece,
                              const uint8_t *cells, xta_error *err)
{
    xta__enter_grid(run);
    xta_status status = run->to->calls->write(run->to->self, block, piece, cells, NULL, err);
    xta__leave_grid(run);
    run->report->writes++;
    run->progress.bytes_written += xta__box_count(piece) * run->to->cell_bytes;
    return status;
}

static xta_status read_back(xta__run *run, const int64_t block[], const xta_box *piece,
                            uint8_t *cells, xta_error *err)
{
    xta__enter_grid(run);
    xta_status status = run->to->calls->read(run->to->self, block, piece, cells, NULL, err);
    xta__leave_grid(run);
    return status;
}

/* The only source, if it has all cells of the piece as one run; else NULL. */
static const uint8_t *contiguous_source(const xta__run *run, const xta_box *piece)
{
    bool one_run = false;
    xta_box own;

    if (run->verifying || run->sources.n != 1 || run->sources.items[0].cells == NULL) {
        return NULL;
    }
    xta__source_box(&run->pending_pieces, &run->sources.items[0], &own);
    if (!xta_box_contains(&own, piece)) {
        return NULL;
    }
    size_t at = xta__offset_in(piece, &own, run->to->cell_bytes, &one_run);
    return one_run ? run->sources.items[0].cells + at : NULL;
}

static xta_status write_slices(xta__run *run, const xta_rechunk_op *op, xta_error *err)
{
    bool whole = run->to->home == XTA_BLOCKS_WHOLE || run->to->calls->prefers_whole;
    uint64_t bytes = xta__box_count(&op->piece) * run->to->cell_bytes;
    const uint8_t *cells = contiguous_source(run, &op->piece);
    xta_status status = XTA_OK;
    xta__slices slices;
    size_t first = 0;

    if (cells != NULL) {
        return write_cells(run, op->block, &op->piece, cells, err);
    }
    xta__slices_begin(&slices, &op->piece, run->to->cell_bytes, run->to->column,
                      xta__slice_bytes(run, bytes, whole));
    while (xta__slices_next(&slices)) {
        if (run->verifying) {
            XTA_TRY(read_back(run, op->block, &slices.now, run->write_staging, err));
        }
        XTA_TRY(gather_slice(run, &slices.now, &first, run->write_staging, err));
        if (!run->verifying) {
            XTA_TRY(write_cells(run, op->block, &slices.now, run->write_staging, err));
        }
    }

done:
    return status;
}

/* ---- joined ---- */

static xta_status flush_joined(xta__run *run, xta_error *err)
{
    xta__joined *j = &run->joined;
    xta_status status = XTA_OK;

    if (j->n == 0) {
        return XTA_OK;
    }
    xta__enter_grid(run);
    status = run->to->calls->write_run(run->to->self, j->n, j->block, j->cells, err);
    xta__leave_grid(run);
    run->report->writes++;
    run->progress.bytes_written += j->bytes;
    for (size_t k = 0; k < j->n && status == XTA_OK; k++) {
        xta_box box;
        xta__cut_box(&run->to_cuts, j->block[k], &box);
        status = xta__count_written(run, j->block[k], &box, err);
    }
    j->n = 0;
    j->bytes = 0;
    return status == XTA_OK ? xta__notify_progress(run, false, err) : status;
}

/* Whether a block is small enough to be joined to others. */
static bool can_join(const xta__run *run, const xta_rechunk_op *op, uint64_t bytes)
{
    const xta_blocks_calls *calls = run->to->calls;
    uint64_t most = run->staging_bytes < XTA__JOIN_BYTES ? run->staging_bytes : XTA__JOIN_BYTES;

    return op->whole && !run->verifying && calls->write_run != NULL && calls->place != NULL &&
           bytes <= most / 2 && bytes <= XTA__SLICE_BYTES;
}

static xta_status join(xta__run *run, const xta_rechunk_op *op, uint64_t bytes, xta_error *err)
{
    xta__joined *j = &run->joined;
    uint64_t most = run->staging_bytes < XTA__JOIN_BYTES ? run->staging_bytes : XTA__JOIN_BYTES;
    uint64_t place = run->to->calls->place(run->to->self, op->block);
    xta_status status = XTA_OK;
    size_t ndim = (size_t)op->piece.ndim, first = 0;

    if (j->n > 0 &&
        (place != j->next_place || j->bytes + bytes > most || j->n == XTA__MOST_JOINED)) {
        XTA_TRY(flush_joined(run, err));
    }
    uint8_t *cells = run->write_staging + j->bytes;
    XTA_TRY(gather_slice(run, &op->piece, &first, cells, err));
    memcpy(j->blocks + j->n * ndim, op->block, ndim * sizeof op->block[0]);
    j->block[j->n] = j->blocks + j->n * ndim;
    j->cells[j->n++] = cells;
    j->bytes += bytes;
    j->next_place = place + run->to->block_bytes;

done:
    return status;
}

/* ---- all ---- */

static xta_status write_op(xta__run *run, const xta_rechunk_op *op, xta_error *err)
{
    uint64_t bytes = xta__box_count(&op->piece) * run->to->cell_bytes;
    xta_status status = XTA_OK;
    bool joins = can_join(run, op, bytes);
    bool skip = !run->verifying && run->finished.n > 0 &&
                xta__is_finished(run, xta__cut_number(&run->to_cuts, op->block));

    XTA_TRY(find_sources(run, op, err));
    if (!skip) {
        if (!joins) {
            XTA_TRY(flush_joined(run, err));
        }
        XTA_TRY(joins ? join(run, op, bytes, err) : write_slices(run, op, err));
    }
    release_sources(run, op);
    if (!run->verifying && !skip) {
        run->report->runs_written += op->runs;
        if (!joins) {
            XTA_TRY(xta__count_written(run, op->block, &op->piece, err));
        }
    }
    XTA_TRY(joins ? XTA_OK : xta__notify_progress(run, false, err));

done:
    return status;
}

xta_status xta__write_all(xta__run *run, xta_error *err)
{
    xta__side *side = &run->writer;
    xta_status status = XTA_OK;

    while (xta__side_next(side)) {
        if (!reads_are_done(run, side->reads)) {
            // Write out what has been gathered, since the reader may take a while.
            XTA_TRY(flush_joined(run, err));
            XTA_TRY(wait_for_reads(run, side->reads, err));
        }
        XTA_TRY(write_op(run, &side->op, err));
        side->ready = false;
    }
    XTA_TRY(flush_joined(run, err));

done:
    return status;
}
