/* Endmembers by the naive method; see hyper_simplex.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper_simplex.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double dot(size_t d, const double *a, const double *b)
{
    double sum = 0;

    for (size_t k = 0; k < d; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static void take_away(size_t d, double *x, size_t n, double basis[][ORACLE_SIMPLEX_DIMS])
{
    for (size_t again = 0; again < 2; again++) {
        for (size_t k = 0; k < n; k++) {
            double part = dot(d, x, basis[k]);
            for (size_t b = 0; b < d; b++) {
                x[b] -= part * basis[k][b];
            }
        }
    }
}

double oracle_hull_distance(size_t d, size_t m, const double *const points[], const double *x)
{
    static _Thread_local double basis[ORACLE_SIMPLEX_MOST][ORACLE_SIMPLEX_DIMS];
    double rest[ORACLE_SIMPLEX_DIMS];
    size_t n = 0;

    assert(d <= ORACLE_SIMPLEX_DIMS && m <= ORACLE_SIMPLEX_MOST);
    for (size_t k = 1; k < m; k++) {
        for (size_t b = 0; b < d; b++) {
            basis[n][b] = points[k][b] - points[0][b];
        }
        take_away(d, basis[n], n, basis);
        double length = sqrt(dot(d, basis[n], basis[n]));
        for (size_t b = 0; length > 0 && b < d; b++) {
            basis[n][b] /= length;
        }
        n += length > 0;
    }
    for (size_t b = 0; b < d; b++) {
        rest[b] = x[b] - points[0][b];
    }
    take_away(d, rest, n, basis);
    return dot(d, rest, rest);
}

static bool is_valid(const unsigned char *valid, size_t k)
{
    return valid == NULL || valid[k] != 0;
}

size_t oracle_sga(size_t n, size_t d, const double *pixels, const unsigned char *valid, size_t p,
                  size_t chosen[])
{
    const double *points[ORACLE_SIMPLEX_MOST];
    double scale = 0;

    for (size_t m = 0; m < p; m++) {
        double most = m == 0 ? -1 : m == 1 ? 0 : 1e-12 * scale;
        size_t best = n;
        for (size_t k = 0; k < n; k++) {
            const double *x = pixels + k * d;
            if (!is_valid(valid, k)) {
                continue;
            }
            double score = m == 0 ? dot(d, x, x) : oracle_hull_distance(d, m, points, x);
            if (score > most) {
                most = score;
                best = k;
            }
        }
        if (best == n) {
            return m;
        }
        scale = m == 1 ? most : scale;
        chosen[m] = best;
        points[m] = pixels + best * d;
    }
    return p;
}

/* x minus its component along the hull of m points. */
static void free_of_hull(size_t d, size_t m, const double *const points[], double *x)
{
    static _Thread_local double basis[ORACLE_SIMPLEX_MOST][ORACLE_SIMPLEX_DIMS];
    size_t n = 0;

    for (size_t k = 1; k < m; k++, n++) {
        for (size_t b = 0; b < d; b++) {
            basis[n][b] = points[k][b] - points[0][b];
        }
        take_away(d, basis[n], n, basis);
        double length = sqrt(dot(d, basis[n], basis[n]));
        for (size_t b = 0; b < d; b++) {
            basis[n][b] /= length;
        }
    }
    take_away(d, x, n, basis);
}

size_t oracle_vca(size_t n, size_t d, const double *pixels, const unsigned char *valid, size_t p,
                  const double *directions, size_t chosen[])
{
    const double *points[ORACLE_SIMPLEX_MOST];
    double scale = 0, f[ORACLE_SIMPLEX_DIMS];

    for (size_t m = 0; m < p; m++) {
        double most = m == 0 ? -1 : m == 1 ? 0 : 1e-12 * scale;
        size_t best = n;
        memcpy(f, directions + m * d, d * sizeof *f);
        free_of_hull(d, m, points, f);
        double length = dot(d, f, f);
        if (length <= 1e-20 * dot(d, directions + m * d, directions + m * d)) {
            return m;
        }
        for (size_t k = 0; k < n; k++) {
            double along = dot(d, pixels + k * d, f) - (m > 0 ? dot(d, points[0], f) : 0);
            double score = along * along / length;
            if (is_valid(valid, k) && score > most) {
                most = score;
                best = k;
            }
        }
        if (best == n) {
            return m;
        }
        scale = m == 1 ? most : scale;
        chosen[m] = best;
        points[m] = pixels + best * d;
    }
    return p;
}

double oracle_log_volume(size_t d, const double *pixels, size_t p, const size_t chosen[])
{
    const double *points[ORACLE_SIMPLEX_MOST];
    double sum = 0;

    for (size_t m = 0; m < p; m++) {
        points[m] = pixels + chosen[m] * d;
        sum += m == 0 ? 0 : 0.5 * log(oracle_hull_distance(d, m, points, points[m]));
    }
    return sum;
}

