/* Moving cells between the file and the memory of many ranks.
 *
 * Where the file is mapped there is nothing to plan: the engine finds every chunk in memory.
 *
 * Through MPI-IO a collective call first finds out which chunks several ranks need (sharing.c);
 * these are moved by the ranks that own them, each read or written once (exchange.c). All other
 * chunks concern one rank alone, and it moves them at plain offsets: no view, no collective
 * operation of MPI-IO. Open MPI 4.1 returns wrong bytes from collective reads in which ranks
 * request the same ones, and an MPI may write back what lies between the pieces of a view.
 *
 * To read, each rank cuts its box into tiles of chunks that fit its buffer; one tile is a round.
 * Its bytes are fetched in ascending order of their addresses, and the engine moves the cells
 * between the buffer and the caller's memory. Rounds stay in the processor's cache. To write, the
 * engine gathers runs of whole chunks in a buffer, and writes parts row by row.
 * docs/decisions/0024-collective-io.md gives the costs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/exchange/rounds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/exchange/chunk_bytes.h"
#include "parallel/exchange/exchange.h"
#include "private/transfer.h"

/* ---- setting up ---- */

static void set_strides(xta__share *s, const xta_io_options *given, size_t cell_bytes)
{
    int64_t stride = (int64_t)cell_bytes;
    int ndim = s->part.region.ndim;

    for (int k = 0; k < ndim; k++) {
        int axis = given->order == XTA_COLUMN ? k : ndim - 1 - k;
        s->strides[axis] = given->strides != NULL ? given->strides[axis] : stride;
        stride *= s->part.region.count[axis];
    }
    s->part.options = *given;
    s->part.options.strides = s->strides;
}

/* The largest tiles that fit the buffer, long on the last axes, where addresses are adjacent. */
static void choose_tiles(xta__share *s)
{
    uint64_t slot = s->part.p->array->chunk_store->slot_bytes;
    int64_t most = (int64_t)(s->part.p->buffer_bytes / slot);

    most = most > 0 ? most : 1;
    s->n_rounds = 1;
    for (int axis = s->part.region.ndim - 1; axis >= 0; axis--) {
        int64_t n = s->part.region.chunks.hi[axis] - s->part.region.chunks.lo[axis];
        s->tile[axis] = n < most ? n : most;
        s->tiles[axis] = (n + s->tile[axis] - 1) / s->tile[axis];
        s->n_rounds *= (uint64_t)s->tiles[axis];
        most /= s->tile[axis];
    }
}

xta_status xta__plan_share(xta__share *s, xta_parallel *p, const xta_box *box,
                           const xta_io_options *options, xta__direction direction, void *memory,
                           xta_error *err)
{
    static const xta_io_options defaults = XTA_IO_OPTIONS_INIT;
    const xta_io_options *o = &defaults;
    xta_io_options own;
    xta_status status = XTA_OK;
    int64_t chunk[XTA_MAX_NDIM];

    memset(s, 0, sizeof *s);
    s->part.p = p;
    s->part.structure = xta__structure_of(p->array);
    s->part.direction = direction;
    s->part.memory = memory;
    s->part.nothing = true;
    XTA_TRY(xta__read_io_options(&options, &own, err));
    o = options != NULL ? options : o;
    if (direction == XTA__WRITE && !p->writable) {
        XTA_TRY(xta__fail(err, XTA_EACCESS, 0,
                          "%s: cannot write: opened read-only; open it writable", p->array->path));
    }
    if (box != NULL) {
        xta_box bounds = xta__structure_bounds(s->part.structure);
        XTA_TRY(xta__check_box(p->array, box, &bounds, err));
        s->part.nothing = xta_box_empty(box);
    }
    if (s->part.nothing) {
        goto done;
    }
    XTA_TRY(xta__check_options(p->array, box->ndim, options, err));
    s->part.box = *box;
    for (int axis = 0; axis < box->ndim; axis++) {
        chunk[axis] = s->part.structure->axis[axis].chunk;
    }
    if (xta__region_init(&s->part.region, box, o->step, chunk) != XTA_OK) {
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
    s->part.nothing = s->part.nothing || status != XTA_OK;
    s->n_rounds = s->part.nothing ? 0 : s->n_rounds;
    return status;
}

/* ---- one round ---- */

/* How many multiples of `step`, from 0, are below `distance`, without overflow for any step. */
static int64_t steps_to(int64_t distance, int64_t step)
{
    return distance > 0 ? (distance - 1) / step + 1 : 0;
}

/* The cells of tile number `k`, and where they lie in memory; false if the steps skip all of the
 * tile. */
static bool tile_box(const xta__share *s, uint64_t k, xta_box *chunks, xta_box *cells,
                     int64_t *offset)
{
    *chunks = *cells = s->part.box;
    *offset = 0;
    for (int axis = s->part.region.ndim - 1; axis >= 0; axis--) {
        int64_t number = (int64_t)(k % (uint64_t)s->tiles[axis]);
        int64_t step = s->part.region.step[axis], chunk = s->part.region.chunk[axis];
        k /= (uint64_t)s->tiles[axis];
        chunks->lo[axis] = s->part.region.chunks.lo[axis] + number * s->tile[axis];
        chunks->hi[axis] = chunks->lo[axis] + s->tile[axis];
        if (chunks->hi[axis] > s->part.region.chunks.hi[axis]) {
            chunks->hi[axis] = s->part.region.chunks.hi[axis];
        }
        int64_t lo = chunks->lo[axis] * chunk, hi = chunks->hi[axis] * chunk;
        lo = lo > s->part.box.lo[axis] ? lo : s->part.box.lo[axis];
        hi = hi < s->part.box.hi[axis] ? hi : s->part.box.hi[axis];
        int64_t first = steps_to(lo - s->part.box.lo[axis], step);
        int64_t last = steps_to(hi - s->part.box.lo[axis], step);
        if (first >= last) {
            return false;
        }
        cells->lo[axis] = s->part.box.lo[axis] + first * step;
        cells->hi[axis] = s->part.box.lo[axis] + (last - 1) * step + 1;
        *offset += first * s->strides[axis];
    }
    return true;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The addresses of the round's chunks, ascending, and memory for their bytes. */
static xta_status place_chunks(const xta__share *s, const xta_box *chunks, xta__round *round,
                               xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    uint64_t n = 0;
    size_t k = 0;

    if (xta_box_cells(chunks, &n) != XTA_OK || n > SIZE_MAX) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: too many chunks at once",
                         s->part.p->array->path);
    }
    round->n = round->n_pieces = 0;
    round->failed = false;
    xta_status status = xta__round_reserve(s->part.p->chunks, round, (size_t)n, err);
    if (status != XTA_OK) {
        return status;
    }
    memcpy(chunk, chunks->lo, sizeof chunk);
    do {
        if (s->skips == NULL || !s->skips((void *)(uintptr_t)&s->sharing, chunk)) {
            round->addresses[k++] = xta__address(s->part.p->array, s->part.structure, chunk);
        }
    } while (xta__next_of_box(chunks, chunk));
    round->n = k;
    qsort(round->addresses, k, sizeof round->addresses[0], by_address);
    return XTA_OK;
}

