/* Cells of an array under test: boxes in any memory layout, single cells, whole comparisons.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random choices ---- */

xta_box rig_random_box(rig *r, int64_t most)
{
    xta_box box = r->model.bounds;
    for (int axis = 0; axis < box.ndim; axis++) {
        int64_t lo = box.lo[axis];
        int64_t hi = box.hi[axis];
        box.lo[axis] = test_random_in(&r->random, lo, hi > lo ? hi - 1 : lo);
        int64_t slack = hi - box.lo[axis];
        slack = slack < most ? slack : most;
        box.hi[axis] =
            box.lo[axis] +
            test_random_in(&r->random, test_random_chance(&r->random, 5) ? 0 : slack > 0, slack);
    }
    return box;
}

uint16_t rig_random_code(rig *r, xta_type type)
{
    return (uint16_t)test_random_in(&r->random, 0, oracle_max_code(type));
}

static bool is_complex(xta_type type)
{
    return type == XTA_C64 || type == XTA_C128;
}

/* Whether each code of `from` has a distinct value in `to`. */
static bool fits(xta_type from, xta_type to)
{
    if (from == to) {
        return true;
    }
    return from != XTA_BYTES && to != XTA_BYTES && is_complex(from) == is_complex(to) &&
           oracle_max_code(from) <= oracle_max_code(to);
}

/* A type to which, or from which, the array's type is converted; mostly the same. */
static xta_type random_type(rig *r, bool source)
{
    xta_type type = r->type;
    for (int i = 0; i < 3 && test_random_chance(&r->random, 30); i++) {
        xta_type other = (xta_type)test_random_in(&r->random, XTA_BOOL, XTA_BYTES);
        if (source ? fits(other, r->type) : fits(r->type, other)) {
            type = other;
        }
    }
    return type;
}

xta_type rig_source_type(rig *r)
{
    return random_type(r, true);
}

xta_type rig_target_type(rig *r)
{
    return random_type(r, false);
}

/* ---- memory layouts ---- */

static int64_t taken(const xta_box *box, const rig_memory *memory, int axis)
{
    int64_t length = box->hi[axis] - box->lo[axis];
    return (length + memory->step[axis] - 1) / memory->step[axis];
}

/* Axes in a random order, fastest last; padding between lines; some axes backwards. */
static void random_strides(rig *r, const xta_box *box, rig_memory *memory)
{
    int axes[XTA_MAX_NDIM];
    size_t bytes = memory->cell_bytes + (size_t)test_random_in(&r->random, 0, 3);

    for (int i = 0; i < box->ndim; i++) {
        int j = (int)test_random_in(&r->random, 0, i);
        axes[i] = axes[j];
        axes[j] = i;
    }
    memory->origin = 0;
    for (int i = box->ndim - 1; i >= 0; i--) {
        int64_t n = taken(box, memory, axes[i]);
        memory->strides[axes[i]] = (int64_t)bytes;
        if (n > 0 && test_random_chance(&r->random, 30)) {
            memory->strides[axes[i]] = -(int64_t)bytes;
            memory->origin += (size_t)(n - 1) * bytes;
        }
        bytes = bytes * (size_t)(n > 0 ? n : 1) + (size_t)test_random_in(&r->random, 0, 3);
    }
    memory->block_bytes = bytes;
    memory->options.strides = memory->strides;
}

static void dense_strides(const xta_box *box, rig_memory *memory)
{
    size_t bytes = memory->cell_bytes;
    for (int i = 0; i < box->ndim; i++) {
        int axis = memory->options.order == XTA_COLUMN ? i : box->ndim - 1 - i;
        memory->strides[axis] = (int64_t)bytes;
        bytes *= (size_t)taken(box, memory, axis);
    }
    memory->block_bytes = bytes;
    memory->origin = 0;
}

void rig_memory_make(rig *r, const xta_box *box, bool may_step, xta_type type, rig_memory *memory)
{
    bool stepped = may_step && test_random_chance(&r->random, 25);

    memory->options = (xta_io_options)XTA_IO_OPTIONS_INIT;
    memory->type = type;
    memory->cell_bytes = type == XTA_BYTES ? r->cell_bytes : xta_type_bytes(type);
    memory->options.type =
        type != r->type || test_random_chance(&r->random, 50) ? type : XTA_TYPE_SAME;
    memory->options.order = test_random_chance(&r->random, 30) ? XTA_COLUMN : XTA_ROW;
    for (int axis = 0; axis < box->ndim; axis++) {
        memory->step[axis] = stepped ? test_random_in(&r->random, 1, 4) : 1;
    }
    memory->options.step = stepped ? memory->step : NULL;
    if (test_random_chance(&r->random, 40)) {
        random_strides(r, box, memory);
    } else {
        dense_strides(box, memory);
    }
    memory->block = malloc(memory->block_bytes + 1);
    for (size_t i = 0; i < memory->block_bytes; i++) {
        memory->block[i] = (uint8_t)test_random_u64(&r->random);
    }
}

