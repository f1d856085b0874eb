/* All steps of some paths look at new lines, in one pass over these: products of the new pixels
 * with every pixel of a path are made once and serve all its steps. See path.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_trace.h"

#include <stdlib.h>
#include <string.h>

/* What looking at a block with one path takes. */
typedef struct path_view {
    const path *p;
    step_view *views; // one for each step
    size_t n_views;
    const double **vectors; // f of each pixel; NULL for the first
    size_t *columns;        // COLUMN_FIRST + number of the pixel
    field_products products;
} path_view;

typedef struct replaying {
    const selection *like;
    path_view *views; // one for each path
    size_t n;
    size_t n_winners; // of all steps of all paths
    size_t n_scores;  // columns
    size_t n_columns;
    winner *winners;
} replaying;

static void path_view_clear(path_view *v)
{
    for (size_t k = 0; v->views != NULL && k < v->n_views; k++) {
        xta__view_clear(&v->views[k]);
    }
    free(v->views);
    free(v->vectors);
    free(v->columns);
}

static xta_status path_view_make(path_view *v, const replaying *r, path *p, xta_error *err)
{
    selection s = *r->like;
    size_t *product = calloc(HULL_VERTICES, sizeof *product);
    xta_status status = XTA_OK;

    s.p = p;
    v->p = p;
    v->views = calloc(p->n_steps + 1, sizeof *v->views);
    v->vectors = calloc(p->n_pixels + 1, sizeof *v->vectors);
    v->columns = calloc(p->n_pixels + 1, sizeof *v->columns);
    if (v->views == NULL || v->vectors == NULL || v->columns == NULL || product == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a path of %zu steps", p->n_steps);
        goto done;
    }
    v->n_views = p->n_steps;
    for (size_t k = 0; k < p->n_steps; k++) {
        const path_step *step = &p->steps[k];
        for (size_t i = 0; i < step->n; i++) {
            product[i] = COLUMN_FIRST + step->vertex[i];
        }
        HYPER_TRY(xta__view_make(&v->views[k], &s, step, product, err));
    }
    for (size_t k = 0; k < p->n_pixels; k++) {
        v->vectors[k] = k == 0 ? NULL : p->pixels[k].f;
        v->columns[k] = COLUMN_FIRST + k;
    }
    v->products = (field_products){.centre = p->n_pixels > 0 ? p->pixels[0].point : NULL,
                                   .square_wanted = true,
                                   .square = COLUMN_SQUARE,
                                   .n = p->n_pixels,
                                   .vectors = v->vectors,
                                   .columns = v->columns};
done:
    free(product);
    return status;
}

static void replay_block(void *user, void *strip_user, const pixel_block *block)
{
    const replaying *r = user;
    winner *best = strip_user;
    double *scores = (double *)(void *)(best + r->n_winners);

    for (size_t k = 0; k < r->n; k++) {
        const path_view *v = &r->views[k];
        if (v->products.centre != NULL) {
            xta__field_products(r->like->f, block, &v->products);
        }
        for (size_t i = 0; i < v->n_views; i++) {
            const step_view *view = &v->views[i];
            for (size_t j = 0; j < view->n_winners; j++) {
                best[j].value = best[j].found ? best[j].value : view->bounds[j].value;
            }
            xta__view_block(view, r->like->f, block, best, scores);
            best += view->n_winners;
        }
    }
}

static void replay_strip(void *user, void *strip_user)
{
    replaying *r = user;
    const winner *best = strip_user;

    for (size_t k = 0; k < r->n_winners; k++) {
        if (xta__winner_beats(&best[k], &r->winners[k])) {
            r->winners[k] = best[k];
        }
    }
}

static void merge_step(path_step *step, const winner *found)
{
    for (size_t k = 0; k < step->n_winners; k++) {
        if (xta__winner_beats(&found[k], &step->winners[k])) {
            step->winners[k] = found[k];
        }
    }
}

/* What all members found, into the steps. */
static void merge(const replaying *r, path *paths)
{
    const winner *found = r->winners;

    for (size_t k = 0; k < r->n; k++) {
        for (size_t i = 0; i < paths[k].n_steps; i++) {
            merge_step(&paths[k].steps[i], found);
            found += paths[k].steps[i].n_winners;
        }
    }
}

static xta_status prepare(replaying *r, path *paths, xta_error *err)
{
    r->views = calloc(r->n, sizeof *r->views);
    if (r->views == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu paths", r->n);
    }
    for (size_t k = 0; k < r->n; k++) {
        xta_status status = path_view_make(&r->views[k], r, &paths[k], err);
        if (status != XTA_OK) {
            return status;
        }
        for (size_t i = 0; i < paths[k].n_steps; i++) {
            size_t n = paths[k].steps[i].n_winners;
            r->n_winners += n;
            r->n_scores = n > r->n_scores ? n : r->n_scores;
        }
        size_t n_columns = COLUMN_FIRST + paths[k].n_pixels;
        r->n_columns = n_columns > r->n_columns ? n_columns : r->n_columns;
    }
    r->winners = calloc(r->n_winners + 1, sizeof *r->winners);
    return r->winners != NULL
               ? XTA_OK
               : xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu winners", r->n_winners);
}

xta_status xta__paths_replay(path *paths, size_t n, const selection *like, line_range fresh,
                             xta_error *err)
{
    replaying r = {.like = like, .n = n};
    field *f = like->f;
    xta_status status;

    HYPER_TRY(xta__agree(f->scene->team, prepare(&r, paths, err), err));
    field_visit visit = {.what = "endmembers: new lines",
                         .lines = fresh,
                         .n_columns = r.n_columns,
                         .with_cells = true,
                         .user = &r,
                         .strip_bytes = r.n_winners * sizeof(winner) +
                                        r.n_scores * FIELD_BLOCK * sizeof(double),
                         .block = replay_block,
                         .strip = replay_strip};
    HYPER_TRY(xta__field_visit(f, &visit, err));
    HYPER_TRY(xta__winners_gather(f, r.winners, r.n_winners, err));
    merge(&r, paths);

done:
    for (size_t k = 0; r.views != NULL && k < n; k++) {
        path_view_clear(&r.views[k]);
    }
    free(r.views);
    free(r.winners);
    return status;
}
