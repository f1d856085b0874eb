/* Products of pixels with vectors.
 *
 * Definition: (x - centre) . v for each pixel x and each vector v. The naive version converts a
 * pixel to doubles, subtracts the centre, stores the difference and passes over it once for each
 * vector.
 *
 * Here the difference serves up to four vectors as soon as it is computed, and no row of it is
 * stored. So the time does not depend on where in memory that row happened to be: a load that has
 * the low twelve address bits of a recent store waits for it. Each number has the bits of xta__dot
 * (reproducible_dot.h) whatever is computed together with it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/pixels/pixel_products.h"

#include "numeric/reproducible_dot.h"
#include "util/clones.h"

enum { AT_ONCE = 4 };

/* out[i] = sum over k of x[k] v[i][k] with x = cells - centre, for n_vectors <= AT_ONCE. Without
 * vectors: out[0] = sum of x[k]^2. */
typedef void sums_function(size_t n, const void *cells, const double *centre,
                           const double *const v[], size_t n_vectors, double out[]);

/* Eight cells as doubles. gcc converts integers of 8 and 16 bits one by one, but those of 32 bits
 * eight at a time. */
typedef int32_t eight_integers __attribute__((vector_size(DOT_WIDTH * sizeof(int32_t))));
#define BY_INTEGERS(v) \
    __builtin_convertvector(__builtin_convertvector(v, eight_integers), dot_vector)
#define DIRECTLY(v) __builtin_convertvector(v, dot_vector)

/* sums_of_NAME for a constant number of vectors, for which the compiler makes loops without
 * branches; sums_NAME selects one of them. */
#define SUMS(name, TYPE, TO_DOUBLES)                                                              \
    typedef TYPE eight_##name                                                                     \
        __attribute__((vector_size(DOT_WIDTH * sizeof(TYPE)), aligned(sizeof(TYPE)), may_alias)); \
                                                                                                  \
    static inline __attribute__((always_inline)) void sums_of_##name(                             \
        size_t n, const TYPE *cells, const double *centre, const double *const v[],               \
        size_t n_vectors, double out[])                                                           \
    {                                                                                             \
        dot_vector sum[AT_ONCE] = {{0}};                                                          \
        size_t n_sums = n_vectors > 0 ? n_vectors : 1, k = 0;                                     \
                                                                                                  \
        for (; k + DOT_WIDTH <= n; k += DOT_WIDTH) {                                              \
            dot_vector x = TO_DOUBLES(*(const eight_##name *)(cells + k));                        \
            x -= *(const dot_vector *)(centre + k);                                               \
            for (size_t i = 0; i < n_sums; i++) {                                                 \
                sum[i] += x * (n_vectors > 0 ? *(const dot_vector *)(v[i] + k) : x);              \
            }                                                                                     \
        }                                                                                         \
        for (size_t l = 0; k + l < n; l++) {                                                      \
            double x = (double)cells[k + l] - centre[k + l];                                      \
            for (size_t i = 0; i < n_sums; i++) {                                                 \
                sum[i][l] += x * (n_vectors > 0 ? v[i][k + l] : x);                               \
            }                                                                                     \
        }                                                                                         \
        for (size_t i = 0; i < n_sums; i++) {                                                     \
            out[i] = DOT_SUM(sum[i]);                                                             \
        }                                                                                         \
    }                                                                                             \
                                                                                                  \
    XTA__CLONES static void sums_##name(size_t n, const void *cells, const double *centre,        \
                                        const double *const v[], size_t n_vectors, double out[])  \
    {                                                                                             \
        switch (n_vectors) {                                                                      \
        case 0:                                                                                   \
            sums_of_##name(n, cells, centre, v, 0, out);                                          \
            break;                                                                                \
        case 1:                                                                                   \
            sums_of_##name(n, cells, centre, v, 1, out);                                          \
            break;                                                                                \
        case 2:                                                                                   \
            sums_of_##name(n, cells, centre, v, 2, out);                                          \
            break;                                                                                \
        case 3:                                                                                   \
            sums_of_##name(n, cells, centre, v, 3, out);                                          \
            break;                                                                                \
        default:                                                                                  \
            sums_of_##name(n, cells, centre, v, AT_ONCE, out);                                    \
        }                                                                                         \
    }
SUMS(i8, int8_t, BY_INTEGERS)
SUMS(u8, uint8_t, BY_INTEGERS)
SUMS(i16, int16_t, BY_INTEGERS)
SUMS(u16, uint16_t, BY_INTEGERS)
SUMS(f32, float, DIRECTLY)
SUMS(f64, double, DIRECTLY)

/* For the types in which a scene keeps strips; see scene/cells.c. */
static sums_function *sums_for(xta_type type)
{
    switch (type) {
    case XTA_I8:
        return sums_i8;
    case XTA_U8:
        return sums_u8;
    case XTA_I16:
        return sums_i16;
    case XTA_U16:
        return sums_u16;
    case XTA_F32:
        return sums_f32;
    default:
        return sums_f64;
    }
}

/* Products of one pixel, minus the centre, with the vectors: number `k` of each column. */
static void pixel_sums(sums_function *sums, size_t n_dims, const pixel_products *p,
                       const void *cells, size_t k, double *columns)
{
    const double *vectors[AT_ONCE];
    size_t column[AT_ONCE];
    size_t n = 0;

    for (size_t v = 0; v < p->n; v++) {
        if (p->vectors[v] == NULL) {
            columns[p->columns[v] * BLOCK_PIXELS + k] = 0;
        } else {
            vectors[n] = p->vectors[v];
            column[n++] = p->columns[v];
        }
        if (n == AT_ONCE || (n > 0 && v + 1 == p->n)) {
            double out[AT_ONCE];
            sums(n_dims, cells, p->centre, vectors, n, out);
            for (size_t i = 0; i < n; i++) {
                columns[column[i] * BLOCK_PIXELS + k] = out[i];
            }
            n = 0;
        }
    }
}

void xta__pixel_products(const pixel_source *f, const pixel_block *block, const pixel_products *p)
{
    sums_function *sums = sums_for(f->type);

    for (size_t k = 0; k < block->n; k++) {
        size_t pixel = block->first + k;
        const unsigned char *cells = block->cells + pixel / block->width * block->line_bytes +
                                     pixel % block->width * block->pixel_bytes;
        if (p->square_wanted) {
            sums(f->n_dims, cells, p->centre, NULL, 0,
                 &block->columns[p->square * BLOCK_PIXELS + k]);
        }
        pixel_sums(sums, f->n_dims, p, cells, k, block->columns);
    }
}
