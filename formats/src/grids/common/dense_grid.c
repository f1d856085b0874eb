/* One dense file as a grid of blocks, as source and as target.
 *
 * A dense file has no blocks of its own. It is cut into contiguous runs: one cell on each of the
 * slower axes, some on one axis, everything on the faster ones. The choice of that axis decides how
 * much must be in memory at once: if the other side's blocks have lengths O and the bounds are A,
 * no run and no block crosses the common multiples, so each cell can be moved once, in pieces of
 *
 *     prod over slower axes and the cut one of O  *  prod over faster axes of A
 *
 * cells. The slowest axis is best for the disk, so the axis that is cut is the first one for which
 * such a piece fits in half of the memory. The length of a run on it divides O, otherwise O would
 * not be the common multiple.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "grids/common/dense_grid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "grids/common/copy_cells.h"
#include "grids/common/grid.h"
#include "grids/common/target_spec.h"
#include "grids/common/unfinished_files.h"
#include "util/bytes.h"
#include "util/try.h"

#define SHORTEST_RUN_BYTES 4096.0
#define BATCH              64 /* runs moved by one system call */

typedef struct dense_grid {
    blocks_grid grid;
    bridge_dense file;
    xta_box bounds;
    int64_t block[XTA_MAX_NDIM];
    int64_t stride[XTA_MAX_NDIM]; /* in the file */
    uint64_t n_calls[2];          /* system calls that moved cells: reads, writes */
    bool resumable;
    xta_status (*finished)(const char *unfinished, const char *path, xta_error *err);
} dense_grid;

/* ---- runs ---- */

static double least_of(int64_t block, int64_t bound)
{
    return (double)(block < bound ? block : bound);
}

/* Bytes of a run of one cell on axis number `level`, slowest first. */
static double row_bytes(const xta_box *bounds, const int slow[], size_t cell_bytes, int level)
{
    double bytes = (double)cell_bytes;
    for (int k = level + 1; k < bounds->ndim; k++) {
        bytes *= (double)(bounds->hi[slow[k]] - bounds->lo[slow[k]]);
    }
    return bytes;
}

static bool unfinished_fits(const xta_box *bounds, const int slow[], size_t cell_bytes,
                            const int64_t suit[], int level, double limit)
{
    double bytes = row_bytes(bounds, slow, cell_bytes, level);
    for (int k = 0; k <= level; k++) {
        int64_t n = bounds->hi[slow[k]] - bounds->lo[slow[k]];
        bytes *= least_of(suit != NULL ? suit[slow[k]] : 1, n);
    }
    return bytes <= limit;
}

static int64_t divisor_up_to(int64_t n, int64_t most)
{
    int64_t best = 1;
    for (int64_t d = 1; d <= n / d; d++) {
        if (n % d == 0) {
            best = d <= most && d > best ? d : best;
            best = n / d <= most && n / d > best ? n / d : best;
        }
    }
    return best;
}

/* Compute the runs for a cut at this level; returns the bytes of one. */
static double cut_at(const xta_box *bounds, const int slow[], size_t cell_bytes,
                     const int64_t suit[], int level, double longest, int64_t block[])
{
    double row = row_bytes(bounds, slow, cell_bytes, level);
    for (int k = 0; k < bounds->ndim; k++) {
        int axis = slow[k];
        int64_t n = bounds->hi[axis] - bounds->lo[axis];
        n = n > 0 ? n : 1;
        block[axis] = k < level ? 1 : n;
        if (k == level) {
            double rows = longest / row;
            int64_t most = rows < 1 ? 1 : rows > (double)n ? n : (int64_t)rows;
            bool divides = suit != NULL && suit[axis] > 0 && suit[axis] < n;
            block[axis] = divides ? divisor_up_to(suit[axis], most) : most;
        }
    }
    return row * (double)block[slow[level]];
}

void xta__blocks_runs(const xta_box *bounds, const int slow[], size_t cell_bytes,
                      const int64_t suit[], uint64_t memory_bytes, int64_t block[])
{
    double memory = (double)(memory_bytes > 0 ? memory_bytes : BLOCKS_DEFAULT_MEMORY);
    double longest = memory / 8 < BLOCKS_LONGEST_RUN ? memory / 8 : BLOCKS_LONGEST_RUN;
    int level = 0;
    while (level < bounds->ndim - 1 &&
           (row_bytes(bounds, slow, cell_bytes, level) > memory / 8 ||
            !unfinished_fits(bounds, slow, cell_bytes, suit, level, memory / 2))) {
        level++;
    }
    double bytes = cut_at(bounds, slow, cell_bytes, suit, level, longest, block);
    /* If nothing fits, the other side's blocks are larger than memory; if runs would have only a
     * few cells, their cost would outweigh the benefit. Long runs are then the best choice. */
    if (!unfinished_fits(bounds, slow, cell_bytes, suit, level, memory / 2) ||
        (level > 0 && bytes < SHORTEST_RUN_BYTES)) {
        level = 0;
        while (level < bounds->ndim - 1 && row_bytes(bounds, slow, cell_bytes, level) > longest) {
            level++;
        }
        cut_at(bounds, slow, cell_bytes, suit, level, longest, block);
    }
}

