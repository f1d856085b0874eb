/* NetCDF: self-describing files of named variables over shared dimensions, in the classic formats
 * and in NetCDF-4, read and written by the NetCDF C library. This file reads, and contains the
 * table of the format.
 *
 * One array holds one variable. What maps to what:
 *
 *   dimension                      axis, with its name; a scalar becomes one cell on one axis
 *   coordinate variable            attribute `values` of the axis, its attributes beside it
 *   attribute of the variable      attribute of the array, of the same name
 *   attribute of the file          attribute `global/NAME`
 *   other variable that the        attribute `variable/NAME`, if it is small: coordinates, bounds,
 *   metadata name                  grid mapping, cell measures ("companions")
 *   kind of file, chunks, filters  attributes `netcdf/...`
 *
 * So an export writes a self-contained file, as the source was. Lost: variables that no metadata
 * names, large companions, and attributes of user-defined types. Refused: variables of strings or
 * compounds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "netcdf/netcdf.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "common/local_path.h"
#include "description/description.h"
#include "description/format.h"
#include "hdf5/self_contained.h"
#include "netcdf/add_variable.h"
#include "netcdf/create.h"
#include "netcdf/library.h"
#include "netcdf/open_file.h"
#include "netcdf/select_variable.h"
#include "netcdf/stored_chunks.h"
#include "netcdf/target.h"
#include "netcdf/variable.h"
#include "util/try.h"

static const char *const suffixes[] = {"nc", "nc4", "cdf", "netcdf", NULL};
static const char *const coordinates[] = {"values", NULL};

static bool netcdf_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    bool classic = n_bytes >= 4 && memcmp(head, "CDF", 3) == 0 &&
                   (head[3] == 1 || head[3] == 2 || head[3] == 5);
    return classic || (n_bytes >= 8 && memcmp(head, "\x89HDF\r\n\x1a\n", 8) == 0);
}

static void netcdf_close(void *state)
{
    netcdf_source *source = state;
    xta__raw_chunks_close(source->raw);
    xta__raw_chunks_close_file(source->hdf5);
    xta__netcdf_lock();
    if (source->root >= 0) {
        nc_close(source->root);
    }
    xta__netcdf_unlock();
    free(source->path);
    free(source);
}

/* Called under the lock. `local` is the path that is passed to the library. */
static xta_status open_source(netcdf_source *source, const char *local, const char *variable,
                              bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta__netcdf_open_file(local, source->path, &source->root, err));
    XTA_TRY(xta__netcdf_select_variable(source, variable, err));
    XTA_TRY(xta__netcdf_describe(source, what, err));
done:
    return status;
}

static xta_status netcdf_open(const char *path, const xta_import_options *options,
                              const bridge_target *target, bridge_description *what, void **state,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    netcdf_source *source = calloc(1, sizeof *source);
    char *local = xta__local_path(path);
    (void)target;
    if (source == NULL || local == NULL) {
        free(source);
        free(local);
        return xta__bridge_no_memory(path, err);
    }
    source->root = -1;
    source->hdf5 = -1;
    source->path = xta__bridge_copy(path);
    if (source->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(xta__path_must_exist(path, err));
    if (!options->trust) {
        XTA_TRY(
            xta__hdf5_check_self_contained(path, err)); // NetCDF follows links when it opens a file
    }
    xta__netcdf_lock();
    status = open_source(source, local, options->variable, what, err);
    xta__netcdf_unlock();
    if (status == XTA_OK) {
        source->hdf5 = xta__raw_chunks_open_file(local);
        *state = source;
        source = NULL;
    }
done:
    free(local);
    if (source != NULL) {
        netcdf_close(source);
    }
    return status;
}

/* Read chunks by several threads; false: NetCDF has to read them. */
static bool read_chunks(netcdf_source *source, const xta_box *box, void *cells)
{
    if (!source->looked) {
        size_t bytes = 0;
        xta__netcdf_lock();
        bool known = nc_inq_type(source->group, source->type, NULL, &bytes) == NC_NOERR;
        xta__netcdf_unlock();
        source->looked = true;
        if (known) {
            source->raw = xta__netcdf_open_chunks(source->hdf5, source->group, source->variable,
                                                  source->ndim, bytes);
        }
    }
    return source->raw != NULL && xta__raw_chunks_read_by_threads(source->raw, box, cells);
}

static xta_status netcdf_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta_box_empty(box) || read_chunks(state, box, cells)
               ? XTA_OK
               : xta__netcdf_read(state, box, cells, err);
}

const bridge_format xta__bridge_netcdf = {
    .name = "netcdf",
    .summary = "netcdf: NetCDF classic and NetCDF-4 (.nc, .nc4, .cdf), import and export",
    .suffixes = suffixes,
    .origin = BRIDGE_ORIGIN_LISTS,
    .coordinates = coordinates,
    .sniff = netcdf_sniff,
    .accepts = xta__netcdf_accepts,
    .open = netcdf_open,
    .read = netcdf_read,
    .close = netcdf_close,
    .create = xta__netcdf_create,
    .add = xta__netcdf_add,
    .write = xta__netcdf_write,
    .read_back = xta__netcdf_read_back,
    .finish = xta__netcdf_finish,
    .abandon = xta__netcdf_abandon,
};
