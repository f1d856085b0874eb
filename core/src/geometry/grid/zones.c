/* Zones: which rank holds which chunks.
 *
 * Definition: a distribution cuts each axis into blocks and gives each block to a row of the
 * process grid; a chunk belongs to the rank whose position in the grid is given by the rows of its
 * coordinates. Naive version: go along each axis and distribute block by block; kept in the tests.
 *
 * Improvement: BLOCK is BLOCK_CYCLIC whose blocks are so long that each row gets at most one, so
 * both are one block length: chunk c lies in block (c - lo) / block, which belongs to row block %
 * rows. What a row holds below a coordinate then takes a division and two comparisons, in chunks
 * or, with the block length in cells, in cells. IRREGULAR stores its cuts and searches them.
 *
 * Coordinates are measured from the lower end of the box as unsigned differences, which cannot
 * overflow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/grid/zones.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/grid/process_grid.h"

struct xta_zones {
    int n_ranks;
    bool irregular;
    xta_box chunks;
    int64_t chunk[XTA_MAX_NDIM];
    int grid[XTA_MAX_NDIM];
    uint64_t block[XTA_MAX_NDIM]; /* chunks of a block, >= 1; not of IRREGULAR */
    int64_t *cuts[XTA_MAX_NDIM];  /* of IRREGULAR: where each row begins, and the end */
    int64_t *all_cuts;            /* the memory they point to */
};

/* ---- making ---- */

static xta_status check_box(const xta_box *chunks, const int64_t chunk[], xta_error *err)
{
    uint64_t n = 0;

    for (int axis = 0; axis < chunks->ndim; axis++) {
        int64_t lo = chunks->lo[axis], hi = chunks->hi[axis], cell;
        if (lo > hi) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: chunks from %" PRId64 " to %" PRId64
                             ": the end must not lie before the beginning",
                             axis, lo, hi);
        }
        if (chunk[axis] < 1) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: chunk length %" PRId64 ": give 1 or more cells", axis,
                             chunk[axis]);
        }
        if (lo <= -XTA__COORD_LIMIT || hi >= XTA__COORD_LIMIT ||
            __builtin_mul_overflow(lo, chunk[axis], &cell) ||
            __builtin_mul_overflow(hi, chunk[axis], &cell)) {
            return xta__fail(err, XTA_EOVERFLOW, 0,
                             "axis %d: chunks %" PRId64 " to %" PRId64 " of %" PRId64
                             " cells: coordinates would pass 2^62",
                             axis, lo, hi, chunk[axis]);
        }
    }
    if (xta_box_cells(chunks, &n) != XTA_OK) {
        char text[160];
        return xta__fail(err, XTA_EOVERFLOW, 0,
                         "chunks %s are more than 2^63 - 1: distribute fewer",
                         xta__box_text(chunks, text, sizeof text));
    }
    return XTA_OK;
}

static xta_status check_grid(int ndim, const int grid[], int n_ranks, xta_error *err)
{
    uint64_t product = 1;
    int64_t numbers[XTA_MAX_NDIM] = {0};
    char text[160];

    for (int axis = 0; axis < ndim; axis++) {
        if (grid[axis] < 1) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: %d rows of the process grid: give 1 or more", axis,
                             grid[axis]);
        }
        numbers[axis] = grid[axis];
        // Above INT_MAX it can only grow, and is already wrong.
        product = product > INT_MAX ? product : product * (uint64_t)grid[axis];
    }
    if (product != (uint64_t)n_ranks) {
        return xta__fail(err, XTA_EARG, 0,
                         "the process grid %s has %s%" PRIu64
                         " places for %d ranks: its product must be the number of ranks",
                         xta__coord_text(numbers, ndim, text, sizeof text),
                         product > INT_MAX ? "at least " : "", product, n_ranks);
    }
    return XTA_OK;
}

