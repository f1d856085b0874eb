/* Traces as data: creating, shortening and storing them. selection_trace.h says what they are for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_trace.h"

#include <stdlib.h>
#include <string.h>

#include "endmembers/simplex/affine_hull.h"
#include "util/vector.h"

static void pixel_clear(trace_pixel *pixel)
{
    free(pixel->spectrum);
    *pixel = (trace_pixel){0};
}

static void step_clear(trace_step *step)
{
    free(step->vertex);
    free(step->winners);
    *step = (trace_step){0};
}

void xta__trace_cut(selection_trace *p, size_t n_steps, size_t n_pixels)
{
    while (p->n_steps > n_steps) {
        step_clear(&p->steps[--p->n_steps]);
    }
    while (p->n_pixels > n_pixels) {
        pixel_clear(&p->pixels[--p->n_pixels]);
    }
}

void xta__trace_clear(selection_trace *p)
{
    xta__trace_cut(p, 0, 0);
    free(p->pixels);
    free(p->steps);
    free(p->vertex);
    free(p->score);
    p->pixels = NULL;
    p->n_pixels = p->pixel_capacity = 0;
    p->steps = NULL;
    p->n_steps = p->step_capacity = 0;
    p->vertex = NULL;
    p->score = NULL;
    p->n = 0;
    p->log_volume = 0;
    p->n_sweeps = 0;
    p->converged = false;
}

trace_step *xta__trace_add_step(selection_trace *p, step_kind kind, size_t n, const size_t vertex[],
                                size_t n_winners)
{
    if (!XTA__RESERVE(p->steps, p->step_capacity, p->n_steps + 1)) {
        return NULL;
    }
    trace_step *step = &p->steps[p->n_steps];
    *step = (trace_step){.kind = kind, .n = n, .n_winners = n_winners};
    step->vertex = calloc(n + 1, sizeof *step->vertex);
    step->winners = calloc(n_winners, sizeof *step->winners);
    if (step->vertex == NULL || step->winners == NULL) {
        step_clear(step);
        return NULL;
    }
    if (n > 0) {
        memcpy(step->vertex, vertex, n * sizeof *vertex);
    }
    p->n_steps++;
    return step;
}

trace_pixel *xta__trace_add_pixel(selection_trace *p, size_t n_bands, size_t n_dims)
{
    if (!XTA__RESERVE(p->pixels, p->pixel_capacity, p->n_pixels + 1)) {
        return NULL;
    }
    trace_pixel *pixel = &p->pixels[p->n_pixels];
    *pixel = (trace_pixel){.spectrum = calloc(n_bands + 2 * n_dims, sizeof(double))};
    if (pixel->spectrum == NULL) {
        return NULL;
    }
    pixel->point = pixel->spectrum + n_bands;
    pixel->f = pixel->point + n_dims;
    p->n_pixels++;
    return pixel;
}

xta_status xta__trace_points(selection_trace *p, const pixel_source *f, xta_error *err)
{
    for (size_t k = 0; k < p->n_pixels; k++) {
        trace_pixel *x = &p->pixels[k];
        xta_status status = xta__pixel_source_point(f, x->spectrum, x->point, err);
        if (status != XTA_OK) {
            return status;
        }
        for (size_t d = 0; d < f->n_dims; d++) {
            x->f[d] = x->point[d] - p->pixels[0].point[d];
        }
    }
    return XTA_OK;
}

/* ---- bytes ---- */

static void put_winners(const winner *w, size_t n, blob *b)
{
    for (size_t k = 0; k < n; k++) {
        xta__blob_f64s(b, &w[k].value, 1);
        xta__blob_i64(b, w[k].line);
        xta__blob_i64(b, w[k].sample);
        xta__blob_u64(b, w[k].found);
    }
}

static void put_vertices(const size_t *vertex, size_t n, blob *b)
{
    xta__blob_u64(b, n);
    for (size_t k = 0; k < n; k++) {
        xta__blob_u64(b, vertex[k]);
    }
}

