/* Bring all steps of some traces up to date with new lines, in one pass over these lines: the
 * products of each new pixel with every pixel of a trace are computed once and serve all steps of
 * that trace. selection_trace.h says why that is enough.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/selection_replay.h"

#include <stdlib.h>
#include <string.h>

#include "endmembers/pixels/pixel_products.h"
#include "endmembers/pixels/pixel_source.h"
#include "endmembers/pixels/winner.h"
#include "endmembers/simplex/affine_hull.h"
#include "endmembers/simplex/selection_step.h"
#include "endmembers/simplex/selection_trace.h"
#include "parallel/communicator.h"
#include "scene/scene_private.h"
#include "util/try.h"

/* What is needed to score a block for one trace. */
typedef struct trace_scorer {
    const selection_trace *p;
    step_scorer *scorers; // one for each step
    size_t n_scorers;
    const double **vectors; // f of each pixel; NULL for the first
    size_t *columns;        // COLUMN_FIRST + number of the pixel
    pixel_products products;
} trace_scorer;

typedef struct replaying {
    const selection *like;
    trace_scorer *scorers; // one for each trace
    size_t n;
    size_t n_winners; // winners of all steps of all traces
    size_t n_scores;  // columns
    size_t n_columns;
    winner *winners;
} replaying;

static void trace_scorer_clear(trace_scorer *v)
{
    for (size_t k = 0; v->scorers != NULL && k < v->n_scorers; k++) {
        xta__step_scorer_clear(&v->scorers[k]);
    }
    free(v->scorers);
    free(v->vectors);
    free(v->columns);
}

static xta_status trace_scorer_init(trace_scorer *v, const replaying *r, selection_trace *p,
                                    xta_error *err)
{
    selection s = *r->like;
    size_t *product = calloc(HULL_VERTICES, sizeof *product);
    xta_status status = XTA_OK;

    s.p = p;
    v->p = p;
    v->scorers = calloc(p->n_steps + 1, sizeof *v->scorers);
    v->vectors = calloc(p->n_pixels + 1, sizeof *v->vectors);
    v->columns = calloc(p->n_pixels + 1, sizeof *v->columns);
    if (v->scorers == NULL || v->vectors == NULL || v->columns == NULL || product == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a path of %zu steps", p->n_steps);
        goto done;
    }
    v->n_scorers = p->n_steps;
    for (size_t k = 0; k < p->n_steps; k++) {
        const trace_step *step = &p->steps[k];
        for (size_t i = 0; i < step->n; i++) {
            product[i] = COLUMN_FIRST + step->vertex[i];
        }
        XTA_TRY(xta__step_scorer_init(&v->scorers[k], &s, step, product, err));
    }
    for (size_t k = 0; k < p->n_pixels; k++) {
        v->vectors[k] = k == 0 ? NULL : p->pixels[k].f;
        v->columns[k] = COLUMN_FIRST + k;
    }
    v->products = (pixel_products){.centre = p->n_pixels > 0 ? p->pixels[0].point : NULL,
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
        const trace_scorer *v = &r->scorers[k];
        if (v->products.centre != NULL) {
            xta__pixel_products(r->like->f, block, &v->products);
        }
        for (size_t i = 0; i < v->n_scorers; i++) {
            const step_scorer *scorer = &v->scorers[i];
            for (size_t j = 0; j < scorer->n_winners; j++) {
                best[j].value = best[j].found ? best[j].value : scorer->bounds[j].value;
            }
            xta__step_scorer_block(scorer, r->like->f, block, best, scores);
            best += scorer->n_winners;
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

static void merge_step(trace_step *step, const winner *found)
{
    for (size_t k = 0; k < step->n_winners; k++) {
        if (xta__winner_beats(&found[k], &step->winners[k])) {
            step->winners[k] = found[k];
        }
    }
}

/* Merge what all members found into the steps. */
static void merge_winners(const replaying *r, selection_trace *traces)
{
    const winner *found = r->winners;

    for (size_t k = 0; k < r->n; k++) {
        for (size_t i = 0; i < traces[k].n_steps; i++) {
            merge_step(&traces[k].steps[i], found);
            found += traces[k].steps[i].n_winners;
        }
    }
}

static xta_status prepare_replay(replaying *r, selection_trace *traces, xta_error *err)
{
    r->scorers = calloc(r->n, sizeof *r->scorers);
    if (r->scorers == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu paths", r->n);
    }
    for (size_t k = 0; k < r->n; k++) {
        xta_status status = trace_scorer_init(&r->scorers[k], r, &traces[k], err);
        if (status != XTA_OK) {
            return status;
        }
        for (size_t i = 0; i < traces[k].n_steps; i++) {
            size_t n = traces[k].steps[i].n_winners;
            r->n_winners += n;
            r->n_scores = n > r->n_scores ? n : r->n_scores;
        }
        size_t n_columns = COLUMN_FIRST + traces[k].n_pixels;
        r->n_columns = n_columns > r->n_columns ? n_columns : r->n_columns;
    }
    r->winners = calloc(r->n_winners + 1, sizeof *r->winners);
    return r->winners != NULL
               ? XTA_OK
               : xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu winners", r->n_winners);
}

xta_status xta__traces_replay(selection_trace *traces, size_t n, const selection *like,
                              line_range fresh, xta_error *err)
{
    replaying r = {.like = like, .n = n};
    pixel_source *f = like->f;
    xta_status status;

    XTA_TRY(xta__agree(f->scene->communicator, prepare_replay(&r, traces, err), err));
    pixel_visit visit = {.what = "endmembers: new lines",
                         .lines = fresh,
                         .n_columns = r.n_columns,
                         .with_cells = true,
                         .user = &r,
                         .strip_bytes = r.n_winners * sizeof(winner) +
                                        r.n_scores * BLOCK_PIXELS * sizeof(double),
                         .block = replay_block,
                         .strip = replay_strip};
    XTA_TRY(xta__pixel_source_visit(f, &visit, err));
    XTA_TRY(xta__winners_gather(xta__pixel_source_communicator(f), r.winners, r.n_winners, err));
    merge_winners(&r, traces);

done:
    for (size_t k = 0; r.scorers != NULL && k < n; k++) {
        trace_scorer_clear(&r.scorers[k]);
    }
    free(r.scorers);
    free(r.winners);
    return status;
}
