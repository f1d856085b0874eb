/* Moments in one pass.
 *
 * Naive: the sums of x and of x^2, whose difference loses every digit if the mean is large. Here
 * differences from a pivot are added, and the pivot is one of the cells: its square distance from
 * the mean is at most M2, so that of n cells no more than a factor n + 1 cancels, and n is at most
 * 128 in a lane. A division for each cell, as in Welford's method, is not needed.
 *
 *     Chan, Golub, LeVeque (2.1)     here
 *     m, n                           into->n, from->n
 *     T / m                          mean
 *     S                              m2
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/moments.h"

#include "reduction/kernels.h"
#include "util/clones.h"

/* Of four planes, so that the compiler knows that they do not overlap. */
XTA__CLONES static void add_cells(double *restrict count, double *restrict pivot,
                                  double *restrict sum, double *restrict squares,
                                  const double *restrict cells, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        // No branches: every value is computed, and then one is taken.
        double v = cells[k], p = pivot[k], one = count[k] + 1;
        p = count[k] == 0 ? v : p;
        double difference = v - p;
        difference = v == v ? difference : 0;
        pivot[k] = p;
        count[k] = v == v ? one : count[k];
        sum[k] += difference;
        squares[k] += difference * difference;
    }
}

void xta__moments_across(xta__moment_lanes lanes, size_t at, const double *cells, size_t n)
{
    add_cells(lanes.n + at, lanes.pivot + at, lanes.sum + at, lanes.squares + at, cells, n);
}

void xta__moments_along(xta__moment_lanes lanes, size_t at, const double *cells, size_t n,
                        unsigned lane)
{
    while (n > 0) {
        size_t count = XTA__LANES - lane < n ? XTA__LANES - lane : n;
        xta__moments_across(lanes, at + lane, cells, count);
        cells += count;
        n -= count;
        lane = 0;
    }
}

void xta__moments_merge(xta__moments *into, const xta__moments *from)
{
    if (from->n == 0) {
        return;
    }
    if (into->n == 0) {
        *into = *from;
        return;
    }
    double n = into->n + from->n;
    double difference = from->mean - into->mean;
    double part = difference * (from->n / n);
    into->m2 = (into->m2 + from->m2) + (difference * part) * into->n;
    into->mean += part;
    into->n = n;
}

static xta__moments of_lane(xta__moment_lanes lanes, size_t at)
{
    xta__moments m = {.n = lanes.n[at]};

    if (m.n > 0) {
        double mean = lanes.sum[at] / m.n;
        double m2 = lanes.squares[at] - lanes.sum[at] * mean;
        m.mean = lanes.pivot[at] + mean;
        m.m2 = m2 < 0 ? 0 : m2;
    }
    return m;
}

xta__moments xta__moments_fold(xta__moment_lanes lanes, size_t at, size_t stride)
{
    xta__moments lane[XTA__LANES];

    for (int k = 0; k < XTA__LANES; k++) {
        lane[k] = of_lane(lanes, at + (size_t)k * stride);
    }
    for (int half = XTA__LANES / 2; half > 0; half /= 2) {
        for (int k = 0; k < half; k++) {
            xta__moments_merge(&lane[k], &lane[k + half]);
        }
    }
    return lane[0];
}
