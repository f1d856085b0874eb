/* Which pixels may be endmembers, and which of them are: those above Otsu's threshold on the index,
 * and the corners of the largest simplex of these.
 *
 * Every member of a communicator passes over the map by itself and comes to the same candidates;
 * the pixels of the map are few numbers compared with those of the scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/amee.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/endmembers.h>
#include <xta/options.h>

#include "amee/amee.h"
#include "parallel/communicator.h"
#include "parallel/threads.h"
#include "scene/coverage.h"
#include "scene/scene.h"
#include "util/try.h"
#include "util/vector.h"

enum { MOST_CANDIDATES = 4096, LINES_AT_ONCE = 64 };

/* A candidate. */
typedef struct candidate {
    double mei;
    int64_t line, sample;
} candidate;

/* The candidates so far: at most `most`, as a heap with the worst at the top. */
typedef struct candidate_heap {
    candidate *c;
    size_t n, capacity, most;
    size_t n_seen;
} candidate_heap;

/* A pass over the map, some lines at a time. */
typedef struct map_walk {
    xta_amee *amee;
    xta_box box;
    double *mei; /* LINES_AT_ONCE lines */
    double max, threshold;
    uint64_t counts[256];
    candidate_heap heap;
} map_walk;

typedef xta_status walk_step(map_walk *walk, int64_t line, xta_error *err);

static xta_status walk_lines(map_walk *walk, walk_step *step, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t samples[2] = {walk->box.lo[1], walk->box.hi[1]};
    size_t width = (size_t)(samples[1] - samples[0]);
    double *all = walk->mei;

    for (int64_t at = walk->box.lo[0]; at < walk->box.hi[0]; at += LINES_AT_ONCE) {
        int64_t end = at + LINES_AT_ONCE < walk->box.hi[0] ? at + LINES_AT_ONCE : walk->box.hi[0];
        const int64_t lines[2] = {at, end};
        walk->mei = all;
        XTA_TRY(xta_amee_read(walk->amee, lines, samples, all, err));
        for (int64_t line = at; line < end; line++) {
            walk->mei = all + (size_t)(line - at) * width;
            XTA_TRY(step(walk, line, err));
        }
    }
done:
    walk->mei = all;
    return status;
}

static size_t width_of(const map_walk *walk)
{
    return (size_t)(walk->box.hi[1] - walk->box.lo[1]);
}

static xta_status find_max(map_walk *walk, int64_t line, xta_error *err)
{
    (void)line;
    (void)err;
    for (size_t s = 0; s < width_of(walk); s++) {
        walk->max = walk->mei[s] > walk->max ? walk->mei[s] : walk->max;
    }
    return XTA_OK;
}

static xta_status count(map_walk *walk, int64_t line, xta_error *err)
{
    (void)line;
    (void)err;
    for (size_t s = 0; s < width_of(walk); s++) {
        if (walk->mei[s] > 0) {
            double bin = floor(256 * walk->mei[s] / walk->max);
            walk->counts[bin < 255 ? (size_t)bin : 255]++;
        }
    }
    return XTA_OK;
}

/* Whether a is worse than b: it has a smaller index, or the same and higher coordinates. */
static bool worse(const candidate *a, const candidate *b)
{
    if (a->mei != b->mei) {
        return a->mei < b->mei;
    }
    return a->line != b->line ? a->line > b->line : a->sample > b->sample;
}

static void swap(candidate *a, candidate *b)
{
    candidate c = *a;
    *a = *b;
    *b = c;
}

static void sink(candidate_heap *heap)
{
    size_t at = 0;

    for (;;) {
        size_t worst = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->n; child++) {
            worst = worse(&heap->c[child], &heap->c[worst]) ? child : worst;
        }
        if (worst == at) {
            return;
        }
        swap(&heap->c[at], &heap->c[worst]);
        at = worst;
    }
}

