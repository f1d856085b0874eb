/* Two grids, one to be copied into the other: dense files, which have no blocks of their own, are
 * cut to match the other side's blocks.
 *
 * If one side has blocks, see grids/common/dense_grid.c. Two dense files of the same order are cut
 * alike. If their orders differ, one file's fast axes are the other's slow ones. With the axes
 * numbered from the first file's fastest to its slowest, its runs are whole on the axes before p
 * and b long on p; the other's are whole on the axes behind q and c long on q, p <= q. The cells of
 * one piece are then
 *
 *     prod (d < p) A_d * b * c * prod (d > q) A_d        (p < q; where p = q, b = c counts once)
 *
 * and all runs of both files together total / (prod (d < p) A_d * b) + total / (c * prod (d > q)
 * A_d). All pairs of axes are tried; for each, b and c share the memory so that the runs are of
 * about the same length.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/match_cuts.h"

#include <math.h>
#include <string.h>

#include "grids/common/dense_grid.h"

static double clamp(double value, double most)
{
    value = value < most ? value : most;
    return value < 1 ? 1 : floor(value);
}

/* The lengths on the two cut axes, and the number of runs they give; negative: does not fit. */
static double try_pair(const double bounds[], int ndim, int p, int q, double budget, double longest,
                       double cut[2])
{
    double before = 1;
    double behind = 1;
    double total = 1;
    for (int d = 0; d < ndim; d++) {
        before *= d < p ? bounds[d] : 1;
        behind *= d > q ? bounds[d] : 1;
        total *= bounds[d];
    }
    budget /= before * behind;
    if (budget < 1) {
        return -1;
    }
    double most_b = clamp(longest / before, bounds[p]);
    double most_c = clamp(longest / behind, bounds[q]);
    if (p == q) {
        cut[0] = clamp(budget, most_b < most_c ? most_b : most_c);
        cut[1] = cut[0];
    } else {
        cut[0] = clamp(sqrt(budget * behind / before), most_b);
        cut[1] = clamp(budget / cut[0], most_c);
        cut[0] = clamp(budget / cut[1], most_b); // what the other cut leaves
    }
    return total / (before * cut[0]) + total / (behind * cut[1]);
}

void xta__blocks_tiles(const xta_box *box, const int slow[], size_t cell_bytes,
                       uint64_t memory_bytes, int64_t one[], int64_t other[])
{
    int ndim = box->ndim;
    double bounds[XTA_MAX_NDIM];
    double memory = (double)(memory_bytes > 0 ? memory_bytes : BLOCKS_DEFAULT_MEMORY);
    double budget = memory / 2 / (double)cell_bytes;
    double longest = memory / 8 < BLOCKS_LONGEST_RUN ? memory / 8 : BLOCKS_LONGEST_RUN;
    double best = -1;
    double best_cut[2] = {1, 1};
    int best_p = 0;
    int best_q = ndim - 1;
    for (int d = 0; d < ndim; d++) { // from the first file's fastest axis
        int axis = slow[ndim - 1 - d];
        bounds[d] = (double)(box->hi[axis] - box->lo[axis]);
        bounds[d] = bounds[d] < 1 ? 1 : bounds[d];
    }
    for (int p = 0; p < ndim; p++) {
        for (int q = p; q < ndim; q++) {
            double cut[2];
            double runs = try_pair(bounds, ndim, p, q, budget, longest / (double)cell_bytes, cut);
            if (runs >= 0 && (best < 0 || runs < best)) {
                best = runs;
                best_p = p;
                best_q = q;
                memcpy(best_cut, cut, sizeof best_cut);
            }
        }
    }
    for (int d = 0; d < ndim; d++) {
        int axis = slow[ndim - 1 - d];
        one[axis] = d < best_p ? (int64_t)bounds[d] : 1;
        other[axis] = d > best_q ? (int64_t)bounds[d] : 1;
        one[axis] = d == best_p ? (int64_t)best_cut[0] : one[axis];
        other[axis] = d == best_q ? (int64_t)best_cut[1] : other[axis];
    }
}

/* The other side's block lengths; for an irregular axis, its whole length. */
static void lengths_of(const xta_blocks *blocks, int64_t lengths[])
{
    for (int axis = 0; axis < blocks->bounds.ndim; axis++) {
        int64_t n = blocks->partition.axis[axis].length;
        lengths[axis] = n > 0 ? n : blocks->bounds.hi[axis] - blocks->bounds.lo[axis];
    }
}

static void match_to(xta_blocks *dense, const xta_blocks *other, const int slow[],
                     uint64_t memory_bytes)
{
    int64_t lengths[XTA_MAX_NDIM];
    int64_t block[XTA_MAX_NDIM];
    lengths_of(other, lengths);
    xta__blocks_runs(&dense->bounds, slow, dense->cell_bytes, lengths, memory_bytes, block);
    xta__blocks_dense_cut(dense, block);
}

void xta_blocks_match(xta_blocks *from, xta_blocks *to, uint64_t memory_bytes)
{
    int slow[XTA_MAX_NDIM];
    int other_slow[XTA_MAX_NDIM];
    int64_t one[XTA_MAX_NDIM];
    int64_t other[XTA_MAX_NDIM];
    bool dense = xta__blocks_dense_order(from, slow);
    bool other_dense = xta__blocks_dense_order(to, other_slow);
    if (from->bounds.ndim != to->bounds.ndim) {
        return;
    }
    if (dense && other_dense) {
        bool same = memcmp(slow, other_slow, (size_t)from->bounds.ndim * sizeof slow[0]) == 0;
        if (same) {
            xta__blocks_runs(&from->bounds, slow, from->cell_bytes, NULL, memory_bytes, one);
            memcpy(other, one, sizeof other);
        } else {
            xta__blocks_tiles(&from->bounds, slow, from->cell_bytes, memory_bytes, one, other);
        }
        xta__blocks_dense_cut(from, one);
        xta__blocks_dense_cut(to, other);
    } else if (dense) {
        match_to(from, to, slow, memory_bytes);
    } else if (other_dense) {
        match_to(to, from, other_slow, memory_bytes);
    }
}
