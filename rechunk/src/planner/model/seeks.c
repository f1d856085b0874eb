/* The number of runs and seeks for the pieces of a component.
 *
 * Definition: a run is what lies contiguously in its block. R counts the runs; T counts 1 for each
 * piece, and its runs again unless it is a whole block.
 *
 * Naive: go through all pieces. Let k be the innermost axis on which a piece is shorter than its
 * block: inside k everything is contiguous, outside k each row is a separate run, so the number of
 * runs is the product of the piece's lengths on the axes before k. A block moved whole is one run.
 *
 * Better: pieces are products of axes, so the sum over all pieces with the same k is
 *
 *     (product of lengths before k) * (short pieces on k) * (product of whole blocks behind k),
 *
 * and for this each axis is counted once.
 *
 *     [KEEP] Eq. 2, 3                       here
 *     A_d (of what is repartitioned)        length
 *     c_d  pieces of blocks that are cut    cut
 *     m_d  blocks that are not              whole
 *
 * On a side in column-major order the axes are taken from the last to the first: it is row-major
 * order with the axes reversed.
 *
 * If blocks are stored in slots of one size, those clipped by the bounds are shorter than their
 * slots even if they are not cut; but if such a block is moved whole, its slot is moved, as one
 * run.
 *
 * @par Source
 * [KEEP] Eq. 2 and 3 as docs/REPARTITION.md corrects them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/seeks.h"

static bool keeps_slots(const xta_rechunk_problem *problem, int side)
{
    return (side == XTA__FROM ? problem->from_home : problem->to_home) != XTA_BLOCKS_FILES;
}

/* For blocks of one length, starting at 0: how many lie completely in [lo, hi), and how many
 * partly. */
static int64_t whole_blocks(int64_t lo, int64_t hi, int64_t length, int64_t *cut)
{
    int64_t first = lo / length, last = (hi - 1) / length;

    *cut = (lo % length != 0) + (hi % length != 0);
    if (first == last && *cut > 1) {
        *cut = 1;
    }
    return last - first + 1 - *cut;
}

xta__tally xta__tally_axis(const xta_rechunk_problem *problem, const xta__span *span,
                           const xta__axis_schedule *schedule, int axis, int side)
{
    const xta_cuts *cuts = side == XTA__FROM ? &problem->from.axis[axis] : &problem->to.axis[axis];
    bool slots = keeps_slots(problem, side) && cuts->length > 0;
    xta__tally t = {.length = (uint64_t)span->length};
    int64_t k = 0;

    for (int64_t fold = 0; fold < span->n[side]; fold++) {
        int64_t begin = span->edge[side][fold], end = span->edge[side][fold + 1];
        int64_t length = xta__fold_block(span, side, fold);
        uint64_t slot = slots ? (uint64_t)cuts->length : (uint64_t)length;
        for (; k < schedule->n[side] && schedule->edge[side][k + 1] <= end; k++) {
            int64_t cut;
            int64_t whole = whole_blocks(schedule->edge[side][k] - begin,
                                         schedule->edge[side][k + 1] - begin, length, &cut);
            t.pieces_length += slot * (uint64_t)(whole + cut);
            t.cut += (uint64_t)cut;
            t.uncut_length += (uint64_t)(whole * length);
            t.slot_length += slot * (uint64_t)whole;
            t.clipped += slot > (uint64_t)length ? (uint64_t)whole : 0;
            t.whole += slot == (uint64_t)length ? (uint64_t)whole : 0;
        }
    }
    return t;
}

static bool moves_whole(const xta_rechunk_problem *problem, int side)
{
    return (side == XTA__FROM ? problem->from_home : problem->to_home) == XTA_BLOCKS_WHOLE;
}

xta__seeks xta__seeks_sum(const xta_rechunk_problem *problem, const xta__tally tally[], int side)
{
    uint64_t inside = 0;  /* runs of all short pieces, over the axes so far */
    uint64_t clipped = 0; /* those among them that are whole blocks nevertheless */
    uint64_t n = 1, whole = 1, uncut_cells = 1, slot_cells = 1, all = 1, moved = 1;
    uint64_t lengths = 1, uncut_lengths = 1;

    for (int i = 0; i < problem->bounds.ndim; i++) {
        xta__tally t = tally[xta__slow_axis(problem, side, i)];
        inside = inside * t.whole + lengths * (t.cut + t.clipped);
        clipped = clipped * t.whole + uncut_lengths * t.clipped;
        lengths *= t.length;
        uncut_lengths *= t.uncut_length;
        n *= t.cut + t.clipped + t.whole;
        whole *= t.clipped + t.whole;
        uncut_cells *= t.uncut_length;
        slot_cells *= t.slot_length;
        all *= t.length;
        moved *= t.pieces_length;
    }
    if (moves_whole(problem, side)) {
        return (xta__seeks){.n = n, .runs = n, .seeks = n, .cells = moved};
    }
    uint64_t of_parts = inside - clipped;
    return (xta__seeks){
        .n = n,
        .runs = of_parts + whole,
        .seeks = n + of_parts,
        .cells = all - uncut_cells + slot_cells,
    };
}

xta__seeks xta__seeks_of(const xta_rechunk_problem *problem, const xta__span *const span[],
                         const xta__recipe *recipe, int side)
{
    xta__tally tally[XTA_MAX_NDIM];

    for (int d = 0; d < recipe->ndim; d++) {
        tally[d] = xta__tally_axis(problem, span[d], recipe->schedule[d], d, side);
    }
    return xta__seeks_sum(problem, tally, side);
}

uint64_t xta__piece_runs(const xta_rechunk_problem *problem, int side, const xta_box *piece,
                         const xta_box *block)
{
    const xta_partition *partition = side == XTA__FROM ? &problem->from : &problem->to;
    uint64_t runs = 1, before = 1;

    if (moves_whole(problem, side) || xta_box_equal(piece, block)) {
        return 1;
    }
    for (int i = 0; i < piece->ndim; i++) {
        int d = xta__slow_axis(problem, side, i);
        int64_t length = piece->hi[d] - piece->lo[d];
        int64_t slot = block->hi[d] - block->lo[d];
        if (keeps_slots(problem, side) && partition->axis[d].length > 0) {
            slot = partition->axis[d].length;
        }
        if (length < slot) {
            runs = before;
        }
        before *= (uint64_t)length;
    }
    return runs;
}
