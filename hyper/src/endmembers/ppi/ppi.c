/* The pixel purity index of a scene that grows [BOARDMAN95].
 *
 * Definition: project all pixels on many random directions ("skewers") and count how often each
 * pixel is one of the two extremes. The naive way projects the whole scene again after each growth.
 *
 * The index keeps the two extremes of each skewer. A projection depends on the pixel and the skewer
 * alone, so merging the extremes of new lines with the old ones gives those of the whole scene.
 * Random skewers are whole numbers that depend on the seed, the number of the skewer and the
 * coordinate of the band, so with whole cells every projection is exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/ppi/ppi.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "endmembers/pixels/fixed_basis.h"
#include "endmembers/pixels/winner.h"
#include "endmembers/ppi/counts.h"
#include "endmembers/ppi/extremes.h"
#include "endmembers/ppi/integer_projection.h"
#include "endmembers/ppi/tile.h"
#include "numeric/eigen.h"
#include "numeric/philox.h"
#include "parallel/communicator.h"
#include "scene/coverage.h"
#include "scene/scan.h"
#include "scene/scene_private.h"
#include "scene/tile.h"
#include "util/try.h"

enum { BLOB_VERSION = 1, MOST_SKEWERS = 1000000 };

typedef struct ppi_spec {
    size_t n_skewers;
    uint64_t seed;
    double threshold;
    double *skewers; // given, n_skewers x n_dims; NULL: random
    size_t n_dims;   // of these
    fixed_basis *basis;
} ppi_spec;

struct xta_ppi {
    ppi_spec spec;
    ppi_extremes known;
    bool any; // the extremes cover `have`
    coverage have;
    xta_ppi_pixel *pixels;
    size_t n_pixels;
    xta_endmembers_work work;
};

static xta_status check_options(const xta_ppi_options *o, xta_error *err)
{
    if (o == NULL || o->n_skewers < 1 || o->n_skewers > MOST_SKEWERS) {
        return xta_error_set(err, XTA_EARG, 0, "%zu skewers are wanted; it must be 1 to %d",
                             o == NULL ? 0 : o->n_skewers, MOST_SKEWERS);
    }
    if (!(o->threshold >= 0 && o->threshold < INFINITY)) {
        return xta_error_set(err, XTA_EARG, 0, "the threshold is %g; it must be 0 or more",
                             o->threshold);
    }
    if (o->skewers != NULL && o->n_dims < 1) {
        return xta_error_set(err, XTA_EARG, 0, "skewers are given, but n_dims is 0");
    }
    return XTA_OK;
}

static xta_status spec_init(ppi_spec *spec, const xta_ppi_options *o, xta_error *err)
{
    size_t n = o->skewers != NULL ? o->n_skewers * o->n_dims : 0;
    xta_status status = XTA_OK;

    spec->n_skewers = o->n_skewers;
    spec->seed = o->seed;
    spec->threshold = o->threshold;
    XTA_TRY(xta__fixed_basis_new(o->basis, &spec->basis, err));
    if (n == 0) {
        return XTA_OK;
    }
    if (spec->basis != NULL && o->n_dims != spec->basis->n_dims) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "skewers of %zu numbers do not fit a basis of %zu components",
                               o->n_dims, spec->basis->n_dims);
        goto done;
    }
    spec->n_dims = o->n_dims;
    spec->skewers = malloc(n * sizeof *spec->skewers);
    if (spec->skewers == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu skewers", o->n_skewers);
        goto done;
    }
    memcpy(spec->skewers, o->skewers, n * sizeof *spec->skewers);
done:
    return status;
}

xta_status xta_ppi_new(const xta_ppi_options *options, xta_ppi **ppi, xta_error *err)
{
    xta_ppi *p = calloc(1, sizeof *p);
    xta_ppi_options own = XTA_PPI_OPTIONS_INIT;
    xta_status status = XTA_OK;

    *ppi = NULL;
    if (p == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a pixel purity index");
    }
    XTA_TRY(xta_options_read(&own, sizeof own, options, "xta_ppi_options", err));
    options = &own;
    XTA_TRY(check_options(options, err));
    XTA_TRY(spec_init(&p->spec, options, err));
    XTA_TRY(xta__extremes_init(&p->known, options->n_skewers, options->threshold > 0, err));
    *ppi = p;
    p = NULL;
done:
    xta_ppi_free(p);
    return status;
}

void xta_ppi_free(xta_ppi *ppi)
{
    if (ppi != NULL) {
        xta__extremes_clear(&ppi->known);
        xta__fixed_basis_free(ppi->spec.basis);
        free(ppi->spec.skewers);
        free(ppi->pixels);
        free(ppi);
    }
}

/* ---- one update ---- */

