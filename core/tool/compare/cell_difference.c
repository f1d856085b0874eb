/* Equal bytes are passed over by memcmp. Other cells are widened, a block at a time: integers to 64
 * bits, so that no difference is rounded away, everything else to complex128. Two integers are
 * compared as integers, any other pair as complex numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "compare/cell_difference.h"

#include <math.h>
#include <string.h>

#define BLOCK 512

/* How a value is held. */
typedef enum number_class { SIGNED, UNSIGNED, COMPLEX } number_class;

/* A block of widened values. */
typedef struct wide_block {
    number_class class;
    union {
        int64_t i[BLOCK];
        uint64_t u[BLOCK];
        double z[2 * BLOCK];
    } as;
} wide_block;

/* What the comparison of one pair says. */
typedef struct verdict {
    bool agree;
    bool nan;         // on one side
    double size;      // |a - b|; NaN if it is no number
    double magnitude; // the larger one
} verdict;

static number_class class_of(xta_type type)
{
    switch (type) {
    case XTA_I8:
    case XTA_I16:
    case XTA_I32:
    case XTA_I64:
        return SIGNED;
    case XTA_BOOL:
    case XTA_U8:
    case XTA_U16:
    case XTA_U32:
    case XTA_U64:
        return UNSIGNED;
    default:
        return COMPLEX;
    }
}

bool cli_kinds_compare(const cli_cell_kind *a, const cli_cell_kind *b)
{
    if (a->type == XTA_BYTES || b->type == XTA_BYTES) {
        return a->type == b->type && a->cell_bytes == b->cell_bytes;
    }
    return a->type != XTA_TEXT && b->type != XTA_TEXT;
}

/* None of these conversions can fail. */
static void widen(const cli_cell_kind *kind, const uint8_t *cells, size_t n, wide_block *block)
{
    static const xta_type types[] = {XTA_I64, XTA_U64, XTA_C128};

    block->class = class_of(kind->type);
    (void)!xta_type_convert(kind->type, cells, types[block->class], &block->as, n, NULL);
}

static double magnitude_of(uint64_t a, uint64_t b)
{
    return (double)(a > b ? a : b);
}

