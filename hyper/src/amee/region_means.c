/* The region of a pixel, and its mean spectrum.
 *
 * Definition: the region is all pixels that are connected to the pixel through the eight neighbours
 * of each and are within an angle of it. It is searched for in a square around the pixel only, so
 * it costs the same in any scene, and does not depend on what lies farther away.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/amee.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "numeric/reproducible_dot.h"
#include "parallel/communicator.h"
#include "parallel/threads.h"
#include "scene/scene.h"
#include "util/try.h"

/* The square around the pixel, clipped to the scene. */
typedef struct region {
    int64_t lines[2], samples[2];
    int64_t n_lines, width;
    size_t n_bands, seed;
    double *x;            /* a line of pixels */
    unsigned char *alike; /* 1: within the angle; 2: in the region */
    size_t *queue;
} region;

static void clip_range(int64_t range[2], int64_t at, int64_t radius, int64_t lo, int64_t hi)
{
    range[0] = at - radius > lo ? at - radius : lo;
    range[1] = at + radius + 1 < hi ? at + radius + 1 : hi;
}

static bool region_init(region *r, const xta_scene *scene, int64_t line, int64_t sample,
                        int64_t radius)
{
    xta_scene_info info = xta_scene_inquire(scene);

    *r = (region){.n_bands = info.n_bands};
    clip_range(r->lines, line, radius, info.line_lo, info.line_hi);
    clip_range(r->samples, sample, radius, info.sample_lo, info.sample_hi);
    r->n_lines = r->lines[1] - r->lines[0];
    r->width = r->samples[1] - r->samples[0];
    r->seed = (size_t)((line - r->lines[0]) * r->width + sample - r->samples[0]);
    size_t n = (size_t)(r->n_lines * r->width);
    r->x = malloc((size_t)r->width * info.n_bands * sizeof(double));
    r->alike = calloc(n, 1);
    r->queue = malloc(n * sizeof *r->queue);
    return r->x != NULL && r->alike != NULL && r->queue != NULL;
}

static void region_clear(region *r)
{
    free(r->x);
    free(r->alike);
    free(r->queue);
}

static xta_status read_line(region *r, xta_scene *scene, int64_t line, unsigned char *valid,
                            xta_error *err)
{
    const int64_t lines[2] = {r->lines[0] + line, r->lines[0] + line + 1};

    return xta_scene_read(scene, lines, r->samples, r->x, valid, err);
}

static xta_status find_alike(region *r, xta_scene *scene, const double *seed, double angle,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    double least = cos(angle), square = xta__dot(r->n_bands, seed, seed);

    for (int64_t line = 0; line < r->n_lines; line++) {
        unsigned char *alike = r->alike + line * r->width;
        XTA_TRY(read_line(r, scene, line, alike, err));
        for (int64_t s = 0; s < r->width; s++) {
            const double *x = r->x + (size_t)s * r->n_bands;
            double product = xta__dot(r->n_bands, x, seed);
            double cosine = product / sqrt(square * xta__dot(r->n_bands, x, x));
            alike[s] = alike[s] && cosine > least;
        }
    }
    r->alike[r->seed] = 1;
done:
    return status;
}

/* Mark the pixels that are connected to the seed. */
static size_t mark_region(region *r)
{
    size_t n = 1;

    r->queue[0] = r->seed;
    r->alike[r->seed] = 2;
    for (size_t k = 0; k < n; k++) {
        int64_t line = (int64_t)r->queue[k] / r->width, sample = (int64_t)r->queue[k] % r->width;
        for (int m = 0; m < 9; m++) {
            int64_t l = line - 1 + m / 3, s = sample - 1 + m % 3;
            bool inside = l >= 0 && l < r->n_lines && s >= 0 && s < r->width;
            if (inside && r->alike[l * r->width + s] == 1) {
                r->alike[l * r->width + s] = 2;
                r->queue[n++] = (size_t)(l * r->width + s);
            }
        }
    }
    return n;
}