void rig_memory_clear(rig_memory *memory)
{
    free(memory->block);
    memory->block = NULL;
}

/* The offset of the cell at a coordinate of the box in a block of the layout. */
static uint8_t *place(const xta_box *box, const rig_memory *memory, uint8_t *block,
                      const int64_t coord[])
{
    int64_t at = (int64_t)memory->origin;
    for (int axis = 0; axis < box->ndim; axis++) {
        at += (coord[axis] - box->lo[axis]) / memory->step[axis] * memory->strides[axis];
    }
    return block + at;
}

void rig_memory_write(rig *r, const xta_box *box, rig_memory *memory)
{
    int64_t coord[XTA_MAX_NDIM];

    if (xta_box_empty(box)) {
        return;
    }
    memcpy(coord, box->lo, sizeof(coord));
    do {
        uint16_t code = rig_random_code(r, memory->type);
        *oracle_cells_at(&r->model, coord) = code;
        oracle_encode(memory->type, memory->cell_bytes, code,
                      place(box, memory, memory->block, coord));
    } while (oracle_next(box, memory->step, coord));
}

uint8_t *rig_memory_expected(const rig *r, const xta_box *box, const rig_memory *memory)
{
    uint8_t *block = malloc(memory->block_bytes + 1);
    int64_t coord[XTA_MAX_NDIM];

    memcpy(block, memory->block, memory->block_bytes);
    if (!xta_box_empty(box)) {
        memcpy(coord, box->lo, sizeof(coord));
        do {
            oracle_encode(memory->type, memory->cell_bytes, *oracle_cells_at(&r->model, coord),
                          place(box, memory, block, coord));
        } while (oracle_next(box, memory->step, coord));
    }
    return block;
}

void rig_story_box(rig *r, const char *what, const xta_box *box, const rig_memory *memory)
{
    char text[512];
    size_t n = 0;
    for (int axis = 0; axis < box->ndim; axis++) {
        n += (size_t)snprintf(text + n, sizeof(text) - n, " %lld:%lld", (long long)box->lo[axis],
                              (long long)box->hi[axis]);
        if (memory != NULL && memory->options.step != NULL) {
            n += (size_t)snprintf(text + n, sizeof(text) - n, "/%lld",
                                  (long long)memory->step[axis]);
        }
        if (memory != NULL && memory->options.strides != NULL) {
            n += (size_t)snprintf(text + n, sizeof(text) - n, "(%lld)",
                                  (long long)memory->strides[axis]);
        }
    }
    test_story_add(&r->story, "%s%s %s %s", what, text,
                   memory == NULL ? "" : xta_type_name(memory->type),
                   memory != NULL && memory->options.order == XTA_COLUMN ? "column" : "");
}

/* ---- steps ---- */

void rig_write(rig *r)
{
    rig_memory memory;
    xta_error err;
    xta_box box = rig_random_box(r, test_random_chance(&r->random, 20) ? 64 : 6);

    rig_memory_make(r, &box, true, rig_source_type(r), &memory);
    rig_story_box(r, "write", &box, &memory);
    rig_memory_write(r, &box, &memory);
    STORY_OK(&r->story,
             xta_array_write(r->array, &box, &memory.options, memory.block + memory.origin, &err),
             err);
    rig_memory_clear(&memory);
}

static void read_box(rig *r, xta_array *array, const xta_box *box, xta_type type, bool plain)
{
    rig_memory memory;
    xta_error err;

    rig_memory_make(r, box, !plain, type, &memory);
    uint8_t *expected = rig_memory_expected(r, box, &memory);
    if (!plain) {
        rig_story_box(r, "read", box, &memory);
    }
    STORY_OK(&r->story,
             xta_array_read(array, box, &memory.options, memory.block + memory.origin, &err), err);
    for (size_t i = 0; i < memory.block_bytes; i++) {
        STORY_CHECK(&r->story, expected[i] == memory.block[i],
                    "%s: byte %zu of %zu is %02x instead of %02x (type %s, %zu bytes a cell)",
                    plain ? "comparing all cells" : "reading", i, memory.block_bytes,
                    memory.block[i], expected[i], xta_type_name(type), memory.cell_bytes);
    }
    free(expected);
    rig_memory_clear(&memory);
}

void rig_read(rig *r)
{
    xta_box box = rig_random_box(r, test_random_chance(&r->random, 20) ? 64 : 6);
    read_box(r, r->array, &box, rig_target_type(r), false);
}

