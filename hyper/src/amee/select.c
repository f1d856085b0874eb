/* Which pixels may be endmembers, and which of them are: those above Otsu's threshold on the index,
 * and the corners of the largest simplex of these.
 *
 * Every member of a communicator passes over the map by itself and finds the same candidates; the
 * map has few numbers compared with the scene.
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
typedef struct map_pass {
    xta_amee *amee;
    xta_box box;
    double *mei; /* LINES_AT_ONCE lines */
    double max, threshold;
    uint64_t counts[256];
    candidate_heap heap;
} map_pass;

typedef xta_status pass_step(map_pass *pass, int64_t line, xta_error *err);

static xta_status pass_over_lines(map_pass *pass, pass_step *step, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t samples[2] = {pass->box.lo[1], pass->box.hi[1]};
    size_t width = (size_t)(samples[1] - samples[0]);
    double *all = pass->mei;

    for (int64_t at = pass->box.lo[0]; at < pass->box.hi[0]; at += LINES_AT_ONCE) {
        int64_t end = at + LINES_AT_ONCE < pass->box.hi[0] ? at + LINES_AT_ONCE : pass->box.hi[0];
        const int64_t lines[2] = {at, end};
        pass->mei = all;
        XTA_TRY(xta_amee_read(pass->amee, lines, samples, all, err));
        for (int64_t line = at; line < end; line++) {
            pass->mei = all + (size_t)(line - at) * width;
            XTA_TRY(step(pass, line, err));
        }
    }
done:
    pass->mei = all;
    return status;
}

static size_t width_of(const map_pass *pass)
{
    return (size_t)(pass->box.hi[1] - pass->box.lo[1]);
}

static xta_status find_max(map_pass *pass, int64_t line, xta_error *err)
{
    (void)line;
    (void)err;
    for (size_t s = 0; s < width_of(pass); s++) {
        pass->max = pass->mei[s] > pass->max ? pass->mei[s] : pass->max;
    }
    return XTA_OK;
}

static xta_status count_line(map_pass *pass, int64_t line, xta_error *err)
{
    (void)line;
    (void)err;
    for (size_t s = 0; s < width_of(pass); s++) {
        if (pass->mei[s] > 0) {
            double bin = floor(256 * pass->mei[s] / pass->max);
            pass->counts[bin < 255 ? (size_t)bin : 255]++;
        }
    }
    return XTA_OK;
}

/* Whether a is worse than b: it has a smaller index, or the same and higher coordinates. */
static bool is_worse(const candidate *a, const candidate *b)
{
    if (a->mei != b->mei) {
        return a->mei < b->mei;
    }
    return a->line != b->line ? a->line > b->line : a->sample > b->sample;
}

static void swap_candidates(candidate *a, candidate *b)
{
    candidate c = *a;
    *a = *b;
    *b = c;
}

static void sift_down(candidate_heap *heap)
{
    size_t at = 0;

    for (;;) {
        size_t worst = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->n; child++) {
            worst = is_worse(&heap->c[child], &heap->c[worst]) ? child : worst;
        }
        if (worst == at) {
            return;
        }
        swap_candidates(&heap->c[at], &heap->c[worst]);
        at = worst;
    }
}

