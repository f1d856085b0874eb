/* Moments of a scene: the mean and the covariance of its pixels, and of the noise.
 *
 * Definition: sums of x and of x x^T over all valid pixels, and the same of the differences between
 * neighbours for the noise. The naive way passes over the whole scene after each growth.
 *
 * The sums are kept as pairwise sums over strips (numeric/pairwise_sum.h). Complete strips stay
 * from one update to the next; only lines in front of them and behind them are read, and the result
 * has the bits of a computation from the start.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "statistics/moments.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "parallel/communicator.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "statistics/moments_scan.h"
#include "util/try.h"

/* ---- create and free ---- */

xta_status xta_moments_new(const xta_moments_options *options, xta_moments **moments,
                           xta_error *err)
{
    xta_moments_options o = XTA_MOMENTS_OPTIONS_INIT;

    *moments = NULL;
    xta_status status = xta_options_read(&o, sizeof o, options, "xta_moments_options", err);
    if (status != XTA_OK) {
        return status;
    }
    xta_moments *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments");
    }
    m->noise = o.noise;
    *moments = m;
    return XTA_OK;
}

static void clear_moments(xta_moments *m)
{
    bool noise = m->noise;

    xta__pairwise_sum_clear(&m->strips);
    free(m->band);
    free(m->shift);
    free(m->sums);
    *m = (xta_moments){.noise = noise};
}

void xta_moments_free(xta_moments *moments)
{
    if (moments != NULL) {
        clear_moments(moments);
        free(moments);
    }
}

xta_moments_info xta_moments_inquire(const xta_moments *moments)
{
    return (xta_moments_info){.n_bands = moments->n_bands,
                              .n_pixels = moments->n[0],
                              .n_differences = moments->n[1],
                              .noise = moments->noise,
                              .line_lo = moments->have.line_lo,
                              .line_hi = moments->have.line_hi,
                              .n_lines_read = moments->n_lines_read,
                              .restarted = moments->restarted};
}

/* ---- update ---- */

/* Copy the bands and the shift of a scene, and allocate the sums. */
static xta_status begin_moments(xta_moments *m, const xta_scene *scene, xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);

    m->n_bands = info.n_bands;
    m->strips.n_sums = xta__moments_sums(info.n_bands, m->noise);
    m->band = malloc(info.n_bands * sizeof *m->band);
    m->shift = malloc(info.n_bands * sizeof *m->shift);
    m->sums = malloc(m->strips.n_sums * sizeof *m->sums);
    if (m->band == NULL || m->shift == NULL || m->sums == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments of %zu bands",
                             info.n_bands);
    }
    memcpy(m->band, info.band, info.n_bands * sizeof *m->band);
    memcpy(m->shift, xta__scene_shift(scene), info.n_bands * sizeof *m->shift);
    return XTA_OK;
}

/* Copy the nodes that stay: those of complete strips. */
static xta_status copy_whole(const pairwise_sum *from, pairwise_sum *into, xta_error *err)
{
    bool good = true;

    for (size_t k = 0; k < from->n_nodes && good; k++) {
        sum_node node = from->nodes[k];
        if (node.level == EDGE) {
            continue;
        }
        node.sums = malloc(from->n_sums * sizeof *node.sums);
        good = node.sums != NULL;
        if (good) {
            memcpy(node.sums, from->nodes[k].sums, from->n_sums * sizeof *node.sums);
            good = xta__pairwise_sum_append(into, node);
        }
    }
    return good ? XTA_OK : xta_error_set(err, XTA_ENOMEM, 0, "no memory for moments");
}

/* Collective. Make the sums of all lines: those in front, the known ones, those behind. */
static xta_status sum_lines(xta_scene *scene, const xta_moments *old, xta_moments *fresh,
                            xta_error *err)
{
    coverage now = xta__coverage_of(scene);
    line_range front = {now.line_lo, now.line_hi}, back = {0, 0};
    int64_t first = 0, end = 0;
    xta_status status = XTA_OK;

    if (old != NULL) {
        xta__pairwise_sum_whole_strips(&old->strips, &first, &end);
    }
    if (first < end) {
        front.hi = first * TILE_LINES;
        back = (line_range){end * TILE_LINES, now.line_hi};
    }
    XTA_TRY(xta__moments_scan(scene, front, fresh->noise, &fresh->strips, err));
    if (first < end) {
        XTA_TRY(xta__agree(xta__scene_communicator(scene),
                           copy_whole(&old->strips, &fresh->strips, err), err));
        XTA_TRY(xta__moments_scan(scene, back, fresh->noise, &fresh->strips, err));
    }
    fresh->n_lines_read = front.hi - front.lo + (back.hi - back.lo);
    xta__pairwise_sum_total(&fresh->strips, fresh->n, fresh->sums);
    fresh->have = now;
done:
    return status;
}

xta_status xta_moments_update(xta_moments *moments, xta_scene *scene, xta_error *err)
{
    line_range ranges[2];
    int n_new = xta__coverage_new(&moments->have, scene, ranges);
    xta_moments fresh = {.noise = moments->noise};
    xta_status status = XTA_OK;

    if (n_new == 0) {
        // Lines that were not complete may have been read with fewer pixels only if the scene was
        // empty.
        moments->n_lines_read = 0;
        moments->restarted = false;
        if (moments->n_bands > 0) {
            return XTA_OK;
        }
    }
    XTA_TRY(xta__agree(xta__scene_communicator(scene), begin_moments(&fresh, scene, err), err));
    XTA_TRY(sum_lines(scene, n_new < 0 ? NULL : moments, &fresh, err));
    fresh.restarted = n_new < 0;
    clear_moments(moments);
    *moments = fresh;
    return XTA_OK;
done:
    clear_moments(&fresh);
    return status;
}

