/* The oracle of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "oracle/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint16_t *filled(uint64_t n, uint16_t fill)
{
    uint16_t *code = malloc((size_t)n * sizeof(uint16_t) + 1);
    if (code == NULL) {
        fputs("oracle: out of memory\n", stderr);
        abort();
    }
    for (uint64_t i = 0; i < n; i++) {
        code[i] = fill;
    }
    return code;
}

uint64_t oracle_cells_count(const oracle_cells *cells)
{
    uint64_t n = 1;
    for (int axis = 0; axis < cells->bounds.ndim; axis++) {
        n *= (uint64_t)(cells->bounds.hi[axis] - cells->bounds.lo[axis]);
    }
    return n;
}

void oracle_cells_init(oracle_cells *cells, int ndim, const int64_t bounds[], uint16_t fill)
{
    memset(cells, 0, sizeof(*cells));
    cells->bounds.ndim = ndim;
    memcpy(cells->bounds.hi, bounds, (size_t)ndim * sizeof(int64_t));
    cells->fill = fill;
    cells->code = filled(oracle_cells_count(cells), fill);
}

void oracle_cells_clear(oracle_cells *cells)
{
    free(cells->code);
    memset(cells, 0, sizeof(*cells));
}

uint16_t *oracle_cells_at(const oracle_cells *cells, const int64_t coord[])
{
    uint64_t at = 0;
    for (int axis = 0; axis < cells->bounds.ndim; axis++) {
        int64_t lo = cells->bounds.lo[axis];
        int64_t hi = cells->bounds.hi[axis];
        if (coord[axis] < lo || coord[axis] >= hi) {
            return NULL;
        }
        at = at * (uint64_t)(hi - lo) + (uint64_t)(coord[axis] - lo);
    }
    return cells->code + at;
}

int oracle_next(const xta_box *box, const int64_t step[], int64_t coord[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        coord[axis] += step != NULL ? step[axis] : 1;
        if (coord[axis] < box->hi[axis]) {
            return 1;
        }
        coord[axis] = box->lo[axis];
    }
    return 0;
}

static void parse_bounds(oracle_cells *cells, const xta_box *bounds)
{
    oracle_cells old = *cells;
    int64_t coord[XTA_MAX_NDIM];

    cells->bounds = *bounds;
    cells->code = filled(oracle_cells_count(cells), cells->fill);
    memcpy(coord, old.bounds.lo, sizeof(coord));
    if (oracle_cells_count(&old) != 0) {
        do {
            uint16_t *cell = oracle_cells_at(cells, coord);
            if (cell != NULL) {
                *cell = *oracle_cells_at(&old, coord);
            }
        } while (oracle_next(&old.bounds, NULL, coord));
    }
    free(old.code);
}

void oracle_cells_extend(oracle_cells *cells, const xta_growth *growth)
{
    xta_box bounds = cells->bounds;
    if (growth->side == XTA_BACK) {
        bounds.hi[growth->axis] += growth->by;
    } else {
        bounds.lo[growth->axis] -= growth->by;
    }
    parse_bounds(cells, &bounds);
}

void oracle_cells_shrink(oracle_cells *cells, const xta_growth *growth)
{
    xta_growth back = *growth;
    back.by = -back.by;
    oracle_cells_extend(cells, &back);
}

void oracle_cells_add_axis(oracle_cells *cells, int position)
{
    xta_box *box = &cells->bounds;
    size_t bytes = (size_t)(box->ndim - position) * sizeof(int64_t);
    memmove(box->lo + position + 1, box->lo + position, bytes);
    memmove(box->hi + position + 1, box->hi + position, bytes);
    box->lo[position] = 0;
    box->hi[position] = 1;
    box->ndim++; // An axis of length 1 leaves the row-major order of the cells as it was.
}

uint16_t oracle_max_code(xta_type type)
{
    switch (type) {
    case XTA_BOOL:
        return 1;
    case XTA_I8:
        return 127;
    case XTA_U8:
        return 255;
    case XTA_I16:
        return 32767;
    case XTA_F16:
        return 2048;
    default:
        return 65535;
    }
}

/* binary16 of a natural number up to 2048: the bits below the leading one are the fraction. */
static uint16_t half_of(uint16_t code)
{
    int exponent = 0;
    while ((code >> exponent) > 1) {
        exponent++;
    }
    unsigned fraction = ((unsigned)code << 10 >> exponent) & 0x3ffu;
    return code == 0 ? 0 : (uint16_t)((unsigned)(exponent + 15) << 10 | fraction);
}

static void encode_bytes(size_t cell_bytes, uint16_t code, void *cell)
{
    uint8_t *bytes = cell;
    for (size_t i = 0; i < cell_bytes; i++) {
        bytes[i] = (uint8_t)(i % 2 == 0 ? code + i : (code >> 8) + i);
    }
}

#define STORE(type, value)               \
    do {                                 \
        type one = (type)(value);        \
        memcpy(cell, &one, sizeof(one)); \
    } while (0)

void oracle_encode(xta_type type, size_t cell_bytes, uint16_t code, void *cell)
{
    switch (type) {
    case XTA_BOOL:
    case XTA_I8:
    case XTA_U8:
        STORE(uint8_t, code);
        break;
    case XTA_I16:
    case XTA_U16:
        STORE(uint16_t, code);
        break;
    case XTA_I32:
    case XTA_U32:
        STORE(uint32_t, code);
        break;
    case XTA_I64:
    case XTA_U64:
        STORE(uint64_t, code);
        break;
    case XTA_F16:
        STORE(uint16_t, half_of(code));
        break;
    case XTA_F32:
        STORE(float, code);
        break;
    case XTA_F64:
        STORE(double, code);
        break;
    case XTA_C64:
        memcpy(cell, (float[2]){(float)code, (float)(code / 2)}, 2 * sizeof(float));
        break;
    case XTA_C128:
        memcpy(cell, (double[2]){(double)code, (double)(code / 2)}, 2 * sizeof(double));
        break;
    default:
        encode_bytes(cell_bytes, code, cell);
        break;
    }
}