/* ---- the functions of the grid ---- */

static uint64_t dense_position(void *self, const int64_t block[])
{
    const dense_grid *grid = self;
    uint64_t offset = grid->file.offset;
    for (int axis = 0; axis < grid->bounds.ndim; axis++) {
        offset += (uint64_t)(block[axis] * grid->block[axis] * grid->stride[axis]);
    }
    return offset;
}

static xta_status dense_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                             const int64_t strides[], xta_error *err)
{
    dense_grid *grid = self;
    (void)block;
    return xta__blocks_move_in(&grid->grid.mover, piece, cells, strides, err);
}

static xta_status dense_write(void *self, const int64_t block[], const xta_box *piece,
                              const void *cells, const int64_t strides[], xta_error *err)
{
    dense_grid *grid = self;
    (void)block;
    return xta__blocks_move_out(&grid->grid.mover, piece, cells, strides, err);
}

static xta_box block_box(const dense_grid *grid, const int64_t block[])
{
    xta_box box = grid->bounds;
    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] += block[axis] * grid->block[axis];
        int64_t end = box.lo[axis] + grid->block[axis];
        box.hi[axis] = end < box.hi[axis] ? end : box.hi[axis];
    }
    return box;
}

/* Move up to BATCH whole runs by one call. Returns false if the system moved less, because of an
 * interruption or a failure: moving them one by one then shows which. */
static bool move_batch(dense_grid *grid, size_t n, const int64_t *const block[],
                       void *const cells[], bool out)
{
    struct iovec parts[BATCH];
    ssize_t total = 0;
    for (size_t k = 0; k < n; k++) {
        xta_box box = block_box(grid, block[k]);
        uint64_t count = 0;
        if (xta_box_cells(&box, &count) != XTA_OK) {
            return false;
        }
        parts[k].iov_base = cells[k];
        parts[k].iov_len = (size_t)count * grid->file.cell_bytes;
        total += (ssize_t)parts[k].iov_len;
    }
    off_t offset = (off_t)dense_position(grid, block[0]);
    grid->n_calls[out]++;
    ssize_t moved = out ? pwritev(grid->file.fd, parts, (int)n, offset)
                        : preadv(grid->file.fd, parts, (int)n, offset);
    return moved == total;
}

static xta_status dense_read_run(void *self, size_t n, const int64_t *const block[],
                                 void *const cells[], xta_error *err)
{
    xta_status status = XTA_OK;
    dense_grid *grid = self;
    for (size_t at = 0; at < n; at += BATCH) {
        size_t count = n - at < BATCH ? n - at : BATCH;
        if (move_batch(grid, count, block + at, cells + at, false)) {
            continue;
        }
        for (size_t k = at; k < at + count; k++) {
            xta_box box = block_box(grid, block[k]);
            XTA_TRY(dense_read(grid, block[k], &box, cells[k], NULL, err));
        }
    }
done:
    return status;
}

static xta_status dense_write_run(void *self, size_t n, const int64_t *const block[],
                                  const void *const cells[], xta_error *err)
{
    xta_status status = XTA_OK;
    dense_grid *grid = self;
    void *batch[BATCH];
    for (size_t at = 0; at < n; at += BATCH) {
        size_t count = n - at < BATCH ? n - at : BATCH;
        for (size_t k = 0; k < count; k++) {
            batch[k] = (void *)(uintptr_t)cells[at + k]; // only read, not written
        }
        if (move_batch(grid, count, block + at, batch, true)) {
            continue;
        }
        for (size_t k = at; k < at + count; k++) {
            xta_box box = block_box(grid, block[k]);
            XTA_TRY(dense_write(grid, block[k], &box, cells[k], NULL, err));
        }
    }
done:
    return status;
}

static uint64_t dense_n_calls(const void *self, bool wrote)
{
    return ((const dense_grid *)self)->n_calls[wrote];
}

static xta_status dense_sync(void *self, xta_error *err)
{
    dense_grid *grid = self;
    return fdatasync(grid->file.fd) == 0
               ? XTA_OK
               : xta__blocks_io_error(grid->grid.unfinished, "make it durable", errno, err);
}

