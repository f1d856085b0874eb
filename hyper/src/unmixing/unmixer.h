/* What the files of unmixing share: unmix*.c, fcls.c, labels.c.
 *
 * All is done in the span of the endmembers. Y = (X - m) Q has the coordinates of the pixels, q
 * numbers each, and C = (E - m) Q those of the endmembers; m is the mean of the endmembers where
 * the sum is one (the plane through them need not go through zero, and q = p - 1), else zero (q =
 * p). What is lost, the distance of a pixel to the span, is the same for all abundances.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_UNMIXER_H
#define XTA_HYPER_UNMIXING_UNMIXER_H

#include <xta/unmix.h>

#include "hyper.h"

enum { SUPPORT_WORDS = XTA_UNMIX_MAX / 64 };

/* Which endmembers take part: bit i of word i / 64. */
typedef struct support {
    uint64_t word[SUPPORT_WORDS];
} support;

static inline bool xta__support_has(const support *set, size_t i)
{
    return (set->word[i / 64] >> (i % 64) & 1) != 0;
}

struct xta_unmixer {
    size_t p, n_bands;
    bool sum_is_one, not_negative, normalise;
    size_t q;        /* coordinates in the span */
    size_t width;    /* p, rounded up to whole lanes */
    double *spectra; /* p x n_bands, as they are unmixed */
    double *basis;   /* n_bands x q */
    double *origin;  /* q: m Q */
    double *corner;  /* p x q: C */
    double *across;  /* q x width: C^T, with zeros in the last columns; then a row of zeros */
    double *gram;    /* p x width: C C^T */
    double *square;  /* width: its diagonal */
    double reach;    /* largest norm in C */
};

/* ---- unmix_set.c: all that depends on the set only ---- */

/* What a set of endmembers makes of a pixel: p affine functions of its q coordinates. That of a
 * member is its abundance when only the set is used; that of another endmember is how far the pixel
 * is displaced from the set's span in its direction, so above 0 it would help. Vectors of `width`
 * one after the other: q of coefficients, one of constants, one of rounding errors for each unit of
 * |y| + reach. */
typedef struct set_maps set_maps;

/* At most so many bytes are kept; when there is no room all is forgotten. NULL: no memory. */
set_maps *xta__set_maps_new(const xta_unmixer *unmixer, size_t most_bytes);
void xta__set_maps_free(set_maps *maps);
/* The map of a set, valid until the next call; NULL: no memory. A set may be empty only where the
 * sum is free. */
const double *xta__set_map(set_maps *maps, const support *set);

/* ---- fcls_guess.c, fcls.c: one pixel ---- */

/* Abundances near the best ones, none below 0 and of the right sum, and which of them are above 0:
 * most often the right ones. The set may be empty. `work` has xta__guess_doubles. */
void xta__unmix_guess(const xta_unmixer *unmixer, const double *y, double *work, support *set,
                      double *abundances);
size_t xta__guess_doubles(const xta_unmixer *unmixer);

/* Abundances of the pixel with coordinates y; `work` has xta__active_doubles. False: no memory. */
bool xta__unmix_active(const xta_unmixer *unmixer, set_maps *maps, const double *y, double *work,
                       double *abundances);
size_t xta__active_doubles(const xta_unmixer *unmixer);
/* The same with all endmembers and no demand on signs. */
bool xta__unmix_free(const xta_unmixer *unmixer, set_maps *maps, const double *y, double *work,
                     double *abundances);

/* ---- unmix_block.c: TILE_PIXELS pixels ---- */

typedef struct unmix_work {
    const xta_unmixer *unmixer;
    set_maps *maps;
    double *x; /* TILE_PIXELS x n_bands: normalised pixels, residuals */
    double *y; /* TILE_PIXELS x q */
    double *small;
    double *abundances; /* TILE_PIXELS x p */
    double *residual;   /* TILE_PIXELS */
    bool *direction;    /* TILE_PIXELS: the pixel is not zero */
} unmix_work;

/* False: no memory; then nothing is to be cleared. */
bool xta__unmix_work_init(unmix_work *work, const xta_unmixer *unmixer, size_t most_bytes);
void xta__unmix_work_clear(unmix_work *work);
/* Unmix a full block of rows; those without `valid` are zero and get NaN. Results in work. */
xta_status xta__unmix_block(unmix_work *work, const double *x, const unsigned char *valid,
                            bool residual, xta_error *err);

/* ---- unmix_maps.c: outputs of scenes ---- */

/* The lines asked for, all for NULL; XTA_EARG outside the scene. */
xta_status xta__lines_asked(const xta_scene *scene, const int64_t lines[2], line_range *range,
                            xta_error *err);
/* Whether a map fits; `layers` 0: no axis of layers. NULL is fine. */
xta_status xta__map_fits(const xta_scene *scene, line_range lines, xta_array *map, const char *what,
                         size_t layers, xta_error *err);
/* Write the pixels of a tile that are asked for: `cells` has a row of `layers` (0: 1) numbers for
 * each pixel, `room` as many. NULL maps are left out. */
xta_status xta__map_put_tile(const xta_scene *scene, line_range lines, const hyper_tile *tile,
                             xta_array *map, size_t layers, const double *cells, double *room,
                             xta_error *err);

#endif
