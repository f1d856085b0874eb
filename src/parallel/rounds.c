/* Cells between the file and the memory of many ranks.
 *
 * Each rank takes its box apart into tiles of chunks that fit its buffer; one tile is a round. In a
 * round the bytes that are needed are fetched (or collected, and stored) in ascending order of
 * their addresses, and the engine moves the cells between the buffer and the caller's memory.
 *
 * Where the file is mapped there is nothing to plan: the engine finds every chunk in memory.
 *
 * Through MPI-IO bytes are read by runs: each rank fetches, at plain offsets, what lies between the
 * first and the last byte it needs of neighbouring chunks. Reading too much costs less than many
 * operations, and Open MPI 4.1 returns wrong bytes from collective reads in which ranks want the
 * same ones.
 *
 * Bytes are written by runs where these are long. Where some rank has short pieces, all ranks lay a
 * view over theirs and make one collective operation of each round, so that MPI-IO can put pieces
 * of different ranks together. Measured in docs/decisions/0013-parallel.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/parallel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LONG_RUN_BYTES ((uint64_t)64 << 10)
#define GAP_BYTES      ((uint64_t)64 << 10) /* reading through a gap costs less than another read */

/* A rank's part of one call. */
typedef struct share {
    xta_parallel *p;
    const xta__structure *structure;
    xta__direction direction;
    bool nothing; /* this rank has no cells */
    xta_box box;
    xta__region region;
    int64_t strides[XTA_MAX_NDIM]; /* of the memory, in bytes */
    xta_io_options options;
    uint8_t *memory;
    int64_t tile[XTA_MAX_NDIM];  /* chunks of a round, on each axis */
    int64_t tiles[XTA_MAX_NDIM]; /* of them on each axis */
    uint64_t n_rounds;
} share;

/* ---- setting up ---- */

static void set_strides(share *s, const xta_io_options *given, size_t cell_bytes)
{
    int64_t stride = (int64_t)cell_bytes;
    int ndim = s->region.ndim;

    for (int k = 0; k < ndim; k++) {
        int axis = given->order == XTA_COLUMN ? k : ndim - 1 - k;
        s->strides[axis] = given->strides != NULL ? given->strides[axis] : stride;
        stride *= s->region.count[axis];
    }
    s->options = *given;
    s->options.strides = s->strides;
}

/* The largest tiles that fit the buffer, long on the last axes: there addresses follow each
 * other. */
static void choose_tiles(share *s)
{
    uint64_t slot = s->p->array->holder->slot_bytes;
    int64_t room = (int64_t)(s->p->buffer_bytes / slot);

    room = room > 0 ? room : 1;
    s->n_rounds = 1;
    for (int axis = s->region.ndim - 1; axis >= 0; axis--) {
        int64_t n = s->region.chunks.hi[axis] - s->region.chunks.lo[axis];
        s->tile[axis] = n < room ? n : room;
        s->tiles[axis] = (n + s->tile[axis] - 1) / s->tile[axis];
        s->n_rounds *= (uint64_t)s->tiles[axis];
        room /= s->tile[axis];
    }
}

static xta_status take_share(share *s, xta_parallel *p, const xta_box *box,
                             const xta_io_options *options, xta__direction direction, void *memory,
                             xta_error *err)
{
    static const xta_io_options defaults = XTA_IO_OPTIONS_INIT;
    const xta_io_options *o = &defaults;
    xta_io_options own;
    xta_status status = XTA_OK;
    int64_t chunk[XTA_MAX_NDIM];

    memset(s, 0, sizeof *s);
    s->p = p;
    s->structure = xta__structure_of(p->array);
    s->direction = direction;
    s->memory = memory;
    s->nothing = true;
    XTA_TRY(xta__take_io_options(&options, &own, err));
    o = options != NULL ? options : o;
    if (direction == XTA__WRITE && !p->writable) {
        XTA_TRY(xta__fail(err, XTA_EACCESS, 0,
                          "%s: cannot write: opened read-only; open it writable", p->array->path));
    }
    if (box != NULL) {
        xta_box bounds = xta__structure_bounds(s->structure);
        XTA_TRY(xta__check_box(p->array, box, &bounds, err));
        s->nothing = xta_box_empty(box);
    }
    if (s->nothing) {
        goto done;
    }
    XTA_TRY(xta__check_options(p->array, box->ndim, options, err));
    s->box = *box;
    for (int axis = 0; axis < box->ndim; axis++) {
        chunk[axis] = s->structure->axis[axis].chunk;
    }
    if (xta__region_init(&s->region, box, o->step, chunk) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_EOVERFLOW, 0, "%s: the box has more than 2^63 - 1 cells",
                          p->array->path));
    }
    size_t cell = o->type == XTA_TYPE_SAME ? p->array->cell_bytes : xta_type_bytes(o->type);
    set_strides(s, o, cell > 0 ? cell : p->array->cell_bytes);
    choose_tiles(s);
    if (direction == XTA__WRITE) {
        XTA_TRY(xta__check_cells(p->array, box, options, memory, err));
    }

