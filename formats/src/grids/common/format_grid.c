/* Block grids that move cells by a format's own functions: NetCDF, compressed NIfTI images.
 *
 * The blocks are the chunks of the file; a file without chunks is presented as runs, like a dense
 * file. Compressed chunks can only be moved whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "grids/common/format_grid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "description/description.h"
#include "description/format.h"
#include "grids/common/copy_cells.h"
#include "grids/common/dense_grid.h"
#include "grids/common/grid.h"
#include "grids/common/target_spec.h"
#include "grids/common/unfinished_files.h"
#include "util/try.h"

typedef struct bridge_grid {
    blocks_grid grid;
    const bridge_format *format;
    void *state;
} bridge_grid;

static xta_status bridge_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                              const int64_t strides[], xta_error *err)
{
    bridge_grid *grid = self;
    (void)block;
    return xta__blocks_move_in(&grid->grid.mover, piece, cells, strides, err);
}

static xta_status bridge_write(void *self, const int64_t block[], const xta_box *piece,
                               const void *cells, const int64_t strides[], xta_error *err)
{
    bridge_grid *grid = self;
    (void)block;
    return xta__blocks_move_out(&grid->grid.mover, piece, cells, strides, err);
}

/* Such a target cannot be continued after a loss of power, so nothing needs to be durable before
 * the end, when everything is synced. */
static xta_status bridge_sync(void *self, xta_error *err)
{
    (void)self;
    (void)err;
    return XTA_OK;
}

