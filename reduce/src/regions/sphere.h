/* Private header: the cells of a sphere. `sphere` is the centre and the spacing of each axis, then
 * the radius.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_SPHERE_H
#define XTA_REDUCE_SPHERE_H

#include <stdbool.h>
#include <stdint.h>

/* The cells of a sphere on the line through `at` along the last axis: [*lo, *hi), possibly
 * empty. */
void xta__sphere_run(const double *sphere, int ndim, const int64_t at[], int64_t *lo, int64_t *hi);

/* Whether a sphere has a cell in a box. */
bool xta__sphere_meets(const double *sphere, int ndim, const int64_t lo[], const int64_t hi[]);

/* The box around a sphere. */
void xta__sphere_limits(const double *sphere, int ndim, int64_t lo[], int64_t hi[]);

#endif
