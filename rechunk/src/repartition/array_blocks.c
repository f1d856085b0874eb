/* Arrays as grids of blocks: the chunks.
 *
 * Chunks of a file are moved by large calls at their offsets. Where a piece is one run in its chunk
 * and its cells lie in memory as there, the call goes right to the caller's memory. Else (edge
 * chunks, whose rows have ghost cells between them, column order, a fill value other than zero,
 * numbers on a big-endian machine) runs are taken together with what lies between them, if that is
 * not much, through a bounce buffer. On the way to the file that is allowed only where nothing but
 * ghost cells lies between: they are zeros in the file whatever the fill value is.
 *
 * Morton and Hilbert chunks go through the bounce buffer whole. Arrays in memory, and what is left
 * (short runs that are written), go the way of xta_array_read and xta_array_write.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "repartition/repartition.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "chunk/chunk.h"

#define LEAST_BOUNCE_BYTES ((size_t)1 << 20)
#define MOST_BOUNCE_BYTES  ((size_t)4 << 20)
#define DIRECT_BYTES       ((size_t)64 << 10) /* shorter runs are worth gathering */
#define GAP_BYTES          2048               /* reading so much in vain costs less than a call */
#define WRITE_BYTES        4096               /* runs that are shorter go by the array's own ways */

enum { READ_WASTE = 4, WRITE_WASTE = 8 };

typedef struct array_blocks {
    xta_array *array;
    xta__structure *structure;
    xta__chunk_io io;
    bool raw; /* there is a file to be read and written */
    int ndim;
    size_t cell;
    xta_box bounds;
    xta_box chunks; /* that the bounds meet */
    int64_t chunk[XTA_MAX_NDIM];
    ptrdiff_t stride[XTA_MAX_NDIM]; /* bytes inside a chunk; where the order is strided */
    int by_stride[XTA_MAX_NDIM];    /* axes, the one with the longest stride first */
    bool strided;
    bool plain; /* a chunk within the bounds is its slot, cell for cell, row-major */
    const uint32_t *places;
    uint64_t slot, chunk_bytes;
    uint8_t *bounce;
    size_t bounce_bytes;
    uint64_t n_calls[2]; /* system calls that moved cells: reads, writes */
} array_blocks;

/* How a piece is taken apart: axes before by_stride[cut] one by one, that axis `thick` cells at a
 * time, the others whole. */
typedef struct way {
    int cut;
    int64_t thick;
    bool direct;
    uint64_t run_bytes; /* cells of one part */
} way;

static void chunk_coord(const array_blocks *b, const int64_t block[], int64_t chunk[])
{
    for (int a = 0; a < b->ndim; a++) {
        chunk[a] = b->chunks.lo[a] + block[a];
    }
}

static uint64_t place_of(void *self, const int64_t block[])
{
    const array_blocks *b = self;
    int64_t chunk[XTA_MAX_NDIM];

    chunk_coord(b, block, chunk);
    return xta__address(b->array, b->structure, chunk) * b->slot;
}

/* The cells of a chunk within the bounds. */
static xta_box cells_of(const array_blocks *b, const int64_t block[])
{
    int64_t chunk[XTA_MAX_NDIM];

    chunk_coord(b, block, chunk);
    const xta_box all = xta__structure_cells_of(b->structure, chunk);
    return xta_box_intersect(&all, &b->bounds);
}

static void dense_strides(const xta_box *box, size_t cell, ptrdiff_t strides[])
{
    ptrdiff_t step = (ptrdiff_t)cell;

    for (int a = box->ndim - 1; a >= 0; a--) {
        strides[a] = step;
        step *= (ptrdiff_t)(box->hi[a] - box->lo[a]);
    }
}

static int64_t count_of(const xta_box *box, int axis)
{
    return box->hi[axis] - box->lo[axis];
}

/* Byte of the chunk where a part begins. */
static size_t begin_of(const array_blocks *b, const int64_t block[], const xta_box *part)
{
    size_t begin = 0;

    for (int a = 0; a < b->ndim; a++) {
        begin += (size_t)(part->lo[a] - (b->chunks.lo[a] + block[a]) * b->chunk[a]) *
                 (size_t)b->stride[a];
    }
    return begin;
}

/* ---- between a chunk's bytes and cells in memory ---- */

