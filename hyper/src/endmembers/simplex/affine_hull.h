/* The affine hull of some endmembers, and how far pixels are from it.
 *
 * Symbols: c is the centre, a point that never changes during a selection; f_k = e_k - c. Pixels
 * come as columns of |x - c|^2 and of the products (x - c) . f_k.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_AFFINE_HULL_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_AFFINE_HULL_H

#include <stdbool.h>
#include <stddef.h>

enum { HULL_VERTICES = 1024 };

typedef struct affine_hull {
    size_t n;          // vertices
    double *lower;     // (n - 1) x (n - 1): L L^T = products of e_k - e_0, k >= 1
    double *inverse;   // 1 / L_kk
    double *offset;    // n - 1: (e_k - e_0) . (e_0 - c)
    double *height;    // n: squared height of each vertex above the others
    double square;     // |e_0 - c|^2
    double log_volume; // natural logarithm; 0 for one vertex, -infinity if it is flat
    double *memory;
} affine_hull;

/* Set up the hull of n >= 1 vertices f_k. False if out of memory. */
bool xta__affine_hull_init(affine_hull *h, size_t n, size_t n_dims, const double *const f[]);
void xta__affine_hull_clear(affine_hull *h);

/* The squared distance of each pixel from the hull. `columns` has a column every `stride` numbers,
 * with pixels in groups of DOT_WIDTH: column `square` is |x - c|^2, columns product[k] are the
 * products with the vertices. */
void xta__affine_hull_distances(const affine_hull *h, const double *columns, size_t stride,
                                size_t n_pixels, size_t square, const size_t product[],
                                double *distances);
/* For each vertex k, the squared distance of each pixel i from the hull of the other vertices:
 * gains[k * stride + i]. With b the barycentric coordinates of the pixel's foot in the hull, h the
 * heights and r the distance from the hull, that is (b_k h_k)^2 + r^2. */
void xta__affine_hull_gains(const affine_hull *h, const double *columns, size_t stride,
                            size_t n_pixels, size_t square, const size_t product[], double *gains);

#endif
