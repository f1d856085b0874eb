/* Angles between neighbouring pixels.
 *
 * The naive way computes all pairs of each window, 36 for a 3 x 3 window. But in the scene itself
 * an angle depends on the two pixels and not on the window, so each pair is computed once: 2 r (2 r
 * + 1) 2 neighbours for windows of radius r, 12 for a 3 x 3 window.
 *
 * After the first step, neighbouring pixels hold spectra from sources a few pixels apart. Often
 * both hold the same source, or a pair whose angle was computed in the first step; these angles are
 * kept where they use less memory than the pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "amee/angles.h"

#include <math.h>
#include <stdlib.h>

#include "numeric/reproducible_dot.h"

static double angle_of(double product, double square_a, double square_b)
{
    double cosine = product / sqrt(square_a * square_b);

    return acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

/* The angle between the spectra of two sources: the arc cosine of x . y / sqrt(|x|^2 |y|^2), which
 * is exactly 0 for equal spectra. */
static double computed_angle(const amee_slab *slab, size_t a, size_t b)
{
    const double *x = slab->x;
    size_t n = slab->n_bands;

    return angle_of(xta__dot(n, x + a * n, x + b * n), slab->square[a], slab->square[b]);
}

/* The angles of a pixel of the scene itself to its neighbours in one line: samples [from, to) of
 * the line that begins with pixel `row`, into into[0], into[step], ... */
static void first_neighbours(const amee_slab *slab, size_t a, size_t row, int64_t from, int64_t to,
                             double *into, size_t step)
{
    const double *x = slab->x, *other[4] = {NULL};
    size_t n = slab->n_bands, n_others = (size_t)(to - from);

    for (size_t k = 0; k < n_others; k += 4) {
        size_t now = n_others - k < 4 ? n_others - k : 4;
        double product[4];
        for (size_t m = 0; m < now; m++) {
            other[m] = x + (row + (size_t)from + k + m) * n;
        }
        xta__dots(n, x + a * n, other, now, product);
        for (size_t m = 0; m < now; m++) {
            size_t b = row + (size_t)from + k + m;
            bool both = slab->square[a] > 0 && slab->square[b] > 0;
            into[(k + m) * step] =
                both ? angle_of(product[m], slab->square[a], slab->square[b]) : 0;
        }
    }
}

/* The angle of two sources, a < b, if it was kept; negative if not. */
static double kept_angle(const amee_slab *slab, int32_t a, int32_t b)
{
    int64_t line = b / slab->width - a / slab->width;
    int64_t sample = b % slab->width - a % slab->width;
    int64_t far = slab->first_radius;

    if (slab->first == NULL || line > far || sample > far || sample < -far) {
        return -1;
    }
    size_t n = xta__neighbour((int)far, (int)line, (int)sample);
    return slab->first[n * slab->n_pixels + (size_t)a];
}

static double source_angle(const amee_slab *slab, int32_t a, int32_t b)
{
    if (a < 0 || b < 0 || a == b) {
        return 0;
    }
    double kept = a < b ? kept_angle(slab, a, b) : kept_angle(slab, b, a);
    return kept >= 0 ? kept : computed_angle(slab, (size_t)a, (size_t)b);
}

static void later_neighbours(const amee_slab *slab, size_t a, size_t row, int64_t from, int64_t to,
                             double *into, size_t step)
{
    for (int64_t s = from; s < to; s++) {
        into[(size_t)(s - from) * step] =
            source_angle(slab, slab->source[a], slab->source[row + (size_t)s]);
    }
}

void xta__angle_line(const amee_slab *slab, int far, int64_t line, double *into)
{
    size_t width = (size_t)slab->width;
    int64_t n_lines = slab->lines.hi - slab->lines.lo;

    for (int64_t s = 0; s < slab->width; s++) {
        size_t a = (size_t)line * width + (size_t)s;
        if (slab->source[a] < 0) {
            continue;
        }
        for (int down = 0; down <= far && line + down < n_lines; down++) {
            int64_t from = down == 0 ? s + 1 : s - far < 0 ? 0 : s - far;
            int64_t to = s + far + 1 < slab->width ? s + far + 1 : slab->width;
            if (from >= to) {
                continue;
            }
            double *place = into + xta__neighbour(far, down, (int)(from - s)) * width + (size_t)s;
            if (!slab->moved) {
                first_neighbours(slab, a, a - (size_t)s + (size_t)down * width, from, to, place,
                                 width);
            } else {
                later_neighbours(slab, a, a - (size_t)s + (size_t)down * width, from, to, place,
                                 width);
            }
        }
    }
}