static const xta__coding *coding_of(const array_blocks *b, bool reading)
{
    return reading ? b->array->decode : b->array->encode;
}

static void move_cell(uint8_t *to, const uint8_t *from, size_t n, const xta__coding *coding)
{
    if (coding != NULL) {
        xta__copy_bytes(to, from, n, coding);
    } else if (n == 1) {
        *to = *from;
    } else if (n == 2) {
        memcpy(to, from, 2);
    } else if (n == 4) {
        memcpy(to, from, 4);
    } else if (n == 8) {
        memcpy(to, from, 8);
    } else {
        memcpy(to, from, n);
    }
}

/* Cell by cell: Morton and Hilbert. `image` is the whole chunk. */
static void copy_cells(const array_blocks *b, const int64_t block[], const xta_box *part,
                       uint8_t *image, uint8_t *cells, const ptrdiff_t strides[], bool reading)
{
    int64_t at[XTA_MAX_NDIM], within[XTA_MAX_NDIM];
    bool more = true;

    memcpy(at, part->lo, sizeof at);
    while (more) {
        uint64_t row = 0;
        uint8_t *cell = cells;
        for (int a = 0; a < b->ndim; a++) {
            within[a] = at[a] - (b->chunks.lo[a] + block[a]) * b->chunk[a];
            row = row * (uint64_t)b->chunk[a] + (uint64_t)within[a];
            cell += (at[a] - part->lo[a]) * strides[a];
        }
        uint64_t position =
            b->places != NULL ? b->places[row] : xta__grid_position(&b->structure->grid, within);
        uint8_t *stored = image + position * b->cell;
        move_cell(reading ? cell : stored, reading ? stored : cell, b->cell, coding_of(b, reading));
        int a = b->ndim - 1;
        while (a >= 0 && ++at[a] == part->hi[a]) {
            at[a] = part->lo[a];
            a--;
        }
        more = a >= 0;
    }
}

/* The cells of a part between `image`, which begins at byte `begin` of the chunk, and memory. */
static void copy_part(const array_blocks *b, const int64_t block[], const xta_box *part,
                      uint8_t *image, size_t begin, uint8_t *cells, const ptrdiff_t strides[],
                      bool reading)
{
    size_t count[XTA_MAX_NDIM];
    xta__copy_plan plan;

    if (!b->strided) {
        copy_cells(b, block, part, image, cells, strides, reading);
        return;
    }
    for (int a = 0; a < b->ndim; a++) {
        count[a] = (size_t)count_of(part, a);
    }
    uint8_t *stored = image + (begin_of(b, block, part) - begin);
    xta__copy_plan_init(&plan, b->ndim, b->cell, count, reading ? strides : b->stride,
                        reading ? b->stride : strides, coding_of(b, reading), false);
    xta__copy_run(&plan, reading ? cells : stored, reading ? stored : cells);
}

static xta_status make_bounce(array_blocks *b, xta_error *err)
{
    if (b->bounce == NULL) {
        b->bounce = malloc(b->bounce_bytes);
    }
    return b->bounce != NULL ? XTA_OK
                             : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes of cells",
                                         xta__array_name(b->array), b->bounce_bytes);
}

/* ---- the file ---- */

static xta_status read_file(array_blocks *b, uint64_t offset, void *bytes, size_t n, xta_error *err)
{
    b->n_calls[0]++;
    return xta__chunk_io_read(&b->io, offset, bytes, n, err);
}

static xta_status write_file(array_blocks *b, uint64_t offset, const void *bytes, size_t n,
                             xta_error *err)
{
    b->n_calls[1]++;
    return xta__chunk_io_write(&b->io, offset, bytes, n, err);
}

static uint64_t n_calls_of(const void *self, bool wrote)
{
    return ((const array_blocks *)self)->n_calls[wrote];
}

/* ---- choosing a way ---- */

