/* A pass over the tiles of a scene. Strips are distributed over the members of the communicator and
 * then over their threads, in order. Each thread cuts tiles out of its strips: out of those in
 * memory, or out of cells that it reads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/eigen.h"
#include "parallel/communicator.h"
#include "parallel/threads.h"
#include "scene/cells.h"
#include "scene/scene.h"
#include "scene/scene_private.h"
#include "scene/scratch.h"
#include "scene/strips.h"
#include "util/checked.h"
#include "util/try.h"

typedef struct scan {
    xta_scene *scene;
    const scan_job *job;
    line_range lines;
    int64_t first, end;       // strips of this member
    int64_t columns[2];       // of tiles
    atomic_int_fast64_t next; // the next strip, for jobs with any_order
    atomic_bool stop;         // a thread failed or was cancelled
    atomic_uint_fast64_t done;
} scan;

/* What one thread works with. */
typedef struct worker {
    scan *s;
    void *partial;
    int number;
    double *x;
    unsigned char *valid;
    unsigned char *cells; // memory of this thread, for a strip that is not kept
    const unsigned char
        *window; // the cells that tiles are cut out of; its lines and samples follow
    int64_t lines[2];
    int64_t samples[2];
} worker;

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Make `window` contain the samples of a tile. */
static xta_status move_window(worker *w, int64_t strip, int64_t sample, xta_error *err)
{
    xta_scene *scene = w->s->scene;
    const scene_snapshot *now = &scene->now;
    const unsigned char *kept = NULL;
    int64_t own[2];

    if (w->window != NULL && sample + TILE_SAMPLES > w->samples[0] && sample < w->samples[1]) {
        return XTA_OK;
    }
    xta__strip_lines(scene, strip, own);
    bool all = w->s->lines.lo <= own[0] && w->s->lines.hi >= own[1];
    if (w->window == NULL) {
        kept = xta__strip_kept(scene, strip);
        xta_status status =
            kept == NULL && all ? xta__strip_load(scene, strip, &kept, err) : XTA_OK;
        if (status != XTA_OK) {
            return status;
        }
    }
    w->window = kept != NULL ? kept : w->cells;
    w->lines[0] = kept != NULL ? own[0] : most(own[0], w->s->lines.lo);
    w->lines[1] = kept != NULL ? own[1] : least(own[1], w->s->lines.hi);
    w->samples[0] = kept != NULL ? now->lo[SAMPLES] : most(sample, now->lo[SAMPLES]);
    w->samples[1] = kept != NULL
                        ? now->hi[SAMPLES]
                        : least(sample + (int64_t)scene->segment_samples, now->hi[SAMPLES]);
    return kept != NULL ? XTA_OK
                        : xta__scene_cells(scene, w->lines, w->samples, scene->kept, w->cells, err);
}

/* Copy the cells of the window into the rows of a tile; rows outside it become zero. */
static void cut_tile(worker *w, hyper_tile *tile)
{
    const xta_scene *scene = w->s->scene;
    size_t n_bands = scene->now.n_bands, kept = xta__scene_kept_pixel(scene);
    size_t width = (size_t)(w->samples[1] - w->samples[0]);
    int64_t from = most(tile->sample, w->samples[0]);
    int64_t to = least(tile->sample + TILE_SAMPLES, w->samples[1]);
    size_t before = (size_t)(from - tile->sample), n = (size_t)(to - from);
    size_t n_valid = 0;

    for (size_t k = 0; k < TILE_LINES; k++) {
        int64_t line = tile->line + (int64_t)k;
        double *x = w->x + k * TILE_SAMPLES * n_bands;
        unsigned char *valid = w->valid + k * TILE_SAMPLES;
        bool there =
            line >= most(w->lines[0], w->s->lines.lo) && line < least(w->lines[1], w->s->lines.hi);
        size_t here = 0;
        memset(valid, 0, TILE_SAMPLES);
        if (there) {
            size_t at = (size_t)(line - w->lines[0]) * width + (size_t)(from - w->samples[0]);
            xta__scene_widen(scene, w->window + at * kept, n, x + before * n_bands);
            here = xta__scene_valid(scene, x + before * n_bands, n, valid + before);
        }
        for (size_t p = 0; here < TILE_SAMPLES && p < TILE_SAMPLES; p++) {
            if (!valid[p]) {
                memset(x + p * n_bands, 0, n_bands * sizeof *x);
            }
        }
        n_valid += here;
    }
    tile->n_valid = n_valid;
}

