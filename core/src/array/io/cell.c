/* Reading and writing one cell: no plan, no lock, no memory.
 *
 * Definition: check the coordinates against the bounds; divide each by the chunk length, which
 * gives the chunk and the place of the cell inside it; F* of the chunk is its address; the store of
 * chunks turns that into a pointer; copy the cell. find_cell and get_slowly do exactly that, for
 * any array.
 *
 * Improvements, for chunks that are accessed by pointers: the division is a multiplication with a
 * reciprocal and one correction, or a shift; the loop over axes is unrolled, with one function for
 * each number of axes, so that everything stays in registers; the pointer comes from a table of
 * windows. Which function an array uses is selected when its structure changes, not at each call.
 * Whatever the fast functions do not cover (a chunk cache, trees, the first store into a slot) goes
 * through the store of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/cell.h"

#include <stdlib.h>
#include <string.h>

#include "array/io/chunk_address.h"
#include "array/io/curve_table.h"
#include "array/io/spans.h"
#include "array/state/structure.h"

/* The chunk of a cell, its address and the byte of the cell in it; false outside the bounds. Any
 * array. */
static bool find_cell(xta_array *array, const int64_t coord[], int64_t chunk[XTA_MAX_NDIM],
                      int *ndim, uint64_t *address, size_t *offset)
{
    xta__structure *s = xta__structure_of(array);
    int64_t within[XTA_MAX_NDIM];
    uint64_t position = 0;

    *ndim = s->ndim;
    for (int k = 0; k < s->ndim; k++) {
        if (coord[k] < atomic_load_explicit(&s->axis[k].lo, memory_order_acquire) ||
            coord[k] >= atomic_load_explicit(&s->axis[k].hi, memory_order_acquire)) {
            return false;
        }
        chunk[k] = xta__floor_div(coord[k], s->axis[k].chunk);
        within[k] = coord[k] - chunk[k] * s->axis[k].chunk;
        position = position * (uint64_t)s->axis[k].chunk + (uint64_t)within[k];
    }
    const uint32_t *table = xta__curve_table(array, s);
    position = table != NULL ? table[position] : xta__grid_position(&s->grid, within);
    *offset = (size_t)position * array->cell_bytes;
    *address = xta__address(array, s, chunk);
    return true;
}

/* The fast path: a pointer to the cell. False if it does not apply: the cell is outside the bounds,
 * the mapping uses trees, or the window was not opened yet.
 *
 * The quotient by a chunk length d that is not a power of two: with m = floor(2^64 / d) the product
 * u m / 2^64 is at most one below u / d for every u < 2^64, so one comparison of the remainder
 * corrects it. `easy` promises lower bounds of 0 and powers of two; if a growth at the front has
 * broken the first promise meanwhile, every cell that it still finds, it finds at the right
 * place. */
static inline __attribute__((always_inline)) bool fast_cell(const xta__structure *s,
                                                            const int64_t coord[], int ndim,
                                                            bool easy, uint64_t *address,
                                                            uint8_t **cell)
{
    uint64_t offset = 0;
    int64_t chunk[8];

#pragma GCC unroll 8
    for (int k = 0; k < ndim; k++) {
        const xta__axis *axis = &s->axis[k];
        int64_t c = coord[k];
        int64_t hi = atomic_load_explicit(&axis->hi, memory_order_acquire);
        uint64_t r;
        if (easy) {
            if ((uint64_t)c >= (uint64_t)hi) {
                return false;
            }
            chunk[k] = (int64_t)((uint64_t)c >> axis->shift);
            r = (uint64_t)c & axis->rest;
        } else {
            if (c < atomic_load_explicit(&axis->lo, memory_order_acquire) || c >= hi) {
                return false;
            }
            uint64_t u = (uint64_t)(c + axis->bias);
            uint64_t q = (uint64_t)(((xta__u128)u * axis->magic) >> 64);
            r = u - q * (uint64_t)axis->chunk;
            uint64_t over = r >= (uint64_t)axis->chunk;
            r -= over * (uint64_t)axis->chunk;
            chunk[k] = (int64_t)(q + over) - axis->bias_chunks;
        }
        offset += r * (uint64_t)axis->stride_bytes;
        // Otherwise compilers defer these products to the end, and run out of registers.
        __asm__("" : "+r"(offset));
    }
    return xta__address_of_axes(&s->mapping, chunk, ndim, address) &&
           xta__window_cell(s->windows, *address, offset, cell);
}

static __attribute__((noinline)) xta_status
copy_other_cell(void *to, const void *from, uint32_t bytes, const xta__coding *coding)
{
    if (coding != NULL) {
        xta__copy_bytes(to, from, bytes, coding);
        return XTA_OK;
    }
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, bytes);
    }
    return XTA_OK;
}

/* Eight bytes and no coding are by far the most frequent. XTA_OK, so that it can be called last. */
static inline xta_status copy_cell(void *to, const void *from, uint32_t bytes,
                                   const xta__coding *coding)
{
    if (bytes != 8 || coding != NULL) {
        return copy_other_cell(to, from, bytes, coding);
    }
    memcpy(to, from, 8);
    return XTA_OK;
}