/* Without a copy: the longest run that lies in memory as in the chunk. */
static bool direct_way(const array_blocks *b, const xta_box *piece, const ptrdiff_t strides[],
                       way *w)
{
    ptrdiff_t run = (ptrdiff_t)b->cell;
    int k = b->ndim;

    if (b->array->decode != NULL) {
        return false;
    }
    for (; k > 0; k--) {
        int axis = b->by_stride[k - 1];
        if (count_of(piece, axis) > 1 && (b->stride[axis] != run || strides[axis] != run)) {
            break;
        }
        run *= (ptrdiff_t)count_of(piece, axis);
    }
    w->direct = true;
    w->cut = k;
    w->thick = k < b->ndim ? count_of(piece, b->by_stride[k]) : 1;
    w->run_bytes = (uint64_t)run;
    return k == 0 || w->run_bytes >= DIRECT_BYTES;
}

/* Through the bounce buffer: the longest runs with what lies between them. `cells` are those of the
 * whole chunk within the bounds. */
static void bounce_way(const array_blocks *b, const xta_box *piece, const xta_box *cells,
                       bool reading, way *w)
{
    uint64_t span = b->cell, need = b->cell;
    bool whole = true; // the axes further in are those of the chunk
    // All cells of a chunk at the edge go as one run with what lies between, as plans count them.
    bool all = xta_box_equal(piece, cells) && b->chunk_bytes <= b->bounce_bytes;

    *w = (way){.cut = b->ndim, .thick = 1};
    for (int k = b->ndim - 1; k >= 0; k--) {
        int axis = b->by_stride[k];
        uint64_t n = (uint64_t)count_of(piece, axis), step = (uint64_t)b->stride[axis];
        uint64_t longer = (n - 1) * step + span;
        uint64_t gap = step > span ? step - span : 0;
        bool thin = reading ? gap > GAP_BYTES && longer > READ_WASTE * need * n
                            : gap > 0 && (!whole || longer > WRITE_WASTE * need * n);
        thin = thin && !all;
        if (n > 1 && thin) {
            break;
        }
        w->cut = k;
        w->thick = (int64_t)n;
        if (longer > b->bounce_bytes) {
            w->thick = span <= b->bounce_bytes ? (int64_t)((b->bounce_bytes - span) / step) + 1 : 1;
            w->run_bytes = need * (uint64_t)w->thick;
            return;
        }
        span = longer;
        need *= n;
        whole = whole && count_of(piece, axis) == count_of(cells, axis);
    }
    w->run_bytes = need;
}

/* The next part of a piece; `part` is the one before. False at the end. */
static bool next_part(const array_blocks *b, const way *w, const xta_box *piece, xta_box *part)
{
    for (int k = w->cut < b->ndim ? w->cut : b->ndim - 1; k >= 0; k--) {
        int axis = b->by_stride[k];
        int64_t step = k == w->cut ? w->thick : 1;
        part->lo[axis] = part->hi[axis];
        bool more = part->lo[axis] < piece->hi[axis];
        part->lo[axis] = more ? part->lo[axis] : piece->lo[axis];
        part->hi[axis] = part->lo[axis] + step;
        part->hi[axis] = part->hi[axis] < piece->hi[axis] ? part->hi[axis] : piece->hi[axis];
        if (more) {
            return true;
        }
    }
    return false;
}

static void first_part(const array_blocks *b, const way *w, const xta_box *piece, xta_box *part)
{
    *part = *piece;
    for (int k = 0; k <= w->cut && k < b->ndim; k++) {
        int axis = b->by_stride[k];
        int64_t end = part->lo[axis] + (k == w->cut ? w->thick : 1);
        part->hi[axis] = end < part->hi[axis] ? end : part->hi[axis];
    }
}

/* ---- one piece ---- */

/* One part by one call. */
static xta_status move_part(array_blocks *b, const int64_t block[], const xta_box *part,
                            const way *w, uint8_t *cells, const ptrdiff_t strides[], bool reading,
                            xta_error *err)
{
    size_t begin = begin_of(b, block, part), span = b->cell;
    uint64_t offset = place_of(b, block) + begin;
    xta_status status = XTA_OK;

    for (int a = 0; a < b->ndim; a++) {
        span += (size_t)(count_of(part, a) - 1) * (size_t)b->stride[a];
    }
    uint8_t *bytes = w->direct ? cells : b->bounce;
    if (reading) {
        XTA_TRY(read_file(b, offset, bytes, span, err));
    }
    if (!w->direct) {
        if (!reading && w->run_bytes < span) {
            memset(bytes, 0, span);
        }
        copy_part(b, block, part, bytes, begin, cells, strides, reading);
    }
    if (!reading) {
        XTA_TRY(write_file(b, offset, bytes, span, err));
    }

done:
    return status;
}

