/* A folder of block files, .npy or raw: each block is a file of its own.
 *
 * A few files stay open, because a block's pieces come one after the other. The name of a block
 * that is being written ends in `.part`; when it is complete, the file gets its final name. So a
 * file without `.part` is complete.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "grids/common/grid_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dense/dense_file.h"
#include "dense/npy_file.h"
#include "description/description.h"
#include "grids/common/copy_cells.h"
#include "grids/common/grid.h"
#include "grids/common/name_pattern.h"
#include "grids/common/target_spec.h"
#include "grids/common/unfinished_files.h"
#include "grids/find_block_files.h"
#include "util/npy_header.h"
#include "util/try.h"

/* ---- files of blocks ---- */

static uint64_t number_of(const folder_grid *grid, const int64_t block[])
{
    uint64_t number = 0;
    for (int axis = 0; axis < grid->bounds.ndim; axis++) {
        int64_t n = xta__blocks_count(&grid->bounds, &grid->partition.axis[axis], axis);
        number = number * (uint64_t)n + (uint64_t)block[axis];
    }
    return number;
}

static void list_lengths(const xta_box *box, char *text, size_t capacity)
{
    size_t n = 0;
    text[0] = '\0';
    for (int axis = 0; axis < box->ndim && n < capacity; axis++) {
        n += (size_t)snprintf(text + n, capacity - n, "%s%lld", axis == 0 ? "" : ",",
                              (long long)(box->hi[axis] - box->lo[axis]));
    }
}

/* Check that the header has the shape and type of the block. */
static xta_status check_header(const folder_grid *grid, const char *name, const xta_box *box,
                               const xta__npy_header *header, xta_error *err)
{
    char want[200];
    bool same = header->ndim == box->ndim;
    for (int axis = 0; same && axis < box->ndim; axis++) {
        same = header->shape[axis] == box->hi[axis] - box->lo[axis];
    }
    if (!same) {
        list_lengths(box, want, sizeof want);
        xta_box is = xta__blocks_from_zero(header->ndim > 0 ? header->ndim : 1, header->shape);
        char have[200];
        list_lengths(&is, have, sizeof have);
        return xta_error_set(err, XTA_EBOX, 0, "%s: has shape %s; its block is %s", name, have,
                             want);
    }
    if (header->type != grid->type || header->cell_bytes != grid->cell_bytes) {
        return xta_error_set(err, XTA_ETYPE, 0,
                             "%s: is of %s (%zu bytes), the first block of %s (%zu)", name,
                             xta_type_name(header->type), header->cell_bytes,
                             xta_type_name(grid->type), grid->cell_bytes);
    }
    return XTA_OK;
}

/* Open the file of a source's block, and check it against the expected block. */
static xta_status open_block(const folder_grid *grid, const char *name, const xta_box *box,
                             bridge_dense *file, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__npy_header header;
    uint64_t bytes = 0;
    uint64_t wanted = 0;
    memset(file, 0, sizeof *file);
    file->fd = -1;
    if (grid->npy) {
        XTA_TRY(xta__npy_open(file, name, &header, err));
        XTA_TRY(check_header(grid, name, box, &header, err));
        goto done;
    }
    XTA_TRY(xta__dense_open(file, name, &bytes, err));
    file->cell_bytes = grid->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(grid->type) : 0;
    file->order = grid->order;
    file->ndim = box->ndim;
    for (int axis = 0; axis < box->ndim; axis++) {
        file->bounds[axis] = box->hi[axis] - box->lo[axis];
    }
    if (!xta__dense_total(file, &wanted) || wanted != bytes) {
        status = xta_error_set(err, XTA_EBOX, 0, "%s: has %llu bytes; its block needs %llu", name,
                               (unsigned long long)bytes, (unsigned long long)wanted);
    }
done:
    if (status != XTA_OK) {
        xta__dense_close(file);
    }
    return status;
}

