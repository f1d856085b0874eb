/* The effect of a plan, operation by operation: which pieces are on the front face, and how much
 * memory is in use.
 *
 * Cells are alive from the read that fetches them to the write that needs them. A buffer is a whole
 * piece, or the part of a piece that belongs to one output block, whichever the plan uses; it is
 * allocated as long as any of its cells is alive. Both are counted here from the operations alone,
 * by subtracting each written box from every buffer, which is slow but leaves no room for error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/picture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "drawing/number_text.h"
#include "drawing/output.h"
#include "maps/plan_blocks.h"
#include "maps/plan_draw.h"
#include "util/try.h"
#include "util/vector.h"

#define MOST_OPS 20000

/* A buffer of an output block is rounded up to 64 bytes and has a header of 64. */
#define BUFFER_BYTES 64

/* Cells in one buffer. */
typedef struct buffer {
    xta_box box;
    uint64_t left; /* cells not yet written */
    double bytes;
} buffer;

typedef struct gathering {
    picture_plan *picture;
    buffer *list;
    size_t n, capacity;
    double live; /* bytes */
    double buffers;
    double moved;
    uint64_t n_reads, n_writes;
} gathering;

/* ---- buffers ---- */

static uint64_t cells_of(const xta_box *box)
{
    uint64_t n = 0;
    if (xta_box_empty(box) || xta_box_cells(box, &n) != XTA_OK) {
        return 0;
    }
    return n;
}

static bool hold_buffer(gathering *g, const xta_box *box)
{
    const picture_plan *p = g->picture;
    if (!XTA__RESERVE(g->list, g->capacity, g->n + 1)) {
        return false;
    }
    buffer *h = &g->list[g->n++];
    h->box = *box;
    h->left = cells_of(box);
    uint64_t bytes = h->left * p->problem->cell_bytes;
    if (p->facts->hold == XTA_HOLD_FRAGMENTS) {
        bytes = (bytes + BUFFER_BYTES - 1) / BUFFER_BYTES * BUFFER_BYTES + BUFFER_BYTES;
    }
    h->bytes = (double)bytes;
    g->buffers += h->bytes;
    return true;
}

/* Allocate a buffer for each output block that the piece intersects. */
static bool hold_buffers_of_blocks(gathering *g, const xta_box *piece)
{
    const xta_rechunk_problem *problem = g->picture->problem;
    int64_t first[XTA_MAX_NDIM], last[XTA_MAX_NDIM], at[XTA_MAX_NDIM];
    int axis = 0;
    for (int d = 0; d < piece->ndim; d++) {
        const xta_cuts *cuts = &problem->to.axis[d];
        first[d] = at[d] = xta__picture_block_of(cuts, problem->bounds.lo[d], piece->lo[d]);
        last[d] = xta__picture_block_of(cuts, problem->bounds.lo[d], piece->hi[d] - 1);
    }
    while (axis < piece->ndim) {
        xta_box piece_in_block = *piece;
        for (int d = 0; d < piece->ndim; d++) {
            int64_t lo = problem->bounds.lo[d], hi = problem->bounds.hi[d];
            int64_t from = xta__picture_cut(&problem->to.axis[d], lo, hi, at[d]);
            int64_t to = xta__picture_cut(&problem->to.axis[d], lo, hi, at[d] + 1);
            piece_in_block.lo[d] = piece_in_block.lo[d] > from ? piece_in_block.lo[d] : from;
            piece_in_block.hi[d] = piece_in_block.hi[d] < to ? piece_in_block.hi[d] : to;
        }
        if (!hold_buffer(g, &piece_in_block)) {
            return false;
        }
        for (axis = 0; axis < piece->ndim && ++at[axis] > last[axis]; axis++) {
            at[axis] = first[axis];
        }
    }
    return true;
}

static void release_written(gathering *g, const xta_box *written)
{
    for (size_t k = 0; k < g->n;) {
        xta_box common = xta_box_intersect(&g->list[k].box, written);
        uint64_t n = cells_of(&common);
        g->list[k].left -= n < g->list[k].left ? n : g->list[k].left;
        if (g->list[k].left == 0) {
            g->buffers -= g->list[k].bytes;
            g->list[k] = g->list[--g->n];
        } else {
            k++;
        }
    }
}

/* ---- operations ---- */

/* Whether the piece is on the front face: on each axis that is not shown, it begins where the array
 * does. */
static bool on_face(const picture_plan *p, const xta_box *piece, picture_plan_op *op)
{
    const xta_box *bounds = &p->problem->bounds;
    int axes[2] = {p->rows, p->columns};
    for (int d = 0; d < piece->ndim; d++) {
        if (d != p->rows && d != p->columns && piece->lo[d] > bounds->lo[d]) {
            return false;
        }
    }
    for (int side = 0; side < 2; side++) {
        op->lo[side] = axes[side] < 0 ? 0 : piece->lo[axes[side]];
        op->hi[side] = axes[side] < 0 ? 1 : piece->hi[axes[side]];
    }
    return true;
}

static bool add_operation(gathering *g, const xta_rechunk_op *op)
{
    picture_plan *p = g->picture;
    picture_plan_op *out = &p->ops[p->n_ops++];
    double bytes = (double)cells_of(&op->piece) * (double)p->problem->cell_bytes;
    int n_staging = p->facts->hold == XTA_HOLD_FRAGMENTS ? 2 : 1;
    bool held = true;
    memset(out, 0, sizeof *out);
    out->write = op->write;
    out->shown = on_face(p, &op->piece, out);
    out->number = op->write ? ++g->n_writes : ++g->n_reads;
    out->moved = g->moved;
    out->end = g->moved += bytes;
    if (!op->write) {
        g->live += bytes;
        held = p->facts->hold == XTA_HOLD_FRAGMENTS ? hold_buffers_of_blocks(g, &op->piece)
                                                    : hold_buffer(g, &op->piece);
    }
    out->live = g->live;
    out->allocated = g->buffers + n_staging * (double)p->facts->staging_bytes;
    if (op->write) {
        g->live -= bytes;
        release_written(g, &op->piece);
    }
    p->n_components = op->component + 1;
    return held;
}