done:
    s->nothing = s->nothing || status != XTA_OK;
    s->n_rounds = s->nothing ? 0 : s->n_rounds;
    return status;
}

/* Bytes that lie together in the file when the box is moved, roughly: the whole of neighbouring
 * chunks, or rows of parts of them. */
static bool long_runs(const share *s)
{
    uint64_t run = s->p->array->cell_bytes;
    bool column = s->p->array->state.constants.order == XTA_COLUMN;
    int ndim = s->region.ndim;

    if (s->nothing) {
        return true;
    }
    for (int k = 0; k < ndim; k++) {
        int axis = column ? k : ndim - 1 - k;
        int64_t chunk = s->region.chunk[axis];
        int64_t n = s->region.count[axis];
        if (s->region.step[axis] != 1) {
            return false;
        }
        bool whole = xta__floor_mod(s->box.lo[axis], chunk) == 0 && n % chunk == 0;
        // Where one face is not aligned, whole chunks are still in the majority of a long box.
        bool mostly = whole || n >= 4 * chunk;
        run *= (uint64_t)(n < chunk ? n : chunk);
        if (!mostly && n != chunk) {
            break;
        }
    }
    return run >= LONG_RUN_BYTES;
}

/* ---- one round ---- */

/* How many of every `step`-th cell lie before `distance`; a step may be as large as a number. */
static int64_t steps_to(int64_t distance, int64_t step)
{
    return distance > 0 ? (distance - 1) / step + 1 : 0;
}

/* The cells of tile number `k`, and where they lie in memory; false if steps pass over all of
 * it. */
static bool tile_box(const share *s, uint64_t k, xta_box *chunks, xta_box *cells, int64_t *offset)
{
    *chunks = *cells = s->box;
    *offset = 0;
    for (int axis = s->region.ndim - 1; axis >= 0; axis--) {
        int64_t number = (int64_t)(k % (uint64_t)s->tiles[axis]);
        int64_t step = s->region.step[axis], chunk = s->region.chunk[axis];
        k /= (uint64_t)s->tiles[axis];
        chunks->lo[axis] = s->region.chunks.lo[axis] + number * s->tile[axis];
        chunks->hi[axis] = chunks->lo[axis] + s->tile[axis];
        if (chunks->hi[axis] > s->region.chunks.hi[axis]) {
            chunks->hi[axis] = s->region.chunks.hi[axis];
        }
        int64_t lo = chunks->lo[axis] * chunk, hi = chunks->hi[axis] * chunk;
        lo = lo > s->box.lo[axis] ? lo : s->box.lo[axis];
        hi = hi < s->box.hi[axis] ? hi : s->box.hi[axis];
        int64_t first = steps_to(lo - s->box.lo[axis], step);
        int64_t last = steps_to(hi - s->box.lo[axis], step);
        if (first >= last) {
            return false;
        }
        cells->lo[axis] = s->box.lo[axis] + first * step;
        cells->hi[axis] = s->box.lo[axis] + (last - 1) * step + 1;
        *offset += first * s->strides[axis];
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The addresses of the round's chunks, ascending, and room for their bytes. */
static xta_status place_chunks(const share *s, const xta_box *chunks, xta__round *round,
                               xta_error *err)
{
    int ndim = chunks->ndim, axis = 0;
    int64_t at[XTA_MAX_NDIM];
    uint64_t n = 0;
    size_t k = 0, slot = (size_t)s->p->array->holder->slot_bytes;

    if (xta_box_cells(chunks, &n) != XTA_OK || n > SIZE_MAX / slot) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: too many chunks at once", s->p->array->path);
    }
    if (n > round->addresses_room) {
        free(round->addresses);
        round->addresses = xta__calloc((size_t)n, sizeof round->addresses[0]);
        round->addresses_room = round->addresses != NULL ? (size_t)n : 0;
    }
    if (n * slot > round->buffer_room) {
        free(round->buffer);
        round->buffer = malloc((size_t)n * slot);
        round->buffer_room = round->buffer != NULL ? (size_t)n * slot : 0;
    }
    round->n = 0;
    round->n_pieces = 0;
    if (round->addresses == NULL || round->buffer == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRIu64 " chunks of %zu bytes",
                         s->p->array->path, n, slot);
    }
    memcpy(at, chunks->lo, sizeof at);
    do {
        round->addresses[k++] = xta__address(s->p->array, s->structure, at);
        for (axis = ndim - 1; axis >= 0 && ++at[axis] == chunks->hi[axis]; axis--) {
            at[axis] = chunks->lo[axis];
        }
    } while (axis >= 0);
    round->n = k;
    qsort(round->addresses, k, sizeof round->addresses[0], by_address);
    return XTA_OK;
}