/* Open or create the unfinished file of a block, with its full length. */
static xta_status open_unfinished(const folder_grid *grid, const char *unfinished,
                                  const xta_box *box, bridge_dense *file, xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned char head[XTA__NPY_HEADER_CAPACITY];
    xta__npy_header header;
    uint64_t bytes = 0;
    struct stat facts;
    memset(file, 0, sizeof *file);
    file->cell_bytes = grid->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(grid->type) : 0;
    file->order = grid->order;
    file->ndim = box->ndim;
    for (int axis = 0; axis < box->ndim; axis++) {
        file->bounds[axis] = box->hi[axis] - box->lo[axis];
    }
    file->path = xta__bridge_copy(unfinished);
    file->fd = open(unfinished, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file->path == NULL || file->fd < 0) {
        status = file->path == NULL ? xta__bridge_no_memory(unfinished, err)
                                    : xta__blocks_io_error(unfinished, "create it", errno, err);
        goto done;
    }
    if (grid->npy) {
        file->offset =
            xta__npy_header_for(&grid->grid.what, grid->type, grid->cell_bytes, file->ndim,
                                file->bounds, grid->order, &header, head, sizeof head);
        file->order = header.fortran ? XTA_COLUMN : XTA_ROW;
    }
    if (!xta__dense_total(file, &bytes)) {
        status = xta_error_set(err, XTA_EOVERFLOW, 0, "%s: would pass 2^63 bytes", unfinished);
        goto done;
    }
    bytes += file->offset;
    if (fstat(file->fd, &facts) == 0 && (uint64_t)facts.st_size == bytes) {
        goto done; // opened before
    }
    if (ftruncate(file->fd, (off_t)bytes) != 0) {
        status = xta__blocks_io_error(unfinished, "make it as long as its block", errno, err);
        goto done;
    }
    if (file->offset > 0) {
        XTA_TRY(xta__dense_put_bytes(file, 0, head, file->offset, err));
    }
done:
    if (status != XTA_OK) {
        xta__dense_close(file);
    }
    return status;
}

static void close_file(folder_file *f)
{
    if (f->open) {
        xta__dense_close(&f->file);
    }
    f->open = false;
}

/* Get the open file of a block; if too many are open, the least recently used one is closed. */
static xta_status get_file(folder_grid *grid, const int64_t block[], bool writing,
                           bridge_dense **out, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t number = number_of(grid, block);
    folder_file *f = &grid->files[0];
    char *name = NULL;
    char *unfinished = NULL;
    grid->clock++;
    for (int k = 0; k < FOLDER_OPEN_FILES; k++) {
        folder_file *other = &grid->files[k];
        if (other->open && other->number == number && other->unfinished == writing) {
            other->used = grid->clock;
            *out = &other->file;
            return XTA_OK;
        }
        bool better = f->open && (!other->open || other->used < f->used);
        f = better ? other : f;
    }
    close_file(f);
    name = xta__folder_name(grid, block);
    unfinished = name != NULL ? xta__unfinished_path(name) : NULL;
    if (unfinished == NULL) {
        status = xta__bridge_no_memory(grid->grid.path, err);
        goto done;
    }
    xta_box box = xta__blocks_box(&grid->bounds, &grid->partition, block);
    XTA_TRY(writing ? open_unfinished(grid, unfinished, &box, &f->file, err)
                    : open_block(grid, name, &box, &f->file, err));
    f->open = true;
    f->unfinished = writing;
    f->number = number;
    f->used = grid->clock;
    *out = &f->file;
done:
    free(name);
    free(unfinished);
    return status;
}

/* ---- the functions of the grid ---- */

static xta_status mover_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta__dense_read(state, box, cells, err);
}

static xta_status mover_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    return xta__dense_write(state, box, cells, err);
}

/* Let the mover read and write the file of this block; it handles one block at a time. */
static void select_block_file(folder_grid *grid, const int64_t block[], bridge_dense *file)
{
    xta_box box = xta__blocks_box(&grid->bounds, &grid->partition, block);
    blocks_mover *mover = &grid->grid.mover;
    xta__blocks_mover_init(mover, box.ndim, grid->cell_bytes, file->order);
    mover->state = file;
    mover->path = file->path;
    file->n_calls = grid->n_calls;
    memcpy(mover->lo, box.lo, sizeof mover->lo);
}

