/* Rows of cells, added up.
 *
 * Naive: one sum, cell by cell. Here a row has eight interleaved sums, so that the additions of a
 * vector do not wait for one another, and which cell goes into which of them depends on its
 * coordinate alone. The plain loop over a row is tried first; a NaN in it makes a lane NaN, which
 * is looked for afterwards, and only then is the row added again, cell by cell under a mask.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/kernels.h"

#include <math.h>
#include <string.h>

#include "reduction/clones.h"

double xta__fold_lanes(const double lanes[XTA__LANES], size_t stride)
{
    const double *l = lanes;

    return ((l[0] + l[4 * stride]) + (l[2 * stride] + l[6 * stride])) +
           ((l[stride] + l[5 * stride]) + (l[3 * stride] + l[7 * stride]));
}

/* Whether a cell counts; for integers the first comparison is always true. */
#define COUNTS(v, has, m) ((v) == (v) && !((has) && (v) == (m)))

/* ---- sums of floats ---- */

/* Eight lanes in registers. */
typedef double lane_vector
    __attribute__((vector_size(XTA__LANES * sizeof(double)), aligned(8), may_alias));

#define SUM_OF_FLOATS(name, TYPE)                                                                  \
    typedef TYPE vector_##name                                                                     \
        __attribute__((vector_size(XTA__LANES * sizeof(TYPE)), aligned(sizeof(TYPE)), may_alias)); \
    /* Whole vectors whose first cell belongs to lane 0. */                                        \
    XTA__CLONES static void add_vectors_##name(double *lanes, const TYPE *cells, size_t n)         \
    {                                                                                              \
        lane_vector sum = *(const lane_vector *)lanes;                                             \
        for (size_t k = 0; k < n; k += XTA__LANES) {                                               \
            sum += __builtin_convertvector(*(const vector_##name *)(cells + k), lane_vector);      \
        }                                                                                          \
        *(lane_vector *)lanes = sum;                                                               \
    }                                                                                              \
    static void add_cells_##name(double *lanes, const TYPE *cells, size_t n, unsigned lane,        \
                                 const TYPE *missing, xta__excluded *excluded)                     \
    {                                                                                              \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *missing : 0;                                                               \
        for (size_t k = 0; k < n; k++) {                                                           \
            bool counts = COUNTS(cells[k], has, m);                                                \
            lanes[(lane + k) % XTA__LANES] += counts ? (double)cells[k] : 0;                       \
            excluded->n += !counts;                                                                \
            excluded->n_missing += has && cells[k] == m;                                           \
        }                                                                                          \
    }                                                                                              \
    static void sum_along_##name(double lanes[XTA__LANES], const void *row, size_t n,              \
                                 unsigned lane, const void *missing, xta__excluded *excluded)      \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        double before[XTA__LANES];                                                                 \
        if (missing != NULL) {                                                                     \
            add_cells_##name(lanes, cells, n, lane, missing, excluded);                            \
            return;                                                                                \
        }                                                                                          \
        memcpy(before, lanes, sizeof before);                                                      \
        size_t head = (XTA__LANES - lane) % XTA__LANES;                                            \
        head = head < n ? head : n;                                                                \
        for (size_t k = 0; k < head; k++) {                                                        \
            lanes[lane + k] += (double)cells[k];                                                   \
        }                                                                                          \
        size_t body = (n - head) / XTA__LANES * XTA__LANES;                                        \
        add_vectors_##name(lanes, cells + head, body);                                             \
        for (size_t k = head + body; k < n; k++) {                                                 \
            lanes[k - head - body] += (double)cells[k];                                            \
        }                                                                                          \
        if (isnan(xta__fold_lanes(lanes, 1))) {                                                    \
            memcpy(lanes, before, sizeof before);                                                  \
            add_cells_##name(lanes, cells, n, lane, NULL, excluded);                               \
        }                                                                                          \
    }                                                                                              \
    XTA__CLONES static bool sum_across_##name(double *sums, const void *const rows[], int n_rows,  \
                                              size_t n, const void *missing)                       \
    {                                                                                              \
        const TYPE *r[XTA__FUSED_ROWS];                                                            \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        int some = 0;                                                                              \
        for (int k = 0; k < XTA__FUSED_ROWS; k++) {                                                \
            r[k] = rows[k < n_rows ? k : 0];                                                       \
        }                                                                                          \
        if (has || n_rows != XTA__FUSED_ROWS) {                                                    \
            for (int j = 0; j < n_rows; j++) {                                                     \
                const TYPE *cells = r[j];                                                          \
                for (size_t k = 0; k < n; k++) {                                                   \
                    bool counts = COUNTS(cells[k], has, m);                                        \
                    sums[k] += counts ? (double)cells[k] : 0;                                      \
                    some |= !counts;                                                               \
                }                                                                                  \
            }                                                                                      \
            return some != 0;                                                                      \
        }                                                                                          \
        for (size_t k = 0; k < n; k++) {                                                           \
            TYPE a = r[0][k], b = r[1][k], c = r[2][k], d = r[3][k];                               \
            double sum = sums[k] + (a == a ? (double)a : 0);                                       \
            sum += b == b ? (double)b : 0;                                                         \
            sum += c == c ? (double)c : 0;                                                         \
            sums[k] = sum + (d == d ? (double)d : 0);                                              \
            some |= (a != a) | (b != b) | (c != c) | (d != d);                                     \
        }                                                                                          \
        return some != 0;                                                                          \
    }

