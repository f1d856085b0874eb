/* See fake_grid.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "property/fake_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An invalid call: the test cannot continue. */
static void check(bool good, const char *what, const fake_grid *grid)
{
    if (!good) {
        fprintf(stderr, "%s: %s\n", grid->blocks.name, what);
        abort();
    }
}

static void cut_of(const xta_cuts *cuts, int64_t lo, int64_t hi, int64_t k, int64_t *from,
                   int64_t *to)
{
    if (cuts->length == 0) {
        *from = cuts->edges[k];
        *to = cuts->edges[k + 1];
        return;
    }
    int64_t cut = cuts->origin;
    while (cut > lo) {
        cut -= cuts->length;
    }
    while (cut + cuts->length <= lo) {
        cut += cuts->length;
    }
    cut += k * cuts->length;
    *from = cut < lo ? lo : cut;
    *to = cut + cuts->length > hi ? hi : cut + cuts->length;
}

static int64_t n_blocks_of(const xta_blocks *blocks, int axis)
{
    int64_t n = 0, from = 0, to = 0;

    do {
        cut_of(&blocks->partition.axis[axis], blocks->bounds.lo[axis], blocks->bounds.hi[axis], n,
               &from, &to);
        n++;
    } while (to < blocks->bounds.hi[axis]);
    return n;
}

uint64_t fake_block_number(const xta_blocks *blocks, const int64_t block[])
{
    uint64_t number = 0;

    for (int a = 0; a < blocks->bounds.ndim; a++) {
        number = number * (uint64_t)n_blocks_of(blocks, a) + (uint64_t)block[a];
    }
    return number;
}

xta_box fake_block_cells(const xta_blocks *blocks, const int64_t block[])
{
    xta_box box = {.ndim = blocks->bounds.ndim};

    for (int a = 0; a < box.ndim; a++) {
        cut_of(&blocks->partition.axis[a], blocks->bounds.lo[a], blocks->bounds.hi[a], block[a],
               &box.lo[a], &box.hi[a]);
    }
    return box;
}

/* Number of a cell of `box`, row-major. */
static uint64_t cell_number(const xta_box *box, const int64_t coord[])
{
    uint64_t number = 0;

    for (int a = 0; a < box->ndim; a++) {
        number = number * (uint64_t)(box->hi[a] - box->lo[a]) + (uint64_t)(coord[a] - box->lo[a]);
    }
    return number;
}

static bool next_cell(const xta_box *box, int64_t coord[])
{
    for (int a = box->ndim - 1; a >= 0; a--) {
        if (++coord[a] < box->hi[a]) {
            return true;
        }
        coord[a] = box->lo[a];
    }
    return false;
}

/* The cells with a position in a block; for a chunk also those outside the bounds. */
static xta_box stored_cells(const xta_blocks *blocks, const int64_t block[])
{
    xta_box box = fake_block_cells(blocks, block);

    for (int a = 0; a < box.ndim && blocks->home == XTA_BLOCKS_CHUNKS; a++) {
        const xta_cuts *cuts = &blocks->partition.axis[a];
        while ((box.lo[a] - cuts->origin) % cuts->length != 0) {
            box.lo[a]--;
        }
        box.hi[a] = box.lo[a] + cuts->length;
    }
    return box;
}

static void reverse_axes(xta_box *box)
{
    const xta_box given = *box;

    for (int a = 0; a < box->ndim; a++) {
        box->lo[a] = given.lo[box->ndim - 1 - a];
        box->hi[a] = given.hi[box->ndim - 1 - a];
    }
}

uint64_t fake_runs(const xta_blocks *blocks, const int64_t block[], const xta_box *piece)
{
    xta_box cells = stored_cells(blocks, block), part = *piece;
    int64_t coord[XTA_MAX_NDIM];
    uint64_t runs = 0, last = 0;

    if (blocks->column) {
        reverse_axes(&cells);
        reverse_axes(&part);
    }
    memcpy(coord, part.lo, sizeof coord);
    do {
        uint64_t number = cell_number(&cells, coord);
        runs += runs == 0 || number != last + 1;
        last = number;
    } while (next_cell(&part, coord));
    return runs;
}

