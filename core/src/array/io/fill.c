/* Setting boxes of cells to one value, and freeing space if that is the fill value.
 *
 * A chunk that holds nothing reads as fill. So chunks that lie entirely in a box of fill are
 * discarded, neighbours in the file together; slices of the other chunks are stored, or written by
 * system calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/fill.h"

#include <stdlib.h>
#include <string.h>

#include "array/io/check_call.h"
#include "array/io/chunk_address.h"
#include "array/io/chunk_runs.h"
#include "array/io/spans.h"
#include "array/state/structure.h"
#include "geometry/region/plan.h"

typedef struct filling {
    xta_array *array;
    xta__structure *structure;
    const void *value;     /* NULL: fill */
    const uint8_t *stored; /* what is put into each cell: the value as it is stored */
    uint8_t *encoded;      /* the same, owned, if it had to be allocated */
    xta_box box;
    xta_box whole;
} filling;

#define FILLING_BYTES 65536 /* of one call */

/* The fill value as it is stored, for the longest cell. */
static const uint8_t zeros[65536];

typedef struct storing {
    xta__chunk_store *chunk_store;
    const xta__pin *pin;
    const uint8_t *cell;
    uint32_t cell_bytes;
} storing;

static void store_run(void *user, uint64_t position, uint64_t n)
{
    const storing *to = user;
    size_t at = (size_t)position * to->cell_bytes;

    xta__fill_cells(to->pin->bytes + at, to->cell, to->cell_bytes, (size_t)n);
    if (to->chunk_store->ops->mark != NULL) {
        xta__pin copy = *to->pin;
        xta__byte_runs changed = {.offset = at, .bytes = (size_t)n * to->cell_bytes};
        to->chunk_store->ops->mark(to->chunk_store, &copy, &changed);
    }
}

/* Store the value in the cells `slice` of one chunk, in any order of cells. */
static void store_slice(const filling *f, const xta_box *cells, const xta_box *slice,
                        const xta__pin *pin)
{
    storing to = {.chunk_store = f->array->chunk_store,
                  .pin = pin,
                  .cell = f->stored,
                  .cell_bytes = f->array->cell_bytes};

    xta__each_run(f->structure, cells, slice, store_run, &to);
}

/* The same by calls: runs of the value are written from a buffer that holds many of them. */
typedef struct writing {
    uint32_t cell;
    uint8_t *cells; /* copies of the value in the buffer */
    uint64_t n_cells;
    xta__spans *spans;
} writing;

static void write_filling_run(void *user, uint64_t position, uint64_t n)
{
    const writing *w = user;

    while (n > 0) {
        uint64_t some = n < w->n_cells ? n : w->n_cells;
        xta__spans_add(w->spans, (size_t)position * w->cell, w->cells, (size_t)some * w->cell);
        position += some;
        n -= some;
    }
}

static xta_status write_filling(const filling *f, uint64_t address, const xta_box *cells,
                                const xta_box *slice, xta__pin *pin, xta_error *err)
{
    uint32_t cell = f->array->cell_bytes;
    xta__spans spans;
    writing w = {
        .cell = cell, .n_cells = FILLING_BYTES > cell ? FILLING_BYTES / cell : 1, .spans = &spans};

    xta__spans_begin(&spans, f->array->chunk_store, address, pin, err);
    w.cells = malloc((size_t)w.n_cells * cell);
    if (w.cells == NULL) {
        (void)xta__spans_end(&spans);
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to fill", xta__array_name(f->array));
    }
    xta__fill_cells(w.cells, f->stored, cell, (size_t)w.n_cells);
    xta__each_run(f->structure, cells, slice, write_filling_run, &w);
    xta_status status = xta__spans_end(&spans);
    free(w.cells);
    return status;
}

/* How a slice lies in its chunk, in cells. */
typedef struct layout {
    uint64_t n_runs, run; /* their number, and the length of each */
    uint64_t begin, end;  /* all of them are between these positions */
} layout;

static void count_run(void *user, uint64_t position, uint64_t n)
{
    layout *l = user;

    l->begin = l->n_runs == 0 || position < l->begin ? position : l->begin;
    l->end = position + n > l->end ? position + n : l->end;
    l->n_runs++;
    l->run = n;
}

