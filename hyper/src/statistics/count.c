/* How many endmembers: two estimates from moments alone, without another pass over the pixels.
 *
 * HFC [HARSANYI93]: without a signal the k-th eigenvalues of the correlation and of the covariance
 * are equal; with one, that of the correlation is larger. Each pair whose difference exceeds what
 * noise would produce with probability p_false counts as one endmember.
 *
 * HySime [BIOUCAS08]: the noise of a band is what the other bands do not explain. Of the
 * eigenvectors of the correlation without the noise, those are kept in which there is more signal
 * than twice the noise.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/moments.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "numeric/eigen.h"
#include "statistics/moments.h"
#include "util/try.h"

/* n_matrices square matrices of n_bands in one block, and a vector for each. */
static double *make_matrices(size_t n_bands, size_t n_matrices, xta_error *err)
{
    double *block = malloc((n_matrices * n_bands * (n_bands + 1) + 1) * sizeof *block);

    if (block == NULL) {
        xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu matrices of %zu bands", n_matrices,
                      n_bands);
    }
    return block;
}

/* ---- Harsanyi, Farrand, Chang ---- */

/* z with P(N(0, 1) > z) = p, by bisection: the tail decreases, and 200 steps determine all
 * digits. */
static double upper_quantile(double p)
{
    double lo = -40, hi = 40;

    for (int k = 0; k < 200; k++) {
        double z = lo + (hi - lo) / 2;
        if (erfc(z * 0.70710678118654752440) / 2 > p) {
            lo = z;
        } else {
            hi = z;
        }
    }
    return lo + (hi - lo) / 2;
}

xta_status xta_count_hfc(const xta_moments *moments, double p_false, size_t *n, xta_error *err)
{
    size_t n_bands = moments->n_bands;
    double *matrix = NULL, *values = NULL;
    xta_status status = XTA_OK;

    *n = 0;
    if (!(p_false > 0 && p_false < 1)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%g as the probability of a false alarm; give one between 0 and 1",
                             p_false);
    }
    matrix = make_matrices(n_bands, 2, err);
    values = malloc((2 * n_bands + 1) * sizeof *values);
    if (matrix == NULL || values == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu eigenvalues", n_bands);
        goto done;
    }
    double *vectors = matrix + n_bands * n_bands;
    XTA_TRY(xta_moments_covariance(moments, matrix, err));
    XTA_TRY(xta__eigen(n_bands, matrix, values + n_bands, vectors, err));
    XTA_TRY(xta_moments_correlation(moments, matrix, err));
    XTA_TRY(xta__eigen(n_bands, matrix, values, vectors, err));
    double z = upper_quantile(p_false), of_n = 2 / (double)moments->n[0];
    // Without signal and noise, any difference is rounding.
    double rounding = 4 * (double)n_bands * DBL_EPSILON * values[0];
    for (size_t k = 0; k < n_bands; k++) {
        double r = values[k], c = values[n_bands + k];
        *n += r - c > fmax(rounding, z * sqrt(of_n * (r * r + c * c)));
    }
done:
    free(matrix);
    free(values);
    return status;
}

/* ---- HySime ---- */

/* T such that w = T x is the part of each band that the other bands do not explain: row i of R^-1
 * divided by its diagonal entry. A ridge far below any noise makes R invertible where bands are
 * zero or sums of others. */
static xta_status explain_bands(size_t n, const double *r, double *t, xta_error *err)
{
    double trace = 0;

    memcpy(t, r, n * n * sizeof *t);
    for (size_t b = 0; b < n; b++) {
        trace += r[b * n + b];
    }
    for (size_t b = 0; b < n; b++) {
        t[b * n + b] += 1e-10 * trace / (double)n;
    }
    if (!(trace > 0) ||
        LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, t, (lapack_int)n) != 0 ||
        LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', (lapack_int)n, t, (lapack_int)n) != 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "the correlation of %zu bands (trace %g) cannot be inverted; is "
                             "everything zero?",
                             n, trace);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            t[j * n + i] = t[i * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        double diagonal = t[i * n + i];
        for (size_t j = 0; j < n; j++) {
            t[i * n + j] /= diagonal;
        }
    }
    return XTA_OK;
}

/* into = a R a^T */
static void congruence(size_t n, const double *a, const double *r, double *spare, double *into)
{
    int size = (int)n;

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a, size, r, size, 0,
                spare, size);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, size, size, size, 1, spare, size, a, size,
                0, into, size);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double entry = (into[i * n + j] + into[j * n + i]) / 2;
            into[i * n + j] = into[j * n + i] = entry;
        }
    }
}

/* How many directions (rows of e) have more signal than noise: leaving one out costs all the power
 * there, keeping it costs twice the noise. */
static size_t n_worth_keeping(size_t n, const double *e, const double *r, const double *noise)
{
    size_t kept = 0;

    for (size_t k = 0; k < n; k++) {
        const double *v = e + k * n;
        double power = 0, of_noise = 0;
        for (size_t i = 0; i < n; i++) {
            double row = 0;
            for (size_t j = 0; j < n; j++) {
                row += r[i * n + j] * v[j];
            }
            power += v[i] * row;
            of_noise += noise[i] * v[i] * v[i];
        }
        kept += 2 * of_noise < power;
    }
    return kept;
}

xta_status xta_count_hysime(const xta_moments *moments, size_t *n, xta_error *err)
{
    size_t n_bands = moments->n_bands, square = n_bands * n_bands;
    double *r = make_matrices(n_bands, 5, err);
    xta_status status = XTA_OK;
    double trace = 0;

    *n = 0;
    if (r == NULL) {
        return XTA_ENOMEM;
    }
    double *t = r + square, *signal = t + square, *spare = signal + square, *e = spare + square;
    double *noise = e + square, *values = noise + n_bands;
    xta__blas_single();
    XTA_TRY(xta_moments_correlation(moments, r, err));
    XTA_TRY(explain_bands(n_bands, r, t, err));
    congruence(n_bands, t, r, spare, signal);
    for (size_t b = 0; b < n_bands; b++) {
        noise[b] = signal[b * n_bands + b];
    }
    // The signal, without the noise: (I - T) R (I - T)^T.
    for (size_t k = 0; k < square; k++) {
        t[k] = (k % (n_bands + 1) == 0) - t[k];
    }
    congruence(n_bands, t, r, spare, signal);
    for (size_t b = 0; b < n_bands; b++) {
        trace += signal[b * n_bands + b];
    }
    for (size_t b = 0; b < n_bands; b++) {
        noise[b] += trace / (double)n_bands * 1e-5;
    }
    XTA_TRY(xta__eigen(n_bands, signal, values, e, err));
    *n = n_worth_keeping(n_bands, e, r, noise);
done:
    free(r);
    return status;
}
