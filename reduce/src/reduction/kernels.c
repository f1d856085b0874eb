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
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "util/clones.h"

static inline double fold_lanes(const double *l, size_t stride)
{
    return ((l[0] + l[4 * stride]) + (l[2 * stride] + l[6 * stride])) +
           ((l[stride] + l[5 * stride]) + (l[3 * stride] + l[7 * stride]));
}

double xta__fold_lanes(const double lanes[XTA__LANES])
{
    return fold_lanes(lanes, 1);
}

XTA__CLONES static void fold_across(const double *restrict lanes, size_t n, double *restrict sums)
{
    for (size_t k = 0; k < n; k++) {
        sums[k] = fold_lanes(lanes + k, n);
    }
}

void xta__fold_lanes_across(const double *lanes, size_t n, double *sums)
{
    fold_across(lanes, n, sums);
}

/* Whether a cell counts; for integers the first comparison is always true. */
#define COUNTS(v, has, m) ((v) == (v) && !((has) && (v) == (m)))

/* ---- sums of floats ---- */

/* Vectors as wide as the registers; the lanes are in several of them. */
typedef double doubles2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double doubles4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t masks2 __attribute__((vector_size(16)));
typedef int64_t masks4 __attribute__((vector_size(32)));
typedef float f32_cells2 __attribute__((vector_size(8), aligned(4), may_alias));

/* W cells as doubles. The compiler converts wide vectors in halves, so that is said by name. */
static inline doubles2 widen_f32_2(const float *cells)
{
    return __builtin_convertvector(*(const f32_cells2 *)cells, doubles2);
}

