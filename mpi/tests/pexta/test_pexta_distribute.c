/* nprocs: 1 */
/* Distributing chunks, and cutting shares into pieces: every cell of the section exactly once,
 * every chunk to one process, every piece small enough; on random sections, chunks and blocks, some
 * with negative coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

#include "pexta/layout/distribute.h"
#include "pexta/layout/shape.h"
#include "util/checked.h"

enum { LOW = -12, HIGH = 24, SIDE = HIGH - LOW };

static int owner[SIDE][SIDE][SIDE];

/* A random box of three axes; its chunks too. */
static xta_box random_section(int64_t chunk[])
{
    xta_box box = {.ndim = 3};

    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] = ga_test_between(LOW, HIGH - 1);
        box.hi[axis] = ga_test_between(box.lo[axis] + 1, HIGH);
        chunk[axis] = ga_test_between(1, 7);
    }
    return box;
}

static void forget(void)
{
    memset(owner, 0, sizeof owner);
}

/* Assign the cells of a box to process `who` (from 1); false if one of them already has an
 * owner. */
static bool take(const xta_box *box, int who)
{
    bool all_free = true;

    for (int64_t i = box->lo[0]; i < box->hi[0]; i++) {
        for (int64_t j = box->lo[1]; j < box->hi[1]; j++) {
            for (int64_t k = box->lo[2]; k < box->hi[2]; k++) {
                int *cell = &owner[i - LOW][j - LOW][k - LOW];
                all_free = all_free && *cell == 0;
                *cell = who;
            }
        }
    }
    return all_free;
}

/* The expected owner of a cell: none outside the section, else the owner of the first cell of its
 * chunk that lies in the section. */
static int owner_of(const xta_box *section, const int64_t chunk[], const int64_t cell[])
{
    int64_t first[3];

    for (int axis = 0; axis < 3; axis++) {
        if (cell[axis] < section->lo[axis] || cell[axis] >= section->hi[axis]) {
            return 0;
        }
        first[axis] = xta__floor_div(cell[axis], chunk[axis]) * chunk[axis];
        first[axis] = first[axis] > section->lo[axis] ? first[axis] : section->lo[axis];
    }
    return owner[first[0] - LOW][first[1] - LOW][first[2] - LOW];
}

/* Every cell of the section has an owner, no other cell has, and a chunk has one only. */
static bool distributed_by_chunks(const xta_box *section, const int64_t chunk[])
{
    for (int64_t n = 0; n < (int64_t)SIDE * SIDE * SIDE; n++) {
        const int64_t cell[] = {LOW + n / SIDE / SIDE, LOW + n / SIDE % SIDE, LOW + n % SIDE};
        int who = owner[cell[0] - LOW][cell[1] - LOW][cell[2] - LOW];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            inside = inside && cell[axis] >= section->lo[axis] && cell[axis] < section->hi[axis];
        }
        if (inside != (who != 0) || who != owner_of(section, chunk, cell)) {
            return false;
        }
    }
    return true;
}

/* Blocks of random borders that cover the section. */
static void to_owners(void)
{
    int64_t chunk[3], border[3];
    const xta_box section = random_section(chunk);
    int who = 1;
    bool once = true;

    forget();
    for (int axis = 0; axis < 3; axis++) {
        border[axis] = ga_test_between(section.lo[axis] - 1, section.hi[axis] + 1);
    }
    for (int k = 0; k < 8; k++) {
        xta_box block = section;
        for (int axis = 0; axis < 3; axis++) {
            bool low = (k >> axis & 1) == 0;
            block.lo[axis] = low ? section.lo[axis] - 2 : border[axis];
            block.hi[axis] = low ? border[axis] : section.hi[axis] + 2;
        }
        const xta_box share = xta__begun_in(&section, chunk, &block);
        once = take(&share, who++) && once;
    }
    XTA_CHECK(once, "a cell is assigned twice");
    XTA_CHECK(distributed_by_chunks(&section, chunk), "not by chunks, or not all");
}