/* The array's own way. */
static xta_status move_by_array(array_blocks *b, const xta_box *piece, uint8_t *cells,
                                const ptrdiff_t strides[], bool reading, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t steps[XTA_MAX_NDIM];

    for (int a = 0; a < b->ndim; a++) {
        steps[a] = strides[a];
    }
    options.strides = steps;
    options.threads = 1; // more would take memory beside the limit
    return reading ? xta_array_read(b->array, piece, &options, cells, err)
                   : xta_array_write(b->array, piece, &options, cells, err);
}

/* A piece of a Morton or Hilbert chunk: the whole chunk through the bounce buffer. */
static xta_status move_curve(array_blocks *b, const int64_t block[], const xta_box *piece,
                             uint8_t *cells, const ptrdiff_t strides[], bool reading,
                             xta_error *err)
{
    const xta_box all = cells_of(b, block);
    xta_status status = XTA_OK;

    if (b->chunk_bytes > b->bounce_bytes || (!reading && !xta_box_equal(&all, piece))) {
        return move_by_array(b, piece, cells, strides, reading, err);
    }
    XTA_TRY(make_bounce(b, err));
    if (reading) {
        XTA_TRY(read_file(b, place_of(b, block), b->bounce, b->chunk_bytes, err));
    } else {
        memset(b->bounce, 0, b->chunk_bytes);
    }
    copy_part(b, block, piece, b->bounce, 0, cells, strides, reading);
    if (!reading) {
        XTA_TRY(write_file(b, place_of(b, block), b->bounce, b->chunk_bytes, err));
    }

done:
    return status;
}

