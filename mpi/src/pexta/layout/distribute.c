/* Which process moves which cells between a global array and a file, and in which pieces.
 *
 * Every process must move whole chunks, so that no two processes work on one chunk: then a chunk is
 * one operation on the file, and no process reads what another is about to write. There are two
 * ways to distribute the chunks, and both give each process one box:
 *
 * - To the process that holds the cells. A chunk goes to the one in whose block the chunk's first
 *   cell (inside the section) lies. Blocks are disjoint boxes which cover the global array, and the
 *   first cells form a grid, so the chunks of a process are a box again, found axis by axis. Where
 *   blocks end at chunk borders (as those of PEXTA_Create do where they can), all cells are the
 *   process' own, and nothing is sent.
 * - Evenly: the section's box of chunks and the set of processes are both cut in two until one
 *   process is left. The cut is along the first axis that has enough chunks, because then the
 *   chunks of a process are adjacent in the file as the first allocation laid them out.
 *
 * The second is for sections that few processes hold, and for block-cyclic arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/layout/distribute.h"

#include <string.h>

#include "util/checked.h"
#include "util/compiler.h"

uint64_t xta__cells_of(const xta_box *box)
{
    uint64_t n = 1;

    for (int axis = 0; axis < box->ndim; axis++) {
        n *= box->hi[axis] > box->lo[axis] ? (uint64_t)(box->hi[axis] - box->lo[axis]) : 0;
    }
    return n;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return -xta__floor_div(-a, b);
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

xta_box xta__begun_in(const xta_box *section, const int64_t chunk[], const xta_box *block)
{
    xta_box common = xta_box_intersect(section, block), cells = common;

    for (int axis = 0; axis < section->ndim; axis++) {
        int64_t lo = common.lo[axis], c = chunk[axis];
        if (xta_box_empty(&common)) {
            cells.hi[axis] = cells.lo[axis];
            continue;
        }
        // The section's part of its first chunk begins where the section does.
        int64_t first = lo == section->lo[axis] ? xta__floor_div(lo, c) : ceil_div(lo, c);
        int64_t behind = ceil_div(common.hi[axis], c);
        cells.lo[axis] = most(first * c, section->lo[axis]);
        cells.hi[axis] = most(least(behind * c, section->hi[axis]), cells.lo[axis]);
    }
    return cells;
}

xta_box xta__even_share(const xta_box *section, const int64_t chunk[], int part, int n_shares)
{
    xta_box cells = *section;

    while (n_shares > 1) {
        int axis = 0;
        int64_t n = 0;
        for (int k = 0; k < section->ndim && n < n_shares; k++) {
            int64_t have = ceil_div(cells.hi[k], chunk[k]) - xta__floor_div(cells.lo[k], chunk[k]);
            if (have > n) {
                n = have;
                axis = k;
            }
        }
        // Chunks in proportion to the parts on each side; with fewer than two, all go to the first.
        int left = n_shares / 2;
        int64_t of_left = (int64_t)((xta__u128)n * (unsigned)left / (unsigned)n_shares);
        of_left = n < 2 ? n : most(of_left, 1);
        int64_t cut = (xta__floor_div(cells.lo[axis], chunk[axis]) + of_left) * chunk[axis];
        cut = most(least(cut, cells.hi[axis]), cells.lo[axis]);
        if (part < left) {
            cells.hi[axis] = cut;
            n_shares = left;
        } else {
            cells.lo[axis] = cut;
            part -= left;
            n_shares -= left;
        }
    }
    return cells;
}

/* ---- pieces ---- */

/* Where the piece that begins at `at` ends. */
static int64_t end_of_piece(const xta__pieces *p, int axis)
{
    int64_t chunk = p->chunk[axis], first = xta__floor_div(p->at[axis], chunk);
    int64_t n_chunks = p->n_cells[axis] / chunk;
    int64_t end = n_chunks > 0 ? (first + n_chunks) * chunk
                               : least(p->at[axis] + p->n_cells[axis], (first + 1) * chunk);

    return least(end, p->box.hi[axis]);
}

void xta__pieces_begin(xta__pieces *p, const xta_box *box, const int64_t chunk[],
                       uint64_t max_cells)
{
    xta__u128 cells = 1;

    p->box = *box;
    p->done = xta_box_empty(box);
    memcpy(p->at, box->lo, sizeof p->at);
    memcpy(p->chunk, chunk, (size_t)box->ndim * sizeof chunk[0]);
    for (int axis = 0; axis < box->ndim; axis++) {
        // Whole chunks that cover the box.
        int64_t c = chunk[axis];
        p->n_cells[axis] = (ceil_div(box->hi[axis], c) - xta__floor_div(box->lo[axis], c)) * c;
        cells *= (xta__u128)least(p->n_cells[axis], box->hi[axis] - box->lo[axis]);
    }
    // The first axes are cut first, so that pieces are as long as possible in memory and file: into
    // chunks and, if one chunk is too large, into cells.
    for (int step = 0; step < 2 * box->ndim && cells > max_cells && !p->done; step++) {
        int axis = step % box->ndim;
        int64_t unit = step < box->ndim ? chunk[axis] : 1;
        int64_t now = least(p->n_cells[axis], box->hi[axis] - box->lo[axis]);
        xta__u128 others = cells / (xta__u128)now;
        int64_t fit = others >= max_cells ? 0 : (int64_t)(max_cells / others);
        int64_t length = most(fit / unit * unit, unit);
        if (length < now) {
            p->n_cells[axis] = length;
            cells = others * (xta__u128)length;
        }
    }
}

bool xta__pieces_next(xta__pieces *p, xta_box *piece)
{
    int axis = p->box.ndim - 1;

    if (p->done) {
        return false;
    }
    piece->ndim = p->box.ndim;
    for (int k = 0; k < p->box.ndim; k++) {
        piece->lo[k] = p->at[k];
        piece->hi[k] = end_of_piece(p, k);
    }
    while (axis >= 0 && piece->hi[axis] == p->box.hi[axis]) {
        p->at[axis] = p->box.lo[axis];
        axis--;
    }
    if (axis >= 0) {
        p->at[axis] = piece->hi[axis];
    }
    p->done = axis < 0;
    return true;
}
