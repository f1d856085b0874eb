/* Greedy selection: the simplex growing algorithm [CHANG06] and vertex component analysis
 * [NASCIMENTO05], which differ in the score.
 *
 * Definition: SGA adds the pixel that makes the largest simplex with the vertices found so far. The
 * naive way computes the volume for each pixel. But the volume is that of the face times the
 * distance from its affine hull, divided by the dimension; so the first pixel is the longest, and
 * each later one is the farthest from the hull of those before it (affine_hull.c).
 *
 * VCA begins with the extreme of a random direction; each later pixel is the extreme of a direction
 * orthogonal to the hull of those before it (vca.c). Distances are measured from the first pixel
 * and not from zero, so dark pixels are found as well as bright ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/sga.h"

#include <stdlib.h>

#include "endmembers/pixels/pixel_source.h"
#include "endmembers/pixels/winner.h"
#include "endmembers/simplex/affine_hull.h"
#include "endmembers/simplex/nfindr.h"
#include "endmembers/simplex/selection_step.h"
#include "endmembers/simplex/selection_trace.h"
#include "parallel/communicator.h"
#include "scene/scene_private.h"
#include "util/try.h"

static xta_status choose_greedily(selection *s, size_t vertex[], size_t *n, xta_error *err)
{
    const winner *winners;
    xta_status status = XTA_OK;

    for (*n = 0; *n < s->n_wanted; ++*n) {
        step_kind kind = s->p->random ? STEP_DIRECTION : *n == 0 ? STEP_LONGEST : STEP_FARTHEST;
        XTA_TRY(xta__selection_step(s, kind, *n, vertex, &winners, err));
        if (!winners[0].found) {
            break;
        }
        XTA_TRY(xta__selection_add_pixel(s, &winners[0], &vertex[*n], err));
    }
done:
    return status;
}

/* Store the outcome in the trace. Not collective. */
static xta_status store_outcome(selection *s, size_t n, const size_t vertex[], xta_error *err)
{
    selection_trace *p = s->p;
    affine_hull h = {0};
    const double **f = calloc(n + 1, sizeof *f);
    size_t *into = calloc(n + 1, sizeof *into);
    double *score = calloc(n + 1, sizeof *score);
    bool good = f != NULL && into != NULL && score != NULL;

    for (size_t k = 0; good && k < n; k++) {
        f[k] = p->pixels[vertex[k]].f;
        into[k] = vertex[k];
    }
    good = good && xta__affine_hull_init(&h, n, s->f->n_dims, f);
    free(f);
    if (!good) {
        free(into);
        free(score);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", n);
    }
    for (size_t k = 0; k < n; k++) {
        score[k] = s->exchange && n > 1 ? h.height[k] : p->pixels[vertex[k]].value;
    }
    p->log_volume = h.log_volume;
    xta__affine_hull_clear(&h);
    free(p->vertex);
    free(p->score);
    p->vertex = into;
    p->score = score;
    p->n = n;
    return XTA_OK;
}

xta_status xta__select(selection *s, xta_error *err)
{
    const xta_communicator *communicator = xta__pixel_source_communicator(s->f);
    size_t *vertex = calloc(s->n_wanted, sizeof *vertex);
    size_t n = 0;
    xta_status status = XTA_OK;

    if (vertex == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", s->n_wanted);
    }
    XTA_TRY(xta__agree(communicator, status, err));
    s->p->n_sweeps = 0;
    s->p->converged = true;
    XTA_TRY(choose_greedily(s, vertex, &n, err));
    if (n == 0) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: there is no valid pixel to choose from",
                               s->f->scene == NULL ? "endmembers" : s->f->scene->name);
        goto done;
    }
    if (s->exchange && n > 1) {
        XTA_TRY(xta__nfindr_exchange(s, n, vertex, err));
    }
    xta__trace_cut(s->p, s->at, s->n_chosen);
    status = xta__agree(communicator, store_outcome(s, n, vertex, err), err);
done:
    free(vertex);
    return status;
}