static xta_status move_piece(array_blocks *b, const int64_t block[], const xta_box *piece,
                             uint8_t *cells, const int64_t given[], bool reading, xta_error *err)
{
    ptrdiff_t strides[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta_box part;
    way w;

    dense_strides(piece, b->cell, strides);
    for (int a = 0; given != NULL && a < b->ndim; a++) {
        strides[a] = (ptrdiff_t)given[a];
    }
    if (!b->raw) {
        return move_by_array(b, piece, cells, strides, reading, err);
    }
    if (!b->strided) {
        return move_curve(b, block, piece, cells, strides, reading, err);
    }
    if (!direct_way(b, piece, strides, &w)) {
        const xta_box all = cells_of(b, block);
        bounce_way(b, piece, &all, reading, &w);
        first_part(b, &w, piece, &part);
        if (!reading && w.run_bytes < WRITE_BYTES && !xta_box_equal(&part, piece)) {
            return move_by_array(b, piece, cells, strides, reading, err);
        }
        XTA_TRY(make_bounce(b, err));
    }
    first_part(b, &w, piece, &part);
    do {
        ptrdiff_t at = 0;
        for (int a = 0; a < b->ndim; a++) {
            at += (ptrdiff_t)(part.lo[a] - piece->lo[a]) * strides[a];
        }
        XTA_TRY(move_part(b, block, &part, &w, cells + at, strides, reading, err));
    } while (next_part(b, &w, piece, &part));

done:
    return status;
}

static xta_status read_piece(void *self, const int64_t block[], const xta_box *piece, void *cells,
                             const int64_t strides[], xta_error *err)
{
    return move_piece(self, block, piece, cells, strides, true, err);
}

static xta_status write_piece(void *self, const int64_t block[], const xta_box *piece,
                              const void *cells, const int64_t strides[], xta_error *err)
{
    return move_piece(self, block, piece, (uint8_t *)(uintptr_t)cells, strides, false, err);
}

/* ---- runs of whole chunks ---- */

/* How many chunks from the first on lie in memory as in the file. */
static size_t plain_run(const array_blocks *b, size_t n, const int64_t *const block[],
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

/* As many chunks as fit the bounce buffer, by one call. */
static xta_status move_some(array_blocks *b, size_t n, const int64_t *const block[],
                            uint8_t *const cells[], bool reading, xta_error *err)
{
    uint64_t offset = place_of(b, block[0]);
    size_t bytes = (n - 1) * b->slot + b->chunk_bytes;
    xta_status status = XTA_OK;

    XTA_TRY(make_bounce(b, err));
    if (reading) {
        XTA_TRY(read_file(b, offset, b->bounce, bytes, err));
    } else {
        memset(b->bounce, 0, bytes);
    }
    for (size_t k = 0; k < n; k++) {
        const xta_box all = cells_of(b, block[k]);
        ptrdiff_t strides[XTA_MAX_NDIM];
        dense_strides(&all, b->cell, strides);
        copy_part(b, block[k], &all, b->bounce + k * b->slot, 0, cells[k], strides, reading);
    }
    if (!reading) {
        XTA_TRY(write_file(b, offset, b->bounce, bytes, err));
    }

done:
    return status;
}

static xta_status move_run(array_blocks *b, size_t n, const int64_t *const block[],
                           uint8_t *const cells[], bool reading, xta_error *err)
{
    size_t most = b->bounce_bytes / b->slot;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < n && status == XTA_OK;) {
        size_t run = plain_run(b, n - k, block + k, (const uint8_t *const *)cells + k);
        // One small chunk at a time is not worth a call of its own.
        if (run > 0 && (run > 1 || b->slot >= DIRECT_BYTES || k + 1 == n)) {
            uint64_t offset = place_of(b, block[k]);
            status = reading ? read_file(b, offset, cells[k], run * b->slot, err)
                             : write_file(b, offset, cells[k], run * b->slot, err);
        } else if (most <= 1) {
            const xta_box all = cells_of(b, block[k]);
            status = move_piece(b, block[k], &all, cells[k], NULL, reading, err);
            run = 1;
        } else {
            run = n - k < most ? n - k : most;
            status = move_some(b, run, block + k, cells + k, reading, err);
        }
        k += run;
    }
    return status;
}

static xta_status read_run(void *self, size_t n, const int64_t *const block[], void *const cells[],
                           xta_error *err)
{
    return move_run(self, n, block, (uint8_t *const *)cells, true, err);
}

static xta_status write_run(void *self, size_t n, const int64_t *const block[],
                            const void *const cells[], xta_error *err)
{
    return move_run(self, n, block, (uint8_t *const *)(uintptr_t)cells, false, err);
}

/* ---- life ---- */

static xta_status sync_array(void *self, xta_error *err)
{
    return xta_array_sync(((array_blocks *)self)->array, err);
}

static xta_status close_array(void *self, bool complete, xta_error *err)
{
    array_blocks *b = self;
    xta_status status = b->raw ? xta__chunk_io_end(&b->io, err) : XTA_OK;

    (void)complete;
    free(b->bounce);
    free(b);
    return status;
}

#define FILE_CALLS(whole)                                                                  \
    {                                                                                      \
        .place = place_of, .read = read_piece, .read_run = read_run, .write = write_piece, \
        .write_run = write_run, .sync = sync_array, .close = close_array,                  \
        .prefers_whole = (whole), .n_calls = n_calls_of                                    \
    }

static const xta_blocks_calls strided_calls = FILE_CALLS(false);
static const xta_blocks_calls curve_calls = FILE_CALLS(true);
static const xta_blocks_calls memory_calls = {
    .read = read_piece, .write = write_piece, .sync = sync_array, .close = close_array};

/* Strides and what follows from them. */
static void look_at_order(array_blocks *b, xta_order order)
{
    const xta__structure *s = b->structure;

    b->strided = xta__grid_is_strided(&s->grid);
    b->plain = order == XTA_ROW && b->array->decode == NULL && b->slot == b->chunk_bytes;
    for (int a = 0; a < b->ndim; a++) {
        b->chunk[a] = s->axis[a].chunk;
        b->stride[a] = (ptrdiff_t)s->axis[a].stride_bytes;
        b->by_stride[a] = order == XTA_COLUMN ? b->ndim - 1 - a : a;
    }
    b->places = b->strided ? NULL : xta__curve_table(b->array, b->structure);
    b->bounce_bytes = b->slot < LEAST_BOUNCE_BYTES  ? LEAST_BOUNCE_BYTES
                      : b->slot > MOST_BOUNCE_BYTES ? MOST_BOUNCE_BYTES
                                                    : (size_t)b->slot;
}

static xta_status make_blocks(xta_array *array, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    array_blocks *b = xta__calloc(1, sizeof *b);

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
    look_at_order(b, array->state.constants.order);
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
