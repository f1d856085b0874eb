/* What the block grids of the bridges share: the door is blocks.c, each kind of grid is a file.
 *
 * Every grid begins with a struct blocks_grid, which has what is common: the description of the
 * source (attributes, names, storage) that a target made like it is given.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_BLOCKS_ROOM_H
#define XTA_BRIDGE_BLOCKS_ROOM_H

#include <xta/blocks.h>

#include "bridge.h"

#include "util/npy_header.h"

/* Buffers beside the cells that the caller holds. */
#define BLOCKS_BUFFER_BYTES   ((size_t)1 << 20)
#define BLOCKS_DEFAULT_MEMORY ((uint64_t)1 << 30)
#define BLOCKS_LONGEST_RUN    ((double)(4 << 20))
#define BLOCKS_PART           ".part"

/* The begin of the state of every grid. */
typedef struct blocks_grid {
    xta_status (*close)(void *self, bool complete, xta_error *err); /* frees `self`, too */
    bridge_description what; /* of a source: what comes along */
    char *path;
    int64_t *edges; /* of irregular cuts, all axes */
} blocks_grid;

/* What a target is to be. */
typedef struct blocks_wish {
    const char *path;
    const xta_blocks_options *options;
    xta_box bounds;
    xta_type type;
    size_t cell_bytes;
    xta_partition partition;        /* borrowed edges */
    const bridge_description *like; /* of the source; NULL: nothing is known of it */
    const xta_blocks *source;
    const char *source_path; /* NULL: not known */
} blocks_wish;

/* One kind of grid. */
typedef struct blocks_kind {
    const char *name;
    xta_status (*open)(const char *path, const xta_blocks_options *options, xta_blocks *blocks,
                       xta_error *err);
    xta_status (*create)(const blocks_wish *wish, xta_blocks *blocks, xta_error *err);
} blocks_kind;

extern const blocks_kind xta__blocks_array;
extern const blocks_kind xta__blocks_npy_folder;
extern const blocks_kind xta__blocks_raw_folder;
extern const blocks_kind xta__blocks_npy;
extern const blocks_kind xta__blocks_raw;
extern const blocks_kind xta__blocks_hdf5;
extern const blocks_kind xta__blocks_netcdf;
extern const blocks_kind xta__blocks_nifti;

/* ---- blocks.c ---- */

/* The `close` of every grid made here: a grid that has it begins with a blocks_grid. */
xta_status xta__blocks_close(void *self, bool complete, xta_error *err);
/* The state of a grid, `bytes` of zeros that begin with a blocks_grid: its path is a copy, nothing
 * is described. NULL: no memory, which is said. */
void *xta__blocks_grid_new(size_t bytes, const char *path,
                           xta_status (*close)(void *self, bool complete, xta_error *err),
                           xta_error *err);
/* End a grid that did not come to be; NULL is allowed. */
void xta__blocks_give_up(void *self);
/* Free what a blocks_grid owns. */
void xta__blocks_grid_clear(blocks_grid *grid);
/* A copy of a partition whose edges are kept in the grid. */
xta_status xta__blocks_keep_partition(blocks_grid *grid, const xta_partition *from,
                                      xta_partition *to, xta_error *err);
/* The cells of a block; `lo` of an axis is that of the bounds. */
xta_box xta__blocks_box(const xta_box *bounds, const xta_partition *partition,
                        const int64_t block[]);
/* How many blocks an axis has. */
int64_t xta__blocks_count(const xta_box *bounds, const xta_cuts *cuts, int axis);
/* Bytes of the largest block. */
uint64_t xta__blocks_largest(const xta_box *bounds, const xta_partition *partition,
                             size_t cell_bytes);
xta_box xta__blocks_from_zero(int ndim, const int64_t bounds[]);

/* ---- blocks_files.c: names of unfinished files ---- */

xta_status xta__blocks_trouble(const char *path, const char *doing, int code, xta_error *err);
/* The path with `.part` behind it; NULL: no memory. */
char *xta__blocks_part(const char *path);
/* Whether a target may be begun: nothing is there, or, with `resume`, its unfinished file is. */
xta_status xta__blocks_may_begin(const char *path, const char *part, bool resume, xta_error *err);
/* Give a finished, durable file its name. */
xta_status xta__blocks_take_name(const char *part, const char *path, xta_error *err);
/* Bytes of a file; XTA_ENOENT if there is none. */
xta_status xta__blocks_file_bytes(const char *path, uint64_t *bytes, xta_error *err);

/* ---- blocks_copy.c: boxes of cells between two layouts ---- */

/* Copy a box of `length` cells from layout to layout (bytes from cell to cell on each axis). */
void xta__blocks_copy(int ndim, const int64_t length[], size_t cell_bytes, const char *from,
                      const int64_t from_strides[], char *to, const int64_t to_strides[]);
/* Strides of a dense box, in row or column order. */
void xta__blocks_strides(const xta_box *box, size_t cell_bytes, xta_order order, int64_t strides[]);
bool xta__blocks_same_strides(const xta_box *box, const int64_t a[], const int64_t b[]);