static void rise(candidate_heap *heap)
{
    size_t at = heap->n - 1;

    while (at > 0 && worse(&heap->c[at], &heap->c[(at - 1) / 2])) {
        swap(&heap->c[at], &heap->c[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static bool add(candidate_heap *heap, candidate c)
{
    heap->n_seen++;
    if (heap->n == heap->most) {
        if (worse(&heap->c[0], &c)) {
            heap->c[0] = c;
            sink(heap);
        }
        return true;
    }
    if (!XTA__RESERVE(heap->c, heap->capacity, heap->n + 1)) {
        return false;
    }
    heap->c[heap->n++] = c;
    rise(heap);
    return true;
}

static xta_status collect(map_walk *walk, int64_t line, xta_error *err)
{
    for (size_t s = 0; s < width_of(walk); s++) {
        candidate c = {walk->mei[s], line, walk->box.lo[1] + (int64_t)s};
        if (c.mei > 0 && c.mei >= walk->threshold && !add(&walk->heap, c)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu candidates", walk->heap.n);
        }
    }
    return XTA_OK;
}

static int by_pixel(const void *one, const void *other)
{
    const candidate *a = one, *b = other;

    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* The candidates of a map, in the order of pixels. */
static xta_status find_candidates(xta_amee *amee, size_t most, map_walk *walk, xta_error *err)
{
    xta_status status = XTA_OK;

    *walk = (map_walk){.amee = amee, .box = xta_array_bounds(amee->map)};
    walk->heap.most = most > 0 ? most : MOST_CANDIDATES;
    walk->mei = malloc(LINES_AT_ONCE * (width_of(walk) + 1) * sizeof(double));
    if (walk->mei == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for %d lines of MEI", LINES_AT_ONCE));
    }
    XTA_TRY(walk_lines(walk, find_max, err));
    XTA_TRY(walk_lines(walk, count, err));
    walk->threshold = xta_otsu_threshold(walk->counts, walk->max);
    XTA_TRY(walk_lines(walk, collect, err));
    if (walk->heap.n > 0) {
        qsort(walk->heap.c, walk->heap.n, sizeof *walk->heap.c, by_pixel);
    }
done:
    free(walk->mei);
    return status;
}

/* ---- spectra ---- */

typedef struct spectra_job {
    xta_scene *scene;
    const xta_amee_candidates *candidates;
    int n_partials;
} spectra_job;

/* Adjacent candidates are read together. */
static xta_status read_part(void *user, int part, xta_error *err)
{
    xta_status status = XTA_OK;
    const spectra_job *job = user;
    const xta_amee_candidates *c = job->candidates;
    size_t end = (size_t)xta__share(c->n, (uint64_t)job->n_partials, (uint64_t)part + 1);

    for (size_t k = (size_t)xta__share(c->n, (uint64_t)job->n_partials, (uint64_t)part); k < end;) {
        size_t n = 1;
        while (k + n < end && c->line[k + n] == c->line[k] &&
               c->sample[k + n] == c->sample[k] + (int64_t)n) {
            n++;
        }
        const int64_t lines[2] = {c->line[k], c->line[k] + 1};
        const int64_t samples[2] = {c->sample[k], c->sample[k] + (int64_t)n};
        XTA_TRY(xta_scene_read(job->scene, lines, samples, c->spectra + k * c->n_bands, NULL, err));
        k += n;
    }
done:
    return status;
}

static xta_status take_candidates(xta_scene *scene, const map_walk *walk, xta_amee_candidates *c,
                                  xta_error *err)
{
    size_t n = walk->heap.n, n_bands = xta_scene_inquire(scene).n_bands;
    uint64_t room = xta__scene_memory(scene) / 2;

    if (n > room / sizeof(double) / n_bands) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%zu candidates of %zu bands do not fit into the memory: take at most "
                             "%" PRIu64 ", or give it more",
                             n, n_bands, room / sizeof(double) / n_bands);
    }
    c->line = malloc((n + 1) * sizeof *c->line);
    c->sample = malloc((n + 1) * sizeof *c->sample);
    c->mei = malloc((n + 1) * sizeof *c->mei);
    c->spectra = malloc((n * n_bands + 1) * sizeof *c->spectra);
    if (c->line == NULL || c->sample == NULL || c->mei == NULL || c->spectra == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu candidates", n);
    }
    c->n = n;
    c->n_above = walk->heap.n_seen;
    c->threshold = walk->threshold;
    c->n_bands = n_bands;
    for (size_t k = 0; k < n; k++) {
        c->line[k] = walk->heap.c[k].line;
        c->sample[k] = walk->heap.c[k].sample;
        c->mei[k] = walk->heap.c[k].mei;
    }
    spectra_job job = {scene, c, xta__scene_threads(scene)};
    return xta__run_threads(job.n_partials, read_part, &job, err);
}

static bool covers(const xta_amee *amee, const xta_scene *scene)
{
    coverage now = xta__coverage_of(scene);

    return amee->map != NULL && amee->have.line_lo == now.line_lo &&
           amee->have.line_hi == now.line_hi && amee->have.signature == now.signature;
}

xta_status xta_amee_candidates_get(xta_amee *amee, xta_scene *scene, size_t most,
                                   xta_amee_candidates *candidates, xta_error *err)
{
    xta_status status = XTA_OK;
    map_walk walk = {0};

    *candidates = (xta_amee_candidates){0};
    if (!covers(amee, scene)) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "the MEI are not those of %s as it is now: update them first",
                               xta_scene_inquire(scene).name);
    } else {
        status = find_candidates(amee, most, &walk, err);
        status = status == XTA_OK ? take_candidates(scene, &walk, candidates, err) : status;
    }
    free(walk.heap.c);
    status = xta__agree(xta__scene_team(scene), status, err);
    if (status != XTA_OK) {
        xta_amee_candidates_clear(candidates);
    }
    return status;
}

void xta_amee_candidates_clear(xta_amee_candidates *candidates)
{
    free(candidates->line);
    free(candidates->sample);
    free(candidates->mei);
    free(candidates->spectra);
    *candidates = (xta_amee_candidates){0};
}

/* ---- endmembers ---- */

static xta_status make_result(const xta_amee_candidates *c, const size_t *chosen, size_t p,
                              xta_amee_result *result, xta_error *err)
{
    result->line = malloc(p * sizeof *result->line);
    result->sample = malloc(p * sizeof *result->sample);
    result->mei = malloc(p * sizeof *result->mei);
    result->region = malloc(p * sizeof *result->region);
    result->endmembers = malloc(p * c->n_bands * sizeof *result->endmembers);
    if (result->line == NULL || result->sample == NULL || result->mei == NULL ||
        result->region == NULL || result->endmembers == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", p);
    }
    result->p = p;
    result->n_bands = c->n_bands;
    result->n_candidates = c->n;
    result->threshold = c->threshold;
    for (size_t i = 0; i < p; i++) {
        result->line[i] = c->line[chosen[i]];
        result->sample[i] = c->sample[chosen[i]];
        result->mei[i] = c->mei[chosen[i]];
        result->region[i] = 1;
        memcpy(result->endmembers + i * c->n_bands, c->spectra + chosen[i] * c->n_bands,
               c->n_bands * sizeof(double));
    }
    return XTA_OK;
}

/* The corners of the largest simplex among the candidates. */
static xta_status choose(const char *name, const xta_amee_candidates *c, size_t p,
                         xta_amee_result *result, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_simplex_options options = XTA_SIMPLEX_OPTIONS_INIT;
    size_t n_chosen = 0, *chosen = NULL;

    if (p < 1 || c->n < p) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: %zu endmembers are wanted, %zu pixels have an MEI of at least "
                             "%g: take fewer, larger windows or another method",
                             name, p, c->n, c->threshold);
    }
    chosen = calloc(p, sizeof *chosen);
    if (chosen == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", p));
    }
    options.n = p;
    XTA_TRY(xta_simplex_of_pixels(c->n, c->n_bands, c->spectra, &options, chosen, &n_chosen, err));
    if (n_chosen < p) {
        XTA_TRY(xta_error_set(err, XTA_EARG, 0,
                              "%s: the %zu candidates span a simplex of %zu corners only, not "
                              "%zu: take fewer, or another method",
                              name, c->n, n_chosen, p));
    }
    XTA_TRY(make_result(c, chosen, p, result, err));
