/* A scene projected on a basis, into an array: each tile is written by the thread that has it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/moments.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <xta/options.h>

#include "parallel/communicator.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "statistics/basis.h"
#include "util/try.h"

typedef struct projection {
    const xta_basis *basis;
    xta_array *out;
    bool components_last;
    int64_t first_component;
    line_range lines;
    int64_t sample_lo, sample_hi;
} projection;

/* The box of an array for some lines, samples and all components. */
static xta_box box_of(const projection *p, int64_t line_lo, int64_t line_hi, int64_t sample_lo,
                      int64_t sample_hi)
{
    int64_t end = p->first_component + (int64_t)p->basis->n_components;

    if (p->components_last) {
        return xta_box_make(3, (int64_t[]){line_lo, sample_lo, p->first_component},
                            (int64_t[]){line_hi, sample_hi, end});
    }
    return xta_box_make(3, (int64_t[]){p->first_component, line_lo, sample_lo},
                        (int64_t[]){end, line_hi, sample_hi});
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static xta_status project_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err)
{
    const projection *p = user;
    double *scores = *(double **)partial;
    size_t d = p->basis->n_components;
    int64_t pixel = (int64_t)(d * sizeof *scores), line = pixel * TILE_SAMPLES;
    const int64_t first[3] = {(int64_t)sizeof *scores, line, pixel};
    const int64_t last[3] = {line, pixel, (int64_t)sizeof *scores};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int64_t lines[2] = {most(tile->line, p->lines.lo), least(tile->line + TILE_LINES, p->lines.hi)};
    int64_t samples[2] = {most(tile->sample, p->sample_lo),
                          least(tile->sample + TILE_SAMPLES, p->sample_hi)};

    xta__basis_tile(p->basis, tile, scores);
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        for (size_t k = 0; !tile->valid[row] && k < d; k++) {
            scores[row * d + k] = NAN;
        }
    }
    xta_box box = box_of(p, lines[0], lines[1], samples[0], samples[1]);
    size_t row = (size_t)((lines[0] - tile->line) * TILE_SAMPLES + (samples[0] - tile->sample));
    io.type = XTA_F64;
    io.threads = 1;
    io.strides = p->components_last ? last : first;
    return xta_array_write(p->out, &box, &io, scores + row * d, err);
}

static xta_status check_projection(projection *p, const xta_scene *scene, xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);
    xta_type type = xta_array_type(p->out);
    xta_box bounds = xta_array_bounds(p->out);
    xta_status status = xta__basis_fits(p->basis, scene, err);

    if (status != XTA_OK) {
        return status;
    }
    if (type != XTA_F16 && type != XTA_F32 && type != XTA_F64) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: components cannot be written to cells of type %s; make it of f32 "
                             "or f64",
                             xta_array_path(p->out), xta_type_name(type));
    }
    if (p->lines.lo < info.line_lo || p->lines.hi > info.line_hi || p->lines.lo > p->lines.hi) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: lines [%" PRId64 ", %" PRId64
                             ") to project are not within [%" PRId64 ", %" PRId64 ")",
                             info.name, p->lines.lo, p->lines.hi, info.line_lo, info.line_hi);
    }
    if (bounds.ndim == 3) {
        p->first_component = bounds.lo[p->components_last ? 2 : 0];
        xta_box box = box_of(p, p->lines.lo, p->lines.hi, info.sample_lo, info.sample_hi);
        if (xta_box_contains(&bounds, &box)) {
            return XTA_OK;
        }
    }
    return xta_error_set(err, XTA_EARG, 0,
                         "%s: an array of %d axes does not hold lines [%" PRId64 ", %" PRId64
                         "), samples [%" PRId64 ", %" PRId64 ") and %zu components with the "
                         "components %s; extend it first",
                         xta_array_path(p->out), bounds.ndim, p->lines.lo, p->lines.hi,
                         info.sample_lo, info.sample_hi, p->basis->n_components,
                         p->components_last ? "last" : "first");
}

xta_status xta_basis_project(const xta_basis *basis, xta_scene *scene,
                             const xta_basis_project_options *options, xta_array *out,
                             xta_error *err)
{
    xta_basis_project_options own = XTA_BASIS_PROJECT_OPTIONS_INIT;
    xta_scene_info info = xta_scene_inquire(scene);
    projection p = {.basis = basis,
                    .out = out,
                    .lines = {info.line_lo, info.line_hi},
                    .sample_lo = info.sample_lo,
                    .sample_hi = info.sample_hi};
    int n_partials = xta__scene_threads(scene);
    double **scores = calloc((size_t)n_partials, sizeof *scores);
    scan_job job = {.what = "components", .user = &p, .tile = project_tile};
    xta_status status = XTA_OK;

    xta_status taken =
        xta_options_read(&own, sizeof own, options, "xta_basis_project_options", err);
    options = &own;
    p.components_last = options->components_last;
    if (options->lines != NULL) {
        p.lines = (line_range){options->lines[0], options->lines[1]};
    }
    status = taken == XTA_OK ? check_projection(&p, scene, err) : taken;
    for (int k = 0; k < n_partials && status == XTA_OK; k++) {
        if (scores != NULL) {
            scores[k] = malloc(TILE_PIXELS * basis->n_components * sizeof **scores);
        }
        if (scores == NULL || scores[k] == NULL) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu components",
                                   info.name, basis->n_components);
        }
    }
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    job.partials = scores;
    job.partial_bytes = sizeof *scores;
    XTA_TRY(xta__scan(scene, p.lines, &job, err));
done:
    for (int k = 0; k < n_partials && scores != NULL; k++) {
        free(scores[k]);
    }
    free(scores);
    return status;
}
