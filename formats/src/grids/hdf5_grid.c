/* A dataset of an HDF5 file as a grid of blocks.
 *
 * - Contiguous: a dense file with the cells at an offset; HDF5 reports the offset and is not needed
 *   after that.
 * - Chunked, plain: whole chunks are moved as they lie in the file, past HDF5's selections and its
 *   cache; parts and edge chunks through selections.
 * - Chunked, compressed: only whole chunks.
 *
 * A plain target is laid out when it is created: chunks are allocated, and their index is written.
 * From then on only cells are written, so that the target can be continued after a kill.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "grids/common/grid_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "grids/common/copy_cells.h"
#include "grids/common/dense_grid.h"
#include "grids/common/format_grid.h"
#include "grids/common/grid.h"
#include "grids/common/target_spec.h"
#include "grids/common/unfinished_files.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/create.h"
#include "hdf5/dataset.h"
#include "hdf5/hdf5.h"
#include "hdf5/names.h"
#include "hdf5/open_dataset.h"
#include "hdf5/select_dataset.h"
#include "util/try.h"

typedef struct hdf5_grid {
    blocks_grid grid;
    hdf5_file *f;
    xta_box bounds;
    xta_partition partition;
    uint64_t block_bytes;
    bool resumable;
} hdf5_grid;

/* Whether the piece is a whole chunk with the same layout in the file as in memory; `offset`: its
 * position. */
static bool is_raw(const hdf5_grid *grid, const int64_t block[], const xta_box *piece,
                   const int64_t strides[], hsize_t offset[])
{
    const hdf5_file *f = grid->f;
    if (strides != NULL || f->filtered || !f->same_type || f->chunk[0] == 0 || f->ndim == 0) {
        return false;
    }
    for (int axis = 0; axis < f->ndim; axis++) {
        offset[axis] = (hsize_t)block[axis] * f->chunk[axis];
        if ((hsize_t)(piece->hi[axis] - piece->lo[axis]) != f->chunk[axis]) {
            return false;
        }
    }
    return true;
}

static xta_status hdf5_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                            const int64_t strides[], xta_error *err)
{
    hdf5_grid *grid = self;
    hsize_t offset[XTA_MAX_NDIM];
    bool done = false;
    if (is_raw(grid, block, piece, strides, offset)) {
        hsize_t bytes = 0;
        uint32_t mask = 0;
        hid_t dataset = grid->f->dataset;
        xta__hdf5_enter();
        /* A chunk that was never written does not exist: HDF5 supplies its fill value. */
        done = H5Dget_chunk_storage_size(dataset, offset, &bytes) >= 0 &&
               bytes == grid->block_bytes &&
               H5Dread_chunk(dataset, H5P_DEFAULT, offset, &mask, cells) >= 0;
        H5Eclear2(H5E_DEFAULT);
        xta__hdf5_leave();
    }
    return done ? XTA_OK : xta__blocks_move_in(&grid->grid.mover, piece, cells, strides, err);
}

static xta_status hdf5_write(void *self, const int64_t block[], const xta_box *piece,
                             const void *cells, const int64_t strides[], xta_error *err)
{
    hdf5_grid *grid = self;
    hsize_t offset[XTA_MAX_NDIM];
    if (!is_raw(grid, block, piece, strides, offset)) {
        return xta__blocks_move_out(&grid->grid.mover, piece, cells, strides, err);
    }
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    if (H5Dwrite_chunk(grid->f->dataset, H5P_DEFAULT, 0, offset, (size_t)grid->block_bytes, cells) <
        0) {
        status = xta__hdf5_failed(grid->grid.unfinished, "cannot write a chunk", err);
    }
    xta__hdf5_leave();
    return status;
}

