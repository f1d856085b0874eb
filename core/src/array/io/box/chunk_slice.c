/* One chunk of a transfer: which of its cells take part, and how they get to or from the caller's
 * memory.
 *
 * The slice of a chunk is the part of a box that lies in it. Cells of the same type in a strided
 * order are copied by one plan. Cells along a Morton or Hilbert curve go through a tile, and cells
 * of another type through scratch memory: there they are dense, in the type of the array, and are
 * converted in one go. A write either stores into the chunk, which is pinned meanwhile, or collects
 * spans of bytes that system calls write; the method is chosen slice by slice
 * (chunk/write_method.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/chunk_slice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/io/box/direction.h"
#include "array/io/box/staging.h"
#include "array/io/spans.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"
#include "geometry/region/plan.h"

void xta__find_slice(const xta__transfer_call *t, const int64_t chunk[], xta__chunk_slice *slice)
{
    slice->memory_at = 0;
    slice->n_cells = 1;
    slice->whole = true;
    for (int axis = 0; axis < t->region.ndim; axis++) {
        xta__slice along = xta__region_slice(&t->region, axis, chunk[axis]);
        slice->count[axis] = (size_t)along.count;
        slice->within[axis] = along.within;
        slice->memory_at += (ptrdiff_t)along.index * t->to[axis];
        slice->n_cells *= (size_t)along.count;
        slice->whole = slice->whole && along.count == t->region.chunk[axis];
    }
    if (t->skips != NULL && t->skips(t->skips_user, chunk)) {
        slice->n_cells = 0;
        slice->whole = false;
    }
}

size_t xta__offset_in_chunk(const xta__transfer_call *t, const int64_t within[])
{
    size_t offset = 0;

    for (int axis = 0; axis < t->region.ndim; axis++) {
        offset += (size_t)(within[axis] * t->structure->axis[axis].stride_bytes);
    }
    return offset;
}

bool xta__next_chunk(const xta__transfer_call *t, int line, int64_t chunk[])
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

const xta__copy_plan *xta__plan_for(xta__transfer_call *t, const xta__chunk_slice *slice)
{
    int ndim = t->region.ndim;
    size_t bytes = (size_t)ndim * sizeof slice->count[0];

    if (!t->planned || memcmp(t->plan_count, slice->count, bytes) != 0) {
        bool reading = t->direction == XTA__READ;
        memcpy(t->plan_count, slice->count, bytes);
        t->planned = true;
        xta__copy_plan_init(&t->plan, ndim, t->array->cell_bytes, slice->count,
                            reading ? t->to : t->from, reading ? t->from : t->to, xta__coding_of(t),
                            t->stream);
    }
    return &t->plan;
}

size_t xta__packed_runs(const xta__transfer_call *t, const xta__chunk_slice *slice,
                        ptrdiff_t packed[])
{
    int ndim = t->region.ndim;
    bool column = xta__is_column(t);
    size_t run = t->array->cell_bytes;
    ptrdiff_t stride = (ptrdiff_t)t->array->cell_bytes;
    bool together = true;

    for (int k = 0; k < ndim; k++) {
        int axis = column ? k : ndim - 1 - k;
        if (packed != NULL) {
            packed[axis] = stride;
        }
        stride *= (ptrdiff_t)slice->count[axis];
        if (together && t->region.step[axis] == 1) {
            run *= slice->count[axis];
        }
        together = together && t->region.step[axis] == 1 &&
                   (int64_t)slice->count[axis] == t->region.chunk[axis];
    }
    return run;
}

xta__rows xta__rows_of_slice(const xta__transfer_call *t, const xta__chunk_slice *slice)
{
    size_t cell = t->array->cell_bytes;

    if (!t->strided) {
        return (xta__rows){.offset = 0,
                           .span = (size_t)t->array->chunk_store->chunk_bytes,
                           .n = slice->n_cells,
                           .bytes = cell};
    }
    xta__rows rows = {.offset = xta__offset_in_chunk(t, slice->within),
                      .span = cell,
                      .bytes = xta__packed_runs(t, slice, NULL)};
    rows.n = slice->n_cells * cell / rows.bytes;
    for (int axis = 0; axis < t->region.ndim; axis++) {
        rows.span += (slice->count[axis] - 1) * (size_t)t->from[axis];
    }
    return rows;
}

void xta__slice_strides(const xta__transfer_call *t, const xta__chunk_slice *slice, size_t cell,
                        ptrdiff_t strides[])
{
    ptrdiff_t stride = (ptrdiff_t)cell;

    for (int axis = t->region.ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= (ptrdiff_t)slice->count[axis];
    }
}

/* A slice along a curve. */
static xta__curve_box curve_box(const xta__transfer_call *t, const xta__chunk_slice *slice,
                                const ptrdiff_t strides[], bool stream)
{
    return (xta__curve_box){.curve = t->curve,
                            .cell_bytes = t->array->cell_bytes,
                            .count = slice->count,
                            .first = slice->within,
                            .step = t->region.step,
                            .stride = strides,
                            .coding = xta__coding_of(t),
                            .stream = stream,
                            .tile = t->tile,
                            .tile_bytes = t->tile_bytes};
}