void rig_compare(rig *r, xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);
    uint8_t fill[64];

    STORY_CHECK(&r->story, xta_box_equal(&bounds, &r->model.bounds), "not the model's bounds");
    STORY_CHECK(&r->story, xta_array_ndim(array) == bounds.ndim, "not the number of axes");
    STORY_CHECK(&r->story, xta_array_type(array) == r->type, "not the type");
    STORY_CHECK(&r->story, xta_array_cell_bytes(array) == r->cell_bytes, "not the cell's bytes");
    oracle_encode(r->type, r->cell_bytes, r->model.fill, fill);
    if (r->model.fill != 0) {
        STORY_CHECK(&r->story, memcmp(xta_array_fill_value(array), fill, r->cell_bytes) == 0,
                    "not the fill value");
    }
    read_box(r, array, &r->model.bounds, r->type, true);
}

void rig_fill(rig *r)
{
    xta_error err;
    uint8_t cell[64];
    int64_t coord[XTA_MAX_NDIM];
    xta_box box = rig_random_box(r, 64);
    bool to_fill = test_random_chance(&r->random, 30);
    uint16_t code = to_fill ? r->model.fill : rig_random_code(r, r->type);

    rig_story_box(r, "fill", &box, NULL);
    oracle_encode(r->type, r->cell_bytes, code, cell);
    if (!xta_box_empty(&box)) {
        memcpy(coord, box.lo, sizeof(coord));
        do {
            *oracle_cells_at(&r->model, coord) = code;
        } while (oracle_next(&box, NULL, coord));
    }
    STORY_OK(&r->story, xta_array_fill(r->array, &box, cell, &err), err);
}

void rig_get_put(rig *r)
{
    xta_error err;
    uint8_t cell[64];
    uint8_t expected[64];

    if (xta_box_empty(&r->model.bounds)) {
        return;
    }
    test_story_add(&r->story, "get and put");
    for (int i = 0; i < 20; i++) {
        xta_box box = rig_random_box(r, 1);
        uint16_t *code = oracle_cells_at(&r->model, box.lo);
        if (test_random_chance(&r->random, 50)) {
            *code = rig_random_code(r, r->type);
            oracle_encode(r->type, r->cell_bytes, *code, cell);
            STORY_OK(&r->story, xta_array_put(r->array, box.lo, cell, &err), err);
        }
        memset(cell, 0x5a, sizeof(cell));
        memset(expected, 0x5a, sizeof(expected));
        oracle_encode(r->type, r->cell_bytes, *code, expected);
        STORY_OK(&r->story, xta_array_get(r->array, box.lo, cell, &err), err);
        STORY_CHECK(&r->story, memcmp(cell, expected, sizeof(cell)) == 0, "a cell is wrong");
    }
}

/* Boxes and coordinates one beyond the bounds: refused, and nothing touched. */
void rig_outside(rig *r)
{
    xta_error err;
    xta_box box = rig_random_box(r, 4);
    int axis = (int)test_random_in(&r->random, 0, box.ndim - 1);
    uint8_t cell[64];
    uint8_t untouched[64];

    test_story_add(&r->story, "outside axis %d", axis);
    for (int i = 0; i < box.ndim; i++) { // Not empty, so that it lies outside.
        box.hi[i] = box.hi[i] > box.lo[i] ? box.hi[i] : box.lo[i] + 1;
    }
    if (test_random_chance(&r->random, 50)) {
        box.hi[axis] = r->model.bounds.hi[axis] + 1;
    } else {
        box.lo[axis] = r->model.bounds.lo[axis] - 1;
    }
    uint64_t n = 0;
    STORY_CHECK(&r->story, xta_box_cells(&box, &n) == XTA_OK, "a small box overflows");
    uint8_t *block = calloc((size_t)n, r->cell_bytes);
    memset(block, 0x5a, (size_t)n * r->cell_bytes);
    STORY_FAILS(&r->story, xta_array_read(r->array, &box, NULL, block, &err), XTA_EBOX, err);
    for (size_t i = 0; i < (size_t)n * r->cell_bytes; i++) {
        STORY_CHECK(&r->story, block[i] == 0x5a, "a refused read touched its buffer");
    }
    memset(block, 0, (size_t)n * r->cell_bytes);
    STORY_FAILS(&r->story, xta_array_write(r->array, &box, NULL, block, &err), XTA_EBOX, err);
    memset(cell, 0x5a, sizeof(cell));
    memset(untouched, 0x5a, sizeof(untouched));
    int64_t coord[XTA_MAX_NDIM];
    memcpy(coord, box.lo, sizeof(coord));
    coord[axis] = box.lo[axis] < r->model.bounds.lo[axis] ? box.lo[axis] : box.hi[axis] - 1;
    STORY_FAILS(&r->story, xta_array_get(r->array, coord, cell, &err), XTA_EBOX, err);
    STORY_CHECK(&r->story, memcmp(cell, untouched, sizeof(cell)) == 0, "a refused get touched");
    memset(cell, 0, sizeof(cell));
    STORY_FAILS(&r->story, xta_array_put(r->array, coord, cell, &err), XTA_EBOX, err);
    free(block);
}