static void evenly(void)
{
    int64_t chunk[3], n_chunks = 1, most = 0;
    const xta_box section = random_section(chunk);
    int n_shares = (int)ga_test_between(1, 9);
    bool once = true;

    forget();
    for (int axis = 0; axis < 3; axis++) {
        n_chunks *= xta__floor_div(section.hi[axis] - 1, chunk[axis]) -
                    xta__floor_div(section.lo[axis], chunk[axis]) + 1;
    }
    for (int part = 0; part < n_shares; part++) {
        const xta_box share = xta__even_share(&section, chunk, part, n_shares);
        int64_t n = xta_box_empty(&share) ? 0 : 1;
        for (int axis = 0; axis < 3 && n > 0; axis++) {
            n *= xta__floor_div(share.hi[axis] - 1, chunk[axis]) -
                 xta__floor_div(share.lo[axis], chunk[axis]) + 1;
        }
        most = n > most ? n : most;
        once = take(&share, part + 1) && once;
    }
    XTA_CHECK(once, "a cell is assigned twice");
    XTA_CHECK(distributed_by_chunks(&section, chunk), "not by chunks, or not all");
    // Cuts fall between chunks, so a share can be up to twice the equal one for each axis that is
    // cut.
    XTA_CHECK(most <= 4 * (n_chunks / n_shares + 1), "%d of %d chunks for one of %d", (int)most,
              (int)n_chunks, n_shares);
}

static void in_pieces(void)
{
    int64_t chunk[3];
    const xta_box box = random_section(chunk);
    uint64_t max_cells = (uint64_t)ga_test_between(1, 600);
    uint64_t chunk_cells = (uint64_t)(chunk[0] * chunk[1] * chunk[2]);
    xta__pieces pieces;
    xta_box piece;
    bool once = true, small = true, at_borders = true;
    uint64_t n = 0;

    forget();
    xta__pieces_begin(&pieces, &box, chunk, max_cells);
    while (xta__pieces_next(&pieces, &piece)) {
        once = take(&piece, 1) && once;
        small = small && xta__cells_of(&piece) <= max_cells;
        n += xta__cells_of(&piece);
        for (int axis = 0; axis < 3; axis++) {
            at_borders = at_borders && (piece.hi[axis] == box.hi[axis] ||
                                        xta__floor_mod(piece.hi[axis], chunk[axis]) == 0);
        }
    }
    const int64_t cell[] = {1, 1, 1};
    XTA_CHECK(once && distributed_by_chunks(&box, cell), "not every cell once");
    XTA_CHECK(n == xta__cells_of(&box), "%d cells of %d", (int)n, (int)xta__cells_of(&box));
    XTA_CHECK(small, "a piece of more than %d cells", (int)max_cells);
    XTA_CHECK(at_borders || max_cells < chunk_cells, "pieces of %d cells cut chunks of %d",
              (int)max_cells, (int)chunk_cells);
}

/* Whatever is requested, the size of a chunk is reasonable. */
static void shapes(void)
{
    const size_t cells[] = {1, 4, 8, 16};
    int64_t dims[7], request[7], block[7], chunk[7];
    int ndim = (int)ga_test_between(1, 7);
    size_t cell = cells[ga_test_between(0, 3)];
    bool any = false;

    for (int axis = 0; axis < ndim; axis++) {
        const int64_t most = (int64_t)1 << ga_test_between(1, 61);
        dims[axis] = ga_test_between(0, most);
        request[axis] = ga_test_between(0, 2) == 0 ? -1 : ga_test_between(1, most);
        block[axis] = ga_test_between(0, 2) == 0 ? 0 : ga_test_between(1, most);
        any = any || request[axis] > 0 || block[axis] > 0;
    }
    XTA_CHECK(xta__request_chunk(cell, ndim, dims, request, block, chunk) == any, "asked: %d", any);
    double bytes = (double)cell;
    for (int axis = 0; axis < ndim && any; axis++) {
        bytes *= (double)chunk[axis];
        XTA_CHECK(chunk[axis] >= 1, "axis %d: %d", axis, (int)chunk[axis]);
    }
    XTA_CHECK(!any || (bytes <= 1048576 && bytes >= 4096), "%g bytes", bytes);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    for (int k = 0; k < 400; k++) {
        to_owners();
        evenly();
        in_pieces();
        shapes();
        shapes();
        shapes();
    }
    return xta_test_end();
}