/* Which bytes of a chunk its cells of the box lie in: from the first to the last of them; none
 * where steps pass over the chunk. */
static void bytes_of_chunk(const share *s, const xta_box *cells, uint64_t address, size_t *begin,
                           size_t *end)
{
    const xta__structure *st = s->structure;
    int64_t chunk[XTA_MAX_NDIM];

    *begin = 0;
    *end = (size_t)s->p->array->holder->chunk_bytes;
    if (!xta__grid_is_strided(&st->grid)) {
        return;
    }
    xta__mapping_inverse(&st->mapping, address, chunk);
    *end = s->p->array->cell_bytes;
    for (int axis = 0; axis < st->ndim; axis++) {
        int64_t lo = chunk[axis] * st->axis[axis].chunk, hi = lo + st->axis[axis].chunk;
        int64_t first = cells->lo[axis] > lo ? cells->lo[axis] : lo;
        int64_t last = (cells->hi[axis] < hi ? cells->hi[axis] : hi) - 1;
        if (first > last) {
            *begin = *end = 0;
            return;
        }
        *begin += (size_t)((first - lo) * st->axis[axis].stride_bytes);
        *end += (size_t)((last - lo) * st->axis[axis].stride_bytes);
    }
}

/* What a round has to read, in as few runs as are worth it. */
static void plan_reading(const share *s, const xta_box *cells, xta__round *round)
{
    uint64_t slot = s->p->array->holder->slot_bytes;

    for (size_t k = 0; k < round->n; k++) {
        size_t begin, end;
        bytes_of_chunk(s, cells, round->addresses[k], &begin, &end);
        if (begin == end) {
            continue;
        }
        uint64_t offset = round->addresses[k] * slot + begin;
        uint8_t *bytes = round->buffer + k * (size_t)slot + begin;
        xta__piece *last = round->n_pieces > 0 ? &round->pieces[round->n_pieces - 1] : NULL;
        if (last != NULL && offset - (last->offset + last->n) <= GAP_BYTES &&
            (size_t)(bytes - last->bytes) == offset - last->offset) {
            last->n = (size_t)(offset - last->offset) + (end - begin);
            continue;
        }
        xta__round_add(round, offset, bytes, end - begin);
    }
}

static xta_status move_cells(share *s, const xta_box *cells, int64_t offset, xta_error *err)
{
    return xta__transfer_part(s->p->array, cells, &s->options, s->direction, s->memory + offset,
                              s->region.n_cells, err);
}

static xta_status no_piece(const share *s, const xta__round *round, xta_error *err)
{
    return round->failed
               ? xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the pieces of a transfer",
                           s->p->array->path)
               : XTA_OK;
}

static xta_status read_round(share *s, uint64_t k, xta__round *round, xta_error *err)
{
    xta_box chunks, cells;
    int64_t offset = 0;
    xta_status status = XTA_OK;

    if (!tile_box(s, k, &chunks, &cells, &offset)) {
        return XTA_OK;
    }
    XTA_TRY(place_chunks(s, &chunks, round, err));
    plan_reading(s, &cells, round);
    XTA_TRY(no_piece(s, round, err));
    XTA_TRY(xta__read_pieces(s->p->chunks, round, err));
    xta__mpi_chunks_use(s->p->chunks, round, false);
    status = move_cells(s, &cells, offset, err);
    xta__mpi_chunks_use(s->p->chunks, NULL, false);

done:
    return status;
}