/* pin->bytes = NULL: the cells have to be written by calls. */
static xta_status pin_to_fill(const filling *f, uint64_t address, const xta_box *cells,
                              const xta_box *slice, xta__pin *pin, xta_error *err)
{
    xta__chunk_store *chunk_store = f->array->chunk_store;
    size_t cell = f->array->cell_bytes;
    layout l = {0};

    if (chunk_store->ops->facts == NULL) {
        return chunk_store->ops->pin_write(chunk_store, address, false, pin, err);
    }
    xta__each_run(f->structure, cells, slice, count_run, &l);
    size_t offset = (size_t)l.begin * cell, span = (size_t)(l.end - l.begin) * cell;
    xta__method_ask ask = {.n_rows = l.n_runs, .row_bytes = l.run * cell, .span = span};
    chunk_store->ops->facts(chunk_store, address, offset, span, &ask.facts);
    xta__method method = xta__choose_method(&ask);
    pin->bytes = NULL;
    pin->may_check = true;
    return method == XTA__BY_ROWS
               ? XTA_OK
               : chunk_store->ops->pin_in_place(chunk_store, address, offset, span,
                                                method == XTA__IN_PLACE_RESERVED, pin, err);
}

/* Fill one chunk of which the box covers only a slice, or that gets a value other than fill. */
static xta_status fill_chunk(const filling *f, uint64_t address, const xta_box *cells,
                             const xta_box *slice, xta_error *err)
{
    xta_array *array = f->array;
    int64_t chunk[XTA_MAX_NDIM];
    xta__pin pin = {.ndim = f->structure->ndim, .chunk = chunk};
    uint64_t used = address;

    // A chunk that holds nothing already reads as fill.
    if (f->value == NULL) {
        xta_status status =
            array->chunk_store->ops->next_used(array->chunk_store, address, &used, err);
        if (status != XTA_OK || used != address) {
            return status;
        }
    }
    for (int axis = 0; axis < f->structure->ndim; axis++) {
        chunk[axis] = xta__floor_div(cells->lo[axis], f->structure->axis[axis].chunk);
    }
    xta_status status = pin_to_fill(f, address, cells, slice, &pin, err);
    if (status != XTA_OK || pin.bytes == NULL) {
        return status == XTA_OK ? write_filling(f, address, cells, slice, &pin, err) : status;
    }
    store_slice(f, cells, slice, &pin);
    if (array->chunk_store->ops->unpin != NULL) {
        array->chunk_store->ops->unpin(array->chunk_store, &pin);
    }
    return XTA_OK;
}

static uint64_t address_of(void *user, const int64_t coord[])
{
    // The lock is held.
    return xta__mapping_address(&((const filling *)user)->structure->mapping, coord);
}

static uint64_t address_with_lock(void *user, const int64_t coord[])
{
    const filling *f = user;

    return xta__address(f->array, f->structure, coord);
}

static xta_status prepare_value(filling *f, xta_error *err)
{
    uint32_t n = f->array->cell_bytes;

    f->stored = f->value != NULL ? f->value : zeros;
    if (f->value != NULL && f->array->encode != NULL) {
        f->encoded = malloc(n);
        if (f->encoded == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to fill",
                             xta__array_name(f->array));
        }
        xta__copy_bytes(f->encoded, f->value, n, f->array->encode);
        f->stored = f->encoded;
    }
    return XTA_OK;
}

static xta_status fill_chunks(filling *f, xta__address_of *address, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__batches batches;
    const xta__batch *batch;
    xta_box chunks = xta__structure_chunks_of(f->structure, &f->box);

    if (xta__batches_init(&batches, &chunks, address, f) != XTA_OK) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to fill", xta__array_name(f->array));
    }
    XTA_TRY(prepare_value(f, err));
    while ((batch = xta__batches_next(&batches)) != NULL) {
        uint64_t run_begin = 0, run = 0;
        for (size_t k = 0; k < batch->n; k++) {
            const int64_t *chunk = batch->coords + k * (size_t)f->structure->ndim;
            xta_box cells = xta__structure_cells_of(f->structure, chunk);
            xta_box slice = xta_box_intersect(&cells, &f->box);
            xta_box used = xta_box_intersect(&cells, &f->whole);
            if (f->value != NULL || !xta_box_contains(&slice, &used)) {
                XTA_TRY(fill_chunk(f, batch->addresses[k], &cells, &slice, err));
                continue;
            }
            // Neighbours in the file are discarded together.
            if (run > 0 && batch->addresses[k] == run_begin + run) {
                run++;
                continue;
            }
            if (run > 0) {
                XTA_TRY(f->array->chunk_store->ops->discard(f->array->chunk_store, run_begin, run,
                                                            err));
            }
            run_begin = batch->addresses[k];
            run = 1;
        }
        if (run > 0) {
            XTA_TRY(
                f->array->chunk_store->ops->discard(f->array->chunk_store, run_begin, run, err));
        }
    }

done:
    xta__batches_clear(&batches);
    free(f->encoded);
    return status;
}