static xta_status folder_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                              const int64_t strides[], xta_error *err)
{
    xta_status status = XTA_OK;
    folder_grid *grid = self;
    bridge_dense *file = NULL;
    XTA_TRY(get_file(grid, block, false, &file, err));
    select_block_file(grid, block, file);
    XTA_TRY(xta__blocks_move_in(&grid->grid.mover, piece, cells, strides, err));
done:
    return status;
}

static xta_status folder_write(void *self, const int64_t block[], const xta_box *piece,
                               const void *cells, const int64_t strides[], xta_error *err)
{
    xta_status status = XTA_OK;
    folder_grid *grid = self;
    bridge_dense *file = NULL;
    XTA_TRY(get_file(grid, block, true, &file, err));
    select_block_file(grid, block, file);
    XTA_TRY(xta__blocks_move_out(&grid->grid.mover, piece, cells, strides, err));
done:
    return status;
}

static xta_status folder_finish(void *self, const int64_t block[], xta_error *err)
{
    xta_status status = XTA_OK;
    folder_grid *grid = self;
    uint64_t number = number_of(grid, block);
    for (int k = 0; k < FOLDER_OPEN_FILES; k++) {
        if (grid->files[k].open && grid->files[k].number == number) {
            close_file(&grid->files[k]);
        }
    }
    char *name = xta__folder_name(grid, block);
    char *unfinished = name != NULL ? xta__unfinished_path(name) : NULL;
    if (unfinished == NULL) {
        status = xta__bridge_no_memory(grid->grid.path, err);
    } else if (rename(unfinished, name) != 0) {
        status = xta__blocks_io_error(name, "give the finished block its name", errno, err);
    }
    free(name);
    free(unfinished);
    return status;
}

/* Many files' names and cells are made durable at once by syncing the whole file system. */
static xta_status folder_sync(void *self, xta_error *err)
{
    folder_grid *grid = self;
    int fd = open(grid->folder, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return xta__blocks_io_error(grid->folder, "open it", errno, err);
    }
    xta_status status = syncfs(fd) == 0
                            ? XTA_OK
                            : xta__blocks_io_error(grid->folder, "make it durable", errno, err);
    close(fd);
    return status;
}

static void remove_all(const folder_grid *grid)
{
    int64_t block[XTA_MAX_NDIM] = {0};
    do {
        char *name = xta__folder_name(grid, block);
        char *unfinished = name != NULL ? xta__unfinished_path(name) : NULL;
        if (unfinished != NULL) {
            unlink(name);
            unlink(unfinished);
        }
        free(name);
        free(unfinished);
    } while (xta__folder_next(grid, block));
    if (grid->made_folder) {
        rmdir(grid->folder);
    }
}

static xta_status folder_end(void *self, bool complete, xta_error *err)
{
    xta_status status = XTA_OK;
    folder_grid *grid = self;
    for (int k = 0; k < FOLDER_OPEN_FILES; k++) {
        close_file(&grid->files[k]);
    }
    if (grid->target && complete) {
        status = folder_sync(grid, err);
    } else if (grid->target && !grid->resumable) {
        remove_all(grid);
    }
    xta__blocks_pattern_clear(&grid->pattern);
    xta__blocks_grid_clear(&grid->grid);
    free(grid->folder);
    free(grid);
    return status;
}

static uint64_t folder_n_calls(const void *self, bool wrote)
{
    return ((const folder_grid *)self)->n_calls[wrote];
}

static const xta_blocks_calls source_calls = {
    .read = folder_read,
    .close = xta__blocks_close,
    .n_calls = folder_n_calls,
};

static const xta_blocks_calls target_calls = {
    .read = folder_read,
    .write = folder_write,
    .finish = folder_finish,
    .sync = folder_sync,
    .close = xta__blocks_close,
    .n_calls = folder_n_calls,
};

/* ---- making one ---- */