/* Take part in round `k`; a rank that has no such round, or has failed, with nothing. */
static xta_status write_round(share *s, uint64_t k, xta__round *round, xta_status status,
                              xta_error *err)
{
    xta_box chunks, cells;
    int64_t offset = 0;

    round->n_pieces = 0;
    if (status == XTA_OK && k < s->n_rounds && tile_box(s, k, &chunks, &cells, &offset)) {
        status = place_chunks(s, &chunks, round, err);
        if (status == XTA_OK) {
            xta__mpi_chunks_use(s->p->chunks, round, true);
            status = move_cells(s, &cells, offset, err);
            xta__mpi_chunks_use(s->p->chunks, NULL, false);
        }
        status = status == XTA_OK ? no_piece(s, round, err) : status;
    }
    return xta__write_pieces_all(s->p->chunks, s->p->shared, round, status, err);
}

/* ---- whole calls ---- */

/* Write everything at plain offsets: the engine's own way over this holder. */
static xta_status write_by_runs(share *s, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error *failed = s->p->chunks != NULL ? &s->p->chunks->failed : NULL;

    if (s->nothing) {
        return XTA_OK;
    }
    if (failed == NULL) {
        return move_cells(s, &s->box, 0, err);
    }
    *failed = (xta_error){.status = XTA_OK};
    status = move_cells(s, &s->box, 0, err);
    return status == XTA_OK && failed->status != XTA_OK
               ? xta__fail(err, failed->status, failed->os_errno, "%s", failed->text)
               : status;
}

static xta_status read_by_runs(share *s, xta_error *err)
{
    xta__round round = {0};
    xta_status status = XTA_OK;

    if (s->p->chunks == NULL) {
        return s->nothing ? XTA_OK : move_cells(s, &s->box, 0, err);
    }
    for (uint64_t k = 0; k < s->n_rounds && status == XTA_OK; k++) {
        status = read_round(s, k, &round, err);
    }
    xta__round_clear(&round);
    return status;
}

/* All ranks together, round by round, as many as the largest share has. */
static xta_status write_by_views(share *s, uint64_t n_rounds, xta_error *err)
{
    xta__round round = {0};
    xta_status status = XTA_OK;

    for (uint64_t k = 0; k < n_rounds; k++) {
        status = write_round(s, k, &round, status, err);
    }
    xta__round_clear(&round);
    return status;
}

static xta_status move_alone(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                             xta__direction direction, void *memory, xta_error *err)
{
    share s;

    xta__clear(err);
    pthread_mutex_lock(&p->lock);
    xta_status status = take_share(&s, p, box, options, direction, memory, err);
    if (status == XTA_OK) {
        status = direction == XTA__READ ? read_by_runs(&s, err) : write_by_runs(&s, err);
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}

static xta_status move_all(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                           xta__direction direction, void *memory, xta_error *err)
{
    xta__meeting meeting = {.call =
                                direction == XTA__READ ? XTA__CALL_READ_ALL : XTA__CALL_WRITE_ALL};
    share s;

    xta__clear(err);
    pthread_mutex_lock(&p->lock);
    meeting.mine = take_share(&s, p, box, options, direction, memory, err);
    xta__argue(&meeting, "the structural step they see (refresh first)",
               (int64_t)s.structure->n_steps);
    xta_status status = xta__meet(p, &meeting, err);
    if (status == XTA_OK) {
        uint64_t all[2] = {s.n_rounds, !long_runs(&s)};
        bool views = p->chunks != NULL && direction == XTA__WRITE;
        if (views) {
            MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_UINT64_T, MPI_MAX, p->comm);
        }
        if (views && all[1] != 0) {
            status = write_by_views(&s, all[0], err);
        } else {
            status = direction == XTA__READ ? read_by_runs(&s, err) : write_by_runs(&s, err);
        }
        status = xta_agree(p->comm, status, err);
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}

xta_status xta_parallel_read(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                             void *out, xta_error *err)
{
    return move_alone(p, box, options, XTA__READ, out, err);
}

xta_status xta_parallel_write(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                              const void *in, xta_error *err)
{
    return move_alone(p, box, options, XTA__WRITE, (void *)(uintptr_t)in, err);
}

xta_status xta_parallel_read_all(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                                 void *out, xta_error *err)
{
    return move_all(p, box, options, XTA__READ, out, err);
}

xta_status xta_parallel_write_all(xta_parallel *p, const xta_box *box,
                                  const xta_io_options *options, const void *in, xta_error *err)
{
    return move_all(p, box, options, XTA__WRITE, (void *)(uintptr_t)in, err);
}