static xta_status check_cuts(const xta_box *chunks, int axis, int rows, const int64_t cuts[],
                             xta_error *err)
{
    int64_t least = chunks->lo[axis];

    if (rows > 1 && cuts == NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "axis %d: no cuts for %d rows of the process grid: give %d", axis, rows,
                         rows - 1);
    }
    for (int k = 0; k < rows - 1; k++) {
        if (cuts[k] < chunks->lo[axis] || cuts[k] > chunks->hi[axis]) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: cut %d at %" PRId64 " leaves the chunks: give %" PRId64
                             " to %" PRId64,
                             axis, k, cuts[k], chunks->lo[axis], chunks->hi[axis]);
        }
        if (cuts[k] < least) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: cut %d at %" PRId64 " lies before the one at %" PRId64
                             ": cuts must ascend",
                             axis, k, cuts[k], least);
        }
        least = cuts[k];
    }
    return XTA_OK;
}

static xta_status check_distribution(const xta_box *chunks, int n_ranks,
                                     const xta_distribution *distribution, xta_error *err)
{
    xta_status status = XTA_OK;

    if ((unsigned)distribution->kind > XTA_IRREGULAR) {
        return xta__fail(err, XTA_EARG, 0,
                         "kind %d of the distribution: give XTA_BLOCK, XTA_BLOCK_CYCLIC or "
                         "XTA_IRREGULAR",
                         (int)distribution->kind);
    }
    if (distribution->grid != NULL) {
        XTA_TRY(check_grid(chunks->ndim, distribution->grid, n_ranks, err));
    }
    for (int axis = 0; axis < chunks->ndim; axis++) {
        if (distribution->kind == XTA_BLOCK_CYCLIC && distribution->cycle != NULL &&
            distribution->cycle[axis] < 1) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: cycle %" PRId64 ": a block has 1 or more chunks", axis,
                             distribution->cycle[axis]);
        }
    }
    if (distribution->kind != XTA_IRREGULAR) {
        return XTA_OK;
    }
    if (distribution->grid == NULL || distribution->cuts == NULL) {
        return xta__fail(err, XTA_EARG, 0, "an irregular distribution has no %s: give both",
                         distribution->grid == NULL ? "grid" : "cuts");
    }
    for (int axis = 0; axis < chunks->ndim; axis++) {
        XTA_TRY(check_cuts(chunks, axis, distribution->grid[axis], distribution->cuts[axis], err));
    }

done:
    return status;
}

/* Block lengths. No block is longer than its axis, so its length in cells cannot overflow. */
static void set_blocks(xta_zones *zones, const xta_distribution *distribution)
{
    for (int axis = 0; axis < zones->chunks.ndim; axis++) {
        uint64_t length = (uint64_t)(zones->chunks.hi[axis] - zones->chunks.lo[axis]);
        uint64_t rows = (uint64_t)zones->grid[axis];
        uint64_t block = length / rows + (length % rows != 0);
        if (distribution->kind == XTA_BLOCK_CYCLIC) {
            block = distribution->cycle != NULL ? (uint64_t)distribution->cycle[axis] : 1;
        }
        // Blocks of a single row are adjacent: they are one block.
        block = block > length || rows == 1 ? length : block;
        zones->block[axis] = block > 0 ? block : 1;
    }
}

static xta_status set_cuts(xta_zones *zones, const xta_distribution *distribution)
{
    int ndim = zones->chunks.ndim;
    size_t n = 0;

    for (int axis = 0; axis < ndim; axis++) {
        n += (size_t)zones->grid[axis] + 1;
    }
    zones->all_cuts = xta__calloc(n, sizeof zones->all_cuts[0]);
    if (zones->all_cuts == NULL) {
        return XTA_ENOMEM;
    }
    n = 0;
    for (int axis = 0; axis < ndim; axis++) {
        int rows = zones->grid[axis];
        int64_t *cuts = zones->all_cuts + n;
        cuts[0] = zones->chunks.lo[axis];
        for (int k = 1; k < rows; k++) {
            cuts[k] = distribution->cuts[axis][k - 1];
        }
        cuts[rows] = zones->chunks.hi[axis];
        zones->cuts[axis] = cuts;
        n += (size_t)rows + 1;
    }
    return XTA_OK;
}

/* Everything has been checked: only memory allocation can still fail. */
static xta_status distribute_chunks(xta_zones *zones, const xta_distribution *distribution)
{
    if (distribution->grid != NULL) {
        memcpy(zones->grid, distribution->grid, (size_t)zones->chunks.ndim * sizeof zones->grid[0]);
    } else if (xta__process_grid(zones->n_ranks, &zones->chunks, zones->grid) != XTA_OK) {
        return XTA_ENOMEM;
    }
    zones->irregular = distribution->kind == XTA_IRREGULAR;
    if (zones->irregular) {
        return set_cuts(zones, distribution);
    }
    set_blocks(zones, distribution);
    return XTA_OK;
}