static xta_status run_strip(worker *w, int64_t strip, xta_error *err)
{
    scan *s = w->s;
    hyper_tile tile = {
        .line = strip * TILE_LINES, .x = w->x, .valid = w->valid, .n_bands = s->scene->now.n_bands};
    xta_status status = XTA_OK;

    w->window = NULL;
    for (int64_t column = s->columns[0]; column < s->columns[1]; column++) {
        if (atomic_load(&s->stop)) {
            return XTA_OK;
        }
        tile.sample = column * TILE_SAMPLES;
        XTA_TRY(move_window(w, strip, tile.sample, err));
        cut_tile(w, &tile);
        XTA_TRY(s->job->tile(s->job->user, w->partial, &tile, err));
    }
    if (s->job->strip != NULL) {
        XTA_TRY(s->job->strip(s->job->user, w->partial, strip, err));
    }
done:
    return status;
}

/* The strip after `strip`, or the first one if that is before `first`. */
static int64_t next_strip(scan *s, int64_t strip)
{
    return s->job->any_order ? atomic_fetch_add(&s->next, 1) : strip + 1;
}

static xta_status run_strips(worker *w, int64_t first, int64_t end, xta_error *err)
{
    scan *s = w->s;
    xta_status status = XTA_OK;

    for (int64_t strip = next_strip(s, first - 1); strip < end && !atomic_load(&s->stop);
         strip = next_strip(s, strip)) {
        if (w->number == 0) {
            status = xta__scene_progress(s->scene, s->job->what, atomic_load(&s->done),
                                         (uint64_t)(s->end - s->first), err);
        }
        if (status == XTA_OK) {
            status = run_strip(w, strip, err);
        }
        if (status != XTA_OK) {
            atomic_store(&s->stop, true);
            break;
        }
        atomic_fetch_add(&s->done, 1);
    }
    return status;
}

static xta_status run_worker(void *user, int number, xta_error *err)
{
    scan *s = user;
    const xta_scene *scene = s->scene;
    uint64_t n = (uint64_t)(s->end - s->first), n_threads = (uint64_t)scene->n_threads;
    int64_t first = s->first + (int64_t)xta__share(n, n_threads, (uint64_t)number);
    int64_t end = s->first + (int64_t)xta__share(n, n_threads, (uint64_t)number + 1);
    worker w = {.s = s, .number = number};
    xta_status status = XTA_OK;

    if (s->job->any_order) {
        first = s->first;
        end = s->end;
    }
    if (first >= end) {
        return XTA_OK;
    }
    w.partial = (char *)s->job->partials + (size_t)number * s->job->partial_bytes;
    size_t x_bytes = TILE_PIXELS * scene->now.n_bands * sizeof *w.x;
    size_t cells_bytes = TILE_LINES * scene->segment_samples * xta__scene_kept_pixel(scene);
    w.x = xta__scratch_alloc(scene, x_bytes);
    w.valid = malloc(TILE_PIXELS);
    w.cells = xta__scratch_alloc(scene, cells_bytes);
    if (w.x == NULL || w.valid == NULL || w.cells == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a tile of %zu bands",
                               scene->name, scene->now.n_bands);
        atomic_store(&s->stop, true);
        goto done;
    }
    xta__blas_single();
    status = run_strips(&w, first, end, err);
done:
    xta__scratch_free(scene, w.x, x_bytes);
    free(w.valid);
    xta__scratch_free(scene, w.cells, cells_bytes);
    return status;
}

xta_status xta__scan(xta_scene *scene, line_range lines, const scan_job *job, xta_error *err)
{
    scan s = {.scene = scene, .job = job, .lines = lines};
    const scene_snapshot *now = &scene->now;
    xta_status status = XTA_OK;

    if (lines.lo >= lines.hi || now->lo[SAMPLES] >= now->hi[SAMPLES]) {
        return XTA_OK;
    }
    int64_t first = xta__floor_div(lines.lo, TILE_LINES);
    uint64_t n = (uint64_t)(xta__floor_div(lines.hi - 1, TILE_LINES) + 1 - first);
    uint64_t rank = (uint64_t)xta_communicator_rank(scene->communicator);
    uint64_t size = (uint64_t)xta_communicator_size(scene->communicator);
    s.first = first + (int64_t)xta__share(n, size, rank);
    s.end = first + (int64_t)xta__share(n, size, rank + 1);
    s.columns[0] = xta__floor_div(now->lo[SAMPLES], TILE_SAMPLES);
    s.columns[1] = xta__floor_div(now->hi[SAMPLES] - 1, TILE_SAMPLES) + 1;
    atomic_init(&s.next, s.first);
    atomic_init(&s.stop, false);
    atomic_init(&s.done, 0);
    if (lines.lo < now->lo[LINES] || lines.hi > now->hi[LINES]) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: lines [%" PRId64 ", %" PRId64 ") are not within [%" PRId64
                               ", %" PRId64 ")",
                               scene->name, lines.lo, lines.hi, now->lo[LINES], now->hi[LINES]);
    } else {
        status = xta__run_threads(scene->n_threads, run_worker, &s, err);
    }
    if (status == XTA_OK) {
        uint64_t total = (uint64_t)(s.end - s.first);
        status = xta__scene_progress(scene, job->what, total, total, err);
    }
    return xta__agree(scene->communicator, status, err);
}
