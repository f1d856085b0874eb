/* Zones against a naive distribution: walk along each axis, block by block, and record the owner of
 * each chunk. Every query of the public API is then compared with these records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/array.h>
#include <xta/zones.h>

#include "geometry/grid/zones.h"
#include "support/random.h"

#define MAX_LENGTH 16
#define MAX_RANKS  64
#define MAX_CHUNKS 4096

static uint64_t seed;

/* ---- the naive version ---- */

typedef struct problem {
    xta_box chunks;
    int64_t chunk[XTA_MAX_NDIM];
    int n_ranks;
    int grid[XTA_MAX_NDIM];
    int64_t cycle[XTA_MAX_NDIM];
    int64_t cuts[XTA_MAX_NDIM][MAX_RANKS];
    const int64_t *cuts_of[XTA_MAX_NDIM];
    xta_distribution distribution;
    int row[XTA_MAX_NDIM][MAX_LENGTH]; /* of each chunk coordinate, from the lower end */
    xta_box bounds;                    /* cells, cutting the first and the last chunks */
} problem;

/* The row of a chunk coordinate by the cuts: an interval for each row, which may be empty. */
static int row_by_cuts(const problem *p, int axis, int64_t c)
{
    for (int row = 0; row < p->grid[axis]; row++) {
        int64_t lo = row == 0 ? p->chunks.lo[axis] : p->cuts[axis][row - 1];
        int64_t hi = row == p->grid[axis] - 1 ? p->chunks.hi[axis] : p->cuts[axis][row];
        if (c >= lo && c < hi) {
            return row;
        }
    }
    return -1;
}

static void distribute_naively(problem *p)
{
    for (int axis = 0; axis < p->chunks.ndim; axis++) {
        int64_t length = p->chunks.hi[axis] - p->chunks.lo[axis];
        int64_t block = p->cycle[axis];
        if (p->distribution.kind == XTA_BLOCK) {
            block = 1;
            while (block * p->grid[axis] < length) {
                block++;
            }
        }
        int row = 0;
        int64_t left = block;
        for (int64_t i = 0; i < length; i++) {
            if (p->distribution.kind == XTA_IRREGULAR) {
                p->row[axis][i] = row_by_cuts(p, axis, p->chunks.lo[axis] + i);
                continue;
            }
            if (left == 0) {
                row = (row + 1) % p->grid[axis];
                left = block;
            }
            p->row[axis][i] = row;
            left--;
        }
    }
}

static int rank_by_hand(const problem *p, const int64_t c[])
{
    int rank = 0;

    for (int axis = 0; axis < p->chunks.ndim; axis++) {
        if (c[axis] < p->chunks.lo[axis] || c[axis] >= p->chunks.hi[axis]) {
            return -1;
        }
        rank = rank * p->grid[axis] + p->row[axis][c[axis] - p->chunks.lo[axis]];
    }
    return rank;
}

/* Step to the next coordinate of a box, row-major; false after the last. */
static bool next_in(const xta_box *box, int64_t c[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++c[axis] < box->hi[axis]) {
            return true;
        }
        c[axis] = box->lo[axis];
    }
    return false;
}

static uint64_t row_major_number(const xta_box *box, const int64_t c[])
{
    uint64_t number = 0;

    for (int axis = 0; axis < box->ndim; axis++) {
        number = number * (uint64_t)(box->hi[axis] - box->lo[axis]) +
                 (uint64_t)(c[axis] - box->lo[axis]);
    }
    return number;
}

/* ---- random problems ---- */

