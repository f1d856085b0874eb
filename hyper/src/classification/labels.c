/* Labels: the endmember at the smallest angle, or the one with the largest abundance.
 *
 * The angle is smallest where x . e / |e| is largest, so one product of matrices finds it. The arc
 * cosine is computed only if the angle itself is wanted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/unmix.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "numeric/eigen.h"
#include "numeric/reproducible_dot.h"
#include "parallel/communicator.h"
#include "scene/map_tiles.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "util/try.h"

size_t xta_label_of_abundances(size_t p, const double *abundances)
{
    size_t label = 0;
    double most = 0;

    for (size_t i = 0; i < p; i++) {
        if (abundances[i] > most) {
            most = abundances[i];
            label = i + 1;
        }
    }
    return label;
}

/* Scale the endmembers to length one. */
static xta_status make_directions(size_t p, size_t n_bands, const double *endmembers, double **out,
                                  xta_error *err)
{
    *out = NULL;
    if (p < 1 || p > UINT16_MAX || n_bands < 1) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu endmembers of %zu bands: 1 to 65535, and a band", p, n_bands);
    }
    double *e = malloc(p * n_bands * sizeof *e);
    if (e == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", p);
    }
    for (size_t i = 0; i < p; i++) {
        const double *from = endmembers + i * n_bands;
        double length = sqrt(xta__dot(n_bands, from, from));
        if (!isfinite(length) || length == 0) {
            free(e);
            return xta_error_set(err, XTA_EARG, 0,
                                 "endmember %zu is %s: it has no angle; leave it out", i + 1,
                                 length == 0 ? "zero" : "not finite");
        }
        for (size_t b = 0; b < n_bands; b++) {
            e[i * n_bands + b] = from[b] / length;
        }
    }
    *out = e;
    return XTA_OK;
}

/* Label a full block; `score` has TILE_PIXELS x p numbers. */
static void label_block(size_t p, size_t n_bands, const double *direction, const double *x,
                        const unsigned char *valid, double *score, double *label, double *angle)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, TILE_PIXELS, (int)p, (int)n_bands, 1, x,
                (int)n_bands, direction, (int)n_bands, 0, score, (int)p);
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        const double *pixel = x + row * n_bands, *s = score + row * p;
        double length = sqrt(xta__dot(n_bands, pixel, pixel));
        bool has_angle = valid[row] && length > 0 && isfinite(length);
        size_t best = 0;
        for (size_t i = 1; i < p; i++) {
            best = s[i] > s[best] ? i : best;
        }
        label[row] = has_angle ? (double)(best + 1) : 0;
        angle[row] = has_angle ? acos(fmin(fmax(s[best] / length, -1), 1)) : NAN;
    }
}

/* Memory for labelling a block. */
typedef struct label_work {
    double *score;
    double *label, *angle; /* TILE_PIXELS each */
    double *scratch;       /* TILE_PIXELS */
} label_work;

static bool label_work_init(label_work *work, size_t p)
{
    work->score = malloc(TILE_PIXELS * p * sizeof(double));
    work->label = malloc(3 * TILE_PIXELS * sizeof(double));
    if (work->score == NULL || work->label == NULL) {
        free(work->score);
        free(work->label);
        *work = (label_work){0};
        return false;
    }
    work->angle = work->label + TILE_PIXELS;
    work->scratch = work->angle + TILE_PIXELS;
    return true;
}

static void label_work_clear(label_work *work)
{
    free(work->score);
    free(work->label);
}

static void fill_block(const double *pixels, size_t n, size_t n_bands, double *block,
                       unsigned char *valid)
{
    memset(block, 0, TILE_PIXELS * n_bands * sizeof *block);
    memset(valid, 0, TILE_PIXELS);
    for (size_t row = 0; row < n; row++) {
        const double *x = pixels + row * n_bands;
        valid[row] = isfinite(xta__dot(n_bands, x, x));
        if (valid[row]) {
            memcpy(block + row * n_bands, x, n_bands * sizeof *x);
        }
    }
}