static inline doubles2 widen_f64_2(const double *cells)
{
    return *(const doubles2 *)cells;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline doubles4 widen_f32_4(const float *cells)
{
    return (doubles4)_mm256_cvtps_pd(_mm_loadu_ps(cells));
}

__attribute__((target("avx2"))) static inline doubles4 widen_f64_4(const double *cells)
{
    return *(const doubles4 *)cells;
}
#endif

/* For one width W of registers: a row in whole vectors whose first cell belongs to lane 0, and
 * `n_rows` rows of cells that belong to n sums, NaN left out. */
#define ADD_VECTORS(name, TYPE, W, TARGET)                                                         \
    TARGET static void add_along_##name##_##W(double *lanes, const TYPE *cells, size_t n)          \
    {                                                                                              \
        doubles##W sum[XTA__LANES / W];                                                            \
        for (int j = 0; j < XTA__LANES / W; j++) {                                                 \
            sum[j] = *(doubles##W *)(lanes + j * W);                                               \
        }                                                                                          \
        for (size_t k = 0; k < n; k += XTA__LANES) {                                               \
            for (int j = 0; j < XTA__LANES / W; j++) {                                             \
                sum[j] += widen_##name##_##W(cells + k + j * W);                                   \
            }                                                                                      \
        }                                                                                          \
        for (int j = 0; j < XTA__LANES / W; j++) {                                                 \
            *(doubles##W *)(lanes + j * W) = sum[j];                                               \
        }                                                                                          \
    }                                                                                              \
    TARGET static inline __attribute__((always_inline)) bool add_rows_##name##_##W(                \
        double *sums, const TYPE *const rows[], int n_rows, size_t n)                              \
    {                                                                                              \
        masks##W all;                                                                              \
        int64_t some = 0;                                                                          \
        size_t k = 0;                                                                              \
        memset(&all, -1, sizeof all);                                                              \
        for (; k + W <= n; k += W) {                                                               \
            doubles##W sum = *(doubles##W *)(sums + k);                                            \
            for (int j = 0; j < n_rows; j++) {                                                     \
                doubles##W v = widen_##name##_##W(rows[j] + k);                                    \
                masks##W counts = (masks##W)(v == v);                                              \
                all &= counts;                                                                     \
                sum += (doubles##W)((masks##W)v & counts);                                         \
            }                                                                                      \
            *(doubles##W *)(sums + k) = sum;                                                       \
        }                                                                                          \
        for (int j = 0; j < W; j++) {                                                              \
            some |= ~all[j];                                                                       \
        }                                                                                          \
        for (; k < n; k++) {                                                                       \
            for (int j = 0; j < n_rows; j++) {                                                     \
                bool counts = rows[j][k] == rows[j][k];                                            \
                sums[k] += counts ? (double)rows[j][k] : 0;                                        \
                some |= !counts;                                                                   \
            }                                                                                      \
        }                                                                                          \
        return some != 0;                                                                          \
    }                                                                                              \
    TARGET static bool add_across_##name##_##W(double *sums, const TYPE *const rows[], int n_rows, \
                                               size_t n)                                           \
    {                                                                                              \
        switch (n_rows) {                                                                          \
        case 1:                                                                                    \
            return add_rows_##name##_##W(sums, rows, 1, n);                                        \
        case 2:                                                                                    \
            return add_rows_##name##_##W(sums, rows, 2, n);                                        \
        case 3:                                                                                    \
            return add_rows_##name##_##W(sums, rows, 3, n);                                        \
        default:                                                                                   \
            return add_rows_##name##_##W(sums, rows, 4, n);                                        \
        }                                                                                          \
    }

ADD_VECTORS(f32, float, 2, )
ADD_VECTORS(f64, double, 2, )
#if defined(__x86_64__)
#define HAS_WIDE __builtin_cpu_supports("avx2")
ADD_VECTORS(f32, float, 4, __attribute__((target("avx2"))))
ADD_VECTORS(f64, double, 4, __attribute__((target("avx2"))))
#else
#define HAS_WIDE         0
#define add_along_f32_4  add_along_f32_2
#define add_along_f64_4  add_along_f64_2
#define add_across_f32_4 add_across_f32_2
#define add_across_f64_4 add_across_f64_2
#endif

#define SUM_OF_FLOATS(name, TYPE)                                                               \
    static void add_cells_##name(double *lanes, const TYPE *cells, size_t n, unsigned lane,     \
                                 const TYPE *missing, xta__excluded *excluded)                  \
    {                                                                                           \
        bool has = missing != NULL;                                                             \
        TYPE m = has ? *missing : 0;                                                            \
        for (size_t k = 0; k < n; k++) {                                                        \
            bool counts = COUNTS(cells[k], has, m);                                             \
            lanes[(lane + k) % XTA__LANES] += counts ? (double)cells[k] : 0;                    \
            excluded->n += !counts;                                                             \
            excluded->n_missing += has && cells[k] == m;                                        \
        }                                                                                       \
    }                                                                                           \
    static void sum_along_##name(double lanes[XTA__LANES], const void *row, size_t n,           \
                                 unsigned lane, const void *missing, xta__excluded *excluded)   \
    {                                                                                           \
        const TYPE *cells = row;                                                                \
        double before[XTA__LANES];                                                              \
        if (missing != NULL) {                                                                  \
            add_cells_##name(lanes, cells, n, lane, missing, excluded);                         \
            return;                                                                             \
        }                                                                                       \
        memcpy(before, lanes, sizeof before);                                                   \
        size_t head = (XTA__LANES - lane) % XTA__LANES;                                         \
        head = head < n ? head : n;                                                             \
        for (size_t k = 0; k < head; k++) {                                                     \
            lanes[lane + k] += (double)cells[k];                                                \
        }                                                                                       \
        size_t body = (n - head) / XTA__LANES * XTA__LANES;                                     \
        if (HAS_WIDE) {                                                                         \
            add_along_##name##_4(lanes, cells + head, body);                                    \
        } else {                                                                                \
            add_along_##name##_2(lanes, cells + head, body);                                    \
        }                                                                                       \
        for (size_t k = head + body; k < n; k++) {                                              \
            lanes[k - head - body] += (double)cells[k];                                         \
        }                                                                                       \
        if (isnan(fold_lanes(lanes, 1))) {                                                      \
            memcpy(lanes, before, sizeof before);                                               \
            add_cells_##name(lanes, cells, n, lane, NULL, excluded);                            \
        }                                                                                       \
    }                                                                                           \
    static bool sum_across_##name(double *sums, const void *const rows[], int n_rows, size_t n, \
                                  const void *missing)                                          \
    {                                                                                           \
        const TYPE *r[XTA__FUSED_ROWS];                                                         \
        bool some = false;                                                                      \
        for (int j = 0; j < XTA__FUSED_ROWS; j++) {                                             \
            r[j] = rows[j < n_rows ? j : 0];                                                    \
        }                                                                                       \
        if (missing == NULL) {                                                                  \
            return HAS_WIDE ? add_across_##name##_4(sums, r, n_rows, n)                         \
                            : add_across_##name##_2(sums, r, n_rows, n);                        \
        }                                                                                       \
        TYPE m = *(const TYPE *)missing;                                                        \
        for (int j = 0; j < n_rows; j++) {                                                      \
            for (size_t k = 0; k < n; k++) {                                                    \
                bool counts = COUNTS(r[j][k], true, m);                                         \
                sums[k] += counts ? (double)r[j][k] : 0;                                        \
                some |= !counts;                                                                \
            }                                                                                   \
        }                                                                                       \
        return some;                                                                            \
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
    XTA__CLONES static bool any_excluded_##name(const TYPE *cells, size_t n, bool has, TYPE m)     \
    {                                                                                              \
        int some = 0;                                                                              \
        for (size_t k = 0; k < n; k++) {                                                           \
            some |= !COUNTS(cells[k], has, m);                                                     \
        }                                                                                          \
        return some != 0;                                                                          \
    }                                                                                              \
    static void excluded_across_##name(const void *row, size_t n, const void *missing,             \
                                       uint64_t *excluded, uint64_t *n_missing)                    \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        if (!any_excluded_##name(cells, n, has, m)) {                                              \
            return;                                                                                \
        }                                                                                          \
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
    XTA__CLONES static bool range_across_##name(void *least, void *most, const void *row,          \
                                                size_t n, const void *missing)                     \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        TYPE *lo = least, *hi = most;                                                              \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        int some = 0;                                                                              \
        for (size_t k = 0; k < n; k++) {                                                           \
            TYPE v = cells[k];                                                                     \
            bool counts = !(has && v == m);                                                        \
            some |= !COUNTS(v, has, m);                                                            \
            lo[k] = counts && v < lo[k] ? v : lo[k];                                               \
            hi[k] = counts && v > hi[k] ? v : hi[k];                                               \
        }                                                                                          \
        return some != 0;                                                                          \
    }                                                                                              \
    XTA__CLONES static bool widen_##name(double *out, const void *row, size_t n,                   \
                                         const void *missing)                                      \
    {                                                                                              \
        const TYPE *cells = row;                                                                   \
        bool has = missing != NULL;                                                                \
        TYPE m = has ? *(const TYPE *)missing : 0;                                                 \
        int some = 0;                                                                              \
        for (size_t k = 0; k < n; k++) {                                                           \
            out[k] = has && cells[k] == m ? (double)NAN : (double)cells[k];                        \
            some |= !COUNTS(cells[k], has, m);                                                     \
        }                                                                                          \
        return some != 0;                                                                          \
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
