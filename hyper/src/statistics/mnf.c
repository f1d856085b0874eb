/* Minimum noise fraction [GREEN88]: components ordered by their ratio of signal to noise.
 *
 * Definition: the w that make w^T C w / w^T N w stationary, with the covariance C of the pixels and
 * N of the noise: a generalised eigenvalue problem. With N = L L^T, the eigenvectors u of the
 * symmetric matrix L^-1 C L^-T give w = L^-T u. The noise of each component has variance 1, and the
 * eigenvalues are the variances of the components.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/moments.h>

#include <math.h>
#include <stdlib.h>

#include <cblas.h>
#include <lapacke.h>

#include <xta/options.h>

#include "numeric/eigen.h"
#include "statistics/basis.h"
#include "statistics/moments.h"
#include "util/try.h"

/* The fraction of the mean variance of the noise that is added to that of every band. */
#define RIDGE 1e-9

static xta_status factor_noise(size_t n, double *noise, xta_error *err)
{
    double trace = 0;

    for (size_t b = 0; b < n; b++) {
        trace += noise[b * n + b];
    }
    for (size_t b = 0; b < n; b++) {
        noise[b * n + b] += RIDGE * trace / (double)n;
    }
    if (!(trace > 0) ||
        LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, noise, (lapack_int)n) != 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "the noise of %zu bands has the variance %g in all: neighbouring "
                             "pixels hardly differ, and nothing can be held against it",
                             n, trace);
    }
    return XTA_OK;
}

/* matrix = L^-1 matrix L^-T, made symmetric to the last bit. */
static void whiten(size_t n, const double *l, double *matrix)
{
    int size = (int)n;

    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, size, size, 1, l,
                size, matrix, size);
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, size, size, 1, l,
                size, matrix, size);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double entry = (matrix[i * n + j] + matrix[j * n + i]) / 2;
            matrix[i * n + j] = matrix[j * n + i] = entry;
        }
    }
}

/* Rows u^T become u^T L^-1, with the sign convention of eigenvectors. */
static void unwhiten(size_t n, const double *l, double *vectors)
{
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, (int)n,
                1, l, (int)n, vectors, (int)n);
    for (size_t k = 0; k < n; k++) {
        double *w = vectors + k * n;
        size_t most = 0;
        for (size_t b = 1; b < n; b++) {
            most = fabs(w[b]) > fabs(w[most]) ? b : most;
        }
        for (size_t b = 0, turn = w[most] < 0; turn && b < n; b++) {
            w[b] = -w[b];
        }
    }
}

xta_status xta_mnf(const xta_moments *moments, const xta_basis_options *options, xta_basis **basis,
                   xta_error *err)
{
    xta_basis_options own = XTA_BASIS_OPTIONS_INIT;
    size_t n = moments->n_bands;
    double *matrix = malloc((n * n + 1) * sizeof *matrix);
    double *noise = malloc((n * n + 1) * sizeof *noise);
    double *vectors = malloc((n * n + 1) * sizeof *vectors);
    double *values = malloc((n + 1) * sizeof *values), *mean = malloc((n + 1) * sizeof *mean);
    xta_status status = XTA_OK;

    *basis = NULL;
    XTA_TRY(xta_options_read(&own, sizeof own, options, "xta_basis_options", err));
    options = &own;
    XTA_TRY(xta__basis_check(moments, options, err));
    if (matrix == NULL || noise == NULL || vectors == NULL || values == NULL || mean == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for components of %zu bands", n);
        goto done;
    }
    xta__blas_single();
    XTA_TRY(xta_moments_noise(moments, noise, err));
    XTA_TRY(xta_moments_covariance(moments, matrix, err));
    XTA_TRY(xta_moments_mean(moments, mean, err));
    XTA_TRY(factor_noise(n, noise, err));
    whiten(n, noise, matrix);
    XTA_TRY(xta__eigen(n, matrix, values, vectors, err));
    unwhiten(n, noise, vectors);
    XTA_TRY(xta__basis_of(moments, options, "mnf", mean, values, vectors, basis, err));
done:
    free(matrix);
    free(noise);
    free(vectors);
    free(values);
    free(mean);
    return status;
}