static void fill_blocks(folder_grid *grid, xta_blocks *blocks)
{
    grid->grid.mover.read = mover_read;
    grid->grid.mover.write = mover_write;
    memset(blocks, 0, sizeof *blocks);
    blocks->calls = grid->target ? &target_calls : &source_calls;
    blocks->self = grid;
    blocks->name = grid->grid.path;
    blocks->bounds = grid->bounds;
    blocks->partition = grid->partition;
    blocks->home = XTA_BLOCKS_FILES;
    blocks->type = grid->type;
    blocks->cell_bytes = (uint32_t)grid->cell_bytes;
    blocks->column = grid->order == XTA_COLUMN;
    blocks->block_bytes = xta__blocks_largest(&grid->bounds, &grid->partition, grid->cell_bytes);
}

static xta_status new_grid(const char *path, bool npy, folder_grid **out, xta_error *err)
{
    folder_grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    grid->grid.close = folder_end;
    grid->npy = npy;
    *out = grid;
    grid->grid.path = xta__bridge_copy(path);
    xta_status status = xta__blocks_pattern_parse(path, &grid->pattern, err);
    if (status != XTA_OK) {
        return status;
    }
    grid->folder = xta__folder_of(&grid->pattern);
    return grid->grid.path != NULL && grid->folder != NULL ? XTA_OK
                                                           : xta__bridge_no_memory(path, err);
}

static xta_status folder_open(const char *path, bool npy, const xta_blocks_options *options,
                              xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    folder_grid *grid = NULL;
    XTA_TRY(new_grid(path, npy, &grid, err));
    grid->order = options->order;
    XTA_TRY(xta__folder_find(grid, options, err));
    fill_blocks(grid, blocks);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

/* No file of the pattern may exist, unless the run is resumed. A run that was killed before it
 * wrote its first block left no file, so finding none is not an error then. */
static xta_status may_begin(const folder_grid *grid, const xta_blocks_options *options,
                            xta_error *err)
{
    bool begun = false;
    char found[400] = "";
    xta_status status = xta__folder_is_started(grid, &begun, found, sizeof found, err);
    if (status != XTA_OK) {
        return status;
    }
    if (begun && !options->resume) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: is there already; remove the blocks or choose another target",
                             found);
    }
    return XTA_OK;
}

static xta_status folder_create(const target_spec *spec, bool npy, xta_blocks *blocks,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    folder_grid *grid = NULL;
    const xta_blocks_options *options = spec->options;
    XTA_TRY(new_grid(spec->path, npy, &grid, err));
    if (grid->pattern.ndim != spec->bounds.ndim) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: names %d axes, the source has %d", spec->path,
                               grid->pattern.ndim, spec->bounds.ndim);
        goto done;
    }
    grid->bounds = spec->bounds;
    grid->type = spec->type;
    grid->cell_bytes = spec->cell_bytes;
    grid->order = options->order;
    XTA_TRY(xta__blocks_keep_partition(&grid->grid, &spec->partition, &grid->partition, err));
    XTA_TRY(may_begin(grid, options, err));
    XTA_TRY(xta__target_spec_describe(spec, &grid->grid.what, err));
    grid->made_folder = mkdir(grid->folder, 0777) == 0;
    if (!grid->made_folder && errno != EEXIST) {
        status = xta__blocks_io_error(grid->folder, "make the folder", errno, err);
        goto done;
    }
    grid->target = true;
    grid->resumable = options->resumable;
    fill_blocks(grid, blocks);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

static xta_status npy_folder_open(const char *path, const xta_blocks_options *options,
                                  xta_blocks *blocks, xta_error *err)
{
    return folder_open(path, true, options, blocks, err);
}

static xta_status npy_folder_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    return folder_create(spec, true, blocks, err);
}

static xta_status raw_folder_open(const char *path, const xta_blocks_options *options,
                                  xta_blocks *blocks, xta_error *err)
{
    return folder_open(path, false, options, blocks, err);
}

static xta_status raw_folder_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    return folder_create(spec, false, blocks, err);
}

const blocks_kind xta__blocks_npy_folder = {
    .name = "npy-blocks",
    .open = npy_folder_open,
    .create = npy_folder_create,
};

const blocks_kind xta__blocks_raw_folder = {
    .name = "raw-blocks",
    .open = raw_folder_open,
    .create = raw_folder_create,
};