/* ---- results ---- */

static xta_status too_few(uint64_t n, const char *what, int least, xta_error *err)
{
    return xta_error_set(err, XTA_EARG, 0,
                         "the %s needs at least %d, and there are %llu; is everything no data?",
                         what, least, (unsigned long long)n);
}

/* The entry of row i, column j >= i, of a triangle column by column. */
static size_t triangle_index(size_t i, size_t j)
{
    return j * (j + 1) / 2 + i;
}

xta_status xta_moments_mean(const xta_moments *moments, double *mean, xta_error *err)
{
    if (moments->n[0] < 1) {
        return too_few(moments->n[0], "mean of valid pixels", 1, err);
    }
    for (size_t b = 0; b < moments->n_bands; b++) {
        mean[b] = moments->shift[b] + moments->sums[b] / (double)moments->n[0];
    }
    return XTA_OK;
}

/* (products - sums sums^T / n) / (n - 1), times a factor. The subtrahend may be nearly as large as
 * the minuend, so the difference is computed in long double, which has more digits on some
 * machines. */
static void covariance_of(const double *sums, size_t n_bands, uint64_t n, double factor,
                          double *into)
{
    const double *products = sums + n_bands;

    for (size_t j = 0; j < n_bands; j++) {
        for (size_t i = 0; i <= j; i++) {
            long double both = (long double)sums[i] * sums[j] / (long double)n;
            double entry =
                (double)((products[triangle_index(i, j)] - both) / (long double)(n - 1)) * factor;
            into[i * n_bands + j] = into[j * n_bands + i] = entry;
        }
    }
}

xta_status xta_moments_covariance(const xta_moments *moments, double *covariance, xta_error *err)
{
    if (moments->n[0] < 2) {
        return too_few(moments->n[0], "covariance of valid pixels", 2, err);
    }
    covariance_of(moments->sums, moments->n_bands, moments->n[0], 1, covariance);
    return XTA_OK;
}

xta_status xta_moments_correlation(const xta_moments *moments, double *correlation, xta_error *err)
{
    size_t n_bands = moments->n_bands;
    const double *s = moments->sums, *shift = moments->shift;
    long double n = (long double)moments->n[0];

    if (moments->n[0] < 1) {
        return too_few(moments->n[0], "correlation of valid pixels", 1, err);
    }
    for (size_t j = 0; j < n_bands; j++) {
        for (size_t i = 0; i <= j; i++) {
            long double about = s[n_bands + triangle_index(i, j)];
            long double moved = (long double)s[i] * shift[j] + (long double)s[j] * shift[i];
            double entry = (double)((about + moved) / n + (long double)shift[i] * shift[j]);
            correlation[i * n_bands + j] = correlation[j * n_bands + i] = entry;
        }
    }
    return XTA_OK;
}

xta_status xta_moments_noise(const xta_moments *moments, double *noise, xta_error *err)
{
    if (!moments->noise) {
        return xta_error_set(
            err, XTA_EARG, 0,
            "these moments were taken without noise; set `noise` in their options");
    }
    if (moments->n[1] < 2) {
        return too_few(moments->n[1], "noise of pairs of neighbours in a line", 2, err);
    }
    covariance_of(moments->sums + xta__moments_sums(moments->n_bands, false), moments->n_bands,
                  moments->n[1], 0.5, noise);
    return XTA_OK;
}

/* ---- kept between runs ---- */

void xta__moments_put(const xta_moments *m, blob *b)
{
    xta__blob_i64(b, m->have.line_lo);
    xta__blob_i64(b, m->have.line_hi);
    xta__blob_u64(b, m->have.signature);
    xta__blob_u64(b, m->noise);
    xta__blob_u64(b, m->n_bands);
    for (size_t k = 0; k < m->n_bands; k++) {
        xta__blob_i64(b, m->band[k]);
    }
    xta__blob_f64s(b, m->shift, m->n_bands);
    xta__pairwise_sum_put(&m->strips, b);
}

static bool get_moments(xta_moments *m, blob_reader *r)
{
    m->have.line_lo = xta__blob_get_i64(r);
    m->have.line_hi = xta__blob_get_i64(r);
    m->have.signature = xta__blob_get_u64(r);
    bool noise = xta__blob_get_u64(r) != 0;
    uint64_t n_bands = xta__blob_get_u64(r);
    if (r->failed || noise != m->noise || n_bands > (r->n - r->at) / 16) {
        return false;
    }
    m->n_bands = (size_t)n_bands;
    m->strips.n_sums = xta__moments_sums(m->n_bands, noise);
    m->band = malloc((m->n_bands + 1) * sizeof *m->band);
    m->shift = malloc((m->n_bands + 1) * sizeof *m->shift);
    m->sums = malloc((m->strips.n_sums + 1) * sizeof *m->sums);
    if (m->band == NULL || m->shift == NULL || m->sums == NULL) {
        return false;
    }
    for (size_t k = 0; k < m->n_bands; k++) {
        m->band[k] = xta__blob_get_i64(r);
    }
    xta__blob_get_f64s(r, m->shift, m->n_bands);
    if (!xta__pairwise_sum_get(&m->strips, r) || r->failed) {
        return false;
    }
    xta__pairwise_sum_total(&m->strips, m->n, m->sums);
    return true;
}

xta_status xta__moments_get(xta_moments *moments, blob_reader *r, xta_error *err)
{
    clear_moments(moments);
    if (get_moments(moments, r)) {
        return XTA_OK;
    }
    clear_moments(moments);
    return xta_error_set(err, XTA_ESTATE, 0,
                         "moments kept from an earlier run do not fit these options; they are "
                         "taken again");
}