static xta_status make_durable(const char *path, xta_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    xta_status status = fd < 0 || fsync(fd) != 0
                            ? xta__blocks_io_error(path, "make it durable", errno, err)
                            : XTA_OK;
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

static xta_status hdf5_sync(void *self, xta_error *err)
{
    hdf5_grid *grid = self;
    xta_status status = XTA_OK;
    xta__hdf5_enter();
    if (H5Fflush(grid->f->file, H5F_SCOPE_LOCAL) < 0) {
        status = xta__hdf5_failed(grid->grid.unfinished, "cannot write what it holds", err);
    }
    xta__hdf5_leave();
    return status == XTA_OK ? make_durable(grid->grid.unfinished, err) : status;
}

static xta_status finish_target(hdf5_grid *grid, xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_file *f = grid->f;
    grid->f = NULL;
    XTA_TRY(xta__hdf5_finish(f, err));
    XTA_TRY(make_durable(grid->grid.unfinished, err));
    XTA_TRY(xta__unfinished_finish(grid->grid.unfinished, grid->grid.path, err));
done:
    return status;
}

static xta_status hdf5_end(void *self, bool complete, xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_grid *grid = self;
    bool ours = grid->grid.unfinished != NULL && grid->f != NULL;
    if (ours && complete) {
        status = finish_target(grid, err);
    }
    if (grid->f != NULL) {
        xta__hdf5_close(grid->f);
    }
    if (ours && !complete && !grid->resumable) {
        unlink(grid->grid.unfinished);
    }
    xta__blocks_grid_free(&grid->grid);
    return status;
}

static const xta_blocks_calls source_calls = {
    .read = hdf5_read,
    .close = xta__blocks_close,
    .serial = true,
    .prefers_whole = true,
};

static const xta_blocks_calls target_calls = {
    .read = hdf5_read,
    .write = hdf5_write,
    .sync = hdf5_sync,
    .close = xta__blocks_close,
    .serial = true,
    .prefers_whole = true,
};

static void fill_blocks(hdf5_grid *grid, xta_type type, size_t cell_bytes, int ndim,
                        xta_blocks *blocks)
{
    blocks_mover *mover = &grid->grid.mover;
    bool chunked = grid->f->chunk[0] > 0;
    xta__blocks_mover_init(mover, ndim, cell_bytes, XTA_ROW);
    mover->state = grid->f;
    mover->read = xta__hdf5_read;
    mover->write = xta__hdf5_write_box;
    mover->path = grid->grid.path;
    memcpy(mover->lo, grid->bounds.lo, sizeof mover->lo);
    grid->block_bytes = xta__blocks_largest(&grid->bounds, &grid->partition, cell_bytes);
    memset(blocks, 0, sizeof *blocks);
    blocks->calls = grid->grid.unfinished != NULL ? &target_calls : &source_calls;
    blocks->self = grid;
    blocks->name = grid->grid.path;
    blocks->bounds = grid->bounds;
    blocks->partition = grid->partition;
    blocks->home = grid->f->filtered ? XTA_BLOCKS_WHOLE
                   : chunked         ? XTA_BLOCKS_CHUNKS
                                     : XTA_BLOCKS_FILES;
    blocks->type = type;
    blocks->cell_bytes = (uint32_t)cell_bytes;
    blocks->block_bytes = grid->block_bytes;
}

/* ---- source ---- */

/* For cells to be read without HDF5, only the byte order may differ between file and memory. */
static bool is_plain(const hdf5_file *f, bool *swapped)
{
    hid_t type = H5Dget_type(f->dataset);
    hid_t other_order = H5Tcopy(f->memory_type);
    H5T_class_t class = H5Tget_class(type);
    bool numbers = class == H5T_INTEGER || class == H5T_FLOAT;
    bool good = f->same_type;
    *swapped = false;
    if (!good && numbers) {
        H5T_order_t native = H5Tget_order(f->memory_type);
        H5Tset_order(other_order, native == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE);
        *swapped = H5Tequal(other_order, type) > 0;
        good = *swapped;
    }
    H5Tclose(other_order);
    H5Tclose(type);
    return good;
}

/* Find the cells of a contiguous dataset; false: not contiguous in this file. */
static bool is_dense(hdf5_file *f, bridge_dense *file)
{
    bool swapped = false;
    xta__hdf5_enter();
    bool good = f->ndim > 0 && H5Pget_layout(f->properties) == H5D_CONTIGUOUS &&
                H5Pget_external_count(f->properties) == 0 && is_plain(f, &swapped);
    haddr_t offset = good ? H5Dget_offset(f->dataset) : HADDR_UNDEF;
    H5Eclear2(H5E_DEFAULT);
    xta__hdf5_leave();
    file->offset = offset;
    file->swap_bytes = swapped ? 2 : 0; // the length is set where the type is known
    return offset != HADDR_UNDEF;
}

static xta_status open_dense(hdf5_grid *grid, bridge_dense *file, const xta_blocks_options *options,
                             xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description *what = &grid->grid.what;
    uint64_t file_bytes = 0;
    uint64_t cells = 0;
    XTA_TRY(xta__dense_open(file, grid->grid.path, &file_bytes, err));
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = file->swap_bytes > 0 ? xta__dense_unit(what->type) : 0;
    file->ndim = what->ndim;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    if (!xta__dense_total(file, &cells) || file_bytes < file->offset ||
        cells > file_bytes - file->offset) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: ends before the last cell of the dataset",
                               grid->grid.path);
        goto done;
    }
    XTA_TRY(xta__blocks_dense_source(file, what, options, blocks, err));
done:
    if (file->fd >= 0) {
        xta__dense_close(file);
    }
    return status;
}