/* From the chunk to dense scratch memory, in the array's type and native byte order. */
static void chunk_to_scratch(xta__transfer_call *t, const xta__chunk_slice *slice,
                             const uint8_t *bytes)
{
    size_t cell = t->array->cell_bytes;
    ptrdiff_t dense[XTA_MAX_NDIM];
    xta__copy_plan plan;

    xta__slice_strides(t, slice, cell, dense);
    if (!t->strided) {
        xta__curve_box box = curve_box(t, slice, dense, false);
        xta__curve_read(&box, t->scratch, bytes);
        return;
    }
    xta__copy_plan_init(&plan, t->region.ndim, cell, slice->count, dense, t->from, t->array->decode,
                        false);
    xta__copy_run(&plan, t->scratch, bytes + xta__offset_in_chunk(t, slice->within));
}

/* The bytes of a strided slice, as runs of adjacent cells. The result points to `count` and
 * `stride`. */
static xta__byte_runs runs_of_slice(const xta__transfer_call *t, const xta__chunk_slice *slice,
                                    size_t count[], size_t stride[])
{
    int ndim = t->region.ndim;
    bool column = xta__is_column(t);
    xta__byte_runs runs = {.offset = xta__offset_in_chunk(t, slice->within),
                           .bytes = t->array->cell_bytes,
                           .count = count,
                           .stride = stride};

    for (int k = 0; k < ndim; k++) {
        int axis = column ? k : ndim - 1 - k;
        if (slice->count[axis] == 1) {
            continue;
        }
        if (runs.ndim == 0 && t->from[axis] == (ptrdiff_t)runs.bytes) {
            runs.bytes *= slice->count[axis];
            continue;
        }
        count[runs.ndim] = slice->count[axis];
        stride[runs.ndim++] = (size_t)t->from[axis];
    }
    return runs;
}

/* Mark the bytes of the chunk that a strided slice has changed. */
static void mark_slice(xta__transfer_call *t, const xta__chunk_slice *slice, xta__pin *pin)
{
    size_t count[XTA_MAX_NDIM], stride[XTA_MAX_NDIM];

    if (t->array->chunk_store->ops->mark != NULL) {
        xta__byte_runs changed = runs_of_slice(t, slice, count, stride);
        t->array->chunk_store->ops->mark(t->array->chunk_store, pin, &changed);
    }
}

/* Called by the copy along a curve with the cells that it has written. */
typedef struct marker {
    xta__transfer_call *t;
    xta__pin *pin;
} marker;

static void mark_changed(void *user, size_t offset, size_t n)
{
    marker *m = user;
    xta__byte_runs changed = {.offset = offset, .bytes = n};

    m->t->array->chunk_store->ops->mark(m->t->array->chunk_store, m->pin, &changed);
}

