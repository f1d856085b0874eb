/* Every window by itself, every angle computed whenever needed, in an image of copied spectra.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "oracle/hyper_amee.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One position of the image: a spectrum and the pixel it is from. */
typedef struct image {
    double *spectra;
    size_t *from;
    bool *there;
} image;

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static double angle(size_t n, const double *a, const double *b)
{
    double cosine = dot(n, a, b) / sqrt(dot(n, a, a) * dot(n, b, b));

    return memcmp(a, b, n * sizeof *a) == 0 ? 0 : acos(fmax(fmin(cosine, 1), -1));
}

static image image_new(const oracle_cube *c)
{
    size_t n = c->n_lines * c->n_samples;
    image i = {malloc(n * c->n_bands * sizeof(double)), malloc(n * sizeof(size_t)),
               malloc(n * sizeof(bool))};
    memcpy(i.spectra, c->cells, n * c->n_bands * sizeof(double));
    for (size_t k = 0; k < n; k++) {
        const double *x = c->cells + k * c->n_bands;
        i.from[k] = k;
        i.there[k] = c->valid[k] && dot(c->n_bands, x, x) > 0;
    }
    return i;
}

static void image_free(image *i)
{
    free(i->spectra);
    free(i->from);
    free(i->there);
}

/* The positions of a window that have a spectrum. */
static size_t window_of(const oracle_cube *c, const image *i, size_t at, int radius, size_t *place)
{
    long line = (long)(at / c->n_samples), sample = (long)(at % c->n_samples);
    size_t n = 0;

    for (long l = line - radius; l <= line + radius; l++) {
        for (long s = sample - radius; s <= sample + radius; s++) {
            if (l < 0 || s < 0 || l >= (long)c->n_lines || s >= (long)c->n_samples) {
                continue;
            }
            size_t k = (size_t)l * c->n_samples + (size_t)s;
            if (i->there[k]) {
                place[n++] = k;
            }
        }
    }
    return n;
}

/* One window: the purest pixel is copied to `next`, and gets the eccentricity. */
static void window(const oracle_cube *c, const image *i, size_t at, int radius, image *next,
                   double *mei)
{
    size_t n_bands = c->n_bands, place[31 * 31];
    size_t n = window_of(c, i, at, radius, place), purest = 0, mixed = 0;
    double most = -1, least = INFINITY;

    for (size_t a = 0; a < n; a++) {
        double d = 0;
        for (size_t b = 0; b < n; b++) {
            if (b != a) {
                d += angle(n_bands, i->spectra + place[a] * n_bands,
                           i->spectra + place[b] * n_bands);
            }
        }
        if (d > most || (d == most && i->from[place[a]] < i->from[place[purest]])) {
            most = d;
            purest = a;
        }
        if (d < least || (d == least && i->from[place[a]] < i->from[place[mixed]])) {
            least = d;
            mixed = a;
        }
    }
    const double *pure = i->spectra + place[purest] * n_bands;
    double *of = &mei[i->from[place[purest]]];
    *of = fmax(*of, angle(n_bands, i->spectra + place[mixed] * n_bands, pure));
    next->from[at] = i->from[place[purest]];
    memcpy(next->spectra + at * n_bands, pure, n_bands * sizeof(double));
}

void oracle_amee(const oracle_cube *cube, int radius, int iterations, int last, double *mei)
{
    size_t n = cube->n_lines * cube->n_samples;
    bool grows = last > radius;
    int n_steps = grows ? last - radius + 1 : iterations;
    image now = image_new(cube);

    for (size_t k = 0; k < n; k++) {
        mei[k] = now.there[k] ? 0 : NAN;
    }
    for (int step = 0; step < n_steps; step++) {
        image next = image_new(cube);
        for (size_t at = 0; at < n; at++) {
            if (now.there[at]) {
                window(cube, &now, at, grows ? radius + step : radius, &next, mei);
            }
        }
        image swap = grows ? next : now;
        now = grows ? now : next;
        image_free(&swap);
    }
    image_free(&now);
}