/* Whether this is the call that fails. Every call does this first. */
static xta_status begin_call(fake_grid *grid, xta_error *err)
{
    grid->n_calls++;
    if (grid->pause_us > 0) {
        usleep(grid->pause_us);
    }
    return grid->n_calls == grid->fail_at
               ? xta_error_set(err, XTA_EIO, 5, "%s: call %llu was told to fail", grid->blocks.name,
                               (unsigned long long)grid->n_calls)
               : XTA_OK;
}

static void remember(fake_grid *grid, const int64_t block[], const xta_box *piece)
{
    if (grid->n_moves == grid->capacity) {
        grid->capacity = 2 * grid->capacity + 64;
        grid->moves = realloc(grid->moves, grid->capacity * sizeof grid->moves[0]);
    }
    fake_move *move = &grid->moves[grid->n_moves++];
    memcpy(move->block, block, (size_t)piece->ndim * sizeof block[0]);
    move->piece = *piece;
}

static void move_cells(fake_grid *grid, const int64_t block[], const xta_box *piece, uint8_t *dense,
                       bool reading)
{
    const xta_box cells = fake_block_cells(&grid->blocks, block);
    size_t bytes = grid->blocks.cell_bytes;
    int64_t coord[XTA_MAX_NDIM];

    check(!xta_box_empty(piece) && xta_box_contains(&cells, piece), "a piece leaves its block",
          grid);
    remember(grid, block, piece);
    memcpy(coord, piece->lo, sizeof coord);
    do {
        uint64_t number = cell_number(&grid->blocks.bounds, coord);
        uint8_t *cell = grid->cells + number * bytes;
        memcpy(reading ? dense : cell, reading ? cell : dense, bytes);
        dense += bytes;
        grid->count[number]++;
    } while (next_cell(piece, coord));
}

static xta_status fake_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                            const int64_t strides[], xta_error *err)
{
    fake_grid *grid = self;
    xta_status status = begin_call(grid, err);

    check(strides == NULL, "strides are not used", grid);
    if (status == XTA_OK) {
        move_cells(grid, block, piece, cells, true);
    }
    return status;
}

static xta_status fake_write(void *self, const int64_t block[], const xta_box *piece,
                             const void *cells, const int64_t strides[], xta_error *err)
{
    fake_grid *grid = self;
    xta_status status = begin_call(grid, err);
    const xta_box whole = fake_block_cells(&grid->blocks, block);

    check(strides == NULL, "strides are not used", grid);
    check(grid->blocks.home != XTA_BLOCKS_WHOLE || xta_box_equal(&whole, piece),
          "a part of a block that moves only whole is written", grid);
    if (status == XTA_OK) {
        move_cells(grid, block, piece, (uint8_t *)(uintptr_t)cells, false);
    }
    return status;
}

static uint64_t fake_place(void *self, const int64_t block[])
{
    fake_grid *grid = self;

    return fake_block_number(&grid->blocks, block) * grid->blocks.block_bytes;
}

static xta_status fake_run(fake_grid *grid, size_t n, const int64_t *const block[],
                           uint8_t *const cells[], bool reading, xta_error *err)
{
    xta_status status = begin_call(grid, err);

    for (size_t k = 0; k < n && status == XTA_OK; k++) {
        const xta_box whole = fake_block_cells(&grid->blocks, block[k]);
        check(k == 0 || fake_place(grid, block[k]) ==
                            fake_place(grid, block[k - 1]) + grid->blocks.block_bytes,
              "blocks of one call do not follow each other", grid);
        move_cells(grid, block[k], &whole, cells[k], reading);
    }
    return status;
}

static xta_status fake_read_run(void *self, size_t n, const int64_t *const block[],
                                void *const cells[], xta_error *err)
{
    return fake_run(self, n, block, (uint8_t *const *)cells, true, err);
}

static xta_status fake_write_run(void *self, size_t n, const int64_t *const block[],
                                 const void *const cells[], xta_error *err)
{
    return fake_run(self, n, block, (uint8_t *const *)(uintptr_t)cells, false, err);
}

