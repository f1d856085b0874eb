/* The lattice Boltzmann model of a lid-driven cavity, and its steps on a piece of the grid: see
 * parallel_cavity.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATTICE_BOLTZMANN_H
#define LATTICE_BOLTZMANN_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/box.h>

enum { Q = 9 }; /* directions */

static const double lid_speed = 0.1;

/* The directions (y, x), each moving one followed by its opposite. */
static const int dy[Q] = {0, 0, 0, 1, -1, 1, -1, 1, -1};
static const int dx[Q] = {0, 1, -1, 0, 0, 1, -1, -1, 1};
static const int opposite[Q] = {0, 2, 1, 4, 3, 6, 5, 8, 7};
static const double weight[Q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                 1. / 36, 1. / 36, 1. / 36, 1. / 36};

static inline void flow(const double h[Q], double *density, double *uy, double *ux)
{
    double rho = 1, my = 0, mx = 0;

    for (int i = 0; i < Q; i++) {
        rho += h[i];
        my += dy[i] * h[i];
        mx += dx[i] * h[i];
    }
    *density = rho;
    *uy = my / rho;
    *ux = mx / rho;
}

static inline void collide(double keep, const double h[Q], double out[Q])
{
    double rho, uy, ux, square;

    flow(h, &rho, &uy, &ux);
    square = 1.5 * (uy * uy + ux * ux);
    for (int i = 0; i < Q; i++) {
        const double cu = 3 * (dy[i] * uy + dx[i] * ux);
        const double equilibrium = weight[i] * (rho - 1 + rho * (cu + 0.5 * cu * cu - square));

        out[i] = equilibrium + keep * (h[i] - equilibrium);
    }
}

/* The population that a wall (the lid, if `lid`) sends back in direction `i`, where `arrived` came
 * in the opposite direction. */
static inline double bounced(int i, double arrived, bool lid)
{
    return arrived + (lid ? 6 * weight[i] * dx[i] * lid_speed : 0);
}

/* This rank's copy of its zone and the rim around it. */
typedef struct patch {
    xta_box walls, zone, box;
    bool lid_first; /* the lid is before the first row, not after the last */
    /* populations before and after the collisions of a time step; cells of `box`, row by row */
    double *before, *after;
} patch;

static inline double *at(const patch *p, double *cells, int64_t y, int64_t x)
{
    return cells + Q * ((y - p->box.lo[0]) * (p->box.hi[1] - p->box.lo[1]) + x - p->box.lo[1]);
}

/* The zone with `rim` cells around it, within the walls; empty if the zone is. */
static inline xta_box with_rim(const xta_box *zone, int64_t rim, const xta_box *walls)
{
    xta_box box = *zone;

    if (xta_box_empty(zone)) {
        return box;
    }
    for (int axis = 0; axis < 2; axis++) {
        box.lo[axis] -= rim;
        box.hi[axis] += rim;
    }
    return xta_box_intersect(&box, walls);
}

/* Collect the populations that move to a cell from its neighbours after their collisions, or that a
 * wall sends back to it. */
static inline void pull(const patch *p, int64_t y, int64_t x)
{
    double *h = at(p, p->before, y, x);

    for (int i = 0; i < Q; i++) {
        const int64_t from_y = y - dy[i], from_x = x - dx[i];
        const bool above = from_y >= p->walls.hi[0], below = from_y < p->walls.lo[0];

        if (above || below || from_x < p->walls.lo[1] || from_x >= p->walls.hi[1]) {
            h[i] = bounced(i, at(p, p->after, y, x)[opposite[i]], p->lid_first ? below : above);
        } else {
            h[i] = at(p, p->after, from_y, from_x)[i];
        }
    }
}

/* One time step. If the zone and `rim` cells around it are correct before the step, the zone and
 * `rim` - 1 cells around it are correct after it. */
static inline void step_patch(const patch *p, double keep, int64_t rim)
{
    const xta_box wide = with_rim(&p->zone, rim, &p->walls);
    const xta_box narrow = with_rim(&p->zone, rim - 1, &p->walls);

    for (int64_t y = wide.lo[0]; y < wide.hi[0]; y++) {
        for (int64_t x = wide.lo[1]; x < wide.hi[1]; x++) {
            collide(keep, at(p, p->before, y, x), at(p, p->after, y, x));
        }
    }
    for (int64_t y = narrow.lo[0]; y < narrow.hi[0]; y++) {
        for (int64_t x = narrow.lo[1]; x < narrow.hi[1]; x++) {
            pull(p, y, x);
        }
    }
}

#endif