static xta_status gather_operations(picture_plan *p, xta_error *err)
{
    gathering g = {.picture = p};
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;
    uint64_t n = p->n_all < MOST_OPS ? p->n_all : MOST_OPS;
    xta_status status = XTA_OK;
    p->ops = calloc((size_t)n + 1, sizeof *p->ops);
    if (p->ops == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", p->path);
    }
    XTA_TRY(xta_rechunk_iterator_new(p->plan, 0, p->facts->n_components, &walk, err));
    while (p->n_ops < n && xta_rechunk_iterator_next(walk, &op)) {
        if (!add_operation(&g, &op)) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", p->path);
            goto done;
        }
    }
    p->moved = g.moved;
done:
    xta_rechunk_iterator_free(walk);
    free(g.list);
    return status;
}

/* ---- choices ---- */

static bool is_cut(const xta_rechunk_problem *problem, int axis)
{
    int64_t lo = problem->bounds.lo[axis], hi = problem->bounds.hi[axis];
    return xta__picture_n_blocks(&problem->from.axis[axis], lo, hi) > 1 ||
           xta__picture_n_blocks(&problem->to.axis[axis], lo, hi) > 1;
}

/* The first axis that is cut and is not `taken`; if none is cut, the first that is not `taken`; -1
 * if there is none. */
static int next_axis(const xta_rechunk_problem *problem, int taken)
{
    int other = -1;
    for (int axis = 0; axis < problem->bounds.ndim; axis++) {
        if (axis != taken && is_cut(problem, axis)) {
            return axis;
        }
        other = other < 0 && axis != taken ? axis : other;
    }
    return other;
}

static xta_status choose_axes(picture_plan *p, const xta_plan_options *options, xta_error *err)
{
    int ndim = p->problem->bounds.ndim;
    const int *asked[2] = {options->rows, options->columns};
    for (int side = 0; side < 2; side++) {
        if (asked[side] != NULL && (*asked[side] < 0 || *asked[side] >= ndim)) {
            return xta_error_set(err, XTA_EARG, 0, "%s: there is no axis %d; want 0 to %d", p->path,
                                 *asked[side], ndim - 1);
        }
    }
    if (asked[0] != NULL && asked[1] != NULL && *asked[0] == *asked[1]) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: axis %d cannot be rows and columns; name two different axes",
                             p->path, *asked[0]);
    }
    p->rows = asked[0] != NULL ? *asked[0] : -1;
    p->columns = asked[1] != NULL ? *asked[1] : -1;
    if (ndim == 1) {
        p->rows = -1;
        p->columns = 0;
        return XTA_OK;
    }
    p->rows = p->rows < 0 ? next_axis(p->problem, p->columns) : p->rows;
    p->columns = p->columns < 0 ? next_axis(p->problem, p->rows) : p->columns;
    if (asked[0] == NULL && asked[1] == NULL && p->rows > p->columns) {
        int first = p->columns;
        p->columns = p->rows;
        p->rows = first;
    }
    return XTA_OK;
}

/* Block shapes as text: "350 x 350 x 350", irregular axes by their number of blocks. */
static void shape_text(const xta_rechunk_problem *problem, const xta_partition *cuts,
                       char text[PICTURE_TEXT_BYTES])
{
    size_t n = 0;
    text[0] = '\0';
    for (int axis = 0; axis < cuts->ndim && n < PICTURE_TEXT_BYTES - 48; axis++) {
        const xta_cuts *c = &cuts->axis[axis];
        char one[32];
        if (c->n_edges > 0) {
            snprintf(one, sizeof one, "(%d cuts)", (int)(c->n_edges - 2));
        } else {
            int64_t length = problem->bounds.hi[axis] - problem->bounds.lo[axis];
            xta__picture_integer_text(c->length < length ? c->length : length, one);
        }
        n += (size_t)snprintf(text + n, PICTURE_TEXT_BYTES - n, "%s%.20s",
                              axis > 0 ? " \u00d7 " : "", one);
    }
}

static void make_title(picture_plan *p, const char *given)
{
    char from[PICTURE_TEXT_BYTES], to[PICTURE_TEXT_BYTES];
    if (given != NULL) {
        snprintf(p->title, sizeof p->title, "%.150s", given);
        return;
    }
    shape_text(p->problem, &p->problem->from, from);
    shape_text(p->problem, &p->problem->to, to);
    snprintf(p->title, sizeof p->title, "%.70s \u2192 %.70s", from, to);
}

xta_status xta_picture_plan(const xta_rechunk_problem *problem, const xta_rechunk_plan *plan,
                            const xta_plan_options *options, const char *path, xta_error *err)
{
    xta_plan_options known = XTA_PLAN_OPTIONS_INIT;
    picture_plan p = {.problem = problem, .plan = plan, .path = path};
    xta_status status = XTA_OK;
    bool svg = false;
    XTA_TRY(xta_options_read(&known, sizeof known, options, "xta_plan_options", err));
    p.facts = xta_rechunk_plan_facts(plan);
    p.n_all = p.facts->n_reads + p.facts->n_writes;
    XTA_TRY(xta__picture_suffix(path, &svg, err));
    XTA_TRY(choose_axes(&p, &known, err));
    make_title(&p, known.title);
    XTA_TRY(gather_operations(&p, err));
    status = xta__picture_plan_draw(&p, err);
done:
    free(p.ops);
    return status;
}
