/* A basis of components: created, copied, kept in a file, and applied to pixels. It does not change
 * when the scene grows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "statistics/basis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "numeric/eigen.h"
#include "state/blob.h"
#include "state/replace_file.h"
#include "state/state_file.h"
#include "statistics/moments.h"
#include "util/hash.h"
#include "util/try.h"

/* ---- create and free ---- */

/* A basis of zeros for so many bands and components. */
static xta_status make_basis(size_t n_bands, size_t n_components, const char *name,
                             const char *kind, xta_basis **basis, xta_error *err)
{
    xta_basis *b = calloc(1, sizeof *b);

    *basis = NULL;
    if (b != NULL) {
        snprintf(b->name, sizeof b->name, "%s", name);
        snprintf(b->kind, sizeof b->kind, "%s", kind);
        b->n_bands = n_bands;
        b->n_components = n_components;
        b->band = calloc(n_bands, sizeof *b->band);
        b->mean = calloc(n_bands, sizeof *b->mean);
        b->vectors = calloc(n_components * n_bands, sizeof *b->vectors);
        b->eigenvalues = calloc(n_bands, sizeof *b->eigenvalues);
        b->offset = calloc(n_components, sizeof *b->offset);
    }
    if (b == NULL || b->band == NULL || b->mean == NULL || b->vectors == NULL ||
        b->eigenvalues == NULL || b->offset == NULL) {
        xta_basis_free(b);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a basis of %zu bands", n_bands);
    }
    *basis = b;
    return XTA_OK;
}

/* Compute `offset`, after mean and vectors have been filled in. */
static void finish_basis(xta_basis *basis)
{
    for (size_t k = 0; k < basis->n_components; k++) {
        double sum = 0;
        for (size_t b = 0; b < basis->n_bands; b++) {
            sum += basis->vectors[k * basis->n_bands + b] * basis->mean[b];
        }
        basis->offset[k] = sum;
    }
}

void xta_basis_free(xta_basis *basis)
{
    if (basis != NULL) {
        free(basis->band);
        free(basis->mean);
        free(basis->vectors);
        free(basis->eigenvalues);
        free(basis->offset);
        free(basis);
    }
}

xta_basis_info xta_basis_inquire(const xta_basis *basis)
{
    return (xta_basis_info){.name = basis->name,
                            .kind = basis->kind,
                            .n_bands = basis->n_bands,
                            .n_components = basis->n_components,
                            .band = basis->band,
                            .mean = basis->mean,
                            .vectors = basis->vectors,
                            .eigenvalues = basis->eigenvalues};
}

xta_status xta__basis_copy(const xta_basis *basis, xta_basis **copy, xta_error *err)
{
    size_t n = basis->n_bands;
    xta_status status = make_basis(n, basis->n_components, basis->name, basis->kind, copy, err);

    if (status == XTA_OK) {
        memcpy((*copy)->band, basis->band, n * sizeof *basis->band);
        memcpy((*copy)->mean, basis->mean, n * sizeof(double));
        memcpy((*copy)->vectors, basis->vectors, basis->n_components * n * sizeof(double));
        memcpy((*copy)->eigenvalues, basis->eigenvalues, n * sizeof(double));
        memcpy((*copy)->offset, basis->offset, basis->n_components * sizeof(double));
    }
    return status;
}

/* ---- from moments ---- */

xta_status xta__basis_check(const xta_moments *moments, const xta_basis_options *options,
                            xta_error *err)
{
    if (options->n_components > moments->n_bands) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu components of %zu bands; ask for at most as many as bands",
                             options->n_components, moments->n_bands);
    }
    if (options->name != NULL && (options->name[0] == '\0' || strlen(options->name) > 63)) {
        return xta_error_set(err, XTA_EARG, 0, "the name of a basis has 1 to 63 bytes, not %zu",
                             strlen(options->name));
    }
    return XTA_OK;
}

xta_status xta__basis_of(const xta_moments *moments, const xta_basis_options *options,
                         const char *kind, const double *mean, const double *values,
                         const double *vectors, xta_basis **basis, xta_error *err)
{
    size_t n = moments->n_bands;
    size_t n_components = options->n_components > 0 ? options->n_components : n;
    xta_status status =
        make_basis(n, n_components, options->name != NULL ? options->name : kind, kind, basis, err);

    if (status == XTA_OK) {
        memcpy((*basis)->band, moments->band, n * sizeof *moments->band);
        if (mean != NULL) {
            memcpy((*basis)->mean, mean, n * sizeof *mean);
        }
        memcpy((*basis)->vectors, vectors, n_components * n * sizeof *vectors);
        memcpy((*basis)->eigenvalues, values, n * sizeof *values);
        finish_basis(*basis);
    }
    return status;
}

/* ---- files ---- */

static void put_basis(const xta_basis *basis, blob *b)
{
    xta__blob_put(b, basis->name, sizeof basis->name);
    xta__blob_put(b, basis->kind, sizeof basis->kind);
    xta__blob_u64(b, basis->n_bands);
    xta__blob_u64(b, basis->n_components);
    for (size_t k = 0; k < basis->n_bands; k++) {
        xta__blob_i64(b, basis->band[k]);
    }
    xta__blob_f64s(b, basis->mean, basis->n_bands);
    xta__blob_f64s(b, basis->vectors, basis->n_components * basis->n_bands);
    xta__blob_f64s(b, basis->eigenvalues, basis->n_bands);
}

