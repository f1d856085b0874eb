/* The pass over the pixels that sums moments.
 *
 * A tile is added to the sums of its strip by one call of dsyrk. So products are summed by BLAS
 * within a tile, which always has the same shape, and from left to right within a strip. Noise is
 * measured by the difference of a pixel and its left neighbour; for the first column of a tile that
 * is the last column of the tile before, which is kept for that. A finished strip becomes a leaf of
 * the pairwise sum.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "statistics/moments_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "parallel/communicator.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene/scratch.h"
#include "state/blob.h"
#include "util/clones.h"
#include "util/try.h"

/* The sums of one thread. `product` is a square matrix of which dsyrk fills one triangle. */
typedef struct partial {
    pairwise_sum done;
    uint64_t n[2];
    double *sum[2];
    double *product[2];
    bool begun;         // `product` has been set to zero, by the thread that uses it
    double *shifted;    // a tile minus the shift; NULL if there is none
    double *difference; // a tile of differences; NULL without noise
    double *last;       // the last column of the tile before
    unsigned char last_valid[TILE_LINES];
} partial;

typedef struct pass {
    const double *shift; // NULL: all zero
    size_t n_bands;
    bool noise;
    int64_t line_lo, line_hi; // of the scene
} pass;

/* ---- partial results ---- */

static size_t product_bytes(const pass *s)
{
    return s->n_bands * s->n_bands * sizeof(double);
}

static size_t tile_bytes(const pass *s)
{
    return TILE_PIXELS * s->n_bands * sizeof(double);
}

static void clear_partial(partial *p, const xta_scene *scene, const pass *s)
{
    xta__pairwise_sum_clear(&p->done);
    for (int k = 0; k < 2; k++) {
        free(p->sum[k]);
        xta__scratch_free(scene, p->product[k], product_bytes(s));
    }
    xta__scratch_free(scene, p->shifted, tile_bytes(s));
    xta__scratch_free(scene, p->difference, tile_bytes(s));
    free(p->last);
}

static bool make_partial(partial *p, const xta_scene *scene, const pass *s)
{
    size_t n = s->n_bands;
    bool good = true;

    p->done.n_sums = xta__moments_sums(n, s->noise);
    for (int k = 0; k < (s->noise ? 2 : 1); k++) {
        p->sum[k] = calloc(n, sizeof(double));
        p->product[k] = xta__scratch_alloc(scene, product_bytes(s));
        good = good && p->sum[k] != NULL && p->product[k] != NULL;
    }
    if (s->shift != NULL) {
        p->shifted = xta__scratch_alloc(scene, tile_bytes(s));
        good = good && p->shifted != NULL;
    }
    if (s->noise) {
        p->difference = xta__scratch_alloc(scene, tile_bytes(s));
        p->last = calloc(TILE_LINES * n, sizeof(double));
        good = good && p->difference != NULL && p->last != NULL;
    }
    return good;
}

/* ---- tiles ---- */

/* Row after row; four of them for each load and store of the sums. */
XTA__CLONES static void sum_rows(const double *x, size_t n_bands, double *restrict sum)
{
    _Static_assert(TILE_PIXELS % 4 == 0, "a tile has whole groups of four rows");
    for (size_t row = 0; row < TILE_PIXELS; row += 4, x += 4 * n_bands) {
        for (size_t b = 0; b < n_bands; b++) {
            const double *at = x + b;
            sum[b] = sum[b] + at[0] + at[n_bands] + at[2 * n_bands] + at[3 * n_bands];
        }
    }
}

static void add_rows(partial *p, int which, const double *x, size_t n_bands)
{
    sum_rows(x, n_bands, p->sum[which]);
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, (int)n_bands, TILE_PIXELS, 1, x,
                (int)n_bands, 1, p->product[which], (int)n_bands);
}

static const double *shifted(const pass *s, partial *p, const hyper_tile *tile)
{
    size_t n = s->n_bands;

    if (s->shift == NULL) {
        return tile->x;
    }
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        double *to = p->shifted + row * n;
        for (size_t b = 0; b < n; b++) {
            to[b] = tile->valid[row] ? tile->x[row * n + b] - s->shift[b] : 0;
        }
    }
    return p->shifted;
}

