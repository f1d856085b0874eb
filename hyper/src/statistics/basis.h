/* The internals of a basis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATISTICS_BASIS_H
#define XTA_HYPER_STATISTICS_BASIS_H

#include <stddef.h>
#include <stdint.h>

#include <xta/moments.h>

#include "scene/tile.h"

struct xta_basis {
    char name[64];
    char kind[16];
    size_t n_bands, n_components;
    int64_t *band;
    double *mean;
    double *vectors;     // n_components x n_bands
    double *eigenvalues; // n_bands
    double *offset;      // the vectors times the mean
};

/* Make a basis of the first eigenvectors; `vectors` has all of them as rows. A `mean` of NULL
 * stands for 0. */
xta_status xta__basis_of(const xta_moments *moments, const xta_basis_options *options,
                         const char *kind, const double *mean, const double *values,
                         const double *vectors, xta_basis **basis, xta_error *err);
/* Check the options for a basis of these moments. */
xta_status xta__basis_check(const xta_moments *moments, const xta_basis_options *options,
                            xta_error *err);

/* Check that the bands of the scene are those of the basis; XTA_EARG if not. */
xta_status xta__basis_fits(const xta_basis *basis, const xta_scene *scene, xta_error *err);
xta_status xta__basis_copy(const xta_basis *basis, xta_basis **copy, xta_error *err);
/* A number that tells bases apart. */
uint64_t xta__basis_identity(const xta_basis *basis);
/* Scores of a tile: TILE_PIXELS x dims, zero for pixels that are not valid. dgemm is always called
 * with one shape, so the scores of a pixel have the same bits in every run. */
void xta__basis_tile(const xta_basis *basis, const hyper_tile *tile, double *scores);

#endif