void xta__scratch_to_chunk(xta__transfer_call *t, const xta__chunk_slice *slice, xta__pin *pin)
{
    size_t cell = t->array->cell_bytes;
    ptrdiff_t dense[XTA_MAX_NDIM];
    xta__copy_plan plan;

    xta__slice_strides(t, slice, cell, dense);
    if (!t->strided) {
        xta__curve_box box = curve_box(t, slice, t->convert ? dense : t->to, false);
        marker m = {t, pin};
        bool notify = t->array->chunk_store->ops->mark != NULL;
        xta__curve_write(&box, pin->bytes, t->convert ? t->scratch : t->memory + slice->memory_at,
                         notify ? mark_changed : NULL, &m);
        return;
    }
    xta__copy_plan_init(&plan, t->region.ndim, cell, slice->count, t->from, dense, t->array->encode,
                        false);
    xta__copy_run(&plan, pin->bytes + xta__offset_in_chunk(t, slice->within), t->scratch);
    mark_slice(t, slice, pin);
}

/* Between dense scratch of the memory's type and the caller's memory. */
static void scratch_and_memory(xta__transfer_call *t, const xta__chunk_slice *slice,
                               uint8_t *scratch)
{
    ptrdiff_t dense[XTA_MAX_NDIM];
    xta__copy_plan plan;
    uint8_t *memory = t->memory + slice->memory_at;
    bool reading = t->direction == XTA__READ;

    xta__slice_strides(t, slice, t->memory_cell, dense);
    xta__copy_plan_init(&plan, t->region.ndim, t->memory_cell, slice->count,
                        reading ? t->to : dense, reading ? dense : t->to, NULL, false);
    xta__copy_run(&plan, reading ? memory : scratch, reading ? scratch : memory);
}

/* Name the cell that could not be converted. */
static xta_status conversion_failed(xta__transfer_call *t, const xta__chunk_slice *slice,
                                    const int64_t chunk[], size_t bad, xta_status status,
                                    xta_error *err)
{
    int64_t coord[XTA_MAX_NDIM];
    char text[256];
    bool reading = t->direction == XTA__READ;
    const char *own = xta_type_name(t->array->state.constants.type);
    const char *other = xta_type_name(t->memory_type);

    for (int axis = t->region.ndim - 1; axis >= 0; axis--) {
        coord[axis] = chunk[axis] * t->region.chunk[axis] + slice->within[axis] +
                      (int64_t)(bad % slice->count[axis]) * t->region.step[axis];
        bad /= slice->count[axis];
    }
    return xta__fail(err, status, 0, "%s: cell %s: its value of type %s does not fit type %s",
                     xta__array_name(t->array),
                     xta__coord_text(coord, t->region.ndim, text, sizeof text),
                     reading ? own : other, reading ? other : own);
}

xta_status xta__scatter_scratch(xta__transfer_call *t, const xta__chunk_slice *slice,
                                const int64_t chunk[], xta_error *err)
{
    size_t bad = 0;
    xta_status status = xta_type_convert(t->array->state.constants.type, t->scratch, t->memory_type,
                                         t->converted, slice->n_cells, &bad);

    if (status != XTA_OK) {
        return conversion_failed(t, slice, chunk, bad, status, err);
    }
    scratch_and_memory(t, slice, t->converted);
    return XTA_OK;
}

xta_status xta__gather_scratch(xta__transfer_call *t, const xta__chunk_slice *slice,
                               const int64_t chunk[], xta_error *err)
{
    size_t bad = 0;

    if (!t->convert) {
        return XTA_OK;
    }
    scratch_and_memory(t, slice, t->converted);
    xta_status status =
        xta_type_convert(t->memory_type, t->converted, t->array->state.constants.type, t->scratch,
                         slice->n_cells, &bad);
    return status == XTA_OK ? XTA_OK : conversion_failed(t, slice, chunk, bad, status, err);
}

/* Adds runs of an image of the chunk to the spans. */
typedef struct curve_writer {
    const uint8_t *image;
    xta__spans *spans;
} curve_writer;

static void add_run(void *user, size_t offset, size_t n)
{
    const curve_writer *w = user;

    xta__spans_add(w->spans, offset, w->image + offset, n);
}