done:
    free(chosen);
    return status;
}

xta_status xta_amee_select(xta_amee *amee, xta_scene *scene, size_t p,
                           const xta_amee_select_options *options, xta_amee_result *result,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    xta_amee_select_options o = XTA_AMEE_SELECT_INIT;
    xta_amee_candidates candidates = {0};

    *result = (xta_amee_result){0};
    status = xta_options_take(&o, sizeof o, options, "xta_amee_select_options", err);
    XTA_TRY(xta__agree(xta__scene_team(scene), status, err));
    XTA_TRY(xta_amee_candidates_get(amee, scene, o.most, &candidates, err));
    status = choose(xta_scene_inquire(scene).name, &candidates, p, result, err);
    XTA_TRY(xta__agree(xta__scene_team(scene), status, err));
    if (o.regions) {
        xta_region_means_options means = XTA_REGION_MEANS_INIT;
        means.angle = o.region_angle;
        means.radius = o.region_radius;
        XTA_TRY(xta_region_means(scene, result->p, result->line, result->sample, &means,
                                 result->endmembers, result->region, err));
    }
done:
    xta_amee_candidates_clear(&candidates);
    if (status != XTA_OK) {
        xta_amee_result_clear(result);
    }
    return status;
}

void xta_amee_result_clear(xta_amee_result *result)
{
    free(result->line);
    free(result->sample);
    free(result->mei);
    free(result->region);
    free(result->endmembers);
    *result = (xta_amee_result){0};
}