static xta_status get_basis(const char *path, blob_reader *r, xta_basis **basis, xta_error *err)
{
    char name[64], kind[16];

    xta__blob_get(r, name, sizeof name);
    xta__blob_get(r, kind, sizeof kind);
    uint64_t n_bands = xta__blob_get_u64(r), n = xta__blob_get_u64(r);
    uint64_t left = (r->n - r->at) / sizeof(double);
    name[sizeof name - 1] = kind[sizeof kind - 1] = '\0';
    if (r->failed || n < 1 || n > n_bands || n_bands > left || n_bands * (n + 3) != left) {
        return xta_error_set(err, XTA_ECORRUPT, 0,
                             "%s: a basis of %llu bands and %llu components cannot have %llu "
                             "numbers; write it again",
                             path, (unsigned long long)n_bands, (unsigned long long)n,
                             (unsigned long long)left);
    }
    xta_status status = make_basis((size_t)n_bands, (size_t)n, name, kind, basis, err);
    if (status == XTA_OK) {
        for (size_t k = 0; k < n_bands; k++) {
            (*basis)->band[k] = xta__blob_get_i64(r);
        }
        xta__blob_get_f64s(r, (*basis)->mean, (size_t)n_bands);
        xta__blob_get_f64s(r, (*basis)->vectors, (size_t)(n * n_bands));
        xta__blob_get_f64s(r, (*basis)->eigenvalues, (size_t)n_bands);
        finish_basis(*basis);
    }
    return status;
}

xta_status xta_basis_write(const xta_basis *basis, const char *path, xta_error *err)
{
    blob contents = {0}, file = {0};
    const char *slash = strrchr(path, '/');
    size_t n = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = calloc(n + 2, 1);
    xta_status status = XTA_OK;

    put_basis(basis, &contents);
    const state_section section = {"basis", contents.bytes, contents.n};
    xta__state_file_pack(&section, 1, &file);
    if (folder == NULL || contents.failed || file.failed) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a basis", path);
        goto done;
    }
    memcpy(folder, n > 0 ? path : ".", n > 0 ? n : 1);
    status = xta__file_replace(folder, slash == NULL ? path : slash + 1, file.bytes, file.n, err);
done:
    free(folder);
    xta__blob_clear(&contents);
    xta__blob_clear(&file);
    return status;
}

xta_status xta_basis_read(const char *path, xta_basis **basis, xta_error *err)
{
    state_file file = {0};
    bool there = false;
    xta_status status = XTA_OK;

    *basis = NULL;
    XTA_TRY(xta__state_file_load(path, &file, &there, err));
    if (!there) {
        status =
            xta_error_set(err, XTA_ENOENT, 0, "%s: no such file; write a basis there first", path);
        goto done;
    }
    blob_reader r = xta__state_file_find(&file, "basis");
    if (r.n == 0) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: the file holds no basis", path);
        goto done;
    }
    XTA_TRY(get_basis(path, &r, basis, err));
done:
    xta__state_file_clear(&file);
    return status;
}

/* ---- for other methods ---- */

xta_status xta__basis_fits(const xta_basis *basis, const xta_scene *scene, xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);

    if (info.n_bands != basis->n_bands) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: the basis '%s' is for %zu bands, and %zu are in use; name the "
                             "bands to use, or make another basis",
                             info.name, basis->name, basis->n_bands, info.n_bands);
    }
    for (size_t b = 0; b < info.n_bands; b++) {
        if (info.band[b] != basis->band[b]) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: the basis '%s' has band %lld where band %lld is in use; name "
                                 "the bands to use, or make another basis",
                                 info.name, basis->name, (long long)basis->band[b],
                                 (long long)info.band[b]);
        }
    }
    return XTA_OK;
}

uint64_t xta__basis_identity(const xta_basis *basis)
{
    uint64_t numbers[2] = {basis->n_bands, basis->n_components};
    uint64_t h = xta__hash_bytes(XTA__HASH_OF_NOTHING, numbers, sizeof numbers);

    h = xta__hash_bytes(h, basis->band, basis->n_bands * sizeof *basis->band);
    h = xta__hash_bytes(h, basis->mean, basis->n_bands * sizeof *basis->mean);
    return xta__hash_bytes(h, basis->vectors,
                           basis->n_components * basis->n_bands * sizeof *basis->vectors);
}

/* ---- projection ---- */

void xta_basis_apply(const xta_basis *basis, size_t n, const double *pixels, double *scores)
{
    enum { AT_ONCE = 1 << 20 };
    size_t d = basis->n_components, n_bands = basis->n_bands;

    xta__blas_single();
    for (size_t from = 0; from < n; from += AT_ONCE) {
        size_t rows = n - from < AT_ONCE ? n - from : AT_ONCE;
        double *to = scores + from * d;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)d, (int)n_bands, 1,
                    pixels + from * n_bands, (int)n_bands, basis->vectors, (int)n_bands, 0, to,
                    (int)d);
        for (size_t row = 0; row < rows; row++, to += d) {
            for (size_t k = 0; k < d; k++) {
                to[k] -= basis->offset[k];
            }
        }
    }
}

void xta__basis_tile(const xta_basis *basis, const hyper_tile *tile, double *scores)
{
    size_t d = basis->n_components;

    xta_basis_apply(basis, TILE_PIXELS, tile->x, scores);
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        if (!tile->valid[row]) {
            memset(scores + row * d, 0, d * sizeof *scores);
        }
    }
}
