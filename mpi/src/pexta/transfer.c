/* One transfer: cells between a section of a global array and a section of an array.
 *
 * The chunks are distributed to the processes (distribute.c); each goes through its own piece by
 * piece, and a piece is one NGA_Get64 and one write, or one read and one NGA_Put64. Pieces are
 * small, so that the buffer is still in the processor's caches when it is used the second time.
 *
 * A transfer with a request gets buffers for as many pieces as memory allows, which the thread then
 * processes; the rest is moved within the call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/transfer.h"

#include <ga.h>
#include <inttypes.h>
#include <stdlib.h>

#include "pexta/disk.h"
#include "pexta/ga.h"
#include "pexta/layout/distribute.h"
#include "pexta/requests.h"
#include "pexta/types.h"
#include "pexta/worker.h"

#define PIECE_BYTES ((uint64_t)8 << 20)

/* ---- checks ---- */

static xta_status check_modes(const xta__move *move, const xta__ga *ga, xta_error *err)
{
    const xta__disk *disk = move->disk;

    if (disk->mode == (move->write ? PEXTA_R : PEXTA_W)) {
        return xta__fail(err, XTA_EACCESS, 0,
                         "%s: it cannot be %s, as it is opened %s; open it "
                         "PEXTA_RW",
                         disk->path, move->write ? "written" : "read",
                         move->write ? "PEXTA_R" : "PEXTA_W");
    }
    if (xta__cells_of_ga(ga->type) != xta__cells_of_ga(disk->type)) {
        return xta__fail(err, XTA_ETYPE, 0,
                         "%s: its cells are %s, those of global array %d are %s (%d); give one of "
                         "the same type",
                         disk->path, xta__ga_type_name(disk->type), move->g_a,
                         xta__ga_type_name(ga->type), ga->type);
    }
    if (ga->ndim != disk->ndim || move->box.ndim != disk->ndim) {
        return xta__fail(err, XTA_EBOX, 0, "%s: it has %d axes, global array %d has %d", disk->path,
                         disk->ndim, move->g_a, ga->ndim);
    }
    return XTA_OK;
}

xta_status xta__check_move(const xta__move *move, xta_error *err)
{
    const xta_box *box = &move->box, *bounds = &move->disk->bounds;
    xta__ga ga;
    xta_status status = xta__ga_inquire(move->g_a, &ga, err);

    if (status == XTA_OK) {
        status = check_modes(move, &ga, err);
    }
    for (int g_axis = 0; g_axis < box->ndim && status == XTA_OK; g_axis++) {
        int axis = xta__file_axis(move, g_axis);
        int64_t length = box->hi[axis] - box->lo[axis], zero = bounds->lo[axis];
        if (length < 1 || box->lo[axis] < zero || box->hi[axis] > bounds->hi[axis]) {
            status = xta__fail(err, XTA_EBOX, 0,
                               "%s: axis %d: cells %" PRId64 " to %" PRId64 "; it has %" PRId64
                               " to %" PRId64,
                               move->disk->path, axis, box->lo[axis] - zero,
                               box->hi[axis] - 1 - zero, (int64_t)0, bounds->hi[axis] - 1 - zero);
        } else if (move->g_lo[g_axis] < 0 || move->g_lo[g_axis] > ga.dims[g_axis] - length) {
            status = xta__fail(err, XTA_EBOX, 0,
                               "%s: axis %d of global array %d: cells %" PRId64 " to %" PRId64
                               "; it has 0 to %" PRId64,
                               move->disk->path, g_axis, move->g_a, move->g_lo[g_axis],
                               move->g_lo[g_axis] + length - 1, ga.dims[g_axis] - 1);
        }
    }
    return status;
}

/* ---- which rank moves what ---- */

int xta__io_ranks(void)
{
    int n = xta__pexta.io_ranks;

    return n > 0 && n < xta__pexta.n_ranks ? n : xta__pexta.n_ranks;
}

/* The block of a rank, in the array's coordinates. */
static xta_box block_in_file(const xta__move *move, const xta__ga *ga, int rank)
{
    xta_box block = xta__ga_block(ga, rank), there = block;

    for (int g_axis = 0; g_axis < ga->ndim; g_axis++) {
        int axis = xta__file_axis(move, g_axis);
        int64_t shift = move->box.lo[axis] - move->g_lo[g_axis];
        there.lo[axis] = block.lo[g_axis] + shift;
        there.hi[axis] = block.hi[g_axis] + shift;
    }
    return there;
}

/* This rank's share if each chunk goes to the process that holds its first cell; false if one
 * process would get more than twice its fair share. All ranks get the same answer. */