SUM_OF_FLOATS(f32, float)
SUM_OF_FLOATS(f64, double)

/* ---- sums of integers ---- */

/* WIDE holds the sum of BLOCK cells. */
enum { BLOCK = 1024 };

#define SUM_OF_INTEGERS(name, TYPE, WIDE)                                                    \
    XTA__CLONES static WIDE block_sum_##name(const TYPE *cells, size_t n, bool has, TYPE m)  \
    {                                                                                        \
        WIDE sum = 0;                                                                        \
        if (!has) {                                                                          \
            for (size_t k = 0; k < n; k++) {                                                 \
                sum += cells[k];                                                             \
            }                                                                                \
            return sum;                                                                      \
        }                                                                                    \
        for (size_t k = 0; k < n; k++) {                                                     \
            sum += cells[k] == m ? 0 : cells[k];                                             \
        }                                                                                    \
        return sum;                                                                          \
    }                                                                                        \
    static void exact_along_##name(xta__exact *sum, const void *cells, size_t n,             \
                                   const void *missing)                                      \
    {                                                                                        \
        TYPE m = missing != NULL ? *(const TYPE *)missing : 0;                               \
        for (size_t from = 0; from < n; from += BLOCK) {                                     \
            size_t count = n - from < BLOCK ? n - from : BLOCK;                              \
            *sum += block_sum_##name((const TYPE *)cells + from, count, missing != NULL, m); \
        }                                                                                    \
    }                                                                                        \
    static void exact_across_##name(xta__exact *sums, const void *row, size_t n,             \
                                    const void *missing)                                     \
    {                                                                                        \
        const TYPE *cells = row;                                                             \
        bool has = missing != NULL;                                                          \
        TYPE m = has ? *(const TYPE *)missing : 0;                                           \
        for (size_t k = 0; k < n; k++) {                                                     \
            sums[k] += has && cells[k] == m ? 0 : cells[k];                                  \
        }                                                                                    \
    }

SUM_OF_INTEGERS(i8, int8_t, int64_t)
SUM_OF_INTEGERS(u8, uint8_t, uint64_t)
SUM_OF_INTEGERS(i16, int16_t, int64_t)
SUM_OF_INTEGERS(u16, uint16_t, uint64_t)
SUM_OF_INTEGERS(i32, int32_t, int64_t)
SUM_OF_INTEGERS(u32, uint32_t, uint64_t)
SUM_OF_INTEGERS(i64, int64_t, xta__exact)
SUM_OF_INTEGERS(u64, uint64_t, xta__exact)

/* ---- everything else ---- */

