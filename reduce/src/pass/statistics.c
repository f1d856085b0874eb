/* Statistics of cells, a row at a time.
 *
 * Naive: one sum, cell by cell; it overflows, or its error grows with the number of cells. Here
 * integers are added exactly: rows of up to 32 bits in 64, the rest in 128. Floats are added in
 * blocks of four sums, which keeps the error of a block small, and the blocks with compensation
 * (Neumaier's variant of Kahan's sum): the rounding error of the sum is kept beside it, so the
 * total error does not grow with the number of cells. Infinities make that remainder meaningless,
 * and it is then left out.
 *
 * NaN is counted and otherwise skipped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/statistics.h"

#include <math.h>
#include <string.h>

#define BLOCK 256

/* ---- integers ---- */

/* WIDE is a type for the sum of a block of TYPE; MEMBER is the member of xta__number. */
#define FOLD_WHOLE(name, TYPE, WIDE, MEMBER)                                        \
    static void all_##name(xta__accumulator *into, const uint8_t *cells, size_t n)  \
    {                                                                               \
        TYPE least, most;                                                           \
        memcpy(&least, cells, sizeof least);                                        \
        most = least;                                                               \
        for (size_t from = 0; from < n; from += BLOCK) {                            \
            size_t end = n - from < BLOCK ? n : from + BLOCK;                       \
            WIDE sum = 0;                                                           \
            for (size_t k = from; k < end; k++) {                                   \
                TYPE v;                                                             \
                memcpy(&v, cells + k * sizeof v, sizeof v);                         \
                sum += v;                                                           \
                least = v < least ? v : least;                                      \
                most = v > most ? v : most;                                         \
            }                                                                       \
            into->sum.i += sum;                                                     \
        }                                                                           \
        into->count += n;                                                           \
        into->min.MEMBER = least < into->min.MEMBER ? least : into->min.MEMBER;     \
        into->max.MEMBER = most > into->max.MEMBER ? most : into->max.MEMBER;       \
    }                                                                               \
    static void each_##name(xta__accumulator *into, const uint8_t *cells, size_t n) \
    {                                                                               \
        for (size_t k = 0; k < n; k++) {                                            \
            TYPE v;                                                                 \
            memcpy(&v, cells + k * sizeof v, sizeof v);                             \
            into[k].count++;                                                        \
            into[k].sum.i += v;                                                     \
            into[k].min.MEMBER = v < into[k].min.MEMBER ? v : into[k].min.MEMBER;   \
            into[k].max.MEMBER = v > into[k].max.MEMBER ? v : into[k].max.MEMBER;   \
        }                                                                           \
    }

FOLD_WHOLE(i8, int8_t, int64_t, i)
FOLD_WHOLE(i16, int16_t, int64_t, i)
FOLD_WHOLE(i32, int32_t, int64_t, i)
FOLD_WHOLE(i64, int64_t, xta__wide, i)
FOLD_WHOLE(u8, uint8_t, uint64_t, u)
FOLD_WHOLE(u16, uint16_t, uint64_t, u)
FOLD_WHOLE(u32, uint32_t, uint64_t, u)
FOLD_WHOLE(u64, uint64_t, xta__wide, u)

/* ---- floats ---- */

static void add(xta__accumulator *into, double v)
{
    double sum = into->sum.f.sum + v;

    if (fabs(into->sum.f.sum) >= fabs(v)) {
        into->sum.f.lost += (into->sum.f.sum - sum) + v;
    } else {
        into->sum.f.lost += (v - sum) + into->sum.f.sum;
    }
    into->sum.f.sum = sum;
}

static void all_doubles(xta__accumulator *into, const double v[], size_t n)
{
    double sum[4] = {0};
    double least = into->min.f;
    double most = into->max.f;
    size_t n_nan = 0;

    for (size_t k = 0; k < n; k++) {
        bool is_nan = v[k] != v[k];
        n_nan += is_nan;
        sum[k % 4] += is_nan ? 0 : v[k];
        // Comparisons are false for NaN.
        least = v[k] < least ? v[k] : least;
        most = v[k] > most ? v[k] : most;
    }
    add(into, (sum[0] + sum[1]) + (sum[2] + sum[3]));
    into->count += n - n_nan;
    into->n_nan += n_nan;
    into->min.f = least;
    into->max.f = most;
}

static void each_double(xta__accumulator *into, const double v[], size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (v[k] != v[k]) {
            into[k].n_nan++;
            continue;
        }
        into[k].count++;
        add(&into[k], v[k]);
        into[k].min.f = v[k] < into[k].min.f ? v[k] : into[k].min.f;
        into[k].max.f = v[k] > into[k].max.f ? v[k] : into[k].max.f;
    }
}