xta_status xta_label_pixels(size_t p, size_t n_bands, const double *endmembers, size_t n,
                            const double *pixels, uint16_t *labels, double *angles, xta_error *err)
{
    xta_status status = XTA_OK;
    double *direction = NULL, *block = NULL;
    label_work work = {0};
    unsigned char valid[TILE_PIXELS];

    XTA_TRY(make_directions(p, n_bands, endmembers, &direction, err));
    xta__blas_single();
    block = malloc(TILE_PIXELS * n_bands * sizeof *block);
    if (block == NULL || !label_work_init(&work, p)) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory to label with %zu endmembers", p));
    }
    for (size_t at = 0; at < n; at += TILE_PIXELS) {
        size_t now = n - at < TILE_PIXELS ? n - at : TILE_PIXELS;
        fill_block(pixels + at * n_bands, now, n_bands, block, valid);
        label_block(p, n_bands, direction, block, valid, work.score, work.label, work.angle);
        for (size_t row = 0; row < now; row++) {
            labels[at + row] = (uint16_t)work.label[row];
        }
        if (angles != NULL) {
            memcpy(angles + at, work.angle, now * sizeof *angles);
        }
    }
done:
    label_work_clear(&work);
    free(block);
    free(direction);
    return status;
}

/* ---- a scene ---- */

typedef struct label_job {
    const xta_scene *scene;
    line_range lines;
    size_t p;
    const double *direction;
    xta_array *labels, *angles;
} label_job;

static xta_status label_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err)
{
    xta_status status = XTA_OK;
    const label_job *job = user;
    label_work *work = partial;

    label_block(job->p, tile->n_bands, job->direction, tile->x, tile->valid, work->score,
                work->label, work->angle);
    XTA_TRY(xta__map_put_tile(job->scene, job->lines, tile, job->labels, 0, work->label,
                              work->scratch, err));
    XTA_TRY(xta__map_put_tile(job->scene, job->lines, tile, job->angles, 0, work->angle,
                              work->scratch, err));
done:
    return status;
}

/* Check the request before any pixel is read, on every member by itself. */
static xta_status label_ready(label_job *job, const int64_t lines[2], const double *endmembers,
                              double **direction, label_work *works, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_scene_info info = xta_scene_inquire(job->scene);

    XTA_TRY(make_directions(job->p, info.n_bands, endmembers, direction, err));
    XTA_TRY(xta__lines_asked(job->scene, lines, &job->lines, err));
    XTA_TRY(xta__map_fits(job->scene, job->lines, job->labels, "labels", 0, err));
    XTA_TRY(xta__map_fits(job->scene, job->lines, job->angles, "angles", 0, err));
    for (int t = 0; works != NULL && t < xta__scene_threads(job->scene); t++) {
        if (!label_work_init(&works[t], job->p)) {
            XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory to label with %zu endmembers",
                                  job->p));
        }
    }
    if (works == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %d threads",
                               xta__scene_threads(job->scene));
    }
done:
    return status;
}

xta_status xta_label_scene(xta_scene *scene, const int64_t lines[2], size_t p,
                           const double *endmembers, xta_array *labels, xta_array *angles,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n_threads = (size_t)xta__scene_threads(scene);
    label_work *works = calloc(n_threads, sizeof *works);
    double *direction = NULL;
    label_job job = {.scene = scene, .p = p, .labels = labels, .angles = angles};

    xta__blas_single();
    status = label_ready(&job, lines, endmembers, &direction, works, err);
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    job.direction = direction;
    XTA_TRY(xta__scan(scene, job.lines,
                      &(scan_job){.what = "labels",
                                  .user = &job,
                                  .tile = label_tile,
                                  .any_order = true,
                                  .partials = works,
                                  .partial_bytes = sizeof *works},
                      err));
done:
    for (size_t t = 0; works != NULL && t < n_threads; t++) {
        label_work_clear(&works[t]);
    }
    free(works);
    free(direction);
    return status;
}
