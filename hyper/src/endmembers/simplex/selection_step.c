/* One step of a selection over a field.
 *
 * Where the field keeps columns, column COLUMN_FIRST + k holds the products with the vertex in
 * place k, so an exchange makes one column stale and the step after it works out that one alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_trace.h"

#include <stdlib.h>
#include <string.h>

#include "numeric/reproducible_dot.h"

/* A replacement must make the volume larger by this much: rounding must not make exchanges go
 * on. */
#define GAIN (1 + 1e-9)
/* Squared distances below this part of the largest first one are rounding. */
#define NEGLIGIBLE 1e-12

/* ---- looking at a block ---- */

LANES_CLONES static double largest(const double *scores)
{
    double best[LANES];

    memcpy(best, scores, sizeof best);
    for (size_t k = LANES; k < FIELD_BLOCK; k += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            best[l] = scores[k + l] > best[l] ? scores[k + l] : best[l];
        }
    }
    for (size_t l = 1; l < LANES; l++) {
        best[0] = best[l] > best[0] ? best[l] : best[0];
    }
    return best[0];
}

/* Take the best score of a block, which destroys the scores of what is no pixel. */
static void judge(const pixel_block *block, double *scores, winner *best)
{
    for (size_t k = block->n; k < FIELD_BLOCK; k++) {
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

void xta__view_block(const step_view *v, const field *f, const pixel_block *block, winner *best,
                     double *scores)
{
    const double *spare = block->columns + v->spare * FIELD_BLOCK;
    size_t n = (block->n + LANES - 1) / LANES * LANES;

    if (v->kind == STEP_LONGEST || v->kind == STEP_DIRECTION) {
        bool longest = v->kind == STEP_LONGEST;
        const double *vectors[1] = {v->direction};
        const field_products products = {.centre = v->centre,
                                         .square_wanted = longest,
                                         .square = v->spare,
                                         .n = longest ? 0 : 1,
                                         .vectors = vectors,
                                         .columns = &v->spare};
        xta__field_products(f, block, &products);
        for (size_t k = 0; k < block->n; k++) {
            scores[k] = longest ? spare[k] : spare[k] * spare[k];
        }
        judge(block, scores, &best[0]);
        return;
    }
    if (v->kind == STEP_FARTHEST) {
        xta__hull_distances(&v->hull, block->columns, FIELD_BLOCK, n, v->square, v->product,
                            scores);
    } else {
        xta__hull_gains(&v->hull, block->columns, FIELD_BLOCK, n, v->square, v->product, scores);
    }
    for (size_t k = 0; k < v->n_winners; k++) {
        judge(block, scores + k * FIELD_BLOCK, &best[k]);
    }
}

/* ---- preparing a step ---- */

static xta_status view_hull(step_view *v, const path *p, const path_step *step, size_t n_dims,
                            const size_t product[], xta_error *err)
{
    const double **f = malloc(step->n * sizeof *f);
    bool good = f != NULL;

    for (size_t k = 0; good && k < step->n; k++) {
        f[k] = p->pixels[step->vertex[k]].f;
        v->product[k] = product[k];
    }
    good = good && xta__hull_make(&v->hull, step->n, n_dims, f);
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

xta_status xta__view_make(step_view *v, const selection *s, const path_step *step,
                          const size_t product[], xta_error *err)
{
    const path *p = s->p;
    size_t n_dims = s->f->n_dims;

    *v = (step_view){.kind = step->kind,
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
    // The first pixel always counts, the second if it is another one.
    v->bounds[0].value = step->n == 0 ? -1 : step->n == 1 ? 0 : NEGLIGIBLE * p->pixels[1].value;
    if (step->kind == STEP_DIRECTION &&
        !xta__vca_direction(s, step->n, v->direction, v->zero + 2 * n_dims)) {
        memset(v->direction, 0, n_dims * sizeof *v->direction);
    }
    return step->kind == STEP_FARTHEST || step->kind == STEP_EXCHANGE
               ? view_hull(v, p, step, n_dims, product, err)
               : XTA_OK;
}

void xta__view_clear(step_view *v)
{
    free(v->bounds);
    free(v->product);
    free(v->zero);
    xta__affine_hull_clear(&v->hull);
    *v = (step_view){0};
}

/* ---- over the whole field ---- */

typedef struct scanning {
    const selection *s;
    const step_view *view;
    field_products stale; // of columns that are kept
    field_products all;
    bool refresh;
    winner *winners;
} scanning;

static void scan_block(void *user, void *strip_user, const pixel_block *block)
{
    const scanning *c = user;
    winner *best = strip_user;
    size_t n = c->view->n_winners;

    if (c->view->kind == STEP_FARTHEST || c->view->kind == STEP_EXCHANGE) {
        if (block->blank) {
            xta__field_products(c->s->f, block, &c->all);
        } else if (c->refresh) {
            xta__field_products(c->s->f, block, &c->stale);
        }
    }
    // A strip begins with zeros; its bounds are those of the step.
    for (size_t k = 0; k < n; k++) {
        best[k].value = best[k].found ? best[k].value : c->view->bounds[k].value;
    }
    xta__view_block(c->view, c->s->f, block, best, (double *)(void *)(best + n));
}

static void scan_strip(void *user, void *strip_user)
{
    scanning *c = user;
    const winner *best = strip_user;

    for (size_t k = 0; k < c->view->n_winners; k++) {
        if (xta__winner_beats(&best[k], &c->winners[k])) {
            c->winners[k] = best[k];
        }
    }
}

xta_status xta__winners_gather(const field *f, winner *winners, size_t n, xta_error *err)
{
    const xta_team *team = f->scene == NULL ? NULL : f->scene->team;
    size_t size = (size_t)xta_team_size(team);
    xta_status status = XTA_OK;

    if (size == 1) {
        return XTA_OK;
    }
    winner *all = malloc(size * n * sizeof *all);
    if (all == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for what %zu processes found", size);
    }
    status = xta__agree(team, status, err);
    if (status == XTA_OK) {
        status = team->gather(team->context, winners, n * sizeof *winners, all, err);
    }
    for (size_t k = 0; status == XTA_OK && k < size * n; k++) {
        if (xta__winner_beats(&all[k], &winners[k % n])) {
            winners[k % n] = all[k];
        }
    }
    free(all);
    return status;
}

static bool same_pixel(const winner *w, const path_pixel *x)
{
    return w->found && w->line == x->line && w->sample == x->sample;
}

static void remember(winner *w, const path_pixel *x)
{
    *w = (winner){.line = x->line, .sample = x->sample, .found = 1};
}

/* Which columns are stale for a step, and what the columns will hold after it. */
static void plan_products(selection *s, scanning *c, const path_step *step, const double **vectors,
                          size_t *columns)
{
    size_t n = step->n;
    const double **stale = vectors + n;
    size_t *stale_columns = columns + n;
    bool all = s->f->kept == NULL || n == 0 || !same_pixel(&s->centre, &s->p->pixels[0]);

    c->all = (field_products){.centre = c->view->centre,
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
        remember(&s->column[k], &s->p->pixels[number]);
    }
    if (n > 0) {
        remember(&s->centre, &s->p->pixels[0]);
    }
    c->refresh = all || c->stale.n > 0;
}

static xta_status scan_all(selection *s, scanning *c, xta_error *err)
{
    const field *f = s->f;
    bool by_hull = c->view->kind == STEP_FARTHEST || c->view->kind == STEP_EXCHANGE;
    field_visit visit = {.what = "endmembers",
                         .n_columns = s->n_wanted + COLUMN_FIRST,
                         .kept = f->kept != NULL && by_hull,
                         .with_cells = !by_hull || c->refresh,
                         .user = c,
                         .strip_bytes =
                             c->view->n_winners * (sizeof(winner) + FIELD_BLOCK * sizeof(double)),
                         .block = scan_block,
                         .strip = scan_strip};

    if (f->scene != NULL) {
        visit.lines = (line_range){f->scene->now.lo[LINES], f->scene->now.hi[LINES]};
    }
    return xta__field_visit(s->f, &visit, err);
}

/* Look for the winners of the last step of the path. */
static xta_status scan_step(selection *s, path_step *step, xta_error *err)
{
    step_view view = {0};
    scanning c = {.s = s, .view = &view, .winners = step->winners};
    const double **vectors = calloc(2 * step->n + 1, sizeof *vectors);
    size_t *columns = calloc(2 * step->n + 1, sizeof *columns);
    xta_status status = XTA_OK;

    if (!s->f->planned) {
        xta__field_keep(s->f, s->n_wanted + COLUMN_FIRST);
    }
    for (size_t k = 0; columns != NULL && k < step->n; k++) {
        columns[k] = COLUMN_FIRST + k;
    }
    if (vectors == NULL || columns == NULL) {
        status =
            xta_error_set(err, XTA_ENOMEM, 0, "no memory for a step with %zu endmembers", step->n);
    } else {
        status = xta__view_make(&view, s, step, columns, err);
    }
    HYPER_TRY(xta__agree(s->f->scene == NULL ? NULL : s->f->scene->team, status, err));
    if (step->kind == STEP_FARTHEST || step->kind == STEP_EXCHANGE) {
        plan_products(s, &c, step, vectors, columns);
    }
    for (size_t k = 0; k < step->n_winners; k++) {
        step->winners[k] = view.bounds[k];
    }
    HYPER_TRY(scan_all(s, &c, err));
    HYPER_TRY(xta__winners_gather(s->f, step->winners, step->n_winners, err));

done:
    xta__view_clear(&view);
    free(vectors);
    free(columns);
    return status;
}

/* ---- along the path ---- */

xta_status xta__selection_begin(selection *s, path *p, xta_error *err)
{
    xta_status status = XTA_OK;

    s->p = p;
    s->at = s->taken = 0;
    s->centre = (winner){0};
    free(s->column);
    s->column = calloc(s->n_wanted, sizeof *s->column);
    if (s->column == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", s->n_wanted);
    }
    return xta__agree(s->f->scene == NULL ? NULL : s->f->scene->team, status, err);
}

void xta__selection_end(selection *s)
{
    free(s->column);
    s->column = NULL;
}

static bool same_step(const path_step *step, step_kind kind, size_t n, const size_t vertex[])
{
    return step->kind == kind && step->n == n &&
           (n == 0 || memcmp(step->vertex, vertex, n * sizeof *vertex) == 0);
}

xta_status xta__selection_step(selection *s, step_kind kind, size_t n, const size_t vertex[],
                               const winner **winners, xta_error *err)
{
    path *p = s->p;
    const xta_team *team = s->f->scene == NULL ? NULL : s->f->scene->team;
    xta_status status = XTA_OK;

    if (s->at < p->n_steps && same_step(&p->steps[s->at], kind, n, vertex)) {
        s->n_kept++;
    } else {
        xta__path_cut(p, s->at, p->n_pixels);
        path_step *step = xta__path_step(p, kind, n, vertex, kind == STEP_EXCHANGE ? n : 1);
        if (step == NULL) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for step %zu", s->at);
        }
        HYPER_TRY(xta__agree(team, status, err));
        HYPER_TRY(scan_step(s, step, err));
        s->n_scanned++;
    }
    *winners = p->steps[s->at++].winners;
done:
    return status;
}

xta_status xta__selection_take(selection *s, const winner *w, size_t *number, xta_error *err)
{
    path *p = s->p;
    const field *f = s->f;
    const xta_team *team = f->scene == NULL ? NULL : f->scene->team;
    winner best = *w; // the step that has it may be cut away
    xta_status status = XTA_OK;

    *number = s->taken++;
    if (*number < p->n_pixels && same_pixel(&best, &p->pixels[*number])) {
        return XTA_OK;
    }
    xta__path_cut(p, s->at, *number);
    path_pixel *x =
        xta__path_pixel(p, f->scene == NULL ? f->n_dims : f->scene->now.n_bands, f->n_dims);
    if (x == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for endmember %zu", *number);
    } else {
        x->line = best.line;
        x->sample = best.sample;
        x->value = best.value;
        status = xta__field_pixel(f, x->line, x->sample, x->spectrum, err);
    }
    if (status == XTA_OK) {
        status = xta__field_point(f, x->spectrum, x->point, err);
    }
    for (size_t d = 0; status == XTA_OK && d < f->n_dims; d++) {
        x->f[d] = x->point[d] - p->pixels[0].point[d];
    }
    return xta__agree(team, status, err);
}