static xta_status hdf5_open(const char *path, const xta_blocks_options *options, xta_blocks *blocks,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t block[XTA_MAX_NDIM];
    bridge_dense file = {.fd = -1};
    hdf5_grid *grid = xta__blocks_grid_new(sizeof *grid, path, hdf5_end, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    bridge_description *what = &grid->grid.what;
    XTA_TRY(xta__hdf5_open(path, options->variable, false, options->trust, what, &grid->f, err));
    if (is_dense(grid->f, &file)) {
        XTA_TRY(open_dense(grid, &file, options, blocks, err));
        goto done; // the dense grid has taken over; this one is freed
    }
    grid->bounds = xta__blocks_from_zero(what->ndim, what->bounds);
    for (int axis = 0; axis < what->ndim; axis++) {
        what->slow[axis] = axis;
        block[axis] = what->chunk[axis];
    }
    if (what->chunk[0] == 0) {
        xta__blocks_runs(&grid->bounds, what->slow, what->cell_bytes, options->suit,
                         options->memory_bytes, block);
    }
    grid->partition = xta_partition_regular(what->ndim, block, grid->bounds.lo);
    fill_blocks(grid, what->type, what->cell_bytes, what->ndim, blocks);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

/* ---- target ---- */

static xta_status check_resumed(const hdf5_file *f, const bridge_description *what,
                                const char *unfinished, xta_error *err)
{
    size_t bytes = 0;
    hid_t type = H5Dget_type(f->dataset);
    bool same = f->ndim == what->ndim && !f->filtered &&
                xta__hdf5_to_xta(type, &bytes) == what->type && bytes == what->cell_bytes;
    H5Tclose(type);
    for (int axis = 0; axis < f->ndim && same; axis++) {
        same = f->bounds[axis] == (hsize_t)what->bounds[axis] &&
               f->chunk[axis] == (hsize_t)what->chunk[axis];
    }
    return same ? XTA_OK
                : xta_error_set(err, XTA_ESTATE, 0,
                                "%s: holds another dataset than the target to resume", unfinished);
}

/* Open the unfinished file again. */
static xta_status resume_target(hdf5_grid *grid, const bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    char *name = NULL;
    hdf5_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return xta__bridge_no_memory(grid->grid.path, err);
    }
    f->path = xta__bridge_copy(grid->grid.unfinished);
    xta__hdf5_enter();
    f->file = f->path != NULL ? H5Fopen(grid->grid.unfinished, H5F_ACC_RDWR, H5P_DEFAULT) : -1;
    if (f->file < 0) {
        status = xta__hdf5_failed(grid->grid.unfinished, "cannot open the unfinished file", err);
        goto done;
    }
    XTA_TRY(xta__hdf5_select_dataset(f, what->variable, false, &name, err));
    XTA_TRY(xta__hdf5_read_storage(f, err));
    XTA_TRY(check_resumed(f, what, grid->grid.unfinished, err));
    grid->f = f;
    f = NULL;
done:
    free(name);
    xta__hdf5_leave();
    if (f != NULL) {
        xta__hdf5_close(f);
    }
    return status;
}

static bool is_to_be_filtered(const bridge_description *what)
{
    const bridge_attribute *filters = xta__description_find(what, XTA_ON_ARRAY, H5_FILTERS);
    bool any = false;
    for (size_t k = 0; k < H5_N_FILTERS; k++) {
        any = any || xta__attribute_number(filters, k, 0) != 0;
    }
    return any;
}

static xta_status hdf5_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    hdf5_grid *grid = xta__blocks_grid_new(sizeof *grid, spec->path, hdf5_end, err);
    bool resume = spec->options->resume;
    xta__description_init(&what);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    char *unfinished = xta__unfinished_path(spec->path);
    if (unfinished == NULL) {
        status = xta__bridge_no_memory(spec->path, err);
        goto done;
    }
    grid->grid.unfinished = unfinished;
    grid->resumable = spec->options->resumable;
    XTA_TRY(xta__target_spec_describe(spec, &what, err));
    XTA_TRY(xta__target_spec_check_coordinates(spec, xta__bridge_hdf5.coordinates, &what, err));
    XTA_TRY(xta__format_grid_set_chunks(spec, H5_CHUNKS, &what, err));
    bool filtered = is_to_be_filtered(&what);
    if (filtered && resume) {
        status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%s: an unfinished compressed file cannot be gone on with; start "
                               "again without resuming",
                               spec->path);
        goto done;
    }
    grid->resumable = grid->resumable && !filtered;
    XTA_TRY(xta__unfinished_may_begin(spec->path, unfinished, resume, err));
    XTA_TRY(resume ? resume_target(grid, &what, err)
                   : xta__hdf5_create(unfinished, &what, true, &grid->f, err));
    grid->bounds = spec->bounds;
    grid->partition = xta_partition_regular(what.ndim, what.chunk, spec->bounds.lo);
    fill_blocks(grid, what.type, what.cell_bytes, what.ndim, blocks);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    xta__description_clear(&what);
    return status;
}

const blocks_kind xta__blocks_hdf5 = {
    .name = "hdf5",
    .open = hdf5_open,
    .create = hdf5_create,
};
