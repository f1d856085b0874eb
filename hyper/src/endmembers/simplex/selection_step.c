/* One step of a selection over the pixels of a source.
 *
 * Where the source keeps columns, column COLUMN_FIRST + k has the products with the vertex at
 * position k. An exchange makes one column stale, and the step after it computes only that one
 * again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_step.h"

#include <stdlib.h>
#include <string.h>

#include "endmembers/pixels/pixel_products.h"
#include "endmembers/simplex/selection_trace.h"
#include "endmembers/simplex/vca.h"
#include "numeric/reproducible_dot.h"
#include "parallel/communicator.h"
#include "scene/scene_private.h"
#include "scene/tile.h"
#include "util/clones.h"
#include "util/try.h"

/* A replacement must make the volume larger by this factor, or rounding could make exchanges go on
 * for ever. */
#define GAIN (1 + 1e-9)
/* Squared distances below this fraction of the largest one from the first pixel are rounding
 * errors. */
#define NEGLIGIBLE 1e-12

/* ---- scoring a block ---- */

XTA__CLONES static double largest(const double *scores)
{
    double best[DOT_WIDTH];

    memcpy(best, scores, sizeof best);
    for (size_t k = DOT_WIDTH; k < BLOCK_PIXELS; k += DOT_WIDTH) {
        for (size_t l = 0; l < DOT_WIDTH; l++) {
            best[l] = scores[k + l] > best[l] ? scores[k + l] : best[l];
        }
    }
    for (size_t l = 1; l < DOT_WIDTH; l++) {
        best[0] = best[l] > best[0] ? best[l] : best[0];
    }
    return best[0];
}

/* Compare the best score of a block with the best so far. Scores that do not belong to a valid
 * pixel are overwritten. */
static void update_best(const pixel_block *block, double *scores, winner *best)
{
    for (size_t k = block->n; k < BLOCK_PIXELS; k++) {
        scores[k] = -1;
    }
    for (size_t k = 0; block->valid != NULL && k < block->n; k++) {
        scores[k] = block->valid[k] ? scores[k] : -1;
    }
    double value = largest(scores);
    if (value < best->value || (value == best->value && !best->found)) {
        return;
    }
    for (size_t k = 0; k < block->n; k++) {
        if (scores[k] == value) {
            winner w = {.value = value, .found = 1};
            xta__block_pixel(block, k, &w.line, &w.sample);
            if (xta__winner_beats(&w, best)) {
                *best = w;
            }
            return;
        }
    }
}

void xta__step_scorer_block(const step_scorer *v, const pixel_source *f, const pixel_block *block,
                            winner *best, double *scores)
{
    const double *spare = block->columns + v->spare * BLOCK_PIXELS;
    size_t n = (block->n + DOT_WIDTH - 1) / DOT_WIDTH * DOT_WIDTH;

    if (v->kind == STEP_LONGEST || v->kind == STEP_DIRECTION) {
        bool longest = v->kind == STEP_LONGEST;
        const double *vectors[1] = {v->direction};
        const pixel_products products = {.centre = v->centre,
                                         .square_wanted = longest,
                                         .square = v->spare,
                                         .n = longest ? 0 : 1,
                                         .vectors = vectors,
                                         .columns = &v->spare};
        xta__pixel_products(f, block, &products);
        for (size_t k = 0; k < block->n; k++) {
            scores[k] = longest ? spare[k] : spare[k] * spare[k];
        }
        update_best(block, scores, &best[0]);
        return;
    }
    if (v->kind == STEP_FARTHEST) {
        xta__affine_hull_distances(&v->hull, block->columns, BLOCK_PIXELS, n, v->square, v->product,
                                   scores);
    } else {
        xta__affine_hull_gains(&v->hull, block->columns, BLOCK_PIXELS, n, v->square, v->product,
                               scores);
    }
    for (size_t k = 0; k < v->n_winners; k++) {
        update_best(block, scores + k * BLOCK_PIXELS, &best[k]);
    }
}

/* ---- preparing a step ---- */

static xta_status scorer_hull(step_scorer *v, const selection_trace *p, const trace_step *step,
                              size_t n_dims, const size_t product[], xta_error *err)
{
    const double **f = malloc(step->n * sizeof *f);
    bool good = f != NULL;

    for (size_t k = 0; good && k < step->n; k++) {
        f[k] = p->pixels[step->vertex[k]].f;
        v->product[k] = product[k];
    }
    good = good && xta__affine_hull_init(&v->hull, step->n, n_dims, f);
    free(f);
    if (!good) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a simplex of %zu endmembers",
                             step->n);
    }
    for (size_t k = 0; step->kind == STEP_EXCHANGE && k < step->n; k++) {
        v->bounds[k].value = v->hull.height[k] * GAIN * GAIN;
    }
    return XTA_OK;
}