/* Add the cells of a slice along a curve. */
static xta_status add_curve(xta__transfer_call *t, const xta__chunk_slice *slice, xta__spans *spans,
                            xta_error *err)
{
    ptrdiff_t dense[XTA_MAX_NDIM];
    xta_status status = xta__make_staging(t, (size_t)t->array->chunk_store->chunk_bytes, err);

    if (status != XTA_OK) {
        return status;
    }
    xta__slice_strides(t, slice, t->array->cell_bytes, dense);
    xta__curve_box box = curve_box(t, slice, t->convert ? dense : t->to, false);
    curve_writer w = {.image = t->staging, .spans = spans};
    xta__curve_write(&box, t->staging, t->convert ? t->scratch : t->memory + slice->memory_at,
                     add_run, &w);
    return XTA_OK;
}

/* The position in the chunk of cell number `index` of a slice; cells are counted in the order of
 * the chunk. */
static size_t place_in_chunk(const xta__transfer_call *t, const xta__chunk_slice *slice,
                             size_t index)
{
    int ndim = t->region.ndim;
    bool column = xta__is_column(t);
    size_t at = xta__offset_in_chunk(t, slice->within);

    for (int k = 0; k < ndim; k++) {
        int axis = column ? k : ndim - 1 - k;
        at += index % slice->count[axis] * (size_t)t->from[axis];
        index /= slice->count[axis];
    }
    return at;
}

/* Add the cells of a slice row by row. */
static xta_status add_rows(xta__transfer_call *t, const xta__chunk_slice *slice, xta__spans *spans,
                           xta_error *err)
{
    ptrdiff_t packed[XTA_MAX_NDIM], dense[XTA_MAX_NDIM];
    size_t cell = t->array->cell_bytes, bytes = slice->n_cells * cell;
    bool direct = !t->convert;
    xta__copy_plan plan;
    xta_status status = xta__make_staging(t, bytes, err);

    if (status != XTA_OK) {
        return status;
    }
    size_t run = xta__packed_runs(t, slice, packed);
    xta__slice_strides(t, slice, cell, dense);
    xta__copy_plan_init(&plan, t->region.ndim, cell, slice->count, packed, direct ? t->to : dense,
                        t->array->encode, false);
    xta__copy_run(&plan, t->staging, direct ? t->memory + slice->memory_at : t->scratch);
    for (size_t at = 0; at < bytes; at += run) {
        xta__spans_add(spans, place_in_chunk(t, slice, at / cell), t->staging + at, run);
    }
    return XTA_OK;
}

/* Write a slice by calls. */
static xta_status write_rows(xta__transfer_call *t, uint64_t address, const xta__chunk_slice *slice,
                             xta__pin *pin, xta_error *err)
{
    xta__spans spans;

    xta__spans_begin(&spans, t->array->chunk_store, address, pin, err);
    xta_status status =
        t->strided ? add_rows(t, slice, &spans, err) : add_curve(t, slice, &spans, err);
    xta_status sent = xta__spans_end(&spans);
    return status != XTA_OK ? status : sent;
}

/* Whether this handle has created the chunk since its last sync, and the array has to grow before
 * the chunk is full: then more of its cells will follow. */
static bool is_fresh(const xta__transfer_call *t, uint64_t address)
{
    int64_t chunk[XTA_MAX_NDIM];

    if (address < atomic_load_explicit(&t->array->fresh_from, memory_order_relaxed)) {
        return false;
    }
    xta__mapping_inverse(&t->structure->mapping, address, chunk);
    xta_box cells = xta__structure_cells_of(t->structure, chunk);
    xta_box bounds;
    xta__structure_bounds_into(t->structure, &bounds);
    return !xta_box_contains(&bounds, &cells);
}

xta__method xta__method_of_slice(const xta__transfer_call *t, uint64_t address,
                                 const xta__chunk_slice *slice, xta__rows *rows,
                                 xta__method_ask *ask)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;

    if (chunk_store->ops->write_part == NULL) {
        return XTA__BY_CACHE;
    }
    *rows = xta__rows_of_slice(t, slice);
    if (chunk_store->ops->facts == NULL) {
        return slice->whole && chunk_store->ops->write_run != NULL ? XTA__BY_STREAM : XTA__BY_ROWS;
    }
    *ask = (xta__method_ask){.whole = slice->whole,
                             .fresh = is_fresh(t, address),
                             .slot_bytes = chunk_store->slot_bytes,
                             .n_rows = rows->n,
                             .row_bytes = rows->bytes,
                             .span = rows->span};
    chunk_store->ops->facts(chunk_store, address, rows->offset, rows->span, &ask->facts);
    return xta__choose_method(ask);
}