static xta_status finish_target(bridge_grid *grid, xta_error *err)
{
    xta_status status = XTA_OK;
    void *state = grid->state;
    grid->state = NULL;
    XTA_TRY(grid->format->finish(state, err));
    int fd = open(grid->grid.unfinished, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0) {
        status = xta__blocks_io_error(grid->grid.unfinished, "make it durable", errno, err);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (status == XTA_OK) {
        status = xta__unfinished_finish(grid->grid.unfinished, grid->grid.path, err);
    }
done:
    return status;
}

static xta_status bridge_end(void *self, bool complete, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_grid *grid = self;
    if (grid->grid.unfinished != NULL && grid->state != NULL) {
        if (complete) {
            status = finish_target(grid, err);
        } else {
            grid->format->abandon(grid->state);
        }
        if (status != XTA_OK || !complete) {
            unlink(grid->grid.unfinished);
        }
    } else if (grid->state != NULL) {
        grid->format->close(grid->state);
    }
    xta__blocks_grid_free(&grid->grid);
    return status;
}

static const xta_blocks_calls source_calls = {
    .read = bridge_read,
    .close = xta__blocks_close,
    .serial = true,
    .prefers_whole = true,
};

static const xta_blocks_calls target_calls = {
    .read = bridge_read,
    .write = bridge_write,
    .sync = bridge_sync,
    .close = xta__blocks_close,
    .serial = true,
    .prefers_whole = true,
};

static bridge_grid *new_grid(const bridge_format *format, const char *path, xta_error *err)
{
    bridge_grid *grid = xta__blocks_grid_new(sizeof *grid, path, bridge_end, err);
    if (grid != NULL) {
        grid->format = format;
    }
    return grid;
}

static void fill_blocks(bridge_grid *grid, const bridge_description *what, const xta_box *bounds,
                        bool compressed, xta_blocks *blocks)
{
    blocks_mover *mover = &grid->grid.mover;
    bool target = grid->grid.unfinished != NULL;
    xta__blocks_mover_init(mover, what->ndim, what->cell_bytes, what->order);
    mover->state = grid->state;
    mover->read = target ? grid->format->read_back : grid->format->read;
    mover->write = grid->format->write;
    mover->path = grid->grid.path;
    memcpy(mover->lo, bounds->lo, sizeof mover->lo);
    memset(blocks, 0, sizeof *blocks);
    blocks->calls = target ? &target_calls : &source_calls;
    blocks->self = grid;
    blocks->name = grid->grid.path;
    blocks->bounds = *bounds;
    blocks->home = compressed ? XTA_BLOCKS_WHOLE : XTA_BLOCKS_FILES;
    blocks->type = what->type;
    blocks->cell_bytes = (uint32_t)what->cell_bytes;
    blocks->column = what->order == XTA_COLUMN;
}

xta_status xta__format_grid_open(const bridge_format *format, const char *path,
                                 const xta_blocks_options *options,
                                 bool (*prepare)(void *state, const bridge_description *what),
                                 xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t run[XTA_MAX_NDIM];
    xta_import_options how = XTA_IMPORT_OPTIONS_INIT;
    bridge_target target = {NULL, -1};
    bridge_grid *grid = new_grid(format, path, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    bridge_description *what = &grid->grid.what;
    how.variable = options->variable;
    how.trust = options->trust;
    XTA_TRY(format->open(path, &how, &target, what, &grid->state, err));
    xta_box bounds = xta__blocks_from_zero(what->ndim, what->bounds);
    bool compressed = prepare(grid->state, what);
    const int64_t *block = what->chunk;
    if (what->chunk[0] == 0) {
        xta__blocks_runs(&bounds, what->slow, what->cell_bytes, compressed ? NULL : options->suit,
                         options->memory_bytes, run);
        block = run;
    }
    fill_blocks(grid, what, &bounds, compressed, blocks);
    blocks->partition = xta_partition_regular(what->ndim, block, bounds.lo);
    blocks->block_bytes = xta__blocks_largest(&bounds, &blocks->partition, what->cell_bytes);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

xta_status xta__format_grid_create(const bridge_format *format, const target_spec *spec,
                                   const char *name_of_kind, bridge_description *what,
                                   bool (*prepare)(void *state, const bridge_description *what),
                                   xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_export_options how = XTA_EXPORT_OPTIONS_INIT;
    how.format = name_of_kind;
    bridge_grid *grid = new_grid(format, spec->path, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    char *unfinished = xta__unfinished_path(spec->path);
    if (unfinished == NULL) {
        status = xta__bridge_no_memory(spec->path, err);
        goto done;
    }
    grid->grid.unfinished = unfinished;
    if (spec->options->resume) {
        status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: an unfinished file of this format cannot be gone on with; "
                               "start again without resuming",
                               spec->path);
        goto done;
    }
    XTA_TRY(xta__unfinished_may_begin(spec->path, unfinished, false, err));
    XTA_TRY(format->create(unfinished, &how, what, &grid->state, err));
    fill_blocks(grid, what, &spec->bounds, prepare(grid->state, what), blocks);
    blocks->partition = xta_partition_regular(what->ndim, what->chunk, spec->bounds.lo);
    blocks->block_bytes = xta__blocks_largest(&spec->bounds, &blocks->partition, what->cell_bytes);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

xta_status xta__format_grid_set_chunks(const target_spec *spec, const char *name,
                                       bridge_description *what, xta_error *err)
{
    for (int axis = 0; axis < what->ndim; axis++) {
        if (spec->partition.axis[axis].length < 1) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: axis %d: the format has chunks of one length only; give a "
                                 "block shape",
                                 spec->path, axis);
        }
        /* A chunk longer than its axis would only waste space. */
        int64_t n = what->bounds[axis] > 0 ? what->bounds[axis] : 1;
        what->chunk[axis] =
            spec->partition.axis[axis].length < n ? spec->partition.axis[axis].length : n;
    }
    for (size_t k = 0; k < what->n_attributes; k++) {
        bridge_attribute *a = &what->attributes[k];
        if (a->axis == XTA_ON_ARRAY && strcmp(a->name, name) == 0) {
            // describes the source's chunks; a name with a slash in front is never looked up
            a->name[0] = '/';
        }
    }
    return xta__description_add(what, XTA_ON_ARRAY, name, XTA_I64, (size_t)what->ndim,
                                what->chunk) != NULL
               ? XTA_OK
               : xta__bridge_no_memory(spec->path, err);
}
