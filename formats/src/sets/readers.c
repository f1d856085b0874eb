/* The readers of whole files: one is selected by what the path names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/readers.h"

#include <stdlib.h>

#include "sets/hdf5_source.h"
#include "sets/netcdf_source.h"
#include "util/os.h"
#include "util/try.h"
#ifdef XTA_WITH_ZARR
#include "sets/zarr_source.h"
#include "zarr/store.h"
#endif

static xta_status select_reader(const char *path, const set_reader **out, xta_error *err)
{
#ifdef XTA_WITH_ZARR
    if (xta__zarr_is_store(path)) {
        *out = &xta__set_zarr;
        return XTA_OK;
    }
#endif
    if (xta__path_is_folder(path)) {
#ifdef XTA_WITH_ZARR
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: is a folder without .zgroup, .zarray or zarr.json; give a NetCDF "
                             "file or a Zarr store",
                             path);
#else
        return xta_error_set(
            err, XTA_EUNSUPPORTED, 0,
            "%s: is a folder; Zarr stores are read by a build with libjansson-dev, "
            "libblosc-dev, libzstd-dev and liblz4-dev (-DXTA_ZARR=ON)",
            path);
#endif
    }
#ifdef XTA_WITH_NETCDF
    *out = xta__set_is_plain_hdf5(path) ? &xta__set_hdf5 : &xta__set_netcdf;
    return XTA_OK;
#else
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: whole files are read by NetCDF, which this build lacks", path);
#endif
}

xta_status xta__set_open(const char *path, bool trust, set_source *source, xta_error *err)
{
    xta_status status = XTA_OK;

    *source = (set_source){.file = -1};
    xta__description_init(&source->root.attributes);
    source->path = xta__bridge_copy(path);
    if (source->path == NULL) {
        XTA_TRY(xta__bridge_no_memory(path, err));
    }
    XTA_TRY(select_reader(path, &source->reader, err));
    XTA_TRY(source->reader->open(path, trust, source, err));

done:
    if (status != XTA_OK) {
        xta__set_close(source);
    }
    return status;
}

void xta__set_close(set_source *source)
{
    if (source->reader != NULL) {
        source->reader->close(source);
    }
    for (size_t k = 0; k < source->n_lost; k++) {
        free(source->lost[k]);
    }
    for (size_t k = 0; k < source->n_selected; k++) {
        xta__selected_clear(source->selected[k]);
        free(source->selected[k]);
    }
    for (size_t k = 0; k < source->n_dependences; k++) {
        xta__set_clear_dependence(&source->dependences[k]);
    }
    free(source->selected);
    free(source->dependences);
    free(source->lost);
    xta__set_clear_group(&source->root);
    free(source->path);
    free(source->local);
    *source = (set_source){.file = -1};
}

/* A variable whose cells are read. */
typedef struct of_variable {
    const set_source *source;
    const set_variable *variable;
} of_variable;

static xta_status read_box(void *user, const xta_box *box, void *cells, xta_error *err)
{
    const of_variable *from = user;

    return from->source->reader->read(from->source, from->variable, box, cells, err);
}

xta_status xta__set_read(const set_source *source, const set_variable *v, const xta_box *box,
                         void *cells, xta_error *err)
{
    of_variable from = {source, v};
    selected_source selected = {.read = read_box,
                                .user = &from,
                                .path = source->path,
                                .cell_bytes = v->what.cell_bytes,
                                .order = XTA_ROW,
                                .chunk = xta__set_chunks_of(v)};

    for (int axis = 0; axis < v->what.ndim; axis++) {
        selected.cells[axis] = v->cells[axis];
        selected.bounds[axis] = v->cells[axis] != NULL ? v->cells[axis]->of : v->what.bounds[axis];
    }
    return xta__selected_read(&selected, box, cells, err);
}

/* Whether a box of selected cells is one of the file; lists and steps are gathered by
 * xta__set_read. */
static bool has_ranges(const set_variable *v)
{
    bool ranges = true;

    for (int axis = 0; axis < v->what.ndim; axis++) {
        const selected_cells *cells = v->cells[axis];
        ranges = ranges && (cells == NULL || xta__selected_is_range(cells));
    }
    return ranges;
}

raw_chunks *xta__set_open_chunks(const set_source *source, const set_variable *v)
{
    bool plain = source->reader->open_chunks != NULL && !v->strings && !v->scalar && has_ranges(v);

    return plain ? source->reader->open_chunks(source, v) : NULL;
}

bool xta__set_is_empty(const set_source *source, const set_variable *v, const xta_box *box)
{
    return !xta_box_empty(box) && source->reader->is_empty != NULL && has_ranges(v) &&
           source->reader->is_empty(source, v, box);
}