xta_status xta_zones_new(const xta_box *chunks, const int64_t chunk[], int n_ranks,
                         const xta_distribution *distribution, xta_zones **out, xta_error *err)
{
    xta_distribution own = XTA_DISTRIBUTION_INIT;
    xta_status status = XTA_OK;
    xta_zones *zones = NULL;

    xta__clear(err);
    *out = NULL;
    if (chunks == NULL || chunk == NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "no %s to distribute: give the box and the chunk lengths",
                         chunks == NULL ? "box of chunks" : "chunk lengths");
    }
    if (chunks->ndim < 1 || chunks->ndim > XTA_MAX_NDIM) {
        return xta__fail(err, XTA_EARG, 0, "a box of %d axes: give 1 to %d", chunks->ndim,
                         XTA_MAX_NDIM);
    }
    if (n_ranks < 1) {
        return xta__fail(err, XTA_EARG, 0, "%d ranks to distribute to: give 1 or more", n_ranks);
    }
    XTA_TRY(xta_options_read(&own, sizeof own, distribution, "xta_distribution", err));
    distribution = &own;
    XTA_TRY(check_box(chunks, chunk, err));
    XTA_TRY(check_distribution(chunks, n_ranks, distribution, err));
    zones = xta__calloc(1, sizeof *zones);
    if (zones == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for the zones of %d ranks", n_ranks);
        goto done;
    }
    zones->n_ranks = n_ranks;
    zones->chunks = *chunks;
    memcpy(zones->chunk, chunk, (size_t)chunks->ndim * sizeof chunk[0]);
    status = distribute_chunks(zones, distribution);
    if (status != XTA_OK) {
        xta__fail(err, status, 0, "no memory for the zones of %d ranks", n_ranks);
        goto done;
    }
    *out = zones;
    zones = NULL;

done:
    xta_zones_free(zones);
    return status;
}

void xta_zones_free(xta_zones *zones)
{
    if (zones != NULL) {
        free(zones->all_cuts);
        free(zones);
    }
}

/* ---- one axis ---- */

/* How many cells (unit: the chunk length) or chunks (unit: 1) of a row lie below `x` on an axis. */
static uint64_t owned_below(const xta_zones *zones, int axis, int row, int64_t x, int64_t unit)
{
    if (zones->irregular) {
        int64_t first = zones->cuts[axis][row] * unit, end = zones->cuts[axis][row + 1] * unit;
        x = x < first ? first : x > end ? end : x;
        return (uint64_t)x - (uint64_t)first;
    }
    uint64_t from_lo = (uint64_t)x - (uint64_t)(zones->chunks.lo[axis] * unit);
    uint64_t block = zones->block[axis] * (uint64_t)unit;
    uint64_t rows = (uint64_t)zones->grid[axis], number = from_lo / block;
    uint64_t below = number / rows * block;
    uint64_t here = number % rows;
    if (here > (uint64_t)row) {
        return below + block;
    }
    return below + (here == (uint64_t)row ? from_lo % block : 0);
}

/* The row that a chunk coordinate of the box belongs to. */
static int row_of(const xta_zones *zones, int axis, int64_t c)
{
    if (!zones->irregular) {
        uint64_t number = (uint64_t)(c - zones->chunks.lo[axis]) / zones->block[axis];
        return (int)(number % (uint64_t)zones->grid[axis]);
    }
    // The last row that begins at or before it: of rows with the same start only the last has
    // chunks.
    int from = 0, to = zones->grid[axis] - 1;
    while (from < to) {
        int middle = from + (to - from + 1) / 2;
        if (zones->cuts[axis][middle] <= c) {
            from = middle;
        } else {
            to = middle - 1;
        }
    }
    return from;
}