typedef struct updating {
    ppi_job job;
    double *skewers;
    int16_t *whole;
    double *margin;
    ppi_extremes known; // becomes those of the index
    ppi_partial *partials;
    int n_partials;
    xta_ppi_pixel *pixels;
    size_t n_pixels;
} updating;

static void updating_clear(updating *u)
{
    for (int k = 0; u->partials != NULL && k < u->n_partials; k++) {
        xta__extremes_clear(&u->partials[k].known);
        free(u->partials[k].projections);
        free(u->partials[k].pixels);
        free(u->partials[k].points);
        free(u->partials[k].row);
    }
    free(u->partials);
    free(u->skewers);
    free(u->whole);
    free(u->margin);
    free(u->pixels);
    xta__extremes_clear(&u->known);
}

/* Make the matrix of skewers, padded with zeros to whole blocks, and their margins. */
static xta_status make_skewers(updating *u, const ppi_spec *spec, const xta_scene *scene,
                               xta_error *err)
{
    size_t n_dims = u->job.n_dims, n_rows = u->job.n_blocks * PPI_BLOCK;
    uint64_t bytes = (uint64_t)n_rows * n_dims * sizeof(double);

    if (spec->skewers != NULL && spec->n_dims != n_dims) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: skewers of %zu numbers are given, but %zu bands are in use",
                             scene->name, spec->n_dims, n_dims);
    }
    if (bytes > scene->memory_bytes / 4) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%s: %zu skewers take %" PRIu64 " bytes, more than a quarter of the "
                             "memory allowed; take fewer or allow more",
                             scene->name, spec->n_skewers, bytes);
    }
    u->skewers = calloc(n_rows * n_dims, sizeof *u->skewers);
    u->margin = calloc(spec->n_skewers, sizeof *u->margin);
    if (u->skewers == NULL || u->margin == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu skewers", spec->n_skewers);
    }
    for (size_t k = 0; k < spec->n_skewers; k++) {
        double square = 0, *row = u->skewers + k * n_dims;
        if (spec->skewers != NULL) {
            memcpy(row, spec->skewers + k * n_dims, n_dims * sizeof *row);
        } else {
            xta__skewer(spec->seed, k, spec->basis != NULL ? NULL : scene->now.band, n_dims, row);
        }
        for (size_t d = 0; d < n_dims; d++) {
            square += row[d] * row[d];
        }
        u->margin[k] = spec->threshold * sqrt(square);
    }
    u->job.skewers = u->skewers;
    u->job.margin = u->margin;
    return XTA_OK;
}

/* Use whole numbers if the scene has whole numbers. */
static xta_status make_whole(updating *u, const xta_scene *scene, xta_error *err)
{
    if (!scene->whole || u->job.basis != NULL) {
        return XTA_OK;
    }
    u->job.n_pairs = (u->job.n_dims + 1) / 2;
    u->whole = calloc(u->job.n_blocks * PPI_BLOCK * 2 * u->job.n_pairs, sizeof *u->whole);
    if (u->whole == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu skewers", u->job.n_skewers);
    }
    if (xta__ppi_whole_skewers(&u->job, u->whole)) {
        u->job.whole = u->whole;
        u->job.project = xta__whole_project(0);
    }
    return XTA_OK;
}