static uint64_t absolute_value(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Two integers of which either may be signed. */
static verdict compare_integers(const wide_block *a, const wide_block *b, size_t k)
{
    bool negative_a = a->class == SIGNED && a->as.i[k] < 0;
    bool negative_b = b->class == SIGNED && b->as.i[k] < 0;
    uint64_t size_a = a->class == SIGNED ? absolute_value(a->as.i[k]) : a->as.u[k];
    uint64_t size_b = b->class == SIGNED ? absolute_value(b->as.i[k]) : b->as.u[k];
    verdict v = {.magnitude = magnitude_of(size_a, size_b)};

    if (negative_a != negative_b) {
        v.size = (double)size_a + (double)size_b;
    } else {
        v.size = (double)(size_a > size_b ? size_a - size_b : size_b - size_a);
        v.agree = size_a == size_b;
    }
    return v;
}

static void to_complex(const wide_block *block, size_t k, double z[2])
{
    z[0] = block->class == SIGNED     ? (double)block->as.i[k]
           : block->class == UNSIGNED ? (double)block->as.u[k]
                                      : block->as.z[2 * k];
    z[1] = block->class == COMPLEX ? block->as.z[2 * k + 1] : 0;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static verdict compare_complex(const wide_block *block_a, const wide_block *block_b, size_t k)
{
    double a[2], b[2];
    verdict v = {.nan = false};

    to_complex(block_a, k, a);
    to_complex(block_b, k, b);
    double size_a = a[1] == 0 ? fabs(a[0]) : hypot(a[0], a[1]);
    double size_b = b[1] == 0 ? fabs(b[0]) : hypot(b[0], b[1]);
    v.agree = same(a[0], b[0]) && same(a[1], b[1]);
    v.size = a[1] == b[1] ? fabs(a[0] - b[0]) : hypot(a[0] - b[0], a[1] - b[1]);
    v.magnitude = size_a > size_b ? size_a : size_b;
    v.nan = !v.agree && (isnan(size_a) || isnan(size_b));
    if (v.nan) {
        v.size = NAN;
    }
    return v;
}

/* The coordinates of cell `k` of a box. */
static void coordinates(const xta_box *box, size_t k, int64_t at[])
{
    uint64_t rest = k;

    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        uint64_t length = (uint64_t)(box->hi[axis] - box->lo[axis]);
        at[axis] = box->lo[axis] + (int64_t)(rest % length);
        rest /= length;
    }
}

/* Whether coordinates lie before others, the last axis running fastest. */
static bool lies_before(int ndim, const int64_t a[], const int64_t b[])
{
    for (int axis = 0; axis < ndim; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

/* Put a pair into a place if nothing is there, or something smaller or of the same size that lies
 * behind it. */
static void keep_pair(int ndim, bool taken, const cli_different_pair *pair,
                      cli_different_pair *place)
{
    if (!taken || pair->size > place->size ||
        (pair->size == place->size && lies_before(ndim, pair->at, place->at))) {
        *place = *pair;
    }
}

/* A pair that differs: numbers are kept, of bytes only where they are. */
static void add_difference(const xta_box *box, size_t k, const uint8_t *a, size_t bytes_a,
                           const uint8_t *b, size_t bytes_b, const verdict *v,
                           cli_cell_differences *found)
{
    cli_different_pair pair = {.size = 0};

    coordinates(box, k, pair.at);
    if (bytes_a <= sizeof pair.a && bytes_b <= sizeof pair.b) {
        memcpy(pair.a, a, bytes_a);
        memcpy(pair.b, b, bytes_b);
    }
    keep_pair(box->ndim, found->n_different > 0, &pair, &found->first);
    found->n_different++;
    found->n_nan += v->nan;
    if (isnan(v->size)) {
        return;
    }
    pair.size = v->size;
    keep_pair(box->ndim, found->n_sized > 0, &pair, &found->largest);
    // Between an infinity and anything else the ratio is no number: the whole difference counts.
    pair.size = isinf(v->magnitude) ? 1 : v->size / v->magnitude;
    keep_pair(box->ndim, found->n_sized > 0, &pair, &found->largest_relative);
    found->n_sized++;
}

static void compare_bytes(size_t cell_bytes, const uint8_t *a, const uint8_t *b, size_t n,
                          const xta_box *box, cli_cell_differences *found)
{
    const verdict differ = {.size = NAN};

    for (size_t k = 0; k < n; k++) {
        const uint8_t *cell_a = a + k * cell_bytes, *cell_b = b + k * cell_bytes;
        if (memcmp(cell_a, cell_b, cell_bytes) != 0) {
            add_difference(box, k, cell_a, cell_bytes, cell_b, cell_bytes, &differ, found);
        }
    }
}

static bool within(const verdict *v, const cli_tolerance *tolerance)
{
    return v->size <= tolerance->absolute ||
           (isfinite(v->magnitude) && v->size <= tolerance->relative * v->magnitude);
}

/* Cells `from` to `from` + n of the box, at most BLOCK. */
static void compare_block(const cli_cell_kind *kind_a, const uint8_t *a,
                          const cli_cell_kind *kind_b, const uint8_t *b, size_t from, size_t n,
                          const xta_box *box, const cli_tolerance *tolerance,
                          cli_cell_differences *found)
{
    wide_block wide_a, wide_b;

    widen(kind_a, a, n, &wide_a);
    widen(kind_b, b, n, &wide_b);
    bool integers = wide_a.class != COMPLEX && wide_b.class != COMPLEX;
    for (size_t k = 0; k < n; k++) {
        verdict v =
            integers ? compare_integers(&wide_a, &wide_b, k) : compare_complex(&wide_a, &wide_b, k);
        if (!v.agree && !within(&v, tolerance)) {
            add_difference(box, from + k, a + k * kind_a->cell_bytes, kind_a->cell_bytes,
                           b + k * kind_b->cell_bytes, kind_b->cell_bytes, &v, found);
        }
    }
}

void cli_compare_cells(const cli_cell_kind *kind_a, const void *a, const cli_cell_kind *kind_b,
                       const void *b, const xta_box *box, const cli_tolerance *tolerance,
                       cli_cell_differences *found)
{
    const uint8_t *cells_a = a, *cells_b = b;
    uint64_t cells = 0;

    if (xta_box_cells(box, &cells) != XTA_OK) {
        return;
    }
    size_t n = (size_t)cells;
    found->n_cells += cells;
    if (kind_a->type == XTA_BYTES) {
        compare_bytes(kind_a->cell_bytes, cells_a, cells_b, n, box, found);
        return;
    }
    for (size_t from = 0; from < n; from += BLOCK) {
        size_t some = n - from < BLOCK ? n - from : BLOCK;
        const uint8_t *block_a = cells_a + from * kind_a->cell_bytes;
        const uint8_t *block_b = cells_b + from * kind_b->cell_bytes;
        if (kind_a->type != kind_b->type ||
            memcmp(block_a, block_b, some * kind_a->cell_bytes) != 0) {
            compare_block(kind_a, block_a, kind_b, block_b, from, some, box, tolerance, found);
        }
    }
}