/* Whatever reads and writes dense boxes; cells reach any layout through a small buffer. */
typedef struct blocks_mover {
    void *state;
    xta_status (*read)(void *state, const xta_box *box, void *cells, xta_error *err);
    xta_status (*write)(void *state, const xta_box *box, const void *cells, xta_error *err);
    size_t cell_bytes;
    xta_order order;          /* of the dense boxes */
    int slow[XTA_MAX_NDIM];   /* axes, slowest first */
    int64_t lo[XTA_MAX_NDIM]; /* coordinate of the mover's cell 0 */
    const char *path;
    char *buffer;
    size_t buffer_bytes;
} blocks_mover;

void xta__blocks_mover_init(blocks_mover *mover, int ndim, size_t cell_bytes, xta_order order);
/* `piece` is in coordinates of the grid; strides NULL: dense, row-major. */
xta_status xta__blocks_move_in(blocks_mover *mover, const xta_box *piece, void *cells,
                               const int64_t strides[], xta_error *err);
xta_status xta__blocks_move_out(blocks_mover *mover, const xta_box *piece, const void *cells,
                                const int64_t strides[], xta_error *err);
void xta__blocks_mover_clear(blocks_mover *mover);

/* ---- blocks_pattern.c: names of block files, pure ---- */

#define PATTERN_PIECES (XTA_MAX_NDIM + 1)

typedef struct blocks_placeholder {
    int axis;
    bool coordinate; /* else the block's number */
    int width;
    bool zeros;
} blocks_placeholder;

typedef struct blocks_pattern {
    char *text;                          /* of the literals, each ended by a zero */
    const char *literal[PATTERN_PIECES]; /* before each placeholder, and the last one behind */
    blocks_placeholder placeholder[XTA_MAX_NDIM]; /* in the order of the text */
    int ndim;
} blocks_pattern;

bool xta__blocks_is_pattern(const char *path);
xta_status xta__blocks_pattern_parse(const char *path, blocks_pattern *pattern, xta_error *err);
void xta__blocks_pattern_clear(blocks_pattern *pattern);
/* The name of a block, from its number or coordinate on each axis, whichever is asked for. */
char *xta__blocks_pattern_name(const blocks_pattern *pattern, const int64_t block[],
                               const int64_t begin[]);
/* Whether `name` (a whole path) is one of the pattern's; the numbers in it, by axis. */
bool xta__blocks_pattern_match(const blocks_pattern *pattern, const char *name, int64_t values[]);

/* ---- npy.c: what block files and dense grids need of it ---- */

xta_status xta__npy_open(bridge_dense *file, const char *path, xta__npy_header *header,
                         xta_error *err);
xta_status xta__npy_describe(const xta__npy_header *header, const bridge_dense *file,
                             bridge_description *what, xta_error *err);
/* The header for a file of these cells. `like` may be NULL; it may hold NumPy's name of the type.
 * Answers the bytes of the header. */
size_t xta__npy_header_for(const bridge_description *like, xta_type type, size_t cell_bytes,
                           int ndim, const int64_t bounds[], xta_order order,
                           xta__npy_header *header, unsigned char *bytes, size_t capacity);

/* ---- blocks_dense.c ---- */

/* How a dense file is cut into runs: pure. `slow` are its axes, slowest first; `suit` may be
 * NULL. */
void xta__blocks_runs(const xta_box *bounds, const int slow[], size_t cell_bytes,
                      const int64_t suit[], uint64_t memory_bytes, int64_t block[]);
/* Whether a grid is a dense file; its axes, slowest first. */
bool xta__blocks_dense_order(const xta_blocks *blocks, int slow[]);
/* Cut it anew, before anything was read or written. */
void xta__blocks_dense_cut(xta_blocks *blocks, const int64_t block[]);
/* Turn an open file into a grid whose cell 0 lies at `lo`; the grid owns the file, and `what` is
 * moved into it. */
xta_status xta__blocks_dense_source(bridge_dense *file, bridge_description *what,
                                    const xta_blocks_options *options, xta_blocks *blocks,
                                    xta_error *err);
/* A new dense file whose first bytes are `head`; `finished` (may be NULL) makes the file at
 * `part` the one at `path`. */
xta_status xta__blocks_dense_target(const blocks_wish *wish, xta_order order, const void *head,
                                    size_t head_bytes,
                                    xta_status (*finished)(const char *part, const char *path,
                                                           xta_error *err),
                                    xta_blocks *blocks, xta_error *err);

/* ---- blocks_match.c ---- */

/* Runs of two dense files of opposite orders, pure: `slow` are the axes of the first, slowest
 * first. */
void xta__blocks_tiles(const xta_box *box, const int slow[], size_t cell_bytes,
                       uint64_t memory_bytes, int64_t one[], int64_t other[]);

/* ---- blocks_wish.c ---- */

/* A copy of the description of the source, or an empty one, with bounds and chunks of the wish. */
xta_status xta__blocks_describe_wish(const blocks_wish *wish, bridge_description *what,
                                     xta_error *err);
/* Refuse coordinates that do not cover the cells of the target, or leave them out if that is
 * wished; `names` are those that the format writes, ended by NULL. */
xta_status xta__blocks_cover(const blocks_wish *wish, const char *const names[],
                             bridge_description *what, xta_error *err);

#endif
