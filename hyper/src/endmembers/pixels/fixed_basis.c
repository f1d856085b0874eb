/* Components in a fixed basis. They are computed by the sums of reproducible_dot.h and not by BLAS,
 * so that a pixel has the same components wherever it is read, and whatever is read with it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/pixels/fixed_basis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/reproducible_dot.h"
#include "scene/scene_private.h"
#include "statistics/basis.h"
#include "util/hash.h"
#include "util/try.h"

xta_status xta__fixed_basis_new(const xta_basis *basis, fixed_basis **into, xta_error *err)
{
    *into = NULL;
    if (basis == NULL) {
        return XTA_OK;
    }
    xta_basis_info info = xta_basis_inquire(basis);
    size_t n = info.n_bands, n_vectors = info.n_components * n;
    fixed_basis *b = calloc(1, sizeof *b);
    if (b != NULL) {
        b->n_bands = n;
        b->n_dims = info.n_components;
        b->band = malloc(n * sizeof *b->band);
        b->mean = malloc(n * sizeof *b->mean);
        b->vectors = malloc(n_vectors * sizeof *b->vectors);
    }
    if (b == NULL || b->band == NULL || b->mean == NULL || b->vectors == NULL) {
        xta__fixed_basis_free(b);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a basis of %zu components",
                             info.n_components);
    }
    memcpy(b->band, info.band, n * sizeof *b->band);
    memcpy(b->mean, info.mean, n * sizeof *b->mean);
    memcpy(b->vectors, info.vectors, n_vectors * sizeof *b->vectors);
    b->identity = xta__hash_bytes(XTA__HASH_OF_NOTHING, b->band, n * sizeof *b->band);
    b->identity = xta__hash_bytes(b->identity, b->mean, n * sizeof *b->mean);
    b->identity = xta__hash_bytes(b->identity, b->vectors, n_vectors * sizeof *b->vectors);
    *into = b;
    return XTA_OK;
}

void xta__fixed_basis_free(fixed_basis *basis)
{
    if (basis != NULL) {
        free(basis->band);
        free(basis->mean);
        free(basis->vectors);
        free(basis);
    }
}

xta_status xta__fixed_basis_fits(const fixed_basis *basis, const xta_scene *scene, xta_error *err)
{
    if (basis == NULL) {
        return XTA_OK;
    }
    if (basis->n_bands != scene->now.n_bands) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: the basis is for %zu bands, the scene has %zu in use; make the "
                             "basis from this scene",
                             scene->name, basis->n_bands, scene->now.n_bands);
    }
    for (size_t k = 0; k < basis->n_bands; k++) {
        if (basis->band[k] != scene->now.band[k]) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: band %zu in use is number %" PRId64 ", but number %" PRId64
                                 " in the basis; make the basis from this scene",
                                 scene->name, k, scene->now.band[k], basis->band[k]);
        }
    }
    return XTA_OK;
}

void xta__fixed_basis_apply(const fixed_basis *basis, const double *pixels, size_t n, double *row,
                            double *points)
{
    size_t n_bands = basis->n_bands;

    for (size_t k = 0; k < n; k++) {
        for (size_t b = 0; b < n_bands; b++) {
            row[b] = pixels[k * n_bands + b] - basis->mean[b];
        }
        for (size_t d = 0; d < basis->n_dims; d += 4) {
            const double *vectors[4];
            size_t m = basis->n_dims - d < 4 ? basis->n_dims - d : 4;
            for (size_t i = 0; i < m; i++) {
                vectors[i] = basis->vectors + (d + i) * n_bands;
            }
            xta__dots(n_bands, row, vectors, m, points + k * basis->n_dims + d);
        }
    }
}

/* Points of one line. */
static void line_points(const fixed_basis *b, const double *pixels, const unsigned char *valid,
                        size_t n, double *row, double *points)
{
    xta__fixed_basis_apply(b, pixels, n, row, points);
    for (size_t k = 0; k < n; k++) {
        if (!valid[k]) {
            points[k * b->n_dims] = NAN;
        }
    }
}

xta_status xta__points_read(const fixed_basis *basis, xta_scene *scene, const int64_t lines[2],
                            const int64_t samples[2], double *points, size_t width, xta_error *err)
{
    size_t n_bands = basis->n_bands, n = (size_t)(samples[1] - samples[0]);
    size_t n_pixels = (size_t)(lines[1] - lines[0]) * n;
    double *pixels = malloc((n_pixels + 1) * n_bands * sizeof *pixels);
    unsigned char *valid = malloc(n_pixels + 1);
    xta_status status = XTA_OK;

    if (pixels == NULL || valid == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu pixels", n_pixels);
        goto done;
    }
    XTA_TRY(xta_scene_read(scene, lines, samples, pixels, valid, err));
    for (size_t at = 0; at < n_pixels; at += n) {
        line_points(basis, pixels + at * n_bands, valid + at, n, pixels + n_pixels * n_bands,
                    points + at / n * width * basis->n_dims);
    }
done:
    free(pixels);
    free(valid);
    return status;
}

void xta__points_valid(const unsigned char *points, size_t line_bytes, size_t n_lines, size_t width,
                       size_t pixel_bytes, unsigned char *valid)
{
    for (size_t l = 0; l < n_lines; l++) {
        for (size_t k = 0; k < width; k++) {
            double first;
            memcpy(&first, points + l * line_bytes + k * pixel_bytes, sizeof first);
            valid[l * width + k] = !isnan(first);
        }
    }
}