static xta_status fail_outside(xta_array *array, const int64_t coord[], xta_error *err)
{
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    char at[256], within[200];

    return xta__fail(err, XTA_EBOX, 0, "%s: cell %s is outside the bounds %s",
                     xta__array_name(array), xta__coord_text(coord, bounds.ndim, at, sizeof at),
                     xta__box_text(&bounds, within, sizeof within));
}

static __attribute__((noinline, cold)) xta_status get_slowly(xta_array *array,
                                                             const int64_t coord[], void *cell,
                                                             xta_error *err,
                                                             const xta__structure *structure)
{
    (void)structure;
    int64_t chunk[XTA_MAX_NDIM];
    xta__pin pin = {.chunk = chunk};
    uint64_t address = 0;
    size_t offset = 0;
    xta_status status = xta__begin(array, err);

    if (status != XTA_OK) {
        return status;
    }
    if (!find_cell(array, coord, chunk, &pin.ndim, &address, &offset)) {
        return fail_outside(array, coord, err);
    }
    status = array->chunk_store->ops->pin_read(array->chunk_store, address, &pin, err);
    if (status == XTA_OK) {
        status = copy_cell(cell, pin.bytes + offset, array->cell_bytes, array->decode);
        if (array->chunk_store->ops->unpin != NULL) {
            array->chunk_store->ops->unpin(array->chunk_store, &pin);
        }
    }
    return status;
}

/* Pin a chunk to store one cell; pin->bytes = NULL: it has to be written by a call. */
static xta_status pin_cell(xta_array *array, uint64_t address, size_t offset, xta__pin *pin,
                           xta_error *err)
{
    xta__chunk_store *chunk_store = array->chunk_store;
    xta__method_ask ask = {.n_rows = 1, .row_bytes = array->cell_bytes, .span = array->cell_bytes};

    if (chunk_store->ops->facts == NULL) {
        return chunk_store->ops->pin_write(chunk_store, address, false, pin, err);
    }
    chunk_store->ops->facts(chunk_store, address, offset, array->cell_bytes, &ask.facts);
    xta__method method = xta__choose_method(&ask);
    pin->bytes = NULL;
    pin->may_check = true;
    return method == XTA__BY_ROWS
               ? XTA_OK
               : chunk_store->ops->pin_in_place(chunk_store, address, offset, array->cell_bytes,
                                                method == XTA__IN_PLACE_RESERVED, pin, err);
}

static xta_status write_cell(xta_array *array, uint64_t address, size_t offset, const void *cell,
                             xta__pin *pin, xta_error *err)
{
    xta__spans spans;
    uint8_t few[64], *encoded = array->cell_bytes <= sizeof few ? few : malloc(array->cell_bytes);

    xta__spans_begin(&spans, array->chunk_store, address, pin, err);
    if (encoded == NULL) {
        (void)xta__spans_end(&spans);
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a cell", xta__array_name(array));
    }
    xta__copy_bytes(encoded, cell, array->cell_bytes, array->encode);
    xta__spans_add(&spans, offset, encoded, array->cell_bytes);
    xta_status status = xta__spans_end(&spans);
    if (encoded != few) {
        free(encoded);
    }
    return status;
}

static __attribute__((noinline, cold)) xta_status put_slowly(xta_array *array,
                                                             const int64_t coord[],
                                                             const void *cell, xta_error *err,
                                                             const xta__structure *structure)
{
    (void)structure;
    int64_t chunk[XTA_MAX_NDIM];
    xta__pin pin = {.chunk = chunk};
    uint64_t address = 0;
    size_t offset = 0;
    xta_status status = xta__begin_change(array, "put", err);

    if (status != XTA_OK) {
        return status;
    }
    if (!find_cell(array, coord, chunk, &pin.ndim, &address, &offset)) {
        return fail_outside(array, coord, err);
    }
    status = pin_cell(array, address, offset, &pin, err);
    if (status == XTA_OK && pin.bytes == NULL) {
        status = write_cell(array, address, offset, cell, &pin, err);
    } else if (status == XTA_OK) {
        status = copy_cell(pin.bytes + offset, cell, array->cell_bytes, array->encode);
        if (array->chunk_store->ops->mark != NULL) {
            xta__byte_runs changed = {.offset = offset, .bytes = array->cell_bytes};
            array->chunk_store->ops->mark(array->chunk_store, &pin, &changed);
        }
        if (array->chunk_store->ops->unpin != NULL) {
            array->chunk_store->ops->unpin(array->chunk_store, &pin);
        }
    }
    return status;
}

/* One function for each number of axes, and for two kinds of arrays: with both known to the
 * compiler everything stays in registers, which halves the time. An array is easy if it begins at 0
 * on each axis, its chunk lengths are powers of two, and its cells are stored as in memory (filled
 * with 0). Memory is always there; in a file the 2 MiB around the cell must have been made
 * ready. */