/* The mean of one region. */
static xta_status region_mean(xta_scene *scene, region *r, double angle, double *mean,
                              size_t *n_pixels, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(find_alike(r, scene, mean, angle, err));
    *n_pixels = mark_region(r);
    memset(mean, 0, r->n_bands * sizeof *mean);
    for (int64_t l = 0; l < r->n_lines; l++) {
        XTA_TRY(read_line(r, scene, l, NULL, err));
        for (int64_t s = 0; s < r->width; s++) {
            const double *x = r->x + (size_t)s * r->n_bands;
            for (size_t b = 0; r->alike[l * r->width + s] == 2 && b < r->n_bands; b++) {
                mean[b] += x[b];
            }
        }
    }
    for (size_t b = 0; b < r->n_bands; b++) {
        mean[b] /= (double)*n_pixels;
    }
done:
    return status;
}

/* Read the spectrum of the seed, which must have an angle. */
static xta_status read_seed(xta_scene *scene, int64_t line, int64_t sample, double *x,
                            xta_error *err)
{
    const int64_t lines[2] = {line, line + 1}, samples[2] = {sample, sample + 1};
    size_t n_bands = xta_scene_inquire(scene).n_bands;
    unsigned char valid = 0;

    xta_status status = xta_scene_read(scene, lines, samples, x, &valid, err);
    if (status == XTA_OK && (!valid || !(xta__dot(n_bands, x, x) > 0))) {
        return xta_error_set(
            err, XTA_EARG, 0,
            "pixel (%" PRId64 ", %" PRId64 ") of %s is %s: it has no region; do without means",
            line, sample, xta_scene_inquire(scene).name, valid ? "zero" : "not valid");
    }
    return status;
}

typedef struct means_job {
    xta_scene *scene;
    size_t n;
    const int64_t *line, *sample;
    double angle;
    int64_t radius;
    double *means;
    size_t *counts; /* may be NULL */
} means_job;

static xta_status one_mean(const means_job *job, size_t k, xta_error *err)
{
    xta_status status = XTA_OK;
    region r = {0};
    double *mean = job->means + k * xta_scene_inquire(job->scene).n_bands;
    size_t n_pixels = 0;

    XTA_TRY(read_seed(job->scene, job->line[k], job->sample[k], mean, err));
    if (!region_init(&r, job->scene, job->line[k], job->sample[k], job->radius)) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0,
                              "no memory for a region that reaches %" PRId64 " pixels far",
                              job->radius));
    }
    XTA_TRY(region_mean(job->scene, &r, job->angle, mean, &n_pixels, err));
    if (job->counts != NULL) {
        job->counts[k] = n_pixels;
    }
done:
    region_clear(&r);
    return status;
}

static xta_status means_of_share(void *user, int number, xta_error *err)
{
    const means_job *job = user;
    uint64_t n_threads = (uint64_t)xta__scene_threads(job->scene);
    size_t end = (size_t)xta__share(job->n, n_threads, (uint64_t)number + 1);
    xta_status status = XTA_OK;

    for (size_t k = (size_t)xta__share(job->n, n_threads, (uint64_t)number); k < end; k++) {
        XTA_TRY(one_mean(job, k, err));
    }
done:
    return status;
}

xta_status xta_region_means(xta_scene *scene, size_t n, const int64_t line[],
                            const int64_t sample[], const xta_region_means_options *options,
                            double *means, size_t counts[], xta_error *err)
{
    xta_region_means_options o = XTA_REGION_MEANS_INIT;
    xta_status status;

    xta_status taken = xta_options_read(&o, sizeof o, options, "xta_region_means_options", err);
    means_job job = {.scene = scene,
                     .n = n,
                     .line = line,
                     .sample = sample,
                     .angle = o.angle > 0 ? o.angle : 0.05,
                     .radius = o.radius > 0 ? o.radius : 64,
                     .means = means,
                     .counts = counts};
    if (taken != XTA_OK) {
        status = taken;
    } else if (!(o.angle >= 0) || o.angle > 4 || o.radius < 0 || o.radius > INT32_MAX) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "regions of an angle of %g and a radius of %" PRId64
                               ": radians and pixels above 0",
                               o.angle, o.radius);
    } else {
        status = xta__run_threads(xta__scene_threads(scene), means_of_share, &job, err);
    }
    return xta__agree(xta__scene_communicator(scene), status, err);
}
