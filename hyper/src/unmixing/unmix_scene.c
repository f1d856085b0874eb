/* Unmixing lines of a scene into arrays beside it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/unmix.h>

#include <stdlib.h>

#include <xta/options.h>

#include "numeric/eigen.h"
#include "parallel/communicator.h"
#include "scene/map_tiles.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "unmixing/unmix_block.h"
#include "util/try.h"

typedef struct unmix_job {
    const xta_scene *scene;
    line_range lines;
    const xta_unmixer *unmixer;
    const xta_unmix_maps *maps;
} unmix_job;

typedef struct unmix_partial {
    unmix_work work;
    double *label;   /* TILE_PIXELS */
    double *scratch; /* TILE_PIXELS x p */
} unmix_partial;

static xta_status unmix_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err)
{
    xta_status status = XTA_OK;
    const unmix_job *job = user;
    unmix_partial *mine = partial;
    const unmix_work *work = &mine->work;
    size_t p = job->unmixer->p;

    XTA_TRY(xta__unmix_block(&mine->work, tile->x, tile->valid, job->maps->residual != NULL, err));
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        bool can = tile->valid[row] && work->direction[row];
        mine->label[row] = can ? (double)xta_label_of_abundances(p, work->abundances + row * p) : 0;
    }
    XTA_TRY(xta__map_put_tile(job->scene, job->lines, tile, job->maps->abundances, p,
                              work->abundances, mine->scratch, err));
    XTA_TRY(xta__map_put_tile(job->scene, job->lines, tile, job->maps->residual, 0, work->residual,
                              mine->scratch, err));
    XTA_TRY(xta__map_put_tile(job->scene, job->lines, tile, job->maps->labels, 0, mine->label,
                              mine->scratch, err));
done:
    return status;
}

static bool partial_init(unmix_partial *partial, const xta_unmixer *unmixer, size_t most_bytes)
{
    partial->label = malloc(TILE_PIXELS * sizeof(double));
    partial->scratch = malloc(TILE_PIXELS * unmixer->p * sizeof(double));
    return partial->label != NULL && partial->scratch != NULL &&
           xta__unmix_work_init(&partial->work, unmixer, most_bytes);
}

/* Check the request before any pixel is read, on every member by itself. */
static xta_status prepare_job(unmix_job *job, const int64_t lines[2], unmix_partial *partials,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    xta_scene_info info = xta_scene_inquire(job->scene);
    int n_threads = xta__scene_threads(job->scene);
    size_t most_bytes = (size_t)(xta__scene_memory(job->scene) / 4) / (size_t)n_threads;
    size_t p = job->unmixer->p;

    if (info.n_bands != job->unmixer->n_bands) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s has %zu bands in use, the endmembers have %zu: take the bands "
                             "that they were found in",
                             info.name, info.n_bands, job->unmixer->n_bands);
    }
    XTA_TRY(xta__lines_asked(job->scene, lines, &job->lines, err));
    XTA_TRY(xta__map_fits(job->scene, job->lines, job->maps->abundances, "abundances", p, err));
    XTA_TRY(xta__map_fits(job->scene, job->lines, job->maps->residual, "residuals", 0, err));
    XTA_TRY(xta__map_fits(job->scene, job->lines, job->maps->labels, "labels", 0, err));
    for (int t = 0; t < n_threads; t++) {
        if (partials == NULL || !partial_init(&partials[t], job->unmixer, most_bytes)) {
            XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0,
                                  "no memory to unmix with %zu endmembers on "
                                  "%d threads",
                                  p, n_threads));
        }
    }
done:
    return status;
}

xta_status xta_unmix_scene(xta_scene *scene, const int64_t lines[2], const xta_unmixer *unmixer,
                           const xta_unmix_maps *maps, xta_error *err)
{
    xta_unmix_maps own = XTA_UNMIX_MAPS_INIT;
    size_t n_threads = (size_t)xta__scene_threads(scene);
    unmix_partial *partials = calloc(n_threads, sizeof *partials);
    unmix_job job = {.scene = scene, .unmixer = unmixer, .maps = &own};

    xta__blas_single();
    xta_status status = xta_options_read(&own, sizeof own, maps, "xta_unmix_maps", err);
    status = status == XTA_OK ? prepare_job(&job, lines, partials, err) : status;
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    XTA_TRY(xta__scan(scene, job.lines,
                      &(scan_job){.what = "unmixing",
                                  .user = &job,
                                  .tile = unmix_tile,
                                  .any_order = true,
                                  .partials = partials,
                                  .partial_bytes = sizeof *partials},
                      err));
done:
    for (size_t t = 0; partials != NULL && t < n_threads; t++) {
        xta__unmix_work_clear(&partials[t].work);
        free(partials[t].label);
        free(partials[t].scratch);
    }
    free(partials);
    return status;
}
