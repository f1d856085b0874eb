/* Moving boxes between chunks and the caller's memory.
 *
 * Reading through pointers goes line by line: the chunks of a line follow each other on the axis that is
 * fastest in memory, and their rows are woven together, so that memory is written in one sweep. All
 * other work goes chunk by chunk. Writing gathers whole chunks whose addresses follow each other into one
 * system call; parts of chunks are stored cell by cell where they belong, and nothing else of the
 * chunk is touched, because it may be another writer's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 64 };

#define STREAM_BYTES   ((uint64_t)16 << 20) /* targets larger than this spare the caches */
#define PREFETCH_BYTES ((uint64_t)256 << 10)
#define STAGING_BYTES  ((size_t)1 << 20)

/* One call on its way. */
typedef struct transfer {
    xta_array *array;
    const xta__structure *structure;
    xta__direction direction;
    xta__region region;
    uint8_t *memory;                     /* the cell of box.lo */
    ptrdiff_t to[XTA_MAX_NDIM];          /* memory strides in bytes */
    ptrdiff_t from[XTA_MAX_NDIM];        /* chunk strides in bytes, times the step; 0 if not strided */
    xta_type memory_type;
    size_t memory_cell;
    bool convert;
    bool strided;
    bool stream;
    bool prefetch;
    xta__copy_plan plan;                 /* for chunks of shape plan_count */
    size_t plan_count[XTA_MAX_NDIM];
    bool planned;
    uint8_t *scratch;                    /* cells of one chunk in the array's type */
    uint8_t *converted;                  /* and in the type of the memory */
    uint8_t *staging;                    /* whole chunks on their way to the file */
    size_t staging_room;
} transfer;

uint64_t xta__address(xta_array *array, const xta__structure *structure, const int64_t chunk[])
{
    uint64_t address = 0;

    if (!xta__mapping_try_address(&structure->mapping, chunk, &address)) {
        pthread_mutex_lock(&array->lock);
        address = xta__mapping_address(&structure->mapping, chunk);
        pthread_mutex_unlock(&array->lock);
    }
    return address;
}