static int compare_cuts(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

static void random_distribution(test_random *random, problem *p)
{
    p->distribution = (xta_distribution)XTA_DISTRIBUTION_INIT;
    p->distribution.kind = (xta_distribution_kind)test_random_in(random, 0, 2);
    for (int axis = 0; axis < p->chunks.ndim; axis++) {
        p->cycle[axis] = test_random_in(random, 1, test_random_chance(random, 20) ? 40 : 3);
        for (int k = 0; k < p->grid[axis] - 1; k++) {
            p->cuts[axis][k] = test_random_in(random, p->chunks.lo[axis], p->chunks.hi[axis]);
        }
        qsort(p->cuts[axis], (size_t)p->grid[axis] - 1, sizeof p->cuts[axis][0], compare_cuts);
        p->cuts_of[axis] = p->grid[axis] > 1 ? p->cuts[axis] : NULL;
    }
    if (p->distribution.kind == XTA_BLOCK_CYCLIC && test_random_chance(random, 20)) {
        for (int axis = 0; axis < p->chunks.ndim; axis++) {
            p->cycle[axis] = 1;
        }
    } else {
        p->distribution.cycle = p->cycle;
    }
    p->distribution.cuts = p->distribution.kind == XTA_IRREGULAR ? p->cuts_of : NULL;
    p->distribution.grid = p->grid;
}

static void random_problem(test_random *random, problem *p)
{
    int ndim = (int)test_random_in(random, 1, 6);
    uint64_t n_chunks = 1;

    memset(p, 0, sizeof *p);
    p->chunks.ndim = p->bounds.ndim = ndim;
    p->n_ranks = 1;
    for (int axis = 0; axis < ndim; axis++) {
        int64_t chunks_left = MAX_CHUNKS / (int64_t)n_chunks;
        int64_t longest = chunks_left < MAX_LENGTH ? chunks_left : MAX_LENGTH;
        int64_t length = test_random_in(random, 1, longest);
        int rows = (int)test_random_in(random, 1, MAX_RANKS / p->n_ranks);
        length = test_random_chance(random, 3) ? 0 : length;
        p->grid[axis] = test_random_chance(random, 50) ? 1 : rows;
        p->n_ranks *= p->grid[axis];
        p->chunks.lo[axis] = test_random_in(random, -20, 20);
        p->chunks.hi[axis] = p->chunks.lo[axis] + length;
        p->chunk[axis] = test_random_in(random, 1, 5);
        p->bounds.lo[axis] = p->chunks.lo[axis] * p->chunk[axis];
        p->bounds.hi[axis] = p->chunks.hi[axis] * p->chunk[axis];
        if (length > 0) {
            p->bounds.lo[axis] += test_random_in(random, 0, p->chunk[axis] - 1);
            p->bounds.hi[axis] -= test_random_in(random, 0, p->chunk[axis] - 1);
            p->bounds.hi[axis] =
                p->bounds.hi[axis] < p->bounds.lo[axis] ? p->bounds.lo[axis] : p->bounds.hi[axis];
        }
        n_chunks *= (uint64_t)(length > 0 ? length : 1);
    }
    random_distribution(random, p);
    distribute_naively(p);
}

/* ---- properties ---- */

/* Boxes come in row-major order and none is empty. */
static void check_order(const xta_box *before, const xta_box *box)
{
    int axis = 0;

    assert_false(xta_box_empty(box));
    if (before != NULL) {
        while (axis < box->ndim - 1 && box->lo[axis] == before->lo[axis]) {
            axis++;
        }
        assert_true(box->lo[axis] > before->lo[axis]);
    }
}

/* A box in cells is the same box, cut at the bounds. */
static void check_cells(const problem *p, const xta_zones *zones, int rank, uint64_t k)
{
    xta_box box = xta_zones_box(zones, rank, k);
    xta_box whole = xta_zones_cells(zones, rank, k, NULL);
    xta_box cut = xta_zones_cells(zones, rank, k, &p->bounds);
    xta_box expected = {.ndim = box.ndim};

    for (int axis = 0; axis < box.ndim; axis++) {
        expected.lo[axis] = box.lo[axis] * p->chunk[axis];
        expected.hi[axis] = box.hi[axis] * p->chunk[axis];
    }
    assert_true(xta_box_equal(&whole, &expected));
    expected = xta_box_intersect(&expected, &p->bounds);
    assert_true(xta_box_equal(&cut, &expected));
}

/* Every chunk of every box of every rank belongs to that rank, and each chunk occurs once. */
static void check_boxes(const problem *p, const xta_zones *zones)
{
    static uint8_t met[MAX_CHUNKS];
    uint64_t total = 0, n_chunks = 0;

    memset(met, 0, sizeof met);
    for (int rank = 0; rank < p->n_ranks; rank++) {
        uint64_t count = 0, n_boxes = xta_zones_n_boxes(zones, rank);
        xta_box before;
        assert_true(p->distribution.kind == XTA_BLOCK_CYCLIC || n_boxes <= 1);
        for (uint64_t k = 0; k < n_boxes; k++) {
            xta_box box = xta_zones_box(zones, rank, k);
            int64_t c[XTA_MAX_NDIM];
            check_order(k > 0 ? &before : NULL, &box);
            assert_true(xta_box_contains(&p->chunks, &box));
            check_cells(p, zones, rank, k);
            memcpy(c, box.lo, sizeof c);
            do {
                assert_int_equal(rank_by_hand(p, c), rank);
                assert_int_equal(met[row_major_number(&p->chunks, c)]++, 0);
                count++;
            } while (next_in(&box, c));
            before = box;
        }
        assert_int_equal(xta_zones_n_chunks(zones, rank), count);
        total += count;
    }
    assert_int_equal(xta_box_cells(&p->chunks, &n_chunks), XTA_OK);
    assert_int_equal(total, n_chunks);
    assert_int_equal(xta_zones_n_boxes(zones, p->n_ranks), 0);
    assert_int_equal(xta_zones_n_boxes(zones, -1), 0);
    assert_int_equal(xta_zones_n_chunks(zones, -1), 0);
}

/* Every chunk has the recorded owner, and so has each of its cells; chunks around the box have
 * none. */
static void check_owners(test_random *random, const problem *p, const xta_zones *zones)
{
    xta_box around = p->chunks;
    int64_t c[XTA_MAX_NDIM], cell[XTA_MAX_NDIM];
    bool wide = p->chunks.ndim <= 3;

    for (int axis = 0; axis < around.ndim; axis++) {
        around.lo[axis] -= wide;
        around.hi[axis] += wide;
        c[axis] = around.lo[axis];
    }
    if (xta_box_empty(&around)) {
        assert_int_equal(xta_zones_rank_of_chunk(zones, c), -1);
        return;
    }
    do {
        for (int axis = 0; axis < around.ndim; axis++) {
            cell[axis] = c[axis] * p->chunk[axis] + test_random_in(random, 0, p->chunk[axis] - 1);
        }
        assert_int_equal(xta_zones_rank_of_chunk(zones, c), rank_by_hand(p, c));
        assert_int_equal(xta_zones_rank_of_cell(zones, cell), rank_by_hand(p, c));
    } while (next_in(&around, c));
}

/* The row of a cell of an axis. */
static int row_of_cell(const problem *p, int axis, int64_t cell)
{
    return p->row[axis][xta__floor_div(cell, p->chunk[axis]) - p->chunks.lo[axis]];
}

/* The part of an interval in a row: the cells of its runs are the recorded ones, in order. */
static void check_part(const problem *p, const xta_zones *zones, int axis, int row, int64_t lo,
                       int64_t hi)
{
    xta__zone_piece part;
    int64_t before = 0, n = 0, expected = lo;

    for (int64_t cell = p->bounds.lo[axis]; cell < hi; cell++) {
        if (row_of_cell(p, axis, cell) == row) {
            before += cell < lo;
            n += cell >= lo;
        }
    }
    xta__zones_piece(zones, axis, row, p->bounds.lo[axis], lo, hi, &part);
    assert_true(part.n == n && (n == 0 || part.before == before));
    assert_true(part.n_runs <= 3 && (part.n_runs > 0) == (n > 0));
    for (int k = 0; k < part.n_runs; k++) {
        assert_true(part.runs[k].count > 0 && part.runs[k].length > 0);
        for (int64_t i = 0; i < part.runs[k].count * part.runs[k].length; i++) {
            while (expected < hi && row_of_cell(p, axis, expected) != row) {
                expected++;
            }
            int64_t cell = part.runs[k].begin + i / part.runs[k].length * part.runs[k].spacing +
                           i % part.runs[k].length;
            assert_true(cell == expected && cell < hi);
            expected++;
            n--;
        }
    }
    assert_true(n == 0);
}

static void check_intervals(test_random *random, const problem *p, const xta_zones *zones)
{
    for (int axis = 0; axis < p->chunks.ndim; axis++) {
        int64_t from = p->bounds.lo[axis], to = p->bounds.hi[axis];
        for (int trial = 0; trial < 4 && from < to; trial++) {
            int64_t lo = trial == 0 ? from : test_random_in(random, from, to - 1);
            int64_t hi = trial == 0 ? to : test_random_in(random, lo + 1, to);
            bool named[MAX_RANKS] = {false};
            int first = -1, n = xta__zones_rows(zones, axis, lo, hi, &first);
            assert_true(n >= 1 && n <= p->grid[axis] && first >= 0);
            for (int k = 0; k < n; k++) {
                named[(first + k) % p->grid[axis]] = true;
            }
            for (int64_t cell = lo; cell < hi; cell++) {
                assert_true(named[row_of_cell(p, axis, cell)]);
            }
            for (int row = 0; row < p->grid[axis]; row++) {
                check_part(p, zones, axis, row, lo, hi);
            }
        }
    }
}

static void check_place(const problem *p, const xta_zones *zones)
{
    xta_box places = {.ndim = p->chunks.ndim};
    int64_t place[XTA_MAX_NDIM] = {0};
    int rows[XTA_MAX_NDIM], rank = 0;

    for (int axis = 0; axis < places.ndim; axis++) {
        places.hi[axis] = p->grid[axis];
    }
    do {
        assert_true(xta__zones_place(zones, rank, rows));
        for (int axis = 0; axis < places.ndim; axis++) {
            assert_int_equal(rows[axis], place[axis]);
        }
        rank++;
    } while (next_in(&places, place));
    assert_int_equal(rank, p->n_ranks);
    assert_false(xta__zones_place(zones, rank, rows));
}

static void random_zones(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t trial = 0; trial < test_scale(4000); trial++) {
        static problem p;
        xta_zones *zones = NULL;
        xta_error err;
        random_problem(&random, &p);
        assert_int_equal(
            xta_zones_new(&p.chunks, p.chunk, p.n_ranks, &p.distribution, &zones, &err), XTA_OK);
        xta_box chunks = xta_zones_chunks(zones);
        assert_true(xta_box_equal(&chunks, &p.chunks));
        assert_int_equal(xta_zones_n_ranks(zones), p.n_ranks);
        assert_memory_equal(xta_zones_grid(zones), p.grid, (size_t)chunks.ndim * sizeof p.grid[0]);
        check_boxes(&p, zones);
        check_owners(&random, &p, zones);
        check_intervals(&random, &p, zones);
        check_place(&p, zones);
        xta_zones_free(zones);
    }
}