xta_status xta__step_scorer_init(step_scorer *v, const selection *s, const trace_step *step,
                                 const size_t product[], xta_error *err)
{
    const selection_trace *p = s->p;
    size_t n_dims = s->f->n_dims;

    *v = (step_scorer){.kind = step->kind,
                       .n_winners = step->n_winners,
                       .square = COLUMN_SQUARE,
                       .spare = COLUMN_SPARE};
    v->bounds = calloc(step->n_winners, sizeof *v->bounds);
    v->product = calloc(step->n + 1, sizeof *v->product);
    v->zero = calloc((step->n + 3) * n_dims, sizeof *v->zero);
    if (v->bounds == NULL || v->product == NULL || v->zero == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a step with %zu endmembers",
                             step->n);
    }
    v->direction = v->zero + n_dims;
    v->centre = step->n == 0 ? v->zero : p->pixels[0].point;
    // Any pixel may be the first, and any other one the second.
    v->bounds[0].value = step->n == 0 ? -1 : step->n == 1 ? 0 : NEGLIGIBLE * p->pixels[1].value;
    if (step->kind == STEP_DIRECTION &&
        !xta__vca_direction(s, step->n, v->direction, v->zero + 2 * n_dims)) {
        memset(v->direction, 0, n_dims * sizeof *v->direction);
    }
    return step->kind == STEP_FARTHEST || step->kind == STEP_EXCHANGE
               ? scorer_hull(v, p, step, n_dims, product, err)
               : XTA_OK;
}

void xta__step_scorer_clear(step_scorer *v)
{
    free(v->bounds);
    free(v->product);
    free(v->zero);
    xta__affine_hull_clear(&v->hull);
    *v = (step_scorer){0};
}

/* ---- over all pixels ---- */

typedef struct scanning {
    const selection *s;
    const step_scorer *scorer;
    pixel_products stale; // of kept columns
    pixel_products all;
    bool refresh;
    winner *winners;
} scanning;

static void scan_block(void *user, void *strip_user, const pixel_block *block)
{
    const scanning *c = user;
    winner *best = strip_user;
    size_t n = c->scorer->n_winners;

    if (c->scorer->kind == STEP_FARTHEST || c->scorer->kind == STEP_EXCHANGE) {
        if (block->blank) {
            xta__pixel_products(c->s->f, block, &c->all);
        } else if (c->refresh) {
            xta__pixel_products(c->s->f, block, &c->stale);
        }
    }
    // The memory of a strip begins as zeros, so the bounds of the step are set here.
    for (size_t k = 0; k < n; k++) {
        best[k].value = best[k].found ? best[k].value : c->scorer->bounds[k].value;
    }
    xta__step_scorer_block(c->scorer, c->s->f, block, best, (double *)(void *)(best + n));
}

static void scan_strip(void *user, void *strip_user)
{
    scanning *c = user;
    const winner *best = strip_user;

    for (size_t k = 0; k < c->scorer->n_winners; k++) {
        if (xta__winner_beats(&best[k], &c->winners[k])) {
            c->winners[k] = best[k];
        }
    }
}

static bool same_pixel(const winner *w, const trace_pixel *x)
{
    return w->found && w->line == x->line && w->sample == x->sample;
}

static void note_pixel(winner *w, const trace_pixel *x)
{
    *w = (winner){.line = x->line, .sample = x->sample, .found = 1};
}

/* Find the columns that are stale for a step, and note what the columns will hold after it. */
static void plan_products(selection *s, scanning *c, const trace_step *step, const double **vectors,
                          size_t *columns)
{
    size_t n = step->n;
    const double **stale = vectors + n;
    size_t *stale_columns = columns + n;
    bool all = s->f->kept == NULL || n == 0 || !same_pixel(&s->centre, &s->p->pixels[0]);

    c->all = (pixel_products){.centre = c->scorer->centre,
                              .square_wanted = true,
                              .square = COLUMN_SQUARE,
                              .n = n,
                              .vectors = vectors,
                              .columns = columns};
    c->stale = c->all;
    c->stale.vectors = stale;
    c->stale.columns = stale_columns;
    c->stale.n = 0;
    c->stale.square_wanted = all;
    for (size_t k = 0; k < n; k++) {
        size_t number = step->vertex[k];
        vectors[k] = number == 0 ? NULL : s->p->pixels[number].f;
        columns[k] = COLUMN_FIRST + k;
        if (all || !same_pixel(&s->column[k], &s->p->pixels[number])) {
            stale[c->stale.n] = vectors[k];
            stale_columns[c->stale.n++] = columns[k];
        }
        note_pixel(&s->column[k], &s->p->pixels[number]);
    }
    if (n > 0) {
        note_pixel(&s->centre, &s->p->pixels[0]);
    }
    c->refresh = all || c->stale.n > 0;
}

static xta_status scan_all(selection *s, scanning *c, xta_error *err)
{
    const pixel_source *f = s->f;
    bool by_hull = c->scorer->kind == STEP_FARTHEST || c->scorer->kind == STEP_EXCHANGE;
    pixel_visit visit = {.what = "endmembers",
                         .n_columns = s->n_wanted + COLUMN_FIRST,
                         .kept = f->kept != NULL && by_hull,
                         .with_cells = !by_hull || c->refresh,
                         .user = c,
                         .strip_bytes = c->scorer->n_winners *
                                        (sizeof(winner) + BLOCK_PIXELS * sizeof(double)),
                         .block = scan_block,
                         .strip = scan_strip};

    if (f->scene != NULL) {
        visit.lines = (line_range){f->scene->now.lo[LINES], f->scene->now.hi[LINES]};
    }
    return xta__pixel_source_visit(s->f, &visit, err);
}

