/* The block files of a folder: bounds, blocks and type, derived from the files that exist.
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

/* An open block file. */
typedef struct folder_file {
    bool open;
    bool unfinished; /* has its `.part` name */
    uint64_t number; /* row-major number of the block */
    uint64_t used;   /* time of last use, to choose the file to close */
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
    /* of npy targets and raw blocks; for npy sources, that of the first block */
    xta_order order;
    uint64_t n_calls[2]; /* system calls that moved cells: reads, writes */
    folder_file files[FOLDER_OPEN_FILES];
    uint64_t clock;
    char *folder;
    bool target;
    bool made_folder;
    bool resumable;
} folder_grid;

/* The folder that contains all names of a pattern; NULL: out of memory. */
char *xta__folder_of(const blocks_pattern *pattern);
/* The next block in row-major order; false after the last one. */
bool xta__folder_next(const folder_grid *grid, int64_t block[]);
char *xta__folder_name(const folder_grid *grid, const int64_t block[]);
/* Determine bounds, blocks and, for npy, type from the existing files. */
xta_status xta__folder_find(folder_grid *grid, const xta_blocks_options *options, xta_error *err);
/* Whether any file has a name of the pattern, finished or not; `found` receives such a name. */
xta_status xta__folder_is_started(const folder_grid *grid, bool *begun, char *found,
                                  size_t capacity, xta_error *err);

#endif
