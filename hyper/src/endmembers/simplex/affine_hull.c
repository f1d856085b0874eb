/* Distances of pixels from the affine hull of some endmembers.
 *
 * With U the vectors e_k - e_0 (k >= 1) as rows, let U U^T = L L^T. A pixel x has
 *
 *     z = L^-1 U (x - e_0)            its coordinates in an orthonormal frame of the hull,
 *     r^2 = |x - e_0|^2 - |z|^2       its squared distance from the hull,
 *     b_k = (L^-T z)_k, b_0 = 1 - sum of b_k   the barycentric coordinates of its foot.
 *
 * The squared height of e_k above the other vertices is 1 / (G^-1)_kk with G = U U^T, and that of
 * e_0 is 1 / (sum of all entries of G^-1).
 *
 * N-FINDR is defined by the volume of the simplex, naively a determinant for each pixel and each
 * vertex [WINTER99]. But replacing e_k by x multiplies the volume by the distance of x from the
 * hull of the others, divided by the height of e_k, so the largest gain makes the largest simplex,
 * in any number of dimensions. All positions together cost two triangular solves for each pixel.
 * Eight pixels are processed together, each in its own element of a vector, so that their bits do
 * not depend on their neighbours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/affine_hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/reproducible_dot.h"
#include "util/clones.h"

#define INLINED static inline __attribute__((always_inline))

/* Compute L from the products g of f_k, in place; false if the hull is flat. */
static bool factor_products(affine_hull *h, const double *g)
{
    size_t n = h->n, m = n - 1;

    h->log_volume = 0;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = g[(i + 1) * n + j + 1] - g[(i + 1) * n] - g[(j + 1) * n] + g[0];
            for (size_t k = 0; k < j; k++) {
                sum -= h->lower[i * m + k] * h->lower[j * m + k];
            }
            h->lower[i * m + j] = i == j ? sqrt(sum) : sum * h->inverse[j];
            if (i == j && !(sum > 0)) {
                return false;
            }
        }
        h->inverse[i] = 1 / h->lower[i * m + i];
        h->log_volume += log(h->lower[i * m + i]) - log((double)(i + 1));
    }
    return true;
}

/* Compute the heights from L^-1, one column at a time; `column` and `sums` have space for m
 * numbers. */
static void find_heights(affine_hull *h, double *column, double *sums)
{
    size_t m = h->n - 1;
    double all = 0;

    for (size_t i = 0; i < m; i++) {
        sums[i] = 0;
    }
    for (size_t k = 0; k < m; k++) {
        double square = 0;
        for (size_t i = k; i < m; i++) {
            double sum = i == k ? 1 : 0;
            for (size_t j = k; j < i; j++) {
                sum -= h->lower[i * m + j] * column[j];
            }
            column[i] = sum * h->inverse[i];
            square += column[i] * column[i];
            sums[i] += column[i];
        }
        h->height[k + 1] = 1 / square;
    }
    for (size_t i = 0; i < m; i++) {
        all += sums[i] * sums[i];
    }
    h->height[0] = m > 0 ? 1 / all : 0;
}

bool xta__affine_hull_init(affine_hull *h, size_t n, size_t n_dims, const double *const f[])
{
    size_t m = n - 1;
    double *g = calloc(n * n, sizeof *g);

    *h = (affine_hull){.n = n};
    h->memory = malloc((m * m + 5 * n) * sizeof *h->memory);
    if (g == NULL || h->memory == NULL) {
        free(g);
        xta__affine_hull_clear(h);
        return false;
    }
    h->lower = h->memory;
    h->inverse = h->lower + m * m;
    h->offset = h->inverse + n;
    h->height = h->offset + n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            g[i * n + j] = g[j * n + i] = xta__dot(n_dims, f[i], f[j]);
        }
    }
    h->square = g[0];
    for (size_t k = 0; k < m; k++) {
        h->offset[k] = g[(k + 1) * n] - g[0];
    }
    if (factor_products(h, g)) {
        find_heights(h, h->height + n, h->height + 2 * n);
    } else {
        // No distance exceeds infinity, so a flat hull is never changed.
        h->log_volume = -INFINITY;
        memset(h->lower, 0, m * m * sizeof *h->lower);
        for (size_t k = 0; k < n; k++) {
            h->inverse[k] = 0;
            h->height[k] = INFINITY;
        }
    }
    free(g);
    return true;
}

void xta__affine_hull_clear(affine_hull *h)
{
    free(h->memory);
    *h = (affine_hull){0};
}

#define AT(column) (*(const dot_vector *)(columns + (column)*stride + pixel))

/* z and r^2 of eight pixels. */
INLINED void frame_coordinates(const affine_hull *h, const double *columns, size_t stride,
                               size_t pixel, size_t square, const size_t product[], dot_vector *z,
                               dot_vector *rest)
{
    size_t m = h->n - 1;
    dot_vector first = AT(product[0]);
    dot_vector r = AT(square) - 2 * first + h->square;

    for (size_t k = 0; k < m; k++) {
        z[k] = AT(product[k + 1]) - first - h->offset[k];
    }
    for (size_t q = 0; q < m; q++) {
        dot_vector own = z[q] * h->inverse[q];
        z[q] = own;
        r -= own * own;
        for (size_t k = q + 1; k < m; k++) {
            z[k] -= h->lower[k * m + q] * own;
        }
    }
    *rest = r;
}

XTA__CLONES void xta__affine_hull_distances(const affine_hull *h, const double *columns,
                                            size_t stride, size_t n_pixels, size_t square,
                                            const size_t product[], double *distances)
{
    dot_vector z[HULL_VERTICES];

    for (size_t pixel = 0; pixel < n_pixels; pixel += DOT_WIDTH) {
        frame_coordinates(h, columns, stride, pixel, square, product, z,
                          (dot_vector *)(distances + pixel));
    }
}

XTA__CLONES void xta__affine_hull_gains(const affine_hull *h, const double *columns, size_t stride,
                                        size_t n_pixels, size_t square, const size_t product[],
                                        double *gains)
{
    dot_vector b[HULL_VERTICES];
    size_t m = h->n - 1;

    for (size_t pixel = 0; pixel < n_pixels; pixel += DOT_WIDTH) {
        dot_vector rest, sum = {0};
        frame_coordinates(h, columns, stride, pixel, square, product, b, &rest);
        for (size_t l = 0; l < DOT_WIDTH; l++) {
            rest[l] = rest[l] > 0 ? rest[l] : 0;
        }
        for (size_t q = m; q-- > 0;) {
            dot_vector own = b[q] * h->inverse[q];
            sum += own;
            *(dot_vector *)(gains + (q + 1) * stride + pixel) = own * own * h->height[q + 1] + rest;
            for (size_t k = 0; k < q; k++) {
                b[k] -= h->lower[q * m + k] * own;
            }
        }
        *(dot_vector *)(gains + pixel) = (1 - sum) * (1 - sum) * h->height[0] + rest;
    }
}