static uint64_t compute_differences(const pass *s, partial *p, const hyper_tile *tile)
{
    size_t n = s->n_bands;
    uint64_t n_pairs = 0;

    for (size_t row = 0; row < TILE_PIXELS; row++) {
        size_t line = row / TILE_SAMPLES;
        bool first = row % TILE_SAMPLES == 0;
        const double *x = tile->x + row * n, *left = first ? p->last + line * n : x - n;
        bool pair = tile->valid[row] && (first ? p->last_valid[line] : tile->valid[row - 1]);
        double *to = p->difference + row * n;
        for (size_t b = 0; b < n; b++) {
            to[b] = pair ? x[b] - left[b] : 0;
        }
        n_pairs += pair;
    }
    for (size_t line = 0; line < TILE_LINES; line++) {
        size_t row = line * TILE_SAMPLES + TILE_SAMPLES - 1;
        memcpy(p->last + line * n, tile->x + row * n, n * sizeof(double));
        p->last_valid[line] = tile->valid[row];
    }
    return n_pairs;
}

/* Not in make_partial: new pages go to the NUMA node that touches them first, and a thread without
 * strips needs none. */
static void begin_partial(partial *p, const pass *s)
{
    for (int k = 0; !p->begun && k < (s->noise ? 2 : 1); k++) {
        memset(p->product[k], 0, product_bytes(s));
    }
    p->begun = true;
}

static xta_status add_tile(void *user, void *of_partial, const hyper_tile *tile, xta_error *err)
{
    const pass *s = user;
    partial *p = of_partial;

    (void)err;
    begin_partial(p, s);
    if (tile->n_valid == 0) {
        memset(p->last_valid, 0, sizeof p->last_valid);
        return XTA_OK;
    }
    p->n[0] += tile->n_valid;
    add_rows(p, 0, shifted(s, p, tile), s->n_bands);
    if (s->noise) {
        uint64_t n_pairs = compute_differences(s, p, tile);
        p->n[1] += n_pairs;
        if (n_pairs > 0) {
            add_rows(p, 1, p->difference, s->n_bands);
        }
    }
    return XTA_OK;
}

/* Copy the sums and the triangle of products to `to`, and set them to zero. */
static double *pack_sums(partial *p, int which, size_t n_bands, double *to)
{
    memcpy(to, p->sum[which], n_bands * sizeof *to);
    to += n_bands;
    for (size_t j = 0; j < n_bands; j++) {
        memcpy(to, p->product[which] + j * n_bands, (j + 1) * sizeof *to);
        to += j + 1;
    }
    memset(p->sum[which], 0, n_bands * sizeof *to);
    memset(p->product[which], 0, n_bands * n_bands * sizeof *to);
    return to;
}

static xta_status end_strip(void *user, void *of_partial, int64_t strip, xta_error *err)
{
    const pass *s = user;
    partial *p = of_partial;
    bool whole = strip * TILE_LINES >= s->line_lo && (strip + 1) * TILE_LINES <= s->line_hi;
    sum_node node = {.level = whole ? 0 : EDGE, .index = strip, .n = {p->n[0], p->n[1]}};

    node.sums = malloc(p->done.n_sums * sizeof(double));
    if (node.sums != NULL) {
        double *to = pack_sums(p, 0, s->n_bands, node.sums);
        if (s->noise) {
            pack_sums(p, 1, s->n_bands, to);
        }
    }
    p->n[0] = p->n[1] = 0;
    memset(p->last_valid, 0, sizeof p->last_valid);
    if (node.sums == NULL || !xta__pairwise_sum_append(&p->done, node)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments of %zu bands", s->n_bands);
    }
    return XTA_OK;
}

/* ---- the scan ---- */

/* Check the memory: matrices and tiles of the threads, and the sums of every member twice while
 * they are gathered. */
