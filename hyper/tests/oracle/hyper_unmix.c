/* The normal equations of every subset, in long double; the least sum of squares among those
 * without a negative abundance.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "oracle/hyper_unmix.h"

#include <math.h>
#include <string.h>

enum { MOST = ORACLE_UNMIX_MOST + 1 };

/* Gauss, with the largest pivot of the column. */
static bool solve(size_t n, long double m[MOST][MOST], long double *x)
{
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++) {
            pivot = fabsl(m[i][k]) > fabsl(m[pivot][k]) ? i : pivot;
        }
        if (m[pivot][k] == 0) {
            return false;
        }
        for (size_t j = 0; j < n; j++) {
            long double swap = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = swap;
        }
        long double swap = x[k];
        x[k] = x[pivot];
        x[pivot] = swap;
        for (size_t i = k + 1; i < n; i++) {
            long double f = m[i][k] / m[k][k];
            for (size_t j = k; j < n; j++) {
                m[i][j] -= f * m[k][j];
            }
            x[i] -= f * x[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++) {
            x[k] -= m[k][j] * x[j];
        }
        x[k] /= m[k][k];
    }
    return true;
}

/* Products of one pixel and its endmembers, shared by all subsets: about the point `zero`, which is
 * the first endmember if the sum must be one (so that large common parts cancel). */
typedef struct products {
    size_t p;
    bool sum_is_one;
    long double ee[MOST][MOST], ex[MOST], xx;
} products;

static void multiply(products *g, size_t n_bands, const double *e, const double *x)
{
    memset(g->ee, 0, sizeof g->ee);
    memset(g->ex, 0, sizeof g->ex);
    g->xx = 0;
    for (size_t b = 0; b < n_bands; b++) {
        long double zero = g->sum_is_one ? e[b] : 0, d = x[b] - zero;
        g->xx += d * d;
        for (size_t i = 0; i < g->p; i++) {
            long double ei = e[i * n_bands + b] - zero;
            g->ex[i] += ei * d;
            for (size_t j = 0; j < g->p; j++) {
                g->ee[i][j] += ei * (e[j * n_bands + b] - zero);
            }
        }
    }
}

/* Abundances of a subset, and the sum of squares they leave. */
static bool of_subset(const products *g, unsigned subset, long double *a, long double *squares)
{
    long double m[MOST][MOST] = {{0}}, x[MOST] = {0};
    size_t member[MOST], n = 0;

    for (size_t i = 0; i < g->p; i++) {
        if ((subset >> i & 1) != 0) {
            member[n++] = i;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            m[i][j] = g->ee[member[i]][member[j]];
        }
        x[i] = g->ex[member[i]];
        m[i][n] = m[n][i] = 1;
    }
    x[n] = 1;
    if ((g->sum_is_one && n == 0) || !solve(n + (g->sum_is_one ? 1 : 0), m, x)) {
        return false;
    }
    memset(a, 0, MOST * sizeof *a);
    *squares = g->xx;
    for (size_t i = 0; i < n; i++) {
        a[member[i]] = x[i];
    }
    for (size_t i = 0; i < g->p; i++) {
        *squares -= 2 * a[i] * g->ex[i];
        for (size_t j = 0; j < g->p; j++) {
            *squares += a[i] * a[j] * g->ee[i][j];
        }
    }
    return true;
}

bool oracle_unmix_free(size_t p, size_t n_bands, const double *endmembers, const double *pixel,
                       bool sum_is_one, double *abundances)
{
    products g = {.p = p, .sum_is_one = sum_is_one};
    long double a[MOST], squares;

    multiply(&g, n_bands, endmembers, pixel);
    if (!of_subset(&g, (1U << p) - 1, a, &squares)) {
        return false;
    }
    for (size_t i = 0; i < p; i++) {
        abundances[i] = (double)a[i];
    }
    return true;
}

bool oracle_unmix_not_negative(size_t p, size_t n_bands, const double *endmembers,
                               const double *pixel, bool sum_is_one, double *abundances)
{
    products g = {.p = p, .sum_is_one = sum_is_one};
    long double a[MOST], squares, least = INFINITY;

    multiply(&g, n_bands, endmembers, pixel);
    for (unsigned subset = 0; subset < 1U << p; subset++) {
        bool good = of_subset(&g, subset, a, &squares);
        for (size_t i = 0; i < p; i++) {
            good = good && a[i] >= 0;
        }
        if (!good || squares >= least) {
            continue;
        }
        least = squares;
        for (size_t i = 0; i < p; i++) {
            abundances[i] = (double)a[i];
        }
    }
    return least < INFINITY;
}
