/* The slabs with the fewest runs.
 *
 * Definition: ends of slabs, and at each of them whether the blocks across it are cut; of all that
 * fit, those whose cuts add the fewest runs.
 *
 * Naive: try every set of ends. Better: find a shortest path, since the choices for the next slab
 * depend only on how far cells have been written and read; slabs.c defines the graph. Positions are
 * thinned out and few nodes are kept at each, so that planning takes only milliseconds: the result
 * fits, but need not be the best.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/slab_path.h"

#include <stdlib.h>
#include <string.h>

/* A window is the greatest thickness of a slab. Of the block ends in a window, at most this many
 * become positions (few, if there are many windows), and at most this many nodes are kept at each
 * position. */
#define MOST_IN_WINDOW 12
#define FEW_IN_WINDOW  4
#define MANY_WINDOWS   64
#define MOST_NODES     12
#define MOST_FAR       2000
#define MOST_POSITIONS ((int64_t)1 << 18)

typedef struct node {
    int64_t h, p;
    uint64_t cost;
    int64_t from; /* number of the previous node; -1: none */
    int64_t position;
    bool cut[2];
} node;

typedef struct path {
    const xta__slabs *slabs;
    const xta__span *span;
    uint64_t cells;   /* memory, in cells */
    uint64_t most;    /* most cells held for one cell of the axis while the other axes are swept */
    uint64_t cost[2]; /* cost of a cut on each side */
    uint64_t limit;   /* a path with this cost or more is not useful */
    int64_t n;        /* number of positions after 0 */
    int64_t *position;
    int64_t *in_end; /* end of the input block that contains the cell before the position */
    /* beginning of the output block that crosses the position; the position itself if none does */
    int64_t *out_begin;
    int64_t *first; /* the nodes of position k: first[k] to first[k] + count[k] - 1 */
    int *count;
    int64_t n_nodes, capacity;
    node *nodes;
} path;

/* ---- positions ---- */

/* Keep few of the block ends in each window, output ends in preference to input ends. */
static int64_t thin_ends(const xta__span *span, int64_t ends[], int64_t n, int64_t window)
{
    bool many = span->length / window > MANY_WINDOWS;
    int64_t spacing = window / (many ? FEW_IN_WINDOW : MOST_IN_WINDOW);
    int64_t kept = 0, o = 0;

    for (int64_t k = 1; k <= n; k++) {
        while (span->edge[XTA__TO][o] < ends[k]) {
            o++;
        }
        bool output = span->edge[XTA__TO][o] == ends[k];
        bool near = kept > 0 && ends[k] - ends[kept] < spacing;
        if (near && (output || k == n) && kept > 0) {
            ends[kept] = ends[k];
        } else if (!near) {
            ends[++kept] = ends[k];
        }
    }
    return kept;
}

