/* A random script of changes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS 4000

static xta_box slab_of(const xta_box *bounds, const xta_growth *growth)
{
    xta_box slab = *bounds;
    if (growth->side == XTA_BACK) {
        slab.lo[growth->axis] = bounds->hi[growth->axis];
        slab.hi[growth->axis] = bounds->hi[growth->axis] + growth->by;
    } else {
        slab.hi[growth->axis] = bounds->lo[growth->axis];
        slab.lo[growth->axis] = bounds->lo[growth->axis] - growth->by;
    }
    return slab;
}

static xta_box random_box(test_random *random, const xta_box *bounds)
{
    xta_box box = *bounds;
    for (int axis = 0; axis < box.ndim; axis++) {
        if (bounds->lo[axis] == bounds->hi[axis]) {
            continue;
        }
        box.lo[axis] = test_random_in(random, bounds->lo[axis], bounds->hi[axis] - 1);
        box.hi[axis] = test_random_in(random, box.lo[axis] + 1, bounds->hi[axis]);
    }
    return box;
}

script_step script_next(test_random *random, const oracle_cells *model)
{
    script_step step = {.kind = SCRIPT_WRITE};
    int kind = (int)test_random_in(random, 0, 99);
    int axis = (int)test_random_in(random, 0, model->bounds.ndim - 1);
    int64_t length = model->bounds.hi[axis] - model->bounds.lo[axis];

    step.growth.axis = axis;
    step.growth.side = test_random_chance(random, 50) ? XTA_BACK : XTA_FRONT;
    step.growth.by = test_random_in(random, 1, 4);
    step.seed = (uint16_t)test_random_u64(random);
    step.box = random_box(random, &model->bounds);
    step.note = (double)test_random_in(random, 0, 1 << 20);
    if (kind < 20) {
        step.kind = SCRIPT_EXTEND;
    } else if (kind < 35) {
        step.kind = SCRIPT_APPEND;
        step.box = slab_of(&model->bounds, &step.growth);
    } else if (kind < 50) {
        step.kind = SCRIPT_SHRINK;
    } else if (kind < 75) {
        step.kind = SCRIPT_WRITE;
    } else if (kind < 90) {
        step.kind = SCRIPT_SYNC;
    } else {
        step.kind = SCRIPT_NOTE;
    }
    bool grows = step.kind == SCRIPT_EXTEND || step.kind == SCRIPT_APPEND;
    if (grows && oracle_cells_count(model) > MAX_CELLS) {
        step.kind = SCRIPT_SHRINK;
        step.growth.by = length / 2;
    }
    if (step.kind == SCRIPT_SHRINK && step.growth.by > length - 1) {
        step.growth.by = length > 1 ? length - 1 : 0;
    }
    return step;
}

/* The code of a cell of a step: depends on its coordinates, so that a misplaced cell is
 * detected. */
static uint8_t code_at(const script_step *step, const int64_t coord[], int ndim)
{
    uint32_t code = step->seed;
    for (int axis = 0; axis < ndim; axis++) {
        code = (code ^ (uint32_t)coord[axis]) * 2654435761u;
        code ^= code >> 15;
    }
    return (uint8_t)code;
}

void script_model(const script_step *step, oracle_cells *model)
{
    int64_t coord[XTA_MAX_NDIM];

    if (step->kind == SCRIPT_EXTEND || step->kind == SCRIPT_APPEND) {
        oracle_cells_extend(model, &step->growth);
    } else if (step->kind == SCRIPT_SHRINK) {
        oracle_cells_shrink(model, &step->growth);
    }
    if ((step->kind == SCRIPT_WRITE || step->kind == SCRIPT_APPEND) && !xta_box_empty(&step->box)) {
        memcpy(coord, step->box.lo, sizeof(coord));
        do {
            *oracle_cells_at(model, coord) = code_at(step, coord, step->box.ndim);
        } while (oracle_next(&step->box, NULL, coord));
    }
}

static uint8_t *cells_of(const script_step *step)
{
    uint64_t n = 0;
    int64_t coord[XTA_MAX_NDIM];

    if (xta_box_cells(&step->box, &n) != XTA_OK) {
        abort();
    }
    uint8_t *cells = malloc((size_t)n + 1);
    size_t k = 0;
    if (n > 0) {
        memcpy(coord, step->box.lo, sizeof(coord));
        do {
            cells[k++] = code_at(step, coord, step->box.ndim);
        } while (oracle_next(&step->box, NULL, coord));
    }
    return cells;
}

xta_status script_array(const script_step *step, xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t *cells = NULL;

    switch (step->kind) {
    case SCRIPT_EXTEND:
        return xta_array_extend(array, &step->growth, 1, NULL, err);
    case SCRIPT_SHRINK:
        return xta_array_shrink(array, &step->growth, 1, NULL, err);
    case SCRIPT_SYNC:
        return xta_array_sync(array, err);
    case SCRIPT_NOTE:
        return xta_attribute_set_f64(array, XTA_ON_ARRAY, "note", step->note, err);
    case SCRIPT_APPEND:
        cells = cells_of(step);
        status = xta_array_append(array, &step->growth, NULL, cells, NULL, err);
        break;
    case SCRIPT_WRITE:
        cells = cells_of(step);
        status = xta_array_write(array, &step->box, NULL, cells, err);
        break;
    }
    free(cells);
    return status;
}

oracle_cells script_copy(const oracle_cells *model)
{
    oracle_cells copy = *model;
    size_t bytes = (size_t)oracle_cells_count(model) * sizeof(uint16_t);
    copy.code = malloc(bytes + 1);
    memcpy(copy.code, model->code, bytes);
    return copy;
}

xta_status script_adopt(xta_array *array, uint16_t fill, oracle_cells *model, xta_error *err)
{
    xta_box bounds = xta_array_bounds(array);

    model->bounds = bounds;
    model->fill = fill;
    size_t n = (size_t)oracle_cells_count(model);
    uint8_t *cells = malloc(n + 1);
    model->code = malloc(n * sizeof(uint16_t) + 1);
    xta_status status = xta_array_read(array, &bounds, NULL, cells, err);
    for (size_t i = 0; status == XTA_OK && i < n; i++) {
        model->code[i] = cells[i];
    }
    free(cells);
    if (status != XTA_OK) {
        oracle_cells_clear(model);
    }
    return status;
}