static void sift_up(candidate_heap *heap)
{
    size_t at = heap->n - 1;

    while (at > 0 && is_worse(&heap->c[at], &heap->c[(at - 1) / 2])) {
        swap_candidates(&heap->c[at], &heap->c[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static bool add_candidate(candidate_heap *heap, candidate c)
{
    heap->n_seen++;
    if (heap->n == heap->most) {
        if (is_worse(&heap->c[0], &c)) {
            heap->c[0] = c;
            sift_down(heap);
        }
        return true;
    }
    if (!XTA__RESERVE(heap->c, heap->capacity, heap->n + 1)) {
        return false;
    }
    heap->c[heap->n++] = c;
    sift_up(heap);
    return true;
}

static xta_status collect_line(map_pass *pass, int64_t line, xta_error *err)
{
    for (size_t s = 0; s < width_of(pass); s++) {
        candidate c = {pass->mei[s], line, pass->box.lo[1] + (int64_t)s};
        if (c.mei > 0 && c.mei >= pass->threshold && !add_candidate(&pass->heap, c)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu candidates", pass->heap.n);
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
static xta_status find_candidates(xta_amee *amee, size_t most, map_pass *pass, xta_error *err)
{
    xta_status status = XTA_OK;

    *pass = (map_pass){.amee = amee, .box = xta_array_bounds(amee->map)};
    pass->heap.most = most > 0 ? most : MOST_CANDIDATES;
    pass->mei = malloc(LINES_AT_ONCE * (width_of(pass) + 1) * sizeof(double));
    if (pass->mei == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for %d lines of MEI", LINES_AT_ONCE));
    }
    XTA_TRY(pass_over_lines(pass, find_max, err));
    XTA_TRY(pass_over_lines(pass, count_line, err));
    pass->threshold = xta_otsu_threshold(pass->counts, pass->max);
    XTA_TRY(pass_over_lines(pass, collect_line, err));
    if (pass->heap.n > 0) {
        qsort(pass->heap.c, pass->heap.n, sizeof *pass->heap.c, by_pixel);
    }
done:
    free(pass->mei);
    return status;
}

/* ---- spectra ---- */

typedef struct spectra_job {
    xta_scene *scene;
    const xta_amee_candidates *candidates;
    int n_threads;
} spectra_job;

/* Adjacent candidates are read together. */
static xta_status read_share(void *user, int number, xta_error *err)
{
    xta_status status = XTA_OK;
    const spectra_job *job = user;
    const xta_amee_candidates *c = job->candidates;
    size_t end = (size_t)xta__share(c->n, (uint64_t)job->n_threads, (uint64_t)number + 1);

    for (size_t k = (size_t)xta__share(c->n, (uint64_t)job->n_threads, (uint64_t)number);
         k < end;) {
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

static xta_status read_candidates(xta_scene *scene, const map_pass *pass, xta_amee_candidates *c,
                                  xta_error *err)
{
    size_t n = pass->heap.n, n_bands = xta_scene_inquire(scene).n_bands;
    uint64_t allowed = xta__scene_memory(scene) / 2;

    if (n > allowed / sizeof(double) / n_bands) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%zu candidates of %zu bands do not fit into the memory: take at most "
                             "%" PRIu64 ", or give it more",
                             n, n_bands, allowed / sizeof(double) / n_bands);
    }
    c->line = malloc((n + 1) * sizeof *c->line);
    c->sample = malloc((n + 1) * sizeof *c->sample);
    c->mei = malloc((n + 1) * sizeof *c->mei);
    c->spectra = malloc((n * n_bands + 1) * sizeof *c->spectra);
    if (c->line == NULL || c->sample == NULL || c->mei == NULL || c->spectra == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu candidates", n);
    }
    c->n = n;
    c->n_above = pass->heap.n_seen;
    c->threshold = pass->threshold;
    c->n_bands = n_bands;
    for (size_t k = 0; k < n; k++) {
        c->line[k] = pass->heap.c[k].line;
        c->sample[k] = pass->heap.c[k].sample;
        c->mei[k] = pass->heap.c[k].mei;
    }
    spectra_job job = {scene, c, xta__scene_threads(scene)};
    return xta__run_threads(job.n_threads, read_share, &job, err);
}

static bool covers_scene(const xta_amee *amee, const xta_scene *scene)
{
    coverage now = xta__coverage_of(scene);

    return amee->map != NULL && amee->have.line_lo == now.line_lo &&
           amee->have.line_hi == now.line_hi && amee->have.signature == now.signature;
}

xta_status xta_amee_candidates_get(xta_amee *amee, xta_scene *scene, size_t most,
                                   xta_amee_candidates *candidates, xta_error *err)
{
    xta_status status = XTA_OK;
    map_pass pass = {0};

    *candidates = (xta_amee_candidates){0};
    if (!covers_scene(amee, scene)) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "the MEI are not those of %s as it is now: update them first",
                               xta_scene_inquire(scene).name);
    } else {
        status = find_candidates(amee, most, &pass, err);
        status = status == XTA_OK ? read_candidates(scene, &pass, candidates, err) : status;
    }
    free(pass.heap.c);
    status = xta__agree(xta__scene_communicator(scene), status, err);
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
static xta_status choose_corners(const char *name, const xta_amee_candidates *c, size_t p,
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
    status = xta_options_read(&o, sizeof o, options, "xta_amee_select_options", err);
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    XTA_TRY(xta_amee_candidates_get(amee, scene, o.most, &candidates, err));
    status = choose_corners(xta_scene_inquire(scene).name, &candidates, p, result, err);
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
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
