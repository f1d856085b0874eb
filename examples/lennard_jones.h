/* Atoms with Lennard-Jones forces, and one step of their motion: see parallel_lennard_jones.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LENNARD_JONES_H
#define LENNARD_JONES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { PAIR = 4 }; /* numbers of a pair: the force's three components, the energy */

static const double time_step = 0.002;

/* The initial position and velocity of atom `i`, where a layer has side x side atoms: each is a
 * square lattice, over the hollows of the one below. A small velocity that depends on the number
 * breaks the symmetry. */
static inline void place(int64_t side, int64_t i, double x[3], double v[3])
{
    const double spacing = 1.1;
    const int64_t layer = i / (side * side), at = i % (side * side);
    const double shift = layer % 2 == 0 ? 0 : 0.5;

    x[0] = spacing * ((double)(at % side) + shift);
    x[1] = spacing * ((double)(at / side) + shift);
    x[2] = spacing * (double)layer / sqrt(2);
    for (int k = 0; k < 3; k++) {
        v[k] = 0.2 * ((double)((i * (7 + 4 * k) + 3 * k) % 11) - 5) / 5;
    }
}

/* The force of an atom at `y` on one at `x`, and the energy of the two. */
static inline void pair(const double x[3], const double y[3], double out[PAIR])
{
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    const double inverse = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double sixth = inverse * inverse * inverse;
    const double strength = 24 * inverse * sixth * (2 * sixth - 1);

    for (int k = 0; k < 3; k++) {
        out[k] = strength * d[k];
    }
    out[3] = 4 * sixth * (sixth - 1);
}

/* Half a step of the velocities, and if `drift` a whole one of the positions, of `n` atoms whose
 * forces (mass is 1) and energies are `sums`. */
static inline void advance(int64_t n, const double *sums, double *v, double *x, bool drift)
{
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            v[3 * i + k] += time_step / 2 * sums[PAIR * i + k];
            x[3 * i + k] += drift ? time_step * v[3 * i + k] : 0;
        }
    }
}

#endif
