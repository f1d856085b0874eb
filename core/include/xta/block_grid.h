/** @file
 * Grids of blocks: cells that are stored, read and written block by block.
 *
 * An XTA array is a block grid whose blocks are its chunks; <xta/blocks.h> makes block grids of a
 * folder of block files, a variable of a foreign file, or one dense file. <xta/repartition.h> moves
 * all cells from one grid into another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_BLOCK_GRID_H
#define XTA_BLOCK_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/box.h>
#include <xta/partition.h>
#include <xta/status.h>
#include <xta/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A grid of blocks that can be read, or written. Made by the functions below and by those of
 * <xta/blocks.h> for other formats; a program may define its own. Cells in memory are native-endian
 * and row-major. */
typedef struct xta_blocks {
    const struct xta_blocks_calls *calls;
    void *self;
    const char *name; /**< for messages and the resume log: a path */
    xta_box bounds;
    xta_partition partition; /**< of the bounds; edges are owned by `self` */
    xta_block_home home;
    xta_type type;
    uint32_t cell_bytes;
    uint64_t block_bytes; /**< bytes that the largest block occupies where it is stored */
    bool column; /**< in a block the first axis is the fastest; false: the last one. Cells in memory
                      are always row-major */
} xta_blocks;

/** The operations of a kind of block grid. Each grid is called from one thread at a time; a source
 * and a target that share a library that is not thread-safe set `serial`.
 *
 * xta_repartition_run moves large blocks in slices: pieces in the order of the block, each of them
 * one contiguous run. A target is read only to verify it, after all calls of `finish` and
 * `sync`. */
typedef struct xta_blocks_calls {
    /** Offset of a block, in bytes from the beginning of one file that holds all blocks; blocks
     * whose offsets are `block_bytes` apart are adjacent and can be moved by one call. NULL: each
     * block is a file of its own. */
    uint64_t (*place)(void *self, const int64_t block[]);
    /** Read the cells of `piece`, within one block, to `cells` with `strides` bytes from cell to
     * cell on each axis (NULL: dense). */
    xta_status (*read)(void *self, const int64_t block[], const xta_box *piece, void *cells,
                       const int64_t strides[], xta_error *err);
    /** Read `n` whole adjacent blocks, each into its own dense buffer. NULL: there is no faster way
     * than one by one. */
    xta_status (*read_run)(void *self, size_t n, const int64_t *const block[], void *const cells[],
                           xta_error *err);
    /** Write the cells of `piece`. A block may be written in several pieces and in any order. NULL:
     * the grid cannot be a target. */
    xta_status (*write)(void *self, const int64_t block[], const xta_box *piece, const void *cells,
                        const int64_t strides[], xta_error *err);
    /** Write `n` whole adjacent blocks. */
    xta_status (*write_run)(void *self, size_t n, const int64_t *const block[],
                            const void *const cells[], xta_error *err);
    /** Called when all cells of the block have been written: complete its file and close its
     * handle. NULL: nothing to do. */
    xta_status (*finish)(void *self, const int64_t block[], xta_error *err);
    /** Make all that was written so far survive a power loss. NULL: nothing to do. */
    xta_status (*sync)(void *self, xta_error *err);
    /** Close the grid: the whole target is complete (`complete`) or abandoned. NULL: nothing to
     * do. */
    xta_status (*close)(void *self, bool complete, xta_error *err);
    bool serial;        /**< not to be called while another grid with `serial` is being called */
    bool prefers_whole; /**< moving a block in one call costs less than in slices: do so where
                             staging allows it */
    /** How many system calls have read (`wrote` false) or written cells since the grid was created;
     * NULL: unknown, each call above counts as one. Not called while cells are being moved. */
    uint64_t (*n_calls)(const void *self, bool wrote);
} xta_blocks_calls;

/** Close a grid (NULL: does nothing). */
XTA_API XTA_MUST_CHECK xta_status xta_blocks_close(xta_blocks *blocks, bool complete,
                                                   xta_error *err);

/** The cells of an array, chunk by chunk, as a source. The array must outlive it, and neither its
 * structure nor its cells may be changed meanwhile. In addition to the memory budget of a run it
 * uses a buffer of at most 4 MiB where chunks are not plain rows (edge chunks, other orders, a fill
 * value). */
XTA_API XTA_MUST_CHECK xta_status xta_blocks_of_array(xta_array *array, xta_blocks *blocks,
                                                      xta_error *err);

/** An array as a target; it must be open for writing, and nobody else may use it meanwhile.
 * Otherwise as xta_blocks_of_array. */
XTA_API XTA_MUST_CHECK xta_status xta_blocks_into_array(xta_array *array, xta_blocks *blocks,
                                                        xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