static xta_status make_partials(updating *u, const ppi_spec *spec, const xta_scene *scene,
                                xta_error *err)
{
    u->n_partials = scene->n_threads;
    u->partials = calloc((size_t)u->n_partials, sizeof *u->partials);
    for (int k = 0; u->partials != NULL && k < u->n_partials; k++) {
        ppi_partial *p = &u->partials[k];
        xta_status status =
            xta__extremes_init(&p->known, spec->n_skewers, spec->threshold > 0, err);
        if (status != XTA_OK) {
            return status;
        }
        memcpy(p->known.extremes, u->known.extremes, 2 * spec->n_skewers * sizeof(winner));
        p->projections = malloc(sizeof(double) * TILE_PIXELS * PPI_BLOCK);
        p->points =
            spec->basis != NULL ? malloc(sizeof(double) * TILE_PIXELS * u->job.n_dims) : NULL;
        p->pixels = u->job.whole != NULL
                        ? malloc(TILE_PIXELS * 2 * u->job.n_pairs * sizeof *p->pixels)
                        : NULL;
        p->row = malloc(sizeof(double) * scene->now.n_bands);
        if (p->projections == NULL || p->row == NULL ||
            (spec->basis != NULL && p->points == NULL) ||
            (u->job.whole != NULL && p->pixels == NULL)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the projections of a tile");
        }
    }
    return u->partials != NULL ? XTA_OK
                               : xta_error_set(err, XTA_ENOMEM, 0, "no memory for threads");
}

static xta_status prepare_update(updating *u, const xta_ppi *ppi, const xta_scene *scene,
                                 bool start, xta_error *err)
{
    const ppi_spec *spec = &ppi->spec;
    xta_status status = XTA_OK;

    u->job.n_skewers = spec->n_skewers;
    u->job.n_blocks = (spec->n_skewers + PPI_BLOCK - 1) / PPI_BLOCK;
    u->job.n_dims = spec->basis != NULL ? spec->basis->n_dims : scene->now.n_bands;
    u->job.basis = spec->basis;
    u->job.name = scene->name;
    u->job.most_near_bytes = scene->memory_bytes / 4 / (uint64_t)scene->n_threads;
    XTA_TRY(make_skewers(u, spec, scene, err));
    XTA_TRY(make_whole(u, scene, err));
    XTA_TRY(start ? xta__extremes_init(&u->known, spec->n_skewers, spec->threshold > 0, err)
                  : xta__extremes_copy(&u->known, &ppi->known, err));
    XTA_TRY(make_partials(u, spec, scene, err));
done:
    return status;
}

/* Merge the extremes of the threads of this member, then those of all members. */
static xta_status merge_extremes(updating *u, const xta_scene *scene, xta_error *err)
{
    blob mine = {0};
    unsigned char *all = NULL;
    size_t *bytes = NULL, at = 0;
    xta_status status = XTA_OK;

    for (int k = 0; k < u->n_partials && status == XTA_OK; k++) {
        status = xta__extremes_merge(&u->known, &u->partials[k].known, u->margin, err);
    }
    xta__extremes_tidy(&u->known, u->margin);
    if (xta_communicator_size(scene->communicator) == 1) {
        return status;
    }
    xta__extremes_put(&u->known, &mine);
    if (status == XTA_OK && mine.failed) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for what was found");
    }
    XTA_TRY(xta__agree(scene->communicator, status, err));
    XTA_TRY(xta__gather(scene->communicator, mine.bytes, mine.n, &all, &bytes, err));
    for (int k = 0; k < xta_communicator_size(scene->communicator) && status == XTA_OK; k++) {
        blob_reader r = {.bytes = all + at, .n = bytes[k]};
        ppi_extremes theirs = {0};
        if (!xta__extremes_get(&theirs, u->known.n_skewers, u->known.near != NULL, &r)) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for what was found");
        } else {
            status = xta__extremes_merge(&u->known, &theirs, u->margin, err);
        }
        xta__extremes_clear(&theirs);
        at += bytes[k];
    }
    xta__extremes_tidy(&u->known, u->margin);