/* Pin a chunk to write one slice of it. pin->bytes is NULL if the cells are to be written by system
 * calls; the chunk may be pinned for that, too. */
static xta_status pin_slice(xta__transfer_call *t, uint64_t address, const xta__chunk_slice *slice,
                            xta__pin *pin, xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    size_t count[XTA_MAX_NDIM], stride[XTA_MAX_NDIM];
    xta__rows rows;
    xta__method_ask ask;
    xta__method method = xta__method_of_slice(t, address, slice, &rows, &ask);

    if (method == XTA__BY_CACHE) {
        return chunk_store->ops->pin_write(chunk_store, address, slice->whole, pin, err);
    }
    if (method == XTA__IN_PLACE || method == XTA__IN_PLACE_RESERVED) {
        xta__byte_runs stores = runs_of_slice(t, slice, count, stride);
        pin->stores = t->strided ? &stores : NULL;
        pin->ask = &ask;
        pin->may_check = true;
        xta_status status =
            chunk_store->ops->pin_in_place(chunk_store, address, rows.offset, rows.span,
                                           method == XTA__IN_PLACE_RESERVED, pin, err);
        pin->stores = NULL;
        pin->ask = NULL;
        return status;
    }
    pin->bytes = NULL;
    return XTA_OK;
}

static xta_status write_chunk(xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                              const xta__chunk_slice *slice, xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    bool direct = t->strided && !t->convert;
    xta__pin pin = {.ndim = t->region.ndim, .chunk = chunk};
    xta_status status = direct ? XTA_OK : xta__gather_scratch(t, slice, chunk, err);

    if (status == XTA_OK) {
        status = pin_slice(t, address, slice, &pin, err);
    }
    if (status != XTA_OK || pin.bytes == NULL) {
        return status == XTA_OK ? write_rows(t, address, slice, &pin, err) : status;
    }
    if (direct) {
        xta__copy_run(xta__plan_for(t, slice), pin.bytes + xta__offset_in_chunk(t, slice->within),
                      t->memory + slice->memory_at);
        mark_slice(t, slice, &pin);
    } else {
        xta__scratch_to_chunk(t, slice, &pin);
    }
    if (chunk_store->ops->unpin != NULL) {
        chunk_store->ops->unpin(chunk_store, &pin);
    }
    return XTA_OK;
}

static xta_status read_chunk(xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                             const xta__chunk_slice *slice, xta_error *err)
{
    xta__chunk_store *chunk_store = t->array->chunk_store;
    xta__pin pin = {.ndim = t->region.ndim,
                    .chunk = chunk,
                    .ask_cold = t->ahead.wanted && t->ahead.fetching == NULL,
                    .exact = t->ahead.wanted && t->ahead.fetching != NULL};
    xta_status status = chunk_store->ops->pin_read(chunk_store, address, &pin, err);

    if (status != XTA_OK) {
        return status;
    }
    if (pin.cold) {
        t->ahead.cold = true;
    }
    if (t->strided && !t->convert) {
        xta__copy_run(xta__plan_for(t, slice), t->memory + slice->memory_at,
                      pin.bytes + xta__offset_in_chunk(t, slice->within));
    } else if (!t->convert) {
        xta__curve_box box = curve_box(t, slice, t->to, t->stream);
        xta__curve_read(&box, t->memory + slice->memory_at, pin.bytes);
    } else {
        chunk_to_scratch(t, slice, pin.bytes);
        status = xta__scatter_scratch(t, slice, chunk, err);
    }
    if (chunk_store->ops->unpin != NULL) {
        chunk_store->ops->unpin(chunk_store, &pin);
    }
    return status;
}

xta_status xta__move_chunk(xta__transfer_call *t, const int64_t chunk[], uint64_t address,
                           const xta__chunk_slice *slice, xta_error *err)
{
    return t->direction == XTA__READ ? read_chunk(t, chunk, address, slice, err)
                                     : write_chunk(t, chunk, address, slice, err);
}