/* ---- limits ---- */

/* Lengths near the limits of coordinates, where sums of them would overflow. */
static void large_boxes(void **state)
{
    int64_t end = XTA__COORD_LIMIT - 1, unit = 1;
    xta_box chunks = xta_box_make(1, (int64_t[]){-end}, &end);
    const int grid = 3;
    const int64_t cycle = INT64_MAX, third = (int64_t)(((uint64_t)end * 2 + 2) / 3);
    xta_distribution distribution = XTA_DISTRIBUTION_INIT;
    xta_zones *zones = NULL;

    (void)state;
    distribution.grid = &grid;
    assert_int_equal(xta_zones_new(&chunks, &unit, 3, &distribution, &zones, NULL), XTA_OK);
    for (int rank = 0; rank < 3; rank++) {
        xta_box box = xta_zones_box(zones, rank, 0);
        int64_t last = box.hi[0] - 1;
        assert_true(box.lo[0] == -end + rank * third);
        assert_int_equal(xta_zones_rank_of_cell(zones, box.lo), rank);
        assert_int_equal(xta_zones_rank_of_cell(zones, &last), rank);
        assert_true(box.hi[0] == (rank < 2 ? box.lo[0] + third : end));
        assert_true(xta_zones_n_chunks(zones, rank) == (uint64_t)(box.hi[0] - box.lo[0]));
    }
    assert_int_equal(xta_zones_rank_of_cell(zones, &end), -1);
    assert_int_equal(xta_zones_rank_of_cell(zones, (int64_t[]){INT64_MIN}), -1);
    assert_int_equal(xta_zones_rank_of_cell(zones, (int64_t[]){INT64_MAX}), -1);
    xta_zones_free(zones);

    distribution.kind = XTA_BLOCK_CYCLIC;
    distribution.cycle = &cycle;
    assert_int_equal(xta_zones_new(&chunks, &unit, 3, &distribution, &zones, NULL), XTA_OK);
    assert_true(xta_zones_n_chunks(zones, 0) == (uint64_t)end * 2);
    assert_int_equal(xta_zones_n_boxes(zones, 1), 0);
    xta_zones_free(zones);
}