/* Find the winners of the last step of the trace, over all pixels. */
static xta_status scan_step(selection *s, trace_step *step, xta_error *err)
{
    step_scorer scorer = {0};
    scanning c = {.s = s, .scorer = &scorer, .winners = step->winners};
    const double **vectors = calloc(2 * step->n + 1, sizeof *vectors);
    size_t *columns = calloc(2 * step->n + 1, sizeof *columns);
    xta_status status = XTA_OK;

    if (!s->f->planned) {
        xta__pixel_source_keep_columns(s->f, s->n_wanted + COLUMN_FIRST);
    }
    for (size_t k = 0; columns != NULL && k < step->n; k++) {
        columns[k] = COLUMN_FIRST + k;
    }
    if (vectors == NULL || columns == NULL) {
        status =
            xta_error_set(err, XTA_ENOMEM, 0, "no memory for a step with %zu endmembers", step->n);
    } else {
        status = xta__step_scorer_init(&scorer, s, step, columns, err);
    }
    XTA_TRY(xta__agree(xta__pixel_source_communicator(s->f), status, err));
    if (step->kind == STEP_FARTHEST || step->kind == STEP_EXCHANGE) {
        plan_products(s, &c, step, vectors, columns);
    }
    for (size_t k = 0; k < step->n_winners; k++) {
        step->winners[k] = scorer.bounds[k];
    }
    XTA_TRY(scan_all(s, &c, err));
    XTA_TRY(xta__winners_gather(xta__pixel_source_communicator(s->f), step->winners,
                                step->n_winners, err));

done:
    xta__step_scorer_clear(&scorer);
    free(vectors);
    free(columns);
    return status;
}

/* ---- along the trace ---- */

xta_status xta__selection_begin(selection *s, selection_trace *p, xta_error *err)
{
    xta_status status = XTA_OK;

    s->p = p;
    s->at = s->n_chosen = 0;
    s->centre = (winner){0};
    free(s->column);
    s->column = calloc(s->n_wanted, sizeof *s->column);
    if (s->column == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", s->n_wanted);
    }
    return xta__agree(xta__pixel_source_communicator(s->f), status, err);
}

void xta__selection_end(selection *s)
{
    free(s->column);
    s->column = NULL;
}

static bool same_step(const trace_step *step, step_kind kind, size_t n, const size_t vertex[])
{
    return step->kind == kind && step->n == n &&
           (n == 0 || memcmp(step->vertex, vertex, n * sizeof *vertex) == 0);
}

xta_status xta__selection_step(selection *s, step_kind kind, size_t n, const size_t vertex[],
                               const winner **winners, xta_error *err)
{
    selection_trace *p = s->p;
    const xta_communicator *communicator = xta__pixel_source_communicator(s->f);
    xta_status status = XTA_OK;

    if (s->at < p->n_steps && same_step(&p->steps[s->at], kind, n, vertex)) {
        s->n_kept++;
    } else {
        xta__trace_cut(p, s->at, p->n_pixels);
        trace_step *step = xta__trace_add_step(p, kind, n, vertex, kind == STEP_EXCHANGE ? n : 1);
        if (step == NULL) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for step %zu", s->at);
        }
        XTA_TRY(xta__agree(communicator, status, err));
        XTA_TRY(scan_step(s, step, err));
        s->n_scanned++;
    }
    *winners = p->steps[s->at++].winners;
done:
    return status;
}

xta_status xta__selection_add_pixel(selection *s, const winner *w, size_t *number, xta_error *err)
{
    selection_trace *p = s->p;
    const pixel_source *f = s->f;
    const xta_communicator *communicator = xta__pixel_source_communicator(f);
    winner best = *w; // a copy, since the step that `w` points into may be removed
    xta_status status = XTA_OK;

    *number = s->n_chosen++;
    if (*number < p->n_pixels && same_pixel(&best, &p->pixels[*number])) {
        return XTA_OK;
    }
    xta__trace_cut(p, s->at, *number);
    trace_pixel *x =
        xta__trace_add_pixel(p, f->scene == NULL ? f->n_dims : f->scene->now.n_bands, f->n_dims);
    if (x == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for endmember %zu", *number);
    } else {
        x->line = best.line;
        x->sample = best.sample;
        x->value = best.value;
        status = xta__pixel_source_spectrum(f, x->line, x->sample, x->spectrum, err);
    }
    if (status == XTA_OK) {
        status = xta__pixel_source_point(f, x->spectrum, x->point, err);
    }
    for (size_t d = 0; status == XTA_OK && d < f->n_dims; d++) {
        x->f[d] = x->point[d] - p->pixels[0].point[d];
    }
    return xta__agree(communicator, status, err);
}