static xta_status check_memory(const xta_scene *scene, const pass *s, xta_error *err)
{
    uint64_t n = s->n_bands, kinds = s->noise ? 2 : 1, levels = 1;
    uint64_t tiles = (s->shift != NULL) + (uint64_t)s->noise;
    uint64_t strips = (uint64_t)(s->line_hi - s->line_lo) / TILE_LINES;

    while (strips >> levels > 0) {
        levels++;
    }
    uint64_t node = xta__moments_sums(s->n_bands, s->noise) * sizeof(double);
    uint64_t of_thread =
        kinds * n * n * sizeof(double) + tiles * TILE_PIXELS * n * sizeof(double) + levels * node;
    uint64_t need =
        (uint64_t)xta__scene_threads(scene) * of_thread +
        (uint64_t)(xta_communicator_size(xta__scene_communicator(scene)) + 1) * 2 * levels * node;
    if (need > xta__scene_memory(scene) / 2) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%s: moments of %" PRIu64 " bands need %" PRIu64 " bytes, half of "
                             "the memory limit; set it to %" PRIu64 " or more",
                             xta_scene_inquire(scene).name, n, need, 2 * need);
    }
    return XTA_OK;
}

/* Gather the sums of all members in the order of their ranks. */
static xta_status gather_sums(const xta_communicator *communicator, pairwise_sum *mine,
                              pairwise_sum *into, xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char *all = NULL;
    size_t *bytes = NULL, at = 0;
    blob b = {0};
    bool good = true;

    if (communicator == NULL) {
        return xta__pairwise_sum_move(into, mine)
                   ? XTA_OK
                   : xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments");
    }
    xta__pairwise_sum_put(mine, &b);
    xta__pairwise_sum_clear(mine);
    if (b.failed) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments to be exchanged");
    }
    XTA_TRY(xta__agree(communicator, status, err));
    XTA_TRY(xta__gather(communicator, b.bytes, b.n, &all, &bytes, err));
    for (int r = 0; r < communicator->size && good; r++) {
        blob_reader reader = {.bytes = all + at, .n = bytes[r]};
        good = xta__pairwise_sum_get(into, &reader);
        at += bytes[r];
    }
    if (!good) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for the moments of the communicator");
    }
    XTA_TRY(xta__agree(communicator, status, err));
done:
    xta__blob_clear(&b);
    free(all);
    free(bytes);
    return status;
}

static bool all_zero(const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (values[k] != 0) {
            return false;
        }
    }
    return true;
}

xta_status xta__moments_scan(xta_scene *scene, line_range lines, bool noise, pairwise_sum *into,
                             xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);
    int n_partials = xta__scene_threads(scene);
    const double *shift = xta__scene_shift(scene);
    pass s = {.shift = all_zero(shift, info.n_bands) ? NULL : shift,
              .n_bands = info.n_bands,
              .noise = noise,
              .line_lo = info.line_lo,
              .line_hi = info.line_hi};
    scan_job job = {.what = "moments", .user = &s, .tile = add_tile, .strip = end_strip};
    pairwise_sum mine = {.n_sums = xta__moments_sums(info.n_bands, noise)};
    partial *partials = calloc((size_t)n_partials, sizeof *partials);
    bool good = partials != NULL;
    xta_status status = check_memory(scene, &s, err);

    for (int k = 0; k < n_partials && good && status == XTA_OK; k++) {
        good = make_partial(&partials[k], scene, &s);
    }
    if (status == XTA_OK && !good) {
        status =
            xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments of %zu bands", info.n_bands);
    }
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    job.partials = partials;
    job.partial_bytes = sizeof *partials;
    XTA_TRY(xta__scan(scene, lines, &job, err));
    for (int k = 0; k < n_partials && good; k++) {
        good = xta__pairwise_sum_move(&mine, &partials[k].done);
    }
    if (!good) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments");
    }
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    XTA_TRY(gather_sums(xta__scene_communicator(scene), &mine, into, err));
done:
    for (int k = 0; k < n_partials && partials != NULL; k++) {
        clear_partial(&partials[k], scene, &s);
    }
    free(partials);
    xta__pairwise_sum_clear(&mine);
    return status;
}
