/* HDF5 files that are no NetCDF files, in a build without HDF5: NetCDF gets them all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/hdf5_source.h"

bool xta__set_is_plain_hdf5(const char *path)
{
    (void)path;
    return false;
}

xta_status xta__set_open_hdf5(set_source *source, const char *local, xta_error *err)
{
    (void)local;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: this build has no HDF5", source->path);
}

void xta__set_close_hdf5(set_source *source)
{
    (void)source;
}

xta_status xta__set_read_hdf5(const set_source *source, const set_variable *v, const xta_box *box,
                              void *cells, xta_error *err)
{
    (void)v;
    (void)box;
    (void)cells;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: this build has no HDF5", source->path);
}
