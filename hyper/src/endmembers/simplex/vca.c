/* Directions of vertex component analysis [NASCIMENTO05].
 *
 * A direction starts as a random whole number for each band, as for the skewers of PPI. Then its
 * component in the affine hull of the pixels chosen so far is removed, so that these all project to
 * the same point. It is orthogonal to the hull and not to the spectra themselves, so dark pixels
 * are found as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/vca.h"

#include <math.h>
#include <string.h>

#include "endmembers/simplex/selection_trace.h"
#include "numeric/philox.h"
#include "numeric/reproducible_dot.h"

static void remove_part(double *from, const double *unit, size_t n)
{
    double along = xta__dot(n, from, unit);

    for (size_t d = 0; d < n; d++) {
        from[d] -= along * unit[d];
    }
}

/* Scale to length one; false if what is left of the squared length is rounding. */
static bool normalise(double *v, size_t n, double before)
{
    double square = xta__dot(n, v, v);

    if (!(square > 1e-20 * before)) {
        return false;
    }
    for (size_t d = 0; d < n; d++) {
        v[d] /= sqrt(square);
    }
    return true;
}

/* Remove the component along each vector of an orthonormal frame. Done twice, as once is not enough
 * for vectors that nearly lie in it. */
static void remove_parts(double *v, const double *units, size_t n_units, size_t n)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t q = 0; q < n_units; q++) {
            remove_part(v, units + q * n, n);
        }
    }
}

bool xta__vca_direction(const selection *s, size_t n, double *direction, double *scratch)
{
    const selection_trace *p = s->p;
    size_t n_dims = s->f->n_dims, n_units = 0;
    double *drawn = scratch, *units = scratch + n_dims;

    // Make an orthonormal frame of the hull.
    for (size_t k = 1; k < n; k++) {
        double *unit = units + n_units * n_dims;
        const double *f = p->pixels[k].f;
        memcpy(unit, f, n_dims * sizeof *unit);
        remove_parts(unit, units, n_units, n_dims);
        n_units += normalise(unit, n_dims, xta__dot(n_dims, f, f));
    }
    xta__skewer(p->seed, n, s->band, n_dims, drawn);
    memcpy(direction, drawn, n_dims * sizeof *direction);
    remove_parts(direction, units, n_units, n_dims);
    return normalise(direction, n_dims, xta__dot(n_dims, drawn, drawn));
}
