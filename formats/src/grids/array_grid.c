/* An array as a block grid: opened and closed here; the blocks are those of libxta's grid.
 *
 * The grid that libxta makes refers to an open array; this one also owns the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/grid_kind.h"

#include <xta/options.h>
#include <xta/work.h>

#include <stdlib.h>
#include <string.h>

#include "description/copy_attributes.h"
#include "description/description.h"
#include "grids/common/grid.h"
#include "grids/common/target_spec.h"
#include "util/try.h"

typedef struct array_grid {
    blocks_grid grid;
    xta_blocks_calls calls; /* forwards the calls that `inner` has */
    xta_blocks inner;
    xta_array *array;
    xta_work *work; /* the unfinished-work mark of a target that is not complete yet */
    bool created;
    bool resumable;
} array_grid;

static uint64_t array_position(void *self, const int64_t block[])
{
    const array_grid *grid = self;
    return grid->inner.calls->place(grid->inner.self, block);
}

static xta_status array_read(void *self, const int64_t block[], const xta_box *piece, void *cells,
                             const int64_t strides[], xta_error *err)
{
    const array_grid *grid = self;
    return grid->inner.calls->read(grid->inner.self, block, piece, cells, strides, err);
}

static xta_status array_read_run(void *self, size_t n, const int64_t *const block[],
                                 void *const cells[], xta_error *err)
{
    const array_grid *grid = self;
    return grid->inner.calls->read_run(grid->inner.self, n, block, cells, err);
}

static xta_status array_write(void *self, const int64_t block[], const xta_box *piece,
                              const void *cells, const int64_t strides[], xta_error *err)
{
    const array_grid *grid = self;
    return grid->inner.calls->write(grid->inner.self, block, piece, cells, strides, err);
}

static xta_status array_write_run(void *self, size_t n, const int64_t *const block[],
                                  const void *const cells[], xta_error *err)
{
    const array_grid *grid = self;
    return grid->inner.calls->write_run(grid->inner.self, n, block, cells, err);
}

static xta_status array_finish(void *self, const int64_t block[], xta_error *err)
{
    const array_grid *grid = self;
    return grid->inner.calls->finish(grid->inner.self, block, err);
}

static xta_status array_sync(void *self, xta_error *err)
{
    const array_grid *grid = self;
    return grid->inner.calls->sync(grid->inner.self, err);
}

static uint64_t array_n_calls(const void *self, bool wrote)
{
    const array_grid *grid = self;
    return grid->inner.calls->n_calls(grid->inner.self, wrote);
}

static xta_status array_end(void *self, bool complete, xta_error *err)
{
    array_grid *grid = self;
    xta_status status =
        grid->inner.calls != NULL ? xta_blocks_close(&grid->inner, complete, err) : XTA_OK;
    if (complete && status == XTA_OK) {
        status = xta_work_end(grid->array, grid->work, err);
        grid->work = NULL;
    }
    xta_status closed = xta_array_close(grid->array, status == XTA_OK ? err : NULL);
    status = status == XTA_OK ? closed : status;
    if (grid->created && !complete && !grid->resumable) {
        xta_status deleted = xta_array_delete(grid->grid.path, status == XTA_OK ? err : NULL);
        status = status == XTA_OK ? deleted : status;
    }
    xta_work_abandon(grid->work);
    xta__blocks_grid_clear(&grid->grid);
    free(grid);
    return status;
}

/* The inner grid, with the functions of this file in place of its own. */
static void fill_blocks(array_grid *grid, xta_blocks *blocks)
{
    const xta_blocks_calls *inner = grid->inner.calls;
    *blocks = grid->inner;
    grid->calls = *inner; // copies everything else
    grid->calls.place = inner->place != NULL ? array_position : NULL;
    grid->calls.read = inner->read != NULL ? array_read : NULL;
    grid->calls.read_run = inner->read_run != NULL ? array_read_run : NULL;
    grid->calls.write = inner->write != NULL ? array_write : NULL;
    grid->calls.write_run = inner->write_run != NULL ? array_write_run : NULL;
    grid->calls.finish = inner->finish != NULL ? array_finish : NULL;
    grid->calls.sync = inner->sync != NULL ? array_sync : NULL;
    grid->calls.n_calls = inner->n_calls != NULL ? array_n_calls : NULL;
    grid->calls.close = xta__blocks_close;
    blocks->calls = &grid->calls;
    blocks->self = grid;
}