static xta_status dense_end(void *self, bool complete, xta_error *err)
{
    xta_status status = XTA_OK;
    dense_grid *grid = self;
    if (grid->grid.unfinished != NULL && grid->file.fd >= 0) {
        if (complete) {
            XTA_TRY(dense_sync(grid, err));
            XTA_TRY(grid->finished != NULL
                        ? grid->finished(grid->grid.unfinished, grid->grid.path, err)
                        : xta__unfinished_finish(grid->grid.unfinished, grid->grid.path, err));
        } else if (!grid->resumable) {
            unlink(grid->grid.unfinished);
        }
    }
done:
    xta__dense_close(&grid->file);
    xta__blocks_grid_free(&grid->grid);
    return status;
}

/* Files in column order, or with the other byte order. */
static const xta_blocks_calls source_calls = {
    .place = dense_position,
    .read = dense_read,
    .close = xta__blocks_close,
    .n_calls = dense_n_calls,
};

static const xta_blocks_calls source_calls_row = {
    .place = dense_position,
    .read = dense_read,
    .read_run = dense_read_run,
    .close = xta__blocks_close,
    .n_calls = dense_n_calls,
};

static const xta_blocks_calls target_calls = {
    .place = dense_position,
    .read = dense_read,
    .write = dense_write,
    .sync = dense_sync,
    .close = xta__blocks_close,
    .n_calls = dense_n_calls,
};

static const xta_blocks_calls target_calls_row = {
    .place = dense_position,
    .read = dense_read,
    .read_run = dense_read_run,
    .write = dense_write,
    .write_run = dense_write_run,
    .sync = dense_sync,
    .close = xta__blocks_close,
    .n_calls = dense_n_calls,
};

/* ---- making one ---- */

static xta_status mover_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta__dense_read(state, box, cells, err);
}

static xta_status mover_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    return xta__dense_write(state, box, cells, err);
}

void xta__blocks_dense_cut(xta_blocks *blocks, const int64_t block[])
{
    dense_grid *grid = blocks->self;
    memcpy(grid->block, block, (size_t)grid->bounds.ndim * sizeof block[0]);
    blocks->partition = xta_partition_regular(grid->bounds.ndim, grid->block, grid->bounds.lo);
    blocks->block_bytes =
        xta__blocks_largest(&grid->bounds, &blocks->partition, grid->file.cell_bytes);
}

bool xta__blocks_dense_order(const xta_blocks *blocks, int slow[])
{
    bool dense = blocks->calls == &source_calls || blocks->calls == &source_calls_row ||
                 blocks->calls == &target_calls || blocks->calls == &target_calls_row;
    if (dense) {
        const dense_grid *grid = blocks->self;
        memcpy(slow, grid->grid.mover.slow, (size_t)grid->bounds.ndim * sizeof slow[0]);
    }
    return dense;
}

/* Fill in what is the same for the grid and the caller's struct. */
static void fill_blocks(dense_grid *grid, const xta_box *bounds, const int64_t suit[],
                        uint64_t memory_bytes, xta_type type, xta_blocks *blocks)
{
    bridge_dense *file = &grid->file;
    blocks_mover *mover = &grid->grid.mover;
    xta__blocks_mover_init(mover, file->ndim, file->cell_bytes, file->order);
    mover->state = file;
    mover->read = mover_read;
    mover->write = mover_write;
    mover->path = file->path;
    memcpy(mover->lo, bounds->lo, sizeof mover->lo);
    grid->bounds = *bounds;
    xta__blocks_strides(bounds, file->cell_bytes, file->order, grid->stride);
    int64_t block[XTA_MAX_NDIM];
    xta__blocks_runs(bounds, mover->slow, file->cell_bytes, suit, memory_bytes, block);

    bool row = (file->order == XTA_ROW || file->ndim == 1) && file->swap_bytes <= 1;
    bool target = grid->grid.unfinished != NULL;
    memset(blocks, 0, sizeof *blocks);
    blocks->calls = target ? (row ? &target_calls_row : &target_calls)
                           : (row ? &source_calls_row : &source_calls);
    blocks->self = grid;
    blocks->name = grid->grid.path;
    blocks->bounds = *bounds;
    blocks->home = XTA_BLOCKS_FILES;
    blocks->type = type;
    blocks->cell_bytes = (uint32_t)file->cell_bytes;
    blocks->column = file->order == XTA_COLUMN;
    file->n_calls = grid->n_calls;
    grid->n_calls[0] = grid->n_calls[1] = 0; // the header does not count as cells
    xta__blocks_dense_cut(blocks, block);
}

