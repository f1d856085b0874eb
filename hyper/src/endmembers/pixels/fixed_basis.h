/* A basis that stays fixed during a selection, and pixels as components in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PIXELS_FIXED_BASIS_H
#define XTA_HYPER_ENDMEMBERS_PIXELS_FIXED_BASIS_H

#include <stddef.h>
#include <stdint.h>

#include <xta/moments.h>
#include <xta/scene.h>

/* A copy of a basis, and a number that tells bases apart. */
typedef struct fixed_basis {
    size_t n_bands, n_dims;
    int64_t *band;
    double *mean;
    double *vectors; // n_dims x n_bands
    uint64_t identity;
} fixed_basis;

/* Copy a basis; NULL for NULL. */
xta_status xta__fixed_basis_new(const xta_basis *basis, fixed_basis **into, xta_error *err);
void xta__fixed_basis_free(fixed_basis *basis);
/* Check that a basis is for the bands of a scene; a NULL basis always is. */
xta_status xta__fixed_basis_fits(const fixed_basis *basis, const xta_scene *scene, xta_error *err);
/* Components of n pixels of n_bands numbers; `row` is scratch memory for one pixel. The bits of a
 * pixel do not depend on the others. */
void xta__fixed_basis_apply(const fixed_basis *basis, const double *pixels, size_t n, double *row,
                            double *points);
/* Components of the pixels of a scene; a line of `points` has `width` pixels. Pixels that are not
 * valid become NaN. */
xta_status xta__points_read(const fixed_basis *basis, xta_scene *scene, const int64_t lines[2],
                            const int64_t samples[2], double *points, size_t width, xta_error *err);
/* Mark which pixels of a tile of points are valid. */
void xta__points_valid(const unsigned char *points, size_t line_bytes, size_t n_lines, size_t width,
                       size_t pixel_bytes, unsigned char *valid);

#endif