/* The squared height of x above the vertices other than number j. */
static double height(size_t d, const double *pixels, size_t p, const size_t chosen[], size_t j,
                     const double *x)
{
    const double *others[ORACLE_SIMPLEX_MOST];
    size_t m = 0;

    for (size_t k = 0; k < p; k++) {
        if (k != j) {
            others[m++] = pixels + chosen[k] * d;
        }
    }
    return oracle_hull_distance(d, m, others, x);
}

/* log |det| of [1 ... 1; e_1 ... e_p] with x in column j. */
static double log_determinant(size_t d, const double *pixels, size_t p, const size_t chosen[],
                              size_t j, const double *x)
{
    double a[ORACLE_SIMPLEX_MOST][ORACLE_SIMPLEX_MOST], sum = 0;

    assert(d + 1 == p);
    for (size_t c = 0; c < p; c++) {
        const double *e = c == j ? x : pixels + chosen[c] * d;
        a[0][c] = 1;
        for (size_t r = 1; r < p; r++) {
            a[r][c] = e[r - 1];
        }
    }
    for (size_t c = 0; c < p; c++) {
        size_t pivot = c;
        for (size_t r = c; r < p; r++) {
            pivot = fabs(a[r][c]) > fabs(a[pivot][c]) ? r : pivot;
        }
        double row[ORACLE_SIMPLEX_MOST];
        memcpy(row, a[pivot], sizeof row);
        memcpy(a[pivot], a[c], sizeof row);
        memcpy(a[c], row, sizeof row);
        if (row[c] == 0) {
            return -INFINITY;
        }
        sum += log(fabs(row[c]));
        for (size_t r = c + 1; r < p; r++) {
            double factor = a[r][c] / row[c];
            for (size_t k = c; k < p; k++) {
                a[r][k] -= factor * row[k];
            }
        }
    }
    return sum;
}

/* The logarithm of the quantity to maximize: of the volume, up to a constant. */
static double score_of(bool determinants, size_t d, const double *pixels, size_t p,
                       const size_t chosen[], size_t j, const double *x)
{
    return determinants ? log_determinant(d, pixels, p, chosen, j, x)
                        : 0.5 * log(height(d, pixels, p, chosen, j, x));
}

/* The pixel that makes the simplex largest in place of vertex j, and larger than it is; n for
 * none. */
static size_t best_of(bool determinants, size_t n, size_t d, const double *pixels,
                      const unsigned char *valid, size_t p, const size_t chosen[], size_t j)
{
    double most = score_of(determinants, d, pixels, p, chosen, j, pixels + chosen[j] * d);
    size_t best = n;

    most += log1p(1e-9);
    for (size_t k = 0; k < n; k++) {
        if (!is_valid(valid, k)) {
            continue;
        }
        double score = score_of(determinants, d, pixels, p, chosen, j, pixels + k * d);
        if (score > most) {
            most = score;
            best = k;
        }
    }
    return best;
}

static size_t sweeps(bool determinants, size_t n, size_t d, const double *pixels,
                     const unsigned char *valid, size_t p, size_t chosen[])
{
    bool any = true;
    size_t n_sweeps = 0;

    while (any && n_sweeps < 100) {
        any = false;
        n_sweeps++;
        for (size_t j = 0; j < p; j++) {
            size_t best = best_of(determinants, n, d, pixels, valid, p, chosen, j);
            if (best < n) {
                chosen[j] = best;
                any = true;
            }
        }
    }
    return n_sweeps;
}

size_t oracle_nfindr(size_t n, size_t d, const double *pixels, const unsigned char *valid, size_t p,
                     size_t chosen[])
{
    return p < 2 ? 0 : sweeps(false, n, d, pixels, valid, p, chosen);
}

size_t oracle_nfindr_determinants(size_t n, size_t d, const double *pixels,
                                  const unsigned char *valid, size_t p, size_t chosen[])
{
    return p < 2 ? 0 : sweeps(true, n, d, pixels, valid, p, chosen);
}

void oracle_ppi(size_t n, size_t d, const double *pixels, const unsigned char *valid,
                size_t n_skewers, const double *skewers, double threshold, uint64_t counts[])
{
    memset(counts, 0, n * sizeof *counts);
    for (size_t s = 0; s < 2 * n_skewers; s++) {
        const double *skewer = skewers + s / 2 * d;
        double sign = s % 2 == 0 ? 1 : -1, most = -INFINITY;
        size_t best = n;
        for (size_t k = 0; k < n; k++) {
            if (is_valid(valid, k) && sign * dot(d, pixels + k * d, skewer) > most) {
                most = sign * dot(d, pixels + k * d, skewer);
                best = k;
            }
        }
        double margin = threshold * sqrt(dot(d, skewer, skewer));
        for (size_t k = 0; k < n; k++) {
            bool near = threshold > 0 && is_valid(valid, k) &&
                        sign * dot(d, pixels + k * d, skewer) >= most - margin;
            counts[k] += near || k == best;
        }
    }
}
