/* What the files of AMEE share: amee*.c, otsu.c; and what is kept of it between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_AMEE_AMEE_H
#define XTA_HYPER_AMEE_AMEE_H

#include <xta/amee.h>

#include "hyper.h"

enum { AMEE_MOST_STEPS = 64, AMEE_MOST_RADIUS = 15 };

/* Window after window: step k has radius radius[k]; with `replaced` it works on what the step
 * before made of the scene, else on the scene itself. */
typedef struct amee_plan {
    int n_steps;
    int radius[AMEE_MOST_STEPS];
    bool replaced;
    int64_t reach; /* from where a spectrum lies to the farthest window that can choose it */
} amee_plan;

struct xta_amee {
    int radius, iterations, radius_last;
    amee_plan plan;
    xta_array *map;
    bool own_map;
    coverage have;
    int64_t n_lines_computed;
    bool restarted;
};

/* ---- amee_slab.c: lines of MEI from lines of the scene ---- */

/* Bytes that a slab takes for n_lines of data. */
uint64_t xta__amee_slab_bytes(const amee_plan *plan, uint64_t n_lines, uint64_t width,
                              uint64_t n_bands);
/* MEI of the lines `out`, n_lines x n_samples doubles. */
xta_status xta__amee_slab(xta_scene *scene, const amee_plan *plan, line_range out, double *mei,
                          xta_error *err);

/* ---- amee_angles.c: angles between pixels of a slab ---- */

/* A slab of lines: pixels are numbered line by line from its first one. */
typedef struct amee_slab {
    const amee_plan *plan;
    line_range lines; /* of data */
    int64_t width;
    size_t n_bands, n_pixels;
    double *x;       /* n_pixels x n_bands */
    double *square;  /* n_pixels: |x|^2; 0 for those without an angle */
    bool moved;      /* spectra no longer stand where they lie */
    int32_t *source; /* n_pixels: where the spectrum that stands here now lies; -1: none */
    int32_t *next;   /* of the step under way */
    double *mei;     /* n_pixels */
    double *first;   /* n_first x n_pixels: angles of the scene itself; NULL: not kept */
    int first_radius;
    size_t n_first;
    double *ring; /* lines of angles of the step under way, line k at place k modulo 2 r + 1 */
} amee_slab;

/* The angle between the spectra of two sources: arc cosine of x . y / sqrt(|x|^2 |y|^2), so that
 * equal spectra are at 0 exactly. */
double xta__amee_angle(const amee_slab *slab, size_t a, size_t b);

/* Neighbours come after a pixel in the order of lines and samples, and are at most `far` away:
 * number of those at the same line, right of it, then those of the next line from left to right,
 * ... */
static inline size_t xta__n_neighbours(int far)
{
    return 2 * (size_t)far * ((size_t)far + 1);
}
static inline size_t xta__neighbour(int far, int line, int sample)
{
    return (size_t)(line == 0 ? sample - 1 : far + (line - 1) * (2 * far + 1) + sample + far);
}

/* The angles of the pixels of a line (counted from the first of the slab) to their neighbours at
 * most `far` lines and samples away: neighbour n of sample s at into[n * width + s]. Where one of
 * the two has no angle, anything. */
void xta__angle_line(const amee_slab *slab, int far, int64_t line, double *into);

/* ---- amee.c ---- */

void xta__amee_put(const xta_amee *amee, blob *b);
/* XTA_ESTATE, and as new, where the bytes are not whole or of other parameters. */
xta_status xta__amee_get(xta_amee *amee, blob_reader *r, xta_error *err);

#endif