static bool distribute_to_owners(const xta__move *move, const xta__ga *ga, xta_box *mine)
{
    int n_ranks = xta__pexta.n_ranks;
    uint64_t fair = xta__cells_of(&move->box) / (uint64_t)n_ranks + 1;

    if (!ga->one_block || xta__io_ranks() < n_ranks) {
        return false;
    }
    uint64_t chunk_cells = 1;
    for (int axis = 0; axis < move->box.ndim; axis++) {
        chunk_cells *= (uint64_t)move->disk->chunk[axis];
    }
    fair = fair > chunk_cells ? fair : chunk_cells;
    for (int rank = 0; rank < n_ranks; rank++) {
        xta_box block = block_in_file(move, ga, rank);
        xta_box share = xta__begun_in(&move->box, move->disk->chunk, &block);
        if (xta__cells_of(&share) > 2 * fair) {
            return false;
        }
        if (rank == xta__pexta.rank) {
            *mine = share;
        }
    }
    return true;
}

static xta_box share_of_rank(const xta__move *move)
{
    xta_box mine = move->box;
    xta__ga ga;
    int n = xta__io_ranks(), n_ranks = xta__pexta.n_ranks;

    if (xta__ga_inquire(move->g_a, &ga, NULL) == XTA_OK && distribute_to_owners(move, &ga, &mine)) {
        return mine;
    }
    // Part k is for rank k * n_ranks / n: so the ranks that do I/O are spread over the machines.
    for (int part = 0; part < n; part++) {
        if ((int64_t)part * n_ranks / n == xta__pexta.rank) {
            return xta__even_share(&move->box, move->disk->chunk, part, n);
        }
    }
    mine.hi[0] = mine.lo[0];
    return mine;
}

/* ---- pieces ---- */

static xta__job job_for(const xta__move *move, const xta_box *piece)
{
    return (xta__job){.array = move->disk->array,
                      .cache = move->write ? NULL : move->disk->cache,
                      .box = *piece,
                      .order = move->transposed ? XTA_COLUMN : XTA_ROW,
                      .write = move->write,
                      .bytes = xta__cells_of(piece) * move->disk->cell_bytes};
}

/* Hand a piece to the thread; false if there is no memory for it. */
static bool leave_to_thread(const xta__move *move, const xta_box *piece, xta__request *request)
{
    xta__job *job = xta__calloc(1, sizeof *job);

    if (job == NULL) {
        return false;
    }
    *job = job_for(move, piece);
    job->cells = xta__job_memory(job->bytes);
    if (job->cells == NULL) {
        free(job);
        return false;
    }
    if (move->write) {
        xta__get_job(move, job);
    }
    job->next_of_request = request->jobs;
    request->jobs = job;
    xta__submit(job);
    return true;
}

/* Move a piece in this call through `buffer`, which is allocated when it is first needed. */
static xta_status move_now(const xta__move *move, const xta_box *piece, void **buffer,
                           xta_error *err)
{
    xta__job job = job_for(move, piece);

    if (*buffer == NULL) {
        *buffer = malloc((size_t)(job.bytes > PIECE_BYTES ? job.bytes : PIECE_BYTES));
    }
    if (*buffer == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRIu64 " bytes of cells",
                         move->disk->path, PIECE_BYTES);
    }
    job.cells = *buffer;
    if (move->write) {
        xta__get_job(move, &job);
    }
    xta__do_job(&job);
    if (job.result.status != XTA_OK) {
        return xta__fail(err, job.result.status, job.result.os_errno, "%s", job.result.text);
    }
    if (!move->write) {
        xta__put_job(move, &job);
    }
    return XTA_OK;
}

/* ---- the transfer ---- */

static uint64_t cells_of_piece(const xta__disk *disk)
{
    uint64_t bytes = xta__pexta.max_memory < PIECE_BYTES ? xta__pexta.max_memory : PIECE_BYTES;
    uint64_t cells = bytes / disk->cell_bytes;

    return cells > 0 ? cells : 1;
}

xta_status xta__run_move(const xta__move *move, xta__request *request, xta_error *err)
{
    xta_status status = XTA_OK;
    void *buffer = NULL;
    xta__pieces pieces;
    xta_box piece;

    xta__settle(move);
    if (move->write) {
        xta__drop_cached(move->disk, &move->box);
    }
    if (!move->write) {
        status = xta__exchange(move->disk, false, err);
    }
    const xta_box mine = share_of_rank(move);
    xta__pieces_begin(&pieces, &mine, move->disk->chunk, cells_of_piece(move->disk));
    while (status == XTA_OK && xta__pieces_next(&pieces, &piece)) {
        if (request == NULL || !leave_to_thread(move, &piece, request)) {
            status = move_now(move, &piece, &buffer, err);
        }
    }
    free(buffer);
    if (move->write && status == XTA_OK) {
        status = xta__exchange(move->disk, true, err);
    }
    GA_Sync();
    return status;
}
