/* Spheres on a grid of cells whose sides may differ.
 *
 * Whether a cell belongs to a sphere is one comparison of doubles, summed in the order of the axes.
 * On a line along the last axis the sum grows with the distance from the centre, even after
 * rounding, so the cells of the sphere form one run. Its ends are estimated by a square root, then
 * moved until the comparison agrees.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "regions/sphere.h"

#include <math.h>

/* The squared distance from the centre along one axis. */
static double square(const double *sphere, int ndim, int axis, int64_t x)
{
    double distance = ((double)x - sphere[axis]) * sphere[ndim + axis];

    return distance * distance;
}

/* Set [*lo, *hi) to the run of all x with part + square(x) <= limit. */
static void find_run(const double *sphere, int ndim, int axis, double part, double limit,
                     int64_t *lo, int64_t *hi)
{
    double half = limit > part ? sqrt(limit - part) / sphere[ndim + axis] : 0;
    int64_t first = (int64_t)ceil(sphere[axis] - half);
    int64_t last = (int64_t)floor(sphere[axis] + half);

    while (part + square(sphere, ndim, axis, first - 1) <= limit) {
        first--;
    }
    while (first <= last && part + square(sphere, ndim, axis, first) > limit) {
        first++;
    }
    while (part + square(sphere, ndim, axis, last + 1) <= limit) {
        last++;
    }
    while (last >= first && part + square(sphere, ndim, axis, last) > limit) {
        last--;
    }
    *lo = first;
    *hi = last >= first ? last + 1 : first;
}

void xta__sphere_run(const double *sphere, int ndim, const int64_t at[], int64_t *lo, int64_t *hi)
{
    double radius = sphere[2 * ndim];
    double part = 0;

    for (int axis = 0; axis + 1 < ndim; axis++) {
        part += square(sphere, ndim, axis, at[axis]);
    }
    find_run(sphere, ndim, ndim - 1, part, radius * radius, lo, hi);
}

bool xta__sphere_meets(const double *sphere, int ndim, const int64_t lo[], const int64_t hi[])
{
    double sum = 0;

    for (int axis = 0; axis < ndim; axis++) {
        // The cell of the box that is nearest to the centre.
        double nearest = nearbyint(sphere[axis]);
        int64_t x = nearest < (double)lo[axis]         ? lo[axis]
                    : nearest > (double)(hi[axis] - 1) ? hi[axis] - 1
                                                       : (int64_t)nearest;
        if (lo[axis] >= hi[axis]) {
            return false;
        }
        sum += square(sphere, ndim, axis, x);
    }
    return sum <= sphere[2 * ndim] * sphere[2 * ndim];
}

void xta__sphere_limits(const double *sphere, int ndim, int64_t lo[], int64_t hi[])
{
    double limit = sphere[2 * ndim] * sphere[2 * ndim];

    for (int axis = 0; axis < ndim; axis++) {
        find_run(sphere, ndim, axis, 0, limit, &lo[axis], &hi[axis]);
    }
}