void xta__trace_put(const selection_trace *p, size_t n_bands, blob *b)
{
    xta__blob_u64(b, p->n_pixels);
    for (size_t k = 0; k < p->n_pixels; k++) {
        xta__blob_i64(b, p->pixels[k].line);
        xta__blob_i64(b, p->pixels[k].sample);
        xta__blob_f64s(b, &p->pixels[k].value, 1);
        xta__blob_f64s(b, p->pixels[k].spectrum, n_bands);
    }
    xta__blob_u64(b, p->n_steps);
    for (size_t k = 0; k < p->n_steps; k++) {
        xta__blob_u64(b, (uint64_t)p->steps[k].kind);
        put_vertices(p->steps[k].vertex, p->steps[k].n, b);
        xta__blob_u64(b, p->steps[k].n_winners);
        put_winners(p->steps[k].winners, p->steps[k].n_winners, b);
    }
    put_vertices(p->vertex, p->n, b);
    xta__blob_f64s(b, p->score, p->n);
    xta__blob_f64s(b, &p->log_volume, 1);
    xta__blob_u64(b, p->n_sweeps);
    xta__blob_u64(b, p->converged);
}

/* Read a count of items of at least `bytes` each, which must not exceed what is left. */
static size_t get_count(blob_reader *r, size_t bytes)
{
    uint64_t n = xta__blob_get_u64(r);

    if (r->failed || n > (r->n - r->at) / bytes) {
        r->failed = true;
        return 0;
    }
    return (size_t)n;
}

static bool get_vertices(blob_reader *r, size_t n, size_t n_pixels, size_t *vertex)
{
    for (size_t k = 0; k < n; k++) {
        vertex[k] = (size_t)xta__blob_get_u64(r);
        if (vertex[k] >= n_pixels) {
            r->failed = true;
        }
    }
    return !r->failed;
}

/* Whether a step of this kind can have so many vertices and winners. */
static bool step_fits(step_kind kind, size_t n, size_t n_winners)
{
    if (n > HULL_VERTICES || n_winners != (kind == STEP_EXCHANGE ? n : 1) || n_winners == 0) {
        return false;
    }
    return kind == STEP_LONGEST ? n == 0 : kind == STEP_DIRECTION || n > 0;
}

static bool get_step(selection_trace *p, blob_reader *r)
{
    uint64_t kind = xta__blob_get_u64(r);
    size_t n = get_count(r, 8);
    size_t *vertex = calloc(n + 1, sizeof *vertex);
    trace_step *step = NULL;

    if (vertex != NULL && kind <= STEP_EXCHANGE && get_vertices(r, n, p->n_pixels, vertex)) {
        size_t n_winners = get_count(r, 32);
        if (!r->failed && step_fits((step_kind)kind, n, n_winners)) {
            step = xta__trace_add_step(p, (step_kind)kind, n, vertex, n_winners);
        }
    }
    free(vertex);
    for (size_t k = 0; step != NULL && k < step->n_winners; k++) {
        winner *w = &step->winners[k];
        xta__blob_get_f64s(r, &w->value, 1);
        w->line = xta__blob_get_i64(r);
        w->sample = xta__blob_get_i64(r);
        w->found = xta__blob_get_u64(r);
    }
    return step != NULL && !r->failed;
}

static bool get_outcome(selection_trace *p, blob_reader *r)
{
    p->n = get_count(r, 8);
    p->vertex = calloc(p->n + 1, sizeof *p->vertex);
    p->score = calloc(p->n + 1, sizeof *p->score);
    if (p->vertex == NULL || p->score == NULL || !get_vertices(r, p->n, p->n_pixels, p->vertex)) {
        return false;
    }
    xta__blob_get_f64s(r, p->score, p->n);
    xta__blob_get_f64s(r, &p->log_volume, 1);
    p->n_sweeps = (uint32_t)xta__blob_get_u64(r);
    p->converged = xta__blob_get_u64(r) != 0;
    return !r->failed;
}

bool xta__trace_get(selection_trace *p, size_t n_bands, size_t n_dims, blob_reader *r)
{
    xta__trace_clear(p);
    size_t n = get_count(r, 24 + 8 * n_bands);
    for (size_t k = 0; k < n; k++) {
        trace_pixel *pixel = xta__trace_add_pixel(p, n_bands, n_dims);
        if (pixel == NULL) {
            return false;
        }
        pixel->line = xta__blob_get_i64(r);
        pixel->sample = xta__blob_get_i64(r);
        xta__blob_get_f64s(r, &pixel->value, 1);
        xta__blob_get_f64s(r, pixel->spectrum, n_bands);
    }
    n = get_count(r, 24);
    for (size_t k = 0; k < n; k++) {
        if (!get_step(p, r)) {
            return false;
        }
    }
    return get_outcome(p, r);
}
