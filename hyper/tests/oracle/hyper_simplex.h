/* Endmembers by the naive method: every score of every pixel is computed anew for every position.
 *
 * Pixels are n x d doubles, row-major; `valid` selects the pixels that are used (NULL: all). Ties
 * go to the lowest pixel. Up to ORACLE_SIMPLEX_MOST endmembers and ORACLE_SIMPLEX_DIMS dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ORACLE_HYPER_SIMPLEX_H
#define XTA_TESTS_ORACLE_HYPER_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_SIMPLEX_MOST = 24, ORACLE_SIMPLEX_DIMS = 256 };

/* The squared distance of x from the affine hull of m >= 1 points, by orthogonalisation in the
 * space itself. */
double oracle_hull_distance(size_t d, size_t m, const double *const points[], const double *x);

/* Simplex growing. Returns how many were found; fewer than p if all other pixels lie within 1e-6 of
 * the largest distance from the first to a pixel; 0 without a valid pixel. */
size_t oracle_sga(size_t n, size_t d, const double *pixels, const unsigned char *valid, size_t p,
                  size_t chosen[]);

/* Vertex component analysis with p directions of d numbers, each used in the part that is
 * orthogonal to the affine hull of what was chosen. Returns how many were found. */
size_t oracle_vca(size_t n, size_t d, const double *pixels, const unsigned char *valid, size_t p,
                  const double *directions, size_t chosen[]);

/* The logarithm of the volume of a simplex times (p - 1)!. */
double oracle_log_volume(size_t d, const double *pixels, size_t p, const size_t chosen[]);

/* Exchange sweeps in any number of dimensions, by distances; `chosen` is the start and the result.
 * Returns the number of sweeps. */
size_t oracle_nfindr(size_t n, size_t d, const double *pixels, const unsigned char *valid, size_t p,
                     size_t chosen[]);

/* Exchange sweeps where d == p - 1, by the determinants of Winter's matrix. */
size_t oracle_nfindr_determinants(size_t n, size_t d, const double *pixels,
                                  const unsigned char *valid, size_t p, size_t chosen[]);

/* Pixel purity: counts[n]. `threshold` is in units of the pixels, along skewers of unit length. */
void oracle_ppi(size_t n, size_t d, const double *pixels, const unsigned char *valid,
                size_t n_skewers, const double *skewers, double threshold, uint64_t counts[]);

#endif