static xta_status fake_finish(void *self, const int64_t block[], xta_error *err)
{
    fake_grid *grid = self;
    const xta_box cells = fake_block_cells(&grid->blocks, block);
    int64_t coord[XTA_MAX_NDIM];

    (void)err;
    grid->n_finished++;
    memcpy(coord, cells.lo, sizeof coord);
    do {
        check(grid->count[cell_number(&grid->blocks.bounds, coord)] == 1,
              "a block is finished whose cells were not all written once", grid);
    } while (next_cell(&cells, coord));
    return XTA_OK;
}

static xta_status fake_sync(void *self, xta_error *err)
{
    fake_grid *grid = self;

    (void)err;
    grid->n_synced++;
    if (grid->spoil >= 0) {
        grid->cells[(uint64_t)grid->spoil * grid->blocks.cell_bytes] ^= 1;
    }
    return XTA_OK;
}

void fake_grid_init(fake_grid *grid, const char *name, const xta_box *bounds,
                    const xta_partition *partition, xta_block_home home, uint32_t cell_bytes,
                    bool target)
{
    uint64_t slot = cell_bytes;

    *grid = (fake_grid){.spoil = -1};
    grid->calls = (xta_blocks_calls){
        .read = fake_read, .write = fake_write, .finish = fake_finish, .sync = fake_sync};
    grid->n_cells = 1;
    for (int a = 0; a < bounds->ndim; a++) {
        grid->n_cells *= (uint64_t)(bounds->hi[a] - bounds->lo[a]);
        slot *= (uint64_t)partition->axis[a].length;
        grid->edges[a] = (int64_t *)(uintptr_t)partition->axis[a].edges;
    }
    if (home == XTA_BLOCKS_CHUNKS) {
        grid->calls.place = fake_place;
        grid->calls.read_run = fake_read_run;
        grid->calls.write_run = fake_write_run;
    }
    grid->blocks = (xta_blocks){.calls = &grid->calls,
                                .self = grid,
                                .name = name,
                                .bounds = *bounds,
                                .partition = *partition,
                                .home = home,
                                .type = XTA_BYTES,
                                .cell_bytes = cell_bytes,
                                .block_bytes = slot};
    grid->cells = malloc(grid->n_cells * cell_bytes);
    grid->count = calloc(grid->n_cells, sizeof grid->count[0]);
    for (uint64_t k = 0; k < grid->n_cells * cell_bytes; k++) {
        grid->cells[k] = target ? 0xee : (uint8_t)((k * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
    }
}

void fake_grid_forget(fake_grid *grid)
{
    memset(grid->count, 0, grid->n_cells * sizeof grid->count[0]);
    grid->n_moves = 0;
    grid->n_calls = 0;
    grid->n_finished = 0;
}

void fake_grid_clear(fake_grid *grid)
{
    for (int a = 0; a < grid->blocks.bounds.ndim; a++) {
        free(grid->edges[a]);
    }
    free(grid->cells);
    free(grid->count);
    free(grid->moves);
}

/* Edges at random coordinates. */
static int64_t *random_edges(test_random *random, int64_t lo, int64_t hi, int64_t *n)
{
    int64_t *edges = malloc((size_t)(hi - lo + 1) * sizeof edges[0]);

    *n = 0;
    edges[(*n)++] = lo;
    for (int64_t k = lo + 1; k < hi; k++) {
        if (test_random_chance(random, 30)) {
            edges[(*n)++] = k;
        }
    }
    edges[(*n)++] = hi;
    return edges;
}

xta_partition fake_partition(test_random *random, const xta_box *bounds, bool regular)
{
    xta_partition partition = {.ndim = bounds->ndim};

    for (int a = 0; a < bounds->ndim; a++) {
        int64_t n = bounds->hi[a] - bounds->lo[a];
        xta_cuts *cuts = &partition.axis[a];
        if (!regular && test_random_chance(random, 40)) {
            cuts->edges = random_edges(random, bounds->lo[a], bounds->hi[a], &cuts->n_edges);
            continue;
        }
        cuts->length = test_random_in(random, 1, test_random_chance(random, 20) ? n + 3 : n);
        cuts->origin = test_random_chance(random, 50) ? test_random_in(random, -9, 9) : 0;
    }
    return partition;
}
