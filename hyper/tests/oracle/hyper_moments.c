/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/hyper_moments.h"

#include <stdlib.h>

/* Mean and covariance of n vectors in two passes: the definition. */
static void two_passes(const double *x, size_t n, size_t n_bands, double *mean, double *covariance)
{
    for (size_t i = 0; i < n_bands; i++) {
        long double sum = 0;
        for (size_t k = 0; k < n; k++) {
            sum += x[k * n_bands + i];
        }
        mean[i] = (double)(sum / (long double)n);
    }
    for (size_t i = 0; i < n_bands; i++) {
        for (size_t j = 0; j < n_bands; j++) {
            long double mean_i = 0, mean_j = 0, sum = 0;
            for (size_t k = 0; k < n; k++) {
                mean_i += x[k * n_bands + i];
                mean_j += x[k * n_bands + j];
            }
            mean_i /= (long double)n;
            mean_j /= (long double)n;
            for (size_t k = 0; k < n; k++) {
                sum += (x[k * n_bands + i] - mean_i) * (x[k * n_bands + j] - mean_j);
            }
            covariance[i * n_bands + j] = (double)(sum / (long double)(n - 1));
        }
    }
}

void naive_moments_of(const double *pixels, const unsigned char *valid, size_t n_lines,
                      size_t n_samples, size_t n_bands, naive_moments *m)
{
    size_t most = n_lines * n_samples, square = n_bands * n_bands;
    double *x = malloc((most + 1) * n_bands * sizeof *x);
    double *d = malloc((most + 1) * n_bands * sizeof *d);
    double *spare = malloc(n_bands * sizeof *spare);

    *m = (naive_moments){.mean = calloc(n_bands, sizeof(double)),
                         .covariance = calloc(square, sizeof(double)),
                         .correlation = calloc(square, sizeof(double)),
                         .noise = calloc(square, sizeof(double))};
    for (size_t p = 0; p < most; p++) {
        for (size_t b = 0; valid[p] && b < n_bands; b++) {
            x[m->n * n_bands + b] = pixels[p * n_bands + b];
        }
        m->n += valid[p];
        if (p % n_samples + 1 < n_samples && valid[p] && valid[p + 1]) {
            for (size_t b = 0; b < n_bands; b++) {
                d[m->n_pairs * n_bands + b] =
                    pixels[p * n_bands + b] - pixels[(p + 1) * n_bands + b];
            }
            m->n_pairs++;
        }
    }
    two_passes(x, m->n, n_bands, m->mean, m->covariance);
    two_passes(d, m->n_pairs, n_bands, spare, m->noise);
    for (size_t i = 0; i < square; i++) {
        long double sum = 0;
        m->noise[i] /= 2;
        for (size_t k = 0; k < m->n; k++) {
            sum += (long double)x[k * n_bands + i / n_bands] * x[k * n_bands + i % n_bands];
        }
        m->correlation[i] = (double)(sum / (long double)m->n);
    }
    free(x);
    free(d);
    free(spare);
}

void naive_moments_clear(naive_moments *m)
{
    free(m->mean);
    free(m->covariance);
    free(m->correlation);
    free(m->noise);
}