done:
    xta__blob_clear(&mine);
    free(all);
    free(bytes);
    return status;
}

static void commit_update(xta_ppi *ppi, updating *u, const xta_scene *scene,
                          const line_range *fresh, int n_fresh, bool start)
{
    ppi_extremes old = ppi->known;

    ppi->known = u->known;
    u->known = old;
    free(ppi->pixels);
    ppi->pixels = u->pixels;
    ppi->n_pixels = u->n_pixels;
    u->pixels = NULL;
    ppi->any = true;
    ppi->have = xta__coverage_of(scene);
    ppi->work = (xta_endmembers_work){.from_start = start, .kept = true};
    for (int k = 0; k < n_fresh; k++) {
        ppi->work.lines_new += (uint64_t)(fresh[k].hi - fresh[k].lo);
    }
    ppi->work.lines_read = ppi->work.lines_new;
}

xta_status xta_ppi_update(xta_ppi *ppi, xta_scene *scene, xta_error *err)
{
    updating u = {0};
    line_range fresh[2];
    int n_fresh = ppi->any ? xta__coverage_new(&ppi->have, scene, fresh) : -1;
    bool start = n_fresh < 0;
    xta_status status = XTA_OK;

    if (start) {
        fresh[0] = (line_range){scene->now.lo[LINES], scene->now.hi[LINES]};
        n_fresh = 1;
    }
    XTA_TRY(xta__fixed_basis_fits(ppi->spec.basis, scene, err));
    xta__blas_single();
    XTA_TRY(xta__agree(scene->communicator, prepare_update(&u, ppi, scene, start, err), err));
    scan_job job = {.what = "ppi",
                    .user = &u.job,
                    .tile = xta__ppi_tile,
                    .partials = u.partials,
                    .partial_bytes = sizeof *u.partials};
    for (int k = 0; k < n_fresh; k++) {
        XTA_TRY(xta__scan(scene, fresh[k], &job, err));
    }
    status = merge_extremes(&u, scene, err);
    if (status == XTA_OK) {
        status = xta__ppi_count(&u.known, &u.pixels, &u.n_pixels, err);
    }
    XTA_TRY(xta__agree(scene->communicator, status, err));
    commit_update(ppi, &u, scene, fresh, n_fresh, start);
done:
    updating_clear(&u);
    return status;
}

/* ---- results ---- */

xta_endmembers_work xta_ppi_work(const xta_ppi *ppi)
{
    return ppi->work;
}

void xta_ppi_pixels(const xta_ppi *ppi, const xta_ppi_pixel **pixels, size_t *n)
{
    *pixels = ppi->n_pixels > 0 ? ppi->pixels : NULL;
    *n = ppi->n_pixels;
}

void xta_ppi_image(const xta_ppi *ppi, const int64_t lines[2], const int64_t samples[2],
                   uint32_t *counts)
{
    size_t width = samples[1] > samples[0] ? (size_t)(samples[1] - samples[0]) : 0;
    size_t height = lines[1] > lines[0] ? (size_t)(lines[1] - lines[0]) : 0;

    memset(counts, 0, width * height * sizeof *counts);
    for (size_t k = 0; k < ppi->n_pixels; k++) {
        const xta_ppi_pixel *p = &ppi->pixels[k];
        if (p->line >= lines[0] && p->line < lines[1] && p->sample >= samples[0] &&
            p->sample < samples[1]) {
            counts[(size_t)(p->line - lines[0]) * width + (size_t)(p->sample - samples[0])] =
                (uint32_t)p->count;
        }
    }
}

