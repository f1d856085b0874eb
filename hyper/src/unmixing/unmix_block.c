/* Unmixing TILE_PIXELS pixels at once: BLAS always gets the same shape.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "unmixing/unmix_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "numeric/reproducible_dot.h"
#include "scene/tile.h"
#include "unmixing/fcls.h"
#include "unmixing/unmixer.h"
#include "util/try.h"

bool xta__unmix_work_init(unmix_work *work, const xta_unmixer *unmixer, size_t most_bytes)
{
    const xta_unmixer *u = unmixer;

    *work = (unmix_work){.unmixer = u};
    work->maps = xta__set_maps_new(u, most_bytes);
    work->x = malloc(TILE_PIXELS * u->n_bands * sizeof(double));
    work->y = malloc((TILE_PIXELS * u->q + 1) * sizeof(double));
    work->small = malloc(xta__active_doubles(u) * sizeof(double));
    work->abundances = malloc(TILE_PIXELS * u->p * sizeof(double));
    work->residual = malloc(TILE_PIXELS * sizeof(double));
    work->direction = malloc(TILE_PIXELS * sizeof(bool));
    if (work->maps == NULL || work->x == NULL || work->y == NULL || work->small == NULL ||
        work->abundances == NULL || work->residual == NULL || work->direction == NULL) {
        xta__unmix_work_clear(work);
        return false;
    }
    return true;
}

void xta__unmix_work_clear(unmix_work *work)
{
    xta__set_maps_free(work->maps);
    free(work->x);
    free(work->y);
    free(work->small);
    free(work->abundances);
    free(work->residual);
    free(work->direction);
    *work = (unmix_work){0};
}

/* Mark the pixels that have a direction, and normalise them if asked for. */
static const double *normalise_pixels(unmix_work *work, const double *x)
{
    size_t n = work->unmixer->n_bands;
    bool normalise = work->unmixer->normalise;

    for (size_t row = 0; row < TILE_PIXELS; row++) {
        const double *from = x + row * n;
        double length = sqrt(xta__dot(n, from, from));
        work->direction[row] = length > 0;
        double divisor = length > 0 ? length : 1;
        for (size_t b = 0; normalise && b < n; b++) {
            work->x[row * n + b] = from[b] / divisor;
        }
    }
    return normalise ? work->x : x;
}

/* Y = X Q - m Q. */
static void project_to_span(unmix_work *work, const double *x)
{
    const xta_unmixer *u = work->unmixer;

    if (u->q == 0) {
        return;
    }
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        memcpy(work->y + row * u->q, u->origin, u->q * sizeof(double));
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, TILE_PIXELS, (int)u->q, (int)u->n_bands,
                1, x, (int)u->n_bands, u->basis, (int)u->q, -1, work->y, (int)u->q);
}

/* sqrt(mean((x - a E)^2)), from the spectra themselves: a difference of squares would lose half of
 * the digits of a small residual. */
static void find_residual(unmix_work *work, const double *x)
{
    const xta_unmixer *u = work->unmixer;
    size_t n = u->n_bands;

    if (x != work->x) {
        memcpy(work->x, x, TILE_PIXELS * n * sizeof(double));
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, TILE_PIXELS, (int)n, (int)u->p, -1,
                work->abundances, (int)u->p, u->spectra, (int)n, 1, work->x, (int)n);
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        const double *r = work->x + row * n;
        work->residual[row] = sqrt(xta__dot(n, r, r) / (double)n);
    }
}

xta_status xta__unmix_block(unmix_work *work, const double *x, const unsigned char *valid,
                            bool residual, xta_error *err)
{
    const xta_unmixer *u = work->unmixer;
    const double *from = normalise_pixels(work, x);
    bool good = true;

    project_to_span(work, from);
    for (size_t row = 0; row < TILE_PIXELS && good; row++) {
        const double *y = work->y + row * u->q;
        double *a = work->abundances + row * u->p;
        if (!valid[row] || (u->normalise && !work->direction[row])) {
            memset(a, 0, u->p * sizeof *a);
        } else if (u->not_negative) {
            good = xta__unmix_active(u, work->maps, y, work->small, a);
        } else {
            good = xta__unmix_free(u, work->maps, y, work->small, a);
        }
    }
    if (!good) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory to unmix with %zu endmembers", u->p);
    }
    if (residual) {
        find_residual(work, from);
    }
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        bool none = !valid[row] || (u->normalise && !work->direction[row]);
        for (size_t i = 0; none && i < u->p; i++) {
            work->abundances[row * u->p + i] = NAN;
        }
        work->residual[row] = none ? NAN : work->residual[row];
    }
    return XTA_OK;
}

/* Copy pixels of the caller to a full block; rows that are not finite become zero and not valid. */
static void fill_block(const double *pixels, size_t n, size_t n_bands, double *block,
                       unsigned char *valid)
{
    memset(block, 0, TILE_PIXELS * n_bands * sizeof *block);
    memset(valid, 0, TILE_PIXELS);
    for (size_t row = 0; row < n; row++) {
        const double *x = pixels + row * n_bands;
        bool finite = true;
        for (size_t b = 0; b < n_bands; b++) {
            finite = finite && isfinite(x[b]);
        }
        valid[row] = finite;
        if (finite) {
            memcpy(block + row * n_bands, x, n_bands * sizeof *x);
        }
    }
}

xta_status xta_unmix_pixels(const xta_unmixer *unmixer, size_t n, const double *pixels,
                            double *abundances, double *residual, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t p = unmixer->p, n_bands = unmixer->n_bands;
    unmix_work work;
    unsigned char valid[TILE_PIXELS];
    double *block = malloc(TILE_PIXELS * n_bands * sizeof *block);
    bool good = block != NULL && xta__unmix_work_init(&work, unmixer, (size_t)64 << 20);

    if (!good) {
        free(block);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory to unmix with %zu endmembers", p);
    }
    for (size_t at = 0; at < n; at += TILE_PIXELS) {
        size_t now = n - at < TILE_PIXELS ? n - at : TILE_PIXELS;
        fill_block(pixels + at * n_bands, now, n_bands, block, valid);
        XTA_TRY(xta__unmix_block(&work, block, valid, residual != NULL, err));
        memcpy(abundances + at * p, work.abundances, now * p * sizeof *abundances);
        if (residual != NULL) {
            memcpy(residual + at, work.residual, now * sizeof *residual);
        }
    }
done:
    xta__unmix_work_clear(&work);
    free(block);
    return status;
}
