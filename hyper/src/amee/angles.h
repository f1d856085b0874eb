/* Angles between the pixels of a slab.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_AMEE_ANGLES_H
#define XTA_HYPER_AMEE_ANGLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amee/plan.h"
#include "scene/tile.h"

/* A slab of lines, whose pixels are numbered line by line. */
typedef struct amee_slab {
    const amee_plan *plan;
    line_range lines; /* of data */
    int64_t width;
    size_t n_bands, n_pixels;
    double *x;      /* n_pixels x n_bands */
    double *square; /* n_pixels: |x|^2; 0 for those without an angle */
    bool moved;     /* spectra have moved from their own pixels */
    int32_t
        *source; /* n_pixels: the source, which is the pixel whose spectrum is here now; -1: none */
    int32_t *next; /* sources after the current step */
    double *mei;   /* n_pixels */
    double *first; /* n_first x n_pixels: angles of the scene itself; NULL: not kept */
    int first_radius;
    size_t n_first;
    double *ring; /* angles of the current step, line k at position k modulo 2 r + 1 */
} amee_slab;

/* The neighbours of a pixel follow it in the order of lines and samples, and are at most `far`
 * away. They are numbered: first those to the right of it in its own line, then those of the next
 * line from left to right, and so on. */
static inline size_t xta__n_neighbours(int far)
{
    return 2 * (size_t)far * ((size_t)far + 1);
}
static inline size_t xta__neighbour(int far, int line, int sample)
{
    return (size_t)(line == 0 ? sample - 1 : far + (line - 1) * (2 * far + 1) + sample + far);
}

/* The angles of the pixels of a line (counted from the first of the slab) to their neighbours at
 * most `far` lines and samples away: that of sample s to neighbour n is into[n * width + s].
 * Undefined where one of the two has no angle. */
void xta__angle_line(const amee_slab *slab, int far, int64_t line, double *into);

#endif