static dense_grid *new_grid(const char *path, xta_error *err)
{
    dense_grid *grid = xta__blocks_grid_new(sizeof *grid, path, dense_end, err);
    if (grid != NULL) {
        grid->file.fd = -1;
    }
    return grid;
}

xta_status xta__blocks_dense_source(bridge_dense *file, bridge_description *what,
                                    const xta_blocks_options *options, xta_blocks *blocks,
                                    xta_error *err)
{
    dense_grid *grid = new_grid(file->path, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    grid->file = *file;
    memset(file, 0, sizeof *file);
    file->fd = -1;
    grid->grid.what = *what;
    xta__description_init(what);
    xta_box bounds = xta__blocks_from_zero(grid->file.ndim, grid->file.bounds);
    fill_blocks(grid, &bounds, options->suit, options->memory_bytes, grid->grid.what.type, blocks);
    return XTA_OK;
}

/* Lengths of the source's blocks, if they are regular on all axes. */
static const int64_t *lengths_of(const xta_partition *partition, int64_t lengths[])
{
    for (int axis = 0; axis < partition->ndim; axis++) {
        lengths[axis] = partition->axis[axis].length;
        if (lengths[axis] < 1) {
            return NULL;
        }
    }
    return lengths;
}

static xta_status open_unfinished(dense_grid *grid, const target_spec *spec, uint64_t file_bytes,
                                  xta_error *err)
{
    bool resume = spec->options->resume;
    int flags = O_RDWR | O_CLOEXEC | (resume ? 0 : O_CREAT | O_EXCL);
    grid->file.path = xta__bridge_copy(grid->grid.unfinished);
    if (grid->file.path == NULL) {
        return xta__bridge_no_memory(spec->path, err);
    }
    grid->file.fd = open(grid->grid.unfinished, flags, 0666);
    if (grid->file.fd < 0) {
        return xta__blocks_io_error(grid->grid.unfinished, resume ? "open it" : "create it", errno,
                                    err);
    }
    off_t there = lseek(grid->file.fd, 0, SEEK_END);
    if (resume && there != (off_t)file_bytes) {
        return xta_error_set(
            err, XTA_ESTATE, 0, "%s: has %lld bytes, the target to resume has %llu",
            grid->grid.unfinished, (long long)there, (unsigned long long)file_bytes);
    }
    if (!resume && ftruncate(grid->file.fd, (off_t)file_bytes) != 0) {
        return xta__blocks_io_error(grid->grid.unfinished, "make it as long as the target", errno,
                                    err);
    }
    return XTA_OK;
}

xta_status xta__blocks_dense_target(const target_spec *spec, xta_order order, const void *head,
                                    size_t head_bytes,
                                    xta_status (*finished)(const char *unfinished, const char *path,
                                                           xta_error *err),
                                    xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t cells_bytes = 0;
    int64_t lengths[XTA_MAX_NDIM];
    dense_grid *grid = new_grid(spec->path, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    bridge_dense *file = &grid->file;
    file->offset = head_bytes;
    file->cell_bytes = spec->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(spec->type) : 0;
    file->order = order;
    file->ndim = spec->bounds.ndim;
    for (int axis = 0; axis < file->ndim; axis++) {
        file->bounds[axis] = spec->bounds.hi[axis] - spec->bounds.lo[axis];
    }
    if (!xta__dense_total(file, &cells_bytes)) {
        status = xta_error_set(err, XTA_EOVERFLOW, 0, "%s: would pass 2^63 bytes", spec->path);
        goto done;
    }
    char *unfinished = xta__unfinished_path(spec->path);
    if (unfinished == NULL) {
        status = xta__bridge_no_memory(spec->path, err);
        goto done;
    }
    grid->grid.unfinished = unfinished;
    // until it is known to belong to this run
    grid->resumable = spec->options->resumable || spec->options->resume;
    XTA_TRY(xta__unfinished_may_begin(spec->path, unfinished, spec->options->resume, err));
    XTA_TRY(open_unfinished(grid, spec, head_bytes + cells_bytes, err));
    grid->resumable = spec->options->resumable;
    if (head_bytes > 0 && !spec->options->resume) {
        XTA_TRY(xta__dense_put_bytes(file, 0, head, head_bytes, err));
    }
    grid->finished = finished;
    const int64_t *suit = spec->options->suit;
    suit = suit != NULL ? suit : lengths_of(&spec->source->partition, lengths);
    fill_blocks(grid, &spec->bounds, suit, spec->options->memory_bytes, spec->type, blocks);
    grid = NULL;
done:
    if (grid != NULL) {
        xta_status ignored = dense_end(grid, false, NULL);
        (void)ignored;
    }
    return status;
}
