/* Raw and .npy files as dense grids.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/grid_kind.h"

#include <stdlib.h>

#include "dense/dense_file.h"
#include "dense/npy.h"
#include "dense/npy_file.h"
#include "dense/raw.h"
#include "description/description.h"
#include "description/format.h"
#include "grids/common/dense_grid.h"
#include "grids/common/target_spec.h"
#include "util/npy_header.h"
#include "util/try.h"

/* Both formats have a bridge_dense as their state; the grid becomes its owner. */
static xta_status open_as(const bridge_format *format, const char *path,
                          const xta_blocks_options *options, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    bridge_dense *file = NULL;
    void *state = NULL;
    xta_import_options how = XTA_IMPORT_OPTIONS_INIT;
    xta_array_info cells = {.type = options->type, .cell_bytes = options->cell_bytes};
    bridge_target target = {&cells, -1};
    how.type = options->type;
    how.ndim = options->ndim;
    how.bounds = options->bounds;
    xta__description_init(&what);
    XTA_TRY(format->open(path, &how, &target, &what, &state, err));
    file = state;
    if (format == &xta__bridge_raw) {
        file->order = options->order;
    }
    XTA_TRY(xta__blocks_dense_source(file, &what, options, blocks, err));
done:
    if (file != NULL) {
        xta__dense_close(file);
        free(file);
    }
    xta__description_clear(&what);
    return status;
}

static xta_status raw_open(const char *path, const xta_blocks_options *options, xta_blocks *blocks,
                           xta_error *err)
{
    if (options->bounds == NULL || options->type == XTA_TYPE_SAME) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: raw cells need their type and bounds to be given", path);
    }
    return open_as(&xta__bridge_raw, path, options, blocks, err);
}

static xta_status raw_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    return xta__blocks_dense_target(spec, spec->options->order, NULL, 0, NULL, blocks, err);
}

static xta_status npy_open(const char *path, const xta_blocks_options *options, xta_blocks *blocks,
                           xta_error *err)
{
    return open_as(&xta__bridge_npy, path, options, blocks, err);
}

static xta_status npy_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    unsigned char head[XTA__NPY_HEADER_CAPACITY];
    int64_t bounds[XTA_MAX_NDIM];
    xta__npy_header header;
    for (int axis = 0; axis < spec->bounds.ndim; axis++) {
        bounds[axis] = spec->bounds.hi[axis] - spec->bounds.lo[axis];
    }
    size_t n = xta__npy_header_for(spec->like, spec->type, spec->cell_bytes, spec->bounds.ndim,
                                   bounds, spec->options->order, &header, head, sizeof head);
    return xta__blocks_dense_target(spec, header.fortran ? XTA_COLUMN : XTA_ROW, head, n, NULL,
                                    blocks, err);
}

const blocks_kind xta__blocks_raw = {.name = "raw", .open = raw_open, .create = raw_create};
const blocks_kind xta__blocks_npy = {.name = "npy", .open = npy_open, .create = npy_create};