xta_status xta_ppi_select(const xta_ppi *ppi, xta_scene *scene, uint64_t least,
                          const xta_simplex_options *options, xta_endmembers *endmembers,
                          xta_error *err)
{
    int64_t *line = malloc((ppi->n_pixels + 1) * sizeof *line);
    int64_t *sample = malloc((ppi->n_pixels + 1) * sizeof *sample);
    size_t n = 0;
    xta_status status = XTA_OK;

    *endmembers = (xta_endmembers){0};
    if (line == NULL || sample == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu candidates", ppi->n_pixels);
    }
    XTA_TRY(xta__agree(scene->communicator, status, err));
    for (; n < ppi->n_pixels && ppi->pixels[n].count >= least; n++) {
        line[n] = ppi->pixels[n].line;
        sample[n] = ppi->pixels[n].sample;
    }
    XTA_TRY(xta_candidates_select(scene, n, line, sample, options, endmembers, err));
done:
    free(line);
    free(sample);
    return status;
}

/* ---- bytes ---- */

static void put_spec(const ppi_spec *spec, blob *b)
{
    xta__blob_u64(b, BLOB_VERSION);
    xta__blob_u64(b, spec->n_skewers);
    xta__blob_u64(b, spec->seed);
    xta__blob_f64s(b, &spec->threshold, 1);
    xta__blob_u64(b, spec->basis != NULL ? spec->basis->identity : 0);
    xta__blob_u64(b, spec->skewers != NULL ? spec->n_dims : 0);
    if (spec->skewers != NULL) {
        xta__blob_f64s(b, spec->skewers, spec->n_skewers * spec->n_dims);
    }
}

/* Whether the bytes begin with the same specification; if so, they are skipped. */
static bool same_spec(const ppi_spec *spec, blob_reader *r, xta_error *err)
{
    blob b = {0};

    put_spec(spec, &b);
    bool same = !b.failed && r->n - r->at >= b.n && memcmp(r->bytes + r->at, b.bytes, b.n) == 0;
    r->at += same ? b.n : 0;
    xta__blob_clear(&b);
    if (!same) {
        xta_error_set(err, XTA_ESTATE, 0, "what is stored belongs to other options");
    }
    return same;
}

void xta__ppi_put(const xta_ppi *ppi, blob *b)
{
    put_spec(&ppi->spec, b);
    xta__blob_u64(b, ppi->any);
    xta__blob_i64(b, ppi->have.line_lo);
    xta__blob_i64(b, ppi->have.line_hi);
    xta__blob_u64(b, ppi->have.signature);
    if (ppi->any) {
        xta__extremes_put(&ppi->known, b);
    }
}

xta_status xta__ppi_get(xta_ppi *ppi, blob_reader *r, xta_error *err)
{
    ppi_extremes known = {0};
    coverage have;
    xta_ppi_pixel *pixels = NULL;
    size_t n = 0;
    bool good = same_spec(&ppi->spec, r, err), any = xta__blob_get_u64(r) != 0;

    have.line_lo = xta__blob_get_i64(r);
    have.line_hi = xta__blob_get_i64(r);
    have.signature = xta__blob_get_u64(r);
    if (good && any) {
        good = !r->failed &&
               xta__extremes_get(&known, ppi->spec.n_skewers, ppi->spec.threshold > 0, r) &&
               xta__ppi_count(&known, &pixels, &n, err) == XTA_OK;
    }
    if (!good || r->failed) {
        xta__extremes_clear(&known);
        free(pixels);
        r->failed = true;
        return xta_error_set(err, XTA_ESTATE, 0,
                             "what is stored of the pixel purity index is not whole or was made "
                             "with other options; it is counted from the start");
    }
    if (any) {
        xta__extremes_clear(&ppi->known);
        ppi->known = known;
        free(ppi->pixels);
        ppi->pixels = pixels;
        ppi->n_pixels = n;
    }
    ppi->any = any;
    ppi->have = have;
    ppi->work = (xta_endmembers_work){0};
    return XTA_OK;
}
