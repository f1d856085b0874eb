/* The block files of a folder: bounds, blocks and type that follow from those that are there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_FIND_BLOCK_FILES_H
#define XTA_FORMATS_GRIDS_FIND_BLOCK_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dense/dense_file.h"
#include "grids/common/copy_cells.h"
#include "grids/common/grid.h"
#include "grids/common/name_pattern.h"

#define FOLDER_OPEN_FILES 16

/* A block's file that is open. */
typedef struct folder_file {
    bool open;
    bool unfinished; /* has its `.part` name */
    uint64_t number; /* of the block, row-major */
    uint64_t used;   /* when, for the choice of whom to close */
    bridge_dense file;
} folder_file;

typedef struct folder_grid {
    blocks_grid grid;
    blocks_pattern pattern;
    bool npy;
    xta_box bounds;
    xta_partition partition;
    xta_type type;
    size_t cell_bytes;
    xta_order order;     /* of npy targets, of raw blocks; of npy sources that of the first block */
    uint64_t n_calls[2]; /* system calls that moved cells: reads, writes */
    folder_file files[FOLDER_OPEN_FILES];
    uint64_t clock;
    char *folder;
    bool target;
    bool made_folder;
    bool resumable;
} folder_grid;

/* The folder that all names of a pattern lie in; NULL: out of memory. */
char *xta__folder_of(const blocks_pattern *pattern);
/* The next block in row-major order; false behind the last one. */
bool xta__folder_next(const folder_grid *grid, int64_t block[]);
char *xta__folder_name(const folder_grid *grid, const int64_t block[]);
/* Find bounds, blocks and, for npy, type from the files that are there. */
xta_status xta__folder_find(folder_grid *grid, const xta_blocks_options *options, xta_error *err);
/* Whether any file has a name of the pattern, finished or not; such a name into `found`. */
xta_status xta__folder_is_started(const folder_grid *grid, bool *begun, char *found,
                                  size_t capacity, xta_error *err);

#endif
