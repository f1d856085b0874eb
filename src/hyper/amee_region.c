/* The region of a pixel: all that hang together with it through the eight neighbours of each and
 * are within an angle of it. It is looked for in a square around the pixel only, so that it costs
 * the same in any scene, and is the same whatever lies farther away.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amee.h"
#include "lanes.h"

/* The square, cut to the scene. */
typedef struct region {
    int64_t lines[2], samples[2];
    int64_t n_lines, width;
    size_t n_bands, seed;
    double *x;            /* a line of pixels */
    unsigned char *alike; /* 1: within the angle; 2: in the region */
    size_t *queue;
} region;

static void cut(int64_t range[2], int64_t at, int64_t radius, int64_t lo, int64_t hi)
{
    range[0] = at - radius > lo ? at - radius : lo;
    range[1] = at + radius + 1 < hi ? at + radius + 1 : hi;
}

static bool region_init(region *r, const xta_scene *scene, int64_t line, int64_t sample,
                        int64_t radius)
{
    xta_scene_info info = xta_scene_inquire(scene);

    *r = (region){.n_bands = info.n_bands};
    cut(r->lines, line, radius, info.line_lo, info.line_hi);
    cut(r->samples, sample, radius, info.sample_lo, info.sample_hi);
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
        HYPER_TRY(read_line(r, scene, line, alike, err));
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

/* Mark what hangs together with the seed. */
static size_t spread(region *r)
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

xta_status xta__amee_region(xta_scene *scene, int64_t line, int64_t sample, double angle,
                            int64_t radius, double *mean, size_t *n_pixels, xta_error *err)
{
    xta_status status = XTA_OK;
    region r;

    if (!region_init(&r, scene, line, sample, radius)) {
        HYPER_TRY(xta_error_set(err, XTA_ENOMEM, 0,
                                "no memory for a region of at most %" PRId64 " pixels",
                                (2 * radius + 1) * (2 * radius + 1)));
    }
    HYPER_TRY(find_alike(&r, scene, mean, angle, err));
    *n_pixels = spread(&r);
    memset(mean, 0, r.n_bands * sizeof *mean);
    for (int64_t l = 0; l < r.n_lines; l++) {
        HYPER_TRY(read_line(&r, scene, l, NULL, err));
        for (int64_t s = 0; s < r.width; s++) {
            const double *x = r.x + (size_t)s * r.n_bands;
            for (size_t b = 0; r.alike[l * r.width + s] == 2 && b < r.n_bands; b++) {
                mean[b] += x[b];
            }
        }
    }
    for (size_t b = 0; b < r.n_bands; b++) {
        mean[b] /= (double)*n_pixels;
    }
done:
    region_clear(&r);
    return status;
}
