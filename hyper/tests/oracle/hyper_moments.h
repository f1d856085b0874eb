/* Moments by their definitions, in long double, pixel by pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ORACLE_HYPER_MOMENTS_H
#define XTA_TESTS_ORACLE_HYPER_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct naive_moments {
    uint64_t n, n_pairs;
    double *mean;        // n_bands
    double *covariance;  // n_bands x n_bands, like the two below
    double *correlation; // about the origin
    double *noise;       // half the covariance of differences between neighbours in a line
} naive_moments;

/* Moments of lines x samples x bands; `valid` says which pixels count. */
void naive_moments_of(const double *pixels, const unsigned char *valid, size_t n_lines,
                      size_t n_samples, size_t n_bands, naive_moments *m);
void naive_moments_clear(naive_moments *m);

#endif