static xta_status move_cells(xta__share *s, const xta_box *cells, int64_t offset, xta_error *err)
{
    return xta__transfer_box_piece(s->part.p->array, cells, &s->part.options, s->part.direction,
                                   s->part.memory + offset, s->part.region.n_cells, s->skips,
                                   &s->sharing, err);
}

static xta_status read_round(xta__share *s, uint64_t k, xta_error *err)
{
    xta__mpi_chunks *file = s->part.p->chunks;
    xta__round *round = &s->part.p->round;
    int64_t offset = 0, chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta_box chunks, cells;

    if (!tile_box(s, k, &chunks, &cells, &offset)) {
        return XTA_OK;
    }
    XTA_TRY(place_chunks(s, &chunks, round, err));
    for (size_t i = 0; i < round->n; i++) {
        size_t begin, end;
        xta__mapping_inverse(&s->part.structure->mapping, round->addresses[i], chunk);
        xta__bytes_of_chunk(s->part.p->array, &cells, chunk, &begin, &end);
        xta__round_request(file, round, i, begin, end);
    }
    if (round->failed) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the pieces of a transfer",
                          s->part.p->array->path));
    }
    XTA_TRY(xta__read_pieces(file, round, err));
    xta__mpi_chunks_use(file, round, false);
    status = move_cells(s, &cells, offset, err);
    xta__mpi_chunks_use(file, NULL, false);

done:
    return status;
}

/* ---- whole calls ---- */

/* Move all chunks, or those that do not go through owners. A write through MPI-IO is left to the
 * engine: whole chunks in runs, parts row by row. */
static xta_status move_own(xta__share *s, xta_error *err)
{
    xta_status status = XTA_OK;

    if (s->part.p->chunks == NULL || s->part.direction == XTA__WRITE) {
        return s->part.nothing ? XTA_OK : move_cells(s, &s->part.box, 0, err);
    }
    for (uint64_t k = 0; k < s->n_rounds && status == XTA_OK; k++) {
        status = read_round(s, k, err);
    }
    return status;
}

/* Move cells through MPI-IO: owners move what ranks share, each rank moves the rest itself. All
 * ranks learn at the same time whether all could prepare. */
static xta_status move_together(xta__share *s, xta_error *err)
{
    xta_status status = xta__sharing_find(&s->sharing, &s->part, err);

    if (s->sharing.domains.n_owners > 0) {
        s->skips = s->sharing.any ? xta__sharing_has : NULL;
        status = xta__move_shared(&s->sharing, status, err);
    }
    if (status == XTA_OK) {
        status = move_own(s, err);
    }
    xta__sharing_clear(&s->sharing);
    return status;
}

xta_status xta__move_share(xta__share *s, xta_error *err)
{
    return s->part.p->chunks != NULL ? move_together(s, err) : move_own(s, err);
}

static xta_status move_alone(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                             xta__direction direction, void *memory, xta_error *err)
{
    xta__share s;

    xta__clear(err);
    pthread_mutex_lock(&p->lock);
    xta_status status =
        p->split != NULL
            ? xta__refuse_split(
                  p, direction == XTA__READ ? "xta_parallel_read" : "xta_parallel_write", err)
            : xta__plan_share(&s, p, box, options, direction, memory, err);
    if (status == XTA_OK) {
        status = move_own(&s, err);
    }
    pthread_mutex_unlock(&p->lock);
    return status;
}

static xta_status move_all(xta_parallel *p, const xta_box *box, const xta_io_options *options,
                           xta__direction direction, void *memory, xta_error *err)
{
    xta__meeting meeting = {.call =
                                direction == XTA__READ ? XTA__CALL_READ_ALL : XTA__CALL_WRITE_ALL};
    xta__share s;

    xta__clear(err);
    pthread_mutex_lock(&p->lock);
    meeting.mine = xta__plan_share(&s, p, box, options, direction, memory, err);
    xta__argue(&meeting, "the structural step they see (refresh first)",
               (int64_t)s.part.structure->n_steps);
    xta_status status = xta__meet(p, &meeting, err);
    if (status == XTA_OK) {
        status = xta__move_share(&s, err);
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