/* ---- [DRX] ---- */

/* The array of 10x12 cells in chunks of 2x3, on 4 ranks, and its zones as in the paper's
 * listing. */
static void paper_example(void **state)
{
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    static const int64_t start[] = {2, 3}, chunk[] = {2, 3};
    static const int64_t corner[4][4] = {{0, 0, 3, 2}, {0, 2, 3, 4}, {3, 0, 5, 2}, {3, 2, 5, 4}};
    static const uint64_t addresses[4][7] = {{0, 1, 2, 3, 4, 5, UINT64_MAX},
                                             {6, 7, 8, 12, 13, 14, UINT64_MAX},
                                             {9, 10, 16, 17, UINT64_MAX},
                                             {11, 15, 18, 19, UINT64_MAX}};
    xta_array *array = NULL;
    xta_zones *zones = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    (void)state;
    options.chunk = chunk;
    assert_int_equal(xta_array_new(XTA_F64, 2, start, &options, &array, NULL), XTA_OK);
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        xta_growth growth = {axes[i], XTA_BACK, chunk[axes[i]]};
        assert_int_equal(xta_array_extend(array, &growth, 1, NULL, NULL), XTA_OK);
    }
    xta_box chunks = xta_box_make(2, (int64_t[]){0, 0}, (int64_t[]){5, 4});
    assert_int_equal(xta_zones_new(&chunks, chunk, 4, NULL, &zones, NULL), XTA_OK);
    for (int rank = 0; rank < 4; rank++) {
        xta_box expected = xta_box_make(2, corner[rank], corner[rank] + 2);
        xta_box box = xta_zones_box(zones, rank, 0);
        uint64_t seen = 0, address = 0;
        int64_t c[XTA_MAX_NDIM] = {box.lo[0], box.lo[1]};
        assert_int_equal(xta_zones_n_boxes(zones, rank), 1);
        assert_true(xta_box_equal(&box, &expected));
        do {
            int in_list = 0;
            assert_int_equal(xta_array_chunk_address(array, c, &address, NULL), XTA_OK);
            while (addresses[rank][in_list] != address) {
                assert_true(addresses[rank][in_list] != UINT64_MAX);
                in_list++;
            }
            seen |= (uint64_t)1 << address;
        } while (next_in(&box, c));
        for (int k = 0; addresses[rank][k] != UINT64_MAX; k++) {
            assert_true((seen >> addresses[rank][k] & 1) == 1);
        }
    }
    assert_int_equal(xta_zones_grid(zones)[0], 2);
    assert_int_equal(xta_zones_rank_of_cell(zones, (int64_t[]){9, 5}), 2);
    assert_int_equal(xta_zones_n_chunks(zones, 2), 4);
    assert_int_equal(xta_zones_grid(zones)[1], 2);
    xta_zones_free(zones);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