/* How many blocks a row has. */
static uint64_t n_blocks(const xta_zones *zones, int axis, int row)
{
    if (zones->irregular) {
        return zones->cuts[axis][row] < zones->cuts[axis][row + 1];
    }
    uint64_t length = (uint64_t)(zones->chunks.hi[axis] - zones->chunks.lo[axis]);
    uint64_t all = length / zones->block[axis] + (length % zones->block[axis] != 0);
    return all > (uint64_t)row ? (all - (uint64_t)row - 1) / (uint64_t)zones->grid[axis] + 1 : 0;
}

/* Block `k` of a row. */
static void block_at(const xta_zones *zones, int axis, int row, uint64_t k, int64_t *lo,
                     int64_t *hi)
{
    if (zones->irregular) {
        *lo = zones->cuts[axis][row];
        *hi = zones->cuts[axis][row + 1];
        return;
    }
    uint64_t number = k * (uint64_t)zones->grid[axis] + (uint64_t)row;
    *lo = zones->chunks.lo[axis] + (int64_t)(number * zones->block[axis]);
    uint64_t rest = (uint64_t)(zones->chunks.hi[axis] - *lo);
    *hi = *lo + (int64_t)(rest < zones->block[axis] ? rest : zones->block[axis]);
}

/* ---- all axes ---- */

int xta_zones_n_ranks(const xta_zones *zones)
{
    return zones->n_ranks;
}

xta_box xta_zones_chunks(const xta_zones *zones)
{
    return zones->chunks;
}

const int *xta_zones_grid(const xta_zones *zones)
{
    return zones->grid;
}

int xta_zones_rank_of_chunk(const xta_zones *zones, const int64_t chunk[])
{
    int rank = 0;

    for (int axis = 0; axis < zones->chunks.ndim; axis++) {
        if (chunk[axis] < zones->chunks.lo[axis] || chunk[axis] >= zones->chunks.hi[axis]) {
            return -1;
        }
        rank = rank * zones->grid[axis] + row_of(zones, axis, chunk[axis]);
    }
    return rank;
}

int xta_zones_rank_of_cell(const xta_zones *zones, const int64_t cell[])
{
    int64_t chunk[XTA_MAX_NDIM];

    for (int axis = 0; axis < zones->chunks.ndim; axis++) {
        chunk[axis] = xta__floor_div(cell[axis], zones->chunk[axis]);
    }
    return xta_zones_rank_of_chunk(zones, chunk);
}

bool xta__zones_place(const xta_zones *zones, int rank, int rows[])
{
    if (rank < 0 || rank >= zones->n_ranks) {
        return false;
    }
    for (int axis = zones->chunks.ndim - 1; axis >= 0; axis--) {
        rows[axis] = rank % zones->grid[axis];
        rank /= zones->grid[axis];
    }
    return true;
}

/* Whether a rank can hold anything at all; `rows` is its position. If an axis is empty, the others
 * may have any length: then their product must not be computed. */
static bool may_hold(const xta_zones *zones, int rank, int rows[])
{
    return !xta_box_empty(&zones->chunks) && xta__zones_place(zones, rank, rows);
}

uint64_t xta_zones_n_boxes(const xta_zones *zones, int rank)
{
    int rows[XTA_MAX_NDIM];
    uint64_t n = 1;

    if (!may_hold(zones, rank, rows)) {
        return 0;
    }
    for (int axis = 0; axis < zones->chunks.ndim; axis++) {
        n *= n_blocks(zones, axis, rows[axis]);
    }
    return n;
}

xta_box xta_zones_box(const xta_zones *zones, int rank, uint64_t k)
{
    int rows[XTA_MAX_NDIM];
    xta_box box = {.ndim = zones->chunks.ndim};

    assert(k < xta_zones_n_boxes(zones, rank));
    if (!xta__zones_place(zones, rank, rows)) {
        return box;
    }
    for (int axis = box.ndim - 1; axis >= 0; axis--) {
        uint64_t n = n_blocks(zones, axis, rows[axis]);
        block_at(zones, axis, rows[axis], n > 0 ? k % n : 0, &box.lo[axis], &box.hi[axis]);
        k /= n > 0 ? n : 1;
    }
    return box;
}

