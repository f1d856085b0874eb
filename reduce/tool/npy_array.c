/* Labels from .npy files, for masks and groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "npy_array.h"

#include <stdlib.h>

#include "kit/cells/slabs.h"
#include "kit/cells/source.h"

/* Read the cells of a .npy file, slab by slab, into a new array in memory. */
static xta_status load_npy(cli_source *source, xta_array **array, cli_error *err)
{
    const cli_npy *npy = &source->cells;
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    uint8_t *cells = NULL;
    cli_slabs slabs;
    xta_box slab;
    uint64_t n = 0, done = 0;
    xta_status status = XTA_OK;

    create.cell_bytes = (uint32_t)npy->cell_bytes;
    XTA_TRY(xta_array_new(npy->type, npy->ndim, npy->shape, &create, array, &err->error));
    xta_box bounds = xta_array_bounds(*array);
    XTA_TRY(cli_slabs_begin(&slabs, &bounds, NULL, npy->order, npy->cell_bytes, CLI_BUFFER_BYTES));
    XTA_TRY(cli_source_check(source, slabs.n_cells, err));
    cells = malloc((size_t)cli_slabs_largest(&slabs) * npy->cell_bytes + 1);
    if (cells == NULL) {
        XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a slab", source->path));
    }
    io.order = npy->order;
    while (cli_slabs_next(&slabs, &slab, &n)) {
        XTA_TRY(cli_source_read(source, n, cells, done, slabs.n_cells, err));
        XTA_TRY(xta_array_write(*array, &slab, &io, cells, &err->error));
        done += n;
    }
    status = cli_source_end(source, slabs.n_cells, err);
done:
    free(cells);
    return status;
}

xta_status cli_npy_load(const char *path, const char *what, xta_array **array, cli_error *err)
{
    const cli_npy any = {0};
    cli_source source;
    xta_status status = cli_source_open(&source, path, CLI_NPY, &any, err);

    if (status == XTA_OK && source.cells.ndim < 1) {
        status = cli_fail(err, XTA_EARG, 0, "%s: one value is no %s; give an array of labels", path,
                          what);
    }
    if (status == XTA_OK) {
        status = load_npy(&source, array, err);
    }
    cli_source_close(&source);
    return status;
}
