/* Distribution of the work over ranks.
 *
 * Components share no block, so ranks with different components need not communicate. Components
 * are distributed in runs, so that each rank works on neighbouring blocks: a component goes to the
 * rank in whose share of the bytes its middle lies. If that leaves one rank with far more than its
 * share, the array itself is cut, between output blocks: no output block is written by two ranks,
 * and input blocks that straddle a cut are read by both.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mpi_tool.h"

#include "util/checked.h"

/* Shares that differ by less than this factor are accepted. */
#define FAIR 1.5

/* The distribution so far, while iterating over the plan. */
typedef struct distribution {
    const mpi_ranks *ranks;
    mpi_share *share;
    uint64_t last; // component after this rank's; 0: none seen
    double total;  // cells
    double load;   // cells of the rank that is being filled
    double heaviest;
    int owner;
} distribution;

static double cells_of(const xta_rechunk_op *op)
{
    uint64_t cells = 0;

    return op->write && xta_box_cells(&op->piece, &cells) == XTA_OK ? (double)cells : 0;
}

/* Assign a component, whose cells are number `before` to `before + cells`, to its owner. */
static void distribute_one(distribution *d, uint64_t component, double before, double cells)
{
    int owner = (int)((before + cells / 2) / d->total * d->ranks->n_ranks);

    owner = owner < d->ranks->n_ranks ? owner : d->ranks->n_ranks - 1;
    d->load = owner == d->owner ? d->load + cells : cells;
    d->owner = owner;
    d->heaviest = d->load > d->heaviest ? d->load : d->heaviest;
    if (owner == d->ranks->rank) {
        d->share->first = d->last == 0 ? component : d->share->first;
        d->last = component + 1;
    }
}

/* Find the components of this rank, and the share of all cells that the rank with the most cells
 * has. */
static xta_status distribute_components(const mpi_ranks *ranks, const xta_rechunk_plan *plan,
                                        mpi_share *share, double *heaviest, xta_error *err)
{
    uint64_t n = xta_rechunk_plan_facts(plan)->n_components, current = 0;
    distribution d = {.ranks = ranks, .share = share, .owner = -1};
    double before = 0, cells = 0;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;

    for (int pass = 0; pass < 2; pass++) {
        xta_status status = xta_rechunk_iterator_new(plan, 0, n, &walk, err);
        if (status != XTA_OK) {
            return status;
        }
        while (xta_rechunk_iterator_next(walk, &op)) {
            if (pass == 0) {
                d.total += cells_of(&op);
                continue;
            }
            if (op.component != current) {
                distribute_one(&d, current, before, cells);
                before += cells;
                cells = 0;
                current = op.component;
            }
            cells += cells_of(&op);
        }
        xta_rechunk_iterator_free(walk);
    }
    distribute_one(&d, current, before, cells);
    share->n = d.last > 0 ? d.last - share->first : 0;
    *heaviest = d.heaviest / d.total;
    return XTA_OK;
}

static int64_t count_blocks(const xta_cuts *cuts, int64_t lo, int64_t hi)
{
    return cuts->n_edges > 0 ? cuts->n_edges - 1
                             : xta__floor_div(hi - 1 - cuts->origin, cuts->length) -
                                   xta__floor_div(lo - cuts->origin, cuts->length) + 1;
}

static int64_t cut_at(const xta_cuts *cuts, int64_t lo, int64_t hi, int64_t k)
{
    int64_t at =
        cuts->n_edges > 0
            ? cuts->edges[k]
            : cuts->origin + (xta__floor_div(lo - cuts->origin, cuts->length) + k) * cuts->length;

    return at < lo ? lo : at > hi ? hi : at;
}

/* Where the slab of rank `rank` begins on an axis: at a cut. */
static int64_t slab_begin(const mpi_ranks *ranks, const xta_blocks *to, int axis, int rank)
{
    const xta_cuts *cuts = &to->partition.axis[axis];
    int64_t lo = to->bounds.lo[axis], hi = to->bounds.hi[axis];

    return cut_at(cuts, lo, hi, count_blocks(cuts, lo, hi) * rank / ranks->n_ranks);
}

/* Choose a slab of whole output blocks along the axis that can be cut most evenly, on ties the
 * first. */
static double distribute_slab(const mpi_ranks *ranks, const xta_blocks *to, mpi_share *share)
{
    double best = 2;
    int axis = 0;

    for (int d = 0; d < to->bounds.ndim; d++) {
        int64_t longest = 0;
        for (int rank = 0; rank < ranks->n_ranks; rank++) {
            int64_t n = slab_begin(ranks, to, d, rank + 1) - slab_begin(ranks, to, d, rank);
            longest = n > longest ? n : longest;
        }
        int64_t length = to->bounds.hi[d] - to->bounds.lo[d];
        double heaviest = length > 0 ? (double)longest / (double)length : 2;
        if (heaviest < best - 1e-9) {
            best = heaviest;
            axis = d;
        }
    }
    *share = (mpi_share){.boxed = true, .box = to->bounds};
    share->box.lo[axis] = slab_begin(ranks, to, axis, ranks->rank);
    share->box.hi[axis] = slab_begin(ranks, to, axis, ranks->rank + 1);
    return best;
}

xta_status xta__share_distribute(const mpi_ranks *ranks, const xta_blocks *to,
                                 const xta_rechunk_plan *plan, mpi_share *share, xta_error *err)
{
    mpi_share slab;
    double components = 2, slabs = 1;
    xta_status status;

    *share = (mpi_share){.boxed = false};
    if (xta_box_empty(&to->bounds)) {
        return XTA_OK;
    }
    status = distribute_components(ranks, plan, share, &components, err);
    if (status != XTA_OK || components * ranks->n_ranks <= FAIR) {
        return status;
    }
    slabs = distribute_slab(ranks, to, &slab);
    if (slabs < components) {
        *share = slab;
    }
    return XTA_OK;
}
