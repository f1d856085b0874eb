/* Questions are answered from the coarsest groups that lie within their cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/cube.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "cube/cube.h"
#include "cube/question.h"
#include "util/checked.h"
#include "util/text.h"
#include "util/try.h"

/* Groups that are read at once. */
#define TILE_GROUPS ((uint64_t)1 << 18)

typedef struct query {
    xta_cube *cube;
    xta_cube_answer *answer;
    xta__axis_runs runs[XTA_MAX_NDIM];
    size_t stride[XTA_MAX_NDIM]; // of the answer
    uint32_t measures;
} query;

static xta_status no_memory(xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "no memory for an answer");
}

/* ---- one piece: a run on each axis ---- */

/* Groups of a box that are read, and where they go. */
typedef struct piece {
    int level[XTA_MAX_NDIM];
    xta_box box;
    xta_box all;                      // `box` is a part of
    const size_t *item[XTA_MAX_NDIM]; // of the groups of `all`
} piece;

/* Add what was read to the answer, row by row. */
static xta_status add_rows(query *q, const piece *p, const xta__planes *planes, size_t *offsets,
                           xta_error *err)
{
    int last = p->box.ndim - 1;
    size_t length = (size_t)(p->box.hi[last] - p->box.lo[last]);
    int64_t at[XTA_MAX_NDIM];
    bool fits = true;

    for (size_t j = 0; j < length; j++) {
        offsets[j] =
            p->item[last][p->box.lo[last] - p->all.lo[last] + (int64_t)j] * q->stride[last];
    }
    memcpy(at, p->box.lo, sizeof at);
    for (size_t row = 0; row * length < planes->n; row++) {
        size_t base = 0;
        for (int k = 0; k < last; k++) {
            base += p->item[k][at[k] - p->all.lo[k]] * q->stride[k];
        }
        fits &= xta__planes_scatter(&q->cube->arithmetic, planes, row * length, length, offsets,
                                    base, &q->answer->planes);
        for (int k = last - 1; k >= 0 && ++at[k] == p->box.hi[k]; k--) {
            at[k] = p->box.lo[k];
        }
    }
    return fits ? XTA_OK
                : xta__fail(err, XTA_ERANGE, 0, "a sum of integers leaves 64 bits; ask for less");
}

/* What was read of which combination. */
static void note_reading(query *q, const piece *p, uint64_t n)
{
    size_t at = 0;

    for (int k = 0; k < q->cube->ndim; k++) {
        at = at * (size_t)q->cube->axes[k].n_levels + (size_t)p->level[k];
    }
    q->answer->readings[at].n_boxes++;
    q->answer->readings[at].n_cells += n;
}

static xta_status read_piece(query *q, const piece *p, uint64_t n, xta_error *err)
{
    int last = p->box.ndim - 1;
    size_t *offsets = xta__calloc((size_t)(p->box.hi[last] - p->box.lo[last]) + 1, sizeof *offsets);
    xta__planes planes = {0};
    xta_status status = XTA_OK;

    if (offsets == NULL || !xta__planes_make(&planes, q->measures, (size_t)n)) {
        XTA_TRY(no_memory(err));
    }
    XTA_TRY(xta__cube_read(q->cube, p->level, &p->box, &planes, err));
    note_reading(q, p, n);
    XTA_TRY(add_rows(q, p, &planes, offsets, err));
done:
    xta__planes_clear(&planes);
    free(offsets);
    return status;
}

/* Read a piece in tiles: the longest axis is halved. */
static xta_status read_tiles(query *q, const piece *p, xta_error *err)
{
    uint64_t n = 0;
    int longest = 0;

    if (xta_box_empty(&p->box)) {
        return XTA_OK;
    }
    if (xta_box_cells(&p->box, &n) == XTA_OK && n <= TILE_GROUPS) {
        return read_piece(q, p, n, err);
    }
    for (int k = 1; k < p->box.ndim; k++) {
        longest =
            p->box.hi[k] - p->box.lo[k] > p->box.hi[longest] - p->box.lo[longest] ? k : longest;
    }
    piece half = *p;
    int64_t middle = p->box.lo[longest] + (p->box.hi[longest] - p->box.lo[longest]) / 2;
    half.box.hi[longest] = middle;
    xta_status status = read_tiles(q, &half, err);
    half.box = p->box;
    half.box.lo[longest] = middle;
    return status == XTA_OK ? read_tiles(q, &half, err) : status;
}

/* A piece that has to be read from the base. */
static xta_status read_from_base(query *q, const xta__run *const runs[], xta_error *err)
{
    xta__run cells[XTA_MAX_NDIM] = {0};
    piece p = {.box.ndim = q->cube->ndim};
    xta_status status = XTA_OK;

    for (int k = 0; k < q->cube->ndim; k++) {
        XTA_TRY(xta__run_of_cells(&q->cube->axes[k], runs[k], &cells[k], err));
        p.box.lo[k] = cells[k].lo;
        p.box.hi[k] = cells[k].hi;
        p.item[k] = cells[k].item;
    }
    p.all = p.box;
    XTA_TRY(read_tiles(q, &p, err));
done:
    for (int k = 0; k < q->cube->ndim; k++) {
        free(cells[k].item);
    }
    return status;
}

static xta_status read_runs(query *q, const xta__run *const runs[], xta_error *err)
{
    piece p = {.box.ndim = q->cube->ndim};

    for (int k = 0; k < q->cube->ndim; k++) {
        if (runs[k]->level == XTA__FROM_BASE) {
            return read_from_base(q, runs, err);
        }
        p.level[k] = runs[k]->level;
        p.box.lo[k] = runs[k]->lo;
        p.box.hi[k] = runs[k]->hi;
        p.item[k] = runs[k]->item;
    }
    p.all = p.box;
    return read_tiles(q, &p, err);
}