#define OTHER_KERNELS(name, TYPE, LEAST, MOST)                                                     \
    static void excluded_along_##name(const void *row, size_t n, const void *missing,              \
                                      xta__excluded *all)                                          \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        for (size_t k = 0; k < n; k++) {                                                           \
            all->n += !COUNTS(cells[k], has, m);                                                   \
            all->n_missing += has && cells[k] == m;                                                \
        }                                                                                          \
    }                                                                                              \
    static void excluded_across_##name(const void *row, size_t n, const void *missing,             \
                                       uint64_t *excluded, uint64_t *n_missing)                    \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        for (size_t k = 0; k < n; k++) {                                                           \
            excluded[k] += !COUNTS(cells[k], has, m);                                              \
            n_missing[k] += has && cells[k] == m;                                                  \
        }                                                                                          \
    }                                                                                              \
    XTA__CLONES static void range_along_##name(void *least, void *most, const void *row, size_t n, \
                                               const void *missing)                                \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        TYPE lo[XTA__LANES], hi[XTA__LANES];                                                       \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        size_t whole = n / XTA__LANES * XTA__LANES;                                                \
        for (int j = 0; j < XTA__LANES; j++) {                                                     \
            lo[j] = *(TYPE *)least;                                                                \
            hi[j] = *(TYPE *)most;                                                                 \
        }                                                                                          \
        for (size_t k = 0; k < whole; k += XTA__LANES) {                                           \
            for (int j = 0; j < XTA__LANES; j++) {                                                 \
                TYPE v = cells[k + j];                                                             \
                bool counts = !(has && v == m);                                                    \
                lo[j] = counts && v < lo[j] ? v : lo[j];                                           \
                hi[j] = counts && v > hi[j] ? v : hi[j];                                           \
            }                                                                                      \
        }                                                                                          \
        for (size_t k = whole; k < n; k++) {                                                       \
            TYPE v = cells[k];                                                                     \
            bool counts = !(has && v == m);                                                        \
            lo[0] = counts && v < lo[0] ? v : lo[0];                                               \
            hi[0] = counts && v > hi[0] ? v : hi[0];                                               \
        }                                                                                          \
        for (int j = 1; j < XTA__LANES; j++) {                                                     \
            lo[0] = lo[j] < lo[0] ? lo[j] : lo[0];                                                 \
            hi[0] = hi[j] > hi[0] ? hi[j] : hi[0];                                                 \
        }                                                                                          \
        *(TYPE *)least = lo[0];                                                                    \
        *(TYPE *)most = hi[0];                                                                     \
    }                                                                                              \
    XTA__CLONES static void range_across_##name(void *least, void *most, const void *row,          \
                                                size_t n, const void *missing)                     \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        TYPE *lo = least, *hi = most;                                                              \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        for (size_t k = 0; k < n; k++) {                                                           \
            TYPE v = cells[k];                                                                     \
            bool counts = !(has && v == m);                                                        \
            lo[k] = counts && v < lo[k] ? v : lo[k];                                               \
            hi[k] = counts && v > hi[k] ? v : hi[k];                                               \
        }                                                                                          \
    }                                                                                              \
    XTA__CLONES static void widen_##name(double *out, const void *row, size_t n,                   \
                                         const void *missing)                                      \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        for (size_t k = 0; k < n; k++) {                                                           \
            out[k] = has && cells[k] == m ? (double)NAN : (double)cells[k];                        \
        }                                                                                          \
    }                                                                                              \
    static void range_begin_##name(void *least, void *most, size_t n)                              \
    {                                                                                              \
        for (size_t k = 0; k < n; k++) {                                                           \
            ((TYPE *)least)[k] = (MOST);                                                           \
            ((TYPE *)most)[k] = (LEAST);                                                           \
        }                                                                                          \
    }                                                                                              \
    static void range_merge_##name(void *least, void *most, const void *least_of,                  \
                                   const void *most_of, size_t n)                                  \
    {                                                                                              \
        for (size_t k = 0; k < n; k++) {                                                           \
            TYPE lo = ((const TYPE *)least_of)[k], hi = ((const TYPE *)most_of)[k];                \
            ((TYPE *)least)[k] = lo < ((TYPE *)least)[k] ? lo : ((TYPE *)least)[k];                \
            ((TYPE *)most)[k] = hi > ((TYPE *)most)[k] ? hi : ((TYPE *)most)[k];                   \
        }                                                                                          \
    }

OTHER_KERNELS(i8, int8_t, INT8_MIN, INT8_MAX)
OTHER_KERNELS(u8, uint8_t, 0, UINT8_MAX)
OTHER_KERNELS(i16, int16_t, INT16_MIN, INT16_MAX)
OTHER_KERNELS(u16, uint16_t, 0, UINT16_MAX)
OTHER_KERNELS(i32, int32_t, INT32_MIN, INT32_MAX)
OTHER_KERNELS(u32, uint32_t, 0, UINT32_MAX)
OTHER_KERNELS(i64, int64_t, INT64_MIN, INT64_MAX)
OTHER_KERNELS(u64, uint64_t, 0, UINT64_MAX)
OTHER_KERNELS(f32, float, -INFINITY, INFINITY)
OTHER_KERNELS(f64, double, -INFINITY, INFINITY)

/* ---- the table ---- */

#define OTHERS(name)                                                                               \
    .excluded_along = excluded_along_##name, .excluded_across = excluded_across_##name,            \
    .range_along = range_along_##name, .range_across = range_across_##name, .widen = widen_##name, \
    .range_begin = range_begin_##name, .range_merge = range_merge_##name
#define OF_FLOATS(ID, name)                                                                        \
    {                                                                                              \
        .type = (ID), .kind = 'f', .sum_along = sum_along_##name, .sum_across = sum_across_##name, \
        OTHERS(name)                                                                               \
    }
#define OF_INTEGERS(ID, KIND, name)                                      \
    {                                                                    \
        .type = (ID), .kind = (KIND), .exact_along = exact_along_##name, \
        .exact_across = exact_across_##name, OTHERS(name)                \
    }

static const xta__kernels table[] = {
    OF_INTEGERS(XTA_BOOL, 'u', u8), OF_INTEGERS(XTA_I8, 'i', i8),   OF_INTEGERS(XTA_U8, 'u', u8),
    OF_INTEGERS(XTA_I16, 'i', i16), OF_INTEGERS(XTA_U16, 'u', u16), OF_INTEGERS(XTA_I32, 'i', i32),
    OF_INTEGERS(XTA_U32, 'u', u32), OF_INTEGERS(XTA_I64, 'i', i64), OF_INTEGERS(XTA_U64, 'u', u64),
    OF_FLOATS(XTA_F32, f32),        OF_FLOATS(XTA_F64, f64)};

const xta__kernels *xta__kernels_of(xta_type type)
{
    type = type == XTA_F16 ? XTA_F32 : type;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        if (table[k].type == type) {
            return &table[k];
        }
    }
    return NULL;
}
