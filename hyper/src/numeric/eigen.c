/* Eigenvalues and eigenvectors of a symmetric matrix by LAPACK's dsyevr.
 *
 * An eigenvector is defined up to its sign, and LAPACK leaves the sign open. Here the eigenvalues
 * descend, and in each eigenvector the component of largest magnitude is positive, so that two runs
 * and two builds can be compared.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "numeric/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

void xta__blas_single(void)
{
    // Tiles run in parallel, so threads inside BLAS would only wait for each other. They might also
    // divide a sum differently in the next run, and change its last bits.
    openblas_set_num_threads(1);
}

/* Make the component of largest magnitude positive; of equal ones, the first. */
static void fix_sign(double *vector, size_t n)
{
    size_t most = 0;

    for (size_t b = 1; b < n; b++) {
        if (fabs(vector[b]) > fabs(vector[most])) {
            most = b;
        }
    }
    if (vector[most] < 0) {
        for (size_t b = 0; b < n; b++) {
            vector[b] = -vector[b];
        }
    }
}

/* Reverse the order of LAPACK, which is ascending. */
static void reverse_order(size_t n, double *values, double *vectors, double *spare)
{
    for (size_t k = 0; k < n / 2; k++) {
        size_t other = n - 1 - k;
        double value = values[k];
        values[k] = values[other];
        values[other] = value;
        memcpy(spare, vectors + k * n, n * sizeof *spare);
        memcpy(vectors + k * n, vectors + other * n, n * sizeof *spare);
        memcpy(vectors + other * n, spare, n * sizeof *spare);
    }
}

xta_status xta__eigen(size_t n, double *matrix, double *values, double *vectors, xta_error *err)
{
    xta_status status = XTA_OK;
    lapack_int found = 0;
    lapack_int *support = malloc((2 * n + 1) * sizeof *support);
    double *spare = malloc((n + 1) * sizeof *spare);

    if (support == NULL || spare == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu eigenvectors", n);
        goto done;
    }
    for (size_t k = 0; k < n * n; k++) {
        if (!isfinite(matrix[k])) {
            status = xta_error_set(err, XTA_ERANGE, 0,
                                   "a matrix of %zu x %zu has an entry that is no finite number at "
                                   "row %zu, column %zu; the values of the cells are too large",
                                   n, n, k / n, k % n);
            goto done;
        }
    }
    xta__blas_single();
    // For a symmetric matrix column-major is the same as row-major, and eigenvectors come out as
    // rows.
    lapack_int code = n == 0 ? 0
                             : LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', (lapack_int)n,
                                              matrix, (lapack_int)n, 0, 0, 0, 0, 0, &found, values,
                                              vectors, (lapack_int)n, support);
    if (code != 0) {
        status = xta_error_set(err, XTA_ERANGE, 0,
                               "eigenvalues of a %zu x %zu matrix: LAPACK's dsyevr answers %d", n,
                               n, (int)code);
        goto done;
    }
    reverse_order(n, values, vectors, spare);
    for (size_t k = 0; k < n; k++) {
        fix_sign(vectors + k * n, n);
    }
done:
    free(support);
    free(spare);
    return status;
}