/* ---- what is refused ---- */

static void refused(const xta_box *chunks, const int64_t chunk[], int n_ranks,
                    const xta_distribution *distribution, xta_status expected, const char *words)
{
    xta_zones *zones = (xta_zones *)1;
    xta_error err = {.status = XTA_OK};

    assert_int_equal(xta_zones_new(chunks, chunk, n_ranks, distribution, &zones, &err), expected);
    assert_null(zones);
    assert_int_equal(err.status, expected);
    if (strstr(err.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", err.text, words);
    }
    assert_int_equal(xta_zones_new(chunks, chunk, n_ranks, distribution, &zones, NULL), expected);
}

static void bad_boxes(void **state)
{
    int64_t chunk[3] = {2, 3, 4};
    xta_box box = xta_box_make(3, (int64_t[]){0, -3, 5}, (int64_t[]){4, 3, 5});
    xta_box bad = box;

    (void)state;
    refused(NULL, chunk, 2, NULL, XTA_EARG, "no box of chunks to distribute: give");
    refused(&box, NULL, 2, NULL, XTA_EARG, "no chunk lengths to distribute: give");
    refused(&box, chunk, 0, NULL, XTA_EARG, "0 ranks to distribute to: give 1");
    refused(&box, chunk, -3, NULL, XTA_EARG, "-3 ranks");
    bad.ndim = 0;
    refused(&bad, chunk, 2, NULL, XTA_EARG, "a box of 0 axes: give 1 to 32");
    bad.ndim = XTA_MAX_NDIM + 1;
    refused(&bad, chunk, 2, NULL, XTA_EARG, "a box of 33 axes");
    bad = box;
    bad.hi[1] = -4;
    refused(&bad, chunk, 2, NULL, XTA_EARG, "axis 1: chunks from -3 to -4: the end must not");
    bad = box;
    bad.hi[2] = XTA__COORD_LIMIT;
    refused(&bad, chunk, 2, NULL, XTA_EOVERFLOW, "axis 2: chunks 5 to 4611686018427387904 of 4");
    bad.hi[2] = XTA__COORD_LIMIT - 1;
    refused(&bad, chunk, 2, NULL, XTA_EOVERFLOW, "axis 2");
    bad = box;
    bad.lo[0] = -XTA__COORD_LIMIT / 1;
    refused(&bad, chunk, 2, NULL, XTA_EOVERFLOW, "axis 0");
    bad = xta_box_make(3, (int64_t[]){0, 0, 0}, (int64_t[]){1 << 30, 1 << 30, 1 << 30});
    refused(&bad, chunk, 2, NULL, XTA_EOVERFLOW, "more than 2^63 - 1");
    chunk[1] = 0;
    refused(&box, chunk, 2, NULL, XTA_EARG, "axis 1: chunk length 0: give 1 or more");
}

static void bad_distributions(void **state)
{
    const int64_t chunk[2] = {2, 3}, cycle[2] = {1, 0};
    int64_t cut0[2] = {3, 2}, cut1[1] = {3};
    const int64_t *cuts[2] = {cut0, cut1};
    int grid[2] = {3, 2};
    const int64_t lo[2] = {0, -3}, hi[2] = {6, 2};
    const xta_box box = xta_box_make(2, lo, hi);
    xta_distribution d = XTA_DISTRIBUTION_INIT;

    (void)state;
    d.struct_size = 4;
    refused(&box, chunk, 6, &d, XTA_EARG, "struct_size 4 of an xta_distribution: begin with");
    d.struct_size = sizeof d;
    d.kind = (xta_distribution_kind)3;
    refused(&box, chunk, 6, &d, XTA_EARG, "kind 3 of the distribution: give XTA_BLOCK");
    d.kind = XTA_BLOCK;
    d.grid = grid;
    refused(&box, chunk, 7, &d, XTA_EARG, "grid 3,2 has 6 places for 7 ranks: its product");
    grid[0] = 0;
    refused(&box, chunk, 6, &d, XTA_EARG, "axis 0: 0 rows of the process grid: give 1");
    grid[0] = grid[1] = INT32_MAX;
    refused(&box, chunk, 6, &d, XTA_EARG, "places for 6 ranks");
    grid[0] = 3;
    grid[1] = 2;
    d.kind = XTA_BLOCK_CYCLIC;
    d.cycle = cycle;
    refused(&box, chunk, 6, &d, XTA_EARG, "axis 1: cycle 0: a block has 1 or more");
    d.kind = XTA_IRREGULAR;
    refused(&box, chunk, 6, &d, XTA_EARG, "irregular distribution has no cuts");
    d.cuts = cuts;
    d.grid = NULL;
    refused(&box, chunk, 6, &d, XTA_EARG, "irregular distribution has no grid");
    d.grid = grid;
    refused(&box, chunk, 6, &d, XTA_EARG, "axis 0: cut 1 at 2 lies before the one at 3: cuts must");
    cut0[1] = 6;
    refused(&box, chunk, 6, &d, XTA_EARG, "axis 1: cut 0 at 3 leaves the chunks: give -3 to 2");
    cut1[0] = -4;
    refused(&box, chunk, 6, &d, XTA_EARG, "axis 1: cut 0 at -4 leaves");
    cuts[1] = NULL;
    refused(&box, chunk, 6, &d, XTA_EARG, "axis 1: no cuts for 2 rows of the process grid: give 1");
}

/* The distribution is copied, and fields that a kind does not use are ignored. */
static void copied(void **state)
{
    int grid[1] = {2};
    int64_t cut[1] = {1}, cycle[1] = {-5};
    const int64_t *cuts[1] = {cut};
    const int64_t chunk[1] = {4}, lo[1] = {0}, hi[1] = {6}, two[1] = {2};
    const xta_box box = xta_box_make(1, lo, hi);
    xta_distribution d = XTA_DISTRIBUTION_INIT;
    xta_zones *zones = NULL;

    (void)state;
    d.kind = XTA_IRREGULAR;
    d.grid = grid;
    d.cuts = cuts;
    d.cycle = cycle;
    assert_int_equal(xta_zones_new(&box, chunk, 2, &d, &zones, NULL), XTA_OK);
    grid[0] = 77;
    cut[0] = 5;
    assert_int_equal(xta_zones_rank_of_chunk(zones, two), 1);
    assert_int_equal(xta_zones_n_chunks(zones, 0), 1);
    assert_int_equal(xta_zones_grid(zones)[0], 2);
    xta_zones_free(zones);
    xta_zones_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_zones),      cmocka_unit_test(large_boxes),
        cmocka_unit_test(paper_example),     cmocka_unit_test(bad_boxes),
        cmocka_unit_test(bad_distributions), cmocka_unit_test(copied),
    };

    seed = test_seed("plan_zones", 20240701);
    return cmocka_run_group_tests_name("plan_zones", tests, NULL, NULL);
}