xta_box xta_zones_cells(const xta_zones *zones, int rank, uint64_t k, const xta_box *bounds)
{
    xta_box box = xta_zones_box(zones, rank, k);

    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] *= zones->chunk[axis];
        box.hi[axis] *= zones->chunk[axis];
    }
    return bounds != NULL ? xta_box_intersect(&box, bounds) : box;
}

uint64_t xta_zones_n_chunks(const xta_zones *zones, int rank)
{
    int rows[XTA_MAX_NDIM];
    uint64_t n = 1;

    if (!may_hold(zones, rank, rows)) {
        return 0;
    }
    for (int axis = 0; axis < zones->chunks.ndim; axis++) {
        n *= owned_below(zones, axis, rows[axis], zones->chunks.hi[axis], 1);
    }
    return n;
}

/* ---- the part of an interval in a row ---- */

int xta__zones_rows(const xta_zones *zones, int axis, int64_t lo, int64_t hi, int *first)
{
    int64_t from = xta__floor_div(lo, zones->chunk[axis]);
    int64_t last = xta__floor_div(hi - 1, zones->chunk[axis]);

    *first = row_of(zones, axis, from);
    if (zones->irregular) {
        return row_of(zones, axis, last) - *first + 1;
    }
    uint64_t begin = (uint64_t)zones->chunks.lo[axis], block = zones->block[axis];
    uint64_t n = ((uint64_t)last - begin) / block - ((uint64_t)from - begin) / block + 1;
    return n < (uint64_t)zones->grid[axis] ? (int)n : zones->grid[axis];
}

/* Blocks of a row that are distributed in turn: a first one and a last one, which the interval may
 * cut, and whole ones in between. */
static int cyclic_runs(const xta_zones *zones, int axis, int row, int64_t lo, int64_t hi,
                       xta__zone_run runs[3])
{
    uint64_t block = zones->block[axis] * (uint64_t)zones->chunk[axis];
    uint64_t rows = (uint64_t)zones->grid[axis];
    int64_t base = zones->chunks.lo[axis] * zones->chunk[axis];
    uint64_t from = ((uint64_t)lo - (uint64_t)base) / block;
    uint64_t last = ((uint64_t)(hi - 1) - (uint64_t)base) / block;
    uint64_t ahead = ((uint64_t)row + rows - from % rows) % rows;
    int n = 0;

    if (rows == 1) {
        runs[n++] = (xta__zone_run){.begin = lo, .length = hi - lo, .count = 1};
        return n;
    }
    if (last - from < ahead) {
        return 0;
    }
    from += ahead;
    last -= (last - from) % rows;
    int64_t begin = base + (int64_t)(from * block);
    int64_t end = last > from || (uint64_t)(hi - begin) > block ? begin + (int64_t)block : hi;
    begin = begin < lo ? lo : begin;
    runs[n++] = (xta__zone_run){.begin = begin, .length = end - begin, .count = 1};
    if (last > from + rows) {
        runs[n++] = (xta__zone_run){.begin = base + (int64_t)((from + rows) * block),
                                    .length = (int64_t)block,
                                    .count = (int64_t)((last - from) / rows - 1),
                                    .spacing = (int64_t)(rows * block)};
    }
    if (last > from) {
        begin = base + (int64_t)(last * block);
        end = (uint64_t)(hi - begin) > block ? begin + (int64_t)block : hi;
        runs[n++] = (xta__zone_run){.begin = begin, .length = end - begin, .count = 1};
    }
    return n;
}

void xta__zones_piece(const xta_zones *zones, int axis, int row, int64_t bound_lo, int64_t lo,
                      int64_t hi, xta__zone_piece *part)
{
    int64_t unit = zones->chunk[axis];
    uint64_t below = owned_below(zones, axis, row, lo, unit);

    part->before = (int64_t)(below - owned_below(zones, axis, row, bound_lo, unit));
    part->n = (int64_t)(owned_below(zones, axis, row, hi, unit) - below);
    part->n_runs = 0;
    if (part->n == 0) {
        return;
    }
    if (zones->irregular) {
        int64_t first = zones->cuts[axis][row] * unit;
        part->runs[0] =
            (xta__zone_run){.begin = first < lo ? lo : first, .length = part->n, .count = 1};
        part->n_runs = 1;
        return;
    }
    part->n_runs = cyclic_runs(zones, axis, row, lo, hi, part->runs);
}