/* Rows are widened to double block by block, which is exact. */
static void widened(xta__accumulator *into, size_t stride, xta_type type, const uint8_t *cells,
                    size_t n)
{
    size_t cell_bytes = xta_type_bytes(type);
    double block[BLOCK];

    for (size_t from = 0; from < n; from += BLOCK) {
        size_t count = n - from < BLOCK ? n - from : BLOCK;
        xta_status status =
            xta_type_convert(type, cells + from * cell_bytes, XTA_F64, block, count, NULL);
        if (status != XTA_OK) {
            continue; // Impossible: each float of 16 or 32 bits is a double.
        }
        if (stride == 0) {
            all_doubles(into, block, count);
        } else {
            each_double(into + from, block, count);
        }
    }
}

#define FOLD_FLOAT(name, TYPE)                                                      \
    static void all_##name(xta__accumulator *into, const uint8_t *cells, size_t n)  \
    {                                                                               \
        widened(into, 0, TYPE, cells, n);                                           \
    }                                                                               \
    static void each_##name(xta__accumulator *into, const uint8_t *cells, size_t n) \
    {                                                                               \
        widened(into, 1, TYPE, cells, n);                                           \
    }

FOLD_FLOAT(f16, XTA_F16)
FOLD_FLOAT(f32, XTA_F32)
FOLD_FLOAT(f64, XTA_F64)

/* ---- begin and end ---- */

static const struct {
    xta_type type;
    xta__fold_functions fold;
} fold_table[] = {{XTA_BOOL, {all_u8, each_u8, 'u'}},  {XTA_I8, {all_i8, each_i8, 'i'}},
                  {XTA_U8, {all_u8, each_u8, 'u'}},    {XTA_I16, {all_i16, each_i16, 'i'}},
                  {XTA_U16, {all_u16, each_u16, 'u'}}, {XTA_I32, {all_i32, each_i32, 'i'}},
                  {XTA_U32, {all_u32, each_u32, 'u'}}, {XTA_I64, {all_i64, each_i64, 'i'}},
                  {XTA_U64, {all_u64, each_u64, 'u'}}, {XTA_F16, {all_f16, each_f16, 'f'}},
                  {XTA_F32, {all_f32, each_f32, 'f'}}, {XTA_F64, {all_f64, each_f64, 'f'}}};

bool xta__fold_functions_of(xta_type type, xta__fold_functions *fold)
{
    for (size_t k = 0; k < sizeof fold_table / sizeof fold_table[0]; k++) {
        if (fold_table[k].type == type) {
            *fold = fold_table[k].fold;
            return true;
        }
    }
    return false;
}

void xta__fold_begin(const xta__fold_functions *fold, xta__accumulator *a, size_t n)
{
    xta__accumulator first = {0};

    switch (fold->kind) {
    case 'i':
        first.min.i = INT64_MAX;
        first.max.i = INT64_MIN;
        break;
    case 'u':
        first.min.u = UINT64_MAX;
        break;
    default:
        first.min.f = INFINITY;
        first.max.f = -INFINITY;
        break;
    }
    for (size_t k = 0; k < n; k++) {
        a[k] = first;
    }
}

/* Convert a number to a double, and to a cell of the type. The number was read from such a cell. */
static double number_of(char kind, xta_type type, xta__number number, uint8_t cell[8])
{
    xta_type wide = kind == 'i' ? XTA_I64 : kind == 'u' ? XTA_U64 : XTA_F64;
    size_t bad;

    if (xta_type_convert(wide, &number, type, cell, 1, &bad) != XTA_OK) {
        memset(cell, 0, 8);
    }
    return kind == 'i' ? (double)number.i : kind == 'u' ? (double)number.u : number.f;
}

void xta__fold_end(const xta__fold_functions *fold, xta_type type, const xta__accumulator *a,
                   xta_region_statistics *statistics)
{
    double sum = (double)a->sum.i;
    xta__number none = {.f = NAN};

    if (fold->kind == 'f') {
        sum = a->sum.f.sum;
        sum += isfinite(sum) ? a->sum.f.lost : 0;
    }
    *statistics = (xta_region_statistics){.count = a->count, .n_nan = a->n_nan, .sum = sum};
    if (a->count == 0) {
        statistics->min = statistics->max = statistics->mean = NAN;
        if (fold->kind == 'f') {
            (void)number_of('f', type, none, statistics->min_cell);
            (void)number_of('f', type, none, statistics->max_cell);
        }
        return;
    }
    statistics->mean = sum / (double)a->count;
    statistics->min = number_of(fold->kind, type, a->min, statistics->min_cell);
    statistics->max = number_of(fold->kind, type, a->max, statistics->max_cell);
}