#define CELL_ACCESSORS(n, easy, name)                                                             \
    static xta_status get_##name##_##n(xta_array *array, const int64_t coord[], void *cell,       \
                                       xta_error *err, const xta__structure *structure)           \
    {                                                                                             \
        uint64_t address;                                                                         \
        uint8_t *from;                                                                            \
        if (!fast_cell(structure, coord, n, easy, &address, &from)) {                             \
            return get_slowly(array, coord, cell, err, structure);                                \
        }                                                                                         \
        return copy_cell(cell, from, array->cell_bytes, (easy) ? NULL : array->decode);           \
    }                                                                                             \
    static xta_status put_##name##_##n(xta_array *array, const int64_t coord[], const void *cell, \
                                       xta_error *err, const xta__structure *structure)           \
    {                                                                                             \
        uint64_t address;                                                                         \
        uint8_t *to;                                                                              \
        if (!fast_cell(structure, coord, n, easy, &address, &to) ||                               \
            (!array->in_memory && !xta__window_is_ready(structure->windows, address, to))) {      \
            return put_slowly(array, coord, cell, err, structure);                                \
        }                                                                                         \
        return copy_cell(to, cell, array->cell_bytes, (easy) ? NULL : array->encode);             \
    }

CELL_ACCESSORS(1, false, any)
CELL_ACCESSORS(2, false, any)
CELL_ACCESSORS(3, false, any)
CELL_ACCESSORS(4, false, any)
CELL_ACCESSORS(5, false, any)
CELL_ACCESSORS(6, false, any)
CELL_ACCESSORS(7, false, any)
CELL_ACCESSORS(1, true, easy)
CELL_ACCESSORS(2, true, easy)
CELL_ACCESSORS(3, true, easy)
CELL_ACCESSORS(4, true, easy)
CELL_ACCESSORS(5, true, easy)
CELL_ACCESSORS(6, true, easy)
CELL_ACCESSORS(7, true, easy)

enum { MOST_AXES = 7 };

/* By the number of axes, and whether the array is easy. */
static xta__get_accessor *const get_accessors[MOST_AXES + 1][2] = {
    {get_slowly, get_slowly}, {get_any_1, get_easy_1}, {get_any_2, get_easy_2},
    {get_any_3, get_easy_3},  {get_any_4, get_easy_4}, {get_any_5, get_easy_5},
    {get_any_6, get_easy_6},  {get_any_7, get_easy_7}};
static xta__put_accessor *const put_accessors[MOST_AXES + 1][2] = {
    {put_slowly, put_slowly}, {put_any_1, put_easy_1}, {put_any_2, put_easy_2},
    {put_any_3, put_easy_3},  {put_any_4, put_easy_4}, {put_any_5, put_easy_5},
    {put_any_6, put_easy_6},  {put_any_7, put_easy_7}};

void xta__select_accessors(xta_array *array, xta__structure *s)
{
    const xta__windows *windows = array->chunk_store->windows;
    bool slow = windows == NULL || !s->strided || s->ndim > MOST_AXES ||
                atomic_load_explicit(&array->broken, memory_order_relaxed);
    bool easy = s->shifts && array->decode == NULL;

    for (int axis = 0; axis < s->ndim; axis++) {
        easy = easy && atomic_load_explicit(&s->axis[axis].lo, memory_order_relaxed) == 0;
    }
    if (s->windows != windows) {
        s->windows = windows;
    }
    // A cell that is not at a multiple of its length, a power of two, may reach into the next 2
    // MiB, which may not be ready.
    const xta__constants *c = &array->state.constants;
    uint64_t rest = array->cell_bytes - 1;
    bool aligned = ((array->cell_bytes | c->slot_bytes | c->data_offset) & rest) == 0;
    bool whole = array->in_memory || aligned;
    int ndim = slow ? 0 : s->ndim;
    atomic_store_explicit(&s->get, get_accessors[ndim][easy], memory_order_release);
    atomic_store_explicit(&s->put, put_accessors[array->writable && whole ? ndim : 0][easy],
                          memory_order_release);
}

void xta__break(xta_array *array)
{
    xta__structure *s = xta__structure_of(array);

    // From then on get and put call the slow functions, which fail.
    atomic_store(&array->broken, true);
    atomic_store_explicit(&s->get, get_slowly, memory_order_release);
    atomic_store_explicit(&s->put, put_slowly, memory_order_release);
}

xta_status xta_array_get(xta_array *array, const int64_t coord[], void *cell, xta_error *err)
{
    const xta__structure *s = xta__structure_of(array);

    return atomic_load_explicit(&s->get, memory_order_acquire)(array, coord, cell, err, s);
}

xta_status xta_array_put(xta_array *array, const int64_t coord[], const void *cell, xta_error *err)
{
    const xta__structure *s = xta__structure_of(array);

    return atomic_load_explicit(&s->put, memory_order_acquire)(array, coord, cell, err, s);
}