static xta_status array_open(const char *path, const xta_blocks_options *options,
                             xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    array_grid *grid = xta__blocks_grid_new(sizeof *grid, path, array_end, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    bridge_description *what = &grid->grid.what;
    XTA_TRY(xta_array_open(path, NULL, &grid->array, err));
    if (options == NULL || !options->allow_unfinished) {
        XTA_TRY(xta_array_check_finished(grid->array, err));
    }
    xta_box bounds = xta_array_bounds(grid->array);
    what->type = xta_array_type(grid->array);
    what->cell_bytes = xta_array_cell_bytes(grid->array);
    what->ndim = bounds.ndim;
    for (int axis = 0; axis < bounds.ndim; axis++) {
        what->lo[axis] = bounds.lo[axis];
        what->bounds[axis] = bounds.hi[axis] - bounds.lo[axis];
    }
    XTA_TRY(xta__copy_attributes_from(grid->array, what, err));
    const char *variable = xta__description_text(what, XTA_ON_ARRAY, BRIDGE_VARIABLE);
    if (variable != NULL) {
        what->variable = xta__bridge_copy(variable);
    }
    XTA_TRY(xta_blocks_of_array(grid->array, &grid->inner, err));
    fill_blocks(grid, blocks);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

/* Create an array with the source's bounds, which may begin below 0: it is created empty and then
 * grows. */
static xta_status make_array(array_grid *grid, const target_spec *spec, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    int64_t bounds[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM];
    int64_t zero[XTA_MAX_NDIM] = {0};
    int axes[XTA_MAX_NDIM];
    xta_growth growths[XTA_MAX_NDIM];
    int n_growths = 0;
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    XTA_TRY(xta_options_read(&how, sizeof how, spec->options->create, "xta_create_options", err));
    XTA_TRY(xta__target_spec_describe(spec, &what, err));
    for (int axis = 0; axis < what.ndim; axis++) {
        axes[axis] = axis;
        chunk[axis] = what.chunk[axis];
        bounds[axis] = spec->bounds.lo[axis] < 0 ? 0 : spec->bounds.hi[axis];
        if (spec->bounds.lo[axis] < 0) {
            bounds[axis] = spec->bounds.hi[axis] > 0 ? spec->bounds.hi[axis] : 0;
            growths[n_growths++] = (xta_growth){axis, XTA_FRONT, -spec->bounds.lo[axis]};
        }
        if (spec->bounds.lo[axis] > 0 || spec->bounds.hi[axis] < 0 || chunk[axis] < 1) {
            status =
                xta_error_set(err, XTA_EUNSUPPORTED, 0,
                              "%s: axis %d: an array cannot have bounds %lld:%lld or blocks of "
                              "different lengths; use a folder of block files",
                              spec->path, axis, (long long)spec->bounds.lo[axis],
                              (long long)spec->bounds.hi[axis]);
            goto done;
        }
    }
    how.chunk = chunk;
    how.fill = how.fill != NULL ? how.fill : what.fill;
    how.cell_bytes = (uint32_t)spec->cell_bytes;
    plan.verb = XTA_WORK_RECHUNK;
    plan.source = spec->source_path;
    plan.box = &spec->bounds;
    XTA_TRY(xta_work_create_array(spec->path, spec->type, what.ndim, bounds, &how, &plan,
                                  &grid->array, &grid->work, err));
    grid->created = true;
    if (n_growths > 0) {
        XTA_TRY(xta_array_extend(grid->array, growths, n_growths, NULL, err));
    }
    /* The copied attributes already have the array's coordinates. */
    XTA_TRY(xta__copy_attributes_to(grid->array, &what, axes, zero, err));
done:
    xta__description_clear(&what);
    return status;
}

static xta_status array_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    array_grid *grid = xta__blocks_grid_new(sizeof *grid, spec->path, array_end, err);
    if (grid == NULL) {
        return XTA_ENOMEM;
    }
    writable.writable = true;
    if (spec->options->resume) {
        XTA_TRY(xta_array_open(spec->path, &writable, &grid->array, err));
        xta_box bounds = xta_array_bounds(grid->array);
        if (!xta_box_equal(&bounds, &spec->bounds) || xta_array_type(grid->array) != spec->type) {
            status = xta_error_set(err, XTA_ESTATE, 0,
                                   "%s: has other bounds or another type than the target to resume",
                                   spec->path);
            goto done;
        }
        if (!spec->options->join) {
            XTA_TRY(xta_work_resume_any(grid->array, XTA_WORK_RECHUNK, &grid->work, err));
        }
    } else {
        XTA_TRY(make_array(grid, spec, err));
    }
    XTA_TRY(xta_blocks_into_array(grid->array, &grid->inner, err));
    grid->created = true; // created by this call, so deleted if it is abandoned
    grid->resumable = spec->options->resumable;
    fill_blocks(grid, blocks);
    grid = NULL;
done:
    xta__blocks_abandon(grid);
    return status;
}

const blocks_kind xta__blocks_array = {.name = "xta", .open = array_open, .create = array_create};