xta_status xta__fill_box(xta_array *array, const xta_box *box, const void *value,
                         const xta_box *whole, xta_error *err)
{
    filling f = {.array = array,
                 .structure = array->state.structure,
                 .value = value,
                 .box = *box,
                 .whole = *whole};

    return xta_box_empty(box) ? XTA_OK : fill_chunks(&f, address_of, err);
}

xta_status xta_array_fill(xta_array *array, const xta_box *box, const void *value, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__begin_change(array, "fill", err));
    xta__structure *s = xta__structure_of(array);
    xta_box bounds = xta__structure_bounds(s);
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    bool fill = memcmp(value, array->state.constants.fill, array->cell_bytes) == 0;
    // Only chunks that lie entirely in the box are discarded: ghost cells may be another process's
    // new cells.
    xta_box everything = {.ndim = s->ndim};
    for (int axis = 0; axis < s->ndim; axis++) {
        everything.lo[axis] = -XTA__COORD_LIMIT;
        everything.hi[axis] = XTA__COORD_LIMIT;
    }
    filling f = {.array = array,
                 .structure = s,
                 .value = fill ? NULL : value,
                 .box = *box,
                 .whole = everything};
    if (!xta_box_empty(box)) {
        XTA_TRY(fill_chunks(&f, address_with_lock, err));
    }

done:
    return status;
}

/* Whether all stored bytes of `slice` are zero. */
static bool slice_is_zero(const filling *f, const xta_box *cells, const xta_box *slice,
                          const uint8_t *bytes)
{
    const xta__structure *s = f->structure;
    uint32_t cell_bytes = f->array->cell_bytes;
    int64_t coord[XTA_MAX_NDIM];
    int axis;

    for (int k = 0; k < s->ndim; k++) {
        coord[k] = slice->lo[k] - cells->lo[k];
    }
    do {
        uint64_t at = xta__grid_position(&s->grid, coord) * cell_bytes;
        if (memcmp(bytes + at, zeros, cell_bytes) != 0) {
            return false;
        }
        axis = s->ndim - 1;
        while (axis >= 0 && ++coord[axis] == slice->hi[axis] - cells->lo[axis]) {
            coord[axis] = slice->lo[axis] - cells->lo[axis];
            axis--;
        }
    } while (axis >= 0);
    return true;
}

/* The cells of one chunk that lie outside the bounds. */
static xta_status scrub_chunk(filling *f, uint64_t address, const xta_box *bounds, xta_error *err)
{
    xta__chunk_store *chunk_store = f->array->chunk_store;
    int64_t coord[XTA_MAX_NDIM];
    xta_status status = XTA_OK;

    xta__mapping_inverse(&f->structure->mapping, address, coord);
    xta_box cells = xta__structure_cells_of(f->structure, coord);
    xta_box rest = cells, inside = xta_box_intersect(&cells, bounds);
    if (xta_box_empty(&inside)) {
        return chunk_store->ops->discard(chunk_store, address, 1, err);
    }
    for (int k = 0; k < 2 * f->structure->ndim && status == XTA_OK; k++) {
        int axis = k / 2;
        xta_box slice = rest;
        slice.hi[axis] = k % 2 == 0 ? inside.lo[axis] : slice.hi[axis];
        slice.lo[axis] = k % 2 == 0 ? slice.lo[axis] : inside.hi[axis];
        if (!xta_box_empty(&slice)) {
            xta__pin pin = {0};
            status = chunk_store->ops->pin_read(chunk_store, address, &pin, err);
            bool clean = status == XTA_OK && slice_is_zero(f, &cells, &slice, pin.bytes);
            if (status == XTA_OK && chunk_store->ops->unpin != NULL) {
                chunk_store->ops->unpin(chunk_store, &pin);
            }
            if (status == XTA_OK && !clean) {
                status = fill_chunk(f, address, &cells, &slice, err);
            }
        }
        if (k % 2 == 1) {
            rest.lo[axis] = inside.lo[axis];
            rest.hi[axis] = inside.hi[axis];
        }
    }
    return status;
}

xta_status xta__scrub_outside(xta_array *array, xta_error *err)
{
    filling f = {.array = array, .structure = array->state.structure, .stored = zeros};
    xta_box bounds = xta__structure_bounds(f.structure);
    xta_status status = XTA_OK;

    for (uint64_t q = 0; status == XTA_OK; q++) {
        status = array->chunk_store->ops->next_used(array->chunk_store, q, &q, err);
        if (status != XTA_OK || q >= array->chunk_store->n_chunks) {
            break;
        }
        int64_t coord[XTA_MAX_NDIM];
        xta__mapping_inverse(&f.structure->mapping, q, coord);
        xta_box cells = xta__structure_cells_of(f.structure, coord);
        if (!xta_box_contains(&bounds, &cells)) {
            status = scrub_chunk(&f, q, &bounds, err);
        }
    }
    return status;
}