static uint64_t address_of(void *user, const int64_t coord[])
{
    transfer *t = user;

    return xta__address(t->array, t->structure, coord);
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

xta_status xta__check_options(const xta_array *array, int ndim, const xta_io_options *options,
                              xta_error *err)
{
    if (options == NULL) {
        return XTA_OK;
    }
    if (options->struct_size < sizeof *options) {
        return xta__fail(err, XTA_EARG, 0, "struct_size %zu of the options: start from "
                                           "XTA_IO_OPTIONS_INIT",
                         options->struct_size);
    }
    if (options->type != XTA_TYPE_SAME) {
        size_t bad = 0;
        if (!xta__is_cell_type((unsigned)options->type) ||
            (options->type != array->state.constants.type &&
             xta_type_convert(array->state.constants.type, NULL, options->type, NULL, 0, &bad) !=
                 XTA_OK)) {
            return xta__fail(err, XTA_ETYPE, 0, "%s: cells of type %s cannot be taken as %s",
                             xta__array_name(array),
                             xta_type_name(array->state.constants.type),
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

static void set_strides(transfer *t, const xta_io_options *o)
{
    int ndim = t->region.ndim;
    ptrdiff_t stride = (ptrdiff_t)t->memory_cell;

    for (int k = 0; k < ndim; k++) {
        int axis = o->order == XTA_COLUMN ? k : ndim - 1 - k;
        t->to[axis] = o->strides != NULL ? (ptrdiff_t)o->strides[axis] : stride;
        stride *= (ptrdiff_t)t->region.count[axis];
    }
    for (int axis = 0; axis < ndim; axis++) {
        t->from[axis] =
            (ptrdiff_t)(t->structure->axis[axis].stride_bytes * t->region.step[axis]);
    }
}

/* Cells of the largest part of a chunk that the region takes. */
static xta_status make_scratch(transfer *t, xta_error *err)
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
    t->scratch = xta__calloc(cells, t->array->cell_bytes);
    t->converted = t->convert ? xta__calloc(cells, t->memory_cell) : NULL;
    if (t->scratch == NULL || (t->convert && t->converted == NULL)) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a chunk of %zu cells",
                         xta__array_name(t->array), cells);
    }
    return XTA_OK;
}

static xta_status set_up(transfer *t, const xta_box *box, const xta_io_options *options,
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
    return make_scratch(t, err);
}

static void tear_down(transfer *t)
{
    free(t->scratch);
    free(t->converted);
    free(t->staging);
}

/* ---- one chunk ---- */

/* What the region takes of one chunk. */
typedef struct part {
    size_t count[XTA_MAX_NDIM];
    int64_t within[XTA_MAX_NDIM]; /* of the first cell */
    ptrdiff_t memory_at;          /* of the first cell, in bytes */
    size_t n_cells;
    bool whole;                   /* all cells of the chunk */
} part;

static void take_part(const transfer *t, const int64_t chunk[], part *p)
{
    p->memory_at = 0;
    p->n_cells = 1;
    p->whole = true;
    for (int axis = 0; axis < t->region.ndim; axis++) {
        xta__slice slice = xta__region_slice(&t->region, axis, chunk[axis]);
        p->count[axis] = (size_t)slice.count;
        p->within[axis] = slice.within;
        p->memory_at += (ptrdiff_t)slice.index * t->to[axis];
        p->n_cells *= (size_t)slice.count;
        p->whole = p->whole && slice.count == t->region.chunk[axis];
    }
}

static size_t offset_in_chunk(const transfer *t, const int64_t within[])
{
    size_t offset = 0;

    for (int axis = 0; axis < t->region.ndim; axis++) {
        offset += (size_t)(within[axis] * t->structure->axis[axis].stride_bytes);
    }
    return offset;
}

/* The copy plan for parts of this shape; most parts have the shape of the one before. */
static const xta__copy_plan *plan_for(transfer *t, const part *p)
{
    int ndim = t->region.ndim;
    size_t bytes = (size_t)ndim * sizeof p->count[0];

    if (!t->planned || memcmp(t->plan_count, p->count, bytes) != 0) {
        bool reading = t->direction == XTA__READ;
        memcpy(t->plan_count, p->count, bytes);
        t->planned = true;
        xta__copy_plan_init(&t->plan, ndim, t->array->cell_bytes, p->count,
                            reading ? t->to : t->from, reading ? t->from : t->to, t->array->mask,
                            t->stream);
    }
    return &t->plan;
}

/* Visit the cells of a part in row-major order: their positions in the chunk. */
typedef struct walk {
    const transfer *t;
    const part *p;
    int64_t coord[XTA_MAX_NDIM];
} walk;

static void walk_begin(walk *w, const transfer *t, const part *p)
{
    w->t = t;
    w->p = p;
    memcpy(w->coord, p->within, sizeof w->coord);
}

/* Bytes from the chunk's begin to the cell, then one step on. */
static size_t walk_next(walk *w)
{
    const xta__structure *s = w->t->structure;
    uint64_t position;

    if (s->place != NULL) {
        uint64_t row = 0;
        for (int axis = 0; axis < s->ndim; axis++) {
            row = row * (uint64_t)s->axis[axis].chunk + (uint64_t)w->coord[axis];
        }
        position = s->place[row];
    } else {
        position = xta__grid_position(&s->grid, w->coord);
    }
    for (int axis = s->ndim - 1; axis >= 0; axis--) {
        int64_t step = w->t->region.step[axis];
        w->coord[axis] += step;
        if (w->coord[axis] < w->p->within[axis] + (int64_t)w->p->count[axis] * step) {
            break;
        }
        w->coord[axis] = w->p->within[axis];
    }
    return (size_t)position * w->t->array->cell_bytes;
}

/* Dense strides of a part. */
static void dense_strides(const transfer *t, const part *p, size_t cell, ptrdiff_t strides[])
{
    ptrdiff_t stride = (ptrdiff_t)cell;

    for (int axis = t->region.ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= (ptrdiff_t)p->count[axis];
    }
}

/* Between the chunk and dense scratch, in the array's type, mask applied. */
static void chunk_to_scratch(transfer *t, const part *p, const uint8_t *bytes)
{
    size_t cell = t->array->cell_bytes;

    if (t->strided) {
        ptrdiff_t dense[XTA_MAX_NDIM];
        xta__copy_plan plan;
        dense_strides(t, p, cell, dense);
        xta__copy_plan_init(&plan, t->region.ndim, cell, p->count, dense, t->from, t->array->mask,
                            false);
        xta__copy_run(&plan, t->scratch, bytes + offset_in_chunk(t, p->within));
        return;
    }
    walk w;
    walk_begin(&w, t, p);
    for (size_t k = 0; k < p->n_cells; k++) {
        xta__copy_bytes(t->scratch + k * cell, bytes + walk_next(&w), cell, t->array->mask, cell);
    }
}

static void mark_cells(transfer *t, xta__pin *pin, size_t offset, size_t n)
{
    if (t->array->holder->ops->mark != NULL) {
        t->array->holder->ops->mark(t->array->holder, pin, offset, n);
    }
}

/* Tell the holder which bytes a strided part has changed: row by row. */
static void mark_part(transfer *t, const part *p, xta__pin *pin)
{
    int last = t->region.ndim - 1;
    size_t index[XTA_MAX_NDIM] = {0};
    size_t cell = t->array->cell_bytes;
    bool rows = t->from[last] == (ptrdiff_t)cell;

    if (t->array->holder->ops->mark == NULL) {
        return;
    }
    for (;;) {
        size_t at = offset_in_chunk(t, p->within);
        for (int axis = 0; axis <= last; axis++) {
            at += index[axis] * (size_t)t->from[axis];
        }
        size_t n = rows ? p->count[last] : 1;
        mark_cells(t, pin, at, n * cell);
        index[last] += n;
        int axis = last;
        while (axis >= 0 && index[axis] == p->count[axis]) {
            index[axis] = 0;
            if (--axis >= 0) {
                index[axis]++;
            }
        }
        if (axis < 0) {
            return;
        }
    }
}

static void scratch_to_chunk(transfer *t, const part *p, xta__pin *pin)
{
    size_t cell = t->array->cell_bytes;

    if (t->strided) {
        ptrdiff_t dense[XTA_MAX_NDIM];
        xta__copy_plan plan;
        dense_strides(t, p, cell, dense);
        xta__copy_plan_init(&plan, t->region.ndim, cell, p->count, t->from, dense, t->array->mask,
                            false);
        xta__copy_run(&plan, pin->bytes + offset_in_chunk(t, p->within), t->scratch);
        mark_part(t, p, pin);
        return;
    }
    walk w;
    walk_begin(&w, t, p);
    for (size_t k = 0; k < p->n_cells; k++) {
        size_t at = walk_next(&w);
        xta__copy_bytes(pin->bytes + at, t->scratch + k * cell, cell, t->array->mask, cell);
        mark_cells(t, pin, at, cell);
    }
}

/* Between dense scratch of the memory's type and the caller's memory. */
static void scratch_and_memory(transfer *t, const part *p, uint8_t *scratch)
{
    ptrdiff_t dense[XTA_MAX_NDIM];
    xta__copy_plan plan;
    uint8_t *memory = t->memory + p->memory_at;
    bool reading = t->direction == XTA__READ;

    dense_strides(t, p, t->memory_cell, dense);
    xta__copy_plan_init(&plan, t->region.ndim, t->memory_cell, p->count, reading ? t->to : dense,
                        reading ? dense : t->to, NULL, false);
    xta__copy_run(&plan, reading ? memory : scratch, reading ? scratch : memory);
}

/* Name the cell that could not be converted. */
static xta_status conversion_failed(transfer *t, const part *p, const int64_t chunk[], size_t bad,
                                    xta_status status, xta_error *err)
{
    int64_t coord[XTA_MAX_NDIM];
    char text[256];
    bool reading = t->direction == XTA__READ;
    const char *own = xta_type_name(t->array->state.constants.type);
    const char *other = xta_type_name(t->memory_type);

    for (int axis = t->region.ndim - 1; axis >= 0; axis--) {
        coord[axis] = chunk[axis] * t->region.chunk[axis] + p->within[axis] +
                      (int64_t)(bad % p->count[axis]) * t->region.step[axis];
        bad /= p->count[axis];
    }
    return xta__fail(err, status, 0, "%s: cell %s: its value of type %s does not fit type %s",
                     xta__array_name(t->array),
                     xta__coord_text(coord, t->region.ndim, text, sizeof text),
                     reading ? own : other, reading ? other : own);
}

/* Read one part through scratch. */
static xta_status read_by_scratch(transfer *t, const part *p, const int64_t chunk[],
                                  const uint8_t *bytes, xta_error *err)
{
    size_t bad = 0;

    chunk_to_scratch(t, p, bytes);
    if (t->convert) {
        xta_status status = xta_type_convert(t->array->state.constants.type, t->scratch,
                                             t->memory_type, t->converted, p->n_cells, &bad);
        if (status != XTA_OK) {
            return conversion_failed(t, p, chunk, bad, status, err);
        }
    }
    scratch_and_memory(t, p, t->convert ? t->converted : t->scratch);
    return XTA_OK;
}

/* Fetch one part of the memory into scratch, in the array's type. */
static xta_status gather_scratch(transfer *t, const part *p, const int64_t chunk[], xta_error *err)
{
    size_t bad = 0;

    scratch_and_memory(t, p, t->convert ? t->converted : t->scratch);
    if (t->convert) {
        xta_status status =
            xta_type_convert(t->memory_type, t->converted, t->array->state.constants.type,
                             t->scratch, p->n_cells, &bad);
        if (status != XTA_OK) {
            return conversion_failed(t, p, chunk, bad, status, err);
        }
    }
    return XTA_OK;
}

static xta_status move_chunk(transfer *t, const int64_t chunk[], uint64_t address, const part *p,
                             xta_error *err)
{
    xta__holder *holder = t->array->holder;
    bool reading = t->direction == XTA__READ;
    bool direct = t->strided && !t->convert;
    xta__pin pin = {0};
    xta_status status = XTA_OK;

    if (!reading && !direct) {
        status = gather_scratch(t, p, chunk, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    status = reading ? holder->ops->pin_read(holder, address, &pin, err)
                     : holder->ops->pin_write(holder, address, p->whole, &pin, err);
    if (status != XTA_OK) {
        return status;
    }
    if (direct) {
        uint8_t *inside = pin.bytes + offset_in_chunk(t, p->within);
        uint8_t *memory = t->memory + p->memory_at;
        xta__copy_run(plan_for(t, p), reading ? memory : inside, reading ? inside : memory);
        if (!reading) {
            mark_part(t, p, &pin);
        }
    } else if (reading) {
        status = read_by_scratch(t, p, chunk, pin.bytes, err);
    } else {
        scratch_to_chunk(t, p, &pin);
    }
    if (holder->ops->unpin != NULL) {
        holder->ops->unpin(holder, &pin);
    }
    return status;
}

/* ---- reading in lines ---- */

/* The axis along which rows can be woven: contiguous in memory and in the chunk; -1 if none. */
static int line_axis(const transfer *t)
{
    if (t->array->holder->windows == NULL || !t->strided || t->convert ||
        t->direction != XTA__READ) {
        return -1;
    }
    for (int axis = 0; axis < t->region.ndim; axis++) {
        ptrdiff_t cell = (ptrdiff_t)t->array->cell_bytes;
        if (t->to[axis] == cell && t->from[axis] == cell && t->region.count[axis] > 1 &&
            t->region.chunks.hi[axis] - t->region.chunks.lo[axis] > 1) {
            return axis;
        }
    }
    return -1;
}

/* Up to MOST_PIECES chunks from `chunk` on along `line`. */
static xta_status read_line(transfer *t, int line, int64_t chunk[], int n_pieces, xta_error *err)
{
    xta__holder *holder = t->array->holder;
    const uint8_t *from[MOST_PIECES];
    size_t to_offset[MOST_PIECES], row_bytes[MOST_PIECES];
    size_t count[XTA_MAX_NDIM];
    xta__copy_plan plan;
    part p;
    ptrdiff_t memory_at = 0;
    int64_t first = chunk[line];

    for (int k = 0; k < n_pieces; k++) {
        xta__pin pin;
        chunk[line] = first + k;
        take_part(t, chunk, &p);
        uint64_t address = xta__address(t->array, t->structure, chunk);
        xta_status status = holder->ops->pin_read(holder, address, &pin, err);
        if (status != XTA_OK) {
            return status;
        }
        if (t->prefetch) {
            holder->ops->will_need(holder, address);
        }
        memory_at = k == 0 ? p.memory_at : memory_at;
        from[k] = pin.bytes + offset_in_chunk(t, p.within);
        to_offset[k] = (size_t)(p.memory_at - memory_at);
        row_bytes[k] = p.count[line] * t->array->cell_bytes;
    }
    chunk[line] = first;
    memcpy(count, p.count, sizeof count);
    count[line] = 1;
    xta__copy_plan_init(&plan, t->region.ndim, t->array->cell_bytes, count, t->to, t->from,
                        t->array->mask, t->stream);
    xta__copy_rows(&plan, t->memory + memory_at, n_pieces, from, to_offset, row_bytes);
    return XTA_OK;
}

/* Step to the next chunk of the region with `line` fixed; false at the end. */
static bool next_chunk(const transfer *t, int line, int64_t chunk[])
{
    for (int axis = t->region.ndim - 1; axis >= 0; axis--) {
        if (axis == line) {
            continue;
        }
        if (++chunk[axis] < t->region.chunks.hi[axis]) {
            return true;
        }
        chunk[axis] = t->region.chunks.lo[axis];
    }
    return false;
}

static xta_status read_lines(transfer *t, int line, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    do {
        int64_t left = t->region.chunks.hi[line] - t->region.chunks.lo[line];
        chunk[line] = t->region.chunks.lo[line];
        while (left > 0 && status == XTA_OK) {
            int n = left < MOST_PIECES ? (int)left : MOST_PIECES;
            // Steps longer than a chunk on another axis may leave nothing to take here.
            part p;
            take_part(t, chunk, &p);
            if (p.n_cells > 0) {
                status = read_line(t, line, chunk, n, err);
            }
            chunk[line] += n;
            left -= n;
        }
    } while (status == XTA_OK && next_chunk(t, line, chunk));
    return status;
}

/* Chunk by chunk, in the order of the region: for holders whose chunks are reached by pointers. */
static xta_status move_in_order(transfer *t, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    part p;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    do {
        take_part(t, chunk, &p);
        if (p.n_cells > 0) {
            uint64_t address = xta__address(t->array, t->structure, chunk);
            if (t->prefetch) {
                t->array->holder->ops->will_need(t->array->holder, address);
            }
            status = move_chunk(t, chunk, address, &p, err);
        }
    } while (status == XTA_OK && next_chunk(t, -1, chunk));
    return status;
}

/* ---- in file order ---- */

/* Whole chunks into one system call: their cells as the file wants them. */
static xta_status write_run(transfer *t, const xta__batch *batch, size_t first, size_t n,
                            xta_error *err)
{
    xta__holder *holder = t->array->holder;
    size_t slot = (size_t)holder->slot_bytes, ndim = (size_t)t->region.ndim;
    part p;

    take_part(t, batch->coords + first * ndim, &p);
    const xta__copy_plan *plan = t->strided && !t->convert ? plan_for(t, &p) : NULL;
    if (n == 1 && plan != NULL && plan->ndim == 0 && plan->mask == NULL &&
        slot == plan->cell_bytes) {
        return holder->ops->write_run(holder, batch->addresses[first], 1, t->memory + p.memory_at,
                                      err);
    }
    if (t->staging_room < n * slot) {
        free(t->staging);
        t->staging = xta__calloc(n, slot);
        t->staging_room = t->staging != NULL ? n * slot : 0;
        if (t->staging == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu chunks",
                             xta__array_name(t->array), n);
        }
    }
    for (size_t k = 0; k < n; k++) {
        const int64_t *chunk = batch->coords + (first + k) * ndim;
        xta__pin pin = {.bytes = t->staging + k * slot};
        take_part(t, chunk, &p);
        if (plan != NULL) {
            xta__copy_run(plan_for(t, &p), pin.bytes, t->memory + p.memory_at);
            continue;
        }
        xta_status status = gather_scratch(t, &p, chunk, err);
        if (status != XTA_OK) {
            return status;
        }
        scratch_to_chunk(t, &p, &pin);
    }
    return holder->ops->write_run(holder, batch->addresses[first], n, t->staging, err);
}

static xta_status move_batch(transfer *t, const xta__batch *batch, xta_error *err)
{
    xta__holder *holder = t->array->holder;
    bool runs = t->direction == XTA__WRITE && holder->ops->write_run != NULL;
    size_t most = STAGING_BYTES / (size_t)holder->slot_bytes;
    xta_status status = XTA_OK;
    part p;

    for (size_t k = 0; k < batch->n && status == XTA_OK;) {
        const int64_t *chunk = batch->coords + k * (size_t)t->region.ndim;
        size_t n = 1;
        take_part(t, chunk, &p);
        if (runs && p.whole) {
            size_t run = xta__batch_run(batch, k, most > 1 ? most : 1);
            for (n = 1; n < run; n++) {
                take_part(t, batch->coords + (k + n) * (size_t)t->region.ndim, &p);
                if (!p.whole) {
                    break;
                }
            }
            status = write_run(t, batch, k, n, err);
        } else if (p.n_cells > 0) {
            status = move_chunk(t, chunk, batch->addresses[k], &p, err);
        }
        k += n;
    }
    return status;
}

static xta_status move_in_file_order(transfer *t, xta_error *err)
{
    xta__batches batches;
    const xta__batch *batch;
    xta_status status = XTA_OK;

    if (xta__batches_init(&batches, &t->region.chunks, address_of, t) != XTA_OK) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the plan of a transfer",
                         xta__array_name(t->array));
    }
    while (status == XTA_OK && (batch = xta__batches_next(&batches)) != NULL) {
        status = move_batch(t, batch, err);
    }
    xta__batches_clear(&batches);
    return status;
}

/* ---- one call ---- */

/* A write that converts looks at every value before it touches the first chunk. */
static xta_status check_values(transfer *t, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    part p;

    memcpy(chunk, t->region.chunks.lo, sizeof chunk);
    do {
        take_part(t, chunk, &p);
        if (p.n_cells > 0) {
            status = gather_scratch(t, &p, chunk, err);
        }
    } while (status == XTA_OK && next_chunk(t, -1, chunk));
    return status;
}

static xta_status move_all(transfer *t, xta_error *err)
{
    xta__holder *holder = t->array->holder;
    int line = line_axis(t);

    if (t->region.n_chunks == 1) {
        part p;
        take_part(t, t->region.chunks.lo, &p);
        if (!(t->direction == XTA__WRITE && p.whole && holder->ops->write_run != NULL)) {
            uint64_t address = xta__address(t->array, t->structure, t->region.chunks.lo);
            return move_chunk(t, t->region.chunks.lo, address, &p, err);
        }
        // One whole chunk: a batch without its tables.
        uint64_t address = xta__address(t->array, t->structure, t->region.chunks.lo);
        const xta__batch batch = {.n = 1, .addresses = &address, .coords = t->region.chunks.lo};
        return write_run(t, &batch, 0, 1, err);
    }
    if (line >= 0) {
        return read_lines(t, line, err);
    }
    if (holder->windows != NULL && (t->direction == XTA__READ || holder->ops->write_run == NULL)) {
        return move_in_order(t, err);
    }
    return move_in_file_order(t, err);
}

xta_status xta__transfer(xta_array *array, const xta_box *box, const xta_io_options *options,
                         xta__direction direction, void *memory, xta_error *err)
{
    transfer t;
    xta_status status = XTA_OK;

    // The large members are filled as they are needed: a small box must not pay for clearing them.
    t.array = array;
    t.structure = xta__structure_of(array);
    t.direction = direction;
    t.memory = memory;
    t.planned = false;
    t.scratch = t.converted = t.staging = NULL;
    t.staging_room = 0;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    XTA_TRY(set_up(&t, box, options, err));
    if (direction == XTA__WRITE && t.convert) {
        XTA_TRY(check_values(&t, err));
    }
    XTA_TRY(move_all(&t, err));

done:
    tear_down(&t);
    return status;
}

xta_status xta_array_read(xta_array *array, const xta_box *box, const xta_io_options *options,
                          void *out, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__begin(array, err));
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    XTA_TRY(xta__check_options(array, box->ndim, options, err));
    XTA_TRY(xta__transfer(array, box, options, XTA__READ, out, err));

done:
    return status;
}

xta_status xta_array_write(xta_array *array, const xta_box *box, const xta_io_options *options,
                           const void *in, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__begin_change(array, "write", err));
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    XTA_TRY(xta__check_options(array, box->ndim, options, err));
    XTA_TRY(xta__transfer(array, box, options, XTA__WRITE, (void *)(uintptr_t)in, err));

done:
    return status;
}
