/* A grid of blocks in memory that checks and records every call.
 *
 * It can fail, change a cell without the caller's knowledge, be slow, or stop the process, so that
 * tests see how the repartitioner reacts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FAKE_GRID_H
#define XTA_TESTS_FAKE_GRID_H

#include <xta/repartition.h>

#include "support/random.h"

/* One piece that was moved. */
typedef struct fake_move {
    int64_t block[XTA_MAX_NDIM];
    xta_box piece;
} fake_move;

typedef struct fake_grid {
    xta_blocks blocks;
    xta_blocks_calls calls;
    uint8_t *cells;  /* all cells, dense over the bounds */
    uint32_t *count; /* how often each cell was moved since the last fake_grid_forget */
    uint64_t n_cells;
    fake_move *moves;
    size_t n_moves, capacity;
    uint64_t n_calls;    /* of read, write and runs */
    uint64_t n_finished; /* calls of finish */
    uint64_t n_synced;
    uint64_t fail_at;  /* the call that fails; 0: none */
    int64_t spoil;     /* number of a cell that is changed when the grid is synced; -1: none */
    unsigned pause_us; /* in each call */
    int64_t *edges[XTA_MAX_NDIM];
} fake_grid;

/* A grid over `bounds`. `chunks`: its blocks have offsets in one file, regular and from 0 on. With
 * `target` cells are 0xee at first, else distinct numbers. The grid must not be moved in memory. */
void fake_grid_init(fake_grid *grid, const char *name, const xta_box *bounds,
                    const xta_partition *partition, xta_block_home home, uint32_t cell_bytes,
                    bool target);
void fake_grid_clear(fake_grid *grid);

/* Random cuts of the bounds: regular, or irregular on some axes. The next grid made with the
 * partition owns the edges. */
xta_partition fake_partition(test_random *random, const xta_box *bounds, bool regular);

/* Reset counts and moves. */
void fake_grid_forget(fake_grid *grid);

/* The number of a block, the last axis fastest, and its cells: by counting, not by arithmetic. */
uint64_t fake_block_number(const xta_blocks *blocks, const int64_t block[]);
xta_box fake_block_cells(const xta_blocks *blocks, const int64_t block[]);

/* Contiguous runs of a piece in its block, by visiting every cell. */
uint64_t fake_runs(const xta_blocks *blocks, const int64_t block[], const xta_box *piece);

#endif