/* Read all pieces: the product of the runs of the axes. */
static xta_status read_all(query *q, xta_error *err)
{
    size_t at[XTA_MAX_NDIM] = {0};
    const xta__run *runs[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    int k = 0;

    for (int axis = 0; axis < q->cube->ndim; axis++) {
        if (q->runs[axis].n == 0) {
            return XTA_OK;
        }
    }
    while (status == XTA_OK && k >= 0) {
        for (int axis = 0; axis < q->cube->ndim; axis++) {
            runs[axis] = &q->runs[axis].runs[at[axis]];
        }
        status = read_runs(q, runs, err);
        for (k = q->cube->ndim - 1; k >= 0 && ++at[k] == q->runs[k].n; k--) {
            at[k] = 0;
        }
    }
    return status;
}

/* ---- the answer ---- */

/* Which measures are wanted. */
static xta_status choose_measures(query *q, const xta_cube_question *question, xta_error *err)
{
    uint32_t kept = q->cube->arithmetic.measures;

    q->measures = question->measures != 0 ? question->measures | 1U << XTA_CUBE_COUNT : kept;
    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        if ((q->measures & ~kept) >> m & 1) {
            return xta__fail(err, XTA_EARG, 0, "%s: the cube does not keep %s; make one that does",
                             q->cube->path, xta_cube_measure_name((xta_cube_measure)m));
        }
    }
    return XTA_OK;
}

/* The planes of the answer, empty, and the strides of its axes. */
static xta_status make_planes(query *q, xta_error *err)
{
    uint64_t n = 1;

    for (int k = q->cube->ndim - 1; k >= 0; k--) {
        q->stride[k] = (size_t)n;
        if (q->answer->axes[k].grouping == XTA__REDUCED) {
            q->stride[k] = 0;
        } else if (!xta__mul_u64(n, q->answer->axes[k].n, &n)) {
            return no_memory(err);
        }
    }
    q->answer->arithmetic = q->cube->arithmetic;
    if (n > SIZE_MAX / 64 || !xta__planes_make(&q->answer->planes, q->measures, (size_t)n)) {
        return no_memory(err);
    }
    xta__planes_reset(&q->answer->planes, &q->cube->arithmetic);
    return XTA_OK;
}

/* Leave the readings of combinations that were read, with their names. */
static xta_status name_readings(query *q, xta_error *err)
{
    xta_cube_answer *answer = q->answer;
    int level[XTA_MAX_NDIM] = {0};
    size_t at = 0;

    do {
        xta_cube_reading *r = &answer->readings[at++];
        if (r->n_boxes == 0) {
            continue;
        }
        xta__text text = {0};
        bool kept = xta__cube_is_kept(q->cube, level);
        for (int k = 0; kept && k < q->cube->ndim; k++) {
            xta__text_printf(&text, "%s%s", k > 0 ? "," : "",
                             q->cube->axes[k].levels[level[k]].name);
        }
        xta_cube_reading *to = &answer->readings[answer->n_readings++];
        *to = *r;
        to->levels = kept ? xta__text_detach(&text) : xta__strdup("base");
        if (to->levels == NULL) {
            return no_memory(err);
        }
    } while (xta__cube_next(q->cube, level));
    return XTA_OK;
}

static xta_status find_runs(query *q, const xta_cube_question *question, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; status == XTA_OK && k < q->cube->ndim; k++) {
        int64_t *cells = NULL;
        size_t n = 0;
        status = xta__question_cells(q->cube, question, k, &cells, &n, err);
        if (status == XTA_OK) {
            status = xta__runs_find(q->cube, k, cells, n, &q->answer->axes[k], &q->runs[k], err);
        }
        free(cells);
    }
    return status;
}

xta_status xta_cube_query(xta_cube *cube, const xta_cube_question *question, xta_cube_answer **out,
                          xta_error *err)
{
    xta_cube_question known = XTA_CUBE_QUESTION_INIT;
    query q = {.cube = cube, .answer = xta__calloc(1, sizeof *q.answer)};
    xta_status status = XTA_OK;

    xta__clear(err);
    *out = NULL;
    if (q.answer == NULL) {
        return no_memory(err);
    }
    XTA_TRY(xta_options_read(&known, sizeof known, question, "xta_cube_question", err));
    if (cube->failed) {
        XTA_TRY(
            xta__fail(err, XTA_ESTATE, 0, "%s: could not be refreshed; open it again", cube->path));
    }
    q.answer->ndim = cube->ndim;
    q.answer->readings = xta__calloc(cube->n_combinations, sizeof q.answer->readings[0]);
    if (q.answer->readings == NULL) {
        XTA_TRY(no_memory(err));
    }
    XTA_TRY(choose_measures(&q, &known, err));
    XTA_TRY(xta__question_axes(cube, &known, q.answer, err));
    XTA_TRY(find_runs(&q, &known, err));
    XTA_TRY(make_planes(&q, err));
    XTA_TRY(read_all(&q, err));
    xta__planes_canonical(&q.answer->planes, &cube->arithmetic);
    XTA_TRY(name_readings(&q, err));
    *out = q.answer;
done:
    for (int k = 0; k < cube->ndim; k++) {
        xta__runs_clear(&q.runs[k]);
    }
    if (status != XTA_OK) {
        xta_cube_answer_free(q.answer);
    }
    return status;
}