/* Add positions after `from`, a window apart, up to the next end or beyond. */
static int64_t add_chain(int64_t from, int64_t to, int64_t window, int64_t out[], int64_t n)
{
    for (int64_t x = from + window; x < to; x += window) {
        out[n++] = x;
    }
    return n;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Set the positions: the ends, and multiples of a window from each end, up to the end of the axis
 * if those are few, else up to the next end. */
static xta_status set_positions(path *p)
{
    const xta__span *span = p->span;
    int64_t *ends = xta__calloc((size_t)(span->n[0] + span->n[1] + 2), sizeof *ends);
    int64_t window =
        p->cells / p->most > (uint64_t)span->length ? span->length : (int64_t)(p->cells / p->most);
    int64_t n, m = 0, capacity;

    if (ends == NULL) {
        return XTA_ENOMEM;
    }
    n = xta__span_ends(span, ends);
    if (n > 4 * MOST_IN_WINDOW) {
        n = thin_ends(span, ends, n, window);
    }
    if (span->length / window > MOST_POSITIONS) {
        free(ends);
        p->n = MOST_POSITIONS + 1; // too many to try
        return XTA_OK;
    }
    bool far = (span->length / window + 1) * n <= MOST_FAR;
    capacity = (span->length / window + 2) * (far ? n : 1) + 2 * n + 2;
    p->position = xta__calloc((size_t)(4 * capacity), sizeof *p->position);
    p->count = xta__calloc((size_t)capacity, sizeof *p->count);
    if (p->position == NULL || p->count == NULL) {
        free(ends);
        return XTA_ENOMEM;
    }
    p->in_end = p->position + capacity;
    p->out_begin = p->position + 2 * capacity;
    p->first = p->position + 3 * capacity;
    for (int64_t k = 0; k <= n; k++) {
        p->position[m++] = ends[k];
        if (k < n) {
            m = add_chain(ends[k], far ? span->length : ends[k + 1], window, p->position, m);
        }
    }
    free(ends);
    qsort(p->position, (size_t)m, sizeof p->position[0], ascending);
    for (int64_t k = 1; k < m; k++) {
        if (p->position[k] != p->position[p->n]) {
            p->position[++p->n] = p->position[k];
        }
    }
    return XTA_OK;
}

static void set_blocks(path *p)
{
    const xta__span *span = p->span;
    int64_t i = 0, o = 0;

    for (int64_t k = 1; k <= p->n; k++) {
        while (span->edge[XTA__FROM][i] < p->position[k]) {
            i++;
        }
        while (o < span->n[XTA__TO] && span->edge[XTA__TO][o + 1] <= p->position[k]) {
            o++;
        }
        // The fold before edge i contains the cell before the position, fold o the position itself.
        int64_t at = p->position[k], block = xta__fold_block(span, XTA__FROM, i - 1);
        p->in_end[k] = at + (span->edge[XTA__FROM][i] - at) % block;
        p->out_begin[k] = span->edge[XTA__TO][o];
        if (o < span->n[XTA__TO]) {
            p->out_begin[k] =
                at - (at - span->edge[XTA__TO][o]) % xta__fold_block(span, XTA__TO, o);
        }
    }
}

/* The runs that one cut adds: each block of that layer is one piece more, with as many runs as it
 * has rows on the axes before this one. */
static void set_costs(path *p)
{
    const xta__slabs *s = p->slabs;

    for (int side = 0; side < 2; side++) {
        bool whole = (side == XTA__FROM ? s->search->problem->from_home
                                        : s->search->problem->to_home) == XTA_BLOCKS_WHOLE;
        p->cost[side] = 1;
        bool before = true;
        for (int i = 0; i < s->search->problem->bounds.ndim; i++) {
            int d = xta__slow_axis(s->search->problem, side, i);
            const xta__span *span = s->search->span[d];
            before = before && d != s->axis;
            if (before && !whole) {
                p->cost[side] *= (uint64_t)span->length;
            } else if (d != s->axis) {
                p->cost[side] *= (uint64_t)span->blocks[side];
            }
        }
        if (whole && side == XTA__TO) {
            p->cost[side] = UINT64_MAX;
        }
    }
}

/* ---- edges ---- */

/* The position up to which cells that were read are freed, if everything before h is written and
 * everything before `read` is read. */
static int64_t freed(const path *p, int64_t h, int64_t read)
{
    const int64_t *edge = p->span->edge[XTA__FROM];
    int64_t first = 0, last = p->span->n[XTA__FROM];

    if (!p->slabs->holds_pieces || h == read) {
        return h;
    }
    while (last - first > 1) {
        int64_t middle = first + (last - first) / 2;
        if (edge[middle] <= h) {
            first = middle;
        } else {
            last = middle;
        }
    }
    return edge[h == edge[last] ? last : first];
}

static bool edge_fits(const path *p, const node *from, const node *to)
{
    uint64_t all = p->slabs->hull.cells;
    int64_t f = freed(p, from->h, from->p);
    int64_t g = freed(p, to->h, to->p);
    int64_t read = from->p;
    uint64_t through = (uint64_t)(read > g ? read - g : 0);
    uint64_t go = (uint64_t)((read < g ? read : g) - f);
    uint64_t both = (uint64_t)(g > read ? g - read : 0);
    uint64_t come = (uint64_t)(to->p - (read > g ? read : g));

    uint64_t held = xta__hull_max(&p->slabs->hull, go + both, come + both) - both * all;
    return held + through * all <= p->cells;
}

/* Add a node, or improve an equivalent one. */
static xta_status add_node(path *p, int64_t position, const node *made)
{
    int64_t first = p->first[position];

    for (int k = 0; k < p->count[position]; k++) {
        node *old = &p->nodes[first + k];
        if (old->h == made->h && old->p == made->p) {
            if (made->cost < old->cost) {
                *old = *made;
            }
            return XTA_OK;
        }
    }
    if (p->count[position] < MOST_NODES) {
        p->nodes[first + p->count[position]++] = *made;
    }
    return XTA_OK;
}

/* Make the node at the end of a slab, given which blocks across it are cut; false if it does not
 * differ from the one without cuts. */
static bool make_node(const path *p, int64_t number, int64_t position, int cuts, node *made)
{
    const node *from = &p->nodes[number];
    int64_t s = p->position[position];
    int64_t begin = p->out_begin[position];
    bool cut_in = (cuts & 1) != 0, cut_out = (cuts & 2) != 0;
    bool ahead = from->p >= s;

    *made = (node){.cost = from->cost, .from = number, .position = position};
    if ((cut_out && (begin == s || p->cost[XTA__TO] == UINT64_MAX)) ||
        (cut_in && (ahead || p->in_end[position] == s))) {
        return false;
    }
    made->h = cut_out ? s : begin > from->h ? begin : from->h;
    made->p = ahead ? from->p : cut_in ? s : p->in_end[position];
    made->cut[XTA__FROM] = cut_in;
    made->cut[XTA__TO] = cut_out;
    made->cost += (cut_in ? p->cost[XTA__FROM] : 0) + (cut_out ? p->cost[XTA__TO] : 0);
    return true;
}

/* Follow all edges from one node. */
static xta_status leave(path *p, int64_t number, int64_t position)
{
    xta_status status = XTA_OK;

    for (int64_t k = position + 1; k <= p->n; k++) {
        int64_t come = p->position[k] - p->nodes[number].p;
        if (come > 0 && (uint64_t)come * p->most > p->cells) {
            break;
        }
        for (int cuts = 0; cuts < 4; cuts++) {
            node made;
            if (make_node(p, number, k, cuts, &made) && made.cost < p->limit &&
                edge_fits(p, &p->nodes[number], &made)) {
                XTA_TRY(add_node(p, k, &made));
            }
        }
    }

done:
    return status;
}

static xta_status find_path(path *p)
{
    xta_status status = XTA_OK;

    p->nodes = xta__calloc((size_t)(p->n + 1) * MOST_NODES, sizeof *p->nodes);
    if (p->nodes == NULL) {
        return XTA_ENOMEM;
    }
    for (int64_t k = 0; k <= p->n; k++) {
        p->first[k] = k * MOST_NODES;
    }
    p->nodes[0] = (node){.from = -1};
    p->count[0] = 1;
    for (int64_t k = 0; k < p->n; k++) {
        for (int i = 0; i < p->count[k]; i++) {
            XTA_TRY(leave(p, p->first[k] + i, k));
        }
    }

done:
    return status;
}

/* ---- the plan of a path ---- */

static xta_status try_path(xta__slabs *slabs, const path *p, bool *fits)
{
    xta_status status = XTA_OK;
    int64_t capacity = p->n + 2;
    int64_t *ends = xta__calloc((size_t)(3 * capacity), sizeof *ends);
    xta__cutting cutting = {.end = ends};
    int64_t best = -1;

    if (ends == NULL) {
        return XTA_ENOMEM;
    }
    for (int k = 0; k < p->count[p->n]; k++) {
        int64_t number = p->first[p->n] + k;
        best = best < 0 || p->nodes[number].cost < p->nodes[best].cost ? number : best;
    }
    for (int64_t at = best; at >= 0 && p->nodes[at].from >= 0; at = p->nodes[at].from) {
        cutting.n++;
    }
    int64_t k = cutting.n;
    for (int64_t at = best; at >= 0 && p->nodes[at].from >= 0; at = p->nodes[at].from) {
        ends[k--] = p->position[p->nodes[at].position];
    }
    for (int side = 0; side < 2; side++) {
        int64_t *cut = ends + (side + 1) * capacity;
        int64_t n = 0;
        for (int64_t at = best; at >= 0 && p->nodes[at].from >= 0; at = p->nodes[at].from) {
            n += p->nodes[at].cut[side];
        }
        cutting.n_cuts[side] = n;
        cutting.cut[side] = cut;
        for (int64_t at = best; at >= 0 && p->nodes[at].from >= 0; at = p->nodes[at].from) {
            if (p->nodes[at].cut[side]) {
                cut[--n] = p->position[p->nodes[at].position];
            }
        }
    }
    if (best >= 0) {
        XTA_TRY(xta__slabs_try(slabs, &cutting, XTA_RECHUNK_BY_SLABS, fits));
    }

done:
    free(ends);
    return status;
}

static void path_clear(path *p)
{
    free(p->position);
    free(p->count);
    free(p->nodes);
}

xta_status xta__slabs_path(xta__slabs *slabs, bool *fits)
{
    static const double more[] = {2.0, 1.6, 1.4, 1.25, 1.12, 1.0, 0.9, 0.75, 0.5};
    xta_status status = XTA_OK;
    uint64_t budget = slabs->search->budget / slabs->search->problem->cell_bytes;
    uint64_t bound = 0;
    path p = {0};

    *fits = false;
    for (int side = 0; side < 2; side++) {
        uint64_t blocks = 1;
        for (int d = 0; d < slabs->search->problem->bounds.ndim; d++) {
            blocks *= (uint64_t)slabs->search->span[d]->blocks[side];
        }
        bound += blocks;
    }
    for (size_t k = 0; k < sizeof more / sizeof more[0] && !*fits; k++) {
        p = (path){.slabs = slabs, .span = slabs->search->span[slabs->axis]};
        p.cells = (uint64_t)((double)budget * more[k]);
        p.most = xta__hull_max(&slabs->hull, 1, 1) - slabs->hull.cells;
        if (p.cells < p.most) {
            break;
        }
        XTA_TRY(set_positions(&p));
        if (p.n <= MOST_POSITIONS) {
            set_blocks(&p);
        }
        set_costs(&p);
        // If an axis before this one is traversed cell by cell, its cost is already included.
        p.limit = slabs->search->found && slabs->n_single == 0
                      ? slabs->search->best_cost.runs - bound
                      : UINT64_MAX;
        if (p.limit <= p.cost[XTA__FROM] && p.limit <= p.cost[XTA__TO]) {
            break;
        }
        if (p.n <= MOST_POSITIONS) {
            XTA_TRY(find_path(&p));
            XTA_TRY(try_path(slabs, &p, fits));
        }
        path_clear(&p);
        p = (path){0};
    }

done:
    path_clear(&p);
    return status;
}
